import { describe, expect, it } from 'vitest';
import { corpusOf } from '../../corpus/corpus-of.js';
import { verifyEvidence } from '../../findings/verify-evidence.js';
import { analysedDocument } from '../../testing/document-fixture.js';
import { statedContradictions } from './stated-findings.js';

/** Rules that speak about documents of lines, with what they are about. */
async function told(...files: readonly (readonly string[])[]): Promise<readonly string[]> {
  const documents = files.map((lines, at) => analysedDocument(`${at + 1}.md`, lines));
  const corpus = await corpusOf({ documents, scope: {} }, async () => {});
  const found = statedContradictions(corpus);
  for (const { evidence } of found)
    verifyEvidence(evidence, new Map(documents.map((one) => [one.id, one.document])));
  return found.map(({ rule, item, affected }) => `${rule} ${affected.join(',') || item}`);
}

/** A pump in three forms: rows, paragraphs, German rows. */
const pump = {
  rows: (decides: string) => [
    '# Functional safety requirements',
    '| ID | Requirement | Goal | ASIL |',
    '| FSR-1 | The pump unit shall report a dry pump within 12 s. | SG-1 | B |',
    '# Technical safety requirements',
    '| ID | Requirement | Derived from | ASIL |',
    `| TSR-1 | The sensor decides on a dry pump within ${decides} of the first bubble. | FSR-1 | B |`,
  ],
  paragraphs: (decides: string) => [
    'FSR-1: The pump unit shall report a dry pump within 12 s.',
    `TSR-1: The sensor shall decide on a dry pump within ${decides} of the first bubble. Derived from: FSR-1`,
  ],
  german: (decides: string) => [
    '# Technische Sicherheitsanforderungen',
    '| Nr. | Anforderung | Herkunft | ASIL |',
    '| FSA-1 | Die Pumpeneinheit muss Trockenlauf innerhalb von 12 s melden. | – | B |',
    `| TSA-1 | Der Sensor muss Trockenlauf spätestens ${decides} nach der ersten Blase feststellen. | FSA-1 | B |`,
  ],
};

describe('what refines a requirement takes more time than its words allow', () => {
  it.each(Object.entries(pump))('in %s', async (_, lines) => {
    expect(await told(lines('14 s'))).toEqual([
      expect.stringMatching(/^child-time-longer TS[RA]-1,FS[RA]-1$/),
    ]);
    expect(await told(lines('11 s'))).toEqual([]);
  });

  it('adds up what the requirement allows', async () => {
    const lines = (within: string) => [
      'FSR-1: The unit shall detect a dry pump within 100 ms and stop it within a further 60 ms.',
      `TSR-1: The unit shall have the pump without current within ${within}. Derived from: FSR-1`,
    ];
    expect(await told(lines('160 ms'))).toEqual([]);
    expect(await told(lines('170 ms'))).toContain('child-time-longer TSR-1,FSR-1');
  });
});

describe('steps of one sentence take longer than the goal tolerates', () => {
  const goal = [
    '| ID | Safety goal | FTTI | ASIL |',
    '| SG-2 | The pump shall not run dry. | 300 ms | C |',
    '',
  ];
  it.each([
    [
      'within a further',
      'FSR-6: The unit shall detect a dry pump within 120 ms and stop it within a further 200 ms. Derived from: SG-2',
    ],
    ['≤', 'FSR-6: The unit shall detect a dry pump ≤ 120 ms and stop it ≤ 200 ms. Derived from: SG-2'],
    [
      'binnen weiterer',
      'FSR-6: Die Einheit muss Trockenlauf innerhalb von 120 ms erkennen und die Pumpe binnen weiterer 200 ms anhalten. Herkunft: SG-2',
    ],
  ])('%s', async (_, sentence) => {
    expect(await told([...goal, sentence])).toContain('time-budget-exceeded FSR-6,SG-2');
    expect(await told([...goal, sentence.replace('200 ms', '150 ms')])).toEqual([]);
  });

  it('adds up no times of two faults', async () => {
    const sentence =
      'FSR-6: The unit shall detect a dry pump within 120 ms, and detect a blocked pump within 200 ms. Derived from: SG-2';
    expect(await told([...goal, sentence])).toEqual([]);
  });
});

