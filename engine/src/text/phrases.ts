import type { TextRange } from './sentences.js';
import { stem } from './stem.js';
import { type Token, tokenise } from './tokenise.js';

/** A place where one of the phrases stands. */
export interface PhraseMatch extends TextRange {
  /** Index of the phrase in the list that was given to `phraseFinder`. */
  readonly phrase: number;
}

interface PhraseWord {
  readonly kind: 'word' | 'prefix' | 'suffix' | 'infix';
  readonly text: string;
  readonly english: string;
  readonly german: string;
}

interface Word {
  readonly text: string;
  readonly english: string;
  readonly german: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Finds phrases whatever their inflection, case, hyphens and umlaut spelling; English and German at once
 * (`safety goal` finds `Safety Goals` and `safety-goal`, `Sicherheitsziel` finds `Sicherheitsziele`).
 * A `*` at the start or end of a word of a phrase stands for any letters (`*analyse`, `verif*`), which is how
 * German compounds are reached. Returns a function text → matches, by position, each phrase at most once
 * per position. An empty phrase never matches. With `gaps`, that many other words in all may stand inside phrases of
 * three words and more: `boundary of the item` finds `boundaries of the lane assistance item`.
 */
export function phraseFinder(
  phrases: readonly string[],
  { gaps = 0 }: { readonly gaps?: number } = {},
): (text: string) => PhraseMatch[] {
  const byFirst = new Map<string, number[]>();
  const wild: number[] = [];
  const compiled = phrases.map((phrase, index) => {
    const words = compilePhrase(phrase);
    const first = words[0];
    if (!first) return words;
    if (first.kind !== 'word') wild.push(index);
    else for (const key of new Set([first.english, first.german])) append(byFirst, key, index);
    return words;
  });
  const single = compiled.map((phrase) => phrase.length === 1);
  /** Phrases that may begin with a word, in ascending order; nothing is made for the many that begin none. */
  const beginningWith = (word: Word): readonly number[] => {
    const english = byFirst.get(word.english);
    const german = word.german === word.english ? undefined : byFirst.get(word.german);
    if (wild.length === 0 && !german) return english ?? [];
    if (wild.length === 0 && !english) return german ?? [];
    return [...new Set([...wild, ...(english ?? []), ...(german ?? [])])].sort((a, b) => a - b);
  };
  if (byFirst.size === 0 && wild.length === 0) return () => [];
  return (text) => {
    const { words, wholes } = wordsOf(text);
    const matches: PhraseMatch[] = [];
    words.forEach((word, at) => {
      for (const phrase of beginningWith(word)) {
        const last = matchEnd(compiled[phrase]!, words, { at, gaps });
        if (last) matches.push({ phrase, start: word.start, end: last.end });
      }
    });
    for (const whole of wholes) {
      for (const phrase of beginningWith(whole)) {
        if (!single[phrase] || !wordMatches(compiled[phrase]![0]!, whole)) continue;
        const known = matches.some(
          (m) => m.phrase === phrase && m.start >= whole.start && m.end <= whole.end,
        );
        if (!known) matches.push({ phrase, start: whole.start, end: whole.end });
      }
    }
    return matches.sort((a, b) => a.start - b.start || a.phrase - b.phrase);
  };
}

function compilePhrase(phrase: string): PhraseWord[] {
  return phrase
    .trim()
    .split(/\s+/)
    .flatMap((written) => {
      const open = written.startsWith('*');
      const close = written.endsWith('*');
      const words = tokenise(written.replaceAll('*', '')).filter((token) => !token.whole);
      return words.map((token, index): PhraseWord => {
        const atStart = open && index === 0;
        const atEnd = close && index === words.length - 1;
        const kind = atStart && atEnd ? 'infix' : atStart ? 'suffix' : atEnd ? 'prefix' : 'word';
        return { kind, ...spellings(token.word) };
      });
    });
}

function matchEnd(
  phrase: readonly PhraseWord[],
  words: readonly Word[],
  { at, gaps }: { readonly at: number; readonly gaps: number },
): Word | undefined {
  let left = phrase.length >= 3 ? gaps : 0;
  let position = at;
  for (let offset = 0; offset < phrase.length; offset++, position++) {
    for (; ; position++, left--) {
      const word = words[position];
      if (!word) return undefined;
      if (wordMatches(phrase[offset]!, word)) break;
      if (left === 0 || offset === 0) return undefined;
    }
  }
  return words[position - 1];
}

function wordMatches(wanted: PhraseWord, word: Word): boolean {
  if (wanted.kind === 'word') return wanted.english === word.english || wanted.german === word.german;
  if (wanted.kind === 'prefix') return word.text.startsWith(wanted.text);
  if (wanted.kind === 'infix') return word.text.includes(wanted.text);
  return (
    word.text.endsWith(wanted.text) ||
    word.german.endsWith(wanted.german) ||
    word.english.endsWith(wanted.english)
  );
}

interface WordsOfText {
  readonly words: readonly Word[];
  /** Identifiers and hyphenated words as wholes. */
  readonly wholes: readonly Word[];
}

/** Many lists of phrases are looked for in the same texts: the most recent ones are taken apart once. */
const texts = new Map<string, WordsOfText>();
const MOST_WORDS = 200_000;
let wordsKept = 0;

function wordsOf(text: string): WordsOfText {
  const known = texts.get(text);
  if (known) return known;
  const tokens = tokenise(text);
  const words = tokens.filter((token) => !token.whole).map(toWord);
  const wholes = tokens.filter((token) => token.whole).map(toWord);
  if (wordsKept > MOST_WORDS) {
    texts.clear();
    wordsKept = 0;
  }
  texts.set(text, { words, wholes });
  wordsKept += tokens.length + 1;
  return { words, wholes };
}

function toWord({ word, start, end }: Token): Word {
  const { text, english, german } = spellings(word);
  return { text, english, german, start, end };
}

interface Spellings {
  readonly text: string;
  readonly english: string;
  readonly german: string;
}

/** Texts repeat their words: stems are made once for the most recent ones. */
const known = new Map<string, Spellings>();
const MOST_KNOWN = 50_000;

/** A German role of a woman is the same role: Managerin, Ingenieurinnen, Assessorin. */
const FEMALE = /(?<=\p{L}{4}(?:er|eur|or))in(?:nen)?$/u;

function spellings(word: string): Spellings {
  let found = known.get(word);
  if (!found) {
    found = { text: word, english: stem(word, 'en'), german: stem(word.replace(FEMALE, ''), 'de') };
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(word, found);
  }
  return found;
}

function append(lists: Map<string, number[]>, key: string, value: number): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
