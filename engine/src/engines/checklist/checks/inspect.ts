import { z } from 'zod';
import { usableDocuments } from '../../../corpus/corpus.js';
import { say } from '../../../sentences/sentence.js';
import { asContext, type ItemContext } from '../context.js';
import { type CheckParameters, defineCheck } from '../define-check.js';
import { inspectedDemands } from '../inspected.js';
import { type Outcome, outcome } from '../outcome.js';
import { groups } from '../parameters.js';
import { quoteArtifact, quoteDocument } from '../quotes.js';
import { checkStatement } from './statement.js';

/** Collects what is inspected and what the documents say about the terms; a person answers. */
const parameters = { of: z.enum(['requirements', 'design', 'documents']), terms: groups.default([]) };
type Check = CheckParameters<typeof parameters>;

export const inspect = defineCheck('inspect', parameters, checkInspect);

const QUOTES = 4;

/**
 * For a question that only a person can answer: what the documents say about the terms, and the beginning of what is
 * inspected. Nothing of it speaks for or against.
 */
function checkInspect({ of, terms }: Check, context: ItemContext): Outcome {
  const said =
    terms.length > 0
      ? checkStatement({ terms, in: undefined, sections: [], columns: [], plan: true }, context).evidence
      : [];
  const things = inspectedThings(of, context);
  const evidence = [
    ...asContext(said.map((one) => ({ ...one, role: 'support' as const }))),
    ...things.evidence,
  ];
  if (evidence.length === 0) {
    return outcome('missing', 'low', {
      rules: ['nothing-to-inspect'],
      reason: say('checks.kind-not-found', { name: things.name }),
      terms: terms.flatMap(({ en, de }) => [...en, ...de]),
    });
  }
  return outcome('open', 'low', {
    rules: ['person-decides'],
    reason: say('checks.only-a-person-can-answer-it', { count: things.count, name: things.name }),
    evidence: evidence.slice(0, QUOTES),
  });
}

function inspectedThings(of: Check['of'], context: ItemContext) {
  const { corpus, trace } = context;
  if (of === 'documents') {
    const documents = usableDocuments(corpus);
    return {
      name: say('checks.documents'),
      count: documents.length,
      evidence: documents
        .slice(0, QUOTES)
        .flatMap((document) => quoteDocument(document, 'context', document.name)),
    };
  }
  const artifacts =
    of === 'design' ? trace.artifacts.filter(({ type }) => type === 'design') : inspectedDemands(context);
  return {
    name: say(of === 'design' ? 'checks.elements-of-the-architecture' : 'checks.requirements'),
    count: artifacts.length,
    evidence: artifacts
      .slice(0, QUOTES)
      .flatMap((artifact) => quoteArtifact(corpus, artifact, { role: 'context', note: artifact.id })),
  };
}
