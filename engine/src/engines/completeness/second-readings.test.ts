import { expect, test } from 'vitest';
import { fakeModel } from '../../models/fake-model.js';
import type { LanguageModel, ModelRequest } from '../../models/language-model.js';
import { analysedDocument } from '../../testing/document-fixture.js';
import { holdsPlantedOrder, withPlantedOrders } from '../../testing/planted-orders.js';
import { checkCompleteness } from './run.js';

const document = analysedDocument('FSC.md', [
  '# Functional safety concept',
  '# Functional safety requirements',
  '| ID | Functional safety requirement | ASIL | Safety goal | Safe state | FTTI |',
  '| FSR-01 | The control unit shall react fast when the door opens. | B | SG-01 | latched | 200 ms |',
  '| FSR-02 | Das Steuergerät muss die Tür während der Fahrt geschlossen halten. | B | SG-01 | latched | 200 ms |',
]);
const documents = [document];
const alone = await checkCompleteness({ documents });

/** Blames the fifth word of every requirement, and one that is not there. */
function blaming() {
  const asked: ModelRequest[] = [];
  const model: LanguageModel = fakeModel((request) => {
    asked.push(request);
    return JSON.stringify({ because: 'Fast is no number.', words: ['w6', 'w99'], score: '1' });
  });
  return { asked, model };
}

test('each requirement is asked along each axis; words that are to blame are quotes of the document', async () => {
  const { asked, model } = blaming();
  const result = await checkCompleteness({ documents, model: { model } });
  expect(result.looked).toEqual({ requirements: 2, of: 2 });
  expect(asked.length).toBe(8);
  expect(result.opinions).toHaveLength(8);
  expect(result.opinions![0]).toMatchObject({
    documentId: document.id,
    requirementId: 'FSR-01',
    axis: 'unambiguous',
    score: 1,
    reason: 'Fast is no number.',
    evidence: [{ quote: 'fast' }],
  });
  for (const { start, end, quote } of result.opinions!.flatMap(({ evidence }) => evidence))
    expect(document.document.text.slice(start, end)).toBe(quote);
  expect(result.method).toMatchObject({ mode: 'ai', model: { asked: 8, answered: 8, byRulesBecause: {} } });
});

test('it is advice: findings, documents and score are those of the rules', async () => {
  expect(JSON.stringify(alone)).not.toMatch(/opinions|looked|"model"/);
  const {
    findings,
    documents: checked,
    score,
    counts,
  } = await checkCompleteness({
    documents,
    model: { model: blaming().model },
  });
  expect({ findings, documents: checked, score, counts }).toEqual({
    findings: alone.findings,
    documents: alone.documents,
    score: alone.score,
    counts: alone.counts,
  });
});

test('withheld documents and orders are not sent; failures and budgets are told', async () => {
  const { asked, model } = blaming();
  await checkCompleteness({ documents, model: { model, withheld: [document.id] } });
  expect(asked).toEqual([]);
  await checkCompleteness({ documents: [withPlantedOrders(document)], model: { model } });
  for (const { variable } of asked) expect(holdsPlantedOrder(variable)).toBe(false);
  const gone = await checkCompleteness({
    documents,
    model: { model: fakeModel(() => ({ failed: 'unreachable' })) },
  });
  expect(gone.method.model!.byRulesBecause).toEqual({ unreachable: 8 });
  expect(gone.findings).toEqual(alone.findings);
  const few = await checkCompleteness({ documents, model: { model, maxTokens: 900 } });
  expect(few.method.model!.byRulesBecause.budget_ended).toBeGreaterThan(0);
});
