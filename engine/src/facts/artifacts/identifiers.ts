import { z } from 'zod';
import { forEach } from '../../words/column-titles.js';
import { listSchema, readWords } from '../../words/read-words.js';
import { ARTIFACT_TYPES } from './artifact.js';
import { extractionWords } from './extraction-words.js';

const FAMILIES = ['hazardous_event', 'safety_goal', 'requirement', 'threat', 'claim', 'other'] as const;
const schema = z.strictObject({
  families: z.strictObject(forEach(FAMILIES, z.array(z.enum(ARTIFACT_TYPES)))),
  further: z.strictObject(forEach(FAMILIES, listSchema)),
  notInText: listSchema,
  worded: listSchema,
  notWorded: listSchema,
  lowercase: listSchema,
  lettered: listSchema,
  named: listSchema,
  stop: z.string(),
});

export type IdentifierFamily = (typeof FAMILIES)[number];

export interface Identifier {
  /** As written. */
  readonly id: string;
  /** For comparing: separators and leading zeros unified. */
  readonly key: string;
  readonly family: IdentifierFamily;
  /** Half-open range in the text. */
  readonly start: number;
  readonly end: number;
}

/** The word list `identifiers`. */
export const identifierWords = () => readWords('identifiers', schema);

/** Pattern of ids that a capital letter or a Roman number counts: "Goal A", "Goal II". */
export const letteredId = (): string =>
  `(?:${identifierWords()
    .lettered.map((name) => name.replace(' ', '[ \\u00a0]'))
    .join('|')})[ \\u00a0_-](?:[A-Z]|[IVX]{2,5})(?![\\p{L}\\p{N}_-])`;

/** Pattern of ids whose prefix is followed by words in capitals or by one letter, without look at what stands around. */
export function wordedId(): string {
  const { worded, notWorded } = identifierWords();
  return `(?:${letteredId()}|(?:${worded.join('|')})[-_](?!(?:${notWorded.join('|')})(?![A-Z]))[A-Z]{1,16}(?:[-_][A-Z]{1,16}){0,5}(?![\\p{L}\\p{N}_-]))`;
}

/** Pattern of ids in lower case, words and numbers behind signs: "fsr.child.4", without look at what stands before them. */
export const lowercaseId = (): string =>
  `(?:${identifierWords().lowercase.join('|')})(?:[-_.][a-z][a-z0-9]{0,15}){0,3}[-_.]\\d{1,6}(?:\\.\\d{1,4}){0,2}(?![\\p{L}\\p{N}_/-])(?!\\.[\\p{L}\\p{N}])`;

/** Pattern of ids made of the name of a type and a number: "Functional Safety Requirement 01-01", "Malfunction_02". */
export function namedId(): string {
  const names = [...extractionWords().names, ...identifierWords().named]
    .map((name) =>
      name
        .split(/[\s-]+/)
        .map(eitherCase)
        .join('[ \\u00a0_-]'),
    )
    .sort((a, b) => b.length - a.length);
  return `(?:${names.join('|')})[ \\u00a0_-]\\d{1,4}(?:[.\\-_]\\d{1,4}){0,3}`;
}

/** A word that may begin with a capital letter. */
function eitherCase(word: string): string {
  const [first, rest] = [word[0]!, word.slice(1)];
  return first.toLowerCase() === first.toUpperCase()
    ? word
    : `[${first.toLowerCase()}${first.toUpperCase()}]${rest}`;
}

let compiled: { known: RegExp; stop: RegExp; familyOf: ReadonlyMap<string, IdentifierFamily> } | undefined;

/** Prefixes of identifiers in a text by family. Throws for one that stands in two lists. */
function familiesOfPrefixes(words: z.output<typeof schema>): ReadonlyMap<string, IdentifierFamily> {
  const { prefixesOf } = extractionWords();
  const familyOf = new Map<string, IdentifierFamily>();
  for (const family of FAMILIES) {
    const typed = words.families[family].flatMap((type) => prefixesOf.get(type) ?? []);
    for (const prefix of [...typed, ...words.further[family]]) {
      if (familyOf.has(prefix))
        throw new Error(`In data/words, the prefix "${prefix}" is there twice; keep one.`);
      familyOf.set(prefix, family);
    }
  }
  for (const prefix of words.notInText) familyOf.delete(prefix);
  return familyOf;
}

function patterns() {
  if (!compiled) {
    const words = identifierWords();
    const familyOf = familiesOfPrefixes(words);
    const prefixes = [...familyOf.keys()].sort((a, b) => b.length - a.length);
    compiled = {
      known: new RegExp(
        `(?<![\\p{L}\\p{N}_./-])((?:${prefixes.join('|')})[-_. ]?(?:[A-Z][A-Z0-9]{0,11}[-_.]){0,4}\\d{1,6}(?:[.\\-_]\\d{1,4}){0,4}[a-z]?|${lowercaseId()}|${wordedId()})(?![\\p{L}\\p{N}_])`,
        'gu',
      ),
      stop: new RegExp(words.stop, 'iu'),
      familyOf,
    };
  }
  return compiled;
}

/** Identifiers of known families in a text, by place (domain E.7). */
export function identifiersIn(text: string): readonly Identifier[] {
  const { known, stop, familyOf } = patterns();
  return [...text.matchAll(known)].flatMap((match) => {
    const id = match[1]!;
    const prefix = /^[A-Za-z]+/.exec(id)![0];
    if (stop.test(id)) return [];
    const family = familyOf.get(prefix) ?? familyOf.get(prefix.toUpperCase());
    if (!family) return [];
    return [{ id, key: identifierKey(id), family, start: match.index, end: match.index + id.length }];
  });
}

/** One spelling of an identifier: `SG_01`, `SG 01` and `sg-1` are the same. */
export function identifierKey(id: string): string {
  return id
    .normalize('NFKC')
    .toUpperCase()
    .trim()
    .replace(/[\s_.–·]+/gu, '-')
    .replace(/^([A-Z]+)(?=\d)/, '$1-')
    .replace(/(?<=^|-)0+(?=\d)/g, '');
}
