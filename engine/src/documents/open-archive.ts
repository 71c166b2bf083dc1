import { detectFormat, isArchive, isZip, kindOfZip } from './detect-format.js';
import type { DocumentFormat } from './document.js';
import { corruptFile, DocumentError, emptyFile, fileTooComplex, fileTooLarge } from './document-error.js';
import { listZip, type PackedFile } from './files/zip-archive.js';
import { DEFAULT_LIMITS, type ReadingLimits } from './reading-limits.js';

/** One file in an archive of documents. */
export interface ArchivedFile {
  /** Where it stands among the files, from 0; the same whenever the same bytes are opened. */
  readonly position: number;
  /** Folders and name, `/` between them: to be shown and compared, never to be opened. */
  readonly path: string;
  /** Why it is not unpacked. */
  readonly refused?: DocumentError;
}

/** A ZIP file of documents. Its files are unpacked one at a time and never to disk. */
export interface Archive {
  /** In the order of their paths; without folders and what operating systems add. */
  readonly files: readonly ArchivedFile[];
  /**
   * The bytes of one file and the format that they are in. Throws `DocumentError`: its `refused`, what is wrong with the
   * bytes, `unsupported_format` for what no reader reads and for an archive in the archive.
   */
  unpack(file: ArchivedFile): Promise<{ readonly content: Buffer; readonly format: DocumentFormat }>;
  close(): void;
}

/** What operating systems put into archives beside the files. */
const CLUTTER = /(?:^|\/)(?:__MACOSX\/.*|\._[^/]*|\.DS_Store|Thumbs\.db|desktop\.ini)$/i;
const LONGEST_PATH = 1000;

/**
 * Opens a ZIP file of documents; undefined for all other bytes, a document in ZIP form (Office, OpenDocument, ReqIFZ)
 * among them. The content decides; the name only tells an exchange of requirements from an archive that holds one.
 * A file that must not be unpacked says why, the others are not its concern; the limit for unpacked bytes holds for
 * all of them together. Throws `DocumentError` when there is no directory, nothing in it, or too much.
 */
export async function openArchive(
  bytes: Uint8Array,
  fileName: string,
  limits: ReadingLimits = DEFAULT_LIMITS,
): Promise<Archive | undefined> {
  if (!isZip(bytes)) return undefined;
  const zip = await listZip(bytes, limits);
  const names = zip.files.map(({ name }) => name);
  if (kindOfZip(names, fileName) !== 'archive') {
    zip.close();
    return undefined;
  }
  const packed = zip.files
    .filter(({ name }) => !name.endsWith('/') && !CLUTTER.test(name))
    .sort((one, other) => (one.name < other.name ? -1 : Number(one.name > other.name)));
  if (packed.length === 0) throw emptyFile();
  const files = checkTogether(packed, limits);
  return {
    files,
    async unpack({ position, path }) {
      const { refused } = files[position]!;
      if (refused) throw refused;
      const content = await unpack(packed[position]!, limits);
      if (await isArchive(content, path, limits)) throw nestedArchive();
      return { content, format: await detectFormat(content, path, limits) };
    },
    close: zip.close,
  };
}

/** Paths as they are shown, with what can be said of each beside the ones before it. */
function checkTogether(packed: readonly PackedFile[], limits: ReadingLimits): ArchivedFile[] {
  const paths = new Set<string>();
  let unpacked = 0;
  return packed.map((file, position) => {
    const path = cleanPath(file.name);
    const refused = file.problem ?? pathProblem(path, paths, limits) ?? sizeProblem(file.size);
    if (refused) return { position, path: [...path].slice(0, LONGEST_PATH).join(''), refused };
    paths.add(path);
    unpacked += file.size;
    return { position, path };
  });

  function sizeProblem(size: number): DocumentError | undefined {
    if (size > limits.maxBytes)
      return fileTooLarge(`The file is larger than ${megabytes(limits.maxBytes)} MB.`);
    if (unpacked + size <= limits.maxUnpackedBytes) return undefined;
    return new DocumentError(
      'too_large',
      `With this file the archive unpacks to more than ${megabytes(limits.maxUnpackedBytes)} MB.`,
      'Split the archive into smaller ones and upload those.',
    );
  }
}

function pathProblem(
  path: string,
  before: ReadonlySet<string>,
  limits: ReadingLimits,
): DocumentError | undefined {
  if (!/[\p{L}\p{N}]/u.test(path.split('/').at(-1) ?? '') || path.length > LONGEST_PATH) {
    return new DocumentError(
      'unsafe_content',
      `The name of the file has no letter or digit, or more than ${LONGEST_PATH} characters with its folders.`,
      'Give it another name and pack it again.',
    );
  }
  if (path.split('/').length > limits.maxDepth) {
    return fileTooComplex(
      `The file lies more than ${limits.maxDepth} folders deep.`,
      'Pack it into fewer folders.',
    );
  }
  return before.has(path) ? corruptFile('its archive lists the same name twice') : undefined;
}

async function unpack(file: PackedFile, limits: ReadingLimits): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of file.stream()) {
    size += chunk.length;
    if (size > limits.maxBytes)
      throw fileTooLarge(`The file is larger than ${megabytes(limits.maxBytes)} MB.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** A path that can be shown and stored: no control characters, no empty or dot parts. */
function cleanPath(name: string): string {
  return name
    .normalize('NFC')
    .replace(/\p{C}/gu, '')
    .split('/')
    .map((part) => part.trim())
    .filter((part) => part !== '' && part !== '.')
    .join('/');
}

function nestedArchive(): DocumentError {
  return new DocumentError(
    'unsupported_format',
    'The file is an archive inside an archive.',
    'Unpack it and upload the documents in it.',
  );
}

const megabytes = (bytes: number): number => Math.round(bytes / 1024 / 1024);
