import { buildLexicalIndex, emptyScores, lexicalQuery, searchLexical } from '@normtrace/engine';
import { type Bench, milliseconds, quantile, seededRandom } from '../measure.js';

const PASSAGES = 83_000;
const QUERIES = 400;
const QUERY_WORDS = 25;
const VOCABULARY = 40_000;
/** The most frequent words of a language are stop words, which no index holds. */
const STOP_WORDS = 100;

/** Texts whose word frequencies fall as in natural language (Zipf), from a seed. */
function generateTexts(count: number, words: () => number, random: () => number): string[] {
  const cumulative = new Float64Array(VOCABULARY);
  let sum = 0;
  for (let i = 0; i < VOCABULARY; i++) {
    sum += 1 / (i + 1 + STOP_WORDS);
    cumulative[i] = sum;
  }
  const pick = (): string => {
    const target = random() * sum;
    let low = 0;
    let high = VOCABULARY - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (cumulative[middle]! < target) low = middle + 1;
      else high = middle;
    }
    return word(low);
  };
  return Array.from({ length: count }, () => Array.from({ length: words() }, pick).join(' '));
}

/** A pronounceable word for a number, different for different numbers. */
function word(n: number): string {
  const consonants = 'bdfgklmnprstvz';
  const vowels = 'aeiou';
  let rest = n + 300;
  let text = '';
  while (rest > 0) {
    text += consonants[rest % 14]! + vowels[Math.floor(rest / 14) % 5]!;
    rest = Math.floor(rest / 70);
  }
  return text;
}

export const retrieval: Bench = {
  name: 'retrieval',
  about: `${PASSAGES.toLocaleString('en')} passages, queries of ${QUERY_WORDS} words, ten nearest; the limit is one pass over the postings that a query touches.`,
  async run() {
    const random = seededRandom(7);
    const texts = generateTexts(PASSAGES, () => 8 + Math.floor(random() * 44), random);
    const queryTexts = generateTexts(QUERIES, () => QUERY_WORDS, random);
    const languages = texts.map(() => 'en' as const);
    let index = buildLexicalIndex(texts.slice(0, 100), languages);
    const build = await milliseconds(() => {
      index = buildLexicalIndex(texts, languages);
    });
    const scores = emptyScores(index);
    const termIds = queryTexts.map((text) =>
      [...lexicalQuery(text, 'en').keys()].flatMap((term) => index.termIds.get(term) ?? []),
    );
    const accumulator = new Float64Array(index.size);
    const own: number[] = [];
    const limit: number[] = [];
    for (const round of [0, 1]) {
      for (let i = 0; i < QUERIES; i++) {
        const ownTime = await milliseconds(() =>
          searchLexical(index, lexicalQuery(queryTexts[i]!, 'en'), { limit: 10, scores }),
        );
        const limitTime = await milliseconds(() => {
          for (const term of termIds[i]!) {
            const end = index.offsets[term + 1]!;
            for (let p = index.offsets[term]!; p < end; p++) {
              const text = index.texts[p]!;
              accumulator[text] = accumulator[text]! + index.counts[p]!;
            }
          }
        });
        if (round === 1) {
          own.push(ownTime);
          limit.push(limitTime);
        }
      }
    }
    const p50 = quantile(own, 0.5);
    const floor = quantile(limit, 0.5);
    return [
      {
        name: 'query, p50',
        value: `${p50.toFixed(2)} ms`,
        peer: `${floor.toFixed(2)} ms for the bare pass`,
        ratio: p50 / floor,
        note: `p95 ${quantile(own, 0.95).toFixed(2)} ms`,
      },
      {
        name: 'index build',
        value: `${build.toFixed(0)} ms`,
        note: `${(index.termCount / build / 1000).toFixed(1)} million words a second`,
      },
    ];
  },
};
