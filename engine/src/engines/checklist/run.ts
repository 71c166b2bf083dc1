import { loadConditions } from '../../conditions/load-conditions.js';
import { consistencyPhrases } from '../../contradictions/consistency.js';
import { type Corpus, partsOfTypes, usableDocuments } from '../../corpus/corpus.js';
import { corpusOf } from '../../corpus/corpus-of.js';
import { indexPhrases } from '../../corpus/mentions.js';
import { loadDocumentTypes } from '../../document-types/load-document-types.js';
import { statedAsils } from '../../facts/asil-of-documents.js';
import { countSeverities } from '../../findings/severities.js';
import { verifyEvidence } from '../../findings/verify-evidence.js';
import { conditionPhrases } from '../../judgement/conditions.js';
import { type CandidateRanking, rankCandidates } from '../../retrieval/rank-candidates.js';
import { breathe } from '../../scheduling/breathe.js';
import { written } from '../../sentences/sentence.js';
import { worded } from '../../sentences/worded.js';
import { loadConfirmationIndependence, loadHardwareMetrics } from '../../standards/integrity-facts.js';
import { type CheckContext, checkContext } from '../completeness/context.js';
import { withOwnTemplatesFirst } from '../completeness/own-templates.js';
import { DISCLAIMER, documentStatements, engineVersion } from '../method-statement.js';
import { type RunCallbacks, runToEnd } from '../run-to-end.js';
import { loadTraceabilityRules } from '../traceability/rules.js';
import { answerItem } from './answer-item.js';
import type { Checklist, ChecklistItem } from './checklist.js';
import type {
  ChecklistAnalysis,
  ChecklistEvent,
  ChecklistInput,
  ChecklistStage,
  ItemResult,
} from './checklist-analysis.js';
import { type ChecklistContext, sharedParts } from './context.js';
import { openConditions } from './not-applicable.js';
import { phrasesOfChecklist } from './phrases.js';
import { onlyRated, traceView } from './trace-view.js';

const ITEMS_PER_BREATH = 4;

/**
 * Answers the items of a checklist from documents (domain F): passages, artifacts and links, words, then item by item.
 * What several items need is computed once. Yields events as it goes; the last one carries the result.
 * Ends with the signal's reason when it is aborted. Throws `EvidenceError` for a quote that is not in its document, which is a
 * defect of the engine.
 */
export async function* checklistEvents(
  input: ChecklistInput,
): AsyncGenerator<ChecklistEvent, ChecklistAnalysis> {
  const { documents, checklist, signal, options = {} } = input;
  const pause = () => breathe(signal);
  const stage = (name: ChecklistStage, done: number, total: number): ChecklistEvent => ({
    type: 'progress',
    stage: name,
    done,
    total,
  });
  const asked = checklist.items.filter((item) => item.status === 'active');

  yield stage('passages', 0, documents.length);
  const [{ corpus, conditions }, rules, independence, metrics] = await Promise.all([
    readInput(input, pause),
    loadTraceabilityRules(),
    loadConfirmationIndependence(),
    loadHardwareMetrics(),
  ]);

  yield stage('artifacts', 0, 1);
  await pause();
  const isAbout = partsOfTypes(corpus, checklist.about.documentTypes).length > 0;
  const whole = traceView(corpus, rules, input.trace);
  const trace = checklist.domain === 'functional_safety' && !isAbout ? onlyRated(whole) : whole;

  yield stage('words', 0, 1);
  const phrases = new Set([
    ...phrasesOfChecklist(checklist),
    ...conditionPhrases(conditions.values()),
    ...consistencyPhrases(),
  ]);
  const index = await indexPhrases(corpus, [...phrases], pause);
  const asils = statedAsils(corpus);
  const completeness = checkContext({ corpus, index, asils }, conditions, options);
  const context: ChecklistContext = {
    checklist,
    corpus,
    index,
    asils,
    completeness,
    trace,
    independence,
    metrics,
    options,
    ...sharedParts({ corpus, index, completeness, trace }),
  };
  const ranking = await rankByText(asked, corpus, signal);
  const needs = {
    hashes: new Map(documents.map((one) => [one.id, one.sha256])),
    nearest: (id: string) => ranking?.byCriterion.get(id),
  };

  const known = new Map((input.known ?? []).map((one) => [one.itemId, one]));
  const items: ItemResult[] = [];
  for (const item of asked) {
    if (items.length % ITEMS_PER_BREATH === 0) await pause();
    const result = known.get(item.id) ?? answerItem(item, context, needs);
    items.push(result);
    yield { type: 'item', item: result, done: items.length, total: asked.length };
  }
  verifyEvidence(
    items.flatMap((one) => one.evidence),
    new Map(documents.map((one) => [one.id, one.document])),
  );
  const result: ChecklistAnalysis = {
    schema: 'normtrace.checklist/1',
    method: {
      engine: engineVersion(),
      mode: 'rules',
      checklist: { id: checklist.id, title: checklist.title, items: asked.length },
      scope: corpus.scope,
      conditions: Object.fromEntries(
        Object.entries(options.conditions ?? {}).sort(([a], [b]) => (a < b ? -1 : 1)),
      ),
      ...(options.today === undefined ? {} : { today: options.today }),
      documents: documentStatements(corpus, documents),
      disclaimer: DISCLAIMER,
    },
    items,
    counts: countsOf(items),
    questions: questionsOf(asked, completeness),
  };
  yield { type: 'completed', result };
  return result;
}

