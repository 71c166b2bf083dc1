import { describe, expect, it } from 'vitest';
import type { AnalysedDocument } from '../../corpus/analysed-document.js';
import type { AnalysisScope } from '../../corpus/corpus.js';
import type { Finding } from '../../findings/finding.js';
import { verifyEvidence } from '../../findings/verify-evidence.js';
import type { Criterion, Standard } from '../../standards/criterion.js';
import { loadStandard } from '../../standards/load-standard.js';
import { analysedDocument } from '../../testing/document-fixture.js';
import type { GapAnalysis } from './gap-analysis.js';
import { analyseGaps } from './run.js';

async function analyse(
  standard: Standard | string,
  documents: readonly AnalysedDocument[],
  rest: { scope?: AnalysisScope; conditions?: Record<string, boolean> } = {},
): Promise<GapAnalysis> {
  const result = await analyseGaps({
    standard: typeof standard === 'string' ? await loadStandard(standard) : standard,
    documents,
    ...(rest.scope ? { scope: rest.scope } : {}),
    options: { conditions: rest.conditions ?? {} },
  });
  // Whatever an example is about: every quote stands where it is said to stand.
  verifyEvidence(
    [...result.verdicts, ...result.findings].flatMap((one) => one.evidence),
    new Map(documents.map((one) => [one.id, one.document])),
  );
  for (const finding of result.findings) {
    expect(finding.title.split(/\s+/).length, finding.title).toBeLessThanOrEqual(12);
    expect(finding.severityReasons.length).toBeGreaterThan(0);
    expect(finding.recommendation).toMatch(/owner: .+; done when /);
  }
  return result;
}

const verdictOf = (result: GapAnalysis, id: string) => result.verdicts.find((one) => one.criterionId === id)!;
const quotesOf = (one: Pick<Finding, 'evidence'>) => one.evidence.map((evidence) => evidence.quote);
const ofKind = (result: GapAnalysis, kind: string) =>
  result.findings.filter((finding) => finding.kind === kind);

/** A standard of one work product with one demand on its content, for rules that need no more. */
function smallStandard(type: string, demand: Partial<Criterion> = {}): Standard {
  const common = { clause: '1', severity: 'high', obligation: 'shall' } as const;
  return {
    id: 'small',
    designation: 'Small',
    title: 'A small standard',
    edition: '1',
    source: 'catalog',
    criteria: [
      {
        ...common,
        id: 'wp',
        kind: 'work_product',
        title: 'Work product',
        text: 'It exists.',
        documentTypes: [type],
      },
      {
        ...common,
        id: 'wp-1',
        parentId: 'wp',
        kind: 'expectation',
        title: 'Content',
        text: 'It has content.',
        ...demand,
      },
    ],
  };
}

