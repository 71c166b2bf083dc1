import type { CorpusDocument } from '../../corpus/corpus.js';
import type { Passage } from '../../corpus/passages/passage.js';
import type { ArtifactType } from '../artifacts/artifact.js';
import { identifierKey, wordedId } from '../artifacts/identifiers.js';
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

let compiled: { readonly any: RegExp; readonly worded: RegExp } | undefined;
function idPatterns() {
  const alone = (id: string) => new RegExp(`(?<![\\p{L}\\p{N}_/-])${id}(?![\\p{L}\\p{N}_])`, 'gu');
  compiled ??= { any: alone(identifierPattern()), worded: alone(wordedId()) };
  return compiled;
}

/** Without a digit only ids made of words or counted by letters can match, which are looked for in a fraction of the time. */
const idPattern = (text: string): RegExp => (/\d/.test(text) ? idPatterns().any : idPatterns().worded);

/** A list of numbers and nothing else ("3201, 3203"), or one before what it names ("3301: motors are off"). */
const NUMBERED =
  /^\s*(?<ids>[1-9]\d{3,5}(?:\s?(?:[,;/&+]|und|and)\s?[1-9]\d{3,5}){0,19})(?:\s*$|\s?[:,–]\s+(?=\p{L}))/u;

/** Ids in the words of a value, as written and as keys; in a cell of their own, numbers of four digits or more are ids too. */
export function idsIn(text: string): readonly WrittenId[] {
  let ids = read.get(text);
  if (!ids) {
    ids = readIds(text);
    if (read.size >= MOST_READ) read.clear();
    read.set(text, ids);
  }
  return ids;
}

interface WrittenId {
  readonly id: string;
  readonly key: string;
}

/** Several readers ask for the ids of the same passage, and all passages of a section for those of its titles. */
const read = new Map<string, readonly WrittenId[]>();
const MOST_READ = 5_000;

function readIds(text: string): readonly WrittenId[] {
  const numbered = NUMBERED.exec(text)?.groups?.ids?.match(/\d+/gu) ?? [];
  return [...numbered, ...[...text.matchAll(idPattern(text))].map(([id]) => id)].map((id) => ({
    id,
    key: identifierKey(id),
  }));
}

const ONLY_SIGNS = /^[\s,;/&+[\]()`]*(?:(?:and|und|or|oder)[\s,;[\]()`]*)*$/iu;

/** "SG-2 (D)": the level of what the id names. */
const LEVEL_IN_BRACKETS = /\((?:ASIL\s?)?(?:QM|[A-D])(?:\s?\([A-D]\))?\)/gu;

/** True where a cell holds ids and nothing else, but for their levels. */
export function isIdsOnly(text: string): boolean {
  const whole = NUMBERED.exec(text)?.[0];
  if (whole !== undefined && whole.length === text.length) return true;
  const rest = text.replaceAll(idPattern(text), ' ');
  return rest !== text && ONLY_SIGNS.test(rest.replaceAll(LEVEL_IN_BRACKETS, ' '));
}

/** The kind of an id: its letters; of a number, what stands before its last two digits. */
export function prefixOf(key: string): string {
  if (/^\d+$/u.test(key)) return key.slice(0, -2);
  return key.replace(/\d/u.test(key) ? /-?\d.*$/u : /-.*$/u, '');
}
