import { isAscii, isUtf8 } from 'node:buffer';
import { say } from '../../sentences/sentence.js';
import type { DraftNote } from '../block.js';
import { fileTooLarge } from '../document-error.js';
import type { ReadingLimits } from '../reading-limits.js';
import { noteOf } from '../reading-notes.js';

/**
 * Bytes of a text file as a string, lines ended by line feeds only. Byte order marks decide the encoding; then valid
 * UTF-8; then UTF-16 without a mark, seen by its zero bytes; else windows-1252, which every byte sequence fits, so a
 * note says that it was guessed. Throws `too_large` past `maxCharacters`.
 */
export function readText(bytes: Uint8Array, limits: ReadingLimits): { text: string; notes: DraftNote[] } {
  // A character takes at most four bytes: a file this long is refused before it is decoded.
  if (bytes.length > limits.maxCharacters * 4) throw tooLong(limits);
  const { text, notes } = decodeText(bytes);
  if (text.length > limits.maxCharacters) throw tooLong(limits);
  return { text: text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text, notes };
}

/** As `readText`, without limits and with the ends of lines as they are; for the beginning of a file. */
export function decodeText(bytes: Uint8Array): { text: string; notes: DraftNote[] } {
  const marked = encodingByMark(bytes);
  if (marked) return { text: decode(bytes, marked), notes: [] };
  if (isAscii(bytes)) {
    return { text: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1'), notes: [] };
  }
  const unmarked = utf16ByZeroBytes(bytes);
  if (!unmarked && isUtf8(bytes)) return { text: decode(bytes, 'utf-8'), notes: [] };
  const encoding = unmarked ?? 'windows-1252';
  const note = noteOf('encoding_guessed', say('reading.encoding-guessed', { encoding }));
  return { text: decode(bytes, encoding), notes: [note] };
}

function tooLong(limits: ReadingLimits) {
  return fileTooLarge(`The document has more than ${limits.maxCharacters} characters of text.`);
}

/** Encoding that a byte order mark names. */
export function encodingByMark(bytes: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return undefined;
}

/** Latin text in UTF-16 has a zero in every other byte. */
export function utf16ByZeroBytes(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const looked = Math.min(bytes.length, 4096) & ~1;
  if (looked < 4) return undefined;
  let even = 0;
  let odd = 0;
  for (let index = 0; index < looked; index += 2) {
    if (bytes[index] === 0) even++;
    if (bytes[index + 1] === 0) odd++;
  }
  const pairs = looked / 2;
  if (odd > pairs * 0.7 && even < pairs * 0.05) return 'utf-16le';
  if (even > pairs * 0.7 && odd < pairs * 0.05) return 'utf-16be';
  return undefined;
}

function decode(bytes: Uint8Array, encoding: string): string {
  return new TextDecoder(encoding).decode(bytes);
}
