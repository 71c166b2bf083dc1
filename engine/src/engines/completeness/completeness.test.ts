import { describe, expect, it } from 'vitest';
import type { AnalysedDocument } from '../../corpus/analysed-document.js';
import { analysedDocument } from '../../testing/document-fixture.js';
import type { CheckedDocument, CompletenessInput, SectionResult } from './completeness.js';
import { checkCompleteness, completenessEvents } from './run.js';

const prose =
  'The team described the topic of this section for the power tailgate in enough words to be of use.';
const check = (documents: readonly AnalysedDocument[], rest: Partial<CompletenessInput> = {}) =>
  checkCompleteness({ documents, ...rest });

/** Sections of one document by key. */
async function sectionsOf(
  document: AnalysedDocument,
  others: readonly AnalysedDocument[] = [],
): Promise<Record<string, SectionResult>> {
  const { documents } = await check([document, ...others]);
  return Object.fromEntries(
    documents[0]!.templates.flatMap((one) => one.sections).map((one) => [one.key, one]),
  );
}

const concept = (lines: readonly string[], status = 'draft') =>
  analysedDocument('Technical safety concept.md', [
    '# Technical safety concept',
    `Status: ${status}`,
    ...lines,
  ]);

describe('a run that was cut short', () => {
  it('goes on from the documents that it had checked, to the same result', async () => {
    const documents = [
      concept(['## Safety mechanisms', 'TBD']),
      analysedDocument('HARA.md', ['# Hazard analysis and risk assessment', '## Safety goals', 'TBD']),
    ];
    const units: CheckedDocument[] = [];
    for await (const event of completenessEvents({ documents })) {
      if (event.type === 'unit') units.push(event.unit);
    }
    const whole = await check(documents);
    expect(units).toHaveLength(2);
    // As they come back from where they were kept.
    const known = JSON.parse(JSON.stringify(units.slice(0, 1))) as CheckedDocument[];
    expect(await check(documents, { known })).toEqual(whole);
    const [first] = known;
    const marked = { document: { ...first!.document, name: 'checked before' }, findings: [] };
    expect((await check(documents, { known: [marked] })).documents[0]!.name).toBe('checked before');
  });
});

describe('states of sections', () => {
  it('are the eight of the template rules, each with what shows it', async () => {
    const own = await sectionsOf(
      concept([
        '## Scope and inputs',
        prose,
        '## Technical safety requirements',
        'To be written.',
        'TBD',
        '## Safety mechanisms',
        '[Instructions: list the mechanisms]',
        '## Timing',
        'Reaction within 20 ms.',
        '## System architecture',
        'See SYS-ARC-003 v1.2.',
        '## Hardware-software interface',
        'Not applicable because the element consists of software only and has no registers.',
        '## Requirements for production and service',
        'N/A',
        '## Safety analyses summary',
        '! ',
        '## Other things',
        'The verification criteria and the integration test criteria of each requirement are reviewed by the team.',
      ]),
    );
    const states = Object.fromEntries(Object.entries(own).map(([key, one]) => [key, one.state]));
    expect(states).toMatchObject({
      scope: 'complete',
      tsr: 'placeholder',
      mechanisms: 'empty',
      timing: 'thin',
      architecture: 'by_reference',
      hsi: 'tailored_out',
      production: 'empty',
      analysis: 'thin',
      allocation: 'missing',
    });
    expect(own.analysis).toMatchObject({ needsPerson: true });
    expect(own.mechanisms!.evidence[0]!.quote).toBe('Safety mechanisms');
    expect(own.allocation!.search).toMatchObject({ documentIds: ['Technical safety concept.md'] });
    expect(own.allocation!.search!.statement).toContain('nothing found');
  });

  it('find content without a heading in columns, records and statements', async () => {
    const own = await sectionsOf(
      analysedDocument('HARA.md', [
        '# Hazard analysis and risk assessment',
        '## Results',
        '| ID | Malfunction | Operational situation | Hazardous event | S | Rationale S | E | C | ASIL | Safety goal |',
        '| HE-1 | Opens unasked | Fast driving | Load falls out | 3 | Deadly for others | 4 | 3 | D | SG-01 |',
        '## Goals of the item',
        'SG-01 (ASIL D): The tailgate shall stay closed while the vehicle moves.',
      ]),
    );
    expect(own.situations).toMatchObject({ state: 'present_unlabelled' });
    expect(own.situations!.evidence[0]!.quote).toBe('Fast driving');
    expect(own.safety_goals!.state).toBe('present_unlabelled');
    // One of three rationales is not the rationale.
    expect(own.rationale!.state).toBe('missing');
    expect(own.misuse!.state).toBe('missing');
  });

  it('take a heading of the table of contents for nothing', async () => {
    const own = await sectionsOf(concept(['~ Safety mechanisms ........ 12', '## Scope', prose]));
    expect(own.mechanisms!.state).toBe('missing');
  });

  it('let one heading serve two sections only where it names both', async () => {
    const document = (heading: string) =>
      analysedDocument('HARA.md', ['# Hazard analysis and risk assessment', `## ${heading}`, prose]);
    const both = await sectionsOf(document('Safety goals and safe states'));
    expect([both.safety_goals!.state, both.safe_states!.state]).toEqual(['complete', 'complete']);
    const one = await sectionsOf(document('Safety goals'));
    expect([one.safety_goals!.state, one.safe_states!.state]).toEqual(['complete', 'missing']);
  });
});

