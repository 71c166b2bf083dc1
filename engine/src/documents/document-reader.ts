import { assembleDocument } from './assemble-document.js';
import type { Document } from './document.js';
import { DocumentError, fileTooLarge } from './document-error.js';
import type { PageToDraw } from './formats/pdf/draw-page.js';
import type { ReadOptions } from './read-draft.js';
import { DEFAULT_LIMITS, limitsForSize, type ReadingLimits } from './reading-limits.js';
import type { ReceivedDraft } from './reading-process/draft-frames.js';
import { type ReadingChild, startReadingChild } from './reading-process/reading-child.js';

export interface DocumentReaderOptions {
  /** Documents read at the same time, each in its own process; further ones wait. 1 where not given. */
  readonly concurrency?: number;
  readonly limits?: Partial<ReadingLimits>;
}

/** Reads documents in limited child processes, so that no file can hurt the process that asks. */
export interface DocumentReader {
  /** As `readDocument`. A reading that hangs, grows or crashes rejects with a `DocumentError` as well. */
  read(bytes: Uint8Array, options: ReadOptions): Promise<Document>;
  /** As `read`, and where its lines stand on its pages (see `openPages`), in formats that have pages of their own. */
  readWithPages(
    bytes: Uint8Array,
    options: ReadOptions,
  ): Promise<{ readonly document: Document; readonly pages: Uint8Array | undefined }>;
  /** Draws a page of a PDF. Rejects with a `DocumentError` for what a reading does, and for a page that is not there. */
  drawPage(bytes: Uint8Array, page: PageToDraw & { readonly signal?: AbortSignal }): Promise<Uint8Array>;
  /** Ends all processes; readings under way and waiting reject. */
  close(): Promise<void>;
}

/** How often a document is tried that got too little of the processor. */
const ATTEMPTS_WHEN_BUSY = 2;
/** A process is replaced after this many documents, so that no leak of a library adds up. */
const DOCUMENTS_PER_PROCESS = 50;
/** … and as soon as it has grown to this share of its memory: the next document needs room. */
const WORN_SHARE = 0.6;

/**
 * A pool of reading processes. As many as read at the same time stay warm between documents; they do not keep the program
 * from ending. A process that failed, or has read many documents, is replaced.
 */
export function createDocumentReader(options: DocumentReaderOptions = {}): DocumentReader {
  const limits: ReadingLimits = { ...DEFAULT_LIMITS, ...options.limits };
  const concurrency = options.concurrency ?? 1;
  const waiting: { start(): void; reject(reason: unknown): void }[] = [];
  const running = new Set<ReadingChild>();
  let warm: { child: ReadingChild; documents: number }[] = [];
  let active = 0;
  let closed = false;

  async function slot(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (closed) throw closedError();
    if (active < concurrency) {
      active++;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const entry = { start: resolve, reject };
      waiting.push(entry);
      signal?.addEventListener(
        'abort',
        () => {
          const index = waiting.indexOf(entry);
          if (index < 0) return;
          waiting.splice(index, 1);
          reject(signal.reason);
        },
        { once: true },
      );
    });
  }

  function release(): void {
    const next = waiting.shift();
    if (next) next.start();
    else active--;
  }

  function takeChild(effective: ReadingLimits): { child: ReadingChild; documents: number } {
    // A process keeps the memory that it was started with.
    if (effective.maxMemoryMegabytes > limits.maxMemoryMegabytes)
      return { child: startReadingChild(effective), documents: 0 };
    warm = warm.filter(({ child }) => child.isAlive());
    return warm.pop() ?? { child: startReadingChild(limits), documents: 0 };
  }

  async function giveBack(
    used: { child: ReadingChild; documents: number },
    residentMegabytes: number,
  ): Promise<void> {
    const documents = used.documents + 1;
    const worn =
      documents >= DOCUMENTS_PER_PROCESS || residentMegabytes > limits.maxMemoryMegabytes * WORN_SHARE;
    const isFull = warm.length >= concurrency;
    if (closed || isFull || worn || !used.child.isAlive()) await used.child.kill();
    else {
      used.child.rest();
      warm.push({ child: used.child, documents });
    }
  }

  /** Does one piece of work in a process that nobody else uses meanwhile; the result may say how much memory that took. */
  async function inChild<Result extends object>(
    { effective, signal }: { readonly effective: ReadingLimits; readonly signal: AbortSignal | undefined },
    use: (child: ReadingChild) => Promise<Result>,
  ): Promise<Result> {
    await slot(signal);
    try {
      for (let attempt = 1; ; attempt++) {
        if (closed) throw closedError();
        const used = takeChild(effective);
        running.add(used.child);
        try {
          const result = await use(used.child);
          if (effective.maxMemoryMegabytes > limits.maxMemoryMegabytes) await used.child.kill();
          else await giveBack(used, 'residentMegabytes' in result ? Number(result.residentMegabytes) : 0);
          return result;
        } catch (error) {
          await used.child.kill();
          if (closed) throw closedError();
          const isBusy = error instanceof DocumentError && error.code === 'machine_busy';
          if (isBusy && attempt < ATTEMPTS_WHEN_BUSY) continue;
          // What a process has read before must not decide about this document: a fresh one has the last word.
          if (used.documents === 0 || !diedOfItself(error)) throw error;
        } finally {
          running.delete(used.child);
        }
      }
    } finally {
      release();
    }
  }

  async function receive(bytes: Uint8Array, readOptions: ReadOptions): Promise<ReceivedDraft> {
    const effective = limitsForSize({ ...limits, ...readOptions.limits }, bytes.length);
    if (bytes.length > effective.maxBytes) {
      throw fileTooLarge(`The file is larger than ${Math.round(effective.maxBytes / 1024 / 1024)} MB.`);
    }
    return inChild({ effective, signal: readOptions.signal }, (child) =>
      child.read(bytes, readOptions, effective),
    );
  }

  return {
    read: async (bytes, readOptions) => assembleDocument(await receive(bytes, readOptions)),
    readWithPages: async (bytes, readOptions) => {
      const received = await receive(bytes, { ...readOptions, keepPlaces: true });
      return { document: assembleDocument(received), pages: received.packedPages };
    },
    drawPage: async (bytes, page) => {
      const effective = limitsForSize(limits, bytes.length);
      const { png } = await inChild({ effective, signal: page.signal }, async (child) => ({
        png: await child.draw(bytes, page, effective),
      }));
      return png;
    },
    async close() {
      closed = true;
      for (const entry of waiting.splice(0)) entry.reject(closedError());
      const children = [...running, ...warm.map(({ child }) => child)];
      warm = [];
      await Promise.all(children.map((child) => child.kill()));
    },
  };
}

/** Reads one document in a child process of its own. For several, `createDocumentReader` keeps the process warm. */
export async function readDocumentSafely(bytes: Uint8Array, options: ReadOptions): Promise<Document> {
  const reader = createDocumentReader(options.limits ? { limits: options.limits } : {});
  try {
    return await reader.read(bytes, options);
  } finally {
    await reader.close();
  }
}

function diedOfItself(error: unknown): boolean {
  return error instanceof DocumentError && (error.code === 'out_of_memory' || error.code === 'crashed');
}

function closedError(): Error {
  return new Error('The document reader is closed.');
}
