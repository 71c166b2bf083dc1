import { beforeAll, describe, expect, it } from 'vitest';
import { loadTraceabilityRules, type TraceabilityRules } from './rules.js';
import { analyseSmall, type SmallTrace, told } from './testing/small-traces.js';

let rules: TraceabilityRules;
beforeAll(async () => {
  rules = await loadTraceabilityRules();
});

const PAIR = 'FSR-2 ^ FSR-1, FSR-3 ^ FSR-1';
const rate = (severity: number, exposure: number, controllability: number) => ({
  ratings: { severity, exposure, controllability },
});

/** Per rule: traces and what the rule says about them. */
const cases: readonly (readonly [rule: string, name: string, trace: SmallTrace, says: readonly string[]])[] =
  [
    [
      'AI-01',
      'no level below D',
      { artifacts: 'SG-1 D, FSR-1', links: 'FSR-1 ^ SG-1' },
      ['AI-01 FSR-1 high'],
    ],
    [
      'AI-01',
      'no level below A',
      { artifacts: 'SG-1 A, FSR-1', links: 'FSR-1 ^ SG-1' },
      ['AI-01 FSR-1 medium'],
    ],
    ['AI-01', 'no level below QM', { artifacts: 'SG-1 QM, FSR-1', links: 'FSR-1 ^ SG-1' }, []],
    ['AI-01', 'no parent', { artifacts: 'FSR-1' }, []],
    ['AI-01', 'design inherits', { artifacts: 'FSR-1 D, ARC-1', links: 'FSR-1 > ARC-1' }, []],
    ['AI-01', 'a range is AI-15 only', { artifacts: 'SG-1 D, FSR-1 A/B', links: 'FSR-1 ^ SG-1' }, []],

    ['AI-02', 'lower', { artifacts: 'SG-1 D, FSR-1 C', links: 'FSR-1 ^ SG-1' }, ['AI-02 FSR-1 critical']],
    ['AI-02', 'lower than B', { artifacts: 'SG-1 B, FSR-1 A', links: 'FSR-1 ^ SG-1' }, ['AI-02 FSR-1 high']],
    [
      'AI-02',
      'lower than one of two parents',
      { artifacts: 'SG-1 B, SG-2 D, FSR-1 B', links: 'FSR-1 ^ SG-1, FSR-1 ^ SG-2' },
      ['AI-02 FSR-1 critical'],
    ],
    ['AI-02', 'equal', { artifacts: 'SG-1 D, FSR-1 D', links: 'FSR-1 ^ SG-1' }, []],
    ['AI-02', 'part of a decomposition', { artifacts: 'FSR-1 D, FSR-2 B(D), FSR-3 B(D)', links: PAIR }, []],
    [
      'AI-02',
      'against an inherited level',
      { artifacts: 'SG-1 D, FSR-1, TSR-1 B', links: 'FSR-1 ^ SG-1, TSR-1 ^ FSR-1' },
      ['AI-02 TSR-1 critical'],
    ],
    [
      'AI-02',
      'a loop has no parents',
      { artifacts: 'FSR-1 D, FSR-2 A', links: 'FSR-1 ^ FSR-2, FSR-2 ^ FSR-1' },
      [],
    ],
    [
      'AI-02',
      'a lower CAL is no lower ASIL',
      { artifacts: 'SG-1 D, CSR-1', links: 'CSR-1 ^ SG-1', more: { 'CSR-1': { cal: 1 } } },
      [],
    ],
    [
      'AI-02',
      'a lower CAL',
      {
        artifacts: 'CSG-1, CSR-1',
        links: 'CSR-1 ^ CSG-1',
        more: { 'CSG-1': { cal: 4 }, 'CSR-1': { cal: 2 } },
      },
      ['AI-02 CSR-1 critical'],
    ],

    [
      'AI-03',
      'B+A of D',
      { artifacts: 'FSR-1 D, FSR-2 B(D), FSR-3 A(D)', links: PAIR },
      ['AI-03 FSR-1 critical'],
    ],
    ['AI-03', 'C+A of D', { artifacts: 'FSR-1 D, FSR-2 C(D), FSR-3 A(D)', links: PAIR }, []],
    ['AI-03', 'D+QM of D', { artifacts: 'FSR-1 D, FSR-2 D(D), FSR-3 QM(D)', links: PAIR }, []],
    [
      'AI-04',
      'bracket of another level',
      { artifacts: 'FSR-1 D, FSR-2 B(C), FSR-3 B(C)', links: PAIR },
      ['AI-04 FSR-1 critical'],
    ],
    [
      'AI-04',
      'bracket kept over two steps',
      { artifacts: 'FSR-1 B(D), FSR-2 A(D), FSR-3 A(D)', links: PAIR },
      [],
    ],
    [
      'AI-04',
      'bracket lost over two steps',
      { artifacts: 'FSR-1 B(D), FSR-2 A(B), FSR-3 A(B)', links: PAIR },
      ['AI-04 FSR-1 critical'],
    ],
    [
      'AI-04',
      'bracket of the higher of two that it is a part of',
      {
        artifacts: 'FSR-1 D, FSR-2 B, FSR-3 QM(D), FSR-4 D(D)',
        links: 'FSR-3 ^ FSR-1, FSR-4 ^ FSR-1, FSR-3 ^ FSR-2, FSR-4 ^ FSR-2',
      },
      [],
    ],
    [
      'AI-05',
      'one part',
      { artifacts: 'FSR-1 D, FSR-2 B(D)', links: 'FSR-2 ^ FSR-1' },
      ['AI-05 FSR-1 critical'],
    ],
    ['AI-05', 'D(D) beside its QM(D)', { artifacts: 'FSR-1 D, FSR-2 QM(D), FSR-3 D(D)', links: PAIR }, []],
    [
      'AI-05',
      'full level linked as decomposition',
      { artifacts: 'FSR-1 D, TSR-1 D', links: 'FSR-1 / TSR-1' },
      [],
    ],
    [
      'AI-05',
      'the partner is obsolete',
      {
        artifacts: 'FSR-1 D, FSR-2 B(D), FSR-3 B(D)',
        links: PAIR,
        more: { 'FSR-3': { status: 'obsolete' } },
      },
      ['AI-05 FSR-1 critical'],
    ],
    [
      'AI-06',
      'the same element',
      {
        artifacts: 'FSR-1 D, FSR-2 B(D), FSR-3 B(D), MCU-A D',
        links: `${PAIR}, FSR-2 > MCU-A, FSR-3 > MCU-A`,
      },
      ['AI-06 FSR-1 critical'],
    ],
    [
      'AI-06',
      'several parts of a side on its element',
      {
        artifacts: 'FSR-1 D, FSR-2 B(D), FSR-3 B(D), FSR-4 B(D), MCU-A D, MCU-B D',
        links: `${PAIR}, FSR-4 ^ FSR-1, FSR-2 > MCU-A, FSR-4 > MCU-A, FSR-3 > MCU-B`,
      },
      [],
    ],
    [
      'AI-06',
      'a part on the elements of both sides',
      {
        artifacts: 'FSR-1 D, FSR-2 B(D), FSR-3 B(D), FSR-4 B(D), MCU-A D, MCU-B D',
        links: `${PAIR}, FSR-4 ^ FSR-1, FSR-2 > MCU-A, FSR-4 > MCU-A, FSR-4 > MCU-B, FSR-3 > MCU-B`,
      },
      ['AI-06 FSR-1 critical'],
    ],
    [
      'AI-06',
      'sides without the shared element that do not add up',
      {
        artifacts: 'FSR-1 D, FSR-2 B(D), FSR-3 B(D), FSR-4 A(D), MCU-A D, MCU-B D',
        links: `${PAIR}, FSR-4 ^ FSR-1, FSR-2 > MCU-A, FSR-3 > MCU-A, FSR-4 > MCU-B`,
      },
      ['AI-06 FSR-1 critical'],
    ],
    [
      'AI-06',
      'a common element of the whole level beside those of the sides',
      {
        artifacts: 'FSR-1 D, FSR-2 B(D), FSR-3 B(D), FSR-4 D, MCU-A D, MCU-B D, ARC-9 D',
        links: `${PAIR}, FSR-2 > MCU-A, FSR-3 > MCU-B, FSR-2 > ARC-9, FSR-3 > ARC-9, FSR-4 > ARC-9`,
      },
      [],
    ],
    [
      'AI-06',
      'a common element without a requirement of its own',
      {
        artifacts: 'FSR-1 D, FSR-2 B(D), FSR-3 B(D), MCU-A D, MCU-B D, ARC-9 D',
        links: `${PAIR}, FSR-2 > MCU-A, FSR-3 > MCU-B, FSR-2 > ARC-9, FSR-3 > ARC-9`,
      },
      ['AI-06 FSR-1 critical'],
    ],
    [
      'AI-06',
      'two cores of one element',
      {
        artifacts: 'FSR-1 D, FSR-2 B(D), FSR-3 B(D), MCU-A D, ARC-0 D, ARC-1 D',
        links: `${PAIR}, FSR-2 > ARC-0, FSR-3 > ARC-1, MCU-A = ARC-0, MCU-A = ARC-1`,
      },
      [],
    ],
    [
      'AI-07',
      'no analysis',
      { artifacts: 'FSR-1 D, FSR-2 B(D), FSR-3 B(D)', links: PAIR },
      ['AI-07 FSR-1 high'],
    ],
    [
      'AI-07',
      'no analysis, B',
      { artifacts: 'FSR-1 B, FSR-2 A(B), FSR-3 A(B)', links: PAIR },
      ['AI-07 FSR-1 medium'],
    ],
    [
      'AI-07',
      'analysis at the parent',
      { artifacts: 'FSR-1 D, FSR-2 B(D), FSR-3 B(D), DFA-1', links: `${PAIR}, FSR-1 ! DFA-1` },
      [],
    ],
    [
      'AI-07',
      'analysis at a part',
      { artifacts: 'FSR-1 D, FSR-2 B(D), FSR-3 B(D), DFA-1', links: `${PAIR}, FSR-3 ! DFA-1` },
      [],
    ],
    [
      'AI-07',
      'analysis of another kind',
      {
        artifacts: 'FSR-1 D, FSR-2 B(D), FSR-3 B(D), EV-1',
        links: `${PAIR}, FSR-1 ! EV-1`,
        more: { 'EV-1': { kind: 'review' } },
      },
      ['AI-07 FSR-1 high'],
    ],
    [
      'AI-07',
      'an invalid scheme comes first',
      { artifacts: 'FSR-1 D, FSR-2 B(D), FSR-3 A(D)', links: PAIR },
      [],
    ],

    [
      'AI-08',
      'element below',
      { artifacts: 'TSR-1 D, ARC-1 B', links: 'TSR-1 > ARC-1' },
      ['AI-08 ARC-1 critical'],
    ],
    [
      'AI-08',
      'element below a decomposed part',
      { artifacts: 'TSR-1 B(D), ARC-1 A', links: 'TSR-1 > ARC-1' },
      ['AI-08 ARC-1 high'],
    ],
    [
      'AI-08',
      'element as high as the part',
      { artifacts: 'TSR-1 B(D), ARC-1 B', links: 'TSR-1 > ARC-1' },
      [],
    ],
    ['AI-08', 'element without level', { artifacts: 'TSR-1 D, ARC-1', links: 'TSR-1 > ARC-1' }, []],
    ['AI-09', 'higher', { artifacts: 'SG-1 B, FSR-1 D', links: 'FSR-1 ^ SG-1' }, ['AI-09 FSR-1 low']],
    [
      'AI-09',
      'as high as one parent',
      { artifacts: 'SG-1 B, SG-2 D, FSR-1 D', links: 'FSR-1 ^ SG-1, FSR-1 ^ SG-2' },
      [],
    ],
    ['AI-09', 'above QM it is a remark', { artifacts: 'SG-1 QM, FSR-1 A', links: 'FSR-1 ^ SG-1' }, []],
    ['AI-10', 'two levels', { artifacts: 'FSR-1 B, FSR-1 D' }, ['AI-10 FSR-1 critical']],
    ['AI-10', 'two levels below C', { artifacts: 'FSR-1 A, FSR-1 B' }, ['AI-10 FSR-1 high']],
    ['AI-10', 'the same twice', { artifacts: 'FSR-1 D, FSR-1 D' }, []],
    ['AI-10', 'stated in one place only', { artifacts: 'FSR-1 D, FSR-1' }, []],
    [
      'AI-11',
      'no brackets',
      { artifacts: 'FSR-1 D, FSR-2 B, FSR-3 B', links: 'FSR-1 / FSR-2, FSR-1 / FSR-3' },
      ['AI-11 FSR-1 high'],
    ],
    [
      'AI-11',
      'no brackets, B',
      { artifacts: 'FSR-1 B, FSR-2 A, FSR-3 A', links: 'FSR-1 / FSR-2, FSR-1 / FSR-3' },
      ['AI-11 FSR-1 medium'],
    ],
    [
      'AI-11',
      'brackets',
      { artifacts: 'FSR-1 D, FSR-2 B(D), FSR-3 B(D)', links: 'FSR-1 / FSR-2, FSR-1 / FSR-3' },
      [],
    ],
    [
      'AI-11',
      'an ordinary refinement',
      { artifacts: 'FSR-1 D, FSR-2 D, FSR-3 D', links: 'FSR-1 / FSR-2, FSR-1 / FSR-3' },
      [],
    ],
    ['AI-12', 'no parent', { artifacts: 'FSR-1 B(D)' }, ['AI-12 FSR-1 critical']],
    [
      'AI-12',
      'a parent of another level',
      { artifacts: 'SG-1 B, FSR-1 B(D)', links: 'FSR-1 ^ SG-1' },
      ['AI-12 FSR-1 critical'],
    ],
    ['AI-12', 'the parent has that level', { artifacts: 'FSR-1 D, FSR-2 B(D)', links: 'FSR-2 ^ FSR-1' }, []],
    ['AI-12', 'a partner', { artifacts: 'FSR-1 C, FSR-2 B(D), FSR-3 A(D)', links: PAIR }, []],
    [
      'AI-13',
      'stated too low',
      { artifacts: 'HE-1 B', more: { 'HE-1': rate(3, 4, 2) } },
      ['AI-13 HE-1 critical'],
    ],
    [
      'AI-13',
      'stated too low, B',
      { artifacts: 'HE-1 A', more: { 'HE-1': rate(3, 3, 2) } },
      ['AI-13 HE-1 high'],
    ],
    [
      'AI-13',
      'stated too high',
      { artifacts: 'HE-1 D', more: { 'HE-1': rate(3, 4, 2) } },
      ['AI-13 HE-1 medium'],
    ],
    ['AI-13', 'right', { artifacts: 'HE-7 C', more: { 'HE-7': rate(3, 4, 2) } }, []],
    ['AI-13', 'ratings that do not exist', { artifacts: 'HE-1 D', more: { 'HE-1': rate(4, 4, 4) } }, []],
    [
      'AI-14',
      'goal too low',
      { artifacts: 'HE-7 C, SG-03 B', links: 'SG-03 ^ HE-7', more: { 'HE-7': rate(3, 4, 2) } },
      ['AI-14 SG-03 critical'],
    ],
    [
      'AI-14',
      'linked from the hazard analysis',
      { artifacts: 'HE-7 C, SG-03 B', links: 'HE-7 ~ SG-03' },
      ['AI-14 SG-03 critical'],
    ],
    [
      'AI-14',
      'goal as high as its highest event',
      { artifacts: 'HE-1 A, HE-2 C, SG-1 C', links: 'SG-1 ^ HE-1, SG-1 ^ HE-2' },
      [],
    ],
    [
      'AI-14',
      'an event that states nothing counts by its ratings',
      { artifacts: 'HE-1, SG-1 A', links: 'SG-1 ^ HE-1', more: { 'HE-1': rate(3, 4, 3) } },
      ['AI-14 SG-1 critical'],
    ],
    [
      'AI-14',
      'a wrong event is corrected first',
      { artifacts: 'HE-1 B, SG-1 B', links: 'SG-1 ^ HE-1', more: { 'HE-1': rate(3, 4, 2) } },
      [],
    ],
    ['AI-15', 'a range', { artifacts: 'FSR-1 A/B' }, ['AI-15 FSR-1 medium']],
    [
      'AI-15',
      'a range below D',
      { artifacts: 'SG-1 D, FSR-1 A/B', links: 'FSR-1 ^ SG-1' },
      ['AI-15 FSR-1 high'],
    ],
    ['AI-15', 'a value', { artifacts: 'FSR-1 ASIL_B_D' }, []],
    ['AI-15', 'not safety related', { artifacts: 'FSR-1 –' }, []],
    ['AI-16', 'QM only', { artifacts: 'SG-1 D, FSR-1 QM', links: 'FSR-1 ^ SG-1' }, ['AI-16 SG-1 critical']],
    [
      'AI-16',
      'QM and others',
      { artifacts: 'SG-1 B, FSR-1 QM, FSR-2 B', links: 'FSR-1 ^ SG-1, FSR-2 ^ SG-1' },
      [],
    ],
    ['AI-16', 'QM below QM', { artifacts: 'SG-1 QM, FSR-1 QM', links: 'FSR-1 ^ SG-1' }, []],
  ];

