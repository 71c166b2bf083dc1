import { describe, expect, it } from 'vitest';
import { loadChecklist } from '../checklists/load-checklists.js';
import type { AnalysedDocument } from '../corpus/analysed-document.js';
import { readDocument } from '../documents/read-document.js';
import { extractArtifacts } from '../facts/artifacts/extract-artifacts.js';
import { NOT_GIVEN } from '../findings/subject.js';
import { loadStandard } from '../standards/load-standard.js';
import { analysedDocument } from '../testing/document-fixture.js';
import { checkChecklist } from './checklist/run.js';
import { checkCompleteness } from './completeness/run.js';
import { analyseGaps } from './gap-analysis/run.js';
import { loadTraceabilityRules } from './traceability/rules.js';
import { examineTraceability } from './traceability/run.js';

// What was once told wrongly on a real project, each with the smallest documents that show it.

type Files = Readonly<Record<string, string>>;

const read = (files: Files): Promise<readonly AnalysedDocument[]> =>
  Promise.all(
    Object.entries(files).map(async ([name, text]) => ({
      ...analysedDocument(name, []),
      document: await readDocument(new TextEncoder().encode(text), { fileName: name }),
    })),
  );

const rules = await loadTraceabilityRules();

async function traceOf(files: Files) {
  const { artifacts, links } = extractArtifacts(await read(files));
  const { analysis } = examineTraceability({ artifacts, links, rules });
  return {
    types: Object.fromEntries(artifacts.map(({ id, type }) => [id, type])),
    links: links.map(({ sourceId, type, targetId }) => `${sourceId} ${type} ${targetId}`),
    gaps: analysis.gaps.map(({ kind, artifactId }) => `${kind} ${artifactId}`),
  };
}

async function itemOf(id: string, files: Files) {
  const [, list] = /^(.*)-\d+$/.exec(id)!;
  const documents = await read(files);
  const { items } = await checkChecklist({ checklist: await loadChecklist(list!), documents });
  return items.find(({ itemId }) => itemId === id)!;
}

async function gapsOf(standard: string, files: Files) {
  const documents = await read(files);
  const { verdicts, findings } = await analyseGaps({ standard: await loadStandard(standard), documents });
  return { verdicts: new Map(verdicts.map((one) => [one.criterionId, one])), findings };
}

const completenessOf = async (files: Files) => checkCompleteness({ documents: await read(files) });

const GOALS = `# Hazard Analysis and Risk Assessment

| ID | Safety goal | ASIL | Safe state |
|---|---|---|---|
| SG-01 | Avoid unintended release of the parking brake while the vehicle is parked. | D | Brake stays applied |
`;
const CONCEPT = `# Functional Safety Concept

## Functional safety requirements

| ID | Functional safety requirement | Safety goal | ASIL |
|---|---|---|---|
| FSR-01 | The brake controller shall discard a release command while the ignition is off. | SG-01 | D |
`;

