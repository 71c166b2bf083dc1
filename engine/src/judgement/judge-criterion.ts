import { type Corpus, documentOf, partsOfTypes, usableDocuments } from '../corpus/corpus.js';
import type { DocumentPart } from '../corpus/detect-document-types.js';
import { isHeadedOtherwise } from '../corpus/unplaced-chapters.js';
import { outsideCriterion, outsideOf } from '../facts/project-scope.js';
import type { CriterionVerdict, Search } from '../findings/finding.js';
import { NOT_DUE_RULES } from '../findings/not-due.js';
import { say, type Value } from '../sentences/sentence.js';
import { worded } from '../sentences/worded.js';
import type { Criterion, LookFor } from '../standards/criterion.js';
import { titleWords } from '../standards/criterion-words.js';
import { isAboutGroup } from './about-group.js';
import { answerCondition } from './conditions.js';
import { judgeExpectation } from './judge-expectation.js';
import { judgeText } from './judge-text.js';
import { AS_SECTION, DECLARED, isAbout, judgeWorkProduct } from './judge-work-product.js';
import type { Judgement, JudgementContext } from './judgement.js';
import { nearPassages } from './near-passages.js';
import { NOT_DUE, notDueYet } from './planned-work.js';

/**
 * Judges one criterion; pure. `parent` is the verdict on its work product, which comes first. Groups are not judged. What is outside of the run comes first, then the condition, then the kind decides how:
 * work products exist or not, expectations are looked for in them, clauses known by their text only are left
 * to a person unless the grounds are strict.
 */
export function judgeCriterion(
  criterion: Criterion,
  context: JudgementContext,
  parent?: CriterionVerdict,
): CriterionVerdict {
  const outside = outsideCriterion(outsideOf(context.corpus), criterion.id);
  if (outside) {
    return {
      criterionId: criterion.id,
      verdict: 'not_applicable',
      confidence: outside.because === 'plan' ? 'medium' : 'high',
      rules: [NOT_DUE_RULES[outside.because]],
      ...worded({ reason: outside.reason }),
      evidence: outside.evidence,
    };
  }
  const condition = criterion.condition ? context.conditions.get(criterion.condition) : undefined;
  const answer = condition ? answerCondition(condition, { ...context }) : undefined;
  if (answer?.holds === false) {
    return {
      criterionId: criterion.id,
      verdict: 'not_applicable',
      confidence: answer.source === 'person' ? 'high' : answer.source === 'documents' ? 'medium' : 'low',
      rules: [`condition-${condition!.id}`],
      ...worded({ reason: say('verdicts.applies-only', { label: condition!.label, reason: answer.reason }) }),
      evidence: answer.evidence,
    };
  }
  if (parent && isExcused(parent) && criterion.kind === 'expectation') {
    return { ...parent, criterionId: criterion.id };
  }
  const home = homeOf(criterion, context);
  const found = withoutItsDocument(judgeByKind(criterion, home, context), criterion, home, context);
  const judged = withoutItsWorkProduct(found, criterion, home, context, parent);
  const judgement = isOnlyAbsent(judged) ? (notDueYet(criterion, context.corpus) ?? judged) : judged;
  const open = answer?.holds === 'unknown' && judgement.verdict !== 'covered';
  const conditional: Judgement = open
    ? {
        ...judgement,
        verdict: 'needs_review',
        confidence: 'low',
        rules: [`condition-${condition!.id}`, ...judgement.rules],
        reason: say('verdicts.applies-only-the-documents-do-not', {
          label: condition!.label,
          question: condition!.question,
          reason: judgement.reason,
        }),
      }
    : judgement;
  const { reason, ...rest } = withSearch(criterion, home, conditional, context);
  return { criterionId: criterion.id, ...rest, ...worded({ reason }) };
}

