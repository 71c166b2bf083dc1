import { expect, test } from 'vitest';
import type { Passage } from '../corpus/passages/passage.js';
import type { Criterion } from '../standards/criterion.js';
import type { EmbeddingModel } from './candidate.js';
import { estimateCoverage, parseCoverageModel, shippedCoverageModel } from './estimate-coverage.js';
import { rankCandidates } from './rank-candidates.js';

function criterion(id: string, text: string): Criterion {
  return { id, kind: 'clause', clause: id, title: id, text, severity: 'medium', obligation: 'shall' };
}

function passage(documentId: string, blockIndex: number, text: string): Passage {
  const range = { start: 0, end: text.length, location: {} };
  return { id: `${documentId}#${blockIndex}`, documentId, blockIndex, role: 'body', text, ...range };
}

const CRITERIA = [
  criterion('C1', 'The supplier shall keep a record of every change to the software configuration.'),
  criterion('C2', 'The temperature of the battery shall be measured in every cell.'),
  criterion('C3', 'The organisation shall train its auditors in the use of the archive.'),
  criterion('C4', 'The emergency exit shall be lit at night.'),
];
const ENGLISH = [
  'The project plan names the persons in charge of the work.',
  'Every change to the software configuration is kept as a record by the supplier.',
  'A sensor in every cell measures the temperature of the battery.',
  'The report on the battery is reviewed before it is released.',
  'Auditors are trained in the use of the archive every year.',
].map((text, index) => passage('english', index, text));
const GERMAN = [
  'Die Temperatur der Batterie wird in jeder Zelle gemessen.',
  'Das ist für die Prüfung nicht nötig.',
].map((text, index) => passage('german', index, text));

const zeroModel: EmbeddingModel = {
  id: 'constant',
  dimensions: 2,
  embed: async (texts) => texts.map(() => Float32Array.of(1, 0)),
};

test('candidates are the passages themselves, ranked from 1, nearest first', async () => {
  const { byCriterion, method } = await rankCandidates(CRITERIA, ENGLISH, { limit: 2 });
  const candidates = byCriterion.get('C2')!.candidates;
  expect(candidates[0]!.passage).toBe(ENGLISH[2]);
  expect(candidates.map(({ rank }) => rank)).toEqual([1, 2]);
  expect(candidates[0]!.score).toBeGreaterThan(candidates[1]!.score);
  expect(method).toMatchObject({ embedding: { off: 'disabled' }, passages: 5, lexicalOnlyDocuments: [] });
});

test('what nothing treats is more probably missing than what something treats', async () => {
  const { byCriterion } = await rankCandidates(CRITERIA, ENGLISH);
  const missing = (id: string) => byCriterion.get(id)!.coverage.missingScore;
  for (const covered of ['C1', 'C2', 'C3']) expect(missing('C4')).toBeGreaterThan(missing(covered));
});

test('the method says which documents the model did not read', async () => {
  const mixed = await rankCandidates(CRITERIA, [...ENGLISH, ...GERMAN], { model: zeroModel });
  expect(mixed.method.embedding).toEqual({ model: 'constant' });
  expect(mixed.method.lexicalOnlyDocuments).toEqual(['german']);
  const german = await rankCandidates(CRITERIA, GERMAN, { model: zeroModel });
  expect(german.method.embedding).toEqual({ off: 'language' });
  const told = await rankCandidates(CRITERIA, ENGLISH, { model: zeroModel, languageOf: () => 'unknown' });
  expect(told.method.embedding).toEqual({ off: 'language' });
});

test('no passages: no candidates, and everything is probably missing', async () => {
  const { byCriterion } = await rankCandidates(CRITERIA, []);
  for (const { candidates, coverage } of byCriterion.values()) {
    expect(candidates).toEqual([]);
    expect(coverage.probablyMissing).toBe(true);
  }
  expect((await rankCandidates([], ENGLISH)).byCriterion.size).toBe(0);
});

test('the shipped model lets every signal speak against "missing", and unknown ones count as average', () => {
  const model = shippedCoverageModel();
  for (const weights of [model.embedded, model.lexical]) {
    for (const { weight } of Object.values(weights.signals)) expect(weight).toBeLessThan(0);
  }
  const { standing, wordExclusivity } = model.lexical.signals;
  const known = { standing: standing!.mean, wordExclusivity: wordExclusivity!.mean };
  expect(estimateCoverage({ standing: standing!.mean }).missingScore).toBe(
    estimateCoverage(known).missingScore,
  );
  expect(estimateCoverage({ ...known, standing: 9 }).missingScore).toBeLessThan(
    estimateCoverage(known).missingScore,
  );
});

test('a model file with an unknown key is refused', () => {
  expect(() => parseCoverageModel('provenance: x\nembedded: {}\nlexical: {}\nextra: 1')).toThrow();
});
