import { readdirSync, readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { z } from 'zod';
import { DataError, type DataProblem } from '../data/data-error.js';
import { parseTable } from '../words/read-words.js';
import { LANGUAGES, type Language } from './sentence.js';
import { namesIn, parseTemplate, type Template } from './template.js';

interface Texts {
  readonly [key: string]: string | Texts;
}
const schema: z.ZodType<Texts> = z.lazy(() => z.record(z.string(), z.union([z.string().min(1), schema])));

const known = new Map<Language, ReadonlyMap<string, Template>>();

/** The texts of a language by key, read once. Throws `DataError` for what `checkTexts` finds. */
export function textsIn(language: Language): ReadonlyMap<string, Template> {
  const texts = known.get(language) ?? readTexts(language);
  known.set(language, texts);
  return texts;
}

/** Whether there is such a text; a stored sentence may be one of another version. */
export const isKnownKey = (key: string): boolean => textsIn('en').has(key);

const named = new Map<string, readonly string[]>();

/** What a text names, each placeholder once. */
export function placeholdersOf(key: string): readonly string[] {
  const names = named.get(key) ?? namesIn(textsIn('en').get(key) ?? []);
  named.set(key, names);
  return names;
}

function readTexts(language: Language): ReadonlyMap<string, Template> {
  return new Map(textFiles().flatMap((file) => [...readFile(file, language)]));
}

function readFile(file: string, language: Language): ReadonlyMap<string, Template> {
  const texts = readFlat(file, language);
  for (const other of LANGUAGES.filter((one) => one !== language)) {
    const problems = checkTexts(texts, `${file}.${other}.yaml`, readFlat(file, other));
    if (problems.length > 0) throw new DataError(`texts/${file}.${language}.yaml`, problems);
  }
  return new Map([...texts].map(([key, text]) => [key, parseTemplate(text)]));
}

function readFlat(file: string, language: Language): ReadonlyMap<string, string> {
  const name = `texts/${file}.${language}.yaml`;
  const text = readFileSync(new URL(`../../data/${name}`, import.meta.url), 'utf8');
  // Much faster than the reader that knows lines, which is asked where something is wrong.
  const fast = schema.safeParse(quietly(() => load(text)));
  return flat(fast.success ? fast.data : parseTable(name, text, schema), file);
}

function quietly(read: () => unknown): unknown {
  try {
    return read();
  } catch {
    return undefined;
  }
}

type LocatedProblem = DataProblem & { readonly line: number };

/** What is wrong: every key has its text in every language, and the same placeholders in each. */
export function checkTexts(
  texts: ReadonlyMap<string, string>,
  otherName: string,
  others: ReadonlyMap<string, string>,
): readonly LocatedProblem[] {
  const problem = (key: string, text: string, remedy: string) => ({
    line: 1,
    path: key.split('.').slice(1),
    problem: text,
    remedy,
  });
  return [...texts].flatMap(([key, text]) => {
    const theirs = others.get(key);
    if (theirs === undefined) return [problem(key, `Not in ${otherName}`, 'Write the text there too.')];
    try {
      const names = namesIn(parseTemplate(text)).join(', ');
      const theirNames = namesIn(parseTemplate(theirs)).join(', ');
      if (names === theirNames) return [];
      return [problem(key, `Placeholders ${names}, in ${otherName} ${theirNames}`, 'Use the same in both.')];
    } catch (error) {
      return [problem(key, `In a text: ${(error as Error).message}`, 'Correct the braces.')];
    }
  });
}

/** Files of texts by what they speak of, sorted. */
function textFiles(): readonly string[] {
  const names = readdirSync(new URL('../../data/texts', import.meta.url));
  return [
    ...new Set(names.filter((name) => name.endsWith('.yaml')).map((name) => name.split('.')[0]!)),
  ].sort();
}

function flat(texts: Texts, above: string): Map<string, string> {
  return new Map(
    Object.entries(texts).flatMap(([name, value]): [string, string][] => {
      const key = `${above}.${name}`;
      return typeof value === 'string' ? [[key, value]] : [...flat(value, key)];
    }),
  );
}
