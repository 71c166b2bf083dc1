import { describe, expect, it } from 'vitest';
import { loadChecklist } from '../../checklists/load-checklists.js';
import { analysedDocument } from '../../testing/document-fixture.js';
import type { ItemResult } from './checklist-analysis.js';
import { checkChecklist } from './run.js';

const HEAD = (title: string, further: readonly string[] = []) => [
  `# ${title}`,
  '| Field | Value |',
  '| Document ID | DOC-1 |',
  '| Version | 1.2 |',
  '| Status | Released |',
  '| Author | Anna Weber |',
  '| Approved by | Jan Kurz |',
  '| Date | 2026-10-01 |',
  ...further,
];

async function answers(
  id: string,
  documents: readonly (readonly [string, readonly string[]])[],
  conditions: Readonly<Record<string, boolean>> = {},
): Promise<(item: string) => ItemResult> {
  const { items } = await checkChecklist({
    checklist: await loadChecklist(id),
    documents: documents.map(([name, lines]) => analysedDocument(name, lines)),
    options: { conditions, today: '2026-11-01' },
  });
  return (item) => items.find((one) => one.itemId === `${id}-${item}`)!;
}
const quoted = ({ evidence }: ItemResult) =>
  evidence.filter(({ role }) => role === 'counter').map(({ quote }) => quote);

const TARA_TITLES =
  '| Asset | Cybersecurity property | Damage scenario | Impact | Threat scenario | Attack path | Attack feasibility | Risk value | Treatment decision | Cybersecurity goal |';
const tara = (...rows: readonly string[]) => [
  ...HEAD('Threat analysis and risk assessment (TARA) of the door lock'),
  '# Method and rating scales',
  'Impact is rated severe, major, moderate or negligible; feasibility is rated high, medium, low or very low by time, expertise and equipment.',
  'The risk value follows from the matrix of impact and feasibility in the table of this section, from 1 to 5.',
  '# Threat analysis',
  TARA_TITLES,
  ...rows,
];
const GOOD_ROW =
  '| Lock command | Integrity | The door opens while driving | S: severe, F: moderate, O: major, P: negligible | Spoofing of the lock command breaks its integrity | Attacker connects to the OBD port and sends the command | Medium (time 1 week, expertise proficient, equipment standard) | 4 | Reduce: authenticate the command | CSG-01 |';

describe('threat analysis', () => {
  it('passes where every row is filled in', async () => {
    const of = await answers('CS-TARA', [['TARA.md', tara(GOOD_ROW)]]);
    expect(['02', '03', '05', '06', '10', '13', '14'].map((item) => [item, of(item).verdict])).toEqual(
      ['02', '03', '05', '06', '10', '13', '14'].map((item) => [item, 'pass']),
    );
    expect(of('03').evidence[0]!.quote).toBe('Lock command');
  });

  it('fails where an asset has no property and a threat no decision, and names the rows', async () => {
    const hollow =
      '| Key store |  | Keys are stolen | S: negligible, F: major, O: moderate, P: severe | Extraction of keys from the store | Attacker opens the unit and reads the memory | Low (time 6 months, expertise expert) | 2 |  |  |';
    const of = await answers('CS-TARA', [['TARA.md', tara(GOOD_ROW, hollow)]]);
    expect(of('03')).toMatchObject({ verdict: 'fail', severity: 'critical' });
    expect(of('13')).toMatchObject({
      verdict: 'fail',
      severity: 'critical',
      instances: { met: 1, total: 2 },
    });
    expect(quoted(of('13')).join(' ')).toContain('Key store');
    expect(of('10').verdict).toBe('pass');
  });

  it('is missing where no such document is given, and says what was searched', async () => {
    const of = await answers('CS-TARA', [['Project plan.md', HEAD('Project plan of the door lock')]]);
    expect(of('03')).toMatchObject({ verdict: 'missing', severity: 'critical', evidence: [] });
    expect(of('03').search?.statement).toMatch(/^Searched 1 document /);
  });
});

describe('cybersecurity tests', () => {
  const specification = (...lines: readonly string[]) =>
    [
      ['Test specification.md', [...HEAD('Test specification of the door lock'), '# Test cases', ...lines]],
    ] as const;

  it('needs the topic of a statement, not only the words of its other parts', async () => {
    const other = await answers(
      'CS-VV',
      specification('TC-1 verifies that the latch is closed and locked after 200 ms.'),
    );
    expect(other('04').verdict).toBe('missing');
    const of = await answers(
      'CS-VV',
      specification(
        'The test showed on the production sample that the debug port is locked and JTAG is disabled.',
      ),
    );
    expect(of('04')).toMatchObject({ verdict: 'pass', needsConfirmation: false });
  });
});

