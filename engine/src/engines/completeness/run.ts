import { loadConditions } from '../../conditions/load-conditions.js';
import { agreementOf } from '../../contradictions/agreement.js';
import { consistencyPhrases } from '../../contradictions/consistency.js';
import { corpusOf } from '../../corpus/corpus-of.js';
import { indexPhrases } from '../../corpus/mentions.js';
import { documentTypesWith, withOwnTemplatesFirst } from '../../corpus/own-templates.js';
import type { DocumentType } from '../../document-types/document-type.js';
import { statedAsils } from '../../facts/asil-of-documents.js';
import { type Outside, outsideOf, outsideSection } from '../../facts/project-scope.js';
import type { StatedRequirement } from '../../facts/requirement.js';
import { requirementsOf } from '../../facts/requirements-of.js';
import { type AnswerWithReason, NOT_DUE_RULES, notDueOf } from '../../findings/not-due.js';
import { bySeverity, countSeverities } from '../../findings/severities.js';
import { conditionPhrases } from '../../judgement/conditions.js';
import { askingWith } from '../../models/asking.js';
import { worded } from '../../sentences/worded.js';
import { engineRun, type RunCallbacks, runToEnd } from '../engine-run.js';
import { methodOf } from '../run-method.js';
import { isVerified, withhold, withoutUnverified } from '../withhold.js';
import { checkDocument } from './check-document.js';
import type {
  CheckedDocument,
  CompletenessAnalysis,
  CompletenessEvent,
  CompletenessInput,
  CompletenessStage,
} from './completeness.js';
import { checkContext } from './context.js';
import { evidenceOf } from './evidence-of.js';
import { toldOnce } from './formats.js';
import { questionsOf } from './open-sections.js';
import { isOpenContent, scoreOf } from './score.js';
import { secondReadings } from './second-readings.js';

/**
 * Completeness of documents against the templates of their types: sections, tables, metadata, open content, and
 * observations on the wording of requirements. Yields events as it goes; the last one carries the result.
 * Ends with the signal's reason when it is aborted. Throws `EvidenceError` for a quote that is not in its document,
 * which is a defect of the engine, and `RangeError` for a document type that does not exist.
 */
export async function* completenessEvents(
  input: CompletenessInput,
): AsyncGenerator<CompletenessEvent, CompletenessAnalysis> {
  const { documents, templates = [], scope = {}, options = {} } = input;
  const run = engineRun<CompletenessStage, CheckedDocument, CompletenessAnalysis>(input);

  yield run.stage('passages', documents.length);
  const [documentTypes, conditions] = await Promise.all([typesOf(input), loadConditions()]);
  const whole = await corpusOf({ documents, scope, documentTypes }, run.pause);
  const corpus = withOwnTemplatesFirst(whole, templates);

  yield run.stage('conditions');
  const phrases = [...conditionPhrases(conditions.values()), ...consistencyPhrases()];
  const index = await indexPhrases(corpus, phrases, run.pause);
  const context = checkContext({ corpus, index, asils: statedAsils(corpus) }, conditions, options);
  const requirements = new Map<string, StatedRequirement[]>(documents.map((one) => [one.id, []]));
  for (const one of requirementsOf(corpus)) requirements.get(one.document.id)!.push(one);

  const hashes = new Map(documents.map((one) => [one.id, one.sha256]));
  const checked = yield* run.units('documents', corpus.documents, {
    idOf: ({ document }) => document.id,
    atATime: 1,
    finish: (document) =>
      checkDocument(document, {
        sha256: hashes.get(document.id)!,
        requirements: requirements.get(document.id)!,
        context,
      }),
  });

  let second: Awaited<ReturnType<typeof secondReadings>> | undefined;
  if (input.model) {
    yield run.stage('opinions');
    const all = [...requirements.values()].flat();
    second = await secondReadings(corpus, all, askingWith(input.model, input.signal));
  }

  yield run.stage('findings');
  const told = toldOnce(checked, corpus);
  const texts = new Map(documents.map((one) => [one.id, one.document]));
  const shown = told.map((one) => one.document);
  const results = isVerified(shown.flatMap(evidenceOf), texts) ? shown : withoutUnverified(shown, texts);
  const all = told.flatMap((one) => one.findings).sort(bySeverity);
  const { kept: findings, withheld } = withhold(all, texts);
  const result: CompletenessAnalysis = {
    schema: 'normtrace.completeness/1',
    method: methodOf(
      input,
      {},
      {
        ownTemplates: templates.map((one) => one.id).sort(),
        ...(second ? { model: second.statement } : {}),
        ...(withheld > 0 ? { withheld } : {}),
      },
    ),
    documents: results,
    findings,
    questions: questionsOf(results),
    notDue: notDueOf(sectionsOutside(results, outsideOf(corpus))),
    score: scoreOf(
      results.flatMap((one) => one.templates.flatMap((template) => template.sections)),
      agreementOf(whole, index, findings.filter(isOpenContent)),
    ),
    counts: { severities: countSeverities(findings) },
    ...(second ? { opinions: second.opinions, looked: second.looked, chapters: second.chapters } : {}),
  };
  return yield* run.end(result, {
    evidence: [
      ...results.flatMap(evidenceOf),
      ...[...findings, ...(second?.opinions ?? []), ...(second?.chapters ?? [])].flatMap(
        (one) => one.evidence,
      ),
    ],
    findings,
  });
}

/** Sections that are not demanded because of what they are about, and are not there. */
function* sectionsOutside(
  documents: CompletenessAnalysis['documents'],
  outside: readonly Outside[],
): Generator<AnswerWithReason> {
  for (const { type, sections } of documents.flatMap(({ templates }) => templates)) {
    for (const { key, state } of sections) {
      const found = state === 'missing' ? outsideSection(outside, `${type}.${key}`) : undefined;
      if (!found) continue;
      const { because, evidence, reason } = found;
      yield { id: `${type}.${key}`, rules: [NOT_DUE_RULES[because]], evidence, ...worded({ reason }) };
    }
  }
}

/** The whole check at once, with callbacks instead of events. */
export const checkCompleteness = (
  input: CompletenessInput & RunCallbacks<CompletenessStage, CheckedDocument>,
): Promise<CompletenessAnalysis> => runToEnd(completenessEvents(input), input);

/** All types, or those that were asked for. */
async function typesOf({
  documents,
  documentTypes,
  templates = [],
}: CompletenessInput): Promise<ReadonlyMap<string, DocumentType>> {
  const all = await documentTypesWith(templates);
  const asked = [...(documentTypes ?? []), ...documents.flatMap((one) => one.documentType ?? [])];
  const unknown = asked.find((id) => !all.has(id));
  if (unknown !== undefined) throw new RangeError(`There is no document type "${unknown}".`);
  if (!documentTypes) return all;
  const wanted = new Set([...asked, ...templates.map((one) => one.id)]);
  return new Map([...all].filter(([id]) => wanted.has(id)));
}
