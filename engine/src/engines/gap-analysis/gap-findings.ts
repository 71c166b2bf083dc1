import type { AsilLevel } from '../../asil/asil.js';
import { type Corpus, type CorpusDocument, partsOfTypes } from '../../corpus/corpus.js';
import type { CriterionVerdict, Evidence, Finding } from '../../findings/finding.js';
import { fingerprint } from '../../findings/fingerprint.js';
import { printQuote } from '../../findings/print-quote.js';
import { ownerOf, stakesOf } from '../../findings/recommendations.js';
import { noteOf, reasonOf, statementOf } from '../../findings/said.js';
import { type Adjustment, gradeGap } from '../../findings/severity.js';
import { contentOf, deniedOf, emptyOf, NOT_GIVEN, rowsOf } from '../../findings/subject.js';
import { ABOUT_SOMETHING_ELSE } from '../../judgement/judge-work-product.js';
import { lowerFirst } from '../../sentences/render.js';
import { type LocalWords, type Sentence, say, written } from '../../sentences/sentence.js';
import { worded } from '../../sentences/worded.js';
import type { Criterion, Standard } from '../../standards/criterion.js';
import { demandWords, titleWords } from '../../standards/criterion-words.js';
import { isClauseForAPerson } from './clauses-for-a-person.js';

/** First rule of a verdict that only a contradiction lowered. */
export const INCONSISTENT = 'inconsistent';

/** What a finding needs to know beside the verdict. */
export interface FindingContext {
  readonly standard: Standard;
  readonly criteria: ReadonlyMap<string, Criterion>;
  readonly corpus: Corpus;
  /** Highest ASIL that the documents state. */
  readonly asil: AsilLevel | undefined;
}

/** The gap of one criterion, before gaps of one cause are put together (`causes.ts`). */
export interface CriterionGap {
  readonly criterion: Criterion;
  readonly finding: Finding;
  /** Why it is one. */
  readonly reason: Sentence;
  readonly types: readonly string[];
}

/** Gaps for verdicts that are `missing` or `partial`. Expectations of a missing work product are no gaps of their own. */
export function criterionGaps(
  verdicts: readonly CriterionVerdict[],
  context: FindingContext,
): readonly CriterionGap[] {
  const byId = new Map(verdicts.map((verdict) => [verdict.criterionId, verdict]));
  return verdicts.flatMap((verdict): CriterionGap[] => {
    if (verdict.verdict !== 'missing' && verdict.verdict !== 'partial') return [];
    // The contradictions themselves are the findings.
    if (verdict.rules[0] === INCONSISTENT) return [];
    if (isClauseForAPerson(verdict)) return [];
    const criterion = context.criteria.get(verdict.criterionId)!;
    const parent = criterion.parentId ? byId.get(criterion.parentId) : undefined;
    const parentCriterion = criterion.parentId ? context.criteria.get(criterion.parentId) : undefined;
    if (parentCriterion?.kind === 'work_product' && parent?.verdict === 'missing') return [];
    // Documents of the kind are about something else: whether there is one about this is the question, not what it would hold.
    if (parent?.rules[0] === ABOUT_SOMETHING_ELSE && isSilence(verdict)) return [];
    const types = typesOf(criterion, context);
    return [
      { criterion, types, finding: gapFinding(verdict, criterion, context), reason: reasonOf(verdict) },
    ];
  });
}

function gapFinding(verdict: CriterionVerdict, criterion: Criterion, context: FindingContext): Finding {
  const isWorkProduct = criterion.kind === 'work_product';
  const isMissing = verdict.verdict === 'missing';
  const kind =
    isWorkProduct && isMissing ? 'missing_work_product' : isMissing ? 'missing_content' : 'partial_content';
  const types = typesOf(criterion, context);
  const homes = homesOf(types, context);
  const { severity, reasons } = gradeGap({
    kind,
    base: criterion.severity,
    asil: context.asil,
    obligation: criterion.obligation,
    adjustments: adjustmentsOf(verdict, homes, isMissing),
    isSilence: isSilence(verdict),
  });
  const children = isWorkProduct
    ? [...context.criteria.values()].filter((one) => one.parentId === criterion.id)
    : [];
  return {
    fingerprint: fingerprint(kind, criterion.id, ''),
    kind,
    criterionId: criterion.id,
    standardRef: standardRef(criterion, context),
    severity,
    confidence: verdict.confidence,
    ...(context.asil ? { asil: context.asil } : {}),
    effortHint: isWorkProduct ? 'days' : isMissing ? 'hours' : 'hours',
    affectedItems: children.map((child) => child.id),
    ...subjectOf(kind, verdict, homes),
    ...(verdict.defects ? { defects: verdict.defects } : {}),
    evidence: verdict.evidence,
    ...(verdict.search ? { search: verdict.search } : {}),
    ...worded({
      title: titleOf(verdict, criterion, context),
      severityReasons: reasons,
      expected: isWorkProduct
        ? say('findings.work-product-exists', { title: written(titleWords(criterion)) })
        : written(demandWords(criterion)),
      observed: observedBy(verdict),
      whyItMatters: stakesOf(types),
      recommendation: recommendationOf(verdict, criterion, { types, homes, children, context }),
    }),
  };
}