describe('the trace', () => {
  it('reads link columns headed FSR and TSR', async () => {
    const table = (kind: string, own: string, above: string) => `# ${kind} requirements

| ID | ${kind} safety requirement | ${above.slice(0, 3)} | ASIL |
|---|---|---|---|
| ${own} | The controller shall open the supply switch within 80 ms. | ${above} | D |
`;
    const { links } = await traceOf({
      'hara.md': GOALS,
      'fsc.md': CONCEPT,
      'tsc.md': table('Technical', 'TSR-01', 'FSR-01'),
      'srs.md': table('Software', 'SSR-01', 'TSR-01'),
    });
    expect(links).toEqual(
      expect.arrayContaining(['TSR-01 derives_from FSR-01', 'SSR-01 derives_from TSR-01']),
    );
  });

  it('makes no requirements of safe states and mechanisms', async () => {
    const { types } = await traceOf({
      'fsc.md': `${CONCEPT}
## Safe states

| ID | Safe state |
|---|---|
| SS-01 | The output is open and the brake keeps its position. |

## Safety mechanisms

| ID | Safety mechanism | Requirement |
|---|---|---|
| SM-01 | Comparison of the two wheel speed channels every 10 ms | FSR-01 |
`,
    });
    const requirements = Object.entries(types).filter(([, type]) => type.endsWith('requirement'));
    expect(requirements).toEqual([['FSR-01', 'functional_safety_requirement']]);
  });

  it.each([
    ['Traces up', 'FSR-001', 'SG-001'],
    ['Traces from', 'FSR-001', 'SG-001'],
    ['Traced from', 'FSR-001', 'SG-001'],
    ['Traces down', 'SG-001', 'FSR-001'],
    ['Traces to', 'FSR-001', 'SG-001'],
  ])('reads "- **%s**:" as a link', async (label, holder, listed) => {
    const section = (id: string, rest: string) => `### ${id}: Brake

The brake controller shall discard a release command while the ignition is off.

- **ASIL**: D
${rest}
`;
    const field = (id: string) => (id === holder ? `- **${label}**: ${listed}` : '');
    const { links } = await traceOf({
      'reqs.md': `# Requirements

${section('SG-001', field('SG-001'))}
${section('FSR-001', field('FSR-001'))}`,
    });
    expect(links).toEqual(['FSR-001 derives_from SG-001']);
  });

  it('takes a copied table of inputs for no second definition without parent', async () => {
    const input = CONCEPT.replace('# Functional Safety Concept\n', '').replace(
      / Safety goal \|| SG-01 \|/g,
      '',
    );
    const documents = {
      'hara.md': GOALS,
      'fsc.md': CONCEPT,
      'tsc.md': `# Technical Safety Concept

## Inputs

The functional safety requirements of the functional safety concept are:
${input.replace('## Functional safety requirements', '').replace('|---|---|---|---|', '|---|---|---|')}
## Technical safety requirements

| ID | Technical safety requirement | Parent | ASIL |
|---|---|---|---|
| TSR-01 | The switch shall open within 80 ms after an unaccepted command. | FSR-01 | D |
`,
    };
    const { gaps, links } = await traceOf(documents);
    expect(links).toEqual(
      expect.arrayContaining(['FSR-01 derives_from SG-01', 'TSR-01 derives_from FSR-01']),
    );
    expect(gaps.filter((gap) => gap.startsWith('no_parent'))).toEqual([]);
    const { findings } = await completenessOf(documents);
    expect(findings.map(({ title }) => title).filter((title) => /parent/i.test(title))).toEqual([]);
  });

  it('reads what stands under a line that is only "Instruction"', async () => {
    const { types } = await traceOf({ 'hara.md': GOALS.replace('\n\n|', '\n\nInstruction\n\n|') });
    expect(types).toEqual({ 'SG-01': 'safety_goal' });
  });
});

