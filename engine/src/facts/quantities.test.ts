import { describe, expect, it } from 'vitest';
import { quantitiesIn, timeIn } from './quantities.js';

describe('a quantity', () => {
  it.each([
    ['10 000 ms', [10_000]],
    ["10'000 ms", [10_000]],
    ['10\u202F000 ms and 20 ms', [10_000, 20]],
    ['1 250,5 ms', [1250.5]],
    ['1.5 s', [1500]],
    ['between 100 and 250 ms', [250]],
    ['2024 100 ms', [100]],
  ])('is read with groups of three digits: %j', (text, values) => {
    expect(quantitiesIn(text).map(({ value }) => value)).toEqual(values);
  });

  it('stands where it is written', () => {
    expect(timeIn('FTTI of 10 000 ms')?.written).toBe('10 000 ms');
  });
});

it.each(['FTTI [ms]', 'FTTI (ms)', 'FTTI in ms', 'FTTI, ms', 'FTTI/ms', 'Time ms'])(
  'takes the unit of a bare time from its title: %s',
  (title) => {
    expect(timeIn('80', title)?.value).toBe(80);
    expect(timeIn('80', 'Terms')).toBeUndefined();
  },
);
