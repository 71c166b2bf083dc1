import { asilRank, highestAsil, printAsil } from '../asil/asil.js';
import { partsOfTypes } from '../corpus/corpus.js';
import type { ItemRecord } from '../facts/artifacts/records.js';
import { ratingOf } from '../facts/artifacts/records.js';
import type { Evidence } from '../findings/finding.js';
import type { ConsistencyContext, Inconsistency } from './consistency-finding.js';
import { asilOf, fieldEvidence, statement } from './record-asil.js';

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
