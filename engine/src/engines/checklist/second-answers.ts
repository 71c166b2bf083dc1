import { type Corpus, partsOfTypes, statingPassages, usableDocuments } from '../../corpus/corpus.js';
import type { Evidence, Search } from '../../findings/finding.js';
import { reasonOf } from '../../findings/said.js';
import { checkCitations } from '../../judgement/model/check-citations.js';
import { type Pack, type PackedSentence, packPassages } from '../../judgement/model/pack-passages.js';
import type { DemandPart } from '../../judgement/model/parts-of.js';
import type { RulesAlone } from '../../judgement/model/settled-verdict.js';
import type { AnswerOf } from '../../models/answer-schemas.js';
import {
  type Asked,
  askingWith,
  type ModelStatement,
  type ModelUse,
  modelStatement,
} from '../../models/asking.js';
import { eachOnce, modelWords } from '../../models/read-answer.js';
import { rankCandidates } from '../../retrieval/rank-candidates.js';
import { say } from '../../sentences/sentence.js';
import { worded } from '../../sentences/worded.js';
import { termsOf } from '../../text/terms.js';
import type { ChecklistItem } from './checklist.js';
import type { ItemOpinion, ItemResult, SettledItem } from './checklist-analysis.js';
import type { ChecklistContext } from './context.js';
import { criterionOf } from './rank-by-text.js';
import { severityOfAnswer } from './severity-of-answer.js';

/** What a language model added to the answers of the rules. */
export interface SecondAnswers {
  /** In the order of the checklist. */
  readonly items: readonly ItemResult[];
  readonly opinions: readonly SettledItem[];
  readonly statement: ModelStatement;
}

const AT_A_TIME = 8;
const CANDIDATES = 40;
const MOST_EVIDENCE = 8;
const INSTANCE = 'a';

/**
 * Asks a language model about the items that rules are not sure of. It may lower what they suggest; that something passes or
 * does not apply it can only propose, because what only a person can confirm stays with that person. Yields how many are done.
 */
export async function* secondAnswers(
  {
    items,
    results,
    context,
  }: {
    items: readonly ChecklistItem[];
    results: readonly ItemResult[];
    context: Pick<ChecklistContext, 'corpus' | 'checklist' | 'asils'>;
  },
  { model, signal }: { readonly model: ModelUse; readonly signal?: AbortSignal },
): AsyncGenerator<{ readonly done: number; readonly total: number }, SecondAnswers> {
  const { corpus } = context;
  const asking = askingWith(model, signal);
  const byId = new Map(results.map((one) => [one.itemId, one]));
  const open = items.filter(({ id }) => isOpen(byId.get(id)!));
  const ranking = await rankCandidates(open.map(criterionOf), statingPassages(corpus), {
    limit: CANDIDATES,
    ...(signal ? { signal } : {}),
  });
  const settled = new Map<string, SettledItem>();
  for (let from = 0; from < open.length; from += AT_A_TIME) {
    const step = open.slice(from, from + AT_A_TIME).map((item) => ({
      item,
      byRules: byId.get(item.id)!,
      part: partOf(item),
      pack: packPassages(ranking.byCriterion.get(item.id)?.candidates ?? [], corpus, {
        home: partsOfTypes(corpus, item.documentTypes),
        withheld: model.withheld ?? [],
      }),
    }));
    const sent = step.filter(({ pack }) => pack.sentences.size > 0);
    const answers = await asking.ask(sent.map(({ item, pack }) => itemQuestion(item, pack)));
    const opinions = sent.flatMap((one, at) => {
      const given = answers[at]!;
      if ('answer' in given) return [{ ...one, ...readItem(given.answer, one, corpus) }];
      settled.set(one.item.id, abstained(one.byRules, given.failed));
      return [];
    });
    const proposing = opinions.filter(({ opinion, cited }) => opinion.state === 'pass' && cited.length > 0);
    const critics = await asking.ask(proposing.map(({ item, part, cited }) => critic(item, part, cited)));
    const agreed = new Map(
      proposing.map(({ item }, at) => {
        const given = critics[at]!;
        return [
          item.id,
          'answer' in given && given.answer.parts.every(({ carried }) => carried === 'supports'),
        ];
      }),
    );
    for (const { item, byRules } of step)
      if (!sent.some((one) => one.item === item)) settled.set(item.id, abstained(byRules, 'nothing_to_send'));
    for (const { item, byRules, opinion } of opinions)
      settled.set(item.id, settledItem(byRules, opinion, agreed.get(item.id)));
    yield { done: Math.min(from + AT_A_TIME, open.length), total: open.length };
  }
  const opinions = open.map(({ id }) => settled.get(id)!);
  const decided = items.length - open.length;
  const because = [
    ...opinions.flatMap((one) => one.because ?? []),
    ...Array<RulesAlone>(decided).fill('certain'),
  ];
  return {
    items: items.map((item) =>
      answered(item, byId.get(item.id)!, { settled: settled.get(item.id), context }),
    ),
    opinions,
    statement: modelStatement(asking, because),
  };
}

/** What rules are not sure of: a person has to confirm it. */
const isOpen = ({ verdict, confidence }: ItemResult): boolean => confidence === 'low' && verdict !== 'NA';

function partOf({ text, pass }: ChecklistItem): DemandPart {
  const said = [text.en, text.de ?? '', pass?.en ?? '', pass?.de ?? ''];
  const words = new Set(said.flatMap((one) => [...termsOf(one, 'en'), ...termsOf(one, 'de')]));
  const languages = new Set(text.de === undefined ? (['en'] as const) : (['en', 'de'] as const));
  return { id: INSTANCE, text: text.en, words, languages };
}

