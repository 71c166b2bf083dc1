import { type Corpus, documentOf } from '../corpus/corpus.js';
import { noted, quote } from '../corpus/evidence.js';
import type { Passage } from '../corpus/passages/passage.js';
import { isFilledRow } from '../corpus/section-state.js';
import type { CriterionVerdict, Evidence } from '../findings/finding.js';
import { say } from '../sentences/sentence.js';
import type { Criterion } from '../standards/criterion.js';
import { detectLanguage } from '../text/language.js';
import { termsOf } from '../text/terms.js';
import type { Judgement, JudgementContext } from './judgement.js';
import { trapOf } from './traps/traps.js';

const SHOWN = 5;
/** Words of a demand that are named as not found. */
const WORDS_NAMED = 8;
/** A statement beside the number of a clause says something from this many words on. */
const MIN_STATEMENT_WORDS = 8;
/** A statement with so many of the demand's words may answer it, whatever the estimate says: a person decides. */
const NEAR = 0.8;
/** Fewer words are a name, a value or a title. */
const MIN_SENTENCE_WORDS = 5;
/** Statements that together carry so many of the demand's words speak of all of it; one that carries so many, of a part. */
const WHOLE = 0.5;
const PART = 0.3;
/** A person would look at so many passages first; what stands there carries a demand. */
const LOOKED_AT = 3;

/** Rules of verdicts on clauses of which nothing but nearness is known: they are for a person. */
const ONLY_NEAR: ReadonlySet<string> = new Set(['text-nothing-near', 'text-candidates']);
/** A model that has decided, or a person, knows more. */
const JUDGED: ReadonlySet<string> = new Set(['settled-by-model', 'settled-by-both', 'settled-by-person']);
export const isOnlyNear = ({ verdict, rules }: Pick<CriterionVerdict, 'verdict' | 'rules'>): boolean =>
  rules.some((rule) => ONLY_NEAR.has(rule)) &&
  (verdict === 'needs_review' || !rules.some((rule) => JUDGED.has(rule)));

/**
 * Judges a criterion that is known by its text only (an uploaded standard). A clause is covered, with low
 * confidence, where statements that pass every trap stand beside its own number, or stand out from all passages by
 * words and meaning alike and carry its words; in part where they carry few of them, or where the words alone stand
 * out. Everything else is only near: missing where nothing stands out, else left to a person.
 */
export function judgeText(
  criterion: Criterion,
  context: Pick<JudgementContext, 'corpus' | 'nearest' | 'coverageOf'>,
): Judgement {
  const { nearest, coverageOf } = context;
  const estimate = coverageOf(criterion);
  const near = nearest(criterion);
  // Passages are weighed when something depends on it: that of few is asked.
  const weighed = ({ passage }: { readonly passage: Passage }) =>
    weighPassage(passage, criterion.plan ?? false, context.corpus);
  const isStatement = (entry: { readonly passage: Passage }) => weighed(entry).trap === undefined;
  const namesClause = clauseFinder(criterion);
  const naming = near.filter(
    (entry) =>
      namesClause(entry.passage.text) &&
      wordCount(entry.passage.text) >= MIN_STATEMENT_WORDS &&
      isStatement(entry),
  );
  if (naming.length > 0 && estimate?.probablyMissing !== true) {
    const support = naming
      .slice(0, SHOWN)
      .map((entry): Evidence => noted(weighed(entry).evidence, 'support', say('verdicts.names-the-clause')));
    return {
      verdict: 'covered',
      confidence: 'low',
      rules: ['text-names-the-clause', 'explicit-statement'],
      reason: say('verdicts.statements-that-name-the-clause-say'),
      evidence: support,
    };
  }
  const first = near.filter(
    (entry) =>
      entry.rank <= LOOKED_AT && wordCount(entry.passage.text) >= MIN_SENTENCE_WORDS && isStatement(entry),
  );
  const carriedBy = wordsCarried(criterion.text);
  const carried = carriedBy(first.map(({ passage }) => passage.text));
  const one = Math.max(0, ...first.map(({ passage }) => carriedBy([passage.text]).share));
  if (estimate?.probablyTreated === true && one >= PART) {
    const isWhole = carried.share >= WHOLE && estimate.signals.meaningExclusivity !== undefined;
    return {
      verdict: isWhole ? 'covered' : 'partial',
      confidence: 'low',
      rules: ['text-carries-the-demand', 'explicit-statement'],
      reason: isWhole
        ? say('verdicts.statements-carry-the-demand')
        : say('verdicts.statements-carry-a-part', { words: carried.open }),
      evidence: first.map((entry) =>
        noted(weighed(entry).evidence, 'support', say('verdicts.carries-the-demand')),
      ),
    };
  }
  const evidence = near
    .slice(0, SHOWN)
    .map((entry) => weighed(entry).evidence)
    .filter((entry) => entry.quote !== '');
  if (!near.some(isStatement) || (estimate?.probablyMissing === true && one < NEAR)) {
    return {
      verdict: 'missing',
      confidence: 'low',
      rules: ['text-nothing-near'],
      reason: say('verdicts.no-passage-stands-out-as-an'),
      evidence,
    };
  }
  return {
    verdict: 'needs_review',
    confidence: 'low',
    rules: ['text-candidates'],
    reason: say('verdicts.passages-near-the-demand-were-found'),
    evidence,
  };
}

