import { readdirSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import type { DataProblem } from '../data/data-error.js';
import { parseTable } from '../words/read-words.js';
import { LANGUAGES, type Language } from './sentence.js';
import { namesIn, parseTemplate, type Template } from './template.js';

interface Texts {
  readonly [key: string]: string | Texts;
}
const schema: z.ZodType<Texts> = z.lazy(() => z.record(z.string(), z.union([z.string().min(1), schema])));

const files = new Map<string, ReadonlyMap<string, string>>();
const templates: Readonly<Record<Language, Map<string, Template>>> = { en: new Map(), de: new Map() };

/**
 * The text of a key; of a file and a language only what is asked for is read, once. That all languages say the same is what
 * `textProblems` finds. Undefined where there is no such text: a stored sentence may be one of another version.
 */
export function templateOf(key: string, language: Language): Template | undefined {
  const known = templates[language].get(key);
  if (known) return known;
  const file = key.slice(0, Math.max(0, key.indexOf('.')));
  const text = textFiles().includes(file) ? textsOf(file, language).get(key) : undefined;
  if (text === undefined) return undefined;
  const template = parseTemplate(text);
  templates[language].set(key, template);
  return template;
}

export const isKnownKey = (key: string): boolean => templateOf(key, 'en') !== undefined;

const named = new Map<string, readonly string[]>();

/** What a text names, each placeholder once. */
export function placeholdersOf(key: string): readonly string[] {
  const names = named.get(key) ?? namesIn(templateOf(key, 'en') ?? []);
  named.set(key, names);
  return names;
}

/** Every key of a language, sorted by file. */
export const keysIn = (language: Language): readonly string[] =>
  textFiles().flatMap((file) => [...textsOf(file, language).keys()]);

/** What `checkTexts` finds in the texts that come with the engine. */
export const textProblems = (): readonly LocatedProblem[] =>
  textFiles().flatMap((file) =>
    LANGUAGES.flatMap((language) =>
      LANGUAGES.filter((other) => other !== language).flatMap((other) =>
        checkTexts(textsOf(file, language), `${file}.${other}.yaml`, textsOf(file, other)),
      ),
    ),
  );

/** Throws `DataError` for what is no list of texts. */
function textsOf(file: string, language: Language): ReadonlyMap<string, string> {
  const name = `texts/${file}.${language}.yaml`;
  const known = files.get(name);
  if (known) return known;
  const text = readFileSync(new URL(`../../data/${name}`, import.meta.url), 'utf8');
  const texts = flat(parseTable(name, text, schema), file);
  files.set(name, texts);
  return texts;
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

let fileNames: readonly string[] | undefined;

/** Files of texts by what they speak of, sorted. */
function textFiles(): readonly string[] {
  fileNames ??= [
    ...new Set(
      readdirSync(new URL('../../data/texts', import.meta.url))
        .filter((name) => name.endsWith('.yaml'))
        .map((name) => name.split('.')[0]!),
    ),
  ].sort();
  return fileNames;
}

function flat(texts: Texts, above: string): Map<string, string> {
  return new Map(
    Object.entries(texts).flatMap(([name, value]): [string, string][] => {
      const key = `${above}.${name}`;
      return typeof value === 'string' ? [[key, value]] : [...flat(value, key)];
    }),
  );
}
