import { z } from 'zod';
import { normaliseText } from '../../text/normalise.js';
import { stem } from '../../text/stem.js';
import { stopWords } from '../../text/stop-words.js';
import { listSchema, readWords } from '../../words/read-words.js';
import { bareHeading } from './headings.js';

const schema = z.strictObject({
  referenceLabels: listSchema,
  fillers: listSchema,
  prepositions: listSchema,
  complements: listSchema,
  acronyms: z.record(z.string(), z.string()),
  compoundParts: listSchema,
});

/** What a heading or a name of a section is about. */
export interface HeadingTopic {
  /** Stems of all words that mean something, each once. */
  readonly tokens: readonly string[];
  /** Those that the topic has to share: what stands before the first preposition, or all of them. */
  readonly head: ReadonlySet<string>;
  /** What one telling word says something of: "Avoidance of latent faults". Empty where there is no such thing. */
  readonly complement: ReadonlySet<string>;
}

interface Words {
  readonly fillers: ReadonlySet<string>;
  readonly prepositions: ReadonlySet<string>;
  readonly complements: ReadonlySet<string>;
  readonly acronyms: ReadonlyMap<string, string>;
  /** By their first three letters, longest first. */
  readonly parts: ReadonlyMap<string, readonly string[]>;
}

/** Labels behind which a document names others. */
export const referenceLabels = (): readonly string[] => readWords('headings', schema).referenceLabels;

let compiled: Words | undefined;

function theWords(): Words {
  if (!compiled) {
    const words = readWords('headings', schema);
    const parts = new Map<string, string[]>();
    const bases = words.compoundParts.map((part) => normaliseText(part)).sort((a, b) => b.length - a.length);
    for (const part of bases) parts.set(part.slice(0, 3), [...(parts.get(part.slice(0, 3)) ?? []), part]);
    compiled = {
      fillers: new Set(words.fillers.map((word) => folded(normaliseText(word)))),
      prepositions: new Set(words.prepositions.map((word) => normaliseText(word))),
      complements: new Set(words.complements.map((word) => normaliseText(word))),
      acronyms: new Map(
        Object.entries(words.acronyms).map(([acronym, meaning]) => [normaliseText(acronym), meaning]),
      ),
      parts,
    };
  }
  return compiled;
}

/** One stem for a word whatever its ending; "environmental" is "environment", "functional" is "function". */
function folded(word: string): string {
  return stem(stem(word.replace(/(?<=ment|tion)al$/, ''), 'en'), 'de');
}

const LINKS = ['', 's', 'es', 'n', 'en', 'er', 'e'];
const ENDING = /^(?:e|en|er|es|s|n|em|ern|nen)?$/;

/** The known parts that a compound consists of, or undefined. */
function partsOf(word: string, { parts }: Words): readonly string[] | undefined {
  for (const part of parts.get(word.slice(0, 3)) ?? []) {
    if (!word.startsWith(part)) continue;
    const rest = word.slice(part.length);
    if (ENDING.test(rest)) return [part];
    for (const link of LINKS) {
      if (!rest.startsWith(link)) continue;
      const further = partsOf(rest.slice(link.length), { parts } as Words);
      if (further) return [part, ...further];
    }
  }
  return undefined;
}

/** Words of headings repeat: an export has one heading for each of its thousands of requirements. */
const stemsByWord = new Map<string, readonly string[]>();
const MOST_WORDS = 20_000;

function stemsOfWord(word: string): readonly string[] {
  let stems = stemsByWord.get(word);
  if (!stems) {
    stems = (partsOf(word, theWords()) ?? [word]).map(folded);
    if (stemsByWord.size === MOST_WORDS) stemsByWord.clear();
    stemsByWord.set(word, stems);
  }
  return stems;
}

