import { asilFromRatings, asilsInText, highestAsil, printAsil } from '../asil/asil.js';
import { partsOfTypes, usableDocuments } from '../corpus/corpus.js';
import { quote } from '../corpus/evidence.js';
import { hitsOf } from '../corpus/mentions.js';
import { fieldWords, type ItemRecord } from '../facts/artifacts/records.js';
import { readRating } from '../facts/field.js';
import { weigh } from '../judgement/probe-terms.js';
import { say } from '../sentences/sentence.js';
import { normaliseText } from '../text/normalise.js';
import type { ConsistencyContext, Contradiction } from './contradiction.js';
import { safetyGoalAsil } from './goal-rules.js';
import { againstRatings, comparedAsil, differingLevels } from './level-rules.js';
import { asilOf, fieldEvidence, statement } from './record-asil.js';

const RATINGS = ['severity', 'exposure', 'controllability'] as const;

/** AI-13: the ASIL of a hazardous event is not the one that its S, E and C give (domain E.3). */
export function asilRecomputed({ records }: ConsistencyContext): readonly Contradiction[] {
  return records.flatMap((record): Contradiction[] => {
    const ratings = RATINGS.map((key) => readRating(record.fields.get(key)?.value));
    const stated = asilOf(record);
    const [s, e, c] = ratings;
    if (!stated || s === undefined || e === undefined || c === undefined) return [];
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
        item: record.key,
        asil: tooLow ? computed : stated.own,
        confidence: 'high',
        title: say('contradictions.asil-recomputed.title', {
          id: record.id,
          stated: printAsil(stated),
          computed,
        }),
        expected: say('contradictions.asil-recomputed.expected'),
        observed: say('contradictions.asil-recomputed.observed', {
          id: record.id,
          stated: printAsil(stated),
          severity: s,
          exposure: e,
          controllability: c,
          computed,
        }),
        whyItMatters: say(`contradictions.asil-recomputed.why-${tooLow ? 'too-low' : 'too-high'}`),
        recommendation: say('contradictions.asil-recomputed.action', {
          id: record.id,
          document: record.document.name,
        }),
        doneWhen: say('contradictions.asil-recomputed.done'),
        affectedItems: [record.id],
        evidence: [
          ...fieldEvidence(record, 'asil', 'counter', note),
          ...RATINGS.flatMap((key) =>
            fieldEvidence(record, key, 'counter', say(`contradictions.asil-recomputed.note-${key}`)),
          ),
        ],
      },
    ];
  });
}

/** AI-10, T5: the same thing has different ASILs in two places. Ids that name different things are left out. */
export function sameIdOtherAsil(context: ConsistencyContext): readonly Contradiction[] {
  const known = new Set(safetyGoalAsil(context).flatMap((one) => one.affectedItems));
  const byKey = new Map<string, ItemRecord[]>();
  for (const record of context.records) {
    if (record.family === 'unknown' || record.family === 'other' || !asilOf(record)) continue;
    byKey.set(record.key, [...(byKey.get(record.key) ?? []), record]);
  }
  return [...byKey.values()].flatMap((same): Contradiction[] => {
    const [first, ...others] = same;
    if (known.has(first!.id)) return [];
    const differing = differingLevels(
      [first!, ...others.filter((record) => speakOfTheSame(first!, record))].map((record) => {
        const asil = asilOf(record)!;
        return { record, print: printAsil(asil), level: comparedAsil(asil) };
      }),
    );
    if (!differing) return [];
    // The first place, and of the others the one that states most.
    const rest = differing.levels.slice(1);
    const other = rest.reduce((most, next) => (next.level.rank > most.level.rank ? next : most)).record;
    const levels = [first!, other].map((record) => asilOf(record)!);
    return [
      {
        kind: 'asil_too_low',
        item: first!.key,
        asil: differing.grade,
        confidence: 'high',
        title: say('contradictions.same-id-other-asil.title', {
          id: first!.id,
          levels: levels.map(printAsil),
        }),
        expected: say('contradictions.same-id-other-asil.expected'),
        observed: say('contradictions.same-id-other-asil.observed', {
          id: first!.id,
          levels: levels.map(printAsil),
        }),
        whyItMatters: say('contradictions.same-id-other-asil.why'),
        recommendation: say('contradictions.same-id-other-asil.action', { id: first!.id }),
        doneWhen: say('contradictions.same-id-other-asil.done', { id: first!.id }),
        affectedItems: [first!.id],
        evidence: [
          ...statement(first!, 'asil', say('contradictions.same-id-other-asil.note-one')),
          ...statement(other, 'asil', say('contradictions.same-id-other-asil.note-other')),
        ],
      },
    ];
  });
}

/** Ids that repeat under each parent number different things: their texts have little in common. */
function speakOfTheSame(a: ItemRecord, b: ItemRecord): boolean {
  const words = (record: ItemRecord) =>
    new Set(
      normaliseText(record.fields.get('text')?.value ?? record.passage.text).match(/\p{L}{4,}/gu) ?? [],
    );
  const own = words(a);
  const other = words(b);
  const common = [...own].filter((word) => other.has(word)).length;
  return common * 2 >= Math.min(own.size, other.size);
}

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
  if (shown && analysis) return [];
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
