import {
  type AsilLevel,
  asilFromRatings,
  asilRank,
  asilsInText,
  highestAsil,
  printAsil,
} from '../asil/asil.js';
import { partsOfTypes, usableDocuments } from '../corpus/corpus.js';
import { quote } from '../corpus/evidence.js';
import { hitsOf } from '../corpus/mentions.js';
import { fieldWords, type ItemRecord, ratingOf } from '../facts/artifacts/records.js';
import { weigh } from '../judgement/probe-terms.js';
import { normaliseText } from '../text/normalise.js';
import type { ConsistencyContext, Inconsistency } from './consistency-finding.js';
import { safetyGoalAsil } from './goal-rules.js';
import { asilOf, fieldEvidence, statement } from './record-asil.js';

/** AI-13: the ASIL of a hazardous event is not the one that its S, E and C give (domain E.3). */
export function asilRecomputed({ records }: ConsistencyContext): readonly Inconsistency[] {
  return records.flatMap((record): Inconsistency[] => {
    const ratings = ['severity', 'exposure', 'controllability'].map((key) =>
      ratingOf(record.fields.get(key)),
    );
    const stated = asilOf(record);
    const [s, e, c] = ratings;
    if (!stated || s === undefined || e === undefined || c === undefined) return [];
    const computed = asilFromRatings(s, e, c);
    if (computed === undefined || computed === stated.own) return [];
    const tooLow = asilRank(stated.own) < asilRank(computed);
    const note = `S${s}, E${e}, C${c} give ${computed}`;
    return [
      {
        rule: 'asil-recomputed',
        kind: tooLow ? 'asil_too_low' : 'asil_too_high',
        item: record.key,
        asil: tooLow ? computed : stated.own,
        confidence: 'high',
        title: `${record.id}: ASIL ${printAsil(stated)} stated, ratings give ${computed}`,
        expected:
          'The ASIL of a hazardous event is the one that its severity, exposure and controllability give.',
        observed: `${record.id} states ${printAsil(stated)}; S${s}, E${e} and C${c} give ${computed}.`,
        whyItMatters: tooLow
          ? 'Everything derived from this event would be developed with too little integrity.'
          : 'Without an explanation nobody can tell whether the rating or the ASIL is meant.',
        recommendation: `Decide for ${record.id} in "${record.document.name}" whether a rating or the ASIL is wrong, and correct it with its rationale`,
        doneWhen: 'the recomputed ASIL equals the stated one and the safety goal carries it',
        affectedItems: [record.id],
        evidence: [
          ...fieldEvidence(record, 'asil', 'counter', note),
          ...['severity', 'exposure', 'controllability'].flatMap((key) =>
            fieldEvidence(record, key, 'counter', key),
          ),
        ],
      },
    ];
  });
}

/** AI-10, T5: the same thing has different ASILs in two places. Ids that name different things are left out. */
export function sameIdOtherAsil(context: ConsistencyContext): readonly Inconsistency[] {
  const known = new Set(safetyGoalAsil(context).flatMap((one) => one.affectedItems));
  const byKey = new Map<string, ItemRecord[]>();
  for (const record of context.records) {
    if (record.family === 'unknown' || record.family === 'other' || !asilOf(record)) continue;
    byKey.set(record.key, [...(byKey.get(record.key) ?? []), record]);
  }
  return [...byKey.values()].flatMap((same): Inconsistency[] => {
    const [first, ...others] = same;
    if (known.has(first!.id)) return [];
    const other = others.find(
      (record) => printAsil(asilOf(record)!) !== printAsil(asilOf(first!)!) && speakOfTheSame(first!, record),
    );
    if (!other) return [];
    const levels = [first!, other].map((record) => asilOf(record)!);
    const level = highestAsil(levels.map((one) => one.original ?? one.own)) as AsilLevel;
    return [
      {
        rule: 'same-id-other-asil',
        kind: 'contradiction',
        item: first!.key,
        asil: level,
        confidence: 'high',
        title: `${first!.id} has two ASILs: ${levels.map(printAsil).join(' and ')}`,
        expected: 'One thing has the same ASIL wherever it is stated.',
        observed: `${first!.id} is stated with ASIL ${levels.map(printAsil).join(' and with ASIL ')}.`,
        whyItMatters: 'Whoever reads the lower one builds and verifies with too little integrity.',
        recommendation: `Decide the valid ASIL of ${first!.id} and correct the other place; take the higher one until then`,
        doneWhen: `every place states the same ASIL for ${first!.id}`,
        affectedItems: [first!.id],
        evidence: [...statement(first!, 'asil', 'one place'), ...statement(other, 'asil', 'the other place')],
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

/** AI-07: an ASIL is decomposed and nothing shows an analysis of dependent failures. */
export function decompositionWithoutDfa({
  corpus,
  records,
  index,
}: ConsistencyContext): readonly Inconsistency[] {
  const decomposed = records.filter((record) => {
    const asil = asilOf(record);
    return asil?.original !== undefined && asil.own !== asil.original;
  });
  const told = decomposed.length === 0 ? toldDecompositions(corpus) : [];
  const first = decomposed[0];
  const evidence = first
    ? decomposed.slice(0, 3).flatMap((record) => statement(record, 'asil', 'decomposed ASIL'))
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
      rule: 'decomposition-without-dfa',
      kind: 'independence',
      item: items.join(','),
      ...(level ? { asil: level } : {}),
      confidence: 'medium',
      title: 'ASIL decomposition without evidence of a dependent failure analysis',
      expected:
        'Where an ASIL is decomposed, an analysis of dependent failures shows that the parts are sufficiently independent.',
      observed: `${items.join(', ')} ${items.length === 1 ? 'is' : 'are'} decomposed; no document shows an analysis of dependent failures. Statements of redundancy are no such analysis: cores or channels that run the same software fail together on a systematic fault.`,
      whyItMatters: 'Without independence one cause defeats both parts, and the full ASIL is not reached.',
      recommendation:
        'Perform or link the dependent failure analysis for the decomposed requirements and their elements, systematic software faults and shared resources included',
      doneWhen:
        'the analysis names the version of the architecture, evaluates each coupling and is reviewed; a person has to confirm independence',
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
          evidence: quote(read.document, passage, passage, { role: 'counter', note: 'decomposition' }),
        },
      ];
    }),
  );
}