describe('Example 1: a topic only in the table of contents and the scope (T1)', () => {
  const report = (body: readonly string[]) =>
    analysedDocument('Safety_Analysis_Report.docx', [
      '# Safety Analysis Report Steering ECU',
      '~ 5 FMEA results ........ 5',
      '~ 6 Dependent failure analysis ........ 14',
      '# 1.2 Scope',
      'This report covers FMEA and DFA of the steering ECU.',
      '# 5 FMEA results',
      'The failure modes of the torque path were analysed with their causes and effects on the safety goals of the item.',
      '| Failure mode | Effect | Cause | Measure |',
      '| Torque stuck high | Unintended steering | Short circuit | Plausibility check |',
      '| Torque lost | Loss of assistance | Open circuit | Monitoring |',
      '| Torque late | Delayed steering | Overload | Watchdog |',
      '# 6 Dependent failure analysis',
      ...body,
      '# 7 Conclusion',
      'The analysis found no violation of the safety goals in the analysed architecture of the steering ECU.',
    ]);
  const requirements = analysedDocument('Functional_Safety_Concept.docx', [
    '# Functional Safety Concept',
    'FSR-20 (ASIL D) is decomposed into FSR-20a ASIL B(D) and FSR-20b ASIL B(D) on redundant channels.',
  ]);

  it('reports the analysis as missing, with the empty heading as evidence', async () => {
    const result = await analyse('iso-26262-9-2018', [report([]), requirements]);
    const verdict = verdictOf(result, '26262-9:7.5.1');
    expect(verdict).toMatchObject({ verdict: 'missing', confidence: 'high' });
    const gap = result.findings.find(
      (finding) => finding.criterionId === '26262-9:7.5.1' && finding.kind === 'missing_work_product',
    )!;
    expect(gap).toMatchObject({ severity: 'high', asil: 'D' });
    expect(quotesOf(gap)).toContain('6 Dependent failure analysis');
    expect(quotesOf(gap)).toContain('This report covers FMEA and DFA of the steering ECU.');
  });

  it('accepts it once the section says something', async () => {
    const body = [
      'The dependent failure analysis was carried out for both channels: shared power supply, clock and memory were analysed as common causes, and cascading failures between the channels were evaluated.',
    ];
    const result = await analyse('iso-26262-9-2018', [report(body), requirements]);
    expect(verdictOf(result, '26262-9:7.5.1').verdict).toBe('covered');
  });
});

describe('Example 2: a negated statement (T2)', () => {
  it('is no coverage and is quoted', async () => {
    const sentence =
      'For the carry-over light switch no hazard analysis and risk assessment was performed because the function is known.';
    const result = await analyse('iso-26262-3-2018', [
      analysedDocument('Item_Definition.docx', [
        '# Item Definition',
        'Status: approved',
        '# Safety',
        sentence,
      ]),
    ]);
    const verdict = verdictOf(result, '26262-3:6.5.1');
    expect(verdict.verdict).toBe('missing');
    expect(verdict.rules).toContain('T2-negation');
    const gap = result.findings.find((finding) => finding.criterionId === '26262-3:6.5.1')!;
    expect(gap.severity).toBe('critical');
    expect(quotesOf(gap)).toContain(sentence);
  });

  it('the German counterpart as well', async () => {
    const sentence =
      'Für den Lichtschalter wurde keine Gefährdungs- und Risikoanalyse durchgeführt, da die Funktion bekannt ist.';
    const result = await analyse('iso-26262-3-2018', [
      analysedDocument('Item-Definition.docx', ['# Item-Definition', '# Sicherheit', sentence]),
    ]);
    expect(verdictOf(result, '26262-3:6.5.1')).toMatchObject({ verdict: 'missing' });
    expect(quotesOf(verdictOf(result, '26262-3:6.5.1'))).toContain(sentence);
  });
});

describe('Example 3: intent (T3), and where a plan is demanded', () => {
  const terms = [['fault injection test', 'fault injection']];
  const sentence =
    'Fault injection tests will be carried out during C-sample phase and are expected to confirm the diagnostic coverage.';

  it('announced evidence is a gap in a safety case', async () => {
    const standard = smallStandard('safety_case', { lookFor: { terms } });
    const result = await analyse(standard, [
      analysedDocument('Safety_Case.docx', ['# Safety Case', '# Evidence', sentence]),
    ]);
    const verdict = verdictOf(result, 'wp-1');
    expect(verdict).toMatchObject({ verdict: 'missing', confidence: 'high', rules: ['T3-intent'] });
    const gap = result.findings.find((finding) => finding.criterionId === 'wp-1')!;
    expect(gap.severity).toBe('high');
    expect(quotesOf(gap)[0]).toContain('will be carried out');
  });

  it('is no gap in a safety plan', async () => {
    const standard = smallStandard('safety_plan', { lookFor: { terms }, plan: true });
    const planned =
      'Fault injection tests will be carried out during C-sample phase by the test team (owner: J. Weber, 2026-03-15).';
    const result = await analyse(standard, [
      analysedDocument('Safety_Plan.docx', ['# Safety Plan', '# Activities', planned]),
    ]);
    expect(verdictOf(result, 'wp-1').verdict).toBe('covered');
  });
});

