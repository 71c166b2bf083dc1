import { z } from 'zod';
import { anyOf, listSchema, readWords } from '../words/read-words.js';

const schema = z.strictObject({ promises: listSchema });

let compiled: RegExp | undefined;

/** Whether words of a model say that something is fulfilled: that is for rules and people to say. */
export function promisesFulfilment(words: string): boolean {
  compiled ??= anyOf(readWords('promises', schema).promises);
  return compiled.test(words);
}
