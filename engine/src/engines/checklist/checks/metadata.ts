import { noted } from '../../../corpus/evidence.js';
import type { Evidence } from '../../../findings/finding.js';
import { render } from '../../../sentences/render.js';
import { type Sentence, say } from '../../../sentences/sentence.js';
import type { MetadataResult } from '../../completeness/completeness.js';
import { documentsOf, type ItemContext, namesOfTypes, partsFor } from '../context.js';
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
      reason: say('checks.no-document-of-place', { in: namesOfTypes(context, check.in) }),
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
    result.evidence.slice(0, 1).map((one) => noted(one, role, result.said.label));
  if (unmet.length === 0) {
    return outcome('pass', 'high', {
      rules: ['metadata-field'],
      reason: say('checks.fields-not-stated', {
        fields: fields
          .slice(0, 4)
          .map(({ result }) => say('checks.field', { label: result.said.label, value: result.value ?? '' })),
      }),
      evidence: met.flatMap(({ result }) => evidenceOf('support', result)),
      instances,
    });
  }
  const says = unmet.map(({ document, result }) =>
    say('checks.field-of', { label: result.said.label, document: document.name, problem: problemOf(result) }),
  );
  const quoted = unmet.flatMap(({ result }) => evidenceOf('counter', result));
  const isAbsent = quoted.length === 0 && met.length === 0;
  const lacking = unmet.filter(({ result }) => result.evidence.length === 0);
  return outcome(isAbsent ? 'missing' : 'fail', quoted.length > 0 ? 'high' : 'medium', {
    rules: ['metadata-field'],
    reason: say('checks.fields-as-stated', { says: says.slice(0, 4) }),
    evidence: isAbsent
      ? []
      : [
          ...quoted,
          ...lacking
            .slice(0, 2)
            .flatMap(({ document, result }) =>
              quoteDocument(document, 'counter', say('checks.field-absent', { label: result.said.label })),
            ),
        ],
    instances,
    affected: unmet.map(({ document, result }) => ({
      en: `${document.name}: ${result.label}`,
      de: `${document.name}: ${render(result.said.label, 'de')}`,
    })),
    terms: check.fields,
  });
}

function problemOf({ state, said }: MetadataResult): Sentence {
  if (said.problems.length > 0) return say('checks.field-is', { problems: said.problems });
  if (state === 'open') return say('checks.field-open');
  return say(state === 'file_property_only' ? 'checks.field-in-properties' : 'checks.field-not-stated');
}