/** Document types of a criterion, of its work product, or of what its data name. */
function typesOf(criterion: Criterion, { criteria }: FindingContext): readonly string[] {
  const parent = criterion.parentId ? criteria.get(criterion.parentId) : undefined;
  const named = [...(criterion.lookFor?.sections ?? []), ...(criterion.lookFor?.columns ?? [])];
  return (
    criterion.documentTypes ?? parent?.documentTypes ?? [...new Set(named.map((one) => one.split('.')[0]!))]
  );
}

function homesOf(types: readonly string[], { corpus }: FindingContext): readonly CorpusDocument[] {
  const ids = new Set(partsOfTypes(corpus, types).map((part) => part.documentId));
  return corpus.documents.filter((document) => ids.has(document.id));
}

/** What the other analyses tell as well: a work product that nobody gave, what a document lacks, what its rows lack. */
function subjectOf(
  kind: string,
  verdict: CriterionVerdict,
  [home]: readonly CorpusDocument[],
): Pick<Finding, 'subject'> {
  if (home && verdict.rules.includes(EMPTY_TEMPLATE)) return { subject: emptyOf(home.id) };
  const [counter] = verdict.evidence.filter(({ role }) => role === 'counter');
  if (kind === 'missing_work_product' && counter) {
    if (verdict.rules.includes(DENIED)) return { subject: deniedOf(counter) };
    // Announced for later is not given, either.
    if (verdict.rules.includes(NO_DOCUMENT)) return { subject: NOT_GIVEN };
  }
  if (!isSilence(verdict))
    return home && verdict.rules.includes(OPEN_CELLS) ? { subject: rowsOf(home.id) } : {};
  if (kind === 'missing_work_product') return verdict.search ? { subject: NOT_GIVEN } : {};
  // Without a document of the kind, the one that shows a part of it lacks the rest.
  const documentId = home?.id ?? verdict.evidence.find(({ role }) => role === 'support')?.documentId;
  return documentId === undefined ? {} : { subject: contentOf(documentId) };
}

/** Rule of a verdict on a document that nobody has filled in. */
const EMPTY_TEMPLATE = 'T8-template-not-filled-in';
/** Rules of verdicts on what a sentence says was not done, and on what other documents only speak of. */
const DENIED = 'T2-negation';
const NO_DOCUMENT = 'no-document-of-the-type';
/** Rule of a verdict that cells without a value lowered. */
const OPEN_CELLS = 'EM-05-required-cells';

/** Defects of what is not there, where others name a row. */
const NOT_THERE = /^(?:no column|not stated:) /;

/** No statement, row or value speaks against it. */
export const isSilence = ({
  defects = [],
  evidence,
}: Pick<CriterionVerdict, 'defects' | 'evidence'>): boolean =>
  defects.every((one) => NOT_THERE.test(one)) && !evidence.some(({ role }) => role === 'counter');

function adjustmentsOf(
  verdict: CriterionVerdict,
  homes: readonly CorpusDocument[],
  isMissing: boolean,
): readonly Adjustment[] {
  const adjustments: Adjustment[] = [];
  if (homes.some((home) => home.status === 'released')) adjustments.push('released');
  else if (homes.length > 0 && homes.every((home) => home.status === 'draft')) adjustments.push('draft');
  if (isMissing && verdict.rules.includes('stated-elsewhere')) adjustments.push('compensating');
  return adjustments;
}

/** At most twelve words: artefact and defect. */
function titleOf(verdict: CriterionVerdict, criterion: Criterion, { criteria }: FindingContext): Sentence {
  const title = titleWords(criterion);
  const isMissing = verdict.verdict === 'missing';
  if (criterion.kind === 'work_product') {
    if (verdict.rules.includes(EMPTY_TEMPLATE)) return say('findings.empty-template', { title });
    return say(isMissing ? 'findings.not-found' : 'findings.only-in-part', { title });
  }
  const parent = criterion.parentId ? criteria.get(criterion.parentId) : undefined;
  const full = parent?.kind === 'work_product' ? titleBelow(parent, criterion) : undefined;
  return say(isMissing ? 'findings.missing' : 'findings.incomplete', { title: full ?? title });
}