describe('a table repeats times of requirements, all but one', () => {
  const requirements = (third: string) => [
    'FSR-1: The unit shall detect a dry pump within 40 ms.',
    'FSR-2: The unit shall detect a blocked pump within 60 ms.',
    `FSR-3: The unit shall detect a leak within ${third}.`,
    '',
    '# Budget',
    '| Case | Detection | Rest |',
    '| dry | FSR-1: 40 ms | 20 ms |',
    '| blocked | FSR-2: 60 ms | 20 ms |',
    '| leak | FSR-3: 80 ms | 20 ms |',
  ];
  it('', async () => {
    expect(await told(requirements('80 ms'))).toEqual([]);
    expect(await told(requirements('95 ms'))).toEqual(['time-differs FSR-3']);
  });
});

describe('a table has a row for each path to a goal', () => {
  it('whose time is that of the path', async () => {
    const budget = (...rows: readonly string[]) => [
      '# Goals',
      '| ID | Safety goal | ASIL | FTTI |',
      '| SG-1 | No torque above 3 Nm. | D | 250 ms |',
      '# Budget',
      '| Goal | Path | Detection time | Reaction time |',
      ...rows,
    ];
    expect(
      await told(budget('| SG-1 | unit A | 60 ms | 100 ms |', '| SG-1 | unit B | 50 ms | 100 ms |')),
    ).toEqual([]);
  });
});

describe('tests accept what their requirements state, all but one', () => {
  const rows = (pressure: string) => [
    '| ID | Requirement | ASIL |',
    '| TSR-1 | The valve opens within 20 ms. | B |',
    '| TSR-2 | The pump stops within 40 ms. | B |',
    '| TSR-3 | The pressure is released to below 0.3 MPa within 50 ms. | B |',
    '| TSR-4 | The backup feeds the unit for at least 660 s. | B |',
    '# Tests',
    '| Test | Verifies | Steps | Expected result |',
    '| TC-1 | TSR-1 | request | open within 20 ms |',
    '| TC-2 | TSR-2 | cut the line | stopped within 40 ms |',
    `| TC-3 | TSR-3 | request | pressure below ${pressure} within 50 ms |`,
    '| TC-4 | TSR-4 | cut the supply | supply ≥ 660 s |',
  ];
  it('another unit or factor', async () => {
    expect(await told(rows('0.3 MPa'))).toEqual([]);
    expect(await told(rows('300 kPa'))).toEqual([]);
    expect(await told(rows('3 MPa'))).toEqual(['test-other-value TC-3,TSR-3']);
  });

  it('less than the least', async () => {
    const lines = rows('0.3 MPa').map((line) => line.replace('supply ≥ 660 s', 'supply ≥ 600 s'));
    expect(await told(lines)).toEqual(['test-other-value TC-4,TSR-4']);
  });

  it('in German', async () => {
    const lines = (third: string) => [
      '| Nr. | Anforderung | ASIL |',
      '| TSA-1 | Das Ventil ist spätestens 20 ms nach AUF offen. | B |',
      '| TSA-2 | Die Pumpe steht spätestens 40 ms nach HALT. | B |',
      '| TSA-3 | Das Relais ist spätestens 30 ms nach TRENN geöffnet. | B |',
      '| TSA-4 | Die Lampe leuchtet spätestens 90 ms nach HALT. | B |',
      '# Prüffälle',
      '| PF | Prüft | Anregung | Bestanden, wenn |',
      '| PF-1 | TSA-1 | AUF setzen | offen in ≤ 20 ms |',
      '| PF-2 | TSA-2 | HALT setzen | Pumpe steht in ≤ 40 ms |',
      `| PF-3 | TSA-3 | TRENN bei vollem Strom | Kontakt offen in ≤ ${third} |`,
      '| PF-4 | TSA-4 | HALT setzen | leuchtet in ≤ 90 ms |',
    ];
    expect(await told(lines('30 ms'))).toEqual([]);
    expect(await told(lines('20 ms'))).toEqual([]);
    expect(await told(lines('45 ms'))).toEqual(['test-other-value PF-3,TSA-3']);
  });
});

