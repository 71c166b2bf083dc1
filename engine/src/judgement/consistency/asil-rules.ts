import { fieldWords, type ItemRecord, ratingOf } from '../../artifacts/records.js';
import type { Evidence } from '../../findings/finding.js';
import { normaliseText } from '../../text/normalise.js';
import {
  type Asil,
  type AsilLevel,
  asilFromRatings,
  asilRank,
  asilsInText,
  highestAsil,
  parseAsil,
  printAsil,
} from '../asil.js';
import { partsOfTypes, usableDocuments } from '../corpus.js';
import { quote } from '../evidence.js';
import { hitsOf } from '../mentions.js';
import { weigh } from '../probe-terms.js';
import type { ConsistencyContext, Inconsistency } from './consistency-finding.js';

/** ASIL field of a record, wherever it stands. */
function asilOf(record: ItemRecord): Asil | undefined {
  const value = record.fields.get('asil')?.value;
  if (value === undefined) return undefined;
  return parseAsil(value) ?? asilsInText(value)[0]?.asil;
}

function fieldEvidence(record: ItemRecord, key: string, role: Evidence['role'], note: string): Evidence[] {
  const field = record.fields.get(key);
  if (!field) return [];
  return [quote(record.document.read.document, record.passage, field, { role, note })];
}

/** A paragraph as a whole, or the cell of a field: enough to see what is meant. */
function statement(record: ItemRecord, key: string, note: string): Evidence[] {
  if (record.fromTable) return fieldEvidence(record, key, 'counter', note);
  const { document } = record.document.read;
  const cells = document.blocks[record.passage.blockIndex]!.cells;
  if (cells) return fieldEvidence(record, key, 'counter', note);
  return [
    quote(document, record.passage, record.passage, {
      role: 'counter',
      note,
      focus: record.fields.get(key) ?? record.passage,
    }),
  ];
}

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

