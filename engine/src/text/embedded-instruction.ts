import { z } from 'zod';
import { anyOf, listSchema, readWords } from '../words/read-words.js';

const schema = z.strictObject({ patterns: listSchema, harmless: listSchema, unsent: listSchema });

let compiled: { orders: RegExp; harmless: RegExp; unsent: RegExp } | undefined;

function expressions() {
  if (!compiled) {
    const words = readWords('instructions', schema);
    compiled = {
      orders: anyOf(words.patterns),
      harmless: anyOf(words.harmless),
      unsent: anyOf(words.unsent),
    };
  }
  return compiled;
}

/** Range of an order to whoever evaluates the document, if the text holds one (T16). */
export function embeddedInstruction(text: string): { start: number; end: number } | undefined {
  const { orders, harmless } = expressions();
  const match = orders.exec(text);
  if (!match || harmless.test(text)) return undefined;
  return { start: match.index, end: match.index + match[0].length };
}

/**
 * Whether words may be an order to a language model, also with letters between them that cannot be seen, or over lines. Wider
 * than T16, which tells people of orders: what is taken for one here is not sent and no evidence of a model.
 */
export function mayOrderModel(text: string): boolean {
  const { orders, unsent } = expressions();
  const plain = text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/\s+/g, ' ');
  return orders.test(plain) || unsent.test(plain);
}
