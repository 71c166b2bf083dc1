/** Hard limits for reading one file. Past one of them the reading ends with a `DocumentError`. */
export interface ReadingLimits {
  /** Bytes of the file itself. */
  readonly maxBytes: number;
  /** Bytes after decompression, all entries of an archive together. */
  readonly maxUnpackedBytes: number;
  /** Entries of an archive. */
  readonly maxEntries: number;
  /** Nesting of elements, lists or archives. */
  readonly maxDepth: number;
  readonly maxPages: number;
  readonly maxColumns: number;
  readonly maxBlocks: number;
  readonly maxMilliseconds: number;
  /** Old-space limit of the child process, MiB. */
  readonly maxMemoryMegabytes: number;
}

/**
 * Generous for real documents (the longest seen are ~600 pages, ~40 MB of text), tight for bombs:
 * no reading may take longer than 10 s or more than 300 MB.
 */
export const DEFAULT_LIMITS: ReadingLimits = {
  maxBytes: 200 * 1024 * 1024,
  maxUnpackedBytes: 400 * 1024 * 1024,
  maxEntries: 10_000,
  maxDepth: 200,
  maxPages: 5_000,
  maxColumns: 1_000,
  maxBlocks: 2_000_000,
  maxMilliseconds: 10_000,
  maxMemoryMegabytes: 256,
};
