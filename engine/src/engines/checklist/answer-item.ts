import { createHash } from 'node:crypto';
import { type Corpus, partsOfTypes, usableDocuments } from '../../corpus/corpus.js';
import { quote } from '../../corpus/evidence.js';
import { hitsOf, sentenceOf } from '../../corpus/mentions.js';
import { isHeadedOtherwise } from '../../corpus/unplaced-chapters.js';
import type { Confidence, Evidence, Search } from '../../findings/finding.js';
import { fingerprint } from '../../findings/fingerprint.js';
import { isNotDue } from '../../findings/not-due.js';
import { judgeText } from '../../judgement/judge-text.js';
import { negationTrap } from '../../judgement/traps/t02-negation.js';
import type { Candidate } from '../../retrieval/candidate.js';
import type { CoverageEstimate } from '../../retrieval/estimate-coverage.js';
import { say, written } from '../../sentences/sentence.js';
import { worded } from '../../sentences/worded.js';
import { isVerified, NOT_VERIFIED } from '../withhold.js';
import type { ChecklistItem } from './checklist.js';
import { type ItemResult, type ItemVerdict, UNDECIDED } from './checklist-analysis.js';
import { asContext, type ChecklistContext, type ItemContext, namesOfTypes } from './context.js';
import { draftOwesNothing, notApplicable, openConditions } from './not-applicable.js';
import { nameOf, type Outcome, outcome } from './outcome.js';
import type { LocalText } from './question.js';
import { runChecks } from './run-check.js';
import { severityOfAnswer } from './severity-of-answer.js';
import { NOT_THERE, subjectOf } from './subject-of.js';

const MOST_EVIDENCE = 8;
const MOST_AFFECTED = 50;
const MOST_TERMS = 12;

/** What answering an item needs beside the documents. */
export interface AnswerNeeds {
  /** SHA-256 by document id. */
  readonly hashes: ReadonlyMap<string, string>;
  /** Nearest passages and the estimate for items without checks. */
  readonly nearest: (
    itemId: string,
  ) => { readonly candidates: readonly Candidate[]; readonly coverage?: CoverageEstimate } | undefined;
}

/** Answers one item (domain F.1). The rules for what the four answers cannot say are in `docs/checklists.md`. */
export function answerItem(item: ChecklistItem, shared: ChecklistContext, needs: AnswerNeeds): ItemResult {
  const context: ItemContext = { ...shared, item };
  const { completeness } = context;
  const exempt = notApplicable(context);
  if (exempt) return settle(exempt, { context, needs, open: [] });
  const found = inOtherWords(
    denied(item.checks.length > 0 ? runChecks(item.checks, context) : byText(context, needs), context),
    context,
  );
  const isDraft = found.state === 'pass' || found.state === 'fail' ? undefined : draftOwesNothing(context);
  const open = found.state === 'pass' ? [] : openConditions(item, completeness.answers);
  const texts = new Map(context.corpus.documents.map(({ id, read }) => [id, read.document]));
  const told = isDraft ?? claimedOr(found, context);
  const isShown = isVerified(told.evidence, texts);
  const result = settle(isShown ? told : notVerified(), { context, needs, open: isDraft ? [] : open });
  return result.severity === undefined ? result : { ...result, ...subjectOf(item, result, context) };
}

/** A quote of the answer does not stand in its document, which is a defect of the engine. */
const notVerified = (): Outcome =>
  outcome('open', 'low', { rules: [NOT_VERIFIED], reason: say('verdicts.a-quote-could-not-be-verified') });

/** Nothing was found of it, in documents most of whose outline is in other words: a person has to look. */
function inOtherWords(found: Outcome, { item, checklist, corpus }: ItemContext): Outcome {
  if (found.state !== 'missing' || found.rules.some((rule) => NOT_THERE.has(rule))) return found;
  // What a quote speaks against is told, whatever the outline.
  if (found.evidence.some(({ role }) => role === 'counter')) return found;
  const types = item.documentTypes.length > 0 ? item.documentTypes : checklist.about.documentTypes;
  const home = partsOfTypes(corpus, types).filter(({ whole }) => whole);
  if (home.length === 0 || !home.every((part) => isHeadedOtherwise(corpus, part))) return found;
  return { ...found, state: 'open', confidence: 'low', rules: ['headed-otherwise', ...found.rules] };
}