describe('checklists', () => {
  it('find detection and reaction times in their columns', async () => {
    const item = await itemOf('FS-FSC-05', {
      'fsc.md': `# Functional Safety Concept

## Functional safety requirements

| ID | Functional safety requirement | Safety goal | ASIL | FTTI | Detection time | Reaction time |
|---|---|---|---|---|---|---|
| FSR-01 | The brake controller shall discard a release command while the ignition is off. | SG-01 | D | 500 ms | 100 ms | 200 ms |
`,
    });
    expect(item).toMatchObject({ verdict: 'pass', instances: { met: 1, total: 1 } });
  });

  it.each([
    ['Required independence', 'Planned independence', 'Confirmation review', 'Functional safety audit'],
    ['Independence required', 'Independence', 'Confirmation review', 'Functional safety audit'],
    ['Geforderte Unabhängigkeit', 'Geplante Unabhängigkeit', 'Bestätigungsreview', 'Sicherheitsaudit'],
  ])('FS-PLAN-06 reads "%s" apart from "%s"', async (required, planned, review, audit) => {
    const german = audit === 'Sicherheitsaudit';
    const hara = german ? 'Gefährdungsanalyse und Risikobewertung' : 'Hazard analysis and risk assessment';
    const item = await itemOf('FS-PLAN-06', {
      'plan.md': `# ${german ? 'Sicherheitsplan' : 'Safety plan'}

## ${german ? 'Bestätigungsmaßnahmen' : 'Confirmation measures'}

| ${german ? 'Bestätigungsmaßnahme' : 'Confirmation measure'} | ${german ? 'Arbeitsprodukt' : 'Work product'} | ASIL | ${required} | ${planned} | ${german ? 'Verantwortlich' : 'Responsible'} |
|---|---|---|---|---|---|
| ${review} | ${hara} | D | I3 | I1 | Tomas Rydell |
| ${audit} | Process | D | I3 | I3 | Nora Falk |
`,
    });
    expect(item).toMatchObject({ verdict: 'fail', instances: { met: 1, total: 2 } });
    expect(item.evidence.map(({ quote }) => quote)).toEqual(['I1']);
  });

  it('"???" where two safety managers should stand is a finding of high severity', async () => {
    const item = await itemOf('FS-PLAN-01', {
      'plan.md': `# Safety Plan

## Roles

| Role | Name | Organisation |
|---|---|---|
| Safety manager of the customer | ??? | OEM |
| Safety manager of the supplier | ??? | Tier 1 |
`,
    });
    expect(item).toMatchObject({ verdict: 'fail', severity: 'high' });
    expect(item.evidence.map(({ quote }) => quote)).toEqual(['???', '???']);
  });

  it('rows of a list of dependent failures have no values to give', async () => {
    const files = {
      'dfa.md': `# Dependent Failure Analysis

| ID | Requirement 1 | Requirement 2 | Coupling factor | Dependent failure | Measure |
|---|---|---|---|---|---|
| DFA-01 | REQ_01_07 | REQ_01_08 | Common power supply | Both channels lose their supply | Separate regulators |
`,
      'reqs.md': `# Software Safety Requirements

| ID | Requirement | ASIL |
|---|---|---|
| REQ_01_07 | The limiter shall set the torque to zero when it exceeds 3 Nm. | D |
| REQ_01_08 | The monitor shall open the switch within 80 ms. | D |
`,
    };
    const documents = await read(files);
    for (const list of ['FS-SSR', 'FS-TSC', 'ASP-SWE1']) {
      const { items } = await checkChecklist({ checklist: await loadChecklist(list), documents });
      const told = items.filter(({ verdict, reason }) => verdict === 'fail' && /no value/.test(reason));
      expect(told.map(({ reason }) => reason)).toEqual([]);
    }
    const { verdict, reason } = await itemOf('FS-TSC-09', files);
    expect(verdict).toBe('fail');
    expect(reason).toContain('it holds 0 words and 1 filled row of tables');
  });

  it('a reference that names the version in its cell has one', async () => {
    const { rules: told } = await itemOf('FS-HARA-01', {
      'item.md': `# Item Definition Steer Assist

Version: 1.0

## Purpose and functions

The item supports the driver while steering.
`,
      'hara.md': `${GOALS}
## References

| No. | Document |
|---|---|
| 1 | Item Definition Steer Assist 1.0 |
`,
    });
    expect(told.join()).not.toMatch(/version/i);
  });
});

