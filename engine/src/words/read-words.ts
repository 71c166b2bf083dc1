import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { DataError } from '../data/data-error.js';
import { findLines } from '../data/find-lines.js';
import { parseYaml, toProblems } from '../data/load-data.js';

const known = new Map<string, unknown>();
const knownWords = new Map<string, unknown>();

/** A word list of `data/words`; see `readTable`. */
export function readWords<T>(name: string, schema: z.ZodType<T>): T {
  // Asked for each block of a document: the name of the file would be a new text each time.
  if (!knownWords.has(name)) knownWords.set(name, readTable(`words/${name}`, schema));
  return knownWords.get(name) as T;
}

/**
 * A YAML file of `data`, checked against its schema and read once per process.
 * Throws when the file is missing, and what `parseTable` throws.
 */
export function readTable<T>(name: string, schema: z.ZodType<T>): T {
  if (!known.has(name)) {
    const file = new URL(`../../data/${name}.yaml`, import.meta.url);
    known.set(name, parseTable(`${name}.yaml`, readFileSync(file, 'utf8'), schema));
  }
  return known.get(name) as T;
}

/** The same from text. Throws `DataError`, with lines, for what is no YAML, an unknown key or a wrong value. */
export function parseTable<T>(name: string, text: string, schema: z.ZodType<T>): T {
  const result = schema.safeParse(parseYaml(name, text));
  if (result.success) return result.data;
  const problems = result.error.issues.flatMap(toProblems);
  const lines = findLines(
    text,
    problems.map(({ path }) => path),
  );
  throw new DataError(
    name,
    problems.map((problem, at) => ({ ...problem, line: lines[at]! })),
  );
}

export const listSchema = z.array(z.string().min(1));
export const byLanguageSchema = z.strictObject({ en: listSchema, de: listSchema });

/** By flags, then source: one key of both would be a new text, hashed anew, each time that it is asked for. */
const compiled = new Map<string, Map<string, RegExp>>();

/**
 * An expression of our data, compiled once per process. Not for words of documents, which are without number. One that is
 * global keeps its place in `test` and `exec`: it is for `matchAll` and `replace`.
 */
export function patternOf(source: string, flags = 'iu'): RegExp {
  let bySource = compiled.get(flags);
  if (!bySource) {
    bySource = new Map();
    compiled.set(flags, bySource);
  }
  let pattern = bySource.get(source);
  if (!pattern) {
    pattern = new RegExp(source, flags);
    bySource.set(source, pattern);
  }
  return pattern;
}

/** One expression out of alternatives; case does not matter, letters are Unicode letters. */
export function anyOf(patterns: readonly string[], flags = 'iu'): RegExp {
  return patternOf(patterns.map((pattern) => `(?:${pattern})`).join('|'), flags);
}
