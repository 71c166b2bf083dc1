import { describe, expect, it } from 'vitest';
import { detectLanguage } from './language.js';

describe('the language of a text', () => {
  it.each([
    ['en', 'The item shall be in a safe state within the fault tolerant time interval.'],
    [
      'de',
      'Das System muss den sicheren Zustand innerhalb der Fehlertoleranzzeit erreichen und die Warnung ist auszugeben.',
    ],
    ['de', 'Die Safety Goals für die Lane Keeping Assistance werden mit dem ASIL der Gefährdung versehen.'],
    ['unknown', 'ASIL B 12 34 REQ_1'],
    ['unknown', 'Le système doit être dans un état sûr pendant le temps imparti.'],
  ])('is %s', (language, text) => {
    expect(detectLanguage(text)).toBe(language);
  });
});
