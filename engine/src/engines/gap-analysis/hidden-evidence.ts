import { statingPassages } from '../../corpus/corpus.js';
import { corpusOf } from '../../corpus/corpus-of.js';
import { noted } from '../../corpus/evidence.js';
import { indexPhrases } from '../../corpus/mentions.js';
import type { Block } from '../../documents/document.js';
import { hasHiddenText, hiddenWithin, unhiddenDocument } from '../../documents/hidden-text.js';
import { statedAsils } from '../../facts/asil-of-documents.js';
import type { CriterionVerdict, Evidence, Verdict } from '../../findings/finding.js';
import { reasonOf } from '../../findings/said.js';
import { judgeCriterion } from '../../judgement/judge-criterion.js';
import { type JudgementContext, nearestIn } from '../../judgement/judgement.js';
import { rankCandidates } from '../../retrieval/rank-candidates.js';
import { say } from '../../sentences/sentence.js';
import { worded } from '../../sentences/worded.js';
import type { Criterion } from '../../standards/criterion.js';
import type { GapAnalysisInput } from './gap-analysis.js';

/** Rules that lower a verdict for what could not be seen or read. */
const HIDDEN_ONLY = 'hidden-text-only';
const PARTLY_READABLE = 'partly-readable';
const MOST_SHOWN = 3;
/** How much a verdict says that a criterion is met. */
const SAYS: Readonly<Record<Verdict, number>> = {
  missing: 0,
  partial: 1,
  needs_review: 2,
  covered: 3,
  not_applicable: 3,
};

/** What the documents would show if all of their text could be seen, and which of them could be read in part only. */
export interface Unseen {
  readonly context?: JudgementContext;
  readonly input: GapAnalysisInput;
  readonly judged: Map<string, CriterionVerdict>;
}

/** Judging the documents once more with their hidden text; nothing is done where nothing is hidden. */
export async function unhiddenContext(
  input: GapAnalysisInput,
  run: {
    readonly context: JudgementContext;
    readonly phrases: readonly string[];
    readonly judged: readonly Criterion[];
    readonly pause: () => Promise<void>;
  },
): Promise<Unseen> {
  const judged = new Map<string, CriterionVerdict>();
  if (!input.documents.some((one) => hasHiddenText(one.document))) return { input, judged };
  const documents = input.documents.map((one) => ({ ...one, document: unhiddenDocument(one.document) }));
  const corpus = await corpusOf({ ...input, documents }, run.pause);
  const index = await indexPhrases(corpus, run.phrases, run.pause);
  const ranking = await rankCandidates(
    run.judged,
    statingPassages(corpus),
    input.signal ? { signal: input.signal } : {},
  );
  const context: JudgementContext = {
    ...run.context,
    corpus,
    index,
    asils: statedAsils(corpus),
    ...nearestIn(ranking),
  };
  return { context, input, judged };
}

/**
 * A criterion that only hidden text would show needs a person: the hidden text is no evidence, and silence about it
 * would hide what stands in the file. So does the absence of something in documents that could be read in part only.
 */
export function shownOnlyHidden(
  verdict: CriterionVerdict,
  criterion: Criterion,
  unseen: Unseen,
): CriterionVerdict {
  const { context, input, judged } = unseen;
  const whole = context
    ? judgeCriterion(criterion, context, judged.get(criterion.parentId ?? ''))
    : undefined;
  if (whole) judged.set(criterion.id, whole);
  if (verdict.verdict !== 'missing' && verdict.verdict !== 'partial') return verdict;
  if (whole && SAYS[whole.verdict] > SAYS[verdict.verdict]) {
    const shown = hiddenEvidence(whole.evidence, input).slice(0, MOST_SHOWN);
    return {
      ...verdict,
      verdict: 'needs_review',
      confidence: 'low',
      rules: [HIDDEN_ONLY, ...verdict.rules],
      ...worded({ reason: say('verdicts.only-text-that-a-reader-of', { reason: reasonOf(verdict) }) }),
      evidence: [...shown, ...verdict.evidence],
    };
  }
  if (verdict.verdict === 'missing' && isPartlyReadable(input)) {
    return {
      ...verdict,
      verdict: 'needs_review',
      confidence: 'low',
      rules: [PARTLY_READABLE, ...verdict.rules],
      ...worded({
        reason: say('verdicts.the-searched-documents-were-only-partly', { reason: reasonOf(verdict) }),
      }),
    };
  }
  return verdict;
}

/** The quotes that touch hidden text, as context with the reason. */
function hiddenEvidence(evidence: readonly Evidence[], { documents }: GapAnalysisInput): readonly Evidence[] {
  return evidence.flatMap((one): Evidence[] => {
    const blocks = documents.find(({ id }) => id === one.documentId)?.document.blocks ?? [];
    const block = blocks.find((candidate: Block) => candidate.start <= one.start && one.end <= candidate.end);
    const [hidden] = block ? hiddenWithin(block, one) : [];
    if (!hidden) return [];
    return [noted(one, 'context', say('verdicts.not-seen-by-a-reader', { reason: hidden.reason }))];
  });
}

/** Whether what could not be seen or read made a verdict wait for a person. */
export const isPartlySeen = ({ rules }: CriterionVerdict): boolean =>
  rules.includes(HIDDEN_ONLY) || rules.includes(PARTLY_READABLE);

function isPartlyReadable({ documents }: GapAnalysisInput): boolean {
  return documents.some(({ document }) =>
    document.notes.some(
      ({ code, said }) =>
        code === 'unmapped_text' ||
        (code === 'page_without_text' && said?.message.values?.pictures !== undefined),
    ),
  );
}