function itemQuestion({ id, text, pass }: ChecklistItem, { groups, sends }: Pack): Asked<'checklist'> {
  return {
    task: 'checklist',
    values: {
      id,
      question: text.en,
      guidance: pass ? [{ guidance: pass.en }] : [],
      instances: [{ id: INSTANCE, instance: 'the documents as a whole' }],
      groups,
    },
    sends,
    issuesOf: ({ instances }) =>
      eachOnce(
        instances.map(({ instance }) => instance),
        [INSTANCE],
      ),
  };
}

const critic = (
  { id, text }: ChecklistItem,
  part: DemandPart,
  cited: readonly PackedSentence[],
): Asked<'criticise'> => ({
  task: 'criticise',
  values: {
    id,
    kind: 'item',
    title: id,
    text: text.en,
    parts: [{ id: part.id, part: part.text }],
    sentences: cited.map((one) => ({ sentence: one.text })),
  },
  sends: cited.map(({ passage }) => ({ documentId: passage.documentId, passageId: passage.id })),
  issuesOf: ({ parts }) =>
    eachOnce(
      parts.map((one) => one.part),
      [part.id],
    ),
});

function readItem(
  { instances, orders }: AnswerOf<'checklist'>,
  { part, pack }: { part: DemandPart; pack: Pack },
  corpus: Corpus,
): { readonly opinion: ItemOpinion; readonly cited: readonly PackedSentence[] } {
  const { state, because, sentences } = instances[0]!;
  const rests = state === 'pass' || state === 'fail' || state === 'not_applicable';
  const checked = checkCitations(rests ? sentences : [], part, {
    pack,
    corpus,
    plan: false,
    as: state === 'pass' ? 'support' : 'counter',
  });
  const hasOrders = orders.some((id) => pack.sentences.has(id));
  const rules = [
    ...checked.dropped,
    ...(rests && checked.evidence.length === 0 ? ['no-citation'] : []),
    ...(hasOrders ? ['orders'] : []),
  ];
  const isUsable = !rests || (checked.evidence.length > 0 && !(hasOrders && state !== 'fail'));
  return {
    opinion: {
      state: isUsable ? state : 'cannot_tell',
      because: modelWords(because),
      evidence: checked.evidence,
      rules: [...new Set(rules)].sort(),
    },
    cited: checked.sentences,
  };
}

const abstained = (byRules: ItemResult, because: RulesAlone): SettledItem => ({
  itemId: byRules.itemId,
  byRules,
  outcome: 'abstained',
  because,
});

function settledItem(
  byRules: ItemResult,
  byModel: ItemOpinion,
  criticAgrees: boolean | undefined,
): SettledItem {
  const { itemId, verdict } = byRules;
  const critic = criticAgrees === undefined ? {} : { criticAgrees };
  const as = (outcome: SettledItem['outcome']): SettledItem => ({
    itemId,
    byRules,
    byModel,
    ...critic,
    outcome,
  });
  const { state } = byModel;
  if (state === 'cannot_tell') return { ...as('abstained'), because: 'cannot_tell' };
  if (state === 'not_applicable') return as(verdict === 'NA' ? 'same' : 'raised');
  if (state === verdict) return as('same');
  if (state === 'pass') return as(criticAgrees ? 'raised' : 'listed');
  return as(verdict === 'pass' ? 'lowered' : 'listed');
}

/** The answer that counts: lowered, or that of the rules with what the model proposes to the person who confirms. */
function answered(
  item: ChecklistItem,
  result: ItemResult,
  {
    settled,
    context,
  }: {
    settled: SettledItem | undefined;
    context: Pick<ChecklistContext, 'corpus' | 'checklist' | 'asils'>;
  },
): ItemResult {
  if (!settled?.byModel || settled.outcome === 'abstained' || settled.outcome === 'listed') return result;
  const { byModel, outcome } = settled;
  const reason = reasonOf(result);
  const evidence = (first: readonly Evidence[], then: readonly Evidence[]) =>
    [
      ...new Map(
        [...first, ...then].map((one) => [`${one.documentId} ${one.start} ${one.end}`, one]),
      ).values(),
    ].slice(0, MOST_EVIDENCE);
  if (outcome === 'same' || outcome === 'raised') {
    const words =
      outcome === 'same' ? say('opinions.item-same', { reason }) : say('opinions.item-proposed', { reason });
    // Rules chose the roles that their answer needs; a proposal is beside it.
    const proposed = byModel.evidence.map((one) => ({ ...one, role: 'context' as const }));
    return { ...result, ...worded({ reason: words }), evidence: evidence(result.evidence, proposed) };
  }
  const verdict = byModel.state === 'fail' ? 'fail' : 'missing';
  return {
    ...result,
    verdict,
    rules: ['settled-by-model', ...result.rules],
    severity: severityOfAnswer(verdict, item, context),
    ...worded({
      reason: say(verdict === 'fail' ? 'opinions.item-fail' : 'opinions.item-missing', { reason }),
    }),
    evidence:
      verdict === 'fail'
        ? evidence(byModel.evidence, result.evidence)
        : result.evidence.map((one) => (one.role === 'support' ? { ...one, role: 'context' as const } : one)),
    ...(verdict === 'missing' ? { search: searchFor(item, context.corpus) } : {}),
  };
}

/** What was searched for an item that nothing treats. */
function searchFor({ text }: ChecklistItem, corpus: Corpus): Search {
  const documents = usableDocuments(corpus);
  return {
    ...worded({
      statement: say('checks.searched', {
        documents: documents.length,
        passages: corpus.passageCount,
        terms: [say('general.quoted', { text: text.en })],
        types: undefined,
      }),
    }),
    documentIds: documents.map(({ id }) => id),
    passages: corpus.passageCount,
    terms: [text.en],
  };
}
