import { type Asil, asilRank, highestAsil, printAsil } from '../asil/asil.js';
import { partsOfTypes } from '../corpus/corpus.js';
import type { ArtifactType } from '../facts/artifacts/artifact.js';
import type { ItemRecord } from '../facts/artifacts/records.js';
import { readRating } from '../facts/field.js';
import { tellsTheDriver } from '../facts/stated/state-words.js';
import { statedFacts } from '../facts/stated/stated-facts.js';
import type { Evidence } from '../findings/finding.js';
import { say } from '../sentences/sentence.js';
import type { ConsistencyContext, Contradiction } from './contradiction.js';
import { levelReasoned } from './level-reasons.js';
import { belowParents, comparedAsil, isBelowEvent, isPartOf } from './level-rules.js';
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

/** AI-02: a requirement has a lower ASIL than a safety goal that it names, and is no part of a decomposition of it. */
export function requirementAsil(context: ConsistencyContext): readonly Contradiction[] {
  return requirementsWithGoals(context).flatMap(({ record, asil, goals }): Contradiction[] => {
    const short = belowParents(comparedAsil(asil), goals);
    if (!short || levelReasoned(context.corpus, { key: record.key, passage: record.passage, asil }))
      return [];
    return [
      {
        kind: 'asil_too_low',
        // What only tells the driver may have less, with a reason: it is weighed by its own level.
        asil: tellsTheDriver(record.fields.get('text')?.value ?? record.passage.text)
          ? asil.own
          : short.grade,
        ...requirementAndGoal('requirement-asil', { record, asil, goal: short.demanding }),
      },
    ];
  });
}

/** A requirement is noted as a part of less than the safety goal that it names (the half of AI-04 that loses integrity). */
export function requirementBracket(context: ConsistencyContext): readonly Contradiction[] {
  return requirementsWithGoals(context).flatMap(({ record, asil, goals }): Contradiction[] => {
    const goal = goals.find(
      (one) =>
        isPartOf(comparedAsil(asil), one) &&
        asilRank(asil.original!) < asilRank(one.asil.original ?? one.asil.own),
    );
    if (!goal) return [];
    return [
      {
        kind: 'asil_too_low',
        asil: goal.level.grade,
        ...requirementAndGoal('requirement-bracket', { record, asil, goal }),
      },
    ];
  });
}

interface NamedGoal {
  readonly record: ItemRecord;
  readonly asil: Asil;
  readonly level: ReturnType<typeof comparedAsil>;
}

interface RequirementWithGoals {
  readonly record: ItemRecord;
  readonly asil: Asil;
  readonly goals: readonly NamedGoal[];
}

/** Requirements with the goals that they name; a goal that is too low itself is told with the requirements that follow it. */
function requirementsWithGoals(context: ConsistencyContext): readonly RequirementWithGoals[] {
  const { records } = context;
  const known = new Set(safetyGoalAsil(context).flatMap((one) => one.affectedItems));
  const goals = goalsOf(records);
  return records.flatMap((record): RequirementWithGoals[] => {
    const asil = asilOf(record);
    if (!asil || !isRequirement(record)) return [];
    const named = record.references
      .flatMap((reference) => goals.get(reference.key) ?? [])
      .filter((goal) => !known.has(record.id) || !known.has(goal.id))
      .flatMap((goal): NamedGoal[] => {
        const level = asilOf(goal);
        return level ? [{ record: goal, asil: level, level: comparedAsil(level) }] : [];
      });
    return [{ record, asil, goals: named }];
  });
}

function requirementAndGoal(
  rule: 'requirement-asil' | 'requirement-bracket',
  {
    record,
    asil,
    goal: { record: goal, asil: demanded },
  }: { record: ItemRecord; asil: Asil; goal: NamedGoal },
): Omit<Contradiction, 'kind' | 'asil'> {
  const stated = printAsil(asil);
  const level = printAsil(demanded);
  return {
    item: record.key,
    confidence: 'high',
    title: say(`contradictions.${rule}.title`, { id: record.id, stated, goal: goal.id, level }),
    expected: say(`contradictions.${rule}.expected`),
    observed: say(`contradictions.${rule}.observed`, { id: record.id, stated, goal: goal.id, level }),
    whyItMatters: say(`contradictions.${rule}.why`, { id: record.id }),
    recommendation: say(`contradictions.${rule}.action`, {
      id: record.id,
      document: record.document.name,
      goal: goal.id,
    }),
    doneWhen: say(`contradictions.${rule}.done`),
    affectedItems: [record.id],
    evidence: [
      ...statement(record, 'asil', say('contradictions.level', { id: record.id, level: stated })),
      ...statement(goal, 'asil', say('contradictions.level', { id: goal.id, level })),
    ],
  };
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
  // Requirements in cards and sentences are no records.
  const linked = new Set(
    statedFacts(corpus).items.flatMap((item) =>
      item.type !== undefined && REQUIREMENTS.includes(item.type) ? statedFacts(corpus).parentsOf(item) : [],
    ),
  );
  return [...goalsOf(records)].flatMap(([key, [goal]]): Contradiction[] => {
    const asil = goal && asilOf(goal);
    if (!goal || named.has(key) || linked.has(key) || asil?.own === 'QM') return [];
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

const REQUIREMENTS: readonly ArtifactType[] = [
  ...(['functional_safety_requirement', 'technical_safety_requirement'] as const),
  ...(['hardware_requirement', 'software_requirement'] as const),
];

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