describe('a share of time beside a class of exposure', () => {
  const event = (exposure: string, reason: string) => [
    '| ID | Hazardous event | S | E | C | ASIL |',
    `| HE-1 | Pump runs dry | S2 | ${exposure} | C2 | A |`,
    '| HE-2 | Pump does not stop | S2 | E4 | C2 | B |',
    '# Reasons',
    '| ID | for S | for E | for C |',
    `| HE-1 | severe injuries, survival probable | ${reason} | more than 90 % of the drivers stop |`,
    '| HE-2 | severe injuries, survival probable | driving in town is 22 % of operating time | more than 90 % of the drivers stop |',
  ];
  it.each([
    ['E3', '0.4 % of operating time', true],
    ['E3', '12,3 % of the driving time', true],
    ['E4', '4 % der Betriebszeit, laut Flotte', true],
    ['E3', '4 % of operating time', false],
    ['E3', '10 % of operating time', false],
    ['E4', '10 % of operating time', false],
    ['E3', 'grades of 12 % occur on 4 % of operating time', false],
  ])('%s, %s', async (exposure, reason, isTold) => {
    expect(await told(event(exposure, reason))).toEqual(isTold ? ['rating-against-rationale HE-1'] : []);
  });

  it.each([
    'usual value for pumps, same as in other projects',
    'Einstufung wurde in der Runde gemeinsam so festgelegt',
  ])('tells a reason that is none: %s', async (reason) => {
    expect(await told(event('E3', reason))).toEqual(['rationale-without-reason HE-1']);
  });
});

describe('inside and outside at once', () => {
  it.each([
    [
      'a table and a sentence',
      [
        '# Boundary',
        'Elements inside the item:',
        '| Element | Content |',
        '| EBCM | brake module |',
        '| ISC | Inertial Sensor Cluster |',
        '',
        'Outside the item are the wheel sensors, the OUT, and the engine.',
      ],
      'the Inertial Sensor Cluster (ISC)',
    ],
    [
      'titles of columns',
      [
        '| Innerhalb | Kurz |',
        '| Spindelsensor | SPS |',
        '| Stellmotor | MOT |',
        '',
        'Außerhalb liegen: Lenkwinkelsensor, OUT, Kombiinstrument.',
      ],
      'Spindelsensor',
    ],
    [
      'lists',
      [
        '# 3 Parts inside',
        '- Pump unit: drives the pump',
        '- Dry sensor: sees bubbles',
        '# 4 Outside of the item',
        '- Battery: 12 V',
        '- OUT: remark',
      ],
      'Dry sensor',
    ],
    ['lines', ['Inside: pump unit, dry sensor. Outside: battery, OUT, gateway.'], 'dry sensor'],
    [
      'sentences',
      [
        'The pump unit and the dry sensor are part of the item.',
        'Battery, OUT and gateway are outside the item.',
      ],
      'dry sensor',
    ],
  ])('%s', async (_, lines, name) => {
    const of = (out: string) => lines.map((line) => line.replace('OUT', out));
    expect(await told(of(name))).toEqual([expect.stringMatching(/^boundary-differs/)]);
    expect(await told(of('tank'))).toEqual([]);
  });

  it('in what the row of something outside lists beside it', async () => {
    const lines = (about: string) => [
      '# 3.1 Inside of the item',
      '| Element | Description |',
      '| WCU | Warning unit |',
      '| BC | Backup cell in WCU |',
      '# 3.2 Outside of the item',
      '| Element | Description |',
      '| CAN-2 | Bus of WCU and METER |',
      `| B+ | ${about} |`,
    ];
    expect(await told(lines('12 V supply and battery, backup cell BC of WCU'))).toEqual([
      'boundary-differs bc',
    ]);
    expect(await told(lines('12 V supply and battery, charges BC'))).toEqual([]);
  });
});

