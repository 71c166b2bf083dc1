import { type Asil, asilFromRatings, asilsInText, highestAsil, parseAsil, printAsil } from '../asil/asil.js';
import { partsOfTypes, usableDocuments } from '../corpus/corpus.js';
import { quote } from '../corpus/evidence.js';
import { hitsOf } from '../corpus/mentions.js';
import type { Passage } from '../corpus/passages/passage.js';
import type { ArtifactType } from '../facts/artifacts/artifact.js';
import { fieldWords } from '../facts/artifacts/records.js';
import { readRating } from '../facts/field.js';
import { statedFacts } from '../facts/stated/stated-facts.js';
import type { Evidence } from '../findings/finding.js';
import { weigh } from '../judgement/probe-terms.js';
import { type Sentence, say } from '../sentences/sentence.js';
import { normaliseText } from '../text/normalise.js';
import type { ConsistencyContext, Contradiction } from './contradiction.js';
import { safetyGoalAsil } from './goal-rules.js';
import { againstRatings, comparedAsil, differingLevels } from './level-rules.js';
import { asilOf, fieldEvidence, statement } from './record-asil.js';

const RATINGS = ['severity', 'exposure', 'controllability'] as const;

/** An event with its ratings and its level, read as a record or as any other row or paragraph. */
interface RatedEvent {
  readonly id: string;
  readonly key: string;
  readonly document: string;
  readonly asil: Asil;
  readonly ratings: readonly (number | undefined)[];
  readonly quoted: (key: (typeof RATINGS)[number] | 'asil', note: Sentence) => readonly Evidence[];
}

function ratedEvents({ corpus, records }: ConsistencyContext): readonly RatedEvent[] {
  const taken = new Set<string>();
  const read = records.flatMap((record): RatedEvent[] => {
    const asil = asilOf(record);
    if (!asil) return [];
    const ratings = RATINGS.map((key) => readRating(record.fields.get(key)?.value));
    if (ratings.every((rating) => rating !== undefined)) taken.add(record.key);
    const { id, key } = record;
    return [
      {
        ...{ id, key, document: record.document.name, asil, ratings },
        quoted: (name, note) => fieldEvidence(record, name, 'counter', note),
      },
    ];
  });
  const told = statedFacts(corpus).items.flatMap((item): RatedEvent[] => {
    const value = item.values.get('asil');
    const asil = value && parseAsil(value.text);
    if (!asil || !item.hasId || taken.has(item.key)) return [];
    const ratings = RATINGS.map((key) => readRating(item.values.get(key)?.text));
    const { id, key, document } = item;
    return [
      {
        ...{ id, key, document: document.name, asil, ratings },
        quoted: (name, note) => {
          const said = item.values.get(name);
          return said ? [quote(document.read.document, said.passage, said, { role: 'counter', note })] : [];
        },
      },
    ];
  });
  return [...read, ...told];
}

/** AI-13: the ASIL of a hazardous event is not the one that its S, E and C give (domain E.3). */
export function asilRecomputed(context: ConsistencyContext): readonly Contradiction[] {
  return ratedEvents(context).flatMap((event): Contradiction[] => {
    const { asil: stated, id } = event;
    const [s, e, c] = event.ratings;
    if (s === undefined || e === undefined || c === undefined) return [];
    const computed = asilFromRatings(s, e, c);
    const difference = computed && againstRatings(stated, computed);
    if (computed === undefined || difference === undefined) return [];
    const tooLow = difference === 'too_low';
    const note = say('contradictions.asil-recomputed.note', {
      severity: s,
      exposure: e,
      controllability: c,
      computed,
    });
    return [
      {
        kind: tooLow ? 'asil_too_low' : 'asil_too_high',
        item: event.key,
        asil: tooLow ? computed : stated.own,
        confidence: 'high',
        title: say('contradictions.asil-recomputed.title', { id, stated: printAsil(stated), computed }),
        expected: say('contradictions.asil-recomputed.expected'),
        observed: say('contradictions.asil-recomputed.observed', {
          id,
          stated: printAsil(stated),
          severity: s,
          exposure: e,
          controllability: c,
          computed,
        }),
        whyItMatters: say(`contradictions.asil-recomputed.why-${tooLow ? 'too-low' : 'too-high'}`),
        recommendation: say('contradictions.asil-recomputed.action', { id, document: event.document }),
        doneWhen: say('contradictions.asil-recomputed.done'),
        affectedItems: [id],
        evidence: [
          ...event.quoted('asil', note),
          ...RATINGS.flatMap((key) => event.quoted(key, say(`contradictions.asil-recomputed.note-${key}`))),
        ],
      },
    ];
  });
}

