import type { DocumentFormat } from '@normtrace/engine';

/** What the first bytes of a file can tell. */
type Family = 'pdf' | 'zip' | 'text';

const OFFICE = 'application/vnd.openxmlformats-officedocument';
const OPEN = 'application/vnd.oasis.opendocument';

/** Media types that may be announced, with what their first bytes must look like; `any` leaves it to the content. */
const ACCEPTED: Readonly<Record<string, Family | 'any'>> = {
  'application/octet-stream': 'any',
  'application/pdf': 'pdf',
  [`${OFFICE}.wordprocessingml.document`]: 'zip',
  [`${OFFICE}.spreadsheetml.sheet`]: 'zip',
  [`${OFFICE}.presentationml.presentation`]: 'zip',
  [`${OPEN}.text`]: 'zip',
  [`${OPEN}.spreadsheet`]: 'zip',
  'application/zip': 'zip',
  'application/x-zip-compressed': 'zip',
  'application/json': 'text',
  'application/yaml': 'text',
  'application/x-yaml': 'text',
  'application/xml': 'text',
  'application/xhtml+xml': 'text',
  'application/csv': 'text',
  'application/vnd.ms-excel': 'any',
  'text/csv': 'text',
  'text/html': 'text',
  'text/markdown': 'text',
  'text/x-markdown': 'text',
  'text/plain': 'text',
  'text/prs.fallenstein.rst': 'text',
  'text/x-rst': 'text',
  'text/xml': 'text',
  'text/yaml': 'text',
};

/** Media types of what nobody announced; other formats are plain text. */
const OF_FORMAT: Partial<Readonly<Record<DocumentFormat, string>>> = {
  pdf: 'application/pdf',
  docx: `${OFFICE}.wordprocessingml.document`,
  xlsx: `${OFFICE}.spreadsheetml.sheet`,
  pptx: `${OFFICE}.presentationml.presentation`,
  odt: `${OPEN}.text`,
  ods: `${OPEN}.spreadsheet`,
  csv: 'text/csv',
  markdown: 'text/markdown',
  html: 'text/html',
  rst: 'text/x-rst',
  json: 'application/json',
  sphinx_needs: 'application/json',
  yaml: 'application/yaml',
  reqif: 'application/xml',
  junit: 'application/xml',
};

/** The media type of a file in this format. */
export const mediaTypeOf = (format: DocumentFormat): string => OF_FORMAT[format] ?? 'text/plain';

const MEDIA_TYPE = /^([a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+)(;\s*charset=[a-z0-9_-]+)?$/i;

/** Bytes of a file that `contradiction` wants to see. */
export const HEAD_BYTES = 4096;

/** The media type without parameters when it may be announced. */
export function acceptedMediaType(contentType: string): string | undefined {
  const type = MEDIA_TYPE.exec(contentType)?.[1]?.toLowerCase();
  return type !== undefined && Object.hasOwn(ACCEPTED, type) ? type : undefined;
}

/**
 * Why these first bytes cannot be of the announced type; undefined when they may be. Only what is certain: the
 * reader decides by the whole content.
 */
export function contradiction(head: Buffer, contentType: string): string | undefined {
  const executable = executableKind(head);
  if (executable) return `The file is ${executable}, not a document.`;
  const type = acceptedMediaType(contentType);
  const family = type === undefined ? 'any' : ACCEPTED[type];
  if (family === 'pdf' && !head.subarray(0, 1024).includes('%PDF-')) {
    return 'The file was announced as PDF, but its content is not a PDF.';
  }
  // Old and encrypted Office files begin with this signature; the reader says what to do about them.
  const isCompoundFile = head.subarray(0, 4).equals(Buffer.from('d0cf11e0', 'hex'));
  if (family === 'zip' && !head.subarray(0, 2).equals(Buffer.from('PK')) && !isCompoundFile) {
    return `The file was announced as ${type}, but its content is not of that kind.`;
  }
  if (family === 'text' && !looksLikeText(head)) {
    return `The file was announced as ${type}, but its content is not text.`;
  }
  return undefined;
}

function executableKind(head: Buffer): string | undefined {
  if (head.subarray(0, 4).equals(Buffer.from('7f454c46', 'hex'))) return 'a program (ELF)';
  if (head.subarray(0, 2).toString('latin1') === 'MZ' && head.includes('PE\0\0', 0, 'latin1')) {
    return 'a program (Windows)';
  }
  const magic = head.length >= 4 ? head.readUInt32BE(0) : 0;
  if ([0xfeedface, 0xfeedfacf, 0xcefaedfe, 0xcffaedfe].includes(magic)) return 'a program (Mach-O)';
  return undefined;
}

function looksLikeText(head: Buffer): boolean {
  const mark = head.subarray(0, 2).toString('hex');
  if (mark === 'fffe' || mark === 'feff') return true;
  return !head.includes(0);
}