interface Weighed {
  readonly trap: string | undefined;
  readonly evidence: Evidence;
}

/** A passage is a candidate of many criteria and weighs the same for all of them, plans apart. */
const weighedPassages = new WeakMap<Corpus, Map<string, Weighed>>();

function weighPassage(passage: Passage, plan: boolean, corpus: Corpus): Weighed {
  const known = weighedPassages.get(corpus) ?? new Map<string, Weighed>();
  weighedPassages.set(corpus, known);
  const key = `${passage.id} ${plan}`;
  const weighed = known.get(key) ?? weigh(passage, plan, corpus);
  known.set(key, weighed);
  return weighed;
}

function weigh(passage: Passage, plan: boolean, corpus: Corpus): Weighed {
  const { read } = documentOf(corpus, passage.documentId);
  const { cells } = read.document.blocks[passage.blockIndex]!;
  const mention = { sentence: passage.text, start: 0, end: 0, role: passage.role, plan };
  const isUnusable =
    corpus.otherItem.has(passage.id) || (cells !== undefined && !isFilledRow(read, passage.blockIndex));
  const trap = isUnusable ? 'not-usable' : trapOf(mention)?.rule;
  const place = cells ? [...cells].sort((a, b) => b.text.length - a.text.length)[0]! : passage;
  return {
    trap,
    evidence: quote(read.document, passage, place, {
      role: 'context',
      note: say('verdicts.near-the-demand'),
    }),
  };
}

/** "C3" is a rating, a cell or a variant as well. */
const SHORTEST_NUMBER = 4;

/** Tells whether a text has the number of the clause; bare numbers such as "6" say nothing. */
function clauseFinder(criterion: Criterion): (text: string) => boolean {
  const numbers = [...new Set([criterion.id, criterion.clause])].filter(
    (number) => number.length >= SHORTEST_NUMBER && /[A-Za-z].*\d|\d+\.\d+\.\d+/.test(number),
  );
  return (text) => numbers.some((number) => names(text, number));
}

const GOES_ON_BEFORE = /[\p{L}\p{N}.-]$/u;
const GOES_ON_BEHIND = /^(?:[\p{L}\p{N}]|[.-]\d)/u;

/** Whether a number stands in a text by itself. Not an expression for each number: compiling hundreds takes longer than searching. */
function names(text: string, number: string): boolean {
  for (let at = text.indexOf(number); at >= 0; at = text.indexOf(number, at + 1)) {
    const end = at + number.length;
    if (GOES_ON_BEFORE.test(text.slice(Math.max(0, at - 2), at))) continue;
    if (!GOES_ON_BEHIND.test(text.slice(end, end + 2))) return true;
  }
  return false;
}

/** Share of the different words of a demand that texts have together, 0 to 1, and those they have not; stop words do not count. */
function wordsCarried(
  demand: string,
): (texts: readonly string[]) => { readonly share: number; readonly open: readonly string[] } {
  const language = detectLanguage(demand);
  const asked = new Map<string, string>();
  for (const word of demand.match(/[\p{L}\p{N}][\p{L}\p{N}-]*/gu) ?? [])
    for (const term of termsOf(word, language)) asked.set(term, word);
  const known = new Map<string, readonly string[]>();
  const termsIn = (text: string): readonly string[] => {
    const terms = known.get(text) ?? termsOf(text, language);
    known.set(text, terms);
    return terms;
  };
  return (texts) => {
    const said = new Set(texts.flatMap(termsIn));
    const open = [...asked].filter(([term]) => !said.has(term)).map(([, word]) => word);
    const share = asked.size === 0 ? 0 : 1 - open.length / asked.size;
    return { share, open: [...new Set(open)].slice(0, WORDS_NAMED) };
  };
}

function wordCount(text: string): number {
  return text.match(/\p{L}{2,}/gu)?.length ?? 0;
}
