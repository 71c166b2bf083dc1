import { expect, test } from 'vitest';
import type { EmbeddingModel } from './candidate.js';
import { windowsOf } from './embedding-similarity.js';
import { EVIDENCE_RANKING, LINK_RANKING, rankTexts } from './rank-texts.js';

/** Words of one topic share a dimension, so that a paraphrase is near and everything is countable by hand. */
const TOPICS = [
  ['car', 'vehicle', 'automobile'],
  ['stop', 'halt', 'brake'],
  ['log', 'record'],
  ['user', 'person'],
];

function topicModel(): EmbeddingModel & { readonly embedded: string[] } {
  const embedded: string[] = [];
  return {
    id: 'topics',
    dimensions: TOPICS.length + 1,
    embedded,
    async embed(texts) {
      embedded.push(...texts);
      return texts.map((text) => {
        const words = text.toLowerCase().split(/\W+/);
        const counts = TOPICS.map((topic) => words.filter((word) => topic.includes(word)).length);
        const length = Math.hypot(...counts, 0.1);
        return Float32Array.from([...counts, 0.1], (count) => count / length);
      });
    },
  };
}

const QUERIES = [
  'The system shall halt the automobile.',
  'The system shall record each person.',
  'The system shall be painted with the logo.',
];
const TEXTS = [
  'The controller will brake so that the vehicle is at rest.',
  'Each user is written to the log of the system.',
  'The system has a cover.',
  'The system is shipped in a box with each manual.',
];
const settings = EVIDENCE_RANKING;

test('without a model words decide, with one a paraphrase is found', async () => {
  const lexical = await rankTexts(QUERIES, { texts: TEXTS }, { settings });
  expect(lexical.ranked[0]![0]?.text).not.toBe(0);
  const texts = [...TEXTS, 'The vehicle of the system.'];
  const fused = await rankTexts(QUERIES, { texts }, { settings: LINK_RANKING, model: topicModel() });
  expect(fused.ranked[1]![0]!.text).toBe(1);
  expect(fused.ranked[0]![0]!.text).toBe(4);
});

test('the same input gives the same ranking, bit for bit', async () => {
  const run = () => rankTexts(QUERIES, { texts: TEXTS }, { settings, model: topicModel() });
  expect(await run()).toEqual(await run());
});

test('equal texts keep their order', async () => {
  const texts = ['wheel speed', 'brake pressure', 'brake pressure', 'brake pressure'];
  const { ranked } = await rankTexts(['The brake pressure is known.'], { texts }, { settings });
  expect(ranked[0]!.map(({ text }) => text)).toEqual([1, 2, 3]);
});

test('German texts are never given to the model', async () => {
  const model = topicModel();
  const texts = ['Das Fahrzeug muss anhalten, wenn der Fahrer bremst.', 'Die Prüfung ist für den Test.'];
  const { signals } = await rankTexts(
    ['The vehicle shall stop for the test.'],
    { texts },
    { settings, model },
  );
  expect(model.embedded).toEqual([]);
  expect(signals[0]!.meaningExclusivity).toBeUndefined();
});

test('German queries are never given to the model', async () => {
  const model = topicModel();
  const queries = [
    'Das Fahrzeug muss anhalten, wenn der Fahrer bremst.',
    'Die Prüfung ist nicht für den Test.',
  ];
  await rankTexts(queries, { texts: TEXTS }, { settings, model });
  expect(model.embedded).toEqual([]);
});

test('texts of both languages are ranked together, the English ones with the model', async () => {
  const model = topicModel();
  const texts = [...TEXTS, 'Das System muss anhalten.'];
  const languages = texts.map((_, number) => (number < TEXTS.length ? ('en' as const) : ('de' as const)));
  const { ranked } = await rankTexts(QUERIES, { texts, languages }, { settings, model });
  expect(model.embedded).not.toContain(texts.at(-1));
  for (const row of ranked) for (const { score } of row) expect(Number.isFinite(score)).toBe(true);
});

test('a neighbour lends its nearness, but not across documents', async () => {
  const texts = [
    'Nothing of the kind.',
    'The torque limit is here.',
    'Some value.',
    'Some value.',
    'Some value.',
  ];
  const query = ['The torque limit shall have some value.'];
  const within = await rankTexts(query, { texts, documents: ['a', 'a', 'a', 'a', 'a'] }, { settings });
  const across = await rankTexts(query, { texts, documents: ['a', 'a', 'b', 'b', 'b'] }, { settings });
  const scoreOf = (ranking: typeof within, text: number) =>
    ranking.ranked[0]!.find((candidate) => candidate.text === text)!.score;
  expect(scoreOf(within, 2)).toBeGreaterThan(scoreOf(within, 4));
  expect(scoreOf(across, 2)).toBe(scoreOf(across, 4));
});

test('the shortlist gives every query its nearest texts before any second ones', async () => {
  const texts = ['alpha beta', 'alpha beta gamma', 'alpha', 'delta'];
  const ranking = await rankTexts(
    ['alpha beta gamma', 'delta'],
    { texts },
    { settings: { ...settings, wholeUpTo: 0, shortlistLimit: 2 } },
  );
  expect(ranking.shortlisted).toBe(2);
  expect(ranking.ranked[1]!.map(({ text }) => text)).toContain(3);
  expect(ranking.ranked[0]!.map(({ text }) => text)).toContain(1);
});

test('a small collection is looked at whole, so that a paraphrase without a shared word is found', async () => {
  const texts = [
    'The shop is open.',
    'The person must halt the vehicle and record it.',
    'The wall is white.',
  ];
  const query = ['A user shall stop the car and log this.', 'The shop is in the wall.', 'The wall is open.'];
  const { ranked } = await rankTexts(query, { texts }, { settings, model: topicModel() });
  expect(ranked[0]![0]!.text).toBe(1);
});

test('a limit shortens every ranking and changes nothing else', async () => {
  const all = await rankTexts(QUERIES, { texts: TEXTS }, { settings });
  const two = await rankTexts(QUERIES, { texts: TEXTS }, { settings, limit: 2 });
  expect(two.ranked).toEqual(all.ranked.map((row) => row.slice(0, 2)));
});

test('nothing to ask and nothing to find are answered', async () => {
  expect((await rankTexts([], { texts: TEXTS }, { settings, model: topicModel() })).ranked).toEqual([]);
  expect((await rankTexts(QUERIES, { texts: [] }, { settings, model: topicModel() })).ranked).toEqual([
    [],
    [],
    [],
  ]);
  const blank = await rankTexts([''], { texts: ['', ' '] }, { settings, model: topicModel() });
  expect(blank.ranked).toEqual([[]]);
  expect(blank.signals).toEqual([{ standing: 0 }]);
});

test('an aborted ranking stops', async () => {
  const run = rankTexts(QUERIES, { texts: TEXTS }, { settings, signal: AbortSignal.abort() });
  await expect(run).rejects.toThrow(/abort/i);
});

test('long texts are read in windows that lose no word', () => {
  const words = Array.from({ length: 300 }, (_, number) => `word${number}`);
  const windows = windowsOf(words.join(' \n'));
  expect(windows.length).toBe(3);
  expect(windows.flatMap((window) => window.split(/\s+/))).toEqual(words);
  expect(windowsOf(' \n')).toEqual([]);
  expect(windowsOf('x'.repeat(50_000_000))[0]!.length).toBeLessThanOrEqual(2000);
});