describe('Example 4: content of another item (T4)', () => {
  const concept = analysedDocument('Functional_Safety_Concept.docx', [
    '# Functional Safety Concept electric parking brake',
    '# 3 Functional safety requirements',
    '## 3.4 Carry-over',
    'The following requirements apply to the seat heating control unit SHC-2.',
    'FSR-101: When the seat temperature exceeds 60 °C, the SHC shall switch off the heater within 2 s (ASIL A).',
  ]);

  it('is not counted, and is reported once with low severity', async () => {
    const result = await analyse('iso-26262-3-2018', [concept], {
      scope: { item: 'Electric parking brake', variant: 'RHD' },
    });
    const [gap, ...others] = ofKind(result, 'other_item');
    expect(others).toEqual([]);
    expect(gap).toMatchObject({ severity: 'low' });
    expect(gap!.observed).toContain('seat heating control unit SHC-2');
    const support = result.verdicts
      .flatMap((verdict) => verdict.evidence)
      .filter((one) => one.role === 'support');
    expect(support.some((one) => one.quote.includes('FSR-101'))).toBe(false);
  });

  it('elements of the item, named all over the documents, are not other items', async () => {
    const own = analysedDocument('Functional_Safety_Concept.docx', [
      '# Functional Safety Concept electric parking brake',
      '# Architecture',
      'The actuator control unit drives the motor.',
      'The wheel speed sensor and the actuator control unit share a bus.',
      '# Requirements',
      'The following requirements apply to the actuator control unit.',
      'FSR-1: The actuator control unit shall hold the brake (ASIL B).',
    ]);
    const result = await analyse('iso-26262-3-2018', [own], { scope: { item: 'Electric parking brake' } });
    expect(ofKind(result, 'other_item')).toEqual([]);
  });
});

describe('Example 5: contradictory ASIL (T5, AI-14)', () => {
  const hara = (goalAsil: string) =>
    analysedDocument('HARA.docx', [
      '# Hazard analysis and risk assessment',
      '# Hazardous events',
      '| ID | Hazardous event | S | E | C | ASIL | Safety goal |',
      '| HE-07 | Unintended release on a slope | S3 | E4 | C2 | C | SG-03 |',
      '# Safety goals',
      `SG-03: Avoid unintended release of the parking brake (ASIL ${goalAsil}). Safe state: brake applied. FTTI: 500 ms`,
    ]);
  const concept = analysedDocument('FSC.docx', [
    '# Functional Safety Concept',
    'FSR-12 [SG-03] The brake ECU shall keep the brake applied while the vehicle stands (ASIL B).',
  ]);

  it('finds the goal below its event, grades with C, and lists the derived requirement as affected', async () => {
    const result = await analyse('iso-26262-3-2018', [hara('B'), concept]);
    expect(ofKind(result, 'asil_recomputed')).toEqual([]);
    const [gap, ...others] = ofKind(result, 'safety_goal_asil');
    expect(others).toEqual([]);
    expect(gap).toMatchObject({ severity: 'critical', asil: 'C', affectedItems: ['SG-03', 'FSR-12'] });
    expect(quotesOf(gap!)).toContain('C');
    expect(quotesOf(gap!).some((quote) => quote.startsWith('SG-03: Avoid unintended release'))).toBe(true);
    expect(ofKind(result, 'same_id_other_asil')).toEqual([]);
  });

  it('is silent when the goal carries the ASIL of its event', async () => {
    const result = await analyse('iso-26262-3-2018', [hara('C')]);
    expect(ofKind(result, 'safety_goal_asil')).toEqual([]);
  });

  it('recomputes the ASIL of a row and reports a wrong one', async () => {
    const wrong = analysedDocument('HARA.docx', [
      '# HARA',
      'HE-07 | Unintended release | S3 | E4 | C3 | ASIL B | SG-03',
    ]);
    const [gap] = ofKind(await analyse('iso-26262-3-2018', [wrong]), 'asil_recomputed');
    expect(gap).toMatchObject({ severity: 'critical', asil: 'D' });
    expect(gap!.observed).toContain('give D');
  });
});

