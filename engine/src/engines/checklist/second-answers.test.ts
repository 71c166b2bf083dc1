import { expect, test } from 'vitest';
import { loadChecklist } from '../../checklists/load-checklists.js';
import { fakeJudge } from '../../models/fake-judge.js';
import { fakeModel } from '../../models/fake-model.js';
import type { LanguageModel, ModelRequest } from '../../models/language-model.js';
import { analysedDocument } from '../../testing/document-fixture.js';
import { holdsPlantedOrder, withPlantedOrders } from '../../testing/planted-orders.js';
import { checkChecklist } from './run.js';
import { brokenPromise } from './testing/small-checklists.js';

const checklist = await loadChecklist('FS-HARA');
const LINES = [
  '# Hazard analysis and risk assessment',
  'Status: reviewed',
  'Author: Anna Berg',
  'The hazard analysis was carried out by an interdisciplinary team of vehicle dynamics, software and test.',
  'All operating modes of the item and the operational situations of its use were considered.',
  'Foreseeable misuse by the driver was analysed together with the hazardous events.',
  '## Hazardous events',
  '| ID | Malfunction | Operational situation | Hazardous event | S | Rationale S | E | Rationale E | C | Rationale C | ASIL | Safety goal |',
  '| HE-01 | Opens | Driving | Load falls out | S3 | Others are hit by it | E4 | Every drive has it | C3 | Nobody can react | D | SG-01 |',
  '## Safety goals',
  'SG-01 (ASIL D): No opening while driving. Safe state: shut. FTTI: 400 ms.',
];
const hara = analysedDocument('HARA.md', LINES);
const documents = [hara];
const rules = await checkChecklist({ checklist, documents });
const undecided = rules.items.filter(({ confidence, verdict }) => confidence === 'low' && verdict !== 'NA');

const withJudge = (model: LanguageModel, rest: object = {}) =>
  checkChecklist({ checklist, documents, model: { model, ...rest } });

test('without a model nothing of one stands in the result', () => {
  expect(undecided.length).toBeGreaterThan(2);
  expect(JSON.stringify(rules)).not.toMatch(/opinions|byModel/);
});

test('only what rules could not decide is asked, and stands beside the answer of the rules', async () => {
  const asked: ModelRequest[] = [];
  const judge = fakeJudge();
  const result = await withJudge({
    ...judge,
    ask: (requests) => {
      asked.push(...requests);
      return judge.ask(requests);
    },
  });
  expect(result.opinions!.map(({ itemId }) => itemId)).toEqual(undecided.map(({ itemId }) => itemId));
  expect(result.opinions!.map(({ byRules }) => byRules)).toEqual(undecided);
  expect(result.method).toMatchObject({ mode: 'ai', model: { asked: asked.length, answered: asked.length } });
  const outcomes = new Set(result.opinions!.map(({ outcome }) => outcome));
  expect(outcomes).toContain('same');
  expect(outcomes).toContain('lowered');
  const findings: string[] = [];
  await checkChecklist({
    checklist,
    documents,
    model: { model: fakeJudge() },
    onFinding: ({ criterionId }) => findings.push(criterionId),
  });
  expect(findings).toEqual(result.items.filter(({ severity }) => severity).map(({ itemId }) => itemId));
});

test('a model lowers or proposes; nothing passes by it, no person is left out, no answer of a person goes stale', async () => {
  for (const model of [
    fakeJudge(),
    fakeJudge({ errs: 0.6, seed: 3 }),
    fakeJudge({ obeys: () => true }),
    fakeJudge({ invents: 1 }),
  ]) {
    const { items } = await withJudge(model);
    items.forEach((item, at) => {
      const before = rules.items[at]!;
      expect([item.itemId, item.fingerprint, item.basis, item.needsConfirmation]).toEqual([
        before.itemId,
        before.fingerprint,
        before.basis,
        before.needsConfirmation,
      ]);
      if (item.verdict !== before.verdict)
        expect([before.verdict, before.confidence]).toEqual(['pass', 'low']);
      expect(brokenPromise(item)).toBeUndefined();
      for (const one of item.evidence) expect(hara.document.text.slice(one.start, one.end)).toBe(one.quote);
    });
  }
});

test('an item without an answer that can be read stays as rules have it', async () => {
  for (const text of ['', '{"instances": []}', 'pass']) {
    const result = await withJudge(fakeModel(() => text));
    expect(result.items).toEqual(rules.items);
    expect(result.method.model!.byRulesBecause.unreadable).toBeGreaterThan(0);
  }
  const few = await withJudge(fakeJudge(), { maxTokens: 600 });
  expect(few.method.model!.byRulesBecause.budget_ended).toBeGreaterThan(0);
});

test('orders in the documents raise nothing, and are not sent', async () => {
  const planted = [withPlantedOrders(hara)];
  const asked: ModelRequest[] = [];
  const judge = fakeJudge({ blind: true, obeys: holdsPlantedOrder });
  const model = {
    ...judge,
    ask: (requests: readonly ModelRequest[]) => {
      asked.push(...requests);
      return judge.ask(requests);
    },
  };
  const { opinions } = await checkChecklist({ checklist, documents: planted, model: { model } });
  for (const { variable } of asked) expect(holdsPlantedOrder(variable)).toBe(false);
  expect(opinions!.filter(({ outcome }) => outcome === 'raised')).toEqual([]);
});

test('what a model lowers is no more severe than what the rules would say: the level of the documents holds it', async () => {
  const lines = LINES.map((line) => line.replaceAll('ASIL D', 'QM').replace('| D | SG-01', '| QM | SG-01'));
  const lowly = analysedDocument('HARA.md', lines);
  const alone = await checkChecklist({ checklist, documents: [lowly] });
  const { items } = await checkChecklist({ checklist, documents: [lowly], model: { model: fakeJudge() } });
  const byModel = items.filter(({ rules }) => rules.includes('settled-by-model'));
  expect(byModel.length).toBeGreaterThan(0);
  const severities = (of: typeof items) => new Set(of.flatMap(({ severity }) => severity ?? []));
  expect([...severities(byModel)].every((one) => one === 'medium' || one === 'low')).toBe(true);
  expect([...severities(alone.items)].every((one) => one === 'medium' || one === 'low')).toBe(true);
});
