import fc from 'fast-check';
import { expect, test } from 'vitest';
import { termsOf } from '../text/terms.js';
import { largest } from './largest.js';
import { buildLexicalIndex } from './lexical-index.js';
import { emptyScores, lexicalQuery, scoreTexts, searchLexical } from './lexical-search.js';

/** The definitions of BM25 and TF-IDF cosine, written out over plain arrays. */
function naiveScores(texts: readonly string[], query: string): { bm25: number; cosine: number }[] {
  const documents = texts.map((text) => termsOf(text, 'en'));
  const asked = termsOf(query, 'en');
  const average = documents.reduce((sum, terms) => sum + terms.length, 0) / documents.length || 1;
  const frequency = (term: string) => documents.filter((terms) => terms.includes(term)).length;
  const tfidf = (terms: readonly string[], term: string) => {
    const count = terms.filter((other) => other === term).length;
    return count === 0
      ? 0
      : (1 + Math.log(count)) * (Math.log((texts.length + 1) / (frequency(term) + 1)) + 1);
  };
  const norm = (terms: readonly string[]) =>
    Math.sqrt([...new Set(terms)].reduce((sum, term) => sum + tfidf(terms, term) ** 2, 0));
  return documents.map((terms) => {
    let bm25 = 0;
    let dot = 0;
    for (const term of new Set(asked)) {
      const count = terms.filter((other) => other === term).length;
      const inQuery = asked.filter((other) => other === term).length;
      const idf = Math.log(1 + (texts.length - frequency(term) + 0.5) / (frequency(term) + 0.5));
      bm25 += (inQuery * idf * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * terms.length) / average));
      dot += tfidf(terms, term) * tfidf(asked, term);
    }
    return { bm25, cosine: dot === 0 ? 0 : dot / (norm(terms) * norm(asked)) };
  });
}

const english = (texts: readonly string[]) => texts.map(() => 'en' as const);

const word = fc.constantFrom(
  'brake',
  'brakes',
  'torque',
  'the',
  'FR-01',
  'ccmTask',
  'Prüfung',
  'zero',
  '',
  '7',
);
const text = fc.array(word, { maxLength: 12 }).map((words) => words.join(' '));

test('the index gives the scores of the definitions, for one query and for the next', () => {
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 9 }), text, text, (texts, first, second) => {
      const index = buildLexicalIndex(texts, english(texts));
      const scores = emptyScores(index);
      for (const query of [first, second]) {
        scoreTexts(index, lexicalQuery(query, 'en'), scores);
        naiveScores(texts, query).forEach((expected, number) => {
          expect(scores.bm25[number]).toBeCloseTo(expected.bm25, 9);
          expect(scores.cosine[number]).toBeCloseTo(expected.cosine, 9);
        });
      }
    }),
  );
});

test('equal texts come in their order, and the limit keeps the first of them', () => {
  const index = buildLexicalIndex(
    ['other', 'brake torque', 'brake torque', 'brake torque'],
    english(['other', 'brake torque', 'brake torque', 'brake torque']),
  );
  const hits = searchLexical(index, 'brake torque', { limit: 2 });
  expect(hits.map((hit) => hit.text)).toEqual([1, 2]);
  expect(hits[0]!.cosine).toBeCloseTo(1, 9);
});

test('a text without a shared term is no hit', () => {
  const index = buildLexicalIndex(['wheel speed', ''], english(['wheel speed', '']));
  expect(searchLexical(index, 'battery', { limit: 5 })).toEqual([]);
  expect(searchLexical(index, '', { limit: 5 })).toEqual([]);
  expect(searchLexical(buildLexicalIndex([]), 'battery', { limit: 5 })).toEqual([]);
});

test('an identical text has cosine 1 and less with a query term that no text has', () => {
  const index = buildLexicalIndex(['brake torque', 'wheel'], english(['brake torque', 'wheel']));
  expect(searchLexical(index, 'brake torque unicorn', { limit: 1 })[0]!.cosine).toBeLessThan(0.9);
});

test('a token of 50 MB costs one pass and is no term of that length', () => {
  const index = buildLexicalIndex([`brake ${'a'.repeat(50_000_000)}`, 'a-'.repeat(1_000_000)]);
  for (const term of index.termIds.keys()) expect(term.length).toBeLessThanOrEqual(200);
  expect(searchLexical(index, 'brakes', { limit: 1 })[0]!.text).toBe(0);
});

test('largest agrees with sorting everything', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 40 }), fc.nat(12), (values, limit) => {
      const among = values.map((_, number) => number);
      const sorted = [...among].sort((a, b) => values[b]! - values[a]! || a - b).slice(0, limit);
      expect(largest(values, among, limit)).toEqual(sorted);
    }),
  );
});
