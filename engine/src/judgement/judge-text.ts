import type { Evidence } from '../findings/finding.js';
import type { Passage } from '../passages/passage.js';
import type { Criterion } from '../standards/criterion.js';
import { documentOf } from './corpus.js';
import { quote } from './evidence.js';
import type { Judgement, JudgementContext } from './judge-criterion.js';
import { isFilledRow } from './section-state.js';
import { trapOf } from './traps/traps.js';

const SHOWN = 5;
/** A statement beside the number of a clause says something from this many words on. */
const MIN_STATEMENT_WORDS = 8;

/**
 * Judges a criterion that is known by its text only (an uploaded standard). Nearness is no compliance: a clause
 * is covered only where statements that pass every trap stand beside its own number; between that and "nothing
 * speaks of it" the answer is left to a person, with the ranked passages.
 */
export function judgeText(criterion: Criterion, context: JudgementContext): Judgement {
  const { nearest, coverageOf } = context;
  const candidates = nearest(criterion);
  const estimate = coverageOf(criterion);
  const weighed = candidates.map(({ passage }) => ({
    passage,
    ...weighPassage(passage, criterion, context),
  }));
  const statements = weighed.filter((entry) => entry.trap === undefined);
  const naming = statements.filter(
    ({ passage }) => namesClause(passage.text, criterion) && wordCount(passage.text) >= MIN_STATEMENT_WORDS,
  );
  if (naming.length > 0 && estimate?.probablyMissing !== true) {
    const support = naming
      .slice(0, SHOWN)
      .map((entry): Evidence => ({ ...entry.evidence, role: 'support', note: 'names the clause' }));
    return {
      verdict: 'covered',
      confidence: 'low',
      rules: ['text-names-the-clause', 'explicit-statement'],
      reason:
        'Statements that name the clause say how it is met; a person should confirm that they are sufficient.',
      evidence: support,
    };
  }
  const evidence = weighed
    .slice(0, SHOWN)
    .map((entry) => entry.evidence)
    .filter((entry) => entry.quote !== '');
  if (statements.length === 0 || estimate?.probablyMissing === true) {
    return {
      verdict: 'missing',
      confidence: 'low',
      rules: ['text-nothing-near'],
      reason: 'No passage stands out as an answer to the clause; the nearest are listed.',
      evidence,
    };
  }
  return {
    verdict: 'needs_review',
    confidence: 'low',
    rules: ['text-candidates'],
    reason: 'Passages near the demand were found; whether they fulfil it is for a person to decide.',
    evidence,
  };
}

function weighPassage(
  passage: Passage,
  criterion: Criterion,
  { corpus }: JudgementContext,
): { readonly trap: string | undefined; readonly evidence: Evidence } {
  const { read } = documentOf(corpus, passage.documentId);
  const { cells } = read.document.blocks[passage.blockIndex]!;
  const mention = {
    sentence: passage.text,
    start: 0,
    end: 0,
    role: passage.role,
    plan: criterion.plan ?? false,
  };
  const isUnusable =
    corpus.otherItem.has(passage.id) || (cells !== undefined && !isFilledRow(read, passage.blockIndex));
  const trap = isUnusable ? 'not-usable' : trapOf(mention)?.rule;
  const place = cells ? [...cells].sort((a, b) => b.text.length - a.text.length)[0]! : passage;
  return {
    trap,
    evidence: quote(read.document, passage, place, { role: 'context', note: 'near the demand' }),
  };
}

/** Whether the text has the number of the clause; bare numbers such as "6" say nothing. */
function namesClause(text: string, criterion: Criterion): boolean {
  return [criterion.id, criterion.clause].some((number) => {
    if (!/\d/.test(number) || !/[A-Za-z].*\d|\d+\.\d+\.\d+/.test(number)) return false;
    const escaped = number.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    return new RegExp(`(?<![\\p{L}\\p{N}.-])${escaped}(?![\\p{L}\\p{N}]|[.-]\\d)`, 'u').test(text);
  });
}

function wordCount(text: string): number {
  return text.match(/\p{L}{2,}/gu)?.length ?? 0;
}