describe('references to other documents', () => {
  const pointing = concept(['## System architecture', 'See DOC-AB-0417 v1.2.']);
  const target = (lines: readonly string[]) =>
    analysedDocument('DOC-AB-0417.md', ['# Overview of the actuator', ...lines]);
  const titles = async (others: readonly AnalysedDocument[]) =>
    (await check([pointing, ...others])).findings.filter((one) => one.criterionId.endsWith('.architecture'));

  it('count where the document was given and treats the topic', async () => {
    const others = [target(['## System architecture overview', prose])];
    const { architecture } = await sectionsOf(pointing, others);
    expect(architecture!.reference).toEqual({
      name: 'DOC-AB-0417.md',
      documentId: 'DOC-AB-0417.md',
      target: 'provided',
    });
    expect(await titles(others)).toEqual([]);
  });

  it('are a low gap where it was not given, a full one where it does not treat the topic', async () => {
    expect(await titles([])).toMatchObject([{ severity: 'low', kind: 'section_by_reference' }]);
    expect(await titles([target(['## Colours', prose])])).toMatchObject([{ severity: 'high' }]);
  });
});

describe('severity', () => {
  const severityOf = async (lines: readonly string[], section: string) => {
    const { findings } = await check([
      concept(['## Scope and inputs', prose, '## System architecture', prose, ...lines]),
    ]);
    const id = `technical_safety_concept.${section}`;
    const all = findings.flatMap((one) => one.affected ?? [{ ...one, id: one.criterionId }]);
    return all.find((one) => one.id === id)?.severity;
  };

  it.each([
    ['a missing section', ['## Scope', prose], 'timing', 'high'],
    ['an empty one, one step less', ['## Timing'], 'timing', 'medium'],
    ['an empty safety-critical one, none less', ['## Technical safety requirements'], 'tsr', 'critical'],
    [
      'instructions left alone',
      ['## Requirements for production and service', '[Instructions: list them]'],
      'production',
      'medium',
    ],
    ['a thin one, two steps less', ['## Timing', 'Short.'], 'timing', 'low'],
    [
      'left out with a reason',
      ['## Timing', 'Not applicable because nothing in this concept reacts to any fault.'],
      'timing',
      undefined,
    ],
    [
      'safety-critical left out without a record',
      ['## Safety mechanisms', 'Not applicable because nothing in this concept reacts to any fault.'],
      'mechanisms',
      'medium',
    ],
    ['left out without a reason', ['## Timing', 'N/A'], 'timing', 'medium'],
  ] as const)('of %s', async (_, lines, section, expected) => {
    expect(await severityOf(lines, section)).toBe(expected);
  });

  it('is asked for once where the document is nothing but its template', async () => {
    const { findings, documents } = await check([
      concept([
        '## Scope and inputs',
        '[Instructions: state the inputs]',
        '## Technical safety requirements',
        '[Instructions: fill in the table]',
        '## Safety mechanisms',
        '[Instructions: list them]',
      ]),
    ]);
    expect(documents[0]!.templates[0]!.emptyTemplate).toBe(true);
    expect(documents[0]!.instructions.count).toBe(3);
    expect(findings).toMatchObject([{ kind: 'empty_template', severity: 'critical' }]);
    expect(findings[0]!.affectedItems).toContain('technical_safety_concept.mechanisms');
  });

  it('leaves what a person has to decide out of the score', async () => {
    const { documents, questions, score } = await check([concept(['## Scope', prose])]);
    const unknown = documents[0]!.templates[0]!.sections.filter((one) => one.applies === 'unknown');
    expect(unknown.map((one) => one.key)).toContain('ffi');
    expect(questions.flatMap((one) => one.sections.map((place) => place.section))).toContain(
      'technical_safety_concept.ffi',
    );
    expect(score.unknown).toBe(unknown.length);
    const answered = await check([concept(['## Scope', prose])], {
      options: { conditions: { freedom_from_interference_claimed: true } },
    });
    expect(answered.findings.flatMap((one) => one.affectedItems)).toContain('technical_safety_concept.ffi');
  });

  it('weighs sections by severity and state', async () => {
    const lines = (extra: readonly string[]) =>
      analysedDocument('Test report.md', ['# Test report', ...extra]);
    const { score: nothing } = await check([lines(['## Nothing', prose])]);
    expect(nothing.value).toBe(0);
    const { documents } = await check([lines(['## Results', prose, '## Conclusion', 'Passed.'])]);
    const sections = documents[0]!.templates[0]!.sections.filter((one) => one.applies === 'yes');
    const weight = { critical: 8, high: 5, medium: 3, low: 1 };
    const value = { complete: 1, thin: 0.5, missing: 0 } as Record<string, number>;
    const all = sections.reduce((sum, one) => sum + weight[one.severity], 0);
    const met = sections.reduce((sum, one) => sum + weight[one.severity] * value[one.state]!, 0);
    expect(documents[0]!.score.value).toBe(Math.round((met / all) * 1000) / 10);
    expect(documents[0]!.score.states).toMatchObject({ complete: 1, thin: 1 });
  });
});

