import { z } from 'zod';
import { kindsOfTitle, type StatedKind } from '../../facts/stated/stated-columns.js';
import { say } from '../../sentences/sentence.js';
import { compactTitle } from '../../words/column-titles.js';
import { anyOf, byLanguageSchema, listSchema, readWords } from '../../words/read-words.js';
import { clauseAround, wordsOf } from './clause.js';
import type { Mention, Trap } from './trap.js';

const schema = z.strictObject({
  before: byLanguageSchema,
  barriers: byLanguageSchema,
  harmless: listSchema,
  after: listSchema,
  unused: listSchema,
  cases: z.strictObject({ condition: z.string(), told: z.string() }),
  clauseBreaks: byLanguageSchema,
  remarks: z.strictObject({ found: listSchema, closed: listSchema, done: z.string() }),
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
    unused: anyOf(words.unused),
    condition: new RegExp(words.cases.condition, 'iu'),
    told: new RegExp(words.cases.told, 'iu'),
    found: new Set(words.remarks.found.map(compactTitle)),
    closed: new Set(words.remarks.closed.map(compactTitle)),
    done: new RegExp(words.remarks.done, 'iu'),
    breaks: new RegExp(`(?<!\\p{L})(?:${both(words.clauseBreaks).join('|')})(?!\\p{L})`, 'iu'),
  };
}

/**
 * T2: the sentence says that the thing was not done, is not needed or does not exist. "Shall not" is a demand,
 * "not only" and "no later than" deny nothing, and "no deviation from the HARA" is about deviations.
 */
export const negationTrap: Trap = (mention) => {
  if (!isDenied(mention)) return undefined;
  if (isClosedRemark(mention) || isRatedEvent(mention) || isCase(mention) || isUnused(mention)) {
    return {
      trap: 'T2',
      rule: 'T2-negation-of-other',
      effect: 'ignored',
      note: say('verdicts.it-only-names-the-topic'),
    };
  }
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

/** "No proven in use argument is taken": what is due only where it is used. */
function isUnused({ sentence, start, end }: Mention): boolean {
  return compiled!.unused.test(sentence.slice(start, end));
}

/** What happens in some case, and nothing about what was done. */
function isCase({ sentence }: Mention): boolean {
  const { condition, told } = compiled!;
  return condition.test(sentence) && !told.test(sentence);
}

/** The row of a finding of a review that is closed: what was missing then is there now. */
function isClosedRemark({ row }: Mention): boolean {
  if (!row?.columns) return false;
  const { found, closed, done } = compiled!;
  const titles = row.columns.map((title) => compactTitle(title ?? ''));
  const cells = row.text.split('\t').map((cell) => cell.trim());
  if (cells.length !== titles.length || !titles.some((title) => found.has(title))) return false;
  return titles.some((title, at) => closed.has(title) && done.test(cells[at]!));
}

const RATINGS: readonly StatedKind[] = ['severity', 'exposure', 'controllability'];

/** A class of severity, exposure or controllability. */
const CLASS = /(?<![\p{L}\p{N}-])(?:S[0-3]|E[0-4]|C[0-3])(?![\p{L}\p{N}])/u;

/**
 * "Not controllable" in the row of a hazardous event rates it, and so does a sentence that begins with the name of a rating where a class
 * stands: "Controllability: C3, because the driver cannot …", "Severity is S0 … Exposure was not assessed."
 */
function isRatedEvent({ row, sentence, around = sentence }: Mention): boolean {
  if (row?.columns)
    return RATINGS.every((rating) =>
      row.columns!.some((title) => kindsOfTitle(title ?? '').includes(rating)),
    );
  const [first = ''] = /^\s*\p{L}+/u.exec(sentence) ?? [];
  return CLASS.test(around) && kindsOfTitle(first.trim()).some((kind) => RATINGS.includes(kind));
}
