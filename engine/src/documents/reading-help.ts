/**
 * Another process that reads pages of the same document from its end, while this one reads from its beginning. Whatever comes of it is
 * a page that need not be read here: whoever helps may stop at any time, and what a document says never depends on it.
 */
export interface ReadingHelp {
  /** Tells that the document has so many pages. From now on limits are those of the document without what a helper may take. */
  ask(pages: number): void;
  /** Lets in what has come, now and then; for between pages. */
  breathe(): Promise<void>;
  /** The content of a page, from 0, as another process read it; once. */
  take(index: number): unknown;
  /** Whether this process alone comes near to what is left to it beside a helper. */
  isTight(): boolean;
  /** Ends the help; afterwards the limits are those of the document without what the helper took. */
  end(): Promise<void>;
  /** Seconds of processor time that the helper has taken; known when the help has ended. */
  seconds(): number;
}

/** Part of a document's processor time and memory that a process which helps may take at most; the one that reads has the rest meanwhile. */
export const HELP_SHARE = { time: 0.2, memory: 0.25 } as const;