describe('Example 6: placeholders and look-alikes', () => {
  const lines = (status: string) => [
    '# Hazard analysis and risk assessment',
    `Status: ${status}`,
    '# Abbreviations',
    'TBD – to be determined.',
    '# Safety goals',
    'The safety goals of the item were derived from the hazardous events and reviewed by the team in the last quarter.',
    'SG-02 safe state: TBD (see OP-17, owner Klein, due 2026-02-01).',
    'Register CTRL0 reset value 0xXXXX.',
    'Part no. A-XXX-120.',
    '# Change history',
    'v0.3 – TBD in 4.1 replaced by 20 ms.',
    '# Hazardous events',
    'All hazardous events were rated by severity, exposure and controllability with a rationale for each rating given.',
  ];

  it.each([
    ['reviewed', 'medium'],
    ['approved', 'high'],
  ])('reports exactly the open safe state; %s gives %s', async (status, severity) => {
    const result = await analyse('iso-26262-3-2018', [analysedDocument('HARA.docx', lines(status))]);
    const found = ofKind(result, 'placeholder');
    expect(found.map((finding) => quotesOf(finding))).toEqual([
      ['SG-02 safe state: TBD (see OP-17, owner Klein, due 2026-02-01).'],
    ]);
    expect(found[0]).toMatchObject({ severity, affectedItems: ['SG-02'] });
  });
});

describe('Example 7: a valid decomposition without an analysis of dependent failures', () => {
  const concept = analysedDocument('FSC.docx', [
    '# Functional Safety Concept',
    '# Functional safety requirements',
    'FSR-20 (ASIL D) is decomposed into FSR-20a ASIL B(D), allocated to CPU core 0, and FSR-20b ASIL B(D), allocated to CPU core 1 of the same microcontroller MCU-A.',
    'Independence: both cores run in lockstep.',
  ]);

  it('asks for the analysis and leaves independence to a person', async () => {
    const [gap, ...others] = ofKind(
      await analyse('iso-26262-3-2018', [concept]),
      'decomposition_without_dfa',
    );
    expect(others).toEqual([]);
    expect(gap).toMatchObject({ severity: 'high', confidence: 'medium', asil: 'D' });
    expect(gap!.observed).toContain('same software');
    expect(gap!.recommendation).toContain('a person has to confirm');
  });

  it('is satisfied by a report that shows one', async () => {
    const report = analysedDocument('Dependent_Failure_Analysis.docx', [
      '# Dependent Failure Analysis',
      '# Results',
      'The dependent failure analysis evaluated shared power supply, clock and software of both cores with their couplings and measures.',
    ]);
    expect(ofKind(await analyse('iso-26262-3-2018', [concept, report]), 'decomposition_without_dfa')).toEqual(
      [],
    );
  });
});

describe('Example 8: a German safety goal with everything', () => {
  it('gives no finding on the goal', async () => {
    const text =
      'Sicherheitsziel SZ-04 (ASIL B): Ein unbeabsichtigtes Öffnen der Heckklappe bei v > 6 km/h muss verhindert werden. Sicherer Zustand: Klappe verriegelt, Aktor stromlos. Fehlertoleranzzeit: 400 ms. Abgeleitet aus: GE-09, GE-11.';
    const result = await analyse('iso-26262-3-2018', [
      analysedDocument('Gefährdungs-_und_Risikoanalyse.docx', [
        '# Gefährdungs- und Risikoanalyse',
        '# Sicherheitsziele',
        text,
      ]),
    ]);
    expect(verdictOf(result, '26262-3:6.5.1-8').verdict).toBe('covered');
    const about = result.findings.filter((finding) => finding.affectedItems.includes('SZ-04'));
    expect(about).toEqual([]);
  });
});

