import type { z } from 'zod';
import { type ArtifactType, artifactTypeWords } from '../../words/artifact-types.js';
import {
  ATTRIBUTE_ROLES,
  type ColumnRole,
  type columnsSchema,
  columnWords,
  compactTitle,
  isLinkRole,
  type LinkRole,
  meaningsIn,
  phraseRoles,
} from '../../words/column-titles.js';

export interface ExtractionWords {
  /** By title without signs, see `compactTitle`. */
  readonly columns: ReadonlyMap<string, ColumnRole>;
  /** Beginnings of ids by type, weak ones too. */
  readonly prefixesOf: ReadonlyMap<ArtifactType, readonly string[]>;
  readonly typeOfPrefix: ReadonlyMap<string, ArtifactType>;
  readonly typeOfWeakPrefix: ReadonlyMap<string, ArtifactType>;
  /** By compact name; generic names are `unknown`. */
  readonly typeOfName: ReadonlyMap<string, ArtifactType>;
  readonly typeOfWord: ReadonlyMap<string, ArtifactType>;
  readonly typeOfDocument: ReadonlyMap<string, ArtifactType>;
  readonly names: readonly string[];
  /** Of what has ids but is no artifact of the trace. */
  readonly otherPrefixes: ReadonlySet<string>;
  /** Compact. */
  readonly otherHeadings: ReadonlySet<string>;
  /** Headings over lists of documents. */
  readonly documentHeadings: RegExp;
  readonly informational: ReadonlySet<string>;
  readonly external: readonly string[];
  /** One group per role, in the order of `phraseRoles`; the longest phrase counts. */
  readonly phrases: readonly { readonly role: LinkRole; readonly phrase: string }[];
  readonly contexts: readonly string[];
  /** In lower case. */
  readonly allocationHeadings: readonly string[];
  readonly tags: ReadonlyMap<string, 'up' | 'verifies'>;
  readonly ranges: readonly string[];
  /** Words for all elements that a column names, compact. */
  readonly everything: ReadonlySet<string>;
}

let loaded: ExtractionWords | undefined;

/** The word lists `artifact-types` and `columns`, read once. Throws for unknown keys, empty lists' types and doubled words. */
export function extractionWords(): ExtractionWords {
  loaded ??= compile(artifactTypeWords(), columnWords());
  return loaded;
}

function compile(
  types: ReturnType<typeof artifactTypeWords>,
  titles: z.output<typeof columnsSchema>,
): ExtractionWords {
  const columns = new Map<string, ColumnRole>();
  for (const [title, meaning] of meaningsIn(titles)) {
    if (isLinkRole(meaning)) columns.set(title, { link: meaning });
    else {
      const attribute = titles.trace[meaning] ?? ATTRIBUTE_ROLES.find((role) => role === meaning);
      if (attribute) columns.set(title, { attribute });
    }
  }
  const prefixesOf = new Map<ArtifactType, readonly string[]>();
  const typeOfPrefix = new Map<string, ArtifactType>();
  const typeOfWeakPrefix = new Map<string, ArtifactType>();
  const typeOfName = new Map<string, ArtifactType>();
  const typeOfWord = new Map<string, ArtifactType>();
  const typeOfDocument = new Map<string, ArtifactType>();
  for (const [key, one] of Object.entries(types.types)) {
    const type = key as ArtifactType;
    prefixesOf.set(type, [...one.prefixes, ...one.weak]);
    for (const prefix of one.prefixes) add(typeOfPrefix, prefix, type, prefix);
    for (const prefix of one.weak) add(typeOfWeakPrefix, prefix, type, prefix);
    for (const name of one.names) add(typeOfName, compactTitle(name), type, name);
    for (const word of one.words) add(typeOfWord, compactTitle(word), type, word);
    for (const document of one.documents) add(typeOfDocument, document, type, document);
  }
  for (const name of types.generic) add(typeOfName, compactTitle(name), 'unknown', name);
  const tags = new Map<string, 'up' | 'verifies'>();
  for (const role of ['up', 'verifies'] as const)
    for (const tag of titles.tags[role]) add(tags, tag, role, tag);
  return {
    columns,
    prefixesOf,
    typeOfPrefix,
    typeOfWeakPrefix,
    typeOfName,
    typeOfWord,
    typeOfDocument,
    names: [...Object.values(types.types).flatMap((one) => one.names), ...types.generic],
    otherPrefixes: new Set(types.others.prefixes),
    documentHeadings: new RegExp(types.others.documents, 'iu'),
    otherHeadings: new Set(types.others.headings.map(compactTitle)),
    informational: new Set(types.informational.map(compactTitle)),
    external: types.external,
    phrases: phraseRoles
      .flatMap((role) => titles.phrases[role].map((phrase) => ({ role, phrase: phrase.toLowerCase() })))
      .sort((a, b) => b.phrase.length - a.phrase.length),
    contexts: titles.contexts,
    allocationHeadings: titles.allocationHeadings.map((word) => word.toLowerCase()),
    tags,
    ranges: titles.ranges,
    everything: new Set(titles.everything.map(compactTitle)),
  };
}

function add<Value>(map: Map<string, Value>, key: string, value: Value, written: string): void {
  const known = map.get(key);
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(value)) {
    throw new Error(`In data/words, "${written}" means two things; keep it in one list.`);
  }
  map.set(key, value);
}