/** A place that states the level of something, read as a record or as any other row or field with an id. */
interface StatedLevel {
  readonly id: string;
  readonly asil: Asil;
  /** Its own words, if it states any; of a row without them, all of it. */
  readonly words: string;
  readonly hasText: boolean;
  /** The table or paragraph that it stands in. */
  readonly place: string;
  readonly quoted: (note: Sentence) => readonly Evidence[];
}

/** Goals, events and requirements with the levels that documents state of them, by key. */
function levelsStated({ corpus, records }: ConsistencyContext): ReadonlyMap<string, readonly StatedLevel[]> {
  const byKey = new Map<string, StatedLevel[]>();
  const put = (key: string, one: StatedLevel) => byKey.set(key, [...(byKey.get(key) ?? []), one]);
  const taken = new Set<string>();
  for (const record of records) {
    const asil = asilOf(record);
    if (record.family === 'unknown' || record.family === 'other' || !asil) continue;
    const { id, key, passage, document } = record;
    const text = record.fields.get('text')?.value;
    const isRow = document.read.document.blocks[passage.blockIndex]!.cells !== undefined;
    taken.add(`${key} ${passage.id}`);
    put(key, {
      ...{ id, asil, words: text ?? passage.text, hasText: text !== undefined || !isRow },
      place: passage.id,
      quoted: (note) => statement(record, 'asil', note),
    });
  }
  for (const item of statedFacts(corpus).items) {
    const value = item.values.get('asil');
    const asil = value && parseAsil(value.text);
    const isLevelled = item.type !== undefined && LEVELLED.includes(item.type);
    if (!asil || !item.hasId || !isLevelled || taken.has(`${item.key} ${item.passage.id}`)) continue;
    const text = item.values.get('text')?.text;
    put(item.key, {
      ...{ id: item.id, asil, words: text ?? item.passage.text, hasText: text !== undefined },
      place: item.table === undefined ? item.passage.id : `${item.document.id} ${item.table}`,
      quoted: (note) => [quote(item.document.read.document, value.passage, value, { role: 'counter', note })],
    });
  }
  return byKey;
}

/** Beside an event, the level of its goal may stand as well. */
const LEVELLED: readonly ArtifactType[] = [
  ...(['safety_goal', 'functional_safety_requirement'] as const),
  ...(['technical_safety_requirement', 'hardware_requirement', 'software_requirement'] as const),
];

/** AI-10, T5: the same thing has different ASILs in two places. Ids that name different things are left out. */
export function sameIdOtherAsil(context: ConsistencyContext): readonly Contradiction[] {
  const known = new Set(safetyGoalAsil(context).flatMap((one) => one.affectedItems));
  return [...levelsStated(context)].flatMap(([key, same]): Contradiction[] => {
    const [first, ...others] = same;
    if (known.has(first!.id)) return [];
    const differing = differingLevels(
      [first!, ...others.filter((one) => speakOfTheSame(first!, one) && !isBeforeSplit(first!, one))].map(
        (stated) => ({
          stated,
          print: printAsil(stated.asil),
          level: comparedAsil(stated.asil),
        }),
      ),
    );
    if (!differing) return [];
    // The first place, and of the others the one that states most.
    const rest = differing.levels.slice(1);
    const other = rest.reduce((most, next) => (next.level.rank > most.level.rank ? next : most)).stated;
    const levels = [first!, other].map(({ asil }) => printAsil(asil));
    return [
      {
        kind: 'asil_too_low',
        item: key,
        asil: differing.grade,
        confidence: 'high',
        title: say('contradictions.same-id-other-asil.title', { id: first!.id, levels }),
        expected: say('contradictions.same-id-other-asil.expected'),
        observed: say('contradictions.same-id-other-asil.observed', { id: first!.id, levels }),
        whyItMatters: say('contradictions.same-id-other-asil.why'),
        recommendation: say('contradictions.same-id-other-asil.action', { id: first!.id }),
        doneWhen: say('contradictions.same-id-other-asil.done', { id: first!.id }),
        affectedItems: [first!.id],
        evidence: [
          ...first!.quoted(say('contradictions.same-id-other-asil.note-one')),
          ...other.quoted(say('contradictions.same-id-other-asil.note-other')),
        ],
      },
    ];
  });
}

/** Ids that repeat under each parent number different things: their texts have little in common. Rows without texts are told by the id alone. */
function speakOfTheSame(a: StatedLevel, b: StatedLevel): boolean {
  if (!a.hasText && !b.hasText) return a.place !== b.place;
  const words = ({ words: said }: StatedLevel) => new Set(normaliseText(said).match(/\p{L}{4,}/gu) ?? []);
  const own = words(a);
  const other = words(b);
  if (a.hasText !== b.hasText && Math.min(own.size, other.size) < FEWEST_WORDS) return a.place !== b.place;
  const common = [...own].filter((word) => other.has(word)).length;
  return common * 2 >= Math.min(own.size, other.size);
}
/** A row without a text may name the level before the decomposition: "D" beside "B(D)". */
const isBeforeSplit = (a: StatedLevel, b: StatedLevel) =>
  !(a.hasText && b.hasText) && (a.asil.original === b.asil.own || b.asil.original === a.asil.own);