describe('project management', () => {
  const plan = (...rows: readonly string[]) => [
    ...HEAD('Project plan of the door lock'),
    '# Scope',
    'The project delivers the door lock unit with hardware, software and documentation; the key fob and the vehicle network are excluded.',
    '# Work packages',
    '| ID | Work package | Owner | Effort | Start | End | Dependency | Status |',
    ...rows,
  ];
  const wp = (number: number, owner: string) =>
    `| WP-${number} | Work package ${number} of the unit | ${owner} | 20 days | 2026-01-10 | 2027-02-01 | WP-${number - 1} | open |`;

  it('passes where work packages have owner, effort, dates and dependency', async () => {
    const of = await answers('ASP-MAN3', [
      ['Project plan.md', plan(wp(1, 'J. Kurz'), wp(2, 'A. Weber'), wp(3, 'A. Weber'))],
    ]);
    expect(of('01').verdict).toBe('pass');
    expect(of('04')).toMatchObject({ verdict: 'pass', needsConfirmation: false });
  });

  it('fails where owners are missing', async () => {
    const of = await answers('ASP-MAN3', [
      ['Project plan.md', plan(wp(1, 'J. Kurz'), wp(2, ''), wp(3, 'TBD'))],
    ]);
    expect(of('04')).toMatchObject({ verdict: 'fail', severity: 'high' });
    // The effort is an estimate; that it is compared with anything, a person has to see.
    expect(of('05').needsConfirmation).toBe(true);
  });
});

describe('software requirements', () => {
  const srs = (...rows: readonly string[]) => [
    ...HEAD('Software requirements specification of the door lock'),
    '# Requirements',
    '| ID | Requirement | Derived from | Release |',
    ...rows,
  ];
  const system = [
    ...HEAD('System requirements specification of the door lock'),
    '# Requirements',
    '| ID | Requirement |',
    '| SYSREQ-1 | The system shall lock the door within 200 ms after the command. |',
  ];
  const good =
    '| SWR-1 | The software shall send the lock message within 50 ms after the command. | SYSREQ-1 | R1 |';

  it('passes and fails by links, releases and wording', async () => {
    const documents = (...rows: readonly string[]) =>
      [
        ['System requirements specification.md', system],
        ['Software requirements specification.md', srs(...rows)],
      ] as const;
    const right = await answers('ASP-SWE1', documents(good));
    expect(['01', '03', '04', '07'].map((item) => right(item).verdict)).toEqual([
      'pass',
      'pass',
      'pass',
      'pass',
    ]);
    const wrong = await answers(
      'ASP-SWE1',
      documents(good, '| SWR-2 | The software shall react quickly to faults. |  |  |'),
    );
    expect(['01', '03', '04', '07'].map((item) => wrong(item).verdict)).toEqual([
      'pass',
      'fail',
      'fail',
      'fail',
    ]);
    expect(wrong('07').affectedItems).toEqual(['SWR-2']);
    expect(quoted(wrong('03'))).toEqual(['The software shall react quickly to faults.']);
  });

  it('fails where an id means two things, and quotes the one that it names', async () => {
    const other = srs(
      '| SWR-1 | The software shall store the number of unlock commands of a day. | SYSREQ-1 | R1 |',
    );
    const of = await answers('ASP-SWE1', [
      ['Software requirements specification.md', srs(good)],
      ['Software requirements specification of the key.md', other],
    ]);
    expect(of('01')).toMatchObject({ verdict: 'fail', rules: ['duplicate-id'], affectedItems: ['SWR-1'] });
    expect(quoted(of('01'))).toHaveLength(1);
  });

  it('is not sure of an absence where nobody knows what the statements given are', async () => {
    const statements = ['lock the door', 'unlock the door', 'store the state'].map(
      (verb, at) => `| cFX100${at} | Upon receipt of a command, the unit shall ${verb} at once. |`,
    );
    const unknown = await answers('ASP-SWE1', [
      ['export.csv', ['| Requirement ID | Description |', ...statements]],
    ]);
    expect(unknown('07')).toMatchObject({ verdict: 'missing', needsConfirmation: true });
    expect(unknown('01')).toMatchObject({ verdict: 'pass', needsConfirmation: true });
    const none = await answers('ASP-SWE1', [['note.md', ['# Note', 'Nothing is demanded here.']]]);
    expect(none('07')).toMatchObject({ verdict: 'missing', needsConfirmation: false });
    expect(none('01').verdict).toBe('missing');
  });

  it('does not apply where a person says that there is no software', async () => {
    const of = await answers('ASP-SWE1', [['System requirements specification.md', system]], {
      software: false,
    });
    expect(of('01').verdict).toBe('NA');
  });
});

describe('configuration management in German', () => {
  it('reads states and baselines, and lets a plan be no restore test', async () => {
    const of = await answers('ASP-SUP8', [
      [
        'Konfigurationsmanagementplan.md',
        [
          '# Konfigurationsmanagementplan des Türschlosses',
          '# Baselines',
          'Zu jedem Meilenstein wird eine Baseline mit Dokumenten, Code, Werkzeugen und Tests erstellt und im Werkzeug mit einem Tag versehen.',
          '# Datensicherung',
          'Die Daten werden täglich gesichert.',
        ],
      ],
    ]);
    expect(of('05').verdict).toBe('pass');
    expect(of('09').verdict).toBe('missing');
  });
});