/** The whole checklist at once, with callbacks instead of events. */
export const checkChecklist = (
  input: ChecklistInput & RunCallbacks<ChecklistEvent>,
): Promise<ChecklistAnalysis> => runToEnd(checklistEvents(input), input);

async function readInput(
  { documents, scope = {}, templates = [] }: ChecklistInput,
  pause: () => Promise<void>,
) {
  const [builtIn, conditions] = await Promise.all([loadDocumentTypes(), loadConditions()]);
  const documentTypes = new Map([...builtIn, ...templates.map((one) => [one.id, one] as const)]);
  const corpus = await corpusOf({ documents, scope, documentTypes }, pause);
  return { corpus: withOwnTemplatesFirst(corpus, new Set(templates.map((one) => one.id))), conditions };
}

/** Items without checks are looked for by their words; nothing is ranked where every item has checks. */
async function rankByText(
  items: readonly ChecklistItem[],
  corpus: Corpus,
  signal: AbortSignal | undefined,
): Promise<CandidateRanking | undefined> {
  const plain = items.filter((item) => item.checks.length === 0);
  if (plain.length === 0) return undefined;
  const passages = usableDocuments(corpus).flatMap((document) =>
    document.read.passages.filter((one) => one.role === 'body' && !one.header && one.text.trim() !== ''),
  );
  const criteria = plain.map(({ id, text, severity }) => ({
    id,
    kind: 'clause' as const,
    clause: '',
    title: '',
    text: [text.en, text.de ?? ''].join(' ').trim(),
    severity,
    obligation: 'shall' as const,
  }));
  return rankCandidates(criteria, passages, signal ? { signal } : {});
}

function countsOf(items: readonly ItemResult[]): ChecklistAnalysis['counts'] {
  const counts = {
    verdicts: { pass: 0, fail: 0, missing: 0, NA: 0 },
    needsConfirmation: items.filter((one) => one.needsConfirmation).length,
    severities: countSeverities(items),
  };
  for (const { verdict } of items) counts.verdicts[verdict]++;
  return counts;
}

/** Conditions that nobody answered, each once, with the items that depend on them. */
function questionsOf(
  items: Checklist['items'],
  { conditions, answers }: CheckContext,
): ChecklistAnalysis['questions'] {
  const asked = new Map<string, string[]>();
  for (const item of items) {
    for (const id of openConditions(item, answers)) asked.set(id, [...(asked.get(id) ?? []), item.id]);
  }
  return [...asked].map(([condition, own]) => ({
    condition,
    question: conditions.get(condition)?.question ?? condition,
    ...worded({ reason: answers.get(condition)?.reason ?? written('') }),
    items: own,
  }));
}
