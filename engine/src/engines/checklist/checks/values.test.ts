import { describe, expect, it } from 'vitest';
import { describeChecks, fsc, PROSE, plan } from '../testing/check-cases.js';
import { answer, documentOf } from '../testing/small-checklists.js';

describeChecks({
  agreement: [
    [
      'the same dates',
      { check: 'agreement', what: 'dates', between: ['safety_plan'], and: ['project_plan'] },
      [
        plan(['| Milestone | Date |', '| C-sample release | 2026-05-01 |']),
        documentOf('project_plan', [
          '# Project plan',
          '| Milestone | Date |',
          '| C-sample release | 01.05.2026 |',
        ]),
      ],
      { verdict: 'pass' },
    ],
    [
      'other dates',
      { check: 'agreement', what: 'dates', between: ['safety_plan'], and: ['project_plan'] },
      [
        plan(['| Milestone | Date |', '| C-sample release | 2026-05-01 |']),
        documentOf('project_plan', [
          '# Project plan',
          '| Milestone | Date |',
          '| C-sample release | 2026-07-01 |',
        ]),
      ],
      { verdict: 'fail', quote: '2026-07-01' },
    ],
    [
      'other values',
      { check: 'agreement', what: 'values', between: ['software_requirements_spec'], and: ['hsi_spec'] },
      [
        documentOf('software_requirements_spec', ['# SRS', '| Signal | Range |', '| Motor current | 20 A |']),
        documentOf('hsi_spec', ['# HSI', '| Signal | Range |', '| Motor current | 25 A |']),
      ],
      { verdict: 'fail', quote: '25 A' },
    ],
    [
      'one of the two',
      { check: 'agreement', what: 'dates', between: ['safety_plan'], and: ['project_plan'] },
      [plan([PROSE])],
      { verdict: 'missing' },
    ],
  ],
  time_budget: [
    [
      'adds up',
      { check: 'time_budget', of: ['functional_safety_requirement'] },
      [
        fsc([
          'FSR-01: The ECU shall react to a short circuit. FTTI: 400 ms. Fault detection time: 100 ms. Fault reaction time: 200 ms.',
        ]),
      ],
      { verdict: 'pass' },
    ],
    [
      'too long',
      { check: 'time_budget', of: ['functional_safety_requirement'] },
      [
        fsc([
          'FSR-01: The ECU shall react to a short circuit. FTTI: 400 ms. Fault detection time: 0,3 s. Fault reaction time: 200 ms.',
        ]),
      ],
      { verdict: 'fail', confidence: 'high' },
    ],
    [
      'adds up with the reaction of another requirement of the goal',
      { check: 'time_budget', of: ['functional_safety_requirement'] },
      [
        fsc([
          'SG-01: The valves shall not stay open after a leak. FTTI: 400 ms.',
          '| ID | Requirement | Safety goal |',
          '|---|---|---|',
          '| FSR-01 | The ECU shall recognise a leak within 100 ms. | SG-01 |',
          '| FSR-02 | The ECU shall close the valves within 200 ms after the detection. | SG-01 |',
        ]),
      ],
      { verdict: 'pass' },
    ],
    [
      'adds up with a further time in the same sentence',
      { check: 'time_budget', of: ['functional_safety_requirement'] },
      [
        fsc([
          'SG-01: The bolt shall not move. FTTI: 80 ms.',
          '| ID | Requirement | Safety goal |',
          '|---|---|---|',
          '| FSR-01 | A lapse is detected within 30 ms and the bolt stands within another 20 ms. | SG-01 |',
        ]),
      ],
      { verdict: 'pass' },
    ],
    [
      'too long with the reaction of another requirement of the goal',
      { check: 'time_budget', of: ['functional_safety_requirement'] },
      [
        fsc([
          'SG-01: The valves shall not stay open after a leak. FTTI: 400 ms.',
          '| ID | Requirement | Safety goal |',
          '|---|---|---|',
          '| FSR-01 | The ECU shall recognise a leak within 300 ms. | SG-01 |',
          '| FSR-02 | The ECU shall close the valves within 200 ms after the detection. | SG-01 |',
        ]),
      ],
      { verdict: 'fail', confidence: 'medium' },
    ],
    [
      'numbers not given',
      { check: 'time_budget', of: ['functional_safety_requirement'] },
      [fsc(['FSR-01: The ECU shall react to a short circuit. FTTI: 400 ms.'])],
      { verdict: 'fail', confidence: 'medium' },
    ],
    [
      'a time that only a sentence tells, without the others: a question',
      { check: 'time_budget', of: ['functional_safety_requirement'] },
      [fsc(['FSR-01: The ECU shall recognise a leak within 100 ms.'])],
      { verdict: 'fail', confidence: 'low', needsConfirmation: true },
    ],
    [
      'no time',
      { check: 'time_budget', of: ['functional_safety_requirement'] },
      [fsc(['FSR-01: The ECU shall react to a short circuit.'])],
      { verdict: 'missing' },
    ],
  ],
  results: [
    [
      'passed',
      { check: 'results', columns: ['test_report.result_table.verdict'] },
      [
        documentOf('test_report', [
          '# Test report',
          '## Results',
          '| Test ID | Version | Date | Tester | Verdict | Defect |',
          '| TC-1 | 1.0 | 2026-01-01 | J. Weber | passed |  |',
        ]),
      ],
      { verdict: 'pass' },
    ],
    [
      'failed',
      { check: 'results', columns: ['test_report.result_table.verdict'] },
      [
        documentOf('test_report', [
          '# Test report',
          '## Results',
          '| Test ID | Version | Date | Tester | Verdict | Defect |',
          '| TC-1 | 1.0 | 2026-01-01 | J. Weber | nicht bestanden |  |',
        ]),
      ],
      { verdict: 'fail', quote: 'nicht bestanden' },
    ],
    [
      'failed, with a defect',
      { check: 'results', columns: ['test_report.result_table.verdict'] },
      [
        documentOf('test_report', [
          '# Test report',
          '## Results',
          '| Test ID | Version | Date | Tester | Verdict | Defect |',
          '| TC-1 | 1.0 | 2026-01-01 | J. Weber | failed | PR-12 |',
        ]),
      ],
      { verdict: 'pass' },
    ],
  ],
  hardware_metrics: [
    [
      'as good as asked',
      { check: 'hardware_metrics', in: ['safety_analysis'], what: 'achieved' },
      [
        documentOf('safety_analysis', [
          '# FMEDA',
          'The item has ASIL D.',
          'SPFM: 99.2 %',
          'LFM: 93 %',
          'PMHF: 3 FIT',
        ]),
      ],
      { verdict: 'pass' },
    ],
    [
      'too low',
      { check: 'hardware_metrics', in: ['safety_analysis'], what: 'achieved' },
      [
        documentOf('safety_analysis', [
          '# FMEDA',
          'The item has ASIL D.',
          'SPFM: 97 %',
          'LFM: 93 %',
          'PMHF: 3e-9 per hour',
        ]),
      ],
      { verdict: 'fail', quote: '97 %' },
    ],
    [
      'in columns, each goal by its own level',
      { check: 'hardware_metrics', in: ['safety_analysis'], what: 'achieved' },
      [
        documentOf('safety_analysis', [
          '# FMEDA',
          'The item has ASIL C.',
          '| Goal | SPFM | LFM | PMHF |',
          '|---|---|---|---|',
          '| SG-01 (ASIL C) | at least 97 % | at least 80 % | below 100 FIT |',
          '| SG-02 (ASIL B) | at least 90 % | at least 60 % | below 100 FIT |',
        ]),
      ],
      { verdict: 'pass' },
    ],
    [
      'in columns, by the level that its goal has elsewhere',
      { check: 'hardware_metrics', in: ['safety_analysis'], what: 'achieved' },
      [
        documentOf('hara', [
          '# HARA',
          '| ID | Safety goal | ASIL |',
          '| SG-01 | The fan shall not run too fast. | C |',
          '| SG-02 | The fan shall not stop. | B |',
        ]),
        documentOf('safety_analysis', [
          '# FMEDA',
          'The item has ASIL C.',
          '| Goal | SPFM | LFM | PMHF |',
          '| SG-01 | 98.1 % | 86 % | 41 FIT |',
          '| SG-02 | 94.9 % | 78 % | 18 FIT |',
        ]),
      ],
      { verdict: 'pass' },
    ],
    [
      'in columns, too low for the level of its goal',
      { check: 'hardware_metrics', in: ['safety_analysis'], what: 'achieved' },
      [
        documentOf('safety_analysis', [
          '# FMEDA',
          'The item has ASIL C.',
          '| Goal | SPFM | LFM | PMHF |',
          '|---|---|---|---|',
          '| SG-01 (ASIL C) | at least 97 % | at least 80 % | below 100 FIT |',
          '| SG-02 (ASIL B) | at least 80 % | at least 60 % | below 100 FIT |',
        ]),
      ],
      { verdict: 'fail', quote: 'at least 80 %' },
    ],
    [
      'not asked of ASIL A',
      { check: 'hardware_metrics', in: ['safety_analysis'], what: 'achieved' },
      [documentOf('safety_analysis', ['# FMEDA', 'The item has ASIL A.'])],
      { verdict: 'NA', quote: 'ASIL A' },
    ],
  ],
  independence: [
    [
      'reviews without a word about it',
      { check: 'independence', in: ['safety_plan'] },
      [
        plan([
          '## Confirmation measures',
          'A confirmation review of the HARA and of the functional safety concept will be performed before the release.',
        ]),
      ],
      { verdict: 'fail', rule: 'independence-not-stated' },
    ],
    [
      'too low',
      { check: 'independence', in: ['safety_plan'] },
      [
        plan([
          'The item has ASIL D.',
          '## Confirmation measures',
          '| Confirmation measure | Object | Independence | Person | Date | Status |',
          '| Confirmation review of the HARA | HARA | I1 | Karl Weber | 2026-01-01 | open |',
        ]),
      ],
      { verdict: 'fail', quote: 'I1' },
    ],
    [
      'high enough',
      { check: 'independence', in: ['safety_plan'] },
      [
        plan([
          'The item has ASIL D.',
          '## Confirmation measures',
          '| Confirmation measure | Object | Independence | Person | Date | Status |',
          '| Confirmation review of the HARA | HARA | I3 | Karl Weber | 2026-01-01 | open |',
        ]),
      ],
      { verdict: 'pass' },
    ],
    [
      'high enough for a strategy, whose type is called a plan',
      { check: 'independence', in: ['safety_plan'] },
      [
        plan([
          'Das Item hat ASIL D.',
          '## Bestätigungsmaßnahmen',
          '| Maßnahme | Geforderte Unabhängigkeit | Durchführung |',
          '| Bestätigungsprüfung Sicherheitsplan | I3 | Karl Weber |',
          '| Bestätigungsprüfung Integrations- und Teststrategie | I2 | Karl Weber |',
        ]),
      ],
      { verdict: 'pass' },
    ],
    ['not planned', { check: 'independence', in: ['safety_plan'] }, [plan([PROSE])], { verdict: 'missing' }],
  ],
  quality: [
    [
      'clear',
      { check: 'quality', in: ['functional_safety_concept'], least: 'high', rules: ['RQQ-05'] },
      [fsc(['FSR-01: The ECU shall switch off the motor within 20 ms.'])],
      { verdict: 'pass', instances: { met: 1, total: 1 } },
    ],
    [
      'an escape',
      { check: 'quality', in: ['functional_safety_concept'], least: 'high', rules: ['RQQ-05'] },
      [fsc(['FSR-01: The ECU shall switch off the motor if possible.'])],
      { verdict: 'fail', rule: 'RQQ-05' },
    ],
    [
      'nothing to read',
      { check: 'quality', in: ['functional_safety_concept'] },
      [plan([PROSE])],
      { verdict: 'missing' },
    ],
  ],
});

describe('tracked', () => {
  const check = {
    check: 'tracked',
    columns: ['safety_plan.activity_table.status'],
    dates: ['safety_plan.activity_table.date'],
  };
  const documents = [
    plan([
      '| Activity | Responsible | Date | Status |',
      '| Analyse | J. Weber | 2026-01-01 | done |',
      '| Validate | J. Weber | 2026-02-01 | open |',
    ]),
  ];

  it('finds what is overdue on a day, and leaves it to a person without one', async () => {
    expect(await answer(check, documents, { options: { today: '2026-03-01' } })).toMatchObject({
      verdict: 'fail',
      affectedItems: ['Analyse', 'Validate'].slice(1),
    });
    expect(await answer(check, documents, { options: { today: '2026-01-15' } })).toMatchObject({
      verdict: 'pass',
    });
    expect(await answer(check, documents)).toMatchObject({ verdict: 'pass', needsConfirmation: true });
  });
});
