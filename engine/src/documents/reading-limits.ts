/** Hard limits for reading one file. Past one of them the reading ends with a `DocumentError`. */
export interface ReadingLimits {
  /** Bytes of the file itself. */
  readonly maxBytes: number;
  /** Bytes after decompression, all entries of an archive together. */
  readonly maxUnpackedBytes: number;
  /** Unpacked bytes for each packed byte, looked at in entries of more than 10 MiB. */
  readonly maxCompressionRatio: number;
  /** Entries of an archive. */
  readonly maxEntries: number;
  /** Nesting of elements, lists or archives. */
  readonly maxDepth: number;
  readonly maxPages: number;
  readonly maxColumns: number;
  readonly maxBlocks: number;
  /** Table cells of the whole document. */
  readonly maxCells: number;
  /** Characters of text of the whole document. */
  readonly maxCharacters: number;
  /** Wall-clock time for one document, start of the child process included. */
  readonly maxMilliseconds: number;
  /** Resident memory of the child process, MiB: heap, buffers and program together. */
  readonly maxMemoryMegabytes: number;
}

/**
 * Generous for real documents (the longest seen are ~600 pages, ~40 MB of text), tight for bombs:
 * no reading may take longer than 10 s or more than 300 MB.
 */
export const DEFAULT_LIMITS: ReadingLimits = {
  maxBytes: 200 * 1024 * 1024,
  maxUnpackedBytes: 400 * 1024 * 1024,
  maxCompressionRatio: 500,
  maxEntries: 10_000,
  maxDepth: 200,
  maxPages: 5_000,
  maxColumns: 1_000,
  maxBlocks: 300_000,
  maxCells: 600_000,
  maxCharacters: 40_000_000,
  maxMilliseconds: 9_500,
  maxMemoryMegabytes: 300,
};