describe('integrity rules', () => {
  for (const [rule, name, trace, says] of cases) {
    it(`${rule}: ${name}`, () => {
      expect(told(analyseSmall(rules, trace), rule)).toEqual(says);
    });
  }

  it('has a case that fires and one that does not for every rule', () => {
    const names = Array.from({ length: 16 }, (_, i) => `AI-${String(i + 1).padStart(2, '0')}`);
    for (const name of names) {
      const own = cases.filter(([rule]) => rule === name);
      expect([
        name,
        own.some(([, , , says]) => says.length > 0),
        own.some(([, , , says]) => says.length === 0),
      ]).toEqual([name, true, true]);
    }
  });

  it('takes the higher of two levels until the contradiction is resolved', () => {
    const found = analyseSmall(rules, { artifacts: 'SG-1 B, SG-1 D, FSR-1 B', links: 'FSR-1 ^ SG-1' });
    expect(told(found, 'AI-02')).toEqual(['AI-02 FSR-1 critical']);
  });

  it('lists what follows a goal that is too low instead of reporting it', () => {
    const found = analyseSmall(rules, {
      artifacts: 'HE-07 C, SG-03 B, FSR-12 B',
      links: 'SG-03 ^ HE-07, FSR-12 ^ SG-03',
      more: { 'HE-07': rate(3, 4, 2) },
    });
    expect(told(found, 'AI-')).toEqual(['AI-14 SG-03 critical']);
    const [gap] = found.gaps.filter(({ kind }) => kind === 'AI-14');
    expect(gap!.affected).toEqual(['FSR-12']);
    expect(gap!.suggestedAction).toContain('Raise SG-03 to ASIL C');
    expect(gap!.suggestedAction).toContain('FSR-12');
  });

  it('names goals that follow a wrong rating', () => {
    const found = analyseSmall(rules, {
      artifacts: 'HE-1 B, SG-1 B',
      links: 'SG-1 ^ HE-1',
      more: { 'HE-1': rate(3, 4, 2) },
    });
    expect(found.gaps.find(({ kind }) => kind === 'AI-13')!.affected).toEqual(['SG-1']);
  });

  it('says so when it compares too many combinations for shared elements', () => {
    // One part with very many elements under very many parents: the only search that is not linear.
    const wide = 3_000;
    const parents = Array.from({ length: wide }, (_, i) => `FSR-${i} D`);
    const artifacts = [
      ...parents,
      'TSR-1 B(D)',
      'TSR-2 B(D)',
      ...Array.from({ length: wide }, (_, i) => `ARC-${i} D`),
    ];
    const links = [
      ...parents.flatMap((_, i) => [`TSR-1 ^ FSR-${i}`, `TSR-2 ^ FSR-${i}`]),
      ...Array.from({ length: wide }, (_, i) => `TSR-1 > ARC-${i}`),
    ];
    const found = analyseSmall(rules, { artifacts: artifacts.join(), links: links.join() });
    const examined = found.remarks.find(({ kind }) => kind === 'shared_elements_not_examined');
    expect(examined!.count).toBeGreaterThan(0);
    expect(examined!.count).toBeLessThan(wide);
  }, 60_000);
});
