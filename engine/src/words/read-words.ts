import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';

const known = new Map<string, unknown>();

/** A word list of `data/words`; see `readTable`. */
export function readWords<T>(name: string, schema: z.ZodType<T>): T {
  return readTable(`words/${name}`, schema);
}

/**
 * A YAML file of `data`, checked against its schema and read once per process.
 * Throws when the file is missing, is no YAML or has a key that the schema does not know.
 */
export function readTable<T>(name: string, schema: z.ZodType<T>): T {
  if (!known.has(name)) {
    const file = new URL(`../../data/${name}.yaml`, import.meta.url);
    const result = schema.safeParse(parse(readFileSync(file, 'utf8')));
    if (!result.success) {
      throw new Error(`data/${name}.yaml cannot be used: ${z.prettifyError(result.error)}`);
    }
    known.set(name, result.data);
  }
  return known.get(name) as T;
}

export const listSchema = z.array(z.string().min(1));
export const byLanguageSchema = z.strictObject({ en: listSchema, de: listSchema });

/** One expression out of alternatives; case does not matter, letters are Unicode letters. */
export function anyOf(patterns: readonly string[], flags = 'iu'): RegExp {
  return new RegExp(patterns.map((pattern) => `(?:${pattern})`).join('|'), flags);
}