describe('rows of a record', () => {
  const record = (
    third: string,
    fourth = '| FSC | Mia Roth | Ole Brandt | I2 | 2025-05-02 | 2025-05-06 |',
  ) => [
    '# Reviews',
    '| Document | Written by | Looked at by | Degree | Held | Released |',
    '| Safety plan | Ann Lee | Ole Brandt | I2 | 2025-02-03 | 2025-02-07 |',
    '| Item definition | Ann Lee | Ole Brandt | I2 | 2025-03-03 | 2025-03-05 |',
    third,
    fourth,
    '| TSC | Mia Roth | Ole Brandt | I2 | 2025-06-02 | 2025-06-06 |',
  ];
  const clean = '| HARA | Ann Lee | Eva Stein | I3 | 2025-04-02 | 2025-04-07 |';

  it('say nothing in order', async () => {
    expect(await told(record(clean))).toEqual([]);
  });

  it('tell the one whose days stand the other way round', async () => {
    expect(await told(record(clean.replace('2025-04-02', '2025-04-09')))).toEqual(['days-out-of-order HARA']);
    const german = record(clean.replace('2025-04-02', '09.04.2025')).map((line) =>
      line
        .replace(/(\d{4})-(\d\d)-(\d\d)/g, '$3.$2.$1')
        .replace('Held', 'Geprüft am')
        .replace('Released', 'Freigabe'),
    );
    expect(await told(german)).toEqual(['days-out-of-order HARA']);
  });

  it('tell nothing where two rows differ, or the days were planned', async () => {
    const late = record(
      clean.replace('2025-04-02', '2025-04-09'),
      '| FSC | Mia Roth | Ole Brandt | I2 | 2025-05-12 | 2025-05-06 |',
    );
    expect(await told(late)).toEqual([]);
    expect(
      await told(
        record(clean.replace('2025-04-02', '2025-04-09')).map((line) => line.replace('Released', 'Due')),
      ),
    ).toEqual([]);
  });

  it('tell who looked at their own work', async () => {
    expect(await told(record(clean.replace('Eva Stein', 'A. Lee')))).toEqual(['confirmed-by-author HARA']);
  });

  it('tell less independence than the plan has', async () => {
    const plan = [
      '# Safety plan',
      '| Document | Measure | Degree | By |',
      '| HARA | Confirmation review | I3 | Eva Stein |',
      '| FSC | Confirmation review | I2 | Ole Brandt |',
      '| Functional safety | Assessment | I3 | Eva Stein |',
    ];
    const both = async (row: string) => {
      const documents = [
        analysedDocument('safety_plan.md', plan),
        analysedDocument('reviews.md', record(row)),
      ].map((one, at) => ({
        ...one,
        ...(at === 0 ? { typeId: 'safety_plan' } : {}),
      }));
      const corpus = await corpusOf({ documents, scope: {} }, async () => {});
      return statedContradictions(corpus).map(({ rule, affected }) => `${rule} ${affected.join(',')}`);
    };
    expect(await both(clean)).toEqual([]);
    expect(await both(clean.replace('I3', 'I1'))).toEqual(['independence-below-plan HARA']);
  });
});

describe('the cover of a document', () => {
  const forms = {
    fields: (review: string, by = 'Ole Brandt') => [
      '# HARA',
      '| Field | Entry |',
      '| Author | Ann Lee, 2025-03-01 |',
      `| Review | ${by}, ${review} |`,
      '| Released | Mia Roth, 2025-03-09 |',
    ],
    'one row': (review: string, by = 'Ole Brandt') => [
      '# HARA',
      '| Prepared | Checked | Approved |',
      `| Ann Lee 2025-03-01 | ${by} ${review} | Mia Roth 2025-03-09 |`,
    ],
    'one row in German': (review: string, by = 'Ole Brandt') => [
      '# GuR',
      '| Verfasserin | Bestätigungsprüfung | Freigabe |',
      `| Ann Lee, 01.03.2025 | ${by}, ${review.replace(/(\d{4})-(\d\d)-(\d\d)/, '$3.$2.$1')} | Mia Roth, 09.03.2025 |`,
    ],
  };
  it.each(Object.entries(forms))('as %s', async (_, lines) => {
    expect(await told(lines('2025-03-05'))).toEqual([]);
    expect(await told(lines('2025-03-12'))).toEqual([expect.stringMatching(/^reviewed-after-release/)]);
    expect(await told(lines('2025-03-05', 'Ann Lee'))).toEqual([
      expect.stringMatching(/^confirmed-by-author/),
    ]);
  });
});

