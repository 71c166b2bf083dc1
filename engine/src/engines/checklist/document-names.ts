import type { CorpusDocument } from '../../corpus/corpus.js';
import { usableDocuments } from '../../corpus/corpus.js';
import { fieldOf } from '../../corpus/metadata-fields.js';
import { checkWords } from '../../facts/check-words.js';
import { normaliseText } from '../../text/normalise.js';
import { phraseFinder } from '../../text/phrases.js';
import type { ChecklistContext } from './context.js';

type Known = Pick<ChecklistContext, 'corpus' | 'completeness'>;

/** Shorter names stand in too many others. */
const SHORTEST_NAME = 5;

const compact = (text: string) => normaliseText(text).replace(/[^\p{L}\p{N}]/gu, '');
const stem = (name: string) => name.replace(/^.*[\\/]/, '').replace(/\.[^.]{1,8}$/, '');

/** The documents that a short text names: by identifier, by file name, or by the name of their type. */
export function documentsNamed(text: string, { corpus, completeness }: Known): readonly CorpusDocument[] {
  const own = compact(text);
  const documents = usableDocuments(corpus);
  const byId = documents.filter((one) => {
    const id = compact(completeness.documentIds.get(one.id) ?? '');
    return id.length >= 4 && own.includes(id);
  });
  if (byId.length > 0) return byId;
  const byFile = documents.filter((one) => {
    const file = compact(stem(one.name).replace(/^\d+[\s_.-]*/u, ''));
    return (
      file.length >= SHORTEST_NAME &&
      (own.includes(file) || (own.length >= SHORTEST_NAME * 2 && file.includes(own)))
    );
  });
  if (byFile.length > 0) return byFile;
  return documents.filter((one) =>
    one.parts.some((part) => part.whole && namesType(text, part.typeId, { corpus })),
  );
}

/** Whether a text has one of the names of a type of document. */
export function namesType(text: string, typeId: string, { corpus }: Pick<Known, 'corpus'>): boolean {
  return finderOf(typeId, corpus)(text).length > 0;
}

const finders = new WeakMap<object, Map<string, ReturnType<typeof phraseFinder>>>();

/** Finds the names of a type of document in a text. */
export function finderOf(typeId: string, corpus: Known['corpus']): ReturnType<typeof phraseFinder> {
  const own = finders.get(corpus) ?? new Map<string, ReturnType<typeof phraseFinder>>();
  finders.set(corpus, own);
  let find = own.get(typeId);
  if (!find) {
    const type = corpus.documentTypes.get(typeId);
    find = phraseFinder(type ? [...new Set([type.name.en, type.name.de, ...type.aliases])] : []);
    own.set(typeId, find);
  }
  return find;
}

/** The version of a document: as it states it, else as it was uploaded. */
export function versionOf(
  { corpus }: Known,
  document: CorpusDocument,
): { readonly value: string; readonly stated: boolean } {
  const field = fieldOf(corpus, 'version', document.id);
  return field.state === 'present' && field.value !== undefined
    ? { value: plainVersion(field.value), stated: true }
    : { value: plainVersion(document.version), stated: false };
}

/** The version that stands in a text: `1.2` of "HARA v1.2". */
export function versionIn(text: string): string | undefined {
  return new RegExp(checkWords().version, 'iu').exec(text)?.groups?.version;
}

/** The version that a reference ends with, without the word: `1.2` of "HARA of the door 1.2". */
export function bareVersionIn(text: string): string | undefined {
  return new RegExp(checkWords().bareVersion, 'iu').exec(text.trim())?.groups?.version;
}

/** `1.2` of `V1.2`, `Version 1.2`, `1.20` stays as it is. */
export function plainVersion(text: string): string {
  return normaliseText(text)
    .replace(/^(?:v|ver|version|rev|revision|issue|stand)[\s.:]*(?=\d)/, '')
    .trim();
}

/** Whether two versions are the same; `1` and `1.0` are. */
export function isSameVersion(a: string, b: string): boolean {
  const parts = (version: string) => plainVersion(version).replace(/(?:\.0+)+$/, '');
  return parts(a) === parts(b);
}