/** With that of its work product; undefined where that is too long. */
function titleBelow(parent: Criterion, { title, german }: Criterion): LocalWords | string | undefined {
  const full = `${parent.title}: ${title}`;
  if (full.split(/\s+/).length > LONGEST_TITLE) return undefined;
  return parent.german && german ? { en: full, de: `${parent.german.title}: ${german.title}` } : full;
}

/** A title among others in a sentence; German nouns stay as they are. */
const inSentence = ({ title, german }: Criterion): LocalWords | string =>
  german ? { en: lowerFirst(title), de: german.title } : lowerFirst(title);

const LONGEST_TITLE = 11;

/** `ISO 26262-3:2018, 6 (WP 6.5.1)`; no text of the standard. */
function standardRef(criterion: Criterion, { standard, criteria }: FindingContext): string {
  const parent = criterion.parentId ? criteria.get(criterion.parentId) : undefined;
  const workProduct =
    criterion.kind === 'work_product' ? criterion : parent?.kind === 'work_product' ? parent : undefined;
  const number = workProduct?.id.split(':').at(-1);
  return `${standard.designation}, ${criterion.clause}${number ? ` (WP ${number})` : ''}`;
}

function observedBy(verdict: CriterionVerdict): Sentence {
  const counted = verdict.evidence.filter((one) => one.role !== 'context').slice(0, 2);
  return say('findings.observed', {
    reason: reasonOf(verdict),
    quotes: counted.map(quoted),
    search: verdict.search && counted.length === 0 ? statementOf(verdict.search) : undefined,
  });
}

const LONGEST_INLINE_QUOTE = 160;

const quoted = (one: Evidence): Sentence =>
  say('findings.quote', { quote: printQuote(one.quote, LONGEST_INLINE_QUOTE), note: noteOf(one) });

/** Verb, object, content, place, owner and acceptance criterion (domain H.3). */
function recommendationOf(
  verdict: CriterionVerdict,
  criterion: Criterion,
  known: {
    readonly types: readonly string[];
    readonly homes: readonly CorpusDocument[];
    readonly children: readonly Criterion[];
    readonly context: FindingContext;
  },
): Sentence {
  const { types, homes, children, context } = known;
  const owner = ownerOf(types);
  const document = homes[0]?.name;
  const name = written(titleWords(criterion));
  if (criterion.kind === 'work_product' && verdict.verdict === 'missing') {
    return say('findings.provide', {
      document,
      name,
      content: children.slice(0, 4).map(inSentence),
      further: children.length > 4,
      children: children.length,
      owner,
    });
  }
  const place = say('findings.place', {
    document: document ?? plannedPlace(types, context),
    given: document,
    section: sectionName(criterion, context),
  });
  const content = written(demandWords(criterion));
  const rest = { title: titleWords(criterion), place, content, owner, done: doneWhen(verdict) };
  if (verdict.verdict !== 'partial') return say('findings.add', rest);
  return say('findings.complete', { ...rest, open: reasonOf(verdict) });
}

/** When the work that a gap asks for is done: it differs with what is wrong. */
function doneWhen({ rules, evidence }: CriterionVerdict): Sentence {
  const has = (...names: readonly string[]) => rules.some((rule) => names.includes(rule));
  if (has(OPEN_CELLS, 'EM-05-column-empty')) return say('findings.done-cells');
  if (has('metadata-field')) return say('findings.done-fields');
  if (has('EM-01-section-empty', 'EM-02-section-placeholder')) return say('findings.done-section');
  if (has('T3-intent')) return say('findings.done-announced');
  if (evidence.some(({ role }) => role === 'counter')) return say('findings.done-denied');
  if (has('parts-not-shown')) return say('findings.done-parts');
  return say('findings.done-stated');
}

/** Where it belongs when no document of the kind was given. */
function plannedPlace(types: readonly string[], { corpus }: FindingContext): Sentence {
  const name = corpus.documentTypes.get(types[0] ?? '')?.name;
  return name === undefined ? say('findings.planned-unknown') : say('findings.planned', { name });
}

function sectionName(criterion: Criterion, { corpus }: FindingContext): LocalWords | undefined {
  const [typeId, key] = criterion.lookFor?.sections?.[0]?.split('.') ?? [];
  if (!typeId) return undefined;
  return corpus.documentTypes.get(typeId)?.sections.find((section) => section.key === key)?.heading;
}
