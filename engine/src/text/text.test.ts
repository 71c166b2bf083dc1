import { expect, test } from 'vitest';
import { detectLanguage } from './language.js';
import { normaliseText, normaliseWord } from './normalise.js';
import { phraseFinder } from './phrases.js';
import { splitSentences } from './sentences.js';
import { stem } from './stem.js';
import { termsOf } from './terms.js';
import { tokenise } from './tokenise.js';

const words = (text: string) => tokenise(text).map((token) => (token.whole ? `=${token.word}` : token.word));

test.each([
  ['Straße', 'strasse'],
  ['PRÜFUNG', 'prufung'],
  ['Pru\u0308fung', 'prufung'],
  ['conﬁguration', 'configuration'],
  ['ＡＳＩＬ', 'asil'],
  ['soft\u00adware', 'software'],
  ['naïve', 'naive'],
])('%s is compared as %s', (word, normalised) => {
  expect(normaliseWord(word)).toBe(normalised);
});

test('white space of any kind is one space', () => {
  expect(normaliseText(' Two\u00a0\n words\t')).toBe('two words');
  for (const gap of ['  ', '\n', '\t', '\ufeff', '\u2028', ' \r\n '])
    for (const text of [`${gap}a b`, `a${gap}b`, `a b${gap}`]) expect(normaliseText(text)).toBe('a b');
  expect(normaliseText('One word of Überlast, as it is.')).toBe('one word of uberlast, as it is.');
});

test.each([
  ['ccmCtrlTask()', ['ccm', 'ctrl', 'task', '=ccmctrltask']],
  ['GUILoginHandler', ['gui', 'login', 'handler', '=guiloginhandler']],
  ['max_torque_limit', ['max', 'torque', 'limit', '=maxtorquelimit']],
  ['FR-01 FR_1 fr01', ['fr', '1', '=fr01', 'fr', '1', '=fr1', 'fr', '1', '=fr01']],
  ['5.12.2.1', ['5', '12', '2', '1', '=5.12.2.1']],
  ['the FTAs.', ['the', 'ftas']],
  ['and/or', ['and', 'or']],
  ['re-use', ['re', 'use', '=reuse']],
  ['require-\n  ments', ['requirements']],
  ['Soft\u00ad\r\nware', ['software']],
  ['FR-\n01', ['fr', '1']],
  ['a-\n\nb', ['a', 'b']],
  ['', []],
  [' \n\t–', []],
])('words of %j', (text, expected) => {
  expect(words(text)).toEqual(expected);
});

test('every token but one of a broken word says where it stands', () => {
  const text = 'Die Prüfung von FR-01, ccmTask.';
  for (const token of tokenise(text).filter((token) => !token.whole)) {
    const written = normaliseWord(text.slice(token.start, token.end)).replace(/^0+(?=\d)/, '');
    expect(written).toBe(token.word);
  }
  const broken = 'the require-\nments';
  const last = tokenise(broken).at(-1)!;
  expect(broken.slice(last.start, last.end)).toBe('require-\nments');
});

test.each([
  ['en', ['validate', 'validated', 'validating', 'validates', 'validation', 'validations']],
  ['en', ['requirement', 'requirements', 'require', 'required']],
  ['en', ['policy', 'policies']],
  ['en', ['encrypt', 'encryption', 'encrypted']],
  ['en', ['authorise', 'authorisation', 'authorised']],
  ['en', ['stop', 'stopped', 'stopping', 'stops']],
  ['de', ['prufung', 'prufungen', 'prufen', 'pruefung']],
  ['de', ['zustand', 'zustande', 'zustanden', 'zustaende']],
  ['de', ['anforderung', 'anforderungen']],
] as const)('%s: %j share a stem', (language, forms) => {
  expect(new Set(forms.map((form) => stem(form, language))).size).toBe(1);
});

test.each([
  ['policy', 'police'],
  ['fuel', 'full'],
  ['brake', 'broke'],
  ['status', 'state'],
])('%s and %s do not share a stem', (one, other) => {
  expect(stem(one, 'en')).not.toBe(stem(other, 'en'));
});

test('stop words are no terms, and identifiers keep their digits', () => {
  expect(termsOf('The FSR12 shall be', 'en')).toEqual(['fsr', '12', 'fsr12']);
  expect(termsOf('Die Prüfung ist für den Test', 'de')).toEqual(['pruf', 'tes']);
});

test.each([
  ['The hazard analysis shall be carried out for each operating situation.', 'en'],
  ['Die Gefährdungsanalyse ist für jede Betriebssituation durchzuführen.', 'de'],
  ['Sicherheitsanforderungen', 'de'],
  ['young lung', 'unknown'],
  ['Prüfung der Sicherheitsziele', 'de'],
  ['', 'unknown'],
  ['4711 0815', 'unknown'],
])('language of %j is %s', (text, language) => {
  expect(detectLanguage(text)).toBe(language);
});

test('sentences end where a reader ends them', () => {
  const text =
    'See Fig. 3 and e.g. Table 4. The limit is 20. Next z. B. so? (Yes.) A. Smith agreed!\n\n1. First step\n- item a\n- item b\nTitle\n\nBody vs. others';
  expect(splitSentences(text).map(({ start, end }) => text.slice(start, end))).toEqual([
    'See Fig. 3 and e.g. Table 4.',
    'The limit is 20.',
    'Next z. B. so?',
    '(Yes.)',
    'A. Smith agreed!',
    '1. First step',
    '- item a',
    '- item b\nTitle',
    'Body vs. others',
  ]);
  expect(splitSentences(' \n')).toEqual([]);
  expect(splitSentences('no end')).toEqual([{ start: 0, end: 6 }]);
});

test('phrases are found in any inflection, with their exact place', () => {
  const text = 'Safety-Goals and Sicherheits-\nziele; Gefahrenanalyse, verified safety goal SG_01';
  const find = phraseFinder([
    'safety goal',
    'Sicherheitsziel',
    '*analyse',
    'verif*',
    'SG-01',
    '',
    'goal and',
  ]);
  expect(find(text).map((match) => [match.phrase, text.slice(match.start, match.end)])).toEqual([
    [0, 'Safety-Goals'],
    [6, 'Goals and'],
    [1, 'Sicherheits-\nziele'],
    [2, 'Gefahrenanalyse'],
    [3, 'verified'],
    [0, 'safety goal'],
    [4, 'SG_01'],
  ]);
  const roles = phraseFinder(['Sicherheitsmanager', 'Ingenieur', 'Assessor']);
  const named = roles(
    'die Sicherheitsmanagerin, zwei Ingenieurinnen und eine Assessorin, worin, Sicherheitsmanager',
  );
  expect(named.map(({ phrase }) => phrase)).toEqual([0, 1, 2, 0]);
  expect(phraseFinder(['Testfall'])('der Test-Fall')).toEqual([{ phrase: 0, start: 4, end: 13 }]);
  expect(find('')).toEqual([]);
});
