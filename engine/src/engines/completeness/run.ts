import { loadConditions } from '../../conditions/load-conditions.js';
import { corpusOf } from '../../corpus/corpus-of.js';
import { indexPhrases } from '../../corpus/mentions.js';
import type { DocumentType } from '../../document-types/document-type.js';
import { loadDocumentTypes } from '../../document-types/load-document-types.js';
import { statedAsils } from '../../facts/asil-of-documents.js';
import type { StatedRequirement } from '../../facts/requirement.js';
import { requirementsOf } from '../../facts/requirements-of.js';
import type { Evidence } from '../../findings/finding.js';
import { bySeverity, countSeverities } from '../../findings/severities.js';
import { verifyEvidence } from '../../findings/verify-evidence.js';
import { conditionPhrases } from '../../judgement/conditions.js';
import { breathe } from '../../scheduling/breathe.js';
import { DISCLAIMER, engineVersion } from '../method-statement.js';
import { type RunCallbacks, runToEnd } from '../run-to-end.js';
import { checkDocument } from './check-document.js';
import type {
  CheckedDocument,
  CompletenessAnalysis,
  CompletenessEvent,
  CompletenessInput,
  CompletenessStage,
  DocumentCompleteness,
  OpenQuestion,
} from './completeness.js';
import { checkContext } from './context.js';
import { withOwnTemplatesFirst } from './own-templates.js';
import { scoreOf } from './score.js';

/**
 * Completeness of documents against the templates of their types: sections, tables, metadata, open content, and
 * observations on the wording of requirements. Yields events as it goes; the last one carries the result.
 * Ends with the signal's reason when it is aborted. Throws `EvidenceError` for a quote that is not in its document,
 * which is a defect of the engine, and `RangeError` for a document type that does not exist.
 */
export async function* completenessEvents(
  input: CompletenessInput,
): AsyncGenerator<CompletenessEvent, CompletenessAnalysis> {
  const { documents, signal, options = {} } = input;
  const pause = () => breathe(signal);
  const stage = (name: CompletenessStage, done: number, total: number): CompletenessEvent => ({
    type: 'progress',
    stage: name,
    done,
    total,
  });

  yield stage('passages', 0, documents.length);
  const [documentTypes, conditions] = await Promise.all([typesOf(input), loadConditions()]);
  const own = new Set((input.templates ?? []).map((template) => template.id));
  const { scope = {} } = input;
  const corpus = withOwnTemplatesFirst(await corpusOf({ documents, scope, documentTypes }, pause), own);

  yield stage('conditions', 0, 1);
  const index = await indexPhrases(corpus, conditionPhrases(conditions.values()), pause);
  const context = checkContext({ corpus, index, asils: statedAsils(corpus) }, conditions, options);
  const requirements = new Map<string, StatedRequirement[]>(corpus.documents.map((one) => [one.id, []]));
  for (const requirement of requirementsOf(corpus))
    requirements.get(requirement.document.id)!.push(requirement);

  const known = new Map((input.known ?? []).map((one) => [one.document.id, one]));
  const checked: CheckedDocument[] = [];
  for (const [at, document] of corpus.documents.entries()) {
    await pause();
    const own = requirements.get(document.id)!;
    const one =
      known.get(document.id) ??
      checkDocument(document, { sha256: documents[at]!.sha256, requirements: own, context });
    checked.push(one);
    yield { type: 'document', ...one, done: checked.length, total: documents.length };
  }

  yield stage('findings', 0, 1);
  const results = checked.map((one) => one.document);
  const findings = checked
    .flatMap((one) => one.findings)
    .map((finding, order) => ({ finding, order }))
    .sort((a, b) => bySeverity(a.finding, b.finding) || a.order - b.order)
    .map(({ finding }) => finding);
  const evidence = [...results.flatMap(evidenceOf), ...findings.flatMap((finding) => finding.evidence)];
  verifyEvidence(evidence, new Map(documents.map((one) => [one.id, one.document])));
  for (const finding of findings) yield { type: 'finding', finding };

  const severities = countSeverities(findings);
  const result: CompletenessAnalysis = {
    schema: 'normtrace.completeness/1',
    method: {
      engine: engineVersion(),
      mode: 'rules',
      scope,
      conditions: Object.fromEntries(
        Object.entries(options.conditions ?? {}).sort(([a], [b]) => (a < b ? -1 : 1)),
      ),
      ...(options.today === undefined ? {} : { today: options.today }),
      ownTemplates: [...own].sort(),
      disclaimer: DISCLAIMER,
    },
    documents: results,
    findings,
    questions: questionsOf(results),
    score: scoreOf(results.flatMap((one) => one.templates.flatMap((template) => template.sections))),
    counts: { severities },
  };
  yield { type: 'completed', result };
  return result;
}

/** The whole check at once, with callbacks instead of events. */
export const checkCompleteness = (
  input: CompletenessInput & RunCallbacks<CompletenessEvent>,
): Promise<CompletenessAnalysis> => runToEnd(completenessEvents(input), input);

/** The types that come with the engine, those that were asked for only, and own ones instead of those they replace. */
async function typesOf({
  documents,
  documentTypes,
  templates = [],
}: CompletenessInput): Promise<ReadonlyMap<string, DocumentType>> {
  const all = new Map([...(await loadDocumentTypes()), ...templates.map((one) => [one.id, one] as const)]);
  const asked = [...(documentTypes ?? []), ...documents.flatMap((one) => one.documentType ?? [])];
  const unknown = asked.find((id) => !all.has(id));
  if (unknown !== undefined) throw new RangeError(`There is no document type "${unknown}".`);
  if (!documentTypes) return all;
  const wanted = new Set([...asked, ...templates.map((one) => one.id)]);
  return new Map([...all].filter(([id]) => wanted.has(id)));
}

/** Every quote of a document's result. */
function evidenceOf(document: DocumentCompleteness): readonly Evidence[] {
  const { templates, metadata, placeholders, instructions, requirementQuality } = document;
  return [
    ...templates.flatMap(({ sections, tables }) => [
      ...sections.flatMap((section) => section.evidence),
      ...tables.flatMap((table) => [
        ...table.evidence,
        ...table.columns.flatMap((column) => column.evidence),
      ]),
    ]),
    ...metadata.flatMap((field) => field.evidence),
    ...placeholders.flatMap((entry) => entry.evidence),
    ...instructions.evidence,
    ...requirementQuality.observations.map((observation) => observation.evidence),
  ];
}

/** Conditions that nobody answered, each once. */
function questionsOf(documents: readonly DocumentCompleteness[]): readonly OpenQuestion[] {
  const questions = new Map<string, OpenQuestion>();
  for (const { id: documentId, templates } of documents) {
    for (const { type, sections } of templates) {
      for (const { key, applies, condition } of sections) {
        if (applies !== 'unknown' || !condition) continue;
        const known = questions.get(condition.id);
        const { id, question, reason, said } = condition;
        const own = { documentId, section: `${type}.${key}` };
        questions.set(id, {
          condition: id,
          question,
          reason,
          said,
          sections: [...(known?.sections ?? []), own],
        });
      }
    }
  }
  return [...questions.values()];
}
