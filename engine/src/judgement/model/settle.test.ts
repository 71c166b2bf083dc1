import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MODEL_SAYS, type Opinions, RULES_SAY, type Settlement, settle } from './settle.js';

const both = [false, true] as const;

function* everything(): Generator<Opinions> {
  for (const rules of RULES_SAY)
    for (const model of MODEL_SAYS)
      for (const criticAgrees of both)
        for (const everyPartCited of both)
          for (const orders of both)
            for (const grave of both)
              for (const severe of both)
                for (const partlySeen of both)
                  yield { rules, model, criticAgrees, everyPartCited, orders, grave, severe, partlySeen };
}

/** The table as it is designed, cell by cell, told another way than the code tells it. */
const TABLE: Readonly<Record<string, (opinions: Opinions) => string>> = {
  'covered covered': () => 'both covered',
  'covered partial': ({ criticAgrees }) => (criticAgrees ? 'model partial' : 'rules'),
  'covered missing': ({ criticAgrees }) => (criticAgrees ? 'person needs_review' : 'rules'),
  'partial covered': ({ criticAgrees, everyPartCited, orders }) =>
    criticAgrees && everyPartCited && !orders ? 'model covered confirm' : 'both partial',
  'partial partial': () => 'both partial',
  'partial missing': () => 'person needs_review',
  'needs_review covered': ({ criticAgrees, everyPartCited, orders, grave, severe }) =>
    criticAgrees && everyPartCited && !orders && !(grave && severe) ? 'model covered' : 'rules',
  'needs_review partial': ({ criticAgrees, orders }) => (criticAgrees && !orders ? 'model partial' : 'rules'),
  'needs_review missing': ({ partlySeen }) => (partlySeen ? 'rules' : 'model missing'),
  'missing covered': ({ criticAgrees, everyPartCited, orders, grave }) => {
    if (!criticAgrees || !everyPartCited || orders) return 'rules';
    return grave ? 'person needs_review' : 'model covered confirm';
  },
  'missing partial': ({ criticAgrees, orders }) =>
    criticAgrees && !orders ? 'model partial confirm' : 'rules',
  'missing missing': () => 'both missing',
};

const told = (settlement: Settlement): string =>
  settlement.by === 'rules'
    ? 'rules'
    : `${settlement.by} ${settlement.verdict}${settlement.confirm ? ' confirm' : ''}`;

test('every combination of opinions is settled as the table says', () => {
  let combinations = 0;
  for (const opinions of everything()) {
    const cell = TABLE[`${opinions.rules} ${opinions.model}`];
    expect([opinions, told(settle(opinions))]).toEqual([opinions, cell ? cell(opinions) : 'rules']);
    combinations++;
  }
  expect(combinations).toBe(5 * 4 * 2 ** 6);
});

const WORTH = { missing: 0, needs_review: 1, partial: 2, covered: 3 } as const;
const anyOpinions = fc.record({
  rules: fc.constantFrom(...RULES_SAY),
  model: fc.constantFrom(...MODEL_SAYS),
  criticAgrees: fc.boolean(),
  everyPartCited: fc.boolean(),
  orders: fc.boolean(),
  grave: fc.boolean(),
  severe: fc.boolean(),
  partlySeen: fc.boolean(),
});

test('raising needs the critic, no orders, and for "covered" every part cited; a gap is closed only to be confirmed', () => {
  fc.assert(
    fc.property(anyOpinions, (opinions) => {
      const settlement = settle(opinions);
      if (settlement.by === 'rules' || opinions.rules === 'certain') return;
      const isRaised = WORTH[settlement.verdict] > WORTH[opinions.rules];
      const toMore = settlement.verdict === 'covered' || settlement.verdict === 'partial';
      if (isRaised && toMore) {
        expect(opinions.criticAgrees && !opinions.orders).toBe(true);
        if (settlement.verdict === 'covered') expect(opinions.everyPartCited).toBe(true);
        if (opinions.rules !== 'needs_review') expect(settlement.confirm).toBe(true);
      }
      if (opinions.rules === 'missing' && opinions.grave) expect(settlement.verdict).not.toBe('covered');
    }),
    { numRuns: 2000 },
  );
});

test('without an opinion rules decide', () => {
  for (const opinions of everything()) {
    if (opinions.model === 'none' || opinions.rules === 'certain')
      expect(settle(opinions)).toEqual({ by: 'rules' });
  }
});
