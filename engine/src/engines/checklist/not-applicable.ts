import { isWithin } from '../../corpus/corpus.js';
import { hitsOf } from '../../corpus/mentions.js';
import { fieldOf } from '../../corpus/metadata-fields.js';
import type { ArtifactType } from '../../facts/artifacts/artifact.js';
import { artifactWord } from '../../facts/artifacts/artifact-word.js';
import { outsideOf, outsideReferences } from '../../facts/project-scope.js';
import { NOT_DUE_RULES } from '../../findings/not-due.js';
import type { ConditionAnswer } from '../../judgement/conditions.js';
import { weigh } from '../../judgement/probe-terms.js';
import { say } from '../../sentences/sentence.js';
import { asContext, documentsOf, type ItemContext, partsFor } from './context.js';
import { inspectedDemands } from './inspected.js';
import { type Outcome, outcome } from './outcome.js';
import type { ChecklistQuestion } from './question.js';
import { quoteArtifact } from './quotes.js';

/** Why an item is not due or does not apply: a person or the documents say so. Never because nothing was found (domain F.1). */
export function notApplicable(context: ItemContext): Outcome | undefined {
  const { item, index, corpus } = context;
  const { notApplicable: rule } = item;
  const outside = outsideReferences(outsideOf(corpus), item.refs);
  if (outside) {
    const { because, reason, evidence } = outside;
    return outcome('na', because === 'plan' ? 'medium' : 'high', {
      rules: [NOT_DUE_RULES[because]],
      reason,
      evidence,
    });
  }
  const known = (id: string, holds: boolean) => {
    const answer = context.completeness.answers.get(id);
    return answer && answer.source !== 'default' && answer.holds === holds ? { id, answer } : undefined;
  };
  const found =
    [...item.appliesWhen, ...rule.unless].map((id) => known(id, false)).find(Boolean) ??
    rule.when.map((id) => known(id, true)).find(Boolean);
  if (found) {
    const { id, answer } = found;
    return outcome('na', answer.source === 'person' ? 'high' : 'medium', {
      rules: [`condition-${id}`],
      reason: say('checks.not-applicable', {
        reason: answer.reason,
        text: rule.text ?? context.completeness.conditions.get(id)?.question,
      }),
      evidence: answer.evidence,
    });
  }
  // The same words elsewhere are about something else.
  const home = partsFor(context, item.documentTypes);
  for (const hit of hitsOf(index, rule.stated).slice(0, 50)) {
    if (!isWithin(home, hit.passage)) continue;
    const weighed = weigh(corpus, hit, true);
    if (weighed.worth !== 'stated') continue;
    return outcome('na', 'medium', {
      rules: ['stated-not-applicable'],
      reason: say('checks.a-document-says-so', { text: rule.text }),
      evidence: asContext(weighed.evidence),
    });
  }
  return rule.concerns ? concernsNothing(rule.concerns, context) : undefined;
}

/** Everything that is demanded is of another type; that it stays so, a person confirms. */
function concernsNothing(types: readonly ArtifactType[], context: ItemContext): Outcome | undefined {
  const demands = inspectedDemands(context);
  const known = new Set(demands.map(({ type }) => type));
  if (demands.length === 0 || types.some((type) => context.trace.ofTypes([type]).length > 0))
    return undefined;
  return outcome('na', 'low', {
    rules: ['concerns-other-types'],
    reason: say('checks.it-is-about-the-demands-given', {
      types: types.map(artifactWord),
      demands: demands.length,
      known: [...known].map(artifactWord),
    }),
    evidence: demands
      .slice(0, 2)
      .flatMap((one) => quoteArtifact(context.corpus, one, { role: 'context', note: one.id })),
  });
}

/** A draft owes no verification yet: every document that the item looks at says that it is one. */
export function draftOwesNothing(context: ItemContext): Outcome | undefined {
  const { item, checklist, corpus } = context;
  if (!item.notApplicable.draft) return undefined;
  const types = item.documentTypes.length > 0 ? item.documentTypes : checklist.about.documentTypes;
  const about = types.filter((type) => checklist.about.documentTypes.includes(type));
  const documents = documentsOf(
    context,
    partsFor(context, about.length > 0 ? about : types).filter((part) => part.whole),
  );
  if (documents.length === 0 || documents.some((one) => one.status !== 'draft')) return undefined;
  return outcome('na', 'high', {
    rules: ['draft'],
    reason: say('checks.says-that-it-is-a-draft', {
      document: documents[0]!.name,
      text: item.notApplicable.text,
    }),
    evidence: documents
      .flatMap((one) => asContext(fieldOf(corpus, 'status', one.id).evidence).map(asCounterless))
      .slice(0, 3),
  });
}

/** The status field is an attribute here, neither for nor against. */
const asCounterless = (one: Outcome['evidence'][number]) => ({ ...one, role: 'context' as const });

/** Conditions that the item depends on and that nobody has answered. */
export function openConditions(
  { appliesWhen, notApplicable: rule }: ChecklistQuestion,
  answers: ReadonlyMap<string, ConditionAnswer>,
): readonly string[] {
  return [...appliesWhen, ...rule.unless, ...rule.when].filter((id) => answers.get(id)?.holds === 'unknown');
}
