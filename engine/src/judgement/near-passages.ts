import { documentOf, isWithin } from '../corpus/corpus.js';
import type { DocumentPart } from '../corpus/detect-document-types.js';
import { quote } from '../corpus/evidence.js';
import { headingTokens } from '../corpus/passages/headings.js';
import type { Evidence } from '../findings/finding.js';
import type { Candidate } from '../retrieval/candidate.js';
import { say } from '../sentences/sentence.js';
import type { Criterion } from '../standards/criterion.js';
import { splitSentences } from '../text/sentences.js';
import type { JudgementContext } from './judgement.js';

const NEAREST_SHOWN = 3;
/** Share of the words of a title that a passage has to have to name what was looked for. Fitted on the development projects (decision 450). */
const NAMES_IT = 2 / 3;
/** One word of a title is a word of every document ("interfaces", "verification"). */
const FEWEST_WORDS = 2;

/**
 * Whether a passage that is only near names what was looked for: one of its sentences has two thirds of the words of the title, at
 * least two, and two of them side by side as the title has them. Of a clause known by its text only, nearness is all there is.
 */
export function namesIt(text: string, { kind, lookFor, title }: Criterion): boolean {
  if (kind !== 'work_product' && !lookFor) return true;
  const wanted = headingTokens(title);
  return splitSentences(text).some(({ start, end }) => {
    const own = headingTokens(text.slice(start, end));
    const common = wanted.filter((token) => own.includes(token));
    if (common.length < Math.max(FEWEST_WORDS, wanted.length * NAMES_IT)) return false;
    return wanted.some((token, at) => {
      const next = wanted[at + 1];
      return next !== undefined && own.some((one, position) => one === token && own[position + 1] === next);
    });
  });
}

/** The nearest passages that name it, as context; with `home` those alone that stand where it is expected. */
export function nearPassages(
  criterion: Criterion,
  { nearest, corpus }: Pick<JudgementContext, 'nearest' | 'corpus'>,
  home?: readonly DocumentPart[],
): readonly Evidence[] {
  return nearest(criterion)
    .slice(0, NEAREST_SHOWN)
    .filter(({ passage }) => home === undefined || isWithin(home, passage))
    .flatMap((candidate) => contextEvidence(candidate, corpus))
    .filter(({ quote: text }) => namesIt(text, criterion));
}

/** A candidate as context: near, not sufficient. */
export function contextEvidence(
  { passage }: Candidate,
  corpus: JudgementContext['corpus'],
): readonly Evidence[] {
  const { read } = documentOf(corpus, passage.documentId);
  const cells = read.document.blocks[passage.blockIndex]!.cells;
  const place = cells ? [...cells].sort((a, b) => b.text.length - a.text.length)[0] : passage;
  if (!place || place.end === place.start) return [];
  const quoted = quote(read.document, passage, place, {
    role: 'context',
    note: say('verdicts.nearest-passage-not-sufficient'),
  });
  return quoted.quote === '' ? [] : [quoted];
}