/** So few words do not tell what a row is about. */
const FEWEST_WORDS = 8;

/**
 * An ASIL is decomposed and no document shows an analysis of dependent failures. AI-07 of the trace is another claim: the
 * analysis is linked to none of the parts, though a document may show it.
 */
export function decompositionWithoutDfa({
  corpus,
  records,
  index,
}: ConsistencyContext): readonly Contradiction[] {
  const decomposed = records.filter((record) => {
    const asil = asilOf(record);
    return asil?.original !== undefined && asil.own !== asil.original;
  });
  const told = toldDecompositions(corpus);
  const first = decomposed[0];
  const evidence = first
    ? [
        ...decomposed
          .slice(0, 3)
          .flatMap((record) =>
            statement(record, 'asil', say('contradictions.decomposition-without-dfa.note')),
          ),
        ...told.slice(0, 1).map((one) => one.evidence),
      ]
    : told.map((one) => one.evidence);
  if (evidence.length === 0) return [];
  const words = fieldWords().dependentFailures;
  const shown = hitsOf(index, words).some((hit) => weigh(corpus, hit, false).worth === 'stated');
  const analysis = partsOfTypes(corpus, ['safety_analysis']).some((part) =>
    hitsOf(index, words).some(
      (hit) =>
        hit.document.id === part.documentId && hit.passage.role !== 'toc' && hit.passage.role !== 'scope',
    ),
  );
  if (hasOwnRows(corpus) || (shown && analysis)) return [];
  const items = [...new Set(first ? decomposed.map((record) => record.id) : told.flatMap((one) => one.ids))];
  const level = highestAsil(
    first ? decomposed.map((record) => asilOf(record)!.original!) : told.map((one) => one.level),
  );
  return [
    {
      kind: 'independence',
      item: items.join(','),
      ...(level ? { asil: level } : {}),
      confidence: 'medium',
      title: say('contradictions.decomposition-without-dfa.title'),
      expected: say('contradictions.decomposition-without-dfa.expected'),
      observed: say('contradictions.decomposition-without-dfa.observed', { items }),
      whyItMatters: say('contradictions.decomposition-without-dfa.why'),
      recommendation: say('contradictions.decomposition-without-dfa.action'),
      doneWhen: say('contradictions.decomposition-without-dfa.done'),
      affectedItems: items,
      evidence,
    },
  ];
}

/** What is planned is not done. */
const PLANS: readonly string[] = ['safety_plan', 'project_plan'];
/** So many rows of coupling factors are an analysis. */
const FEWEST_CAUSES = 3;

/** A section, a sheet or a table of its own with rows below is an analysis, whatever type its document is told to be, but for a plan of it. */
function hasOwnRows(corpus: ConsistencyContext['corpus']): boolean {
  const isTitle = new RegExp(
    `(?<!\\p{L})(?:${fieldWords().dependentFailureTitles.join('|')})(?!\\p{L})`,
    'iu',
  );
  return usableDocuments(corpus).some(({ read, parts }) => {
    if (parts.some(({ typeId, whole }) => whole && PLANS.includes(typeId))) return false;
    const isRow = ({ blockIndex, header, role }: Passage) =>
      role === 'body' && !header && read.document.blocks[blockIndex]!.cells !== undefined;
    const sections = read.sections.filter(({ title }) => isTitle.test(title));
    const tables = read.tables.filter(({ columns }) => columns.some((title) => isTitle.test(title ?? '')));
    return (
      sections.some(
        ({ start, end }) => read.passages.slice(start, end).filter(isRow).length >= FEWEST_CAUSES,
      ) || tables.some(({ rows }) => rows.length >= FEWEST_CAUSES)
    );
  });
}

function toldDecompositions(corpus: ConsistencyContext['corpus']) {
  const pattern = new RegExp(fieldWords().decomposition, 'iu');
  return usableDocuments(corpus).flatMap(({ read }) =>
    read.passages.flatMap((passage) => {
      if (
        passage.role !== 'body' ||
        !pattern.test(passage.text) ||
        read.document.blocks[passage.blockIndex]!.cells
      )
        return [];
      const stated = asilsInText(passage.text).filter(
        ({ asil }) => asil.original && asil.own !== asil.original,
      );
      if (stated.length === 0) return [];
      return [
        {
          ids: stated.map(({ start, end }) => passage.text.slice(start, end)),
          level: highestAsil(stated.map(({ asil }) => asil.original!))!,
          evidence: quote(read.document, passage, passage, {
            role: 'counter',
            note: say('contradictions.decomposition-without-dfa.note-told'),
          }),
        },
      ];
    }),
  );
}
