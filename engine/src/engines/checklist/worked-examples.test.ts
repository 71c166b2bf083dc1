import { describe, expect, it } from 'vitest';
import { loadChecklist } from '../../checklists/load-checklists.js';
import type { AnalysedDocument } from '../../corpus/analysed-document.js';
import type { ChecklistInput, ItemResult } from './checklist-analysis.js';
import { analyse, documentOf } from './testing/small-checklists.js';

/** Answers of a built-in checklist by the number of the item. */
async function answers(
  list: string,
  documents: readonly AnalysedDocument[],
  rest: Partial<ChecklistInput> = {},
): Promise<(number: string) => ItemResult> {
  const result = await analyse({ checklist: await loadChecklist(list), documents, ...rest });
  return (number) => result.items.find((one) => one.itemId === `${list}-${number}`)!;
}
const quotes = (item: ItemResult) => item.evidence.map((one) => one.quote).join('\n');
const counters = (item: ItemResult) =>
  item.evidence.filter((one) => one.role === 'counter').map((one) => one.quote);

const PROSE =
  'The steering control unit was analysed by the safety team with the methods that its level asks for.';
const REQUIREMENTS =
  '| ID | Functional safety requirement | ASIL | Safety goal | Allocated to | FTTI | Safe state |';

describe('worked examples of an assessor', () => {
  it('1: a topic in the table of contents, the scope and a bare heading is not treated', async () => {
    const item = await answers('FS-TSC', [
      documentOf('technical_safety_concept', [
        '# Technical safety concept',
        '## Independence and freedom from interference',
        'The redundant channels are sufficiently independent because they have separate supplies and separate sensors.',
        '## Technical safety requirements',
        'TSR-01 (ASIL B(D)): Channel 1 shall limit the torque to 3 Nm.',
        'TSR-02 (ASIL B(D)): Channel 2 shall limit the torque to 3 Nm.',
      ]),
      documentOf('safety_analysis', [
        '# Safety analysis report',
        '~ 6 Dependent failure analysis ........ 14',
        '## 1.2 Scope',
        'This report covers FMEA and DFA of the steering ECU.',
        '## 5 FMEA results',
        PROSE,
        '## 6 Dependent failure analysis',
        '## 7 Conclusion',
        PROSE,
      ]),
    ]);
    expect(item('08')).toMatchObject({ verdict: 'fail', severity: 'high' });
    expect(counters(item('08')).join()).toMatch(/B\(D\)|sufficiently independent/);
    expect(quotes(item('08'))).not.toContain('~');
  });

  it('2: a denied analysis is a fail of the list, critical where its items are', async () => {
    const sentence =
      'For the carry-over light switch no hazard analysis and risk assessment was performed because the function is known.';
    const item = await answers('FS-HARA', [
      documentOf('item_definition', ['# Item definition', 'Status: approved', '## Purpose', sentence]),
    ]);
    expect(item('05')).toMatchObject({ verdict: 'fail', severity: 'critical' });
    expect(item('05').rules).toContain('T2-negation');
    expect(counters(item('05'))).toContain(sentence);
    expect(item('08').verdict).toBe('fail');
  });

  it('3: an announcement is no evidence in a safety case and right in a plan', async () => {
    const announced =
      'Fault injection tests will be carried out during C-sample phase and are expected to confirm the diagnostic coverage.';
    const item = await answers('FS-CASE', [
      documentOf('safety_case', [
        '# Safety case',
        '## Safety argument',
        announced,
        '## Evidence list',
        PROSE,
      ]),
    ]);
    expect(item('06')).toMatchObject({ verdict: 'fail', severity: 'high', confidence: 'medium' });
    expect(counters(item('06'))).toEqual([announced]);

    const planned =
      'Fault injection tests will be carried out during C-sample phase by the test team (owner: J. Weber, 2026-03-15).';
    const plan = await answers('FS-PLAN', [
      documentOf('safety_plan', ['# Safety plan', '## Verification and validation planning', planned]),
    ]);
    for (const number of Array.from({ length: 14 }, (_, at) => String(at + 1).padStart(2, '0'))) {
      expect(counters(plan(number)).join(), number).not.toContain('will be carried out');
    }
  });

  it('5: a goal below its event fails once; what follows from the goal is left to a person', async () => {
    const documents = [
      documentOf('hara', [
        '# Hazard analysis and risk assessment',
        '| ID | Malfunction | Operational situation | Hazardous event | S | E | C | ASIL | Safety goal |',
        '| HE-07 | Releases | Parked on a slope | Vehicle rolls away | S3 | E4 | C2 | C | SG-03 |',
        '## Safety goals',
        'SG-03: Avoid unintended release of the parking brake (ASIL B). Safe state: brake applied. FTTI: 500 ms.',
      ]),
      documentOf('functional_safety_concept', [
        '# Functional safety concept',
        REQUIREMENTS,
        '| FSR-12 | The brake shall stay applied when the signal is lost. | B | SG-03 | ECU | 500 ms | Applied |',
      ]),
    ];
    const hara = await answers('FS-HARA', documents);
    expect(hara('07')).toMatchObject({ verdict: 'pass', confidence: 'high' });
    expect(hara('09')).toMatchObject({ verdict: 'fail', severity: 'critical', confidence: 'high' });
    expect(hara('09').rules).toContain('AI-14');
    expect(counters(hara('09'))).toEqual(expect.arrayContaining(['C']));
    expect(hara('09').affectedItems).toEqual(expect.arrayContaining(['SG-03']));

    const concept = await answers('FS-FSC', documents);
    expect(concept('03').verdict).not.toBe('fail');
    expect(concept('03')).toMatchObject({ needsConfirmation: true, confidence: 'low' });
    expect(concept('03').reason).toContain('SG-03');
    expect(concept('03').affectedItems).toContain('FSR-12');
  });

  it('6: one open safe state among look-alikes', async () => {
    const hara = await answers('FS-HARA', [
      documentOf('hara', [
        '# Hazard analysis and risk assessment',
        'Status: reviewed',
        '## Abbreviations',
        'TBD – to be determined.',
        '## Safety goals',
        'SG-02 (ASIL B): No unintended torque. Safe state: TBD (see OP-17, owner Klein, due 2026-02-01). FTTI: 20 ms.',
        '## Registers',
        'Register CTRL0 reset value 0xXXXX.',
        'Part no. A-XXX-120.',
        '## Change history',
        'v0.3 – TBD in 4.1 replaced by 20 ms.',
      ]),
    ]);
    const item = hara('10');
    expect(item).toMatchObject({ verdict: 'fail', severity: 'high', confidence: 'high' });
    expect(item.rules[0]).toBe('PH-01');
    expect(counters(item)).toHaveLength(1);
    expect(counters(item)[0]).toContain('SG-02');
  });

  it('7: a valid decomposition whose independence nobody has analysed', async () => {
    const documents = [
      documentOf('functional_safety_concept', [
        '# Functional safety concept',
        '## Functional safety requirements',
        'FSR-20 (ASIL D) is decomposed into FSR-20a ASIL B(D), allocated to CPU core 0, and FSR-20b ASIL B(D), allocated to CPU core 1 of the same microcontroller MCU-A.',
        'Sufficient independence: both cores run in lockstep and have separate clocks.',
      ]),
    ];
    const concept = await answers('FS-FSC', documents);
    expect(concept('03').rules).not.toEqual(expect.arrayContaining([expect.stringMatching(/^AI-0[346]$/)]));
    expect(concept('03').verdict).not.toBe('fail');
    const technical = await answers('FS-TSC', documents);
    expect(technical('08')).toMatchObject({
      verdict: 'fail',
      severity: 'high',
      confidence: 'medium',
      needsConfirmation: true,
    });
    expect(technical('08').rules).toContain('decomposition-without-dfa');
    expect(quotes(technical('08'))).toMatch(/FSR-20|lockstep/);
  });

  it('9: a claim that the counts contradict, and a release of another build', async () => {
    const documents = [
      documentOf('test_report', [
        '# Test report',
        'All unit tests passed (100 %).',
        'Executed: 212, Passed: 205, Failed: 0, Blocked: 7. Build: 1.4.2-rc3.',
      ]),
      documentOf('release_notes', ['# Release notes', 'SW 1.4.2, build 1.4.2-rc5']),
    ];
    const unit = await answers('ASP-SWE4', documents);
    expect(unit('05')).toMatchObject({ verdict: 'fail', severity: 'medium' });
    expect(quotes(unit('05'))).toContain('Blocked: 7');
    expect(unit('04')).toMatchObject({ verdict: 'fail', severity: 'high' });
    const management = await answers('ASP-SUP8', documents);
    expect(management('06')).toMatchObject({ verdict: 'fail', severity: 'high' });
    expect(quotes(management('06'))).toMatch(/1\.4\.2-rc3[\s\S]*1\.4\.2-rc5|1\.4\.2-rc5[\s\S]*1\.4\.2-rc3/);
  });

  it('10: a risk that the matrix does not give, retained without a claim, rated without parameters', async () => {
    const item = await answers('CS-TARA', [
      documentOf('tara', [
        '# Threat analysis and risk assessment',
        '## 3 Method and rating scheme',
        'Risk matrix: severe × medium = 4; major × medium = 3.',
        '## Threats',
        'TS-05 Spoofing of brake request via CAN. Feasibility: Medium. Impact: S severe, F moderate, O major, P negligible. Risk: 2. Treatment: retain.',
      ]),
    ]);
    expect(item('12')).toMatchObject({ verdict: 'fail', severity: 'high' });
    expect(quotes(item('12'))).toContain('Risk: 2');
    expect(quotes(item('12'))).toContain('severe × medium = 4');
    expect(item('14')).toMatchObject({ verdict: 'missing', severity: 'critical' });
    expect(quotes(item('14'))).toContain('Treatment: retain');
    expect(item('11')).toMatchObject({ verdict: 'fail', severity: 'high' });
  });
});
