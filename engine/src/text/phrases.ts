import type { TextRange } from './sentences.js';
import { stem } from './stem.js';
import { tokenise } from './tokenise.js';

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
  return (text) => {
    const words = wordsOf(text);
    const wholes = wholesOf(text);
    const matches: PhraseMatch[] = [];
    words.forEach((word, at) => {
      const found = new Set<number>(wild);
      for (const key of [word.english, word.german])
        for (const phrase of byFirst.get(key) ?? []) found.add(phrase);
      for (const phrase of [...found].sort((a, b) => a - b)) {
        const last = matchEnd(compiled[phrase]!, words, { at, gaps });
        if (last) matches.push({ phrase, start: word.start, end: last.end });
      }
    });
    for (const whole of wholes) {
      compiled.forEach((phrase, index) => {
        const only = phrase[0];
        if (!only || phrase.length > 1 || !wordMatches(only, whole)) return;
        const known = matches.some((m) => m.phrase === index && m.start >= whole.start && m.end <= whole.end);
        if (!known) matches.push({ phrase: index, start: whole.start, end: whole.end });
      });
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

function wordsOf(text: string): Word[] {
  return tokenise(text)
    .filter((token) => !token.whole)
    .map((token) => ({ ...spellings(token.word), start: token.start, end: token.end }));
}

function wholesOf(text: string): Word[] {
  return tokenise(text)
    .filter((token) => token.whole)
    .map((token) => ({ ...spellings(token.word), start: token.start, end: token.end }));
}

function spellings(word: string): { text: string; english: string; german: string } {
  return { text: word, english: stem(word, 'en'), german: stem(word, 'de') };
}

function append(lists: Map<string, number[]>, key: string, value: number): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
