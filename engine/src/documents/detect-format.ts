import { fileTypeFromBuffer } from 'file-type';
import type { DocumentFormat } from './document.js';
import { DocumentError } from './document-error.js';
import { decodeText, encodingByMark, utf16ByZeroBytes } from './files/decode-text.js';
import { openOfficePackage } from './files/office-package.js';
import { encryptedFile, openZip } from './files/zip-archive.js';
import type { ReadingLimits } from './reading-limits.js';

const LOOKED_AT = 64 * 1024;
const OLE_SIGNATURE = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const MAIN_TYPES: readonly (readonly [RegExp, DocumentFormat])[] = [
  [/wordprocessingml\.(?:document|template)\.main|ms-word\.(?:document|template)\.macroEnabled/, 'docx'],
  [/spreadsheetml\.(?:sheet|template)\.main|ms-excel\.(?:sheet|template)\.macroEnabled/, 'xlsx'],
];
const FORMAT_BY_EXTENSION: Readonly<Record<string, DocumentFormat>> = {
  md: 'markdown',
  markdown: 'markdown',
  rst: 'rst',
  rest: 'rst',
  csv: 'csv',
  tsv: 'csv',
  html: 'html',
  htm: 'html',
  xhtml: 'html',
  txt: 'text',
  text: 'text',
};

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
  if (start.subarray(0, 1024).includes('%PDF-')) return 'pdf';
  if (start[0] === 0x50 && start[1] === 0x4b && start[2]! <= 8) return detectOfficeFormat(bytes, limits);
  if (start.subarray(0, 8).equals(OLE_SIGNATURE)) throw oleFile(bytes);
  if (!looksLikeText(start)) throw await binaryFile(bytes);
  return detectTextFormat(decodeText(start).text, fileName);
}

/** Nothing to read: no bytes, or no text in them. */
export function emptyFile(): DocumentError {
  return new DocumentError('empty', 'The file is empty.', 'Check that the upload was complete.');
}

async function detectOfficeFormat(bytes: Uint8Array, limits: ReadingLimits): Promise<DocumentFormat> {
  const zip = await openZip(bytes, limits);
  zip.close();
  if (zip.names.length === 0) throw emptyFile();
  if (!zip.names.includes('[Content_Types].xml')) {
    throw unsupported('ZIP archive', 'Unpack it and upload the documents in it.');
  }
  const file = await openOfficePackage(bytes, limits);
  file.close();
  for (const [type, format] of MAIN_TYPES) if (type.test(file.mainType)) return format;
  throw unsupported('Office file of another kind', 'Save it as DOCX, XLSX or PDF and upload that.');
}

/** Office 97 files and encrypted newer ones share one container format. */
function oleFile(bytes: Uint8Array): DocumentError {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.includes(Buffer.from('EncryptedPackage', 'utf16le'))) return encryptedFile();
  return unsupported('file of an older Office program', 'Save it as DOCX, XLSX or PDF and upload that.');
}

async function binaryFile(bytes: Uint8Array): Promise<DocumentError> {
  const type = await fileTypeFromBuffer(bytes.subarray(0, LOOKED_AT)).catch(() => undefined);
  return unsupported(type ? `${type.ext.toUpperCase()} file` : 'binary file', SUPPORTED);
}

const SUPPORTED = 'Upload PDF, DOCX, XLSX, CSV, Markdown, HTML, reStructuredText or plain text.';

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
  if (/^(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]*?-->\s*)*(?:<!doctype html|<html\b)/i.test(lead)) return 'html';
  if (/^<\?xml\b/.test(lead)) throw unsupported('XML file', SUPPORTED);
  if (lead.startsWith('%!PS')) throw unsupported('PostScript file', 'Save it as PDF and upload that.');
  const extension = /\.([a-z]+)$/i.exec(fileName)?.[1]?.toLowerCase() ?? '';
  return FORMAT_BY_EXTENSION[extension] ?? guessTextFormat(start);
}

function guessTextFormat(start: string): DocumentFormat {
  if (/^\.\. [\w-]+::|^:[\w-]+:`/m.test(start)) return 'rst';
  if (/^#{1,6} \S|^\|(?: ?:?-+:? ?\|)+|^(?:```|~~~)/m.test(start)) return 'markdown';
  if (/^\S.*\n(=|-|~|\^){4,}\1*[ \t]*$/m.test(start)) return 'rst';
  if (/^\s*<(?:head|body|div|table|h1|p)\b/i.test(start)) return 'html';
  return looksLikeTable(start) ? 'csv' : 'text';
}

/** The same number of separators in each of the first lines. */
function looksLikeTable(start: string): boolean {
  const lines = start
    .split(/\r\n?|\n/)
    .slice(0, 10)
    .filter(Boolean);
  if (lines.length < 3) return false;
  return [',', ';', '\t', '|'].some((separator) => {
    const counts = lines.slice(0, -1).map((line) => line.split(separator).length);
    return counts[0]! > 2 && counts.every((count) => count === counts[0]);
  });
}