/** No document of what the list is about, and a sentence says that it was not made: treated, and not done (trap T2). */
function denied(found: Outcome, context: ItemContext): Outcome {
  const { about } = context.checklist;
  if (found.state !== 'missing' || partsOfTypes(context.corpus, about.documentTypes).length > 0) return found;
  // A scope statement shows nothing, but it may say that something was not done.
  const denial = hitsOf(context.index, about.names).find((hit) => {
    const { role } = hit.passage;
    return (
      (role === 'body' || role === 'scope') &&
      negationTrap({ ...sentenceOf(hit), role: 'body' }) !== undefined
    );
  });
  if (!denial) return found;
  const { read } = denial.document;
  const place = sentenceOf(denial).place;
  return outcome('fail', 'high', {
    rules: ['T2-negation'],
    reason: say('checks.a-statement-says-that-it-was', { reason: found.reason }),
    evidence: [
      quote(read.document, denial.passage, place, {
        role: 'counter',
        note: say('checks.says-that-it-was-not-done'),
        focus: denial,
      }),
    ],
  });
}

/** An item without checks: statements near its words, for a person. */
function byText({ item, corpus }: ItemContext, { nearest }: AnswerNeeds): Outcome {
  const near = nearest(item.id);
  if (!near) return outcome('open', 'low', { rules: ['no-check'], reason: say('checks.no-rule-decides-it') });
  const criterion = {
    id: item.id,
    kind: 'clause',
    clause: '',
    title: item.id,
    text: item.text.en,
    severity: item.severity,
    obligation: 'shall',
  } as const;
  const { rules, reason, evidence, verdict } = judgeText(criterion, {
    corpus,
    nearest: () => near.candidates,
    coverageOf: () => near.coverage,
  });
  return outcome(verdict === 'missing' ? 'missing' : 'open', 'low', {
    rules: ['no-check', ...rules],
    reason,
    evidence: asContext(evidence),
    terms: [item.text.en],
  });
}

/** Somebody has answered it without saying where it can be seen: a claim, which a person confirms (trap T12). */
function claimedOr(found: Outcome, { item }: ItemContext): Outcome {
  if (!item.claimed || (found.state !== 'open' && found.state !== 'missing')) return found;
  return {
    ...found,
    rules: ['T12-claimed', ...found.rules],
    reason: say('checks.answered-before', { result: item.claimed.result, reason: found.reason }),
  };
}

/** Turns what the checks say into one of the four answers and keeps their promises about quotes. */
function settle(
  found: Outcome,
  {
    context,
    needs,
    open,
  }: { readonly context: ItemContext; readonly needs: AnswerNeeds; readonly open: readonly string[] },
): ItemResult {
  const { item, checklist, completeness } = context;
  const { verdict, undecided } = verdictOf(found);
  const confidence: Confidence = undecided || open.length > 0 ? 'low' : found.confidence;
  const needsConfirmation = confidence === 'low' || item.automation === 'manual' || found.confirm === true;
  const evidence = chosen(found.evidence, verdict);
  const asked = open.map((id) => completeness.conditions.get(id)?.question ?? { en: id });
  const affected = verdict === 'NA' ? [] : (found.affected ?? []).slice(0, MOST_AFFECTED);
  const isBad = verdict === 'fail' || verdict === 'missing';
  const instances = found.instances;
  const result = {
    itemId: item.id,
    verdict,
    confidence,
    needsConfirmation,
    ...(needsConfirmation ? { question: questionOf(context, asked) } : {}),
    rules: [
      ...(undecided ? [UNDECIDED] : []),
      ...open.map((id) => `condition-${id}`),
      ...new Set(found.rules),
    ],
    ...worded({
      reason: say('checks.depends', { reason: found.reason, condition: asked }),
      ...(affected.some((one) => typeof one !== 'string') ? { affectedItems: affected.map(written) } : {}),
    }),
    ...(isBad
      ? {
          severity:
            found.severity !== undefined && (verdict === 'fail' || found.state === 'open')
              ? found.severity
              : severityOfAnswer(verdict, item, context),
        }
      : {}),
    ...(instances && instances.total > 0 ? { instances } : {}),
    affectedItems: affected.map(nameOf),
    evidence,
    ...(verdict === 'missing' ? { search: searchOf(found, context) } : {}),
  } satisfies Omit<ItemResult, 'lookedAt' | 'fingerprint' | 'basis'>;
  const lookedAt = lookedAtFor(result, context);
  return {
    ...result,
    lookedAt: lookedAt.map((one) => one.id),
    fingerprint: fingerprint('checklist', checklist.id, item.id),
    basis: basisOf(result, item, versionsOf(lookedAt, needs.hashes)),
  };
}

