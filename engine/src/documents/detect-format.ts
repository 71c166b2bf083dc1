import type { DocumentFormat } from './document.js';
import { DocumentError, emptyFile } from './document-error.js';
import { decodeText, encodingByMark, utf16ByZeroBytes } from './files/decode-text.js';
import { isExchangePart } from './files/exchange-part.js';
import { openOfficePackage } from './files/office-package.js';
import { encryptedFile, openZip, type ZipArchive } from './files/zip-archive.js';
import type { TextClue, TextMark } from './format-entry.js';
import { endingOf, endingsOf, marksOf } from './formats.js';
import { isDocumentFile } from './readable-files.js';
import type { ReadingLimits } from './reading-limits.js';

const LOOKED_AT = 64 * 1024;
const OLE_SIGNATURE = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const SIGNATURES = marksOf('signature');
const OFFICE = marksOf('office');
const OPEN_DOCUMENT = marksOf('open_document');
const EXCHANGES = marksOf('exchange');
const TEXTS = marksOf('text');
/** Formats of plain text by the endings that say so. */
const BY_ENDING = {
  document: formatsByEnding('document'),
  source: formatsByEnding('source'),
};
/** In the order in which they are asked. */
const CLUES = TEXTS.flatMap(({ format, entry, mark }) =>
  mark.clues.map((clue) => ({ format, endings: endingsOf(entry), ...clue })),
).sort((one, other) => (other.strength ?? 0) - (one.strength ?? 0));

/**
 * Says which format the bytes are, by their content. The name decides only among formats that are plain text.
 * Throws `DocumentError`: `empty`, `encrypted`, `unsupported_format`, `corrupt`, or what opening an archive finds.
 */
export async function detectFormat(
  bytes: Uint8Array,
  fileName: string,
  limits: ReadingLimits,
): Promise<DocumentFormat> {
  if (bytes.length === 0) throw emptyFile();
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, LOOKED_AT));
  for (const { mark, format } of SIGNATURES)
    if (start.subarray(0, 1024).includes(mark.signature)) return format;
  if (isZip(bytes)) return detectZipFormat(bytes, fileName, limits);
  if (start.subarray(0, 8).equals(OLE_SIGNATURE)) throw oleFile(bytes);
  if (!looksLikeText(start)) throw await binaryFile(bytes);
  return detectTextFormat(decodeText(start).text, fileName);
}

/** Whether the bytes are a ZIP file of documents, as `openArchive` opens, and not a document in ZIP form. */
export async function isArchive(
  bytes: Uint8Array,
  fileName: string,
  limits: ReadingLimits,
): Promise<boolean> {
  if (!isZip(bytes)) return false;
  const zip = await openZip(bytes, limits);
  zip.close();
  return zip.names.length > 0 && kindOfZip(zip.names, fileName) === 'archive';
}

/** Whether the bytes begin as a ZIP file does. */
export function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2]! <= 8;
}

/** What a ZIP file is, by the names of its entries; its own name tells an exchange from an archive that holds one. */
export function kindOfZip(
  names: readonly string[],
  fileName: string,
): 'office' | 'open_document' | 'exchange' | 'archive' {
  if (names.includes('[Content_Types].xml')) return 'office';
  if (names.includes('mimetype') && names.includes('content.xml')) return 'open_document';
  return exchangeFormat(names, fileName) ? 'exchange' : 'archive';
}

/** Pictures and objects beside the parts of an exchange are attachments; other documents are documents. */
function exchangeFormat(names: readonly string[], fileName: string): DocumentFormat | undefined {
  return EXCHANGES.find(
    ({ mark }) =>
      names.some((name) => isExchangePart(name, mark.partEnding)) &&
      (endingOf(fileName) === mark.ending ||
        !names.some((name) => isDocumentFile(name) && endingOf(name) !== mark.partEnding)),
  )?.format;
}

