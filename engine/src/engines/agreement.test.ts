import { describe, expect, it } from 'vitest';
import { loadChecklist } from '../checklists/load-checklists.js';
import type { AnalysedDocument } from '../corpus/analysed-document.js';
import { extractArtifacts } from '../facts/artifacts/extract-artifacts.js';
import { loadStandard } from '../standards/load-standard.js';
import { analysedDocument } from '../testing/document-fixture.js';
import { checkChecklist } from './checklist/run.js';
import { analyseGaps } from './gap-analysis/run.js';
import { loadTraceabilityRules } from './traceability/rules.js';
import { examineTraceability } from './traceability/run.js';

// The same documents, asked by several engines: what one of them knows the others know.

const hara = (levelTitle: string) =>
  analysedDocument('hara.md', [
    '# Hazard analysis and risk assessment',
    '## Hazardous events',
    `| ID | Hazardous event | S | E | C | ${levelTitle} | Safety goal |`,
    '| HE-01 | Unintended full braking on a motorway | S3 | E4 | C3 | ASIL B | SG-01 |',
    '| HE-02 | Loss of braking at low speed | S3 | E4 | C2 | ASIL C | SG-02 |',
    '## Safety goals',
    `| ID | Safety goal | ${levelTitle} |`,
    '| SG-01 | Avoid unintended braking | ASIL D |',
    '| SG-02 | Avoid loss of braking | ASIL A |',
  ]);

const report = (test: string, about: string, results: readonly string[]) =>
  analysedDocument('test-report.md', [
    '# Test report',
    '## Results',
    `| ${test} | ${about} | Verdict | Tester |`,
    ...results.map((result, at) => `| TC-0${at + 1} | FSR-0${at + 1} | ${result} | A. Weber |`),
  ]);

const concept = analysedDocument('fsc.md', [
  '# Functional safety concept',
  '## Functional safety requirements',
  '| ID | Requirement | ASIL |',
  '| FSR-01 | The ECU shall detect a short circuit. | B |',
  '| FSR-02 | The ECU shall open the relay. | B |',
  '| FSR-03 | The ECU shall warn the driver. | B |',
  '| FSR-04 | The ECU shall store the fault. | B |',
]);

async function itemOf(list: string, item: string, documents: readonly AnalysedDocument[]) {
  const { items } = await checkChecklist({ checklist: await loadChecklist(list), documents });
  return items.find((one) => one.itemId === item)!;
}

const rules = await loadTraceabilityRules();

function traceOf(documents: readonly AnalysedDocument[]) {
  const { artifacts, links } = extractArtifacts(documents.map(({ id, document }) => ({ id, document })));
  const { analysis } = examineTraceability({ artifacts, links, rules });
  const gaps = analysis.gaps.map(({ kind, severity }) => `${kind} ${severity}`);
  return { artifacts, links, gaps, kinds: analysis.gaps.map((gap) => gap.kind) };
}

describe('a column that one engine knows', () => {
  it.each(['ASIL', 'Integrity level', 'Safety integrity level', 'ASIL-Einstufung'])(
    'is known to all: "%s"',
    async (title) => {
      const documents = [hara(title)];
      expect(traceOf(documents).kinds).toEqual(expect.arrayContaining(['AI-13', 'AI-14']));
      for (const item of ['FS-HARA-07', 'FS-HARA-09'])
        expect(await itemOf('FS-HARA', item, documents)).toMatchObject({
          verdict: 'fail',
          severity: 'critical',
        });
      const standard = await loadStandard('iso-26262-3-2018');
      const { findings } = await analyseGaps({ standard, documents });
      const kinds = findings.filter(({ severity }) => severity === 'critical').map(({ kind }) => kind);
      expect(kinds).toEqual(expect.arrayContaining(['asil_recomputed', 'safety_goal_asil']));
    },
  );
});

