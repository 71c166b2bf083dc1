import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type AnalysedDocument, type Document, DocumentError, type DocumentReader } from '@normtrace/engine';

const READABLE = /\.(?:pdf|docx|xlsx|csv|md|html?|txt|rst|reqifz?|sdoc|trlc|json|ya?ml|xml)$/i;

/** Names below the folder to paths, in order. */
export function filesIn(folder: string): ReadonlyMap<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => READABLE.test(name) && !/(?:^|\/)(?:LICENSE|NOTICE)/.test(name))
    .sort();
  return new Map(names.map((name) => [name, join(folder, name)]));
}

/** A variant of a folder: only the files that differ are there, `REMOVED.txt` names those that are not. */
export function variantOf(base: string, variant: string): ReadonlyMap<string, string> {
  const files = new Map([...filesIn(base), ...filesIn(variant)]);
  const removed = join(variant, 'REMOVED.txt');
  if (existsSync(removed)) {
    for (const name of readFileSync(removed, 'utf8').split(/\r?\n/)) files.delete(name.trim());
  }
  files.delete('REMOVED.txt');
  return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Reads files as the command line does; the same bytes under the same name are read once. */
export function documentsReader(
  reader: DocumentReader,
): (files: ReadonlyMap<string, string>) => Promise<readonly AnalysedDocument[]> {
  const known = new Map<string, Document | undefined>();
  return async (files) => {
    const documents: AnalysedDocument[] = [];
    for (const [name, path] of files) {
      const bytes = readFileSync(path);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const key = `${basename(name)} ${sha256}`;
      if (!known.has(key)) known.set(key, await readOrNone(reader, bytes, name));
      const document = known.get(key);
      if (document) documents.push({ id: name, name, version: '1', sha256, document });
    }
    return documents;
  };
}

async function readOrNone(
  reader: DocumentReader,
  bytes: Uint8Array,
  name: string,
): Promise<Document | undefined> {
  try {
    return await reader.read(bytes, { fileName: basename(name) });
  } catch (error) {
    if (error instanceof DocumentError) return undefined;
    throw error;
  }
}
