import { type Corpus, usableDocuments } from '../../corpus/corpus.js';
import type { ArtifactType } from './artifact.js';
import { extractionWords } from './extraction-words.js';
import { placesOfCodes } from './id-stems.js';
import {
  type Identifier,
  type IdentifierFamily,
  identifierKey,
  identifiersIn,
  identifierWords,
} from './identifiers.js';
import { typeOfId } from './infer-type.js';
import { settleTypes } from './settle-types.js';
import { statementsOf } from './statements-of.js';

/** Types of ids whose letters do not tell them, or tell another one than their places, by `identifierKey`. */
export type IdTypes = ReadonlyMap<string, ArtifactType>;

const known = new WeakMap<Corpus, IdTypes>();

/** What the ids of a corpus are that only their places tell ("LBG-1" under "Goals"); read once. Linear in its statements. */
export function idTypesOf(corpus: Corpus): IdTypes {
  let types = known.get(corpus);
  if (!types) {
    types = readTypes(corpus);
    known.set(corpus, types);
  }
  return types;
}

function readTypes(corpus: Corpus): IdTypes {
  const words = extractionWords();
  const statements = usableDocuments(corpus)
    .flatMap((document) => statementsOf(document).statements)
    .map(({ id, told, text, references, kind, type, asil }) => ({
      ...{ id, told, text, references, kind, type, asil },
    }));
  const byLetters = statements.map(({ id }) => typeOfId(id, words));
  const before = statements.map(({ type }) => type);
  if (!settleTypes(statements) && !byLetters.includes(undefined)) return new Map();
  const silent = statements.filter(({ type }, at) => byLetters[at] === undefined || type !== before[at]);
  const types = new Map<string, ArtifactType>();
  // What is told at its place comes before what the document tells.
  for (const surely of [true, false]) {
    for (const { id, type, told } of silent) {
      const key = identifierKey(id);
      if (type !== 'unknown' && Boolean(told) === surely && !types.has(key)) types.set(key, type);
    }
  }
  return types;
}

let families: ReadonlyMap<ArtifactType, IdentifierFamily> | undefined;

/** What ids of a type usually number. */
function familyOfType(type: ArtifactType): IdentifierFamily | undefined {
  families ??= new Map(
    Object.entries(identifierWords().families).flatMap(([family, types]) =>
      types.map((one) => [one, family as IdentifierFamily] as const),
    ),
  );
  return families.get(type);
}

/** `identifiersIn` with the ids of the corpus that only their places tell. */
export function identifiersOf(corpus: Corpus, text: string): readonly Identifier[] {
  const types = idTypesOf(corpus);
  const found = identifiersIn(text);
  if (types.size === 0) return found;
  const more = placesOfCodes(text).flatMap(({ id, start, end }): readonly Identifier[] => {
    const key = identifierKey(id);
    const type = types.get(key);
    const family = type && familyOfType(type);
    if (!family || found.some((one) => one.start < end && start < one.end)) return [];
    return [{ id, key, family, start, end }];
  });
  return more.length === 0 ? found : [...found, ...more].sort((a, b) => a.start - b.start);
}

/** The type that an id has by its place in the corpus, or tells itself. */
export const typeInCorpus = (corpus: Corpus, id: string): ArtifactType | undefined =>
  idTypesOf(corpus).get(identifierKey(id)) ?? typeOfId(id, extractionWords());