describe('tables', () => {
  const hara = (
    rows: readonly string[],
    columns = 'ID | Safety goal | ASIL | Safe state | FTTI | Hazard ID',
  ) =>
    analysedDocument('HARA.md', [
      '# Hazard analysis and risk assessment',
      '## Safety goals',
      `| ${columns} |`,
      ...rows,
    ]);
  const of = async (document: AnalysedDocument) =>
    (await check([document])).findings.filter((one) => one.criterionId === 'hara.safety_goal_table');

  it('miss columns: high where they link or rate', async () => {
    const rows = ['| SG-1 | Stay closed | Closed | 300 ms |'];
    const [finding] = await of(hara(rows, 'ID | Safety goal | Safe state | FTTI'));
    expect(finding).toMatchObject({
      kind: 'table_columns',
      severity: 'high',
      affectedItems: ['asil', 'source'],
    });
  });

  it('leave cells open: by what the column decides and how many', async () => {
    const full = Array.from(
      { length: 18 },
      (_, at) => `| SG-${at} | Stay closed | B | Closed | 300 ms | HE-1 |`,
    );
    expect(await of(hara(full))).toEqual([]);
    expect(await of(hara([...full, '| SG-90 | Stay closed | B | - | 300 ms | HE-1 |']))).toMatchObject([
      { kind: 'table_cells', severity: 'medium', affectedItems: ['safe_state'] },
    ]);
    const open = await of(hara([...full.slice(0, 4), '| SG-90 | Stay closed |  | Closed | | HE-1 |']));
    expect(open.map(({ severity, affectedItems }) => [severity, affectedItems[0]])).toEqual([
      ['high', 'asil'],
      ['medium', 'ftti'],
    ]);
    // Every quote shows the row, although an empty cell has no words.
    expect(open[0]!.evidence[0]!.quote).toBe('SG-90');
  });

  it('take a dash in the goal of a QM row for an answer', async () => {
    const document = analysedDocument('HARA.md', [
      '# Hazard analysis and risk assessment',
      '| ID | Malfunction | Situation | Hazardous event | Effect | S | S rationale | E | E rationale | C | C rationale | ASIL | Safety goal |',
      '| HE-1 | Opens | Fast | Load lost | Harm | 3 | Deadly | 4 | Often | 3 | Hard | D | SG-1 |',
      '| HE-2 | Beeps | Slow | None | None at all | 0 | Harmless | 4 | Often | 1 | Easy | QM | – |',
    ]);
    const { findings } = await check([document]);
    expect(
      findings.filter(
        (one) => one.criterionId === 'hara.hazard_table' && one.affectedItems.includes('safety_goal'),
      ),
    ).toEqual([]);
  });

  it('take a dash beside a class 0 for an answer, and only there', async () => {
    const openCells = async (severity: string, asil: string) => {
      const document = analysedDocument('HARA.md', [
        '# Gefährdungsanalyse und Risikobewertung',
        '| ID | Fehlfunktion | Betriebssituation | Gefährliches Ereignis | Folge | S | Begründung S | E | Begründung E | C | Begründung C | ASIL | Sicherheitsziel |',
        '| HE-1 | Öffnet | Schnell | Ladung fällt | Aufprall | S3 | Tödlich bei hohem Tempo | E4 | Auf fast jeder Fahrt | C3 | Kaum jemand weicht aus | D | SZ-1 |',
        `| HE-2 | Piept | Langsam | Keine | Keine | ${severity} | Keine Verletzung | - | entfällt | – | n/a | ${asil} | - |`,
      ]);
      const { findings } = await check([document]);
      return findings
        .filter(({ criterionId }) => criterionId === 'hara.hazard_table')
        .flatMap(({ affectedItems }) => affectedItems)
        .filter((key) => /severity|exposure|controllability|asil|goal/.test(key));
    };
    expect(await openCells('S0', 'QM')).toEqual([]);
    expect(await openCells('S0', '-')).toEqual([]);
    expect(await openCells('S1', 'QM')).not.toEqual([]);
  });

  it('have a header and no row', async () => {
    expect(await of(hara(['| | | | | | |']))).toMatchObject([]);
    const { documents } = await check([hara(['| | | | | | |'])]);
    expect(documents[0]!.templates[0]!.tables[1]!.state).toBe('no_rows');
    expect(documents[0]!.templates[0]!.sections.find((one) => one.key === 'safety_goals')!.state).not.toBe(
      'complete',
    );
  });
});

