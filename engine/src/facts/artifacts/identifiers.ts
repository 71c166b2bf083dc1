import { z } from 'zod';
import { listSchema, readWords } from '../../words/read-words.js';

const schema = z.strictObject({
  families: z.strictObject({
    hazardous_event: listSchema,
    safety_goal: listSchema,
    requirement: listSchema,
    threat: listSchema,
    claim: listSchema,
    other: listSchema,
  }),
  stop: z.string(),
});

export type IdentifierFamily = keyof z.output<typeof schema>['families'];

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

let compiled: { known: RegExp; stop: RegExp; familyOf: ReadonlyMap<string, IdentifierFamily> } | undefined;

function patterns() {
  if (!compiled) {
    const words = identifierWords();
    const entries = Object.entries(words.families).flatMap(([family, prefixes]) =>
      prefixes.map((prefix) => [prefix, family as IdentifierFamily] as const),
    );
    const prefixes = entries.map(([prefix]) => prefix).sort((a, b) => b.length - a.length);
    compiled = {
      known: new RegExp(
        `(?<![\\p{L}\\p{N}_./-])((?:${prefixes.join('|')})[-_. ]?(?:[A-Z][A-Z0-9]{0,11}[-_.]){0,4}\\d{1,6}(?:[.\\-_]\\d{1,4}){0,4}[a-z]?)(?![\\p{L}\\p{N}_])`,
        'gu',
      ),
      stop: new RegExp(words.stop, 'iu'),
      familyOf: new Map(entries),
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
    const family = familyOf.get(prefix);
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
