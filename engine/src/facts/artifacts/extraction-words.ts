import { z } from 'zod';
import { listSchema, readWords } from '../../words/read-words.js';
import { ARTIFACT_TYPES, type ArtifactType, EVIDENCE_RESULTS, type EvidenceResult } from './artifact.js';

/** What the ids in a column, after a key or after a phrase are to the artifact that holds them (domain E.8). */
export const LINK_ROLES = [
  ...(['up', 'down', 'decomposition', 'allocation', 'implementation', 'verification'] as const),
  ...(['verifies', 'evidence', 'evidence_for', 'any', 'weak'] as const),
] as const;
export type LinkRole = (typeof LINK_ROLES)[number];

/** What a column or key says about the artifact itself. */
export const ATTRIBUTE_ROLES = [
  ...(['id', 'text', 'name', 'asil', 'cal', 'risk', 'status', 'version', 'type'] as const),
  ...(['severity', 'exposure', 'controllability', 'method', 'result', 'steps', 'expected'] as const),
  ...(['configuration', 'safe_state', 'ftti', 'rationale', 'owner'] as const),
] as const;
export type AttributeRole = (typeof ATTRIBUTE_ROLES)[number];

export type ColumnRole =
  | { readonly attribute: AttributeRole; readonly link?: undefined }
  | { readonly link: LinkRole; readonly attribute?: undefined };

const typeSchema = z.strictObject({
  prefixes: listSchema,
  weak: listSchema,
  names: listSchema,
  words: listSchema,
  documents: listSchema,
});
const resultKeys = EVIDENCE_RESULTS.filter((result) => result !== 'unknown');

const typesSchema = z.strictObject({
  types: z.strictObject(
    forEach(
      ARTIFACT_TYPES.filter((type) => type !== 'unknown'),
      typeSchema,
    ),
  ),
  generic: listSchema,
  informational: listSchema,
  external: listSchema,
  results: z.strictObject(forEach(resultKeys, listSchema)),
});

const phraseRoles = [
  'up',
  'down',
  'allocation',
  'implementation',
  'verification',
  'verifies',
  'evidence',
] as const;
const columnsSchema = z.strictObject({
  attributes: z.strictObject(forEach(ATTRIBUTE_ROLES, listSchema)),
  links: z.strictObject(forEach(LINK_ROLES, listSchema)),
  phrases: z.strictObject(forEach(phraseRoles, listSchema)),
  contexts: listSchema,
  allocationHeadings: listSchema,
  tags: z.strictObject({ up: listSchema, verifies: listSchema }),
  ranges: listSchema,
});

export interface ExtractionWords {
  /** By title without signs, see `compactTitle`. */
  readonly columns: ReadonlyMap<string, ColumnRole>;
  readonly typeOfPrefix: ReadonlyMap<string, ArtifactType>;
  readonly typeOfWeakPrefix: ReadonlyMap<string, ArtifactType>;
  /** By compact name; generic names are `unknown`. */
  readonly typeOfName: ReadonlyMap<string, ArtifactType>;
  readonly typeOfWord: ReadonlyMap<string, ArtifactType>;
  readonly typeOfDocument: ReadonlyMap<string, ArtifactType>;
  readonly names: readonly string[];
  readonly informational: ReadonlySet<string>;
  readonly external: readonly string[];
  readonly resultOf: ReadonlyMap<string, EvidenceResult>;
  /** One group per role, in the order of `phraseRoles`; the longest phrase counts. */
  readonly phrases: readonly { readonly role: LinkRole; readonly phrase: string }[];
  readonly contexts: readonly string[];
  /** In lower case. */
  readonly allocationHeadings: readonly string[];
  readonly tags: ReadonlyMap<string, 'up' | 'verifies'>;
  readonly ranges: readonly string[];
}

let loaded: ExtractionWords | undefined;

/** The word lists `artifact-types` and `link-columns`, read once. Throws for unknown keys, empty lists' types and doubled words. */
export function extractionWords(): ExtractionWords {
  loaded ??= compile(readWords('artifact-types', typesSchema), readWords('link-columns', columnsSchema));
  return loaded;
}

/** A title for comparing: letters and digits only, so that line breaks inside words do not matter. */
export function compactTitle(title: string): string {
  return title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}

function compile(
  types: z.output<typeof typesSchema>,
  titles: z.output<typeof columnsSchema>,
): ExtractionWords {
  const columns = new Map<string, ColumnRole>();
  for (const attribute of ATTRIBUTE_ROLES) {
    for (const title of titles.attributes[attribute]) add(columns, compactTitle(title), { attribute }, title);
  }
  for (const link of LINK_ROLES) {
    for (const title of titles.links[link]) add(columns, compactTitle(title), { link }, title);
  }
  const typeOfPrefix = new Map<string, ArtifactType>();
  const typeOfWeakPrefix = new Map<string, ArtifactType>();
  const typeOfName = new Map<string, ArtifactType>();
  const typeOfWord = new Map<string, ArtifactType>();
  const typeOfDocument = new Map<string, ArtifactType>();
  for (const [key, one] of Object.entries(types.types)) {
    const type = key as ArtifactType;
    for (const prefix of one.prefixes) add(typeOfPrefix, prefix, type, prefix);
    for (const prefix of one.weak) add(typeOfWeakPrefix, prefix, type, prefix);
    for (const name of one.names) add(typeOfName, compactTitle(name), type, name);
    for (const word of one.words) add(typeOfWord, compactTitle(word), type, word);
    for (const document of one.documents) add(typeOfDocument, document, type, document);
  }
  for (const name of types.generic) add(typeOfName, compactTitle(name), 'unknown', name);
  const resultOf = new Map<string, EvidenceResult>();
  for (const result of resultKeys) {
    for (const word of types.results[result]) add(resultOf, compactTitle(word), result, word);
  }
  const tags = new Map<string, 'up' | 'verifies'>();
  for (const role of ['up', 'verifies'] as const)
    for (const tag of titles.tags[role]) add(tags, tag, role, tag);
  return {
    columns,
    typeOfPrefix,
    typeOfWeakPrefix,
    typeOfName,
    typeOfWord,
    typeOfDocument,
    names: [...Object.values(types.types).flatMap((one) => one.names), ...types.generic],
    informational: new Set(types.informational.map(compactTitle)),
    external: types.external,
    resultOf,
    phrases: phraseRoles
      .flatMap((role) => titles.phrases[role].map((phrase) => ({ role, phrase: phrase.toLowerCase() })))
      .sort((a, b) => b.phrase.length - a.phrase.length),
    contexts: titles.contexts,
    allocationHeadings: titles.allocationHeadings.map((word) => word.toLowerCase()),
    tags,
    ranges: titles.ranges,
  };
}

function add<Value>(map: Map<string, Value>, key: string, value: Value, written: string): void {
  const known = map.get(key);
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(value)) {
    throw new Error(`In data/words, "${written}" means two things; keep it in one list.`);
  }
  map.set(key, value);
}

function forEach<Key extends string, Schema extends z.ZodType>(
  keys: readonly Key[],
  one: Schema,
): Record<Key, Schema> {
  return Object.fromEntries(keys.map((key) => [key, one])) as Record<Key, Schema>;
}