describe('metadata', () => {
  const plan = (lines: readonly string[]) =>
    analysedDocument('Safety plan.md', ['# Safety plan of the tailgate', ...lines, '## Scope', prose]);
  const fieldsOf = async (lines: readonly string[], rest: Partial<CompletenessInput> = {}) => {
    const { documents, findings } = await check([plan(lines)], rest);
    return { fields: Object.fromEntries(documents[0]!.metadata.map((one) => [one.key, one])), findings };
  };

  it('is missing at the severity of the worst, the approver only of what is approved', async () => {
    const { fields, findings } = await fieldsOf(['Version: 1.0', 'Status: draft']);
    expect(fields).toMatchObject({
      version: { state: 'present' },
      approver: { applies: false },
      title: { state: 'present' },
    });
    const missing = findings.filter((one) => one.kind === 'metadata_missing');
    expect(missing.map((one) => one.severity)).toEqual(['medium']);
    expect(new Set(missing[0]!.affected!.map((one) => one.severity))).toEqual(new Set(['medium', 'low']));
    const approved = await fieldsOf(['Version: 1.0', 'Status: approved']);
    expect(approved.findings.find((one) => one.affectedItems.includes('approver'))).toMatchObject({
      severity: 'high',
    });
  });

  it('has values that cannot be right', async () => {
    const { fields } = await fieldsOf(
      [
        'Document ID: XXX',
        'Version: first',
        'Status: blue',
        'Date: 2031-02-01',
        'Author: A. Lindt',
        'Reviewer: A. Lindt',
        'Project: Window lifter',
        '## Change history',
        '| Version | Date | Change |',
        '| 0.1 | 2024-01-01 | Draft |',
        '| 0.3 | 2024-02-01 | Review |',
        '| 0.2 | 2024-03-01 | Release |',
      ],
      { options: { today: '2026-01-01' }, scope: { item: 'power tailgate' } },
    );
    const problems = Object.fromEntries(
      Object.entries(fields).map(([key, one]) => [key, one.problems.join('; ')]),
    );
    expect(problems).toMatchObject({
      version: 'no version number, letter or tag',
      status: expect.stringContaining('how mature'),
      date: 'a date in the future',
      reviewer: 'the reviewer is the author',
      project_item: expect.stringContaining('another item'),
      change_history: 'it has no column for author; its versions are not in order',
    });
    expect(fields.document_id!.state).toBe('open');
  });

  it('is not asked of a file that is no work product, and an empty field is shown by its name', async () => {
    const { findings } = await check([analysedDocument('notes.md', ['# Notes', prose])]);
    expect(findings).toEqual([]);
    const { fields } = await fieldsOf(['| Field | Value |', '| Version | |', '| Status | draft |']);
    expect(fields.version).toMatchObject({ state: 'open', evidence: [{ quote: 'Version' }] });
  });
});