async function detectZipFormat(
  bytes: Uint8Array,
  fileName: string,
  limits: ReadingLimits,
): Promise<DocumentFormat> {
  const zip = await openZip(bytes, limits);
  try {
    if (zip.names.length === 0) throw emptyFile();
    const kind = kindOfZip(zip.names, fileName);
    if (kind === 'exchange') return exchangeFormat(zip.names, fileName)!;
    if (kind === 'archive') throw unsupported('ZIP archive', 'Unpack it and upload the documents in it.');
    if (kind === 'open_document') return await detectOpenDocumentFormat(zip);
  } finally {
    zip.close();
  }
  const file = await openOfficePackage(bytes, limits);
  file.close();
  const found = OFFICE.find(({ mark }) => mark.mainType.test(file.mainType));
  if (found) return found.format;
  throw unsupported('Office file of another kind', 'Save it as DOCX, XLSX, PPTX or PDF and upload that.');
}

async function detectOpenDocumentFormat(zip: ZipArchive): Promise<DocumentFormat> {
  const type = (await zip.bytes('mimetype')).toString('latin1', 0, 200);
  const found = OPEN_DOCUMENT.find(({ mark }) => mark.mimeType.test(type));
  if (found) return found.format;
  throw unsupported('OpenDocument file of another kind', 'Save it as ODT, ODS or PDF and upload that.');
}

/** Office 97 files and encrypted newer ones share one container format. */
function oleFile(bytes: Uint8Array): DocumentError {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.includes(Buffer.from('EncryptedPackage', 'utf16le'))) return encryptedFile();
  return unsupported('file of an older Office program', 'Save it as DOCX, XLSX or PDF and upload that.');
}

async function binaryFile(bytes: Uint8Array): Promise<DocumentError> {
  const { fileTypeFromBuffer } = await import('file-type');
  const type = await fileTypeFromBuffer(bytes.subarray(0, LOOKED_AT)).catch(() => undefined);
  return unsupported(type ? `${type.ext.toUpperCase()} file` : 'binary file', SUPPORTED);
}

const SUPPORTED =
  'Upload PDF, an Office or OpenDocument file, CSV, Markdown, HTML, reStructuredText, plain text, JSON, YAML, ReqIF or JUnit XML.';

function unsupported(what: string, hint: string): DocumentError {
  return new DocumentError(
    'unsupported_format',
    `The content is that of a ${what}, which cannot be read.`,
    hint,
  );
}

/** Text has no zero bytes (but UTF-16 has) and hardly any control characters. */
function looksLikeText(start: Uint8Array): boolean {
  if (encodingByMark(start) || utf16ByZeroBytes(start)) return true;
  let controls = 0;
  for (const byte of start) {
    if (byte === 0) return false;
    if (byte < 9 || (byte > 13 && byte < 32 && byte !== 27)) controls++;
  }
  return controls <= 2 + start.length * 0.01;
}

function detectTextFormat(start: string, fileName: string): DocumentFormat {
  if (start.startsWith('{\\rtf'))
    throw unsupported('rich text file', 'Save it as DOCX or PDF and upload that.');
  const lead = start.trimStart().slice(0, 2000);
  const ending = endingOf(fileName);
  const named = BY_ENDING.document.get(ending);
  const clue = (when: TextClue['decides']) =>
    CLUES.find(
      ({ decides, endings, fits }) =>
        decides === when &&
        (when !== 'unless_named' || !named || endings.includes(ending)) &&
        fits(start, lead),
    )?.format;
  const markup = clue('always');
  if (markup) return markup;
  if (/^<\?xml\b/.test(lead)) throw unsupported('XML file', SUPPORTED);
  if (lead.startsWith('%!PS')) throw unsupported('PostScript file', 'Save it as PDF and upload that.');
  return (
    BY_ENDING.source.get(ending) ??
    clue('unless_source') ??
    clue('unless_named') ??
    named ??
    clue('without_name')!
  );
}

function formatsByEnding(says: TextMark['ending']): ReadonlyMap<string, DocumentFormat> {
  return new Map(
    TEXTS.filter(({ mark }) => mark.ending === says).flatMap(({ format, entry }) =>
      endingsOf(entry).map((ending) => [ending, format] as const),
    ),
  );
}