describe('Example 9: verification evidence (T13, build mismatch)', () => {
  const standard = smallStandard('test_report', { lookFor: { terms: [['unit test', 'unit tests']] } });
  const report = analysedDocument('Test_Report.docx', [
    '# Test Report',
    '# Results',
    'All unit tests passed (100 %).',
    'Executed: 212, Passed: 205, Failed: 0, Blocked: 7. Build: 1.4.2-rc3.',
  ]);
  const notes = (build: string) =>
    analysedDocument('Release_Notes.docx', ['# Release Notes', '# Version', `SW 1.4.2, build ${build}`]);

  it('the numbers win over the claim, and the builds differ', async () => {
    const result = await analyse(standard, [report, notes('1.4.2-rc5')]);
    const [claim] = ofKind(result, 'claim_against_counts');
    expect(claim).toMatchObject({ severity: 'medium' });
    expect(quotesOf(claim!)).toEqual(['All unit tests passed', 'Blocked: 7']);
    const [build] = ofKind(result, 'other_build');
    expect(build).toMatchObject({ severity: 'high' });
    expect(quotesOf(build!)).toEqual(['Build: 1.4.2-rc3', 'build 1.4.2-rc5']);
    expect(verdictOf(result, 'wp-1').verdict).toBe('covered');
  });

  it('is silent when claim, numbers and builds agree', async () => {
    const good = analysedDocument('Test_Report.docx', [
      '# Test Report',
      '# Results',
      'All unit tests passed (100 %).',
      'Executed: 212, Passed: 212, Failed: 0, Blocked: 0. Build: 1.4.2-rc5.',
    ]);
    const result = await analyse(standard, [good, notes('1.4.2-rc5')]);
    expect(
      result.findings.filter((finding) => ['claim-against-counts', 'other-build'].includes(finding.kind)),
    ).toEqual([]);
  });
});

describe('Example 10: a risk value that its matrix does not give', () => {
  const standard = smallStandard('tara', { lookFor: { terms: [['risk value', 'risk']] } });
  const tara = (row: string) =>
    analysedDocument('TARA.docx', [
      '# Threat analysis and risk assessment',
      '# 3 Risk matrix',
      'severe × medium = 4',
      'severe × low = 3',
      '# 5 Threat scenarios',
      row,
    ]);

  it('finds value, retained risk without claim and feasibility without parameters', async () => {
    const result = await analyse(standard, [
      tara(
        'TS-05 Spoofing of brake request via CAN. Feasibility: Medium. Impact: S severe, F moderate, O major, P negligible. Risk: 2. Treatment: retain.',
      ),
    ]);
    const [risk] = ofKind(result, 'risk_not_reproducible');
    expect(risk).toMatchObject({ severity: 'high', asil: 'risk 4' });
    expect(quotesOf(risk!)).toEqual(['Risk: 2', 'severe × medium = 4']);
    const [claim] = ofKind(result, 'retained_without_claim');
    // Not the 2 that is stated: who accepts it needs a second manager.
    expect(claim).toMatchObject({ severity: 'critical', asil: 'risk 4' });
    expect(quotesOf(claim!)).toContain('Treatment: retain');
    expect(ofKind(result, 'feasibility_without_parameters')[0]).toMatchObject({ severity: 'high' });
  });

  it('is silent on a threat that is rated and treated as the matrix says', async () => {
    const result = await analyse(standard, [
      tara(
        'TS-05 Spoofing of brake request via CAN. Feasibility: Medium (elapsed time one month, expertise proficient). Impact: S severe, F moderate. Risk: 4. Treatment: reduce. Goal: CSG-02.',
      ),
    ]);
    const kinds = ['risk-not-reproducible', 'retained-without-claim', 'feasibility-without-parameters'];
    expect(result.findings.filter((finding) => kinds.includes(finding.kind))).toEqual([]);
  });
});
