import { detectFormat } from './detect-format.js';
import type { DocumentFormat } from './document.js';
import { emptyFile, fileTooLarge } from './document-error.js';
import type { DocumentDraft } from './format-reader.js';
import { FORMATS } from './formats.js';
import type { ReadingHelp } from './reading-help.js';
import { DEFAULT_LIMITS, type ReadingLimits } from './reading-limits.js';
import { fitTables } from './table-grid.js';

export interface ReadOptions {
  /** Name as uploaded; decides only among formats that are plain text. */
  readonly fileName: string;
  readonly limits?: Partial<ReadingLimits>;
  /** Keeps the places of letters on pictures of pages, which `DocumentReader.read` gives back; costs about a third of the time of reading a PDF. */
  readonly keepPlaces?: boolean;
  /** Ends the reading; the promise is rejected with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Units are the format's own: pages, sheets, parts. */
  readonly onProgress?: (done: number, total: number) => void;
}

/** A draft and the format that was recognised. */
export interface RecognisedDraft {
  readonly format: DocumentFormat;
  readonly draft: DocumentDraft;
}

/** The part of the reading that depends on the format: everything but ranges and language. */
export async function readDraft(
  bytes: Uint8Array,
  options: ReadOptions,
  help?: ReadingHelp,
): Promise<RecognisedDraft> {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  options.signal?.throwIfAborted();
  if (bytes.length > limits.maxBytes) {
    throw fileTooLarge(`The file is larger than ${Math.round(limits.maxBytes / 1024 / 1024)} MB.`);
  }
  const format = await detectFormat(bytes, options.fileName, limits);
  const reader = await FORMATS[format].reader();
  const draft = await reader.read(bytes, {
    fileName: options.fileName,
    limits,
    keepPlaces: options.keepPlaces ?? false,
    ...(help ? { help } : {}),
    onProgress(done, total) {
      options.signal?.throwIfAborted();
      options.onProgress?.(done, total);
    },
  });
  if (!draft.blocks.some((block) => block.text !== '' || block.cells?.some((cell) => cell.text !== ''))) {
    throw emptyFile();
  }
  const notes = fitTables(draft.blocks, limits);
  return { format, draft: { ...draft, notes: [...draft.notes, ...notes] } };
}
