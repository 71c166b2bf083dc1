import { describe, expect, it } from 'vitest';
import type { AnalysedDocument } from '../../corpus/analysed-document.js';
import { analysedDocument } from '../../testing/document-fixture.js';
import { checkCompleteness } from './run.js';

const only = async (document: AnalysedDocument, others: readonly AnalysedDocument[] = []) =>
  (await checkCompleteness({ documents: [document, ...others] })).documents[0]!;
const stateOf = async (document: AnalysedDocument, key: string) =>
  (await only(document)).templates.flatMap(({ sections }) => sections).find((one) => one.key === key)?.state;

describe('metadata as documents write them', () => {
  const front = (lines: readonly string[]) =>
    analysedDocument('Software requirements.md', [
      '---',
      ...lines,
      '---',
      '# Software requirements specification',
      'The requirements refine WL-TSC-4, version 1.0.',
    ]);
  const field = async (lines: readonly string[], key: string) =>
    (await only(front(lines))).metadata.find((one) => one.key === key)!;

  it('reads a version in quotation marks without them', async () => {
    expect(await field(['version: "1.0"'], 'version')).toMatchObject({ value: '1.0', problems: [] });
  });

  it('reads names with underscores', async () => {
    expect(await field(['document_id: WL-SRS-5'], 'document_id')).toMatchObject({ value: 'WL-SRS-5' });
  });

  it.each(['Approved on', 'Genehmigt am'])('reads "%s" as the date of the approval', async (label) => {
    expect(await field([`${label}: 2026-06-24`], 'approval_date')).toMatchObject({ value: '2026-06-24' });
  });

  it('takes another document that is named with its version for a reference', async () => {
    expect((await field([], 'references')).value).toBe('WL-TSC-4, version 1.0');
  });

  it('asks no level of a document whose rows carry none', async () => {
    const { metadata } = await only(
      analysedDocument('Tests.md', [
        '# Test specification',
        '| ID | Verifies | Steps | Expected result |',
        '| T-1 | SSR-1 | Close the window | The window stops |',
      ]),
    );
    expect(metadata.find(({ key }) => key === 'asil_cal')!.applies).toBe(false);
  });
});

describe('sections that no heading names', () => {
  const hara = (lines: readonly string[]) =>
    analysedDocument('HARA.md', ['# Hazard analysis and risk assessment', ...lines]);

  it('are found in a field of the cover', async () => {
    const cover = [
      '| Field | Value |',
      '| Item definition | WL-ID-1, version 1.2 |',
      '| Method | HAZOP with seven guide words |',
    ];
    expect(await stateOf(hara(cover), 'scope')).toBe('present_unlabelled');
    expect(await stateOf(hara(['| Field | Value |', '| Item definition | TBD |']), 'scope')).toBe('missing');
  });

  it('are found in a statement that only they make', async () => {
    const told = hara([
      'A child plays with the switch; such misuse is known from earlier vehicles of this platform.',
    ]);
    expect(await stateOf(told, 'misuse')).toBe('present_unlabelled');
    expect(
      await stateOf(hara(['A child sits at the switch in the rear of the vehicle all day.']), 'misuse'),
    ).toBe('missing');
  });

  it('are found in rows of a table of another kind', async () => {
    const plan = (first: string) =>
      analysedDocument('Safety plan.md', [
        '# Safety plan',
        '| Process | Plan | Responsible |',
        `| ${first} | WL-TL-12 | Jo Lund |`,
      ]);
    expect(await stateOf(plan('Confidence in tools'), 'tools')).toBe('present_unlabelled');
    expect(await stateOf(plan('Purchasing'), 'tools')).toBe('missing');
  });

  it('are found in the columns of a list of reviews', async () => {
    const record = analysedDocument('Review record.md', [
      '# Review record',
      '| Review ID | Work product | Version | Date | Reviewer | Result |',
      '| VR-01 | WL-HARA-2 | 1.1 | 2026-03-24 | Jo Lund | passed |',
    ]);
    for (const key of ['object', 'date', 'participants', 'result'])
      expect([key, await stateOf(record, key)]).toEqual([key, 'present_unlabelled']);
  });
});

describe('columns that a table may do without', () => {
  const concept = (header: string, row: string) =>
    analysedDocument('Functional safety concept.md', [
      '# Functional safety concept',
      '# Functional safety requirements',
      header,
      row,
    ]);
  const kinds = async (document: AnalysedDocument) =>
    (await checkCompleteness({ documents: [document] })).findings
      .filter(({ kind }) => kind.startsWith('table_'))
      .map(({ kind, affectedItems }) => [kind, ...affectedItems]);

  it('are no gap where they are not there, and are where their cells are empty', async () => {
    const header =
      '| ID | Functional safety requirement | ASIL | Safety goal | Allocated to | FTTI | Safe state |';
    const row =
      '| FSR-1 | The lifter shall stop at a force of 100 N. | B | SG-01 | Door module | 200 ms | Motor off |';
    expect(await kinds(concept(header, row))).toEqual([]);
    expect(await kinds(concept(`${header} Status |`, `${row} |`))).toEqual([['table_cells', 'status']]);
  });
});

describe('sections that identifiers state', () => {
  const tests = (...rows: readonly string[]) =>
    analysedDocument('System tests.md', [
      '# Test specification',
      '# System tests',
      ...rows.flatMap((row) => [row]),
    ]);

  it('are found whatever their heading and columns are called, where half of the ids do', async () => {
    const document = tests(
      'TC-1: Close the window on the probe. Verifies: SSR-1. Expected result: the window stops within 100 ms.',
      'TC-2: Cut the supply of the motor. Verifies: SSR-2. Expected result: the window stays where it is.',
    );
    expect(await stateOf(document, 'cases')).toBe('present_unlabelled');
    expect(await stateOf(document, 'traceability')).toBe('present_unlabelled');
  });

  it('are missing where the ids state nothing of the kind', async () => {
    const document = tests('TC-1: Close the window on the probe.', 'TC-2: Cut the supply of the motor.');
    expect(await stateOf(document, 'traceability')).toBe('missing');
  });
});
