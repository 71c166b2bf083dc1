import { z } from 'zod';
import { say } from '../../sentences/sentence.js';
import { anyOf, listSchema, readWords } from '../../words/read-words.js';
import { clauseAround } from './clause.js';
import type { Trap } from './trap.js';

const schema = z.strictObject({ workVerbs: z.string(), patterns: listSchema, done: listSchema });

let compiled: { intent: RegExp; done: RegExp } | undefined;

/**
 * T3: announced, not done. Where a plan is demanded an announcement is the right thing. "The driver will be
 * warned" tells what the item does and is none.
 */
export const intentTrap: Trap = (mention) => {
  if (mention.plan) return undefined;
  if (!compiled) {
    const words = readWords('intent', schema);
    const fill = (patterns: readonly string[]) =>
      anyOf(patterns.map((pattern) => pattern.replaceAll('{work}', words.workVerbs)));
    compiled = { intent: fill(words.patterns), done: fill(words.done) };
  }
  const clause = clauseAround(mention);
  const text = clause.before + clause.words + clause.after;
  if (!compiled.intent.test(text) || compiled.done.test(text)) return undefined;
  return {
    trap: 'T3',
    rule: 'T3-intent',
    effect: 'counter',
    note: say('verdicts.announced-for-later'),
  };
};