/** Takes a heading apart. English and German at once. */
export function headingTopic(title: string): HeadingTopic {
  const words = theWords();
  const { en, de } = stopWords();
  const spelt = normaliseText(bareHeading(title))
    .replace(/[\p{L}]&[\p{L}]/gu, (acronym) => words.acronyms.get(acronym) ?? acronym)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .flatMap((word) => words.acronyms.get(word)?.split(' ') ?? [word]);
  const isTelling = (word: string) => !en.has(word) && !de.has(word) && !words.prepositions.has(word);
  const stemsOf = (list: readonly string[]) => list.filter(isTelling).flatMap(stemsOfWord);
  const all = [...new Set(stemsOf(spelt))];
  const tokens = all.length > 0 ? all : [...new Set(spelt.map(folded))];
  const preposition = spelt.findIndex((word, at) => at > 0 && words.prepositions.has(word));
  const before = preposition < 0 ? tokens : stemsOf(spelt.slice(0, preposition));
  const telling = before.filter((token) => !words.fillers.has(token));
  const isOf = preposition >= 0 && words.complements.has(spelt[preposition]!);
  return {
    tokens,
    head: new Set(telling.length > 0 ? before : tokens),
    complement: new Set(isOf && telling.length === 1 ? stemsOf(spelt.slice(preposition)) : []),
  };
}

/** A name of a section, and what each half of "Schedule and milestones" names alone. */
export interface NamedTopic {
  readonly topic: HeadingTopic;
  readonly half: boolean;
}

/** Takes a name of a section apart; halves that tell nothing alone are left out. */
export function namedTopics(name: string): readonly NamedTopic[] {
  const halves = name
    .split(/\s*[,/]\s*|\s+(?:and|und|or|oder)\s+/u)
    .map((half) => headingTopic(half))
    .filter(({ tokens }) => tokens.some((token) => weightOf(token) === 1));
  const whole = { topic: headingTopic(name), half: false };
  return halves.length < 2 ? [whole] : [whole, ...halves.map((topic) => ({ topic, half: true }))];
}

/** What a half loses against the whole name. */
const HALF = 0.1;

/** How well a heading names a section; see `topicScore`. A half counts where all that it tells is there. */
export function nameScore(heading: HeadingTopic, { topic, half }: NamedTopic): number {
  const score = topicScore(heading, topic);
  if (!half || score === COMPLEMENT_SCORE) return half ? 0 : score;
  return score >= 0.85 ? score - HALF : 0;
}

const FILLER_WEIGHT = 0.25;
/** Counts only where nothing names the heading better. */
export const COMPLEMENT_SCORE = 0.72;

/** How much a token tells. */
export function weightOf(token: string): number {
  return theWords().fillers.has(token) ? FILLER_WEIGHT : 1;
}

/**
 * How well a heading names what a phrase names (domain D.3 step 4): 1 the same words; 0.95 the same but for fillers;
 * 0.9 all of them contained; 0.85 all of several words that tell something; else the weighted overlap. 0 where the phrase is only
 * what the heading's topic is about or derived from.
 */
export function topicScore({ tokens, head, complement }: HeadingTopic, phrase: HeadingTopic): number {
  const wanted = phrase.tokens;
  if (tokens.length === 0 || wanted.length === 0) return 0;
  const common = wanted.filter((token) => tokens.includes(token));
  if (common.length === 0) return 0;
  if (!common.some((token) => head.has(token))) {
    const isWhole = common.length === wanted.length && wanted.some((token) => weightOf(token) === 1);
    const others = [...complement].filter((token) => weightOf(token) === 1 && !wanted.includes(token));
    return isWhole && complement.size > 0 && others.length === 0 ? COMPLEMENT_SCORE : 0;
  }
  if (common.length === wanted.length && wanted.length === tokens.length) return 1;
  const telling = tokens.filter((token) => weightOf(token) === 1);
  const asked = wanted.filter((token) => weightOf(token) === 1);
  const found = asked.filter((token) => telling.includes(token));
  if (asked.length > 0 && found.length === asked.length) {
    if (telling.length === asked.length) return 0.95;
    // One word inside a long heading says little.
    if (asked.length === 1 && wanted.length === 1 && telling.length > 3) return 0.5;
    if (common.length === wanted.length) return 0.9;
    if (asked.length > 1) return 0.85;
    if (telling.length <= 2) return 0.7;
  }
  // Fillers alone name a topic only together and only beside little else: "Software requirements".
  if (asked.length === 0)
    return wanted.length > 1 && common.length === wanted.length && telling.length <= 1 ? 0.8 : 0.5;
  const weight = (list: readonly string[]) => list.reduce((sum, token) => sum + weightOf(token), 0);
  const shared = weight(common);
  return shared / (weight(tokens) + weight(wanted) - shared);
}
