import { z } from 'zod';
import { statusWord } from '../../../corpus/document-status.js';
import { fieldOf } from '../../../corpus/metadata-fields.js';
import { say } from '../../../sentences/sentence.js';
import { documentsOf, type ItemContext, namesOfTypes, partsFor } from '../context.js';
import { type CheckParameters, defineCheck } from '../define-check.js';
import { type Outcome, outcome } from '../outcome.js';
import { documentTypes } from '../parameters.js';
import { quoteDocument } from '../quotes.js';

/** The document says that it is at least as mature. */
const parameters = { in: documentTypes.optional(), least: z.enum(['reviewed', 'released']) };
type Check = CheckParameters<typeof parameters>;

export const status = defineCheck('status', parameters, checkStatus);

function checkStatus(check: Check, context: ItemContext): Outcome {
  const documents = documentsOf(
    context,
    partsFor(context, check.in).filter((part) => part.whole),
  );
  const rated = documents.map((document) => {
    const met = document.status === 'released' || document.status === check.least;
    const field = fieldOf(context.corpus, 'status', document.id);
    const evidence = field.evidence.map((one) => ({
      ...one,
      role: met ? ('support' as const) : ('counter' as const),
    }));
    return { document, met, evidence };
  });
  if (rated.length === 0 || rated.every(({ document }) => document.status === 'unknown')) {
    return outcome('missing', rated.length === 0 ? 'high' : 'medium', {
      rules: [rated.length === 0 ? 'no-document-of-the-type' : 'status-not-stated'],
      reason:
        rated.length === 0
          ? say('checks.no-document-of-place', { in: namesOfTypes(context, check.in) })
          : say('checks.no-document-states-its-status'),
      terms: ['status'],
    });
  }
  const unmet = rated.filter((one) => !one.met);
  const says = rated.map(({ document }) =>
    say('checks.status-of-document', { document: document.name, status: statusWord(document.status) }),
  );
  return outcome(unmet.length === 0 ? 'pass' : 'fail', 'high', {
    rules: ['status'],
    reason: say('checks.status-of', { says }),
    evidence: (unmet.length > 0 ? unmet : rated).flatMap(({ document, met, evidence }) =>
      evidence.length > 0
        ? evidence
        : quoteDocument(
            document,
            met ? 'support' : 'counter',
            say('checks.status-is', { status: statusWord(document.status) }),
          ),
    ),
    instances: { met: rated.length - unmet.length, total: rated.length },
    affected: unmet.map(({ document }) => document.name),
  });
}
