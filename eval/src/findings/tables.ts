import { type ConfidenceClass, confidenceClasses } from '../confidence.js';
import { table } from '../report.js';
import { figuresOfScores } from './discrimination.js';
import type { FindingsEvaluation } from './evaluate.js';
import type { JudgedSet } from './gold-findings.js';
import type { LabelledFinding } from './judge-labels.js';
import { judgementKey } from './judgements.js';

/** Groups that the kinds of plants are told in. */
const GROUPS: readonly (readonly [string, RegExp])[] = [
  ['times', /^timing_/],
  ['safe states', /^safe_state_/],
  ['allocation, boundary', /^(?:allocation|item_boundary)_/],
  ['parameters, units, names', /^(?:parameter_|unit_|renamed_)/],
  ['ASIL, decomposition', /^(?:asil_lowered|goal_asil|decomposition_)/],
  ['S, E, C', /^(?:rating_|asil_table|copied_cells)/],
  [
    'links',
    /^(?:malfunction_without|event_without|goal_without|fsr_not|requirement_missing|test_without|duplicate_id|refinement_)/,
  ],
  ['empty, placeholders', /^(?:mechanism_without|requirement_without|placeholder|tbd|fault_reaction)/],
  ['test values', /^test_value/],
  ['versions, dates, reviews', /^(?:stale_|review_before|approved_|planned_only|open_finding)/],
  ['independence, persons', /^(?:independence_|person_)/],
  ['tailoring', /^tailor/],
  ['denied or absent', /^(?:negation|reference_to)/],
  ['nonsense', /^nonsense/],
];

export function plantTable({ plants }: FindingsEvaluation): string {
  const row = (name: string, own: FindingsEvaluation['plants']) => {
    const count = (answer: string) => own.filter((one) => one.answer === answer).length;
    const missed = own.filter((one) => one.answer !== 'found').map(({ plant }) => plant.id);
    return [
      name,
      ...[
        own.length,
        count('found'),
        own.filter((one) => one.bothPlaces).length,
        count('half'),
        count('missed'),
      ].map(String),
      missed.join(' '),
    ];
  };
  const grouped = GROUPS.map(([name, pattern]) =>
    row(
      name,
      plants.filter(({ plant }) => pattern.test(plant.kind)),
    ),
  );
  return table(
    ['kind', 'plants', 'found', 'both places', 'half', 'missed', 'not found'],
    [...grouped.filter(([, count]) => count !== '0'), [...row('all', plants).slice(0, -1), '']],
  );
}

export function setTable({ sets, clean }: FindingsEvaluation): string {
  return table(
    [
      'set',
      'entries',
      'useful',
      'formal',
      'repetitions',
      'wrong',
      'no label',
      'content + contradiction',
      'missing + trace + form',
    ],
    [
      ...sets.map(({ set, labelled, told }) => [
        set.name,
        ...shares(labelled, 'label'),
        ...recalls(set, told),
      ]),
      ['clean project', ...shares(clean.labelled, 'label'), '–', '–'],
    ],
  );
}

/** The same with what we judged ourselves. */
export function ownTable({ sets, clean }: FindingsEvaluation): string {
  return table(
    [
      'set',
      'judged by us',
      'useful',
      'formal',
      'repetitions',
      'wrong',
      'to be judged',
      'content + contradiction',
      'missing + trace + form',
    ],
    [
      ...sets.map(({ set, labelled, toldByUs }) => [
        set.name,
        byUs(labelled),
        ...shares(labelled, 'judged').slice(1),
        ...recalls(set, toldByUs),
      ]),
      ['clean project', byUs(clean.labelled), ...shares(clean.labelled, 'judged').slice(1), '–', '–'],
    ],
  );
}

const byUs = (labelled: readonly LabelledFinding[]): string =>
  String(labelled.filter(({ finding, label, judged }) => finding.counted && !label && judged).length);

