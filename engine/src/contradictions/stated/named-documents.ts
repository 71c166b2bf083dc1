import type { Corpus } from '../../corpus/corpus.js';
import { fieldOf } from '../../corpus/metadata-fields.js';
import { bareVersion, type StatedDocument } from '../../facts/stated/stated-documents.js';
import { normaliseText } from '../../text/normalise.js';

export const VERSION = /^v?\.?\s*(\d+(?:\.\d+){0,3}|[A-Z])$/iu;

/** With digits, or of several parts in capitals. */
const IS_NUMBER = /\d|^\p{Lu}[\p{Lu}\d]*(?:[-_./][\p{Lu}\d]+)+$/u;
/** Numbers of few signs stand in too many places. */
const SHORTEST_NUMBER = 5;

/** Documents with a number of their own and a version. */
export function numbered(documents: readonly StatedDocument[]) {
  return documents.flatMap((one) => {
    const [number, version] = [one.number?.value?.trim() ?? '', bareVersion(one.version?.value ?? '')];
    return number.length >= SHORTEST_NUMBER && IS_NUMBER.test(number) && VERSION.test(version)
      ? [{ ...one, number, numberField: one.number!, versionNow: version }]
      : [];
  });
}

type Numbered = ReturnType<typeof numbered>[number];
/** Called by a name; it may have no number. */
export type Named = Omit<Numbered, 'numberField'>;

/** Documents by what they are called in sentences: names of their type where no other document has it, and of their file. */
export function documentNames(corpus: Corpus, documents: readonly StatedDocument[]) {
  const byName = new Map<string, { readonly name: string; readonly documents: Named[] }>();
  for (const one of documents) {
    const file = fileOf(one.document.name);
    const stated = bareVersion(one.version?.value ?? '');
    const versionNow = VERSION.test(stated) ? stated : file.version;
    if (versionNow === undefined) continue;
    const types = one.document.parts.filter((part) => part.whole).map(({ typeId }) => typeId);
    const title = fieldOf(corpus, 'title', one.document.id).value?.trim() ?? '';
    const names = [
      one.document.name.replaceAll(/^.*\/|\.[^.]+$/gu, ''),
      title,
      ...file.names,
      ...types.flatMap((type) => {
        const known = corpus.documentTypes.get(type);
        return known ? [known.name.en, known.name.de, ...known.aliases] : [];
      }),
    ];
    for (const name of names.filter(({ length }) => length >= SHORTEST_NAME)) {
      const key = keyOf(name);
      const number = one.number?.value?.trim() || one.document.name;
      const target: Named = { ...one, number, versionNow };
      const same = byName.get(key);
      if (!same) byName.set(key, { name, documents: [target] });
      else if (same.documents.every(({ document }) => document !== one.document)) same.documents.push(target);
    }
  }
  return new Map([...byName].filter(([, { documents: called }]) => called.length === 1));
}

/** One spelling of a name: `Item-Definition` and `Item definition`. */
export const keyOf = (name: string) => normaliseText(name).replaceAll(/[\s-]+/g, ' ');

/** Abbreviations of two letters mean too much. */
const SHORTEST_NAME = 3;

/** "X-FC-004_FSC_Rev2.docx": its version, and what comes before that, the whole and a number at its start. */
function fileOf(name: string): { readonly version?: string; readonly names: readonly string[] } {
  const stem = name.replaceAll(/^.*\/|\.[^.]+$/gu, '');
  const match =
    /^(?<name>.{3,}?)[\s_-]+(?:v|ver|version|rev|revision|issue|stand)\.?[\s_-]?(?<version>\d+(?:\.\d+){0,3}|[A-Z])$/iu.exec(
      stem,
    );
  if (!match?.groups) return { names: [] };
  const [first] = match.groups.name!.split('_');
  const isNumber =
    first!.length >= SHORTEST_NUMBER && /^\p{Lu}[\p{Lu}\d]*(?:-[\p{Lu}\d]+)*-\d+$/u.test(first!);
  return { version: match.groups.version!, names: [match.groups.name!, ...(isNumber ? [first!] : [])] };
}