describe('structure', () => {
  const rulesOf = async (lines: readonly string[], status = 'draft') =>
    (
      await check([
        analysedDocument('Safety plan.md', [...lines.slice(0, 1), `Status: ${status}`, ...lines.slice(1)]),
      ])
    ).findings
      .map((one) => one.kind)
      .filter((kind) => kind.startsWith('EM-'));

  it('lacks figures that the text refers to, where figures are numbered', async () => {
    const lines = ['# Safety plan', '## Roles', `${prose} See Figure 3 for the team.`];
    expect(await rulesOf(lines)).toEqual([]);
    expect(await rulesOf([...lines, 'Figure 1: Team'])).toEqual(['EM-06']);
    expect(await rulesOf([...lines, 'Figure 3: Team'])).toEqual([]);
  });

  it('ends in the middle, holds remarks, has the title of its template', async () => {
    expect(await rulesOf(['# Safety plan', '## Roles', `${prose} and then …`])).toEqual(['EM-07']);
    expect(await rulesOf(['# Safety plan', '## Roles', prose, '> Who is this?'], 'released')).toEqual([
      'EM-08',
    ]);
    expect(await rulesOf(['# Safety plan', '## Roles', prose, '> Who is this?'])).toEqual([]);
    expect(await rulesOf(['# Safety plan template', '## Roles', prose])).toEqual(['EM-09']);
  });
});

describe('tables that nobody could read', () => {
  const rowsOf = async (...table: string[]) => {
    const { findings } = await check([
      analysedDocument('HARA.md', [
        '# Hazard analysis and risk assessment',
        '## 3 Hazardous events',
        ...table,
      ]),
    ]);
    return findings.filter(({ kind }) => kind === 'EM-10');
  };

  it('are told by their place, for a person to read', async () => {
    const [told, ...rest] = await rowsOf('| x | y | z |', '| HE-1 | City | 2 |', '| HE-2 | Motorway | 4 |');
    expect(rest).toEqual([]);
    expect(told).toMatchObject({ severity: 'low', confidence: 'low' });
    expect(told!.title).toContain('3 Hazardous events');
    expect(told!.evidence.map((one) => one.quote)).toEqual(['HE-1', 'HE-2']);
  });

  it('are not those with titles, labels or ids that are read', async () => {
    expect(await rowsOf('| ID | Situation |', '| HE-1 | City |', '| HE-2 | Motorway |')).toEqual([]);
    expect(await rowsOf('| | SG-1 | SG-2 |', '| HE-1 | X | |', '| HE-2 | | X |')).toEqual([]);
    expect(await rowsOf('| a | b |', '| City | dry |', '| Motorway | wet |')).toEqual([]);
    expect(await rowsOf('| Interface | Medium |', '| IF-01 | CAN |', '| IF-02 | LIN |')).toEqual([]);
    expect(await rowsOf('| Schnittstelle | Medium |', '| IF-01 | CAN |', '| IF-02 | LIN |')).toEqual([]);
  });
});

describe('worked examples of domain H.5', () => {
  const example6 = (status: string) =>
    analysedDocument('HARA.md', [
      '# Hazard analysis and risk assessment',
      `Status: ${status}`,
      '## Abbreviations',
      'TBD: to be determined.',
      '## Safety goals',
      'SG-02 safe state: TBD (see OP-17, owner Klein, due 2026-02-01).',
      '## Registers',
      'Register CTRL0 reset value 0xXXXX.',
      'Part no. A-XXX-120.',
      '## Change history',
      'v0.3 – TBD in 4.1 replaced by 20 ms.',
    ]);

  it('6: one placeholder among look-alikes, tracked', async () => {
    for (const [status, severity] of [
      ['reviewed', 'medium'],
      ['approved', 'high'],
    ] as const) {
      const { findings, documents } = await check([example6(status)]);
      const open = findings.filter((one) => one.kind === 'placeholder');
      expect(open).toMatchObject([{ severity, affectedItems: ['SG-02'] }]);
      expect(documents[0]!.placeholders).toMatchObject([{ pattern: 'PH-01', tracked: true, count: 1 }]);
    }
  });

  it('8: a German safety goal in unusual words is no gap and no wish', async () => {
    const goal =
      'SZ-04 (ASIL B): Ein unbeabsichtigtes Öffnen der Heckklappe bei v > 6 km/h muss verhindert werden. Sicherer Zustand: Klappe verriegelt, Aktor stromlos. Fehlertoleranzzeit: 400 ms. Abgeleitet aus: GE-09, GE-11.';
    const { documents, findings } = await check([
      analysedDocument('HARA.md', [
        '# Gefährdungs- und Risikoanalyse',
        '## Ergebnis',
        `Sicherheitsziel ${goal}`,
      ]),
    ]);
    const sections = Object.fromEntries(
      documents[0]!.templates[0]!.sections.map((one) => [one.key, one.state]),
    );
    expect(sections).toMatchObject({ safety_goals: 'present_unlabelled', safe_states: 'present_unlabelled' });
    expect(documents[0]!.requirementQuality).toMatchObject({ requirements: 1, clean: 1, observations: [] });
    expect(findings.map((one) => one.criterionId)).not.toContain('hara.safety_goals');
  });
});