/** Kinds of defects that recall is told for. */
const KINDS = [
  ['content', 'contradiction'],
  ['missing', 'trace', 'form'],
] as const;

/** All sets together, with what we judged ourselves. */
function together({ sets }: FindingsEvaluation): string {
  const counted = sets.flatMap(({ labelled }) => labelled.filter(({ finding }) => finding.counted));
  const called = (label: string) => counted.filter(({ judged }) => judged?.label === label).length;
  const most = Math.max(
    ...sets.map(({ labelled }) => labelled.filter(({ finding }) => finding.counted).length),
  );
  const told = KINDS.map((kinds) => {
    const all = sets.flatMap(({ set, toldByUs }) =>
      set.defects
        .filter(({ kind }) => (kinds as readonly string[]).includes(kind))
        .map(({ id }) => toldByUs.has(id)),
    );
    const own = all.filter(Boolean).length;
    return `${own} of ${all.length} defects of ${kinds.join(', ')} (${percent(own, all.length)})`;
  });
  const share = (label: string) => `${called(label)} (${percent(called(label), counted.length)})`;
  return `All sets together, with our own judgements: of ${counted.length} entries ${share('T')} useful, ${share('W')} wrong; at most ${most} a set. Told: ${told.join(', ')}.`;
}

function recalls({ defects }: JudgedSet, told: ReadonlySet<string>): string[] {
  return KINDS.map((group) => {
    const kinds: readonly string[] = group;
    const own = defects.filter(({ kind }) => kinds.includes(kind));
    return own.length === 0 ? '–' : `${own.filter(({ id }) => told.has(id)).length} of ${own.length}`;
  });
}

function shares(labelled: readonly LabelledFinding[], by: 'label' | 'judged'): string[] {
  const counted = labelled.filter(({ finding }) => finding.counted);
  const share = (labels: readonly string[]) => {
    const own = counted.filter((one) => labels.includes(one[by]?.label ?? '')).length;
    return `${own} (${percent(own, counted.length)})`;
  };
  const open = counted.filter((one) => !one[by]).length;
  return [String(counted.length), share(['T']), share(['F', 'N']), share(['D']), share(['W']), String(open)];
}

export function harmlessTable({ harmless }: FindingsEvaluation): string {
  return table(
    ['edit', 'kind', 'new findings'],
    harmless.map(({ id, kind, news }) => [id, kind, String(news.length)]),
  );
}

/** Scores of the clean project, mixes and nonsense, and what nonsense is taken for. */
export function scoreTable(evaluation: FindingsEvaluation): string {
  const wanted = evaluation.scored.filter(({ name, defects }) => defects !== 1 || name === 'P58');
  const engines = [...evaluation.clean.results.scores.keys()];
  return table(
    ['documents', 'defects', ...engines, 'covered', 'on a nonsense quote'],
    wanted.map(({ name, defects, results }) => {
      const covered = [...results.verdicts].filter(
        ([id, { verdict }]) => id.startsWith('gap') && verdict === 'covered',
      );
      const nonsense = covered.filter(([, { support }]) =>
        support.some((quote) => /\bbanana\b/i.test(quote)),
      );
      return [
        name === 'banana' ? 'everything nonsense' : name,
        defects === undefined ? '–' : String(defects),
        ...engines.map((engine) => (results.scores.get(engine) ?? 0).toFixed(1)),
        String(covered.length),
        String(nonsense.length),
      ];
    }),
  );
}

/** How often entries are right, by the confidence that they are told with: not called wrong by the person who judged them. */
export function findingClasses({ sets, clean }: FindingsEvaluation): readonly ConfidenceClass[] {
  const judged = [...sets, clean].flatMap(({ labelled }) =>
    labelled.flatMap(({ finding: { confidence, counted }, label }) =>
      counted && label && confidence ? [{ confidence, isRight: label.label !== 'W' }] : [],
    ),
  );
  return confidenceClasses('entries of reports, built-in standards', judged);
}

