import type { CriterionVerdict, Evidence, Finding, Search } from '../../findings/finding.js';
import { fingerprint } from '../../findings/fingerprint.js';
import { ownerOf } from '../../findings/recommendations.js';
import { statementOf } from '../../findings/said.js';
import { bySeverity } from '../../findings/severities.js';
import { type Sentence, say, written } from '../../sentences/sentence.js';
import { worded } from '../../sentences/worded.js';
import type { Criterion } from '../../standards/criterion.js';
import { demandWords, titleWords } from '../../standards/criterion-words.js';
import { type CriterionGap, criterionGaps, type FindingContext, isSilence } from './gap-findings.js';

/** Quotes that a cause shows; its verdicts have all of them. */
const MOST_EVIDENCE = 12;
const MOST_NAMED = 6;

/**
 * Gaps for verdicts that are `missing` or `partial`. Work products of one clause group that nobody gave are one finding, and so are demands on the content of one work product
 * that it does not show (decision 290). What a statement denies, what stands there and is empty, and what single rows lack stays a
 * finding of its own: it has a place. The order is that of the first gap of each cause.
 */
export function gapFindings(
  verdicts: readonly CriterionVerdict[],
  context: FindingContext,
): readonly Finding[] {
  const gaps = criterionGaps(verdicts, context);
  const causes = new Map<string, { readonly about: Criterion | undefined; readonly gaps: CriterionGap[] }>();
  for (const gap of gaps) {
    const about = causeOf(gap, context);
    const key = about === undefined ? gap.criterion.id : `${gap.criterion.kind} ${about.id}`;
    const cause = causes.get(key) ?? { about, gaps: [] };
    causes.set(key, cause);
    cause.gaps.push(gap);
  }
  return [...causes.values()].map(({ about, gaps: own }) => {
    if (about === undefined) return own[0]!.finding;
    return about.kind === 'group'
      ? workProductsNotGiven(about, own, context)
      : contentNotShown(about, own, context);
  });
}

/** The group of a work product, or the work product of a demand; none for what stands alone. */
function causeOf({ criterion, finding }: CriterionGap, { criteria }: FindingContext): Criterion | undefined {
  if (!isSilence(finding)) return undefined;
  const parent = criteria.get(criterion.parentId ?? '');
  if (criterion.kind !== 'work_product') return parent?.kind === 'work_product' ? parent : undefined;
  const isNotGiven = finding.kind === 'missing_work_product' && finding.search !== undefined;
  return isNotGiven && !finding.evidence.some(({ role }) => role === 'support') && parent?.kind === 'group'
    ? parent
    : undefined;
}

function workProductsNotGiven(
  group: Criterion,
  gaps: readonly CriterionGap[],
  context: FindingContext,
): Finding {
  const titles = gaps.map(({ criterion }) => say('general.quoted', { text: titleWords(criterion) }));
  const first = gaps[0]!.finding;
  return causeFinding(gaps, {
    kind: 'missing_work_product',
    about: group,
    context,
    affectedItems: gaps.map(({ criterion }) => criterion.id),
    words: (search) => ({
      title: say('findings.work-products-not-found', {
        clause: group.clause,
        title: titleWords(group),
        count: gaps.length,
      }),
      expected: say('findings.work-products-exist', { titles }),
      observed: say('findings.work-products-observed', { titles, search }),
      whyItMatters: first.said!.whyItMatters,
      recommendation: say('findings.provide-work-products', {
        titles: titles.slice(0, MOST_NAMED),
        more: Math.max(0, titles.length - MOST_NAMED),
        owner: ownerOf(gaps[0]!.types),
      }),
    }),
  });
}

function contentNotShown(
  workProduct: Criterion,
  gaps: readonly CriterionGap[],
  context: FindingContext,
): Finding {
  const isMissing = gaps.some(({ finding }) => finding.kind === 'missing_content');
  const titles = gaps.map(({ criterion }) => say('general.quoted', { text: titleWords(criterion) }));
  return causeFinding(gaps, {
    kind: isMissing ? 'missing_content' : 'partial_content',
    about: workProduct,
    context,
    affectedItems: gaps.map(({ criterion }) => criterion.id),
    words: (search) => ({
      title: say('findings.demands-not-shown', { title: titleWords(workProduct), count: gaps.length }),
      expected: say('findings.demands-are-shown', {
        texts: gaps.map(({ criterion }) => written(demandWords(criterion))),
      }),
      observed: say('findings.demands-observed', {
        demands: gaps.map(({ criterion, reason }) =>
          say('findings.demand', { title: titleWords(criterion), reason }),
        ),
        search,
      }),
      whyItMatters: gaps[0]!.finding.said!.whyItMatters,
      recommendation: say('findings.add-demands', {
        titles,
        title: titleWords(workProduct),
        owner: ownerOf(gaps[0]!.types),
      }),
    }),
  });
}

