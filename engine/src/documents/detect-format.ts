import type { DocumentFormat } from './document.js';
import { DocumentError, emptyFile } from './document-error.js';
import { decodeText, encodingByMark, utf16ByZeroBytes } from './files/decode-text.js';
import { openOfficePackage } from './files/office-package.js';
import { isReqifPart } from './files/reqif-part.js';
import { encryptedFile, openZip, type ZipArchive } from './files/zip-archive.js';
import { isDocumentFile } from './readable-files.js';
import type { ReadingLimits } from './reading-limits.js';

const LOOKED_AT = 64 * 1024;
const OLE_SIGNATURE = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const MAIN_TYPES: readonly (readonly [RegExp, DocumentFormat])[] = [
  [/wordprocessingml\.(?:document|template)\.main|ms-word\.(?:document|template)\.macroEnabled/, 'docx'],
  [/spreadsheetml\.(?:sheet|template)\.main|ms-excel\.(?:sheet|template)\.macroEnabled/, 'xlsx'],
  [
    /presentationml\.(?:presentation|slideshow|template)\.main|ms-powerpoint\.(?:presentation|slideshow|template)\.macroEnabled/,
    'pptx',
  ],
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
  json: 'json',
  jsonl: 'json',
  ndjson: 'json',
  yaml: 'yaml',
  yml: 'yaml',
  sdoc: 'strictdoc',
  trlc: 'trlc',
  rsl: 'trlc',
};
/** Extensions of source text, which says nothing reliable about itself. */
const SOURCE_EXTENSIONS = new Set(
  `adb ads asm c cc cfg cmake cpp cs cxx feature go gradle groovy h hh hpp hxx ino inc ini ipp java jl js jsx kt
   kts lua m mm php pl plantuml proto pu puml py pyi r rb resource robot rs s scala sh sql sv svh swift toml tpp ts tsx
   v vhd vhdl`.split(/\s+/),
);

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
): 'office' | 'open_document' | 'reqif' | 'archive' {
  if (names.includes('[Content_Types].xml')) return 'office';
  if (names.includes('mimetype') && names.includes('content.xml')) return 'open_document';
  if (!names.some(isReqifPart)) return 'archive';
  // Pictures and objects beside requirements are attachments; other documents are documents.
  return /\.reqifz$/i.test(fileName) || !names.some((name) => isDocumentFile(name) && !/\.reqif$/i.test(name))
    ? 'reqif'
    : 'archive';
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
    if (kind === 'reqif') return 'reqif';
    if (kind === 'archive') throw unsupported('ZIP archive', 'Unpack it and upload the documents in it.');
    if (kind === 'open_document') return await detectOpenDocumentFormat(zip);
  } finally {
    zip.close();
  }
  const file = await openOfficePackage(bytes, limits);
  file.close();
  for (const [type, format] of MAIN_TYPES) if (type.test(file.mainType)) return format;
  throw unsupported('Office file of another kind', 'Save it as DOCX, XLSX, PPTX or PDF and upload that.');
}

async function detectOpenDocumentFormat(zip: ZipArchive): Promise<DocumentFormat> {
  const type = (await zip.bytes('mimetype')).toString('latin1', 0, 200);
  if (/opendocument\.text(?:-template)?\s*$/.test(type)) return 'odt';
  if (/opendocument\.spreadsheet(?:-template)?\s*$/.test(type)) return 'ods';
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
  if (/^(?:<\?xml[^>]*>\s*)?(?:<!--(?:[^-]|-(?!->))*-->\s*)*(?:<!doctype html|<html\b)/i.test(lead))
    return 'html';
  const xml = detectXmlFormat(start);
  if (xml) return xml;
  if (/^<\?xml\b/.test(lead)) throw unsupported('XML file', SUPPORTED);
  if (lead.startsWith('%!PS')) throw unsupported('PostScript file', 'Save it as PDF and upload that.');
  const extension = /\.([a-z0-9]+)$/i.exec(fileName)?.[1]?.toLowerCase() ?? '';
  if (SOURCE_EXTENSIONS.has(extension)) return 'source';
  if (/^\[DOCUMENT\]\s*\n/.test(lead)) return 'strictdoc';
  if ((extension === 'json' || !FORMAT_BY_EXTENSION[extension]) && /^(?:\{\s*["}]|\[\s*[[{"\]])/.test(lead)) {
    return isNeedsFile(start) ? 'sphinx_needs' : 'json';
  }
  return FORMAT_BY_EXTENSION[extension] ?? guessTextFormat(start);
}

/** By the name of the root element, or of the document type that a file must not have. */
function detectXmlFormat(start: string): DocumentFormat | undefined {
  const root =
    /^\s*(?:<\?[^>]*\?>\s*|<!--(?:[^-]|-(?!->))*-->\s*)*<(?:!DOCTYPE\s+)?(?:[\w.-]+:)?([\w.-]+)/.exec(
      start,
    )?.[1];
  if (root === 'REQ-IF') return 'reqif';
  return root === 'testsuites' || root === 'testsuite' ? 'junit' : undefined;
}

/** The keys that sphinx-needs writes before anything else. */
function isNeedsFile(start: string): boolean {
  return /"current_version"\s*:/.test(start) && /"versions"\s*:\s*\{/.test(start);
}

function guessTextFormat(start: string): DocumentFormat {
  if (/^\.\. [\w-]+::|^:[\w-]+:`/m.test(start)) return 'rst';
  if (/^#{1,6} \S|^\|(?: ?:?-+:? ?\|)+|^(?:```|~~~)/m.test(start)) return 'markdown';
  if (/^\S.*\n(=|-|~|\^)\1{3,}[ \t]*$/m.test(start)) return 'rst';
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