export function classTable(classes: readonly ConfidenceClass[]): string {
  return table(
    ['answers', 'confidence', 'judged', 'not wrong', 'share'],
    classes.map(({ source, confidence, answers, right }) => [
      source,
      confidence,
      String(answers),
      String(right),
      (right / answers).toFixed(3).replace(/^0/, ''),
    ]),
  );
}

/** One sentence for each claim that the figures allow. */
export function findingSentences(evaluation: FindingsEvaluation): string[] {
  const { german, harmless, plants, sets, clean } = evaluation;
  const critical = clean.labelled.filter(
    ({ finding }) => finding.counted && finding.severity === 'critical',
  ).length;
  const found = plants.filter(({ answer }) => answer === 'found').length;
  const silent = plants.filter(({ news }) => news.length === 0).length;
  return [
    ...(plants.length > 0
      ? [`Plants: ${found} of ${plants.length} found; ${silent} bring no new finding at all.`]
      : []),
    ...(sets.length > 0 ? [together(evaluation)] : []),
    `Clean project: ${clean.labelled.filter(({ finding }) => finding.counted).length} findings, ${critical} critical; every one is a false alarm or not due.`,
    ...(harmless.length > 0
      ? [
          `Harmless edits: ${harmless.filter(({ id }) => id.startsWith('N')).reduce((sum, { news }) => sum + news.length, 0)} findings that the clean project does not have.`,
        ]
      : []),
    ...(german
      ? [
          `German twin: ${german.differing.length} of ${german.compared} verdicts of hazard analysis and concept differ from the English ones.`,
        ]
      : []),
    ...sets.flatMap(({ set, labelled }) => {
      const perhaps = new Set(labelled.flatMap((one) => one.perhaps));
      return perhaps.size === 0
        ? []
        : [
            `${set.name}: findings to be judged quote all places of ${[...perhaps].join(', ')}; they count as told only when a person has said so.`,
          ];
    }),
    ...figuresOfScores(evaluation),
  ];
}

/** Defects that nothing tells, our own judgements counted too, for whoever looks for the next rule. */
export function untoldDefects({ sets }: FindingsEvaluation): string {
  return sets
    .map(({ set, toldByUs }) => {
      const untold = set.defects.filter(({ id }) => !toldByUs.has(id));
      return [
        `${set.name}: ${untold.length} of ${set.defects.length} defects not told`,
        ...untold.map(({ id, kind, statement }) => `  ${id} ${kind}: ${statement}`),
      ].join('\n');
    })
    .join('\n\n');
}

/** Findings that no person has judged yet, for whoever does. */
export function toBeJudged({ sets, clean }: FindingsEvaluation): string {
  return [
    ...sets.map(({ set, labelled }) => ({ name: set.name, labelled })),
    { name: 'clean project', labelled: clean.labelled },
  ]
    .map(({ name, labelled }) => {
      const open = labelled.filter(({ judged, finding }) => !judged && finding.counted);
      return [`${name}: ${open.length} to be judged`, ...open.map(asLine)].join('\n');
    })
    .join('\n\n');
}

function asLine({ finding, perhaps }: LabelledFinding): string {
  const quotes = finding.quotes
    .slice(0, 3)
    .map(({ document, quote }) => `      ${document}: “${quote.slice(0, 120)}”`);
  const hint = perhaps.length > 0 ? ` [perhaps ${perhaps.join(', ')}]` : '';
  return [
    `  ${finding.engine} ${finding.criterion} ${finding.severity}: ${finding.title}${hint}`,
    ...(finding.parts ?? [finding]).map((part) => `    key: ${judgementKey(part)}`),
    ...quotes,
  ].join('\n');
}

function percent(part: number, whole: number): string {
  return whole === 0 ? '–' : `${Math.round((100 * part) / whole)} %`;
}