/** What a work product that does not apply, or is not due, should hold is no question either. */
function isExcused({ verdict, rules }: CriterionVerdict): boolean {
  return verdict === 'not_applicable' && rules.some((rule) => rule === NOT_DUE || rule === DECLARED);
}

/** Nothing was found; nobody wrote that it is not there or left a place for it empty. */
function isOnlyAbsent({ verdict, rules }: Judgement): boolean {
  return (
    verdict === 'missing' && (rules.includes('nothing-found') || rules.includes('no-document-of-the-type'))
  );
}

/** Some of it is shown, and nothing speaks against the rest. */
const isInPart = ({ verdict, evidence, defects = [] }: Judgement): boolean =>
  verdict === 'partial' && defects.length === 0 && !evidence.some(({ role }) => role === 'counter');

/** A section of so many blocks sketches a work product; it is not the work product. */
const SHORT_SECTION = 30;

function isShortSection(home: readonly DocumentPart[]): boolean {
  return home.length > 0 && home.every(({ whole, start, end }) => !whole && end - start < SHORT_SECTION);
}

/** Content cannot be covered while the work product that should hold it was not found. */
function withoutItsWorkProduct(
  judgement: Judgement,
  criterion: Criterion,
  home: readonly DocumentPart[],
  { corpus, criteria }: JudgementContext,
  parent: CriterionVerdict | undefined,
): Judgement {
  const isContent =
    criterion.parentId !== undefined && criteria.get(criterion.parentId)?.kind === 'work_product';
  // A section of another document is short; what it leaves out may stand where it belongs, which nobody was given.
  const isSection = parent?.rules[0] === AS_SECTION || isShortSection(home);
  if (isContent && isSection && isOnlyAbsent(judgement)) {
    return {
      ...judgement,
      verdict: 'needs_review',
      confidence: 'low',
      rules: ['work-product-is-a-section', ...judgement.rules],
      reason: say('verdicts.the-work-product-is-a-section', { reason: judgement.reason }),
    };
  }
  const own = home.filter(({ whole }) => whole);
  const isOtherwise = own.length > 0 && own.every((part) => isHeadedOtherwise(corpus, part));
  if (isContent && isOtherwise && (isOnlyAbsent(judgement) || isInPart(judgement))) {
    return {
      ...judgement,
      verdict: 'needs_review',
      confidence: 'low',
      rules: ['headed-otherwise', ...judgement.rules],
      reason: say('verdicts.in-an-outline-of-other-words', {
        reason: judgement.reason,
        names: [...new Set(own.map((part) => documentOf(corpus, part.documentId).name))].map((text) =>
          say('general.quoted', { text }),
        ),
      }),
    };
  }
  const isFound = parent?.verdict !== 'missing' && parent?.verdict !== 'needs_review';
  if (!isContent || isFound || (judgement.verdict !== 'covered' && judgement.verdict !== 'partial'))
    return judgement;
  return {
    ...judgement,
    verdict: 'needs_review',
    confidence: 'low',
    rules: ['work-product-not-found', ...judgement.rules],
    reason: say('verdicts.work-product-not-found', { reason: judgement.reason }),
  };
}

/** The results of system tests say nothing of unit tests: without a document about its group there is nothing. */
function withoutItsDocument(
  judgement: Judgement,
  criterion: Criterion,
  home: readonly DocumentPart[],
  { criteria }: JudgementContext,
): Judgement {
  const group = criterion.parentId === undefined ? undefined : criteria.get(criterion.parentId);
  const isUnnamed = group?.kind === 'group' && group.identifiedBy === 'name' && home.length === 0;
  if (!isUnnamed || !judgement.rules.includes('stated-elsewhere')) return judgement;
  return {
    ...judgement,
    verdict: 'missing',
    confidence: 'low',
    rules: ['no-document-about-it', ...judgement.rules],
    reason: say('verdicts.no-document-of-the-expected-kind', { title: titleWords(group) }),
  };
}

