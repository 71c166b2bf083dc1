import { type Corpus, documentOf } from '../corpus/corpus.js';
import { noted, quote } from '../corpus/evidence.js';
import type { Passage } from '../corpus/passages/passage.js';
import { isFilledRow } from '../corpus/section-state.js';
import type { Evidence } from '../findings/finding.js';
import { say } from '../sentences/sentence.js';
import type { Criterion } from '../standards/criterion.js';
import { termsOf } from '../text/terms.js';
import type { Judgement, JudgementContext } from './judgement.js';
import { trapOf } from './traps/traps.js';

const SHOWN = 5;
/** A statement beside the number of a clause says something from this many words on. */
const MIN_STATEMENT_WORDS = 8;
/** A statement with this share of the demand's words may answer it, whatever the estimate says: a person decides. */
const NEAR = 0.5;

/**
 * Judges a criterion that is known by its text only (an uploaded standard). Nearness is no compliance: a clause
 * is covered only where statements that pass every trap stand beside its own number; between that and "nothing
 * speaks of it" the answer is left to a person, with the ranked passages.
 */
export function judgeText(
  criterion: Criterion,
  context: Pick<JudgementContext, 'corpus' | 'nearest' | 'coverageOf'>,
): Judgement {
  const { nearest, coverageOf } = context;
  const candidates = nearest(criterion);
  const estimate = coverageOf(criterion);
  const weighed = candidates.map(({ passage }) => ({
    passage,
    ...weighPassage(passage, criterion.plan ?? false, context.corpus),
  }));
  const statements = weighed.filter((entry) => entry.trap === undefined);
  const namesClause = clauseFinder(criterion);
  const naming = statements.filter(
    ({ passage }) => namesClause(passage.text) && wordCount(passage.text) >= MIN_STATEMENT_WORDS,
  );
  if (naming.length > 0 && estimate?.probablyMissing !== true) {
    const support = naming
      .slice(0, SHOWN)
      .map((entry): Evidence => noted(entry.evidence, 'support', say('verdicts.names-the-clause')));
    return {
      verdict: 'covered',
      confidence: 'low',
      rules: ['text-names-the-clause', 'explicit-statement'],
      reason: say('verdicts.statements-that-name-the-clause-say'),
      evidence: support,
    };
  }
  const evidence = weighed
    .slice(0, SHOWN)
    .map((entry) => entry.evidence)
    .filter((entry) => entry.quote !== '');
  const isNear = statements.some(({ passage }) => sharedWords(criterion.text, passage.text) >= NEAR);
  if (statements.length === 0 || (estimate?.probablyMissing === true && !isNear)) {
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

/** Tells whether a text has the number of the clause; bare numbers such as "6" say nothing. */
function clauseFinder(criterion: Criterion): (text: string) => boolean {
  const numbers = [...new Set([criterion.id, criterion.clause])]
    .filter((number) => /[A-Za-z].*\d|\d+\.\d+\.\d+/.test(number))
    .map((number) => {
      const escaped = number.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
      return {
        number,
        expression: new RegExp(`(?<![\\p{L}\\p{N}.-])${escaped}(?![\\p{L}\\p{N}]|[.-]\\d)`, 'u'),
      };
    });
  return (text) => numbers.some(({ number, expression }) => text.includes(number) && expression.test(text));
}

/** Share of the different words of a demand that a text has, 0 to 1; stop words do not count. */
function sharedWords(demand: string, text: string): number {
  const asked = new Set(termsOf(demand));
  const said = new Set(termsOf(text));
  return asked.size === 0 ? 0 : [...asked].filter((term) => said.has(term)).length / asked.size;
}

function wordCount(text: string): number {
  return text.match(/\p{L}{2,}/gu)?.length ?? 0;
}