type Words = Pick<
  NonNullable<Finding['said']>,
  'title' | 'expected' | 'observed' | 'whyItMatters' | 'recommendation'
>;

/** Of an identity that no single gap makes, at the severity of the worst of them; one alone keeps its words. */
function causeFinding(
  gaps: readonly CriterionGap[],
  cause: {
    readonly kind: string;
    readonly about: Criterion;
    readonly context: FindingContext;
    readonly affectedItems: readonly string[];
    readonly words: (search: Sentence | undefined) => Words;
  },
): Finding {
  const { kind, about, context, affectedItems, words } = cause;
  const own = {
    fingerprint: fingerprint(about.kind === 'group' ? 'missing_work_product' : 'content', about.id, ''),
    affected: gaps.map(({ criterion, finding, reason }) => ({
      id: criterion.id,
      kind: finding.kind,
      severity: finding.severity,
      ...(isAbsent(finding) ? { search: finding.search! } : {}),
      ...worded({
        title: isAbsent(finding)
          ? written(titleWords(criterion))
          : say('findings.demand', { title: titleWords(criterion), reason }),
      }),
    })),
    defects: gaps.flatMap(({ criterion: { id }, finding: { kind: own, defects = [] } }) => [
      `${own}: ${id}`,
      ...defects.map((one) => `${id}: ${one}`),
    ]),
  };
  const [{ finding: first }, ...others] = gaps as [CriterionGap, ...CriterionGap[]];
  if (others.length === 0) return { ...first, ...own };
  const worst = [...gaps].sort((a, b) => bySeverity(a.finding, b.finding))[0]!.finding;
  const search = searchOf(gaps);
  const { said: _, ...rest } = first;
  return {
    ...rest,
    ...own,
    kind,
    criterionId: about.id,
    standardRef: `${context.standard.designation}, ${about.clause}`,
    severity: worst.severity,
    confidence: lowest(gaps),
    effortHint: 'days',
    affectedItems,
    evidence: quotesOf(gaps),
    ...(search ? { search } : {}),
    ...worded({ ...words(search && statementOf(search)), severityReasons: worst.said!.severityReasons }),
  };
}

/** Nothing of it was found; of what is shown in part, the search tells nothing. */
const isAbsent = ({ kind, search }: Finding) => kind !== 'partial_content' && search !== undefined;

const CONFIDENCES = ['low', 'medium', 'high'] as const;
const lowest = (gaps: readonly CriterionGap[]) =>
  CONFIDENCES.find((one) => gaps.some(({ finding }) => finding.confidence === one)) ?? 'low';

/** The first quotes of each, every place once. */
function quotesOf(gaps: readonly CriterionGap[]): readonly Evidence[] {
  const seen = new Set<string>();
  const share = Math.max(1, Math.floor(MOST_EVIDENCE / gaps.length));
  return gaps
    .flatMap(({ finding }) => finding.evidence.filter(({ role }) => role !== 'context').slice(0, share))
    .filter(({ documentId, start, end }) => {
      const place = `${documentId} ${start} ${end}`;
      return !seen.has(place) && seen.add(place);
    })
    .slice(0, MOST_EVIDENCE);
}

/** What was searched for all of them; the terms of each stand beside it. */
function searchOf(gaps: readonly CriterionGap[]): Search | undefined {
  const searches = gaps.flatMap(({ finding }) => (isAbsent(finding) ? finding.search! : []));
  const [first] = searches;
  if (first === undefined || searches.length === 1) return first;
  return {
    documentIds: first.documentIds,
    passages: first.passages,
    terms: [...new Set(searches.flatMap(({ terms }) => terms))],
    ...worded({
      statement: say('findings.searched-for-each', {
        documents: first.documentIds.length,
        passages: first.passages,
      }),
    }),
  };
}
