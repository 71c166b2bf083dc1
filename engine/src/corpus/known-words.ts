import { z } from 'zod';
import { normaliseWord } from '../text/normalise.js';
import { stopWords } from '../text/stop-words.js';
import { byLanguageSchema, listSchema, patternOf, readWords } from '../words/read-words.js';

const schema = z.strictObject({
  en: z.string(),
  de: z.string(),
  endings: listSchema,
  vague: byLanguageSchema,
  idle: byLanguageSchema,
  never_last: listSchema,
  order: z.array(z.strictObject({ lead: listSchema, never_after: listSchema })),
});

/** A stem of so many letters is recognised whatever follows it. */
const LONG_STEM = 6;
const SHORTEST_STEM = 3;
/** Shorter parts stand in other words: at the beginning of a word, and inside of it. */
const SHORTEST_PART = { first: 4, inside: 5 } as const;

interface Vocabulary {
  readonly en: ReadonlySet<string>;
  readonly de: ReadonlySet<string>;
  readonly ending: RegExp;
  readonly vague: ReadonlySet<string>;
  readonly idle: ReadonlySet<string>;
  /** By word: those that cannot follow it in any sentence of its language. */
  readonly neverAfter: ReadonlyMap<string, ReadonlySet<string>>;
  readonly neverLast: ReadonlySet<string>;
  readonly known: Map<string, boolean>;
}

let loaded: Vocabulary | undefined;

function vocabulary(): Vocabulary {
  if (loaded) return loaded;
  const words = readWords('engineering', schema);
  const setOf = (list: readonly string[]) => new Set(list.map(normaliseWord));
  const neverAfter = new Map<string, Set<string>>();
  for (const { lead, never_after } of words.order) {
    for (const one of lead.map(normaliseWord)) {
      neverAfter.set(one, new Set([...(neverAfter.get(one) ?? []), ...setOf(never_after)]));
    }
  }
  loaded = {
    en: setOf(words.en.split(/\s+/)),
    de: setOf(words.de.split(/\s+/)),
    ending: patternOf(`^(?:${words.endings.map(normaliseWord).join('|')})$`),
    vague: setOf([...words.vague.en, ...words.vague.de]),
    idle: setOf([...words.idle.en, ...words.idle.de]),
    neverAfter,
    neverLast: setOf(words.never_last),
    known: new Map(),
  };
  return loaded;
}

const ADDRESS = /\b\w+:\/\/\S+|\S+@\S+/g;

/** Words of a text, normalised; identifiers ("TSR-01", "Speed_Threshold"), abbreviations and addresses are names. */
export function plainWords(text: string): readonly string[] {
  const bare = text.includes('@') || text.includes('://') ? text.replace(ADDRESS, ' ') : text;
  const words = bare.match(/(?<![\p{L}\p{N}_-]|\d\s)\p{L}{2,}(?![\p{L}\p{N}_]|-[\p{N}_])/gu) ?? [];
  return words.filter((word) => word !== word.toUpperCase()).map(normaliseWord);
}

/** Those that are about something. */
export function tellingWords(words: readonly string[]): readonly string[] {
  const { en, de } = stopWords();
  return words.filter((word) => word.length > 2 && !en.has(word) && !de.has(word));
}

/** A word of technical language, inflected or as part of a compound. */
export function isKnown(word: string): boolean {
  const { known } = vocabulary();
  let answer = known.get(word);
  if (answer === undefined) {
    answer = hasStem(word) || hasPart(word);
    known.set(word, answer);
  }
  return answer;
}

function hasStem(word: string): boolean {
  const { en, ending } = vocabulary();
  for (let to = word.length; to >= SHORTEST_STEM; to--) {
    if (en.has(word.slice(0, to)) && (to >= LONG_STEM || to === word.length || ending.test(word.slice(to))))
      return true;
  }
  return false;
}

/** German: the word begins with one that is known, or has a longer one in it. */
function hasPart(word: string): boolean {
  const { de } = vocabulary();
  for (let from = 0; from < word.length; from++) {
    const shortest = from === 0 ? SHORTEST_PART.first : SHORTEST_PART.inside;
    for (let to = from + shortest; to <= word.length; to++) if (de.has(word.slice(from, to))) return true;
  }
  return false;
}

/** "Something shall be done": besides words of grammar only some that could be about anything. */
export function isVague(telling: readonly string[], words: readonly string[]): boolean {
  const { vague, idle } = vocabulary();
  return words.some((word) => vague.has(word)) && telling.every((word) => vague.has(word) || idle.has(word));
}

/** A word, or a sign that ends a sentence or a part of one. */
const WORD_OR_END = /[\p{L}\p{N}_]+(?:-[\p{L}\p{N}_]+)*|[.;:,()"“”„/–—\n\t!?]/gu;
const ENDS: ReadonlySet<string> = new Set('.;:,()"“”„/–—\n\t!?');
const FULL_STOPS: ReadonlySet<string> = new Set('.;!?');
/** So many words are part of a sentence. */
const PART = 4;

/**
 * Places where no sentence of either language goes on like this, or ends: "the of", "shall the", "zum der", "… and."
 * @param isCell The text of a cell ends with it; a paragraph may go on behind the end of a page.
 */
export function brokenPlaces(text: string, { isCell }: { readonly isCell: boolean }): number {
  let broken = 0;
  let words: string[] = [];
  for (const found of text.match(WORD_OR_END) ?? []) {
    if (!ENDS.has(found)) {
      words.push(found);
      continue;
    }
    if (words.length > 1) broken += brokenIn(words, FULL_STOPS.has(found));
    words = [];
  }
  return words.length > 1 ? broken + brokenIn(words, isCell) : broken;
}

/** In a sentence or a part of one, of several words. */
function brokenIn(words: readonly string[], isEnd: boolean): number {
  const { neverAfter, neverLast } = vocabulary();
  let broken = 0;
  for (let at = 0; at + 1 < words.length; at++) {
    const never = neverAfter.get(normaliseWord(words[at]!));
    if (!never) continue;
    const next = words[at + 1]!;
    // A capital letter begins a name: "the IS line".
    if (!/^\p{Lu}/u.test(next) && never.has(normaliseWord(next))) broken++;
  }
  // In capitals it is a name: "AND".
  if (isEnd && words.length >= PART && neverLast.has(words.at(-1)!)) broken++;
  return broken + nounRuns(words);
}

const NOUN = /^\p{Lu}\p{Ll}{2,}(?:-\p{Lu}?\p{Ll}+)*$/u;
/** "Frau Katrin Vollmer" are three. */
const NOUNS = 4;

/** In a German sentence: nouns one after the other; English ones are a name ("Electronic Stability Control Unit"). */
function nounRuns(words: readonly string[]): number {
  if (words.length <= NOUNS || !words.some((word) => stopWords().de.has(word))) return 0;
  let runs = 0;
  let run = 0;
  for (const word of words.slice(1)) {
    run = NOUN.test(word) && !hasStem(normaliseWord(word)) ? run + 1 : 0;
    if (run === NOUNS) runs++;
  }
  return runs;
}