function judgeByKind(
  criterion: Criterion,
  home: readonly DocumentPart[],
  context: JudgementContext,
): Judgement {
  if (criterion.kind === 'work_product') return judgeWorkProduct(criterion, home, context);
  if (!criterion.lookFor) return judgeText(criterion, context);
  return judgeExpectation(criterion, home, context);
}

/**
 * Where a criterion is expected: parts of its types, of the types that its data name, or of its work product.
 * The sections that a work product's data name are where else it may stand; they do not make it that document.
 */
export function homeOf(criterion: Criterion, context: JudgementContext): readonly DocumentPart[] {
  const { corpus, criteria } = context;
  if (criterion.kind === 'work_product') return partsOfTypes(corpus, criterion.documentTypes ?? []);
  const named = [...(criterion.lookFor?.sections ?? []), ...(criterion.lookFor?.columns ?? [])].map(
    (reference) => reference.split('.')[0]!,
  );
  const parent = criterion.parentId ? criteria.get(criterion.parentId) : undefined;
  const own = criterion.documentTypes ?? parent?.documentTypes ?? [];
  const parts = partsOfTypes(corpus, [...new Set([...own, ...named])]);
  if (parent?.identifiedBy !== 'name') return parts;
  if (parent.kind === 'group') {
    return parts.filter((part) => !own.includes(part.typeId) || isAboutGroup(part, parent, context));
  }
  return parts.filter((part) => !own.includes(part.typeId) || isAbout(part, parent, context));
}

/** Adds what was searched, and the nearest passages that name it, to verdicts that rest on absence. */
function withSearch(
  criterion: Criterion,
  home: readonly DocumentPart[],
  judgement: Judgement,
  context: JudgementContext,
): Judgement {
  const isAbsence =
    judgement.verdict === 'missing' ||
    judgement.verdict === 'partial' ||
    judgement.verdict === 'needs_review';
  if (!isAbsence) return judgement;
  const search = judgement.search ?? searchOf(criterion, home, context);
  if (judgement.evidence.length > 0) return { ...judgement, search };
  return { ...judgement, evidence: nearPassages(criterion, context), search };
}

const TERMS_NAMED = 6;

/** What was searched for a criterion: documents, passages, words. */
export function searchOf(
  criterion: Criterion,
  home: readonly DocumentPart[],
  { corpus }: Pick<JudgementContext, 'corpus'>,
): Search {
  const documents = usableDocuments(corpus);
  const terms = (criterion.lookFor?.terms ?? []).flat();
  const german = germanFirst(criterion.lookFor);
  const wanted = [
    ...(criterion.lookFor?.sections ?? []).map((reference) => sectionName(corpus, reference)),
    ...terms
      .slice(0, TERMS_NAMED)
      .map((en, at) =>
        say('general.quoted', { text: german[at] === undefined ? en : { en, de: german[at] } }),
      ),
  ];
  const names = [...new Set(home.map((part) => documentOf(corpus, part.documentId).name))];
  return {
    ...worded({
      statement: say('verdicts.searched', {
        documents: documents.length,
        passages: corpus.passageCount,
        what: wanted.length > 0 ? wanted : titleWords(criterion),
        names: names.map((text) => say('general.quoted', { text })),
      }),
    }),
    documentIds: documents.map((document) => document.id),
    passages: corpus.passageCount,
    terms,
  };
}

/** The phrases that were searched, the German ones of each group first. */
const germanFirst = ({ terms = [], german }: LookFor = {}): readonly string[] =>
  german === undefined ? [] : terms.flatMap((group, at) => [...new Set([...(german[at] ?? []), ...group])]);

function sectionName(corpus: Corpus, reference: string): Value {
  const [typeId, key] = reference.split('.');
  const section = corpus.documentTypes.get(typeId!)?.sections.find((one) => one.key === key);
  return section ? say('verdicts.a-section', { title: section.heading }) : reference;
}
