import { loadConditions } from '../../conditions/load-conditions.js';
import { consistencyPhrases } from '../../contradictions/consistency.js';
import { partsOfTypes } from '../../corpus/corpus.js';
import { corpusOf } from '../../corpus/corpus-of.js';
import { indexPhrases } from '../../corpus/mentions.js';
import { documentTypesWith, withOwnTemplatesFirst } from '../../corpus/own-templates.js';
import { statedAsils } from '../../facts/asil-of-documents.js';
import { isNotDue, notDueOf } from '../../findings/not-due.js';
import { countSeverities } from '../../findings/severities.js';
import { conditionPhrases } from '../../judgement/conditions.js';
import type { ModelUse } from '../../models/asking.js';
import { loadConfirmationIndependence, loadHardwareMetrics } from '../../standards/integrity-facts.js';
import { checkContext } from '../completeness/context.js';
import { countEach, engineRun, type RunCallbacks, runToEnd } from '../engine-run.js';
import { documentStatements, methodOf } from '../run-method.js';
import { loadTraceabilityRules } from '../traceability/rules.js';
import { NOT_VERIFIED } from '../withhold.js';
import { answerItem } from './answer-item.js';
import type { ChecklistItem } from './checklist.js';
import {
  type ChecklistAnalysis,
  type ChecklistEvent,
  type ChecklistInput,
  type ChecklistStage,
  ITEM_VERDICTS,
  type ItemResult,
} from './checklist-analysis.js';
import { type ChecklistContext, sharedParts } from './context.js';
import { findingOfItem } from './finding-of-item.js';
import { questionsOf } from './open-items.js';
import { phrasesOfChecklist } from './phrases.js';
import { rankByText } from './rank-by-text.js';
import { type SecondAnswers, secondAnswers } from './second-answers.js';
import { onlyRated, traceView } from './trace-view.js';

/**
 * Answers the items of a checklist from documents (domain F): passages, artifacts and links, words, then item by item.
 * What several items need is computed once. Yields events as it goes; the last one carries the result.
 * Ends with the signal's reason when it is aborted. Throws `EvidenceError` for a quote that is not in its document, which is a
 * defect of the engine.
 */
export async function* checklistEvents(
  input: ChecklistInput,
): AsyncGenerator<ChecklistEvent, ChecklistAnalysis> {
  const { documents, checklist, templates = [], scope = {}, options = {}, signal, model } = input;
  const run = engineRun<ChecklistStage, ItemResult, ChecklistAnalysis>(input);
  const asked = checklist.items.filter((item) => item.status === 'active');

  yield run.stage('passages', documents.length);
  const [documentTypes, conditions, rules, independence, metrics] = await Promise.all([
    documentTypesWith(templates),
    loadConditions(),
    loadTraceabilityRules(),
    loadConfirmationIndependence(),
    loadHardwareMetrics(),
  ]);
  const read = await corpusOf({ documents, scope, documentTypes }, run.pause);
  const corpus = withOwnTemplatesFirst(read, templates);

  yield run.stage('artifacts');
  await run.pause();
  const isAbout = partsOfTypes(corpus, checklist.about.documentTypes).length > 0;
  const whole = traceView(corpus, rules, input.trace);
  const trace = checklist.domain === 'functional_safety' && !isAbout ? onlyRated(whole) : whole;

  yield run.stage('words');
  const phrases = new Set([
    ...phrasesOfChecklist(checklist),
    ...conditionPhrases(conditions.values()),
    ...consistencyPhrases(),
  ]);
  const index = await indexPhrases(corpus, [...phrases], run.pause);
  const asils = statedAsils(corpus);
  const completeness = checkContext({ corpus, index, asils }, conditions, options);
  const looked = { corpus, index, completeness, trace };
  const known = { checklist, asils, independence, metrics, options };
  const context: ChecklistContext = { ...looked, ...known, ...sharedParts(looked) };
  const ranking = await rankByText(asked, corpus, signal);
  const hashes = new Map(documents.map((one) => [one.id, one.sha256]));
  const nearest = (id: string) => ranking?.byCriterion.get(id);

  const byRules = yield* run.units('items', asked, {
    idOf: (answer) => answer.itemId,
    atATime: 4,
    finish: (item) => answerItem(item, context, { hashes, nearest }),
    // A model may change what is found: then it is told when it has been asked.
    ...(model ? {} : { findingOf: (answer: ItemResult, item: ChecklistItem) => findingOfItem(item, answer) }),
  });
  const second = model ? yield* withModel(model) : undefined;
  const items = second?.items ?? byRules;
  const withheld = items.filter(({ rules }) => rules.includes(NOT_VERIFIED)).length;
  const { id, title } = checklist;
  const result: ChecklistAnalysis = {
    schema: 'normtrace.checklist/1',
    method: methodOf(
      input,
      { checklist: { id, title, items: asked.length } },
      {
        documents: documentStatements(corpus, documents),
        ...(second ? { model: second.statement } : {}),
        ...(withheld > 0 ? { withheld } : {}),
      },
    ),
    items,
    ...(second ? { opinions: second.opinions } : {}),
    notDue: notDueOf(items.map(({ itemId: id, ...rest }) => ({ id, ...rest }))),
    counts: {
      verdicts: countEach(
        ITEM_VERDICTS,
        items.filter((one) => !isNotDue(one)).map(({ verdict }) => verdict),
      ),
      needsConfirmation: items.filter((one) => one.needsConfirmation).length,
      severities: countSeverities(items),
    },
    questions: questionsOf(asked, completeness),
  };
  const opinions = (second?.opinions ?? []).flatMap(({ byModel }) => byModel ?? []);
  return yield* run.end(result, {
    evidence: [...items, ...opinions].flatMap((one) => one.evidence),
    findings: second ? items.flatMap((one, at) => findingOfItem(asked[at]!, one) ?? []) : [],
  });

  async function* withModel(use: ModelUse): AsyncGenerator<ChecklistEvent, SecondAnswers> {
    yield run.stage('opinions');
    const steps = secondAnswers(
      { items: asked, results: byRules, context },
      { model: use, ...(signal ? { signal } : {}) },
    );
    for (;;) {
      const step = await steps.next();
      if (step.done) return step.value;
      yield { type: 'progress', stage: 'opinions', ...step.value };
    }
  }
}

/** The whole checklist at once, with callbacks instead of events. */
export const checkChecklist = (
  input: ChecklistInput & RunCallbacks<ChecklistStage, ItemResult>,
): Promise<ChecklistAnalysis> => runToEnd(checklistEvents(input), input);