describe('the gap analysis', () => {
  it('takes the version on a cover for that of its document, not for that of the basis named there', async () => {
    const { findings } = await gapsOf('iso-26262-3-2018', {
      'hara.md': `# Hazard Analysis and Risk Assessment

| Document ID | EPB-HAR-003 |
|---|---|
| Version | 2.0 |
| Date | 2026-01-10 |
| Status | Released |

${GOALS}`,
      'fsc.md': `# Functional Safety Concept

| Document ID | EPB-FSC-004 |
|---|---|
| Version | 1.0 |
| Date | 2026-02-20 |
| Status | Released |
| Basis | EPB-HAR-003 |

${CONCEPT}`,
    });
    expect(findings.map(({ title }) => title).filter((title) => title.includes('EPB-HAR-003'))).toEqual([]);
  });

  it('reads version, result and findings of a record of reviews, "None" among them', async () => {
    const { verdicts } = await gapsOf('iso-26262-3-2018', {
      'hara.md': GOALS,
      'review.md': `# Review Record

| Work product | Version | Reviewer | Method | Date | Result | Findings |
|---|---|---|---|---|---|---|
| Hazard analysis and risk assessment | 1.0 | Tomas Rydell | Inspection | 2026-06-10 | Accepted | 2 findings, closed 2026-06-12 |
| Item definition | 1.0 | Tomas Rydell | Walkthrough | 2026-06-08 | Accepted | None |
`,
    });
    for (const number of ['1', '6', '7'])
      expect(verdicts.get(`26262-3:6.5.2-${number}`)).toMatchObject({ verdict: 'covered' });
  });

  it('what reports list was not denied by whoever wrote the specification', async () => {
    const { verdicts } = await gapsOf('aspice-pam-4.0', {
      'unit.md': `# Software Unit Verification Specification

## Test cases

| ID | Test case | Unit | Expected result |
|---|---|---|---|
| UT-01 | Call limit with 4 Nm | limit | 3 Nm |

## Reports

Test cases that were skipped or not run are listed in the report as well.
`,
    });
    const { verdict, reason, rules: told } = verdicts.get('aspice-4.0:SWE.4.BP1')!;
    expect(verdict).toBe('partial');
    expect(told.join()).not.toContain('T2');
    // What is stated is called by the words that stand there.
    expect(reason).toContain('"Test case"');
    expect(reason).not.toContain('static code analysis" is stated');
  });

  it('tells a review that a sentence denies with that sentence, and one that is announced with what was not given', async () => {
    const of = async (sentence: string) => {
      const { findings } = await gapsOf('iso-26262-3-2018', {
        'concept.md': `${CONCEPT}\n## Verification\n\n${sentence}\n`,
      });
      return findings
        .filter(({ criterionId, kind }) => criterionId === '26262-3:7.5.2' || kind === 'activity_denied')
        .map(({ subject }) => subject);
    };
    const denied = await of(
      'No verification review of the functional safety concept has been performed so far.',
    );
    expect(denied).toEqual([expect.stringMatching(/^denied /), denied[0]]);
    const announced = await of('A verification review of the functional safety concept will be performed.');
    expect(announced).toEqual([NOT_GIVEN]);
  });

  it('does not say of words that were not found what its own quote holds', async () => {
    const { verdicts } = await gapsOf('iso-26262-3-2018', {
      'hara.md': `# Hazard Analysis and Risk Assessment

| ID | Safety goal |
|---|---|
| SG-01 | Avoid unintended release of the parking brake while the vehicle is parked. |
`,
      'fsc.md': `# Functional Safety Concept

| ID | Functional safety requirement | Safe state |
|---|---|---|
| FSR-01 | The brake controller shall discard a release command while parked. | Brake stays applied |
`,
    });
    for (const { reason, evidence } of verdicts.values()) {
      const absent = /nothing was found under the words (.*?) or their/.exec(reason)?.[1] ?? '';
      for (const [, word] of absent.matchAll(/"([^"]+)"/g))
        expect(evidence.map(({ quote }) => quote.toLowerCase()).join('\n')).not.toContain(
          word!.toLowerCase(),
        );
    }
    const { reason } = verdicts.get('26262-3:6.5.1-8')!;
    expect(reason).toMatch(/"safe state".* only named, or stated in another place/);
  });

  it('leaves to a person what a table may hold that nobody could read', async () => {
    const hara = (titles: string) => `# Hazard Analysis and Risk Assessment

## Analysis

${titles}
| HE-1 | Parking on a slope | 2 | Vehicle rolls away |
| HE-2 | Driving in the city | 4 | Wheels lock |
`;
    const of = async (titles: string) =>
      (await gapsOf('iso-26262-3-2018', { 'hara.md': hara(titles) })).verdicts.get('26262-3:6.5.1-7')!;
    const unread = await of('| x | y | z | w |\n|---|---|---|---|');
    expect(unread).toMatchObject({ verdict: 'needs_review', confidence: 'low' });
    expect(unread.rules).toContain('T14-table-not-read');
    expect(unread.reason).toContain('under "Analysis" was not understood');
    expect(unread.evidence.map(({ quote }) => quote)).toEqual(['HE-1', 'HE-2']);
    expect(await of('| ID | Situation | Exposure | Hazard |\n|---|---|---|---|')).toMatchObject({
      verdict: 'missing',
    });
  });

  it('quotes beside what was not found only what names it', async () => {
    const { verdicts } = await gapsOf('iso-26262-3-2018', {
      'review.md': `# Review Record

| Work product | Version | Reviewer | Result |
|---|---|---|---|
| Item definition | 1.0 | Tomas Rydell | Accepted |
| Cleaning plan of the hall | 1.0 | Tomas Rydell | Accepted |
`,
    });
    const quotes = (id: string) => verdicts.get(id)!.evidence.map(({ quote }) => quote);
    expect(verdicts.get('26262-3:5.5.1')).toMatchObject({ verdict: 'missing' });
    expect(quotes('26262-3:5.5.1')).toEqual(['Item definition']);
    expect(quotes('26262-3:7.5.1')).toEqual([]);
  });

  it('quotes neither "Something shall be done." nor the alternative text of a picture', async () => {
    const { verdicts, findings } = await gapsOf('iso-26262-3-2018', {
      'fsc.md': `# Functional Safety Concept

## Functional safety requirements

Something shall be done.

| ID | Functional safety requirement | Safety goal | ASIL |
|---|---|---|---|
| FSR-01 | Something shall be done. | SG-01 | D |

## Warning and degradation concept

Etwas soll gemacht werden.
`,
      'item.md': `# Item Definition

## Item boundary and interfaces

![Block diagram of the boundary of the item, its interfaces and the elements inside of the item](boundary.png)
`,
    });
    const evidence = [...verdicts.values(), ...findings].flatMap((one) => one.evidence);
    const quoted = evidence.filter(({ quote }) => /Something|Etwas|Block diagram/.test(quote));
    expect(quoted.map(({ quote, role }) => `${role}: ${quote}`)).toEqual([]);
    expect(verdicts.get('26262-3:7.5.1-1')!.verdict).not.toBe('covered');
  });
});