describe('what all rows say but one', () => {
  const failures = (measure: string, other = 'two crystals and a window watchdog') => [
    '# Dependent failures',
    '| DF | Common cause | What we do against it | Judged |',
    '| DF-1 | Supply | two converters on two fuses | fine |',
    `| DF-2 | Clock | ${measure} | fine |`,
    '| DF-3 | Heat | 40 mm between both and a cut at 125 °C | fine |',
    `| DF-4 | Arithmetic | ${other} | fine |`,
  ];
  it('a measure', async () => {
    expect(await told(failures('two crystals that watch each other'))).toEqual([]);
    expect(await told(failures('–'))).toEqual(['cell-left-empty DF-2']);
    expect(await told(failures('–', '–'))).toEqual([]);
  });

  it('a reason of the tailoring, in German', async () => {
    const rows = (reason: string) => [
      '# Zuschnitt',
      '| Was entfällt | Warum das zulässig ist |',
      '| Teil 7 | beginnt erst mit dem C-Muster |',
      '| Teil 12 | kein Motorrad, sondern ein Lieferwagen |',
      `| Teil 6 | ${reason} |`,
      '| Sicherheitsnachweis | folgt vor der Serie mit Felddaten |',
    ];
    expect(await told(rows('eigener Plan der Elektronik'))).toEqual([]);
    expect(await told(rows('–'))).toEqual(['cell-left-empty Teil 6']);
  });

  it('a result', async () => {
    const specification = [
      '| Test | Verifies | Steps | Expected result |',
      ...[1, 2, 3, 4, 5, 6].map((at) => `| VT-${at} | TSR-${at} | cut the line | lamp on |`),
    ];
    const report = (...tests: readonly number[]) => [
      '| Test | Measured | Verdict |',
      ...tests.map((at) => `| VT-${at} | lamp on after 3 ms | pass |`),
    ];
    expect(await told(specification, report(1, 2, 3, 4, 5, 6))).toEqual([]);
    expect(await told(specification, report(1, 2, 3, 4, 6))).toEqual(['planned-test-without-result VT-5']);
    expect(await told(specification, report(1, 2))).toEqual([]);
    expect(
      await told(specification, [...report(1, 2, 3, 4, 6), '', 'VT-5 was moved to the next sample.']),
    ).toEqual([]);
  });
});

describe('who does it', () => {
  const rows = (third: string) => [
    '| ID | Requirement | ASIL | Element |',
    '| TSR-1 | TDU samples the pressure every 100 ms. | B | TDU |',
    '| TSR-2 | BMC samples every cell. | B | BMC |',
    `| TSR-3 | BMC sets no event by one quantity alone. | B | ${third} |`,
    '| TSR-4 | WCU drives the lamp. | B | WCU, LP |',
    '| TSR-5 | WCU and BMC have clocks of their own. | B | Housing |',
    '| TSR-6 | WCU tests the lamp. | B | WCU |',
  ];
  it('by the first word of the text', async () => {
    expect(await told(rows('BMC'))).toEqual([]);
    expect(await told(rows('TDU'))).toEqual(['allocation-against-text TSR-3']);
  });

  it('by the first word, in German', async () => {
    const german = (third: string) =>
      rows(third).map((line) => line.replace(/\| (TDU|BMC|WCU) (?=\p{Ll})/u, '| Der $1 '));
    expect(await told(german('BMC'))).toEqual([]);
    expect(await told(german('TDU'))).toEqual(['allocation-against-text TSR-3']);
  });

  it('beside the id in a table of decompositions', async () => {
    const lines = (second: string) => [
      '| ID | Requirement | Derived from | ASIL | Element |',
      '| TSA-1 | regelt den Winkel | FSA-2 | B(D) | HR |',
      '| TSA-2 | rechnet nach | FSA-3 | B(D) | UER |',
      '| TSA-3 | prüft CAN-1 | FSA-7 | B(D) | HR |',
      '# Zerlegung',
      '| Nr. | Zweig 1 | Zweig 2 |',
      `| ZL-1 | FSA-2, B(D), im HR | FSA-3, B(D), im ${second} |`,
      '| ZL-2 | FSA-7, B(D), im HR | Relais |',
    ];
    expect(await told(lines('UER'))).toEqual([]);
    expect(await told(lines('HR'))).toEqual(['allocation-differs FSA-3']);
  });
});

