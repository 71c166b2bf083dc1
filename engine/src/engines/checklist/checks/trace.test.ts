import {
  describeChecks,
  event,
  fsc,
  GOALS,
  hara,
  PROSE,
  plan,
  REQUIREMENTS,
  rated,
  safetyCase,
} from '../testing/check-cases.js';

describeChecks({
  identified: [
    [
      'ids',
      { check: 'identified', of: ['functional_safety_requirement'] },
      [
        fsc([
          'FSR-01: The tailgate shall stay shut above 6 km/h.',
          'FSR-02: The motor shall be off when locked.',
        ]),
      ],
      { verdict: 'pass', instances: { met: 2, total: 2 } },
    ],
    [
      'demands without ids',
      { check: 'identified', of: ['functional_safety_requirement'], in: ['functional_safety_concept'] },
      [
        fsc([
          'The tailgate shall stay shut.',
          'The motor shall be off when locked.',
          'The lamp shall be lit when open.',
        ]),
      ],
      { verdict: 'fail', quote: 'stay shut' },
    ],
    [
      'nothing',
      { check: 'identified', of: ['functional_safety_requirement'] },
      [plan([PROSE])],
      { verdict: 'missing' },
    ],
  ],
  attribute: [
    [
      'every level',
      { check: 'attribute', of: ['functional_safety_requirement'], field: 'asil', value: 'asil' },
      [fsc([REQUIREMENTS, '| FSR-01 | It shall stay shut. | B | SG-01 | ECU | 400 ms | Shut |'])],
      { verdict: 'pass' },
    ],
    [
      'one without',
      { check: 'attribute', of: ['functional_safety_requirement'], field: 'asil', value: 'asil' },
      [
        fsc([
          REQUIREMENTS,
          '| FSR-01 | It shall stay shut. | B | SG-01 | ECU | 400 ms | Shut |',
          '| FSR-02 | It shall be locked. | – | SG-01 | ECU | 400 ms | Shut |',
        ]),
      ],
      { verdict: 'fail', instances: { met: 1, total: 2 }, affected: ['FSR-02'] },
    ],
    [
      'rows of a form',
      { check: 'attribute', of: ['functional_safety_requirement'], field: 'asil' },
      [fsc([REQUIREMENTS, '| FSR-01 |  |  |  |  |  |  |', '| FSR-02 |  |  |  |  |  |  |'])],
      { verdict: 'fail', rule: 'template-not-filled' },
    ],
  ],
  coverage: [
    [
      'every goal refined',
      { check: 'coverage', of: ['safety_goal'], relation: 'child', to: ['functional_safety_requirement'] },
      [
        hara(
          [rated],
          ['## Safety goals', GOALS, '| SG-01 | No opening while driving | D | Shut | 400 ms | HE-01 |'],
        ),
        fsc([REQUIREMENTS, '| FSR-01 | It shall stay shut. | D | SG-01 | ECU | 400 ms | Shut |']),
      ],
      { verdict: 'pass', instances: { met: 1, total: 1 } },
    ],
    [
      'one goal not refined',
      { check: 'coverage', of: ['safety_goal'], relation: 'child', to: ['functional_safety_requirement'] },
      [
        hara(
          [rated],
          [
            '## Safety goals',
            GOALS,
            '| SG-01 | No opening while driving | D | Shut | 400 ms | HE-01 |',
            '| SG-02 | No closing on a hand | B | Stopped | 400 ms | HE-02 |',
          ],
        ),
        fsc([REQUIREMENTS, '| FSR-01 | It shall stay shut. | D | SG-01 | ECU | 400 ms | Shut |']),
      ],
      {
        verdict: 'fail',
        instances: { met: 1, total: 2 },
        affected: ['SG-02'],
        quote: 'No closing on a hand',
      },
    ],
    [
      'only QM',
      { check: 'coverage', of: ['functional_safety_requirement'], relation: 'verification', least: 'A' },
      [fsc([REQUIREMENTS, '| FSR-01 | It shall stay shut. | QM | SG-01 | ECU | 400 ms | Shut |'])],
      { verdict: 'NA', quote: 'QM' },
    ],
    [
      'allocation told in the row',
      {
        check: 'coverage',
        of: ['functional_safety_requirement'],
        relation: 'allocation',
        columns: ['functional_safety_concept.fsr_table.allocation'],
      },
      [
        fsc([
          REQUIREMENTS,
          '| FSR-01 | It shall stay shut. | B | SG-01 | the drive unit | 400 ms | Shut |',
          '| FSR-02 | It shall be locked. | B | SG-01 |  | 400 ms | Shut |',
        ]),
      ],
      { verdict: 'fail', affected: ['FSR-02'] },
    ],
    [
      'allocation matrix',
      { check: 'coverage', of: ['functional_safety_requirement'], relation: 'allocation' },
      [
        fsc([
          REQUIREMENTS,
          '| FSR-01 | It shall stay shut. | B | SG-01 |  | 400 ms | Shut |',
          '## Allocation of the requirements to elements',
          '| ID | Drive unit | Latch |',
          '| FSR-01 |  | X |',
        ]),
      ],
      { verdict: 'pass' },
    ],
  ],
  trace_rules: [
    [
      'the ratings give the level',
      { check: 'trace_rules', kinds: ['AI-13'], of: ['hazardous_event'] },
      [hara([rated])],
      { verdict: 'pass', quote: 'D' },
    ],
    [
      'they give a higher one',
      { check: 'trace_rules', kinds: ['AI-13'], of: ['hazardous_event'] },
      [hara([event('HE-01', ['S3', 'x', 'E4', 'x', 'C3', 'x', 'B', 'SG-01'])])],
      { verdict: 'fail', rule: 'AI-13', affected: ['HE-01'] },
    ],
    [
      'no event',
      { check: 'trace_rules', kinds: ['AI-13'], of: ['hazardous_event'] },
      [plan([PROSE])],
      { verdict: 'missing' },
    ],
    [
      'nothing to compare with',
      { check: 'trace_rules', kinds: ['AI-02'], of: ['functional_safety_requirement'] },
      [
        fsc([
          '| ID | Functional safety requirement | ASIL | Safe state |',
          '| FSR-01 | It shall stay shut. | B | Shut |',
        ]),
      ],
      { verdict: 'pass', needsConfirmation: true, rule: 'undecided' },
    ],
    [
      'lower than its goal',
      { check: 'trace_rules', kinds: ['AI-02'], of: ['functional_safety_requirement'] },
      [
        hara(
          [],
          ['## Safety goals', GOALS, '| SG-01 | No opening while driving | D | Shut | 400 ms | HE-01 |'],
        ),
        fsc([REQUIREMENTS, '| FSR-01 | It shall stay shut. | B | SG-01 | ECU | 400 ms | Shut |']),
      ],
      { verdict: 'fail', rule: 'AI-02' },
    ],
  ],
  decompositions: [
    [
      'only one part',
      { check: 'decompositions', of: ['functional_safety_requirement'] },
      [
        fsc([
          REQUIREMENTS,
          '| FSR-20 | It shall stay shut. | D | SG-01 | ECU | 400 ms | Shut |',
          '| FSR-21 | Channel 1 shall hold it. | B(D) | FSR-20 | ECU | 400 ms | Shut |',
        ]),
      ],
      { verdict: 'fail', rule: 'AI-05' },
    ],
  ],
  goal_levels: [
    [
      'one event each',
      { check: 'goal_levels' },
      [hara([rated, event('HE-02', ['S2', 'x', 'E4', 'x', 'C3', 'x', 'C', 'No closing on a hand'])])],
      { verdict: 'NA' },
    ],
    [
      'two events and no level of the goal',
      { check: 'goal_levels' },
      [hara([rated, event('HE-02', ['S2', 'x', 'E4', 'x', 'C3', 'x', 'C', 'SG-01'])])],
      { verdict: 'missing' },
    ],
    [
      'the highest of two',
      { check: 'goal_levels' },
      [
        hara(
          [rated, event('HE-02', ['S2', 'x', 'E4', 'x', 'C3', 'x', 'C', 'SG-01'])],
          [
            '## Safety goals',
            GOALS,
            '| SG-01 | No opening while driving | D | Shut | 400 ms | HE-01, HE-02 |',
          ],
        ),
      ],
      { verdict: 'pass' },
    ],
    [
      'below one of them',
      { check: 'goal_levels' },
      [
        hara(
          [rated, event('HE-02', ['S2', 'x', 'E4', 'x', 'C3', 'x', 'C', 'SG-01'])],
          [
            '## Safety goals',
            GOALS,
            '| SG-01 | No opening while driving | C | Shut | 400 ms | HE-01, HE-02 |',
          ],
        ),
      ],
      { verdict: 'fail', rule: 'AI-14' },
    ],
  ],
  lists_all: [
    [
      'all goals',
      { check: 'lists_all', of: { artifacts: ['safety_goal'] }, in: ['safety_case'] },
      [
        hara([], ['## Safety goals', GOALS, '| SG-01 | No opening | D | Shut | 400 ms | HE-01 |']),
        safetyCase(['## Safety goals and status', 'SG-01 is fulfilled as shown by the validation report.']),
      ],
      { verdict: 'pass', quote: 'SG-01' },
    ],
    [
      'one is not there',
      { check: 'lists_all', of: { artifacts: ['safety_goal'] }, in: ['safety_case'] },
      [
        hara(
          [],
          [
            '## Safety goals',
            GOALS,
            '| SG-01 | No opening | D | Shut | 400 ms | HE-01 |',
            '| SG-02 | No closing | B | Stopped | 400 ms | HE-02 |',
          ],
        ),
        safetyCase(['## Safety goals and status', 'SG-01 is fulfilled as shown by the validation report.']),
      ],
      { verdict: 'fail', affected: ['SG-02'], instances: { met: 1, total: 2 } },
    ],
    [
      'no safety case',
      { check: 'lists_all', of: { artifacts: ['safety_goal'] }, in: ['safety_case'] },
      [hara([], ['## Safety goals', GOALS, '| SG-01 | No opening | D | Shut | 400 ms | HE-01 |'])],
      { verdict: 'missing' },
    ],
  ],
  names_each: [
    [
      'a list names them',
      {
        check: 'names_each',
        in: ['safety_plan'],
        terms: [
          { en: ['safety case'], de: ['Sicherheitsnachweis'] },
          { en: ['item definition'], de: [] },
        ],
      },
      [plan(['## Deliverables', '- Item definition', '- Sicherheitsnachweis'])],
      { verdict: 'pass' },
    ],
    [
      'one is not named',
      {
        check: 'names_each',
        in: ['safety_plan'],
        terms: [{ en: ['safety case'] }, { en: ['item definition'] }],
      },
      [plan(['## Deliverables', '- Item definition', 'There is no safety case.'])],
      { verdict: 'fail', affected: ['safety case'], needsConfirmation: true },
    ],
  ],
  each_says: [
    [
      'all of it',
      {
        check: 'each_says',
        of: ['functional_safety_requirement'],
        parts: [{ name: 'time', matches: '\\d ?ms' }],
      },
      [fsc(['FSR-01: The ECU shall switch off the motor within 20 ms.'])],
      { verdict: 'pass' },
    ],
    [
      'one says less',
      {
        check: 'each_says',
        of: ['functional_safety_requirement'],
        parts: [{ name: 'time', matches: '\\d ?ms' }],
      },
      [fsc(['FSR-01: The ECU shall switch off the motor within 20 ms.', 'FSR-02: The ECU shall be safe.'])],
      { verdict: 'fail', quote: 'be safe', needsConfirmation: true },
    ],
    [
      'none of them',
      {
        check: 'each_says',
        of: ['functional_safety_requirement'],
        parts: [{ name: 'time', matches: '\\d ?ms' }],
      },
      [fsc(['FSR-02: The ECU shall be safe.'])],
      { verdict: 'missing' },
    ],
    [
      'what the goal gives for all that serve it',
      {
        check: 'each_says',
        of: ['functional_safety_requirement'],
        parts: [{ name: 'safe state', fields: ['safe_state'] }],
        shared: true,
      },
      [
        fsc([
          '| ID | Safety goal | ASIL | Safe state |',
          '|---|---|---|---|',
          '| SG-01 | The valve shall not stay open. | C | valve closed |',
          '',
          '| ID | Requirement | Derived from |',
          '|---|---|---|',
          '| FSR-01 | The ECU shall recognise a leak. | SG-01 |',
          '| FSR-02 | The ECU shall tell the driver. | SG-01 |',
        ]),
      ],
      { verdict: 'pass' },
    ],
  ],
  linked_values: [
    [
      'longer than above',
      { check: 'linked_values', of: ['functional_safety_requirement'], to: ['safety_goal'] },
      [
        hara(
          [],
          [
            '## Safety goals',
            GOALS,
            '| SG-01 | The tailgate shall stop within 300 ms | D | Shut | 400 ms | HE-01 |',
          ],
        ),
        fsc([REQUIREMENTS, '| FSR-01 | It shall stop within 500 ms. | D | SG-01 | ECU | 400 ms | Shut |']),
      ],
      { verdict: 'fail', quote: '500 ms', needsConfirmation: true },
    ],
  ],
});