describe('completeness', () => {
  it('asks nothing of a functional safety concept where the title of the tests names one', async () => {
    const { documents } = await completenessOf({
      '05_Test_Specification.md': `# Test Specification — Functional Safety Concept of the Parking Brake

## Test cases

| ID | Test case | Requirement | Expected result | Method |
|---|---|---|---|---|
| TC-01 | Send a release command while the ignition is off | FSR-01 | The command is discarded | Fault injection |
`,
    });
    expect(documents[0]!.templates.map(({ type }) => type)).toEqual(['test_specification']);
  });

  it('reads 3/9/18 as a date and "Approved on" as that of the approval', async () => {
    const { documents } = await completenessOf({
      'plan.md': `# Safety Plan

| Field | Value |
|---|---|
| Date | 3/9/18 |
| Approved by | Lena Haug |
| Approved on | 2026-06-24 |
`,
    });
    const field = (key: string) => documents[0]!.metadata.find((one) => one.key === key);
    expect(field('date')).toMatchObject({ state: 'present', problems: [] });
    expect(field('approval_date')).toMatchObject({ value: '2026-06-24' });
  });

  it('takes two titles beside each other for the head of a table, not for a key and its value', async () => {
    const { documents } = await completenessOf({
      'fsc.md': `${CONCEPT}
| ASIL | Fault Tolerant Time Interval |
|---|---|
`,
    });
    const level = documents[0]!.metadata.find(({ key }) => key === 'asil_cal')!;
    expect(level.problems).toEqual([]);
    expect(level.evidence.map(({ quote }) => quote)).not.toContain('Fault Tolerant Time Interval');
  });

  it('takes a letter beside "Issue" for the version, though "C" is a title elsewhere', async () => {
    const { documents } = await completenessOf({
      'plan.md': `# Safety Plan

| Field | Value |
|---|---|
| Issue | C |
| Date | 2026-01-12 |
`,
    });
    expect(documents[0]!.metadata.find(({ key }) => key === 'version')).toMatchObject({ value: 'C' });
  });

  it('calls nothing by its raw id', async () => {
    const files = { 'hara.md': GOALS, 'srs.md': '# Software Safety Requirements\n\nNothing yet.\n' };
    const { findings } = await completenessOf(files);
    const { findings: gaps } = await gapsOf('iso-26262-6-2018', files);
    const said = [...findings, ...gaps].flatMap((one) => [one.title, one.observed, one.recommendation]);
    expect(said.filter((text) => /\b[a-z]+_[a-z]+\b|\bhara\b(?!\.md)/.test(text))).toEqual([]);
  });
});

describe('reading', () => {
  it.each(['a.md', 'a.txt', 'a.html'])('keeps words apart at a sign that was lost (%s)', async (name) => {
    const [{ document }] = (await read({ [name]: 'Work orders\u0096a list of parts\u0097are kept.' })) as [
      AnalysedDocument,
    ];
    expect(document.text).toContain('Work orders a list of parts are kept.');
  });

  it('takes a version in quotation marks for the version that a reference names', async () => {
    const files = {
      'srs.md': `---
document_id: "EPB7-SRS-005"
version: "1.0"
---

# Software Safety Requirements

| ID | Software safety requirement | ASIL |
|---|---|---|
| SSR-01 | The command handler shall discard a release command without ignition. | D |
`,
      'test.md': `# Test Specification

## References

| Document | Number | Version |
|---|---|---|
| Software safety requirements | EPB7-SRS-005 | 1.0 |
`,
    };
    const { findings } = await completenessOf(files);
    const { findings: gaps } = await gapsOf('iso-26262-6-2018', files);
    const kinds = [...findings, ...gaps].map(({ kind }) => kind);
    expect(kinds.filter((kind) => /version/.test(kind))).toEqual([]);
  });
});
