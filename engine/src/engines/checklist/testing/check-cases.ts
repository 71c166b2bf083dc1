import { describe, expect, it } from 'vitest';
import type { AnalysedDocument } from '../../../corpus/analysed-document.js';
import type { ItemResult } from '../checklist-analysis.js';
import { answer, documentOf } from './small-checklists.js';

export const PROSE =
  'The team described the topic of this section for the power tailgate in enough words to be of use.';
export const HAZARDS =
  '| ID | Malfunction | Operational situation | Hazardous event | S | Rationale S | E | Rationale E | C | Rationale C | ASIL | Safety goal |';
export const hara = (rows: readonly string[], further: readonly string[] = []) =>
  documentOf('hara', [
    '# Hazard analysis and risk assessment',
    '## Hazardous events',
    HAZARDS,
    ...rows,
    ...further,
  ]);
export const event = (id: string, cells: readonly string[]) =>
  `| ${id} | Opens unasked | Fast driving | Load falls out | ${cells.join(' | ')} |`;
export const rated = event('HE-01', [
  'S3',
  'Others are hit by the load at speed',
  'E4',
  'Every drive has such a situation',
  'C3',
  'Nobody behind can react in time',
  'D',
  'SG-01',
]);
export const fsc = (lines: readonly string[]) =>
  documentOf('functional_safety_concept', ['# Functional safety concept', '## Requirements', ...lines]);
export const plan = (lines: readonly string[]) => documentOf('safety_plan', ['# Safety plan', ...lines]);
export const safetyCase = (lines: readonly string[]) =>
  documentOf('safety_case', ['# Safety case', ...lines]);
export const GOALS = '| ID | Safety goal | ASIL | Safe state | FTTI | Source |';
export const REQUIREMENTS =
  '| ID | Functional safety requirement | ASIL | Safety goal | Allocated to | FTTI | Safe state |';

export type Expected = Partial<
  Pick<ItemResult, 'verdict' | 'confidence' | 'needsConfirmation' | 'instances' | 'severity'>
> & {
  /** Words that stand in a quote. */
  readonly quote?: string;
  readonly rule?: string;
  readonly affected?: readonly string[];
};
export type Case = readonly [
  name: string,
  check: object,
  documents: readonly AnalysedDocument[],
  expected: Expected,
];

/** One test for each case: a check, the documents it looks at and the answer. */
export function describeChecks(cases: Readonly<Record<string, readonly Case[]>>): void {
  describe.each(Object.entries(cases))('the check %s', (_, cases) => {
    it.each(cases)('%s', async (_name, check, documents, expected) => {
      const result = await answer(check, documents);
      const { quote, rule, affected, ...fields } = expected;
      expect(result, JSON.stringify(result, null, 1)).toMatchObject(fields);
      if (quote !== undefined) expect(result.evidence.map((one) => one.quote).join('\n')).toContain(quote);
      if (rule !== undefined) expect(result.rules).toContain(rule);
      if (affected !== undefined) expect(result.affectedItems).toEqual(affected);
    });
  });
}
