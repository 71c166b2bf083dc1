import { asilRank, highestAsil, printAsil } from '../asil/asil.js';
import { partsOfTypes } from '../corpus/corpus.js';
import type { ItemRecord } from '../facts/artifacts/records.js';
import { readRating } from '../facts/field.js';
import type { Evidence } from '../findings/finding.js';
import { say } from '../sentences/sentence.js';
import type { ConsistencyContext, Contradiction } from './contradiction.js';
import { isBelowEvent, isBelowSource } from './level-rules.js';
import { asilOf, fieldEvidence, statement } from './record-asil.js';

/** AI-14: a safety goal has a lower ASIL than a hazardous event that it answers. */
export function safetyGoalAsil({ records }: ConsistencyContext): readonly Contradiction[] {
  const events = records.filter(
    (record) => readRating(record.fields.get('severity')?.value) !== undefined && asilOf(record),
  );
  const demanded = new Map<string, ItemRecord[]>();
  for (const event of events) {
    for (const goal of event.references.filter((reference) => reference.family === 'safety_goal')) {
      demanded.set(goal.key, [...(demanded.get(goal.key) ?? []), event]);
    }
  }
  const found: Contradiction[] = [];
  for (const [key, sources] of demanded) {
    const level = highestAsil(sources.map((event) => asilOf(event)!.own))!;
    const source = sources.find((event) => asilOf(event)!.own === level)!;
    const goals = records.filter(
      (record) => record.key === key && !events.includes(record) && asilOf(record),
    );
    const wrong = goals.find((goal) => isBelowEvent(asilOf(goal)!, level));
    if (!wrong) continue;
    const consequences = records.filter(
      (record) =>
        record !== wrong &&
        !events.includes(record) &&
        record.references.some((reference) => reference.key === key) &&
        asilOf(record) !== undefined &&
        asilRank(asilOf(record)!.original ?? asilOf(record)!.own) < asilRank(level),
    );
    const stated = printAsil(asilOf(wrong)!);
    found.push({
      kind: 'asil_too_low',
      item: key,
      asil: level,
      confidence: 'high',
      title: say('contradictions.safety-goal-asil.title', { id: wrong.id, stated, source: source.id, level }),
      expected: say('contradictions.safety-goal-asil.expected'),
      observed: say('contradictions.safety-goal-asil.observed', {
        source: source.id,
        level,
        id: wrong.id,
        stated,
      }),
      whyItMatters: say('contradictions.safety-goal-asil.why', { id: wrong.id }),
      recommendation: say('contradictions.safety-goal-asil.action', {
        id: wrong.id,
        level,
        derived: consequences.map((one) => one.id),
      }),
      doneWhen: say('contradictions.safety-goal-asil.done', { id: wrong.id }),
      affectedItems: [...new Set([wrong.id, ...consequences.map((one) => one.id)])],
      evidence: [
        ...statement(source, 'asil', say('contradictions.level', { id: source.id, level })),
        ...statement(wrong, 'asil', say('contradictions.level', { id: wrong.id, level: stated })),
        ...consequences
          .slice(0, 3)
          .flatMap((one) => statement(one, 'asil', say('contradictions.safety-goal-asil.note-derived'))),
      ],
    });
  }
  return found;
}

/** AI-02: a requirement has a lower ASIL than the safety goal that it names, and no decomposition says why. */
export function requirementAsil(context: ConsistencyContext): readonly Contradiction[] {
  const { records } = context;
  const known = new Set(safetyGoalAsil(context).flatMap((one) => one.affectedItems));
  const goals = goalsOf(records);
  return records.flatMap((record): Contradiction[] => {
    const asil = asilOf(record);
    if (!asil || !isRequirement(record) || known.has(record.id)) return [];
    const parents = record.references.flatMap((reference) => goals.get(reference.key) ?? []);
    const parent = parents.find((goal) => asilOf(goal) && isBelowSource(asil, asilOf(goal)!));
    const demanded = parent && asilOf(parent);
    if (!parent || !demanded) return [];
    return [
      {
        kind: 'asil_too_low',
        item: record.key,
        asil: demanded.own,
        confidence: 'high',
        title: say('contradictions.requirement-asil.title', {
          id: record.id,
          stated: printAsil(asil),
          goal: parent.id,
          level: printAsil(demanded),
        }),
        expected: say('contradictions.requirement-asil.expected'),
        observed: say('contradictions.requirement-asil.observed', {
          id: record.id,
          stated: printAsil(asil),
          goal: parent.id,
          level: printAsil(demanded),
        }),
        whyItMatters: say('contradictions.requirement-asil.why', { id: record.id }),
        recommendation: say('contradictions.requirement-asil.action', {
          id: record.id,
          document: record.document.name,
          goal: parent.id,
        }),
        doneWhen: say('contradictions.requirement-asil.done'),
        affectedItems: [record.id],
        evidence: [
          ...statement(
            record,
            'asil',
            say('contradictions.level', { id: record.id, level: printAsil(asil) }),
          ),
          ...statement(
            parent,
            'asil',
            say('contradictions.level', { id: parent.id, level: printAsil(demanded) }),
          ),
        ],
      },
    ];
  });
}

/** A safety goal that no requirement of the concept names, where requirements do name goals. */
export function goalWithoutRequirement({ corpus, records }: ConsistencyContext): readonly Contradiction[] {
  const concepts = new Set(
    partsOfTypes(corpus, ['functional_safety_concept']).map((part) => part.documentId),
  );
  const requirements = records.filter((record) => concepts.has(record.document.id) && isRequirement(record));
  const references = requirements.flatMap((record) =>
    record.references.filter((one) => one.family === 'safety_goal'),
  );
  const named = new Map(references.map((reference) => [reference.key, reference.id]));
  if (named.size === 0) return [];
  return [...goalsOf(records)].flatMap(([key, [goal]]): Contradiction[] => {
    const asil = goal && asilOf(goal);
    if (!goal || named.has(key) || asil?.own === 'QM') return [];
    return [
      {
        kind: 'goal_without_requirement',
        item: key,
        ...(asil ? { asil: asil.own } : {}),
        confidence: 'high',
        title: say('contradictions.goal-without-requirement.title', {
          id: goal.id,
          level: asil && printAsil(asil),
        }),
        expected: say('contradictions.goal-without-requirement.expected'),
        observed: say('contradictions.goal-without-requirement.observed', {
          count: requirements.length,
          id: goal.id,
          named: [...named.values()],
        }),
        whyItMatters: say('contradictions.goal-without-requirement.why'),
        recommendation: say('contradictions.goal-without-requirement.action', { id: goal.id }),
        doneWhen: say('contradictions.goal-without-requirement.done', { id: goal.id }),
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
  const note = say('contradictions.goal-without-requirement.note');
  const text = fieldEvidence(goal, 'text', 'counter', note);
  return text.length > 0 ? text : statement(goal, 'asil', note);
}
