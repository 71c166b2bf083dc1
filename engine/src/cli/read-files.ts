import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import type { AnalysedDocument } from '../corpus/analysed-document.js';
import { DocumentError } from '../documents/document-error.js';
import { createDocumentReader } from '../documents/document-reader.js';
import { isReadableFile } from '../documents/readable-files.js';
import { CommandError } from './command-error.js';
import type { Progress } from './progress.js';

/** A file that was given but is not part of the analysis. */
export interface NotAssessed {
  readonly name: string;
  readonly reason: string;
  readonly hint: string;
}

export interface ReadFiles {
  readonly documents: readonly AnalysedDocument[];
  readonly notAssessed: readonly NotAssessed[];
  /** Names of those that are of a readable kind and could not be read. */
  readonly unread: readonly string[];
}

const READ_KINDS =
  'Export it as PDF, Word, Excel, PowerPoint, OpenDocument, CSV, Markdown, reStructuredText, HTML, text, ReqIF, JSON or YAML.';
const DEEPEST_FOLDER = 12;

/**
 * Reads the documents of folders and files, each in a limited child process. Files that cannot be read are listed
 * with a reason. Throws `CommandError` for a path that does not exist and when no document could be read.
 */
export async function readFiles(
  paths: readonly string[],
  progress: Progress,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<ReadFiles> {
  const found = (await Promise.all(paths.map((path) => filesUnder(path)))).flat();
  const notAssessed: NotAssessed[] = found
    .filter((file) => !isReadableFile(file.name))
    .map((file) => ({
      name: file.name,
      reason: 'The kind of file is not read.',
      hint: READ_KINDS,
    }));
  const readable = found.filter((file) => isReadableFile(file.name));
  const documents: AnalysedDocument[] = [];
  const unread: string[] = [];
  const reader = createDocumentReader();
  try {
    for (const [at, file] of readable.entries()) {
      progress.step(`Reading: ${file.name}`, at, readable.length);
      const bytes = await readFile(file.path);
      try {
        const document = await reader.read(bytes, {
          fileName: basename(file.path),
          ...(signal ? { signal } : {}),
        });
        const sha256 = createHash('sha256').update(bytes).digest('hex');
        documents.push({ id: file.name, name: file.name, version: '1', sha256, document });
      } catch (error) {
        if (!(error instanceof DocumentError)) throw error;
        unread.push(file.name);
        notAssessed.push({ name: file.name, reason: error.message, hint: error.hint });
        progress.note(`Not assessed: ${file.name}. ${error.message} ${error.hint}`);
      }
    }
  } finally {
    await reader.close();
  }
  if (documents.length === 0) {
    throw new CommandError(
      `No document could be read under ${paths.join(', ')}.`,
      'Give a folder or files with documents: PDF, Word, Excel, Markdown, ReqIF, CSV, text and others.',
    );
  }
  return { documents, notAssessed, unread };
}

async function filesUnder(path: string): Promise<{ path: string; name: string }[]> {
  let isFolder: boolean;
  try {
    isFolder = (await stat(path)).isDirectory();
  } catch {
    throw new CommandError(
      `There is no file or folder "${path}".`,
      'Check the path; quote names that have spaces.',
    );
  }
  if (!isFolder) return [{ path, name: basename(path) }];
  const files = await walk(path, 0);
  return files
    .map((file) => ({ path: file, name: relative(path, file).split(sep).join('/') }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Hidden files, temporary files of office programs and links are left out. */
async function walk(folder: string, depth: number): Promise<string[]> {
  if (depth > DEEPEST_FOLDER) return [];
  const entries = await readdir(folder, { withFileTypes: true });
  const lists = await Promise.all(
    entries
      .filter((entry) => !entry.name.startsWith('.') && !entry.name.startsWith('~$'))
      .map((entry) => {
        const path = join(folder, entry.name);
        if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : walk(path, depth + 1);
        return entry.isFile() ? [path] : [];
      }),
  );
  return lists.flat();
}
