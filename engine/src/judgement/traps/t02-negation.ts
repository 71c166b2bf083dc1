import { z } from 'zod';
import { say } from '../../sentences/sentence.js';
import { anyOf, byLanguageSchema, listSchema, readWords } from '../../words/read-words.js';
import { clauseAround, wordsOf } from './clause.js';
import type { Mention, Trap } from './trap.js';

const schema = z.strictObject({
  before: byLanguageSchema,
  barriers: byLanguageSchema,
  harmless: listSchema,
  after: listSchema,
  clauseBreaks: byLanguageSchema,
});

/** A negator reaches this many words forward: "no separate and independent HARA". */
const REACH = 5;

let compiled: ReturnType<typeof compile> | undefined;

function compile() {
  const words = readWords('negation', schema);
  const both = (lists: { en: readonly string[]; de: readonly string[] }) =>
    [...lists.en, ...lists.de].map((word) => word.toLowerCase());
  return {
    negators: new Set(both(words.before).map((word) => word.split(' ')[0]!)),
    barriers: new Set(both(words.barriers)),
    harmless: anyOf(words.harmless, 'giu'),
    after: anyOf(words.after),
    breaks: new RegExp(`(?<!\\p{L})(?:${both(words.clauseBreaks).join('|')})(?!\\p{L})`, 'iu'),
  };
}

/**
 * T2: the sentence says that the thing was not done, is not needed or does not exist. "Shall not" is a demand,
 * "not only" and "no later than" deny nothing, and "no deviation from the HARA" is about deviations.
 */
export const negationTrap: Trap = (mention) => {
  if (!isDenied(mention)) return undefined;
  return {
    trap: 'T2',
    rule: 'T2-negation',
    effect: 'counter',
    note: say('verdicts.the-sentence-says-that-it-was'),
  };
};

function isDenied(mention: Mention): boolean {
  compiled ??= compile();
  const { negators, barriers, harmless, after, breaks } = compiled;
  const clause = clauseAround(mention);
  const { before, words, after: behind } = clause;
  const blank = (before + words + behind).replace(harmless, (match) => 'x'.repeat(match.length));
  const ahead = wordsOf(blank.slice(0, before.length)).slice(-REACH).reverse();
  for (const [distance, word] of ahead.entries()) {
    if (negators.has(word)) return true;
    if (barriers.has(word) || distance === REACH) break;
  }
  const rest = blank.slice(before.length + words.length);
  const end = breaks.exec(rest)?.index ?? rest.length;
  const denial = after.exec(rest.slice(0, end));
  // "HARA and FTA were not performed" denies both; "The HARA lists hazards not covered" denies neither.
  return denial !== null && wordsOf(rest.slice(0, denial.index)).length <= 12;
}
