import { describe, expect, it } from 'vitest';
import { dayAway, dayOf, dayText } from './day-text.ts';

describe('days in fields', () => {
  it('are written as the language writes them and read in both ways', () => {
    expect([dayText('2026-03-31', 'en'), dayText('2026-03-31', 'de'), dayText('', 'de')]).toEqual([
      '2026-03-31',
      '31.03.2026',
      '',
    ]);
    for (const text of ['2026-03-31', ' 31.03.2026 ', '31.3.2026', '31. 3. 2026', '2026-3-31']) {
      expect([text, dayOf(text)]).toEqual([text, '2026-03-31']);
    }
  });

  it('are none where there is no such day, or where it could be two', () => {
    for (const text of ['', '31.06.2026', '2026-02-29', '03/04/2026', '31.3.26', '2026-13-01', '1.1.202']) {
      expect([text, dayOf(text)]).toEqual([text, undefined]);
    }
  });

  it('go on over the end of a month', () => {
    expect([dayAway('2026-02-28', 1), dayAway('2026-01-01', -1)]).toEqual(['2026-03-01', '2025-12-31']);
  });
});
