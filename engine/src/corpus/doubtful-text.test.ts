import { expect, it } from 'vitest';
import { doubtsOf, type PlacedText } from './doubtful-text.js';
import { plainWords } from './known-words.js';

const document = (
  texts: readonly string[],
  field = (at: number) => `column ${at % 3}`,
): readonly PlacedText[] =>
  texts.map((text, at) => ({ text, field: field(at), isCell: true, words: plainWords(text) }));
const doubted = (documents: readonly (readonly PlacedText[])[]) => {
  const doubts = doubtsOf(documents);
  return documents.map((texts, at) => texts.filter(({ text }) => doubts[at]!(text)).length);
};

const ITEM = [
  'The pump controller shall stop the pump when the pressure exceeds 9 bar.',
  'Driver brakes and the vehicle stays in its lane',
  'Loss of pressure in both circuits while the vehicle drives downhill',
  'The warning lamp is switched on within 200 ms after the fault was detected.',
  'Reached on nearly every trip, because drivers brake at every crossing',
  'Valve stays closed; pressure sensor reports a short circuit to ground',
];
const ELSEWHERE = [
  'She learned to play the violin when she was seven.',
  'The choir sang in the old church until midnight.',
  'Stir the onions in butter until they are golden.',
  'The king had no heir and the kingdom fell into sorrow.',
  'Snow fell on the village for nine days.',
  'Nobody remembered where the key to the chapel had been hidden.',
];
const SCRAMBLED = [
  'pressure the of shall 9 exceeds pump the bar controller when stop the.',
  'its lane and vehicle brakes the in Driver stays the',
  'circuits vehicle in of the both downhill pressure while drives Loss the',
  'within is the the 200 after lamp detected warning ms switched fault was on.',
];
const VERWÜRFELT = [
  'die stellt Pumpe über Druck der ab zum dem Steuergerät wenn von den und',
  'im der Fahrer bremst Spur und und bleibt Fahrzeug der in den',
  'Ventil ist für zu meldet und Sensor Kurzschluss einen einem geschlossen von',
  'zur Fahrt bei nötig jeder den ist eine Eingriff des dem das oder',
];

it.each([
  ['about something else', ELSEWHERE],
  ['words in any order', SCRAMBLED],
  ['the same in German', VERWÜRFELT],
])('a document of statements that are none is doubted as a whole: %s', (_name, texts) => {
  expect(doubted([document(ITEM), document(texts)])).toEqual([0, texts.length]);
});

it('one strange sentence leaves the others of its document alone', () => {
  expect(doubted([document([...ITEM, ELSEWHERE[0]!])])).toEqual([0]);
});

it('the same sentence under many headings says nothing, under the same column it may', () => {
  const sentence = 'This part is described in an appropriate way for the system.';
  const texts = [...ITEM, ...Array<string>(5).fill(sentence)];
  expect(doubted([document(texts, (at) => `section ${at}`)])).toEqual([5]);
  expect(doubted([document(texts, () => 'Safe state')])).toEqual([0]);
});

it('a short document among scrambled ones is doubted with them', () => {
  const short = ['Driver brakes and the vehicle stays in its lane'];
  expect(doubted([document(SCRAMBLED), document(VERWÜRFELT), document(short)])[2]).toBe(1);
  expect(doubted([document(ITEM), document(short)])[1]).toBe(0);
});

it('names of a project are no sentences that end too early', () => {
  const names = ['Logic OR', 'The line AND', 'Inputs of the gate AND', 'Output of the gate OR'];
  expect(doubted([document([...ITEM, ...names])])).toEqual([0]);
});
