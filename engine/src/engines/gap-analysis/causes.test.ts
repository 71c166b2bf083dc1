import { expect, test } from 'vitest';
import { loadStandard } from '../../standards/load-standard.js';
import { analysedDocument } from '../../testing/document-fixture.js';
import { analyseGaps } from './run.js';

const findingsOf = async (...documents: readonly ReturnType<typeof analysedDocument>[]) => {
  const standard = await loadStandard('iso-26262-4-2018');
  return (await analyseGaps({ standard, documents, scope: {}, options: {} })).findings;
};
const concept = (...more: readonly string[]) =>
  analysedDocument('Technical_Safety_Concept.docx', [
    '# Technical Safety Concept',
    '# 1 Technical safety requirements',
    '| ID | Requirement | ASIL | Parent | Allocated to | Safe state |',
    '| TSR-1 | The pump controller shall switch off the pump within 20 ms after a pressure fault. | B | FSR-1 | Pump controller | Pump off |',
    '| TSR-2 | The pump controller shall check the pressure sensor every 10 ms. | B | FSR-1 | Pump controller | Pump off |',
    ...more,
  ]);

test('work products of a clause that nobody gave are one finding, and keep their identity when one of them comes', async () => {
  const before = (await findingsOf(concept())).find(({ criterionId }) => criterionId === '26262-4:7')!;
  expect(before).toMatchObject({ kind: 'missing_work_product', subject: 'not given' });
  expect(before.affected?.map(({ id }) => id)).toEqual(['26262-4:7.5.1', '26262-4:7.5.2']);
  expect(before.affected?.every(({ search }) => (search?.terms.length ?? 0) > 0)).toBe(true);
  expect(before.defects).toEqual([
    'missing_work_product: 26262-4:7.5.1',
    'missing_work_product: 26262-4:7.5.2',
  ]);
  const strategy = analysedDocument('Integration_and_Test_Strategy.docx', [
    '# Integration and test strategy',
    '# 1 Strategy',
    'The pump controller is integrated bottom up: software on the controller, controller with pump and sensor, pump unit in the vehicle.',
    'Each step has test cases, derived from the technical safety requirements by equivalence classes and fault injection at the sensor lines.',
    '# 2 Environment',
    'The controller is tested on the bench with a simulated sensor, the unit on the test track with the released software and calibration.',
  ]);
  const after = (await findingsOf(concept(), strategy)).find(
    ({ fingerprint }) => fingerprint === before.fingerprint,
  )!;
  // One that is left says what it is, at its own demand.
  expect(after.criterionId).toBe('26262-4:7.5.2');
  expect(after.title).toContain('Integration and test report');
});

test('what a document does not show is one finding with every demand; a row without a value and a denial stay their own', async () => {
  const findings = await findingsOf(
    concept('# 2 Safety analyses', 'No safety analysis of the technical safety concept was performed.'),
  );
  const cause = findings.find(
    ({ kind, criterionId }) => kind === 'missing_content' && criterionId === '26262-4:6.5.2',
  )!;
  expect(cause.affected!.length).toBeGreaterThan(1);
  expect(cause.subject).toBe('content Technical_Safety_Concept.docx');
  for (const { id, title } of cause.affected!) expect([id, title]).not.toContain(undefined);
  // Only silence tells it.
  expect(
    findings.filter(({ kind, severity }) => kind === 'missing_content' && severity === 'critical'),
  ).toEqual([]);
  const denied = findings.find(({ evidence }) => evidence.some(({ role }) => role === 'counter'))!;
  expect(denied.evidence.map(({ quote }) => quote)).toContain(
    'No safety analysis of the technical safety concept was performed.',
  );
  expect(denied.affected).toBeUndefined();
});
