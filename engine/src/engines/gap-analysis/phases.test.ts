import { describe, expect, it } from 'vitest';
import type { AnalysisScope } from '../../corpus/corpus.js';
import { inLanguage } from '../../sentences/worded.js';
import { loadStandard } from '../../standards/load-standard.js';
import { analysedDocument } from '../../testing/document-fixture.js';
import { checkCompleteness } from '../completeness/run.js';
import { analyseGaps } from './run.js';

const hara = analysedDocument('BW-HARA.md', [
  '# Hazard analysis and risk assessment of the window lifter',
  'Document ID: BW-HARA-2',
  '# Safety goals',
  '| ID | Safety goal | ASIL | FTTI | Safe state |',
  '| SG-01 | The window shall not trap a limb of a child while it closes. | B | 200 ms | Motor without current |',
]);
const plan = (...lines: readonly string[]) =>
  analysedDocument('Safety plan.md', [
    '# Safety plan of the window lifter',
    'Document ID: BW-SP-1',
    '# Roles',
    'The safety manager is Pia Holm.',
    ...lines,
  ]);

const analysed = async (part: number, lines: readonly string[] | undefined, scope: AnalysisScope = {}) =>
  analyseGaps({
    standard: await loadStandard(`iso-26262-${part}-2018`),
    documents: lines ? [hara, plan(...lines)] : [hara],
    scope,
  });
type Analysed = Awaited<ReturnType<typeof analysed>>;
const stateOf = ({ verdicts }: Analysed, id: string) => {
  const { verdict, rules } = verdicts.find(({ criterionId }) => criterionId === id)!;
  return [verdict, rules[0]];
};

describe('a phase that a person told', () => {
  it('makes what is due later no finding, no part of score and counts, and names it with the reason', async () => {
    const before = await analysed(4, undefined);
    const result = await analysed(4, undefined, { phase: 'system' });
    expect(stateOf(before, '26262-4:7.5.1')).toEqual(['missing', 'no-document-of-the-type']);
    expect(stateOf(result, '26262-4:7.5.1')).toEqual(['not_applicable', 'not-due-in-this-phase']);
    expect(stateOf(result, '26262-4:6.5.2')).toEqual(stateOf(before, '26262-4:6.5.2'));
    expect(result.findings.flatMap(({ affected = [] }) => affected.map(({ id }) => id))).not.toContain(
      '26262-4:7.5.1',
    );
    const [integration, validation] = result.notDue;
    expect(integration).toMatchObject({
      because: 'phase',
      reason:
        'Integration and tests: due in the phase "Integration and tests"; the project is in the phase "System design".',
    });
    expect(integration!.items).toContain('26262-4:7.5.1');
    expect(validation!.items).toContain('26262-4:8.5.2');
    const counted = Object.values(result.counts.verdicts).reduce((sum, count) => sum + count, 0);
    const left = result.notDue.reduce((sum, { items }) => sum + items.length, 0);
    expect([counted + left, left]).toEqual([result.verdicts.length, expect.any(Number)]);
    expect(left).toBeGreaterThan(5);
    expect(inLanguage(result.notDue, 'de')[0]!.reason).toBe(
      'Integration und Tests: fällig in der Phase „Integration und Tests“; das Projekt ist in der Phase „Systementwurf“.',
    );
  });

  it('leaves nothing out in the last phase', async () => {
    const { notDue, ...rest } = await analysed(4, undefined, { phase: 'production' });
    expect(notDue).toEqual([]);
    expect(rest.verdicts).toEqual((await analysed(4, undefined)).verdicts);
  });

  it('is asked for where nothing of a later phase was found, and not once it is told', async () => {
    expect((await analysed(4, undefined)).questions.map(({ question }) => question)).toEqual([
      'In which phase is the project?',
    ]);
    expect((await analysed(4, undefined, { phase: 'concept' })).questions).toEqual([]);
    expect((await analysed(3, undefined)).questions).toEqual([]);
  });

  it('asks a given document for no section that it lacks, and says so', async () => {
    const concept = analysedDocument('Technical safety concept.md', [
      '# Technical safety concept of the window lifter',
      '# Technical safety requirements',
      '| ID | Technical safety requirement | ASIL | Allocated to |',
      '| TSR-01 | The controller shall open the relay within 50 ms when the current exceeds 12 A. | B | Controller |',
    ]);
    const check = (scope: AnalysisScope) => checkCompleteness({ documents: [concept], scope });
    const missing = (one: Awaited<ReturnType<typeof check>>) =>
      one.findings.filter(({ kind }) => kind === 'section_missing').length;
    const [before, result] = [await check({}), await check({ phase: 'concept' })];
    expect(missing(before)).toBeGreaterThan(0);
    expect(missing(result)).toBe(0);
    expect(result.notDue[0]!.items).toContain('technical_safety_concept.timing');
    expect(before.notDue).toEqual([]);
  });
});

