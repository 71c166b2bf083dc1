import { z } from 'zod';
import { anyOf, listSchema, readWords } from '../words/read-words.js';

const schema = z.strictObject({ patterns: listSchema, harmless: listSchema });

let compiled: { orders: RegExp; harmless: RegExp } | undefined;

/** Range of an order to whoever evaluates the document, if the text holds one (T16). */
export function embeddedInstruction(text: string): { start: number; end: number } | undefined {
  if (!compiled) {
    const words = readWords('instructions', schema);
    compiled = { orders: anyOf(words.patterns), harmless: anyOf(words.harmless) };
  }
  const match = compiled.orders.exec(text);
  if (!match || compiled.harmless.test(text)) return undefined;
  return { start: match.index, end: match.index + match[0].length };
}