describe('a result of a test', () => {
  it('that is told in another word is a failure for all', async () => {
    const documents = [
      concept,
      report('Test case', 'Requirement under test', ['passed', 'passed', 'failure', 'durchgefallen']),
    ];
    expect(traceOf(documents).kinds.filter((kind) => kind === 'negative_result')).toHaveLength(2);
    const item = await itemOf('FS-CASE', 'FS-CASE-08', documents);
    expect(item).toMatchObject({ verdict: 'fail', confidence: 'high', instances: { met: 2, total: 4 } });
    expect(item.evidence.map(({ quote }) => quote)).toEqual(['failure', 'durchgefallen']);
  });

  it('that nobody knows is for a person, and proves nothing', async () => {
    const documents = [
      concept,
      report('Test case', 'Requirement under test', ['passed', 'passed', 'passed', 'as seen']),
    ];
    const item = await itemOf('FS-CASE', 'FS-CASE-08', documents);
    expect(item).toMatchObject({ needsConfirmation: true, confidence: 'low' });
    expect(item.reason).toContain('1 of 4');
    expect(item.evidence.map(({ quote }) => quote)).toContain('as seen');
    expect(traceOf(documents).kinds).toContain('inconclusive');
  });

  const titles = ['Test case', 'Test case ID', 'TC ID', 'ID', 'Test ID'].flatMap((test) =>
    ['Requirement under test', 'Verifies', 'Requirement ID', 'Tested requirement', 'Requirement'].map(
      (about) => [test, about] as const,
    ),
  );
  it.each(titles)('is there, with its test, without a specification: "%s", "%s"', (test, about) => {
    const { artifacts, links } = traceOf([report(test, about, ['passed', 'failed'])]);
    expect(artifacts.map(({ id, type, result }) => [id, type, result])).toEqual([
      ['TC-01', 'test', undefined],
      ['TC-01 result', 'evidence', 'pass'],
      ['TC-02', 'test', undefined],
      ['TC-02 result', 'evidence', 'fail'],
    ]);
    const ends = links.map(({ sourceId, targetId }) => [sourceId, targetId].sort().join(' '));
    expect(ends).toEqual(expect.arrayContaining(['FSR-01 TC-01', 'FSR-02 TC-02', 'TC-01 TC-01 result']));
  });
});