/** AI-14: a safety goal has a lower ASIL than a hazardous event that it answers. */
export function safetyGoalAsil({ records }: ConsistencyContext): readonly Inconsistency[] {
  const events = records.filter(
    (record) => ratingOf(record.fields.get('severity')) !== undefined && asilOf(record),
  );
  const demanded = new Map<string, ItemRecord[]>();
  for (const event of events) {
    for (const goal of event.references.filter((reference) => reference.family === 'safety_goal')) {
      demanded.set(goal.key, [...(demanded.get(goal.key) ?? []), event]);
    }
  }
  const found: Inconsistency[] = [];
  for (const [key, sources] of demanded) {
    const level = highestAsil(sources.map((event) => asilOf(event)!.own))!;
    const source = sources.find((event) => asilOf(event)!.own === level)!;
    const goals = records.filter(
      (record) => record.key === key && !events.includes(record) && asilOf(record),
    );
    const wrong = goals.find(
      (goal) => asilRank(asilOf(goal)!.original ?? asilOf(goal)!.own) < asilRank(level),
    );
    if (!wrong) continue;
    const consequences = records.filter(
      (record) =>
        record !== wrong &&
        !events.includes(record) &&
        record.references.some((reference) => reference.key === key) &&
        asilOf(record) !== undefined &&
        asilRank(asilOf(record)!.original ?? asilOf(record)!.own) < asilRank(level),
    );
    found.push({
      rule: 'safety-goal-asil',
      kind: 'asil_too_low',
      item: key,
      asil: level,
      confidence: 'high',
      title: `${wrong.id} has ASIL ${printAsil(asilOf(wrong)!)}, but ${source.id} demands ASIL ${level}`,
      expected: 'A safety goal carries the highest ASIL of the hazardous events that it answers.',
      observed: `${source.id} is rated ASIL ${level} and leads to ${wrong.id}, which is stated with ASIL ${printAsil(asilOf(wrong)!)}.`,
      whyItMatters: `Requirements derived from ${wrong.id} would be developed and verified with too little integrity.`,
      recommendation: `Decide the valid ASIL of ${wrong.id} (the HARA yields ${level}); update the safety goal and ${consequences.map((one) => one.id).join(', ') || 'what is derived from it'}; check decomposition and methods again`,
      doneWhen: `every place states the same ASIL for ${wrong.id} and what is derived from it inherits it`,
      affectedItems: [...new Set([wrong.id, ...consequences.map((one) => one.id)])],
      evidence: [
        ...statement(source, 'asil', `${source.id}: ASIL ${level}`),
        ...statement(wrong, 'asil', `${wrong.id}: ASIL ${printAsil(asilOf(wrong)!)}`),
        ...consequences.slice(0, 3).flatMap((one) => statement(one, 'asil', 'derived from it')),
      ],
    });
  }
  return found;
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

/** AI-02: a requirement has a lower ASIL than the safety goal that it names, and no decomposition says why. */
export function requirementAsil(context: ConsistencyContext): readonly Inconsistency[] {
  const { records } = context;
  const known = new Set(safetyGoalAsil(context).flatMap((one) => one.affectedItems));
  const goals = goalsOf(records);
  return records.flatMap((record): Inconsistency[] => {
    const asil = asilOf(record);
    if (!asil || !isRequirement(record) || known.has(record.id)) return [];
    const parents = record.references.flatMap((reference) => goals.get(reference.key) ?? []);
    const parent = parents.find(
      (goal) => asilOf(goal) && asilRank(asil.original ?? asil.own) < asilRank(asilOf(goal)!.own),
    );
    const demanded = parent && asilOf(parent);
    if (!parent || !demanded) return [];
    return [
      {
        rule: 'requirement-asil',
        kind: 'asil_too_low',
        item: record.key,
        asil: demanded.own,
        confidence: 'high',
        title: `${record.id} has ASIL ${printAsil(asil)}, its goal ${parent.id} ASIL ${printAsil(demanded)}`,
        expected:
          'A requirement inherits the ASIL of its safety goal, or carries a decomposed one that is justified.',
        observed: `${record.id} is stated with ASIL ${printAsil(asil)} and refers to ${parent.id} with ASIL ${printAsil(demanded)}; no decomposition is noted.`,
        whyItMatters: `${record.id} would be developed and verified with too little integrity for its goal.`,
        recommendation: `Give ${record.id} in "${record.document.name}" the ASIL of ${parent.id}, or document a decomposition with its argument for independence`,
        doneWhen: 'the requirement carries the inherited ASIL or a decomposition that is reviewed',
        affectedItems: [record.id],
        evidence: [
          ...statement(record, 'asil', `${record.id}: ASIL ${printAsil(asil)}`),
          ...statement(parent, 'asil', `${parent.id}: ASIL ${printAsil(demanded)}`),
        ],
      },
    ];
  });
}

/** A safety goal that no requirement of the concept names, where requirements do name goals. */
export function goalWithoutRequirement({ corpus, records }: ConsistencyContext): readonly Inconsistency[] {
  const concepts = new Set(
    partsOfTypes(corpus, ['functional_safety_concept']).map((part) => part.documentId),
  );
  const requirements = records.filter((record) => concepts.has(record.document.id) && isRequirement(record));
  const references = requirements.flatMap((record) =>
    record.references.filter((one) => one.family === 'safety_goal'),
  );
  const named = new Map(references.map((reference) => [reference.key, reference.id]));
  if (named.size === 0) return [];
  return [...goalsOf(records)].flatMap(([key, [goal]]): Inconsistency[] => {
    const asil = goal && asilOf(goal);
    if (!goal || named.has(key) || asil?.own === 'QM') return [];
    return [
      {
        rule: 'goal-without-requirement',
        kind: 'goal_without_requirement',
        item: key,
        ...(asil ? { asil: asil.own } : {}),
        confidence: 'high',
        title: `${goal.id}${asil ? ` (ASIL ${printAsil(asil)})` : ''} has no functional safety requirement`,
        expected: 'Each safety goal is met by at least one functional safety requirement.',
        observed: `Searched ${requirements.length} requirements of the concept for ${goal.id}: none refers to it; they refer to ${[...named.values()].join(', ')}.`,
        whyItMatters: 'The goal is not carried into the design: nothing is built or tested that keeps it.',
        recommendation: `Derive functional safety requirements for ${goal.id} in the functional safety concept: detection, reaction within the fault tolerant time interval, safe state and allocation; determine the values from the hazard analysis`,
        doneWhen: `at least one requirement refers to ${goal.id} and carries its ASIL`,
        affectedItems: [goal.id],
        evidence: goalEvidence(goal),
      },
    ];
  });
}

function isRequirement(record: ItemRecord): boolean {
  if (record.family === 'requirement') return true;
  return record.family === 'unknown' && record.fields.has('parent');
}

/** Safety goals where they are defined: with a text of their own, not where they are only referred to. */
function goalsOf(records: readonly ItemRecord[]): ReadonlyMap<string, readonly ItemRecord[]> {
  const goals = new Map<string, ItemRecord[]>();
  for (const record of records) {
    if (record.family === 'safety_goal') goals.set(record.key, [...(goals.get(record.key) ?? []), record]);
  }
  return goals;
}

function goalEvidence(goal: ItemRecord): Evidence[] {
  const text = fieldEvidence(goal, 'text', 'counter', 'the safety goal');
  return text.length > 0 ? text : statement(goal, 'asil', 'the safety goal');
}
