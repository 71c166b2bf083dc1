import { describe, expect, it } from 'vitest';
import { corpusOf } from '../../corpus/corpus-of.js';
import { verifyEvidence } from '../../findings/verify-evidence.js';
import { render } from '../../sentences/render.js';
import { analysedDocument } from '../../testing/document-fixture.js';
import { statedContradictions } from './stated-findings.js';

type Lines = readonly string[];
const PARTS = ['title', 'expected', 'observed', 'why', 'action', 'done'];

/** Rules that speak about documents of lines; every quote and text is checked on the way. */
async function rulesOn(...several: readonly Lines[]): Promise<readonly string[]> {
  const documents = several.map((lines, at) => analysedDocument(`${at + 1}.md`, lines));
  const corpus = await corpusOf({ documents, scope: {} }, async () => {});
  const found = statedContradictions(corpus);
  for (const { rule, words, evidence } of found) {
    expect(evidence.length, rule).toBeGreaterThan(0);
    verifyEvidence(evidence, new Map(documents.map((one) => [one.id, one.document])));
    for (const language of ['en', 'de'] as const)
      for (const part of PARTS)
        expect(render({ key: `stated.${rule}.${part}`, values: words }, language)).not.toMatch(
          /[{}]|undefined/,
        );
  }
  return [...new Set(found.map(({ rule }) => rule))];
}

const ROLES = [
  '# Roles',
  '| Role | Organisation | Person |',
  '| Functional safety manager | OEM | Ann Lee |',
  '| Functional safety engineer | Tier-1 | Tom Ray |',
];
const agreement = (...lines: Lines) => [
  '# Safety plan',
  ...ROLES,
  '# Development interface agreement',
  ...lines,
];
const confirmation = (...lines: Lines) => ['# Safety plan', ...ROLES, '# Confirmation measures', ...lines];
const scope = (out: string, ...lines: Lines) => ['# Safety plan', '## Project', out, ...lines];
const measure = (when: string) => [
  '# Safety plan',
  '| Measure | Responsible | Timeline |',
  '| Plan the safety activities | Safety manager | within 2 weeks of start of project |',
  `| Perform functional safety assessment | Assessor | ${when} |`,
];
const goal = (state: string) => [
  '| Goal | Safety goal | ASIL | Safe state |',
  `| SG-1 | The wheel shall not be turned against the driver | C | ${state} |`,
  '| SG-2 | The belt shall not be pulled while driving | B | motor off |',
];
const crosses = (row: string) => [
  '| ID | Requirement | Electric Pump Supply ECU | Camera ECU | Display |',
  '| FSR-1 | The EPS ECU shall limit the pressure | x | | |',
  '| FSR-2 | The camera ECU shall send the picture | | x | |',
  row,
];
const status = (one: string, other: string) => [
  '| ID | Software requirement | ASIL |',
  `| SSR-1 | In case of an error the function shall be ${one} | B |`,
  `| SSR-2 | Without errors the function shall be ${other} | B |`,
];
const modes = (trigger: string) => [
  '# Malfunctions',
  '| ID | Malfunction | Function |',
  '| Malfunction_01 | too strong | warn |',
  '| Malfunction_02 | too long | assist |',
  '# Degradation',
  '| ID | Degradation | Trigger |',
  `| WD-1 | warning off | ${trigger} |`,
];
const limit = (quantity: string) => [
  '| ID | Requirement | ASIL |',
  `| TSR-1 | The monitor shall check that the ${quantity} of the request is below Max_Torque_Amplitude | C |`,
];
const times = (both: string) => [
  '| ID | Requirement | ASIL | FTTI |',
  '| FSR-1 | The torque shall be limited | C | 100 ms |',
  '# Technical requirements',
  '| ID | Parent | Technical requirement | ASIL | Detection + reaction time |',
  `| TSR-1 | FSR-1 | The monitor shall limit the torque | C | ${both} |`,
];