describe('a level that contradicts another', () => {
  const goals = (file: string, title: string, level: string) =>
    analysedDocument(file, [
      `# ${title}`,
      '## Safety goals',
      '| ID | Safety goal | ASIL |',
      `| SG-01 | Avoid unintended braking while driving | ${level} |`,
    ]);
  const gapsOf = async (documents: readonly AnalysedDocument[]) => {
    const { findings } = await analyseGaps({ standard: await loadStandard('iso-26262-3-2018'), documents });
    return findings.map(({ kind, severity }) => `${kind} ${severity}`);
  };

  it('of the same goal is as severe in a gap as in the trace', async () => {
    const documents = [
      goals('hara.md', 'Hazard analysis and risk assessment', 'ASIL D'),
      goals('fsc.md', 'Functional safety concept', 'ASIL B'),
    ];
    expect(traceOf(documents).gaps).toContain('AI-10 critical');
    expect(await gapsOf(documents)).toContain('same_id_other_asil critical');
  });

  it('counts for a goal that is QM after decomposition in a gap as in the trace', async () => {
    const documents = [
      analysedDocument('hara.md', [
        '# Hazard analysis and risk assessment',
        '## Hazardous events',
        '| ID | Hazardous event | S | E | C | ASIL | Safety goal |',
        '| HE-01 | Unintended braking on a motorway | S3 | E4 | C2 | C | SG-01 |',
      ]),
      goals('goals.md', 'Hazard analysis and risk assessment: goals', 'QM(D)'),
    ];
    expect(traceOf(documents).gaps).toContain('AI-14 critical');
    expect(await gapsOf(documents)).toContain('safety_goal_asil critical');
  });

  const requirements = (...rows: readonly string[]) => [
    analysedDocument('hara.md', [
      '# Hazard analysis and risk assessment',
      '## Safety goals',
      '| ID | Safety goal | ASIL |',
      '| SG-01 | Avoid unintended braking while driving | B |',
      '| SG-02 | Avoid loss of steering assistance | D |',
      '| SG-03 | Avoid a locked steering column | B(D) |',
    ]),
    analysedDocument('fsc.md', [
      '# Functional safety concept',
      '## Functional safety requirements',
      '| ID | Requirement | ASIL | Safety goal |',
      ...rows,
    ]),
  ];
  const LEVELS = /^(?:AI-0[24]|AI-10|requirement_|same_id)/u;
  it.each([
    [
      'a requirement below one of two goals, held to the higher',
      ['| FSR-01 | The ECU shall limit the torque. | A | SG-01, SG-02 |'],
      ['AI-02 critical'],
      ['requirement_asil critical'],
    ],
    [
      'a requirement below a part, graded by what was decomposed',
      ['| FSR-01 | The ECU shall unlock the column. | A | SG-03 |'],
      ['AI-02 critical'],
      ['requirement_asil critical'],
    ],
    [
      'a bracket that has less than the goal, which is no lowered level',
      [
        '| FSR-01 | The ECU shall limit the torque. | B(C) | SG-02 |',
        '| FSR-02 | The motor shall limit the torque. | B(C) | SG-02 |',
      ],
      ['AI-04 critical'],
      ['requirement_bracket critical', 'requirement_bracket critical'],
    ],
    [
      'parts of a goal',
      [
        '| FSR-01 | The ECU shall limit the torque. | B(D) | SG-02 |',
        '| FSR-02 | The motor shall limit the torque. | B(D) | SG-02 |',
      ],
      [],
      [],
    ],
    [
      'a level stated three times, graded by the highest',
      [
        '| FSR-01 | The ECU shall limit the torque. | B | SG-01 |',
        '| FSR-01 | The ECU shall limit the torque. | B(B) | SG-01 |',
        '| FSR-01 | The ECU shall limit the torque. | C | SG-01 |',
      ],
      ['AI-10 critical'],
      ['same_id_other_asil critical'],
    ],
    [
      'QM in a bracket beside A: nothing of the original is kept',
      [
        '| FSR-01 | The ECU shall show the state. | QM(D) | - |',
        '| FSR-01 | The ECU shall show the state. | A | - |',
      ],
      ['AI-10 high'],
      ['same_id_other_asil high'],
    ],
  ])('is the same in both: %s', async (_, rows, inTrace, inAnalysis) => {
    const documents = requirements(...rows);
    expect(traceOf(documents).gaps.filter((gap) => LEVELS.test(gap))).toEqual(inTrace);
    expect((await gapsOf(documents)).filter((gap) => LEVELS.test(gap))).toEqual(inAnalysis);
  });

  it('of a requirement that follows a goal that is too low is told for its other goal in both', async () => {
    const [goalsOfIt, concept] = requirements(
      '| FSR-01 | The ECU shall limit the torque. | B | SG-01, SG-02 |',
    );
    const events = analysedDocument('hara-events.md', [
      '# Hazard analysis and risk assessment: events',
      '## Hazardous events',
      '| ID | Hazardous event | S | E | C | ASIL | Safety goal |',
      '| HE-01 | Unintended braking on a motorway | S3 | E4 | C2 | C | SG-01 |',
    ]);
    const documents = [events, goalsOfIt!, concept!];
    expect(traceOf(documents).gaps).toEqual(expect.arrayContaining(['AI-14 critical', 'AI-02 critical']));
    expect(await gapsOf(documents)).toEqual(
      expect.arrayContaining(['safety_goal_asil critical', 'requirement_asil critical']),
    );
  });
});

describe('a failed item of a checklist', () => {
  it('tells one fact once, and nothing that speaks for it', async () => {
    // Named by its text, the goal is found by two rules.
    const documents = [hara('ASIL')];
    const goals = await itemOf('FS-HARA', 'FS-HARA-09', documents);
    expect(goals.reason.match(/ASIL C/g)).toHaveLength(1);
    const levels = await itemOf('FS-HARA', 'FS-HARA-07', documents);
    expect(levels.verdict).toBe('fail');
    expect(levels.reason).not.toContain('nothing of the kind was found');
  });
});