/**
 * The four answers cannot say "undecided". The one that the evidence suggests is given with low confidence, and a person confirms:
 * what speaks against it makes a fail, what speaks of it a pass, nothing at all makes it missing. No answer without the
 * quotes that it needs: without them it is what the quotes allow.
 */
export function verdictOf({ state, evidence, rules }: Outcome): {
  readonly verdict: ItemVerdict;
  readonly undecided: boolean;
} {
  const has = (role: Evidence['role']) => evidence.some((one) => one.role === role);
  if (state === 'pass' && has('support')) return { verdict: 'pass', undecided: false };
  if (state === 'fail' && has('counter')) return { verdict: 'fail', undecided: false };
  if (state === 'missing') return { verdict: 'missing', undecided: false };
  // A person's or a document's word on a condition needs no quote; a rating or a section does.
  if (
    state === 'na' &&
    (evidence.length > 0 ||
      isNotDue({ rules }) ||
      rules.some((rule) => rule === 'draft' || rule.startsWith('condition-')))
  ) {
    return { verdict: 'NA', undecided: false };
  }
  if (has('counter')) return { verdict: 'fail', undecided: true };
  if (state === 'fail') return { verdict: 'missing', undecided: true };
  return { verdict: evidence.some((one) => one.quote !== '') ? 'pass' : 'missing', undecided: true };
}

/** Each place once, what the verdict rests on first. */
function chosen(evidence: readonly Evidence[], verdict: ItemVerdict): readonly Evidence[] {
  const first: Evidence['role'] = verdict === 'fail' || verdict === 'missing' ? 'counter' : 'support';
  const seen = new Set<string>();
  const distinct = evidence.filter(({ documentId, start, end, quote, role }) => {
    const key = `${documentId}:${start}:${end}:${role === first}`;
    if (quote === '' || seen.has(key)) return false;
    seen.add(key);
    return true;
  });
  const leading = distinct.filter((one) => one.role === first);
  const rest = distinct.filter(
    (one) =>
      one.role !== first &&
      !leading.some((other) => other.documentId === one.documentId && other.start === one.start),
  );
  return [...leading, ...rest].slice(0, MOST_EVIDENCE);
}

function questionOf({ item }: ItemContext, conditions: readonly LocalText[]): LocalText {
  if (conditions.length > 0) {
    const inAll = (language: 'en' | 'de') => conditions.map((one) => one[language] ?? one.en).join(' ');
    return { en: inAll('en'), de: inAll('de') };
  }
  return item.question ?? item.text;
}

function searchOf(found: Outcome, context: ItemContext): Search {
  const { item, corpus } = context;
  const types = item.documentTypes;
  const documents = usableDocuments(corpus);
  const there = types.length > 0 ? partsOfTypes(corpus, types) : [];
  const terms = (found.terms ?? []).slice(0, MOST_TERMS);
  return {
    ...worded({
      statement: say('checks.searched', {
        documents: documents.length,
        passages: corpus.passageCount,
        terms: terms.map((text) => say('general.quoted', { text })),
        types: types.length > 0 && there.length === 0 ? namesOfTypes(context, types) : undefined,
      }),
    }),
    documentIds: documents.map((one) => one.id),
    passages: corpus.passageCount,
    terms,
  };
}

/** Documents that the answer comes from, and those where another version could change it. */
function lookedAtFor(
  { evidence, verdict }: Pick<ItemResult, 'evidence' | 'verdict'>,
  { item, corpus, checklist }: ItemContext,
): Corpus['documents'] {
  const types = item.documentTypes.length > 0 ? item.documentTypes : checklist.about.documentTypes;
  const looked = new Set([
    ...evidence.map((one) => one.documentId),
    ...partsOfTypes(corpus, types).map((part) => part.documentId),
    ...(verdict === 'missing' ? usableDocuments(corpus).map((one) => one.id) : []),
  ]);
  return corpus.documents.filter((one) => looked.has(one.id));
}

/** Ids of documents change with every version; names and contents say whether something changed. */
const versionsOf = (documents: Corpus['documents'], hashes: ReadonlyMap<string, string>) =>
  documents.map((one) => [one.name, hashes.get(one.id) ?? one.version]);

function basisOf(
  result: Pick<ItemResult, 'verdict' | 'instances' | 'evidence'>,
  item: ItemContext['item'],
  versions: readonly (readonly string[])[],
): string {
  const said = [
    item.id,
    item.revision,
    result.verdict,
    result.instances ?? null,
    result.evidence.map((one) => one.quote),
    versions,
  ];
  return createHash('sha256').update(JSON.stringify(said)).digest('hex').slice(0, 32);
}
