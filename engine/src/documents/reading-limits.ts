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
  /** Seconds of processor time of the child process for one document: what the file costs, however busy the machine is. */
  readonly maxProcessorSeconds: number;
  /** Wall-clock time for one attempt at a document; past it the machine is to blame, and the reading is tried once more. */
  readonly maxMilliseconds: number;
  /** Resident memory of the child process, MiB: heap, buffers and program together. */
  readonly maxMemoryMegabytes: number;
  /** The same for files of more than 10 MiB, which may take 16 MiB more for each further MiB, up to this. */
  readonly maxMemoryMegabytesOfLargeFiles: number;
}

/**
 * Generous for real documents and exports, tight for bombs: no reading may take more than 15 s of processor time (ten
 * where the collector has no other core), and none of a file of up to 10 MiB more than 300 MB. An export of 100 000 requirements, tests and results with their links is some 40 MB of
 * Markdown in 500 000 lines; as tables it has about nine cells for each of them.
 */
export const DEFAULT_LIMITS: ReadingLimits = {
  maxBytes: 200 * 1024 * 1024,
  maxUnpackedBytes: 400 * 1024 * 1024,
  maxCompressionRatio: 500,
  maxEntries: 10_000,
  maxDepth: 200,
  maxPages: 5_000,
  maxColumns: 1_000,
  maxBlocks: 600_000,
  maxCells: 1_200_000,
  maxCharacters: 60_000_000,
  maxProcessorSeconds: 15,
  maxMilliseconds: 90_000,
  maxMemoryMegabytes: 300,
  maxMemoryMegabytesOfLargeFiles: 600,
};

/** `limits` for a file of so many bytes: with the memory that it may take. */
export function limitsForSize(limits: ReadingLimits, bytes: number): ReadingLimits {
  const beyond = Math.max(0, bytes / 1024 / 1024 - LARGE_FILE);
  const more = Math.round(limits.maxMemoryMegabytes + beyond * MEMORY_PER_MEGABYTE);
  const most = Math.max(limits.maxMemoryMegabytes, limits.maxMemoryMegabytesOfLargeFiles);
  return { ...limits, maxMemoryMegabytes: Math.min(most, more) };
}

/** MiB. */
const LARGE_FILE = 10;
/** The text itself, the blocks with their places, and what is being sent: 200,000 rows of a table in 16 MiB took 310 to 370. */
const MEMORY_PER_MEGABYTE = 16;