describe('observations', () => {
  it('quote the requirement and never become gaps', async () => {
    const document = analysedDocument('SRS.md', [
      '# Software requirements specification',
      '## Functional requirements',
      '| ID | Requirement |',
      '| SWR-1 | The unit should react quickly. |',
      '| SWR-2 | When the key is on, the unit shall send the frame every 10 ms. |',
      'SWR-3: The unit shall, if possible, store the entry. Rationale: quickly done.',
    ]);
    const { documents, findings } = await check([document]);
    const { requirements, clean, observations, scores } = documents[0]!.requirementQuality;
    expect({ requirements, clean }).toEqual({ requirements: 3, clean: 0.333 });
    expect(scores.map((one) => one.requirement)).toEqual(['SWR-1', 'SWR-2', 'SWR-3']);
    expect(observations.map(({ requirement, rule }) => `${requirement} ${rule}`)).toEqual(
      expect.arrayContaining(['SWR-1 RQQ-02', 'SWR-1 RQQ-03', 'SWR-3 RQQ-05']),
    );
    expect(observations.map((one) => one.rule)).not.toContain('RQQ-01');
    expect(observations.find((one) => one.rule === 'RQQ-05')!.evidence.quote).toContain('if possible');
    expect(findings.filter((one) => one.kind.startsWith('RQQ'))).toEqual([]);
    const { documents: less } = await check([document], {
      options: { requirementQuality: { without: ['RQQ-05'] } },
    });
    expect(less[0]!.requirementQuality.observations.map((one) => one.rule)).not.toContain('RQQ-05');
  });
});

describe('a run', () => {
  const set = () => [
    concept(['## Scope', prose, '## Timing', 'The time is TBD for all.']),
    analysedDocument('HARA.md', [
      '# Hazard analysis and risk assessment',
      '## Safety goals',
      'SG-1: The door shall stay shut.',
    ]),
  ];

  it('gives the same bytes again, as plain JSON', async () => {
    const first = await check(set());
    expect(JSON.stringify(await check(set()))).toBe(JSON.stringify(first));
    expect(JSON.parse(JSON.stringify(first))).toEqual(first);
    expect(new Set(first.findings.map((one) => one.fingerprint)).size).toBe(first.findings.length);
    expect(first.documents.flatMap((one) => one.findings).sort()).toEqual(
      first.findings.map((one) => one.fingerprint).sort(),
    );
  });

  it('tells how far it is, stops when asked, refuses unknown types', async () => {
    const seen: string[] = [];
    for await (const event of completenessEvents({ documents: set() })) seen.push(event.type);
    expect(seen.filter((type) => type === 'unit')).toHaveLength(2);
    expect(seen.at(-1)).toBe('completed');
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(check(set(), { signal })).rejects.toThrow('enough');
    await expect(check(set(), { documentTypes: ['recipe'] })).rejects.toThrow(/no document type "recipe"/);
    const { documents } = await check(set(), { documentTypes: ['hara'] });
    expect(documents.map((one) => one.templates.length)).toEqual([0, 1]);
  });

  it('sets aside what a newer version replaces', async () => {
    const [old, ...rest] = set();
    const { documents } = await check([old!, { ...old!, id: 'new', version: '2' }, ...rest]);
    expect(documents[0]!.setAside).toContain('Version 2');
    expect(documents[0]!.templates).toEqual([]);
  });
});