describe('safe states', () => {
  const goals = (state: string) => [
    '| ID | Safety goal | ASIL | Safe state |',
    '| SG-1 | The pump shall not run dry. | B | SS-1: pump motor without current |',
    `| SG-2 | The valve shall not close. | B | ${state} |`,
    '| SG-3 | The lamp shall not stay dark. | A | SS-3: lamp supplied by the second fuse |',
  ];
  it.each([
    'driver keeps the vehicle under control',
    'SS-2 the driver must brake',
    'Fahrer hält das Fahrzeug in der Spur',
  ])('left to a person: %s', async (state) => {
    expect(await told(goals(state))).toEqual(['safe-state-left-to-person SG-2']);
  });
  it.each(['SS-2: valve held open, driver is warned', 'SS-2: Ventil stromlos, Fahrer kann weiterfahren'])(
    'of the item: %s',
    async (state) => {
      expect(await told(goals(state))).toEqual([]);
    },
  );

  it('in other words than all the others', async () => {
    const concept = (second: string) => [
      'SG-1 is kept by the pump unit. Safe state SS-1, pump motor without current.',
      `SG-2 is kept by the valve unit. Safe state SS-2, ${second}.`,
      'SG-3 is kept by the lamp unit. Safe state SS-3, lamp supplied by the second fuse.',
    ];
    const of = (second: string) =>
      told(goals('SS-2: valve output held open without current'), concept(second));
    expect(await of('valve output held open without current')).toEqual([]);
    expect(await of('valve output at the last valid demand')).toEqual(['safe-state-of-goal-twice SG-2']);
  });
});

describe('names of parameters', () => {
  const lines = (...rows: readonly string[]) => [
    '| Parameter | Value | Unit |',
    '| K_UMIN | 8.5 | V |',
    '| K_TMAX | 90 | °C |',
    ...rows,
    '# Requirements',
    '| ID | Requirement | ASIL | Uses |',
    '| TA-1 | The unit stops below K_UMIN. | B | K_UMIN |',
    '| TA-2 | The unit stops after a dead motor. | B | K_TMOT |',
    '| TA-3 | The unit sends WCU_ALV. | B | K_TMAX |',
    '# Interfaces',
    '| Nr. | To | Signal |',
    '| I-1 | METER | WCU_ALV, WCU_ST (CAN-2) |',
  ];
  it('in a column of their own, and those of signals', async () => {
    expect(await told(lines('| K_TMOT | 190 | ms |'))).toEqual([]);
    expect(await told(lines())).toEqual(['parameter-other-name TA-2,K_TMOT']);
  });
});

describe('a confirmation measure of the plan', () => {
  const plan = [
    '# Safety plan',
    '## Confirmation measures',
    '| Measure | Demanded | By |',
    '|---|---|---|',
    '| Safety plan | I3 | Eva Stein |',
    '| Hazard analysis and risk assessment | I3 | Eva Stein |',
    '| Functional concept | I3 | Eva Stein |',
    '| Technical concept | I3 | Eva Stein |',
    '| Safety analyses and DFA | I3 | Paul Wirth |',
  ];
  const rows = [
    '| Safety plan | PX-01 version 1.1 | I3 | Eva Stein | 27 Feb 2024 | accepted |',
    '| Hazard analysis and risk assessment | PX-03 version 2.2 | I3 | Eva Stein | 28 Aug 2024 | accepted |',
    '| Functional concept | PX-04 version 1.5 | I3 | Eva Stein | 30 Aug 2024 | accepted |',
    '| Technical concept | PX-05 version 1.2 | I3 | Eva Stein | 06 Sep 2024 | accepted |',
  ];
  const told = async (...more: readonly string[]) => {
    const record = [
      '# Confirmation reviews',
      '| Measure | On | Demanded | Reviewer | Held on | Result |',
      '|---|---|---|---|---|---|',
      ...rows,
      ...more,
    ];
    const documents = [
      { ...analysedDocument('safety_plan.md', plan), typeId: 'safety_plan' },
      analysedDocument('reviews.md', record),
    ];
    const corpus = await corpusOf({ documents, scope: {} }, async () => {});
    return statedContradictions(corpus).flatMap(({ rule, affected }) =>
      rule === 'measure-without-record' ? affected : [],
    );
  };

  it('is told when the record has all others', async () => {
    expect(await told()).toEqual(['Safety analyses and DFA']);
  });
  it.each([
    '| Safety analyses and DFA | PX-03 version 2.2 | I3 | Paul Wirth | 09 Sep 2024 | accepted |',
    'The review of safety analyses and DFA is planned for March.',
  ])('is not when the record tells of it: %s', async (line) => {
    expect(await told(line)).toEqual([]);
  });
});
