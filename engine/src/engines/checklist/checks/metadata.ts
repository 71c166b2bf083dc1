import type { Evidence } from '../../../findings/finding.js';
import type { MetadataResult } from '../../completeness/completeness.js';
import { documentsOf, type ItemContext, nameOfTypes, partsFor } from '../context.js';
import { type CheckParameters, defineCheck } from '../define-check.js';
import { type Outcome, outcome } from '../outcome.js';
import { documentTypes, metadataFields } from '../parameters.js';
import { quoteDocument } from '../quotes.js';

/** Metadata fields are there without a problem (domain D.2): `reviewer` other than `author`, real dates, … */
const parameters = { fields: metadataFields, in: documentTypes.optional() };
type Check = CheckParameters<typeof parameters>;

export const metadata = defineCheck('metadata', parameters, checkMetadataFields);

function checkMetadataFields(check: Check, context: ItemContext): Outcome {
  const documents = documentsOf(
    context,
    partsFor(context, check.in).filter((part) => part.whole),
  );
  if (documents.length === 0) {
    return outcome('missing', 'high', {
      rules: ['no-document-of-the-type'],
      reason: `No ${nameOfTypes(context, check.in)} is among the documents.`,
      terms: check.fields,
    });
  }
  const fields = documents.flatMap((document) => {
    const results = context.metadataOf(document);
    return check.fields.flatMap((key) => {
      const result = results.find((one) => one.key === key);
      return result
        ? [{ document, result, met: result.state === 'present' && result.problems.length === 0 }]
        : [];
    });
  });
  const unmet = fields.filter((one) => !one.met);
  const met = fields.filter((one) => one.met);
  const instances = { met: met.length, total: fields.length };
  const evidenceOf = (role: Evidence['role'], result: MetadataResult) =>
    result.evidence.slice(0, 1).map((one) => ({ ...one, role, note: result.label }));
  if (unmet.length === 0) {
    return outcome('pass', 'high', {
      rules: ['metadata-field'],
      reason: `${fields
        .map(({ result }) => `${result.label}: ${result.value ?? ''}`)
        .slice(0, 4)
        .join('; ')}.`,
      evidence: met.flatMap(({ result }) => evidenceOf('support', result)),
      instances,
    });
  }
  const says = unmet.map(
    ({ document, result }) => `"${result.label}" of "${document.name}" ${problemOf(result)}`,
  );
  const quoted = unmet.flatMap(({ result }) => evidenceOf('counter', result));
  const isAbsent = quoted.length === 0 && met.length === 0;
  const lacking = unmet.filter(({ result }) => result.evidence.length === 0);
  return outcome(isAbsent ? 'missing' : 'fail', quoted.length > 0 ? 'high' : 'medium', {
    rules: ['metadata-field'],
    reason: `${says.slice(0, 4).join('; ')}.`,
    evidence: isAbsent
      ? []
      : [
          ...quoted,
          ...lacking
            .slice(0, 2)
            .flatMap(({ document, result }) =>
              quoteDocument(document, 'counter', `"${result.label}" is not in this document`),
            ),
        ],
    instances,
    affected: unmet.map(({ document, result }) => `${document.name}: ${result.label}`),
    terms: check.fields,
  });
}

function problemOf({ state, problems }: MetadataResult): string {
  if (problems.length > 0) return `is ${problems.join(', ')}`;
  if (state === 'open') return 'is left open';
  return state === 'file_property_only' ? 'stands in the properties of the file only' : 'is not stated';
}