const record = (on: string) => [
  [
    '# Functional safety concept',
    '| Field | Entry |',
    '| Document name | Functional safety concept ABC |',
    '| Version | 1.4 |',
    '| Date | 2024-05-13 |',
  ],
  [
    '# Review record',
    '| Document | Version | Author | Reviewed on | Result |',
    `| Functional safety concept ABC | 1.4 | Ann Lee | ${on} | accepted |`,
  ],
];

/** The version stands behind the number of what was reviewed. */
const inOneCell = (on: string) => [
  [
    '# Funktionales Sicherheitskonzept',
    '| Merkmal | Angabe |',
    '| Dokumentnummer | XY-04 |',
    '| Version | 2.1 |',
    '| Datum | 28.03.2025 |',
  ],
  [
    '# Protokoll der Bestätigungsprüfung',
    '| Merkmal | Angabe |',
    '| Prüfgegenstand | XY-04 Funktionales Sicherheitskonzept, Version 2.1 vom 28.03.2025 |',
    '| Prüfer | Anna Lehr |',
    `| Prüftermin | ${on} |`,
  ],
];

const CASES: Readonly<
  Record<
    string,
    { readonly tells: readonly (readonly Lines[])[]; readonly silent: readonly (readonly Lines[])[] }
  >
> = {
  'assessor-has-other-role': {
    tells: [[[...ROLES, '| Functional safety assessor | external | Tom Ray |']]],
    silent: [[[...ROLES, '| Functional safety assessor | external | Eva Maas |']]],
  },
  'role-of-two-persons': {
    tells: [
      [
        ['# Safety plan', ...ROLES],
        ['# Concept', '| Version | 1.0 |', '| Functional safety manager | Max Poe |'],
      ],
    ],
    silent: [
      [
        ['# Safety plan', ...ROLES],
        ['# Concept', '| Version | 1.0 |', '| Functional safety manager | A. Lee |'],
      ],
      [
        ['# Safety plan', ...ROLES],
        ['# Concept', '| Version | 1.0 |', '| Functional safety engineer | Max Poe |'],
      ],
    ],
  },
  'assessment-too-early': {
    tells: [[measure('within 2 weeks of start of project')], [measure('at project start')]],
    silent: [[measure('3 months before start of production')], [measure('conclusion of all activities')]],
  },
  'assessment-too-late': {
    tells: [[measure('3 months after start of production')], [measure('nach dem Serienanlauf')]],
    silent: [[measure('2 months before SOP')]],
  },
  'agreement-plans-nothing': {
    tells: [
      [agreement('It settles who does what between OEM and Tier-1, so that both develop a safe item.')],
      [
        [
          '# Sicherheitsplan',
          '# Entwicklungsschnittstellenvereinbarung',
          'Sie regelt die Verantwortung zwischen Kunde und Lieferant.',
        ],
      ],
    ],
    silent: [
      [agreement('Contact of the customer is Ann Lee, who gets the safety analyses.')],
      [
        agreement(
          'The hazard analysis and risk assessment and the functional safety concept come from the customer.',
        ),
      ],
      [agreement('| Work product | OEM | Tier-1 |', '| Item definition | R | S |')],
      [agreement('The agreement is document DIA-4711.')],
    ],
  },
  'confirmation-plans-nothing': {
    tells: [
      [
        confirmation(
          'Confirmation review: an independent person checks that the work products fulfil the standard.',
        ),
      ],
      [confirmation('Confirmation review, audit and assessment: see lecture 4.')],
    ],
    silent: [
      [confirmation('The review of the hazard analysis is held with I1 by the neighbour team.')],
      [confirmation('The audit takes place on 2026-03-04.')],
      // The same text under each heading says nothing of any: it is told as that, and has no place here.
      [
        [
          '# Safety plan',
          ...['Roles', 'Confirmation measures', 'Tailoring', 'Mornings'].flatMap((heading) => [
            `## ${heading}`,
            'The people of the pump sit in one room and write down each morning what they mean to finish.',
            'What was finished is read by somebody else on the next day, and both put their names beside it.',
          ]),
        ],
      ],
      [
        confirmation(
          'An independent person checks the work products.',
          '# Measures',
          '| Work product | Required independence | Planned independence |',
          '| HARA | I3 | I3 |',
        ),
      ],
    ],
  },
  'agreement-denied': {
    tells: [[agreement('Not applicable, since the project is done by one company only.')]],
    silent: [
      [
        [
          '# Safety plan',
          '| Role | Organisation | Person |',
          '| Safety manager | Own team | Ann Lee |',
          '# Development interface agreement',
          'Not applicable, since the project is done by one company only.',
        ],
      ],
    ],
  },
  'scope-contradicted': {
    tells: [
      [
        scope(
          'Out of scope: hardware level, production and operation.',
          '## Tailoring',
          'All phases including hardware development are carried out by the team.',
        ),
      ],
      [
        scope(
          'The hardware level is out of scope.',
          '## Deliverables',
          '- Safety plan',
          '- Hardware safety requirements',
        ),
      ],
    ],
    silent: [
      [
        scope(
          'The hardware level is out of scope.',
          '## Deliverables',
          '- Safety plan',
          '- Hardware-software interface',
        ),
      ],
      [scope('The hardware level is out of scope.', 'Hardware development is carried out by the supplier.')],
      [scope('The hardware level is in scope.', '## Deliverables', '- Hardware safety requirements')],
    ],
  },
  'safe-state-only-tells': {
    tells: [[goal('Yellow lamp in the instrument cluster is on')], [goal('Warnmeldung im Kombiinstrument')]],
    silent: [[goal('assistance off, warning lamp on')], [goal('torque limited, driver is warned')]],
  },
  'safe-state-unchanged': {
    tells: [[goal('The motor keeps the last valid torque')]],
    silent: [[goal('The motor keeps the last valid torque, reduced to 30 %')]],
  },
  'driver-too-fast': {
    tells: [
      [['# Warning', 'The driver has to take over the steering within 50 ms.']],
      [
        [
          '| ID | Degradation | What the driver has to do |',
          '| WD-1 | off | take over the steering within 50 ms |',
        ],
      ],
      [
        [
          '# Warnung',
          'Der Fahrer muss innerhalb von 100 ms reagieren.',
          'Der Fahrer übernimmt die Lenkung innerhalb von 200 ms.',
        ],
      ],
    ],
    silent: [
      [['# Warning', 'The driver has to take over the steering within 3 s.']],
      [
        [
          '# Warning',
          'The unit shall warn the driver within 50 ms.',
          'The torque of the driver is read within 5 ms.',
        ],
      ],
    ],
  },
  'limit-of-other-quantity': {
    tells: [[limit('frequency')]],
    silent: [[limit('amplitude')], [limit('strength')]],
  },
  'value-means-opposites': {
    tells: [[status('deactivated (state_out = 0)', 'activated (state_out = 0)')]],
    silent: [
      [status('deactivated (state_out = 0)', 'activated (state_out = 1)')],
      [status('deactivated (state_out = 0)', 'activated (other_out = 0)')],
    ],
  },
  'id-nowhere': {
    tells: [[modes('Malfunction_04')]],
    silent: [[modes('Malfunction_02')], [modes('S0')]],
  },
  'allocation-against-text': {
    tells: [[crosses('| FSR-3 | The EPS ECU shall stop the pump | | x | |')]],
    silent: [
      [crosses('| FSR-3 | The EPS ECU shall stop the pump | x | | |')],
      [crosses('| FSR-3 | The item shall stop | | x | |')],
    ],
  },
  'reviewed-before-written': {
    tells: [record('2024-05-02'), inOneCell('21.03.2025')],
    silent: [record('2024-05-22'), inOneCell('04.04.2025')],
  },
  'time-budget-exceeded': {
    tells: [[times('80 ms + 40 ms')]],
    silent: [[times('60 ms + 40 ms')]],
  },
};

describe.each(Object.entries(CASES))('%s', (rule, { tells, silent }) => {
  it.each(tells.map((one, at) => [at + 1, one] as const))('tells case %i', async (_, documents) => {
    expect(await rulesOn(...documents)).toContain(rule);
  });

  it.each(silent.map((one, at) => [at + 1, one] as const))('is silent in case %i', async (_, documents) => {
    expect(await rulesOn(...documents)).not.toContain(rule);
  });
});
