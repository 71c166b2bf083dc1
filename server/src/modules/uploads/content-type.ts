import { DOCUMENT_MEDIA_TYPES, type FirstBytes } from '@normtrace/engine';

/** Media types that may be announced, with what their first bytes must look like; `any` leaves it to the content. */
const ACCEPTED: ReadonlyMap<string, FirstBytes | 'any'> = new Map<string, FirstBytes | 'any'>([
  ...DOCUMENT_MEDIA_TYPES,
  ['application/zip', 'zip'],
  ['application/x-zip-compressed', 'zip'],
  ['application/octet-stream', 'any'],
  // What some systems announce CSV files as.
  ['application/vnd.ms-excel', 'any'],
]);

const MEDIA_TYPE = /^([a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+)(;\s*charset=[a-z0-9_-]+)?$/i;

/** Bytes of a file that `contradiction` wants to see. */
export const HEAD_BYTES = 4096;

/** The media type without parameters when it may be announced. */
export function acceptedMediaType(contentType: string): string | undefined {
  const type = MEDIA_TYPE.exec(contentType)?.[1]?.toLowerCase();
  return type !== undefined && ACCEPTED.has(type) ? type : undefined;
}

/**
 * Why these first bytes cannot be of the announced type; undefined when they may be. Only what is certain: the
 * reader decides by the whole content.
 */
export function contradiction(head: Buffer, contentType: string): string | undefined {
  const executable = executableKind(head);
  if (executable) return `The file is ${executable}, not a document.`;
  const type = acceptedMediaType(contentType);
  const bytes = ACCEPTED.get(type ?? '');
  if (typeof bytes === 'object' && !head.subarray(0, 1024).includes(bytes.signature)) {
    return `The file was announced as ${bytes.title}, but its content is not a ${bytes.title}.`;
  }
  // Old and encrypted Office files begin with this signature; the reader says what to do about them.
  const isCompoundFile = head.subarray(0, 4).equals(Buffer.from('d0cf11e0', 'hex'));
  if (bytes === 'zip' && !head.subarray(0, 2).equals(Buffer.from('PK')) && !isCompoundFile) {
    return `The file was announced as ${type}, but its content is not of that kind.`;
  }
  if (bytes === 'text' && !looksLikeText(head)) {
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
