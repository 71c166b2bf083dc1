import type { CorpusDocument } from '../../corpus/corpus.js';
import type { Passage } from '../../corpus/passages/passage.js';
import type { ArtifactType } from '../artifacts/artifact.js';
import { identifierKey } from '../artifacts/identifiers.js';
import type { StatedKind } from './stated-columns.js';
import { identifierPattern } from './stated-columns.js';

/** Words that state something, with their place in the document's text. */
export interface StatedValue {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly passage: Passage;
  /** Title of the column or label of the field. */
  readonly title: string;
}

/** One row, record or paragraph, and what it states about its subject. */
export interface StatedItem {
  /** As written; of rows without an id, the words of their first cell. */
  readonly id: string;
  /** One spelling of the id. */
  readonly key: string;
  readonly hasId: boolean;
  readonly document: CorpusDocument;
  readonly passage: Passage;
  /** Title of the section. */
  readonly section: string;
  /** Of rows: the number of the table in its document. */
  readonly table?: number;
  readonly values: ReadonlyMap<StatedKind, StatedValue>;
  /** Every filled cell of a row by its column. */
  readonly cells: readonly StatedValue[];
  /** What its id says that it is, or the place where it is listed (`typeInCorpus`). */
  readonly type?: ArtifactType;
  /** How it was read: a row, fields of a record, or a sentence. */
  readonly how: 'table' | 'record' | 'sentence';
}

let compiled: RegExp | undefined;
function idPattern(): RegExp {
  compiled ??= new RegExp(`(?<![\\p{L}\\p{N}_/-])${identifierPattern()}(?![\\p{L}\\p{N}_])`, 'gu');
  return compiled;
}

/** Ids in the words of a value, as written and as keys. */
export function idsIn(text: string): readonly { readonly id: string; readonly key: string }[] {
  return [...text.matchAll(idPattern())].map(([id]) => ({ id, key: identifierKey(id) }));
}

const ONLY_SIGNS = /^[\s,;/&+]*(?:(?:and|und|or|oder)[\s,;]*)*$/iu;

/** True where a cell holds ids and nothing else. */
export function isIdsOnly(text: string): boolean {
  const rest = text.replaceAll(idPattern(), ' ');
  return rest !== text && ONLY_SIGNS.test(rest);
}

/** The kind of an id: its letters. */
export function prefixOf(key: string): string {
  return key.replace(/\d/u.test(key) ? /-?\d.*$/u : /-.*$/u, '');
}