describe('what a person tailored out', () => {
  it('is no finding with the reason that was given, by area and by the beginning of an id', async () => {
    const tailoredOut = [
      { area: 'hardware', reason: 'developed by the supplier under BW-DIA-3' },
      { area: '26262-5:10', reason: 'tested by the supplier' },
    ];
    const result = await analysed(5, undefined, { tailoredOut });
    expect(stateOf(result, '26262-5:6.5.1')).toEqual(['not_applicable', 'tailored-out']);
    expect(result.findings).toEqual([]);
    expect(result.notDue[0]!.reason).toBe(
      'Development of hardware: not done in this project, says the person who started the analysis: developed by the supplier under BW-DIA-3',
    );
    const byId = await analysed(8, undefined, {
      tailoredOut: [{ area: '26262-8:7', reason: 'kept by the customer' }],
    });
    expect(stateOf(byId, '26262-8:7.5.1')).toEqual(['not_applicable', 'tailored-out']);
    expect(stateOf(byId, '26262-8:8.5.1')[1]).not.toBe('tailored-out');
  });
});

describe('what the plan leaves out', () => {
  const out = ['not_applicable', 'out-of-scope-by-the-plan'];

  it.each([
    ['a sentence', ['# Scope', 'Production and operation are out of scope of this plan.']],
    [
      'a list',
      ['# Scope', 'The following phases are out of scope:', '- Production and Operation', '- Validation'],
    ],
    ['a German sentence', ['# Umfang', 'Produktion und Betrieb sind nicht im Umfang.']],
    [
      'a row with a reason',
      [
        '# Tailoring',
        '| Part or phase | Decision | Rationale |',
        '| Part 7, production and operation | Not part of this plan | The plant has a released production safety plan of its own |',
      ],
    ],
  ])('is not due by %s, with its quote', async (_, lines) => {
    const result = await analysed(2, lines);
    expect(stateOf(result, '26262-2:7.5.1')).toEqual(out);
    const line = result.notDue.find(({ items }) => items.includes('26262-2:7.5.1'))!;
    expect(line.because).toBe('plan');
    expect(line.evidence.map(({ quote }) => quote).join()).toMatch(/Produ[ck]tion|Not part of this plan/);
  });

  it.each([
    [
      'a row without a reason',
      [
        '# Tailoring',
        '| Part or phase | Decision | Rationale |',
        '| Part 7, production | Not carried out | Saves cost and time |',
      ],
    ],
    [
      'a row that keeps it',
      [
        '# Tailoring',
        '| Part or phase | Decision | Rationale |',
        '| Part 7, production | Applied | The plant takes part from the first sample on |',
      ],
    ],
    ['what is in scope', ['# Scope', 'The following phases are in scope:', '- Production and Operation']],
    [
      'a list that ended',
      [
        '# Scope',
        'The following phases are out of scope:',
        '- Validation',
        'The project has these documents.',
        '- Production and Operation',
      ],
    ],
    ['a sentence about something else', ['# Scope', 'The tools of the production line are out of scope.']],
    ['a denial', ['# Scope', 'Production and operation are not out of scope.']],
  ])('is due after %s', async (_, lines) => {
    expect(stateOf(await analysed(2, lines), '26262-2:7.5.1')).not.toEqual(out);
  });
});
