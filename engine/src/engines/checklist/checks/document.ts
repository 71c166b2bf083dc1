import { documentOf, isWithin, partsOfTypes } from '../../../corpus/corpus.js';
import { hitsOf } from '../../../corpus/mentions.js';
import { everyPhrase } from '../../../data/shared-schemas.js';
import { fillingOf } from '../../../judgement/judge-work-product.js';
import { say } from '../../../sentences/sentence.js';
import { type ItemContext, namesOfTypes, partsFor } from '../context.js';
import { type CheckParameters, defineCheck } from '../define-check.js';
import { type Outcome, outcome } from '../outcome.js';
import { documentTypes, phrases } from '../parameters.js';
import { quoteDocument } from '../quotes.js';
import { probeStatement } from '../statements.js';

/** A document (or a substantial section) of one of the types is there and filled in. */
const parameters = { of: documentTypes, names: phrases.optional() };
type Check = CheckParameters<typeof parameters>;

export const document = defineCheck('document', parameters, checkDocument);

function checkDocument({ of, names }: Check, context: ItemContext): Outcome {
  const { corpus, index } = context;
  const wanted = names ? everyPhrase(names) : [];
  const hits = hitsOf(index, wanted);
  const parts = partsOfTypes(corpus, of).filter(
    (part) =>
      wanted.length === 0 || hits.some((hit) => hit.passage.role !== 'toc' && isWithin([part], hit.passage)),
  );
  const filled = parts.map((part) => ({
    part,
    document: documentOf(corpus, part.documentId),
    ...fillingOf(part, { corpus }),
  }));
  const best = filled.find((one) => one.filling === 'filled');
  if (best) {
    return outcome('pass', best.part.whole && best.part.confidence !== 'low' ? 'high' : 'medium', {
      rules: [best.part.whole ? 'document-of-the-type' : 'section-of-the-type'],
      reason: say('checks.is-or-holds-one', {
        name: best.document.name,
        whole: best.part.whole,
        reasons: best.part.reasons,
      }),
      evidence: best.evidence,
    });
  }
  const [hollow] = filled;
  if (hollow) {
    const note =
      hollow.filling === 'empty'
        ? say('checks.nobody-has-filled-it-in')
        : say('checks.very-little-stands-in-it');
    return outcome('fail', hollow.filling === 'empty' ? 'high' : 'medium', {
      rules: [hollow.filling === 'empty' ? 'template-not-filled' : 'document-thin'],
      reason: say('checks.document-summary', { name: hollow.document.name, summary: hollow.summary }),
      evidence: hollow.evidence.some((one) => one.role === 'counter')
        ? hollow.evidence
        : quoteDocument(hollow.document, 'counter', note),
    });
  }
  const told =
    wanted.length > 0
      ? probeStatement({ groups: [wanted], home: partsFor(context, undefined) }, context)
      : undefined;
  if (told?.state === 'fail') return told;
  return outcome('missing', 'high', {
    rules: ['no-document-of-the-type', ...(told?.rules ?? [])],
    reason: say('checks.no-document-of-kind', { of: namesOfTypes(context, of) }),
    evidence: (told?.evidence ?? []).map((one) =>
      one.role === 'support' ? { ...one, role: 'context' as const } : one,
    ),
    terms: wanted.length > 0 ? wanted : of,
  });
}
