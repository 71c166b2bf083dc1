import { assembleDocument } from './assemble-document.js';
import type { Document } from './document.js';
import { DocumentError, fileTooLarge } from './document-error.js';
import type { PageToDraw } from './formats/pdf/draw-page.js';
import type { ReadOptions } from './read-draft.js';
import { HELP_SHARE } from './reading-help.js';
import { DEFAULT_LIMITS, limitsForSize, type ReadingLimits } from './reading-limits.js';
import type { ReceivedDraft } from './reading-process/draft-frames.js';
import {
  type Helpers,
  type HelpTaken,
  type ReadingChild,
  type ReceivedMade,
  startReadingChild,
} from './reading-process/reading-child.js';

export interface DocumentReaderOptions {
  /** Documents read at the same time, each in its own process; further ones wait. 1 where not given. */
  readonly concurrency?: number;
  /**
   * Processes at the same time, with those that help with a long document; asked when one may begin to. As many as documents where not
   * given: a process helps where no document waits for it.
   */
  readonly processes?: () => number;
  readonly limits?: Partial<ReadingLimits>;
  /** Processes that were started before, with the limits and the program of this reader. */
  readonly warm?: readonly ReadingChild[];
  /** What the processes run, with what it makes of documents (see `serveReadings`). */
  readonly program?: URL;
}

/** What a program made of a document. */
export interface MadeOf {
  readonly head: unknown;
  readonly body: Uint8Array;
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
  /**
   * What the program of the processes makes of a document, without the document; or the document alone, where a process would not have the
   * memory to make it. Undefined for one that was read and too much for it all the same: `read` it then. Rejects as `read` does.
   */
  make(
    bytes: Uint8Array,
    options: ReadOptions & { readonly make: object },
  ): Promise<MadeOf | { readonly document: Document } | undefined>;
  /** Draws a page of a PDF. Rejects with a `DocumentError` for what a reading does, and for a page that is not there. */
  drawPage(bytes: Uint8Array, page: PageToDraw & { readonly signal?: AbortSignal }): Promise<Uint8Array>;
  /** Starts a process where none is there: whoever asks for a page soon does not wait until it is ready. */
  warmUp(): void;
  /** Ends all processes; readings under way and waiting reject. */
  close(): Promise<void>;
}

/** How often a document is tried that got too little of the processor. */
const ATTEMPTS_WHEN_BUSY = 2;
/** A process is replaced after this many documents, so that no leak of a library adds up; a new one takes 0.4 s of a core to be ready. */
const DOCUMENTS_PER_PROCESS = 200;
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
  let warm = (options.warm ?? []).map((child) => ({ child, documents: 0 }));
  let active = 0;
  let closed = false;
  const processes = options.processes ?? (() => concurrency);
  /** Long documents that nobody helps with yet. */
  const helpless = new Set<LongReading>();
  const helping = new Set<LongReading>();

  async function slot(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (closed) throw closedError();
    if (active < concurrency) {
      active++;
      // A document goes before help with another one.
      if (active + helping.size > processes()) for (const reading of helping) reading.end();
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
    else {
      active--;
      lendHelp();
    }
  }

  /** Has processes that nothing else is asked of help with long documents. */
  function lendHelp(): void {
    for (const reading of helpless) {
      if (closed || waiting.length > 0 || active + helping.size >= processes()) return;
      if (reading.isWorthHelp()) void helpWith(reading);
    }
  }

  async function helpWith(reading: LongReading): Promise<void> {
    helpless.delete(reading);
    helping.add(reading);
    const used = takeChild(reading.limits);
    running.add(used.child);
    try {
      const { residentMegabytes } = await reading.helpBy(used.child);
      if (reading.limits.maxMemoryMegabytes > limits.maxMemoryMegabytes) await used.child.kill();
      else await giveBack(used, residentMegabytes);
    } catch {
      // Nothing depends on it: the process that reads the document reads these pages as well.
      await used.child.kill();
    } finally {
      running.delete(used.child);
      helping.delete(reading);
      lendHelp();
    }
  }

  function takeChild(effective: ReadingLimits): { child: ReadingChild; documents: number } {
    // A process keeps the memory that it was started with.
    if (effective.maxMemoryMegabytes > limits.maxMemoryMegabytes)
      return { child: startReadingChild(effective, options.program), documents: 0 };
    warm = warm.filter(({ child }) => child.isAlive());
    return warm.pop() ?? { child: startReadingChild(limits, options.program), documents: 0 };
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
    {
      effective,
      signal,
      wasHelped = () => false,
    }: {
      readonly effective: ReadingLimits;
      readonly signal: AbortSignal | undefined;
      /** Whether the last attempt shared its limits with a helper. */
      readonly wasHelped?: () => boolean;
    },
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
          // What a process has read before, or had to leave to a helper, must not decide about this document: a fresh one has the last word.
          if ((used.documents === 0 && !wasHelped()) || !diedOfItself(error)) throw error;
        } finally {
          running.delete(used.child);
        }
      }
    } finally {
      release();
    }
  }

  async function receive<Received extends ReceivedDraft | ReceivedMade>(
    bytes: Uint8Array,
    readOptions: ReadOptions,
    use: (child: ReadingChild, limits: ReadingLimits, helpers: Helpers | undefined) => Promise<Received>,
  ): Promise<Received> {
    const effective = limitsForSize({ ...limits, ...readOptions.limits }, bytes.length);
    if (bytes.length > effective.maxBytes) {
      throw fileTooLarge(`The file is larger than ${Math.round(effective.maxBytes / 1024 / 1024)} MB.`);
    }
    let attempts = 0;
    let shared: LongReading | undefined;
    return inChild(
      { effective, signal: readOptions.signal, wasHelped: () => shared?.wasAsked() ?? false },
      async (child) => {
        // Alone when the first attempt has failed.
        const isFirst = ++attempts === 1;
        const reading = longReading(bytes, readOptions, effective, () => {
          helpless.add(reading);
          lendHelp();
        });
        shared = isFirst ? reading : undefined;
        try {
          return await use(child, effective, isFirst ? reading : undefined);
        } finally {
          helpless.delete(reading);
          await reading.abandon();
        }
      },
    );
  }

  const receiveDraft = (bytes: Uint8Array, readOptions: ReadOptions): Promise<ReceivedDraft> =>
    receive(bytes, readOptions, (child, effective, helpers) =>
      child.read(bytes, readOptions, effective, helpers),
    );

  return {
    read: async (bytes, readOptions) => assembleDocument(await receiveDraft(bytes, readOptions)),
    readWithPages: async (bytes, readOptions) => {
      const received = await receiveDraft(bytes, { ...readOptions, keepPlaces: true });
      return { document: assembleDocument(received), pages: received.packedPages };
    },
    async make(bytes, readOptions) {
      if (!options.program) throw new Error('The processes of this reader make nothing of documents.');
      let wasRead = false;
      const onRead = () => {
        wasRead = true;
      };
      try {
        const received = await receive(bytes, readOptions, (child, effective, helpers) => {
          wasRead = false;
          return child.make(bytes, { ...readOptions, onRead }, effective, helpers);
        });
        if ('draft' in received) return { document: assembleDocument(received) };
        const { head, body } = received;
        return { head, body };
      } catch (error) {
        if (wasRead && error instanceof DocumentError) return undefined;
        throw error;
      }
    },
    drawPage: async (bytes, page) => {
      const effective = limitsForSize(limits, bytes.length);
      const { png } = await inChild({ effective, signal: page.signal }, async (child) => ({
        png: await child.draw(bytes, page, effective),
      }));
      return png;
    },
    warmUp() {
      warm = warm.filter(({ child }) => child.isAlive());
      if (closed || warm.length > 0 || running.size > 0) return;
      const child = startReadingChild(limits, options.program);
      child.rest();
      warm.push({ child, documents: 0 });
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

/** A long document that is being read, with which another process may help. */
interface LongReading extends Helpers {
  readonly limits: ReadingLimits;
  isWorthHelp(): boolean;
  /** Whether help was asked for: the process that reads has left a part of its limits to a helper. */
  wasAsked(): boolean;
  helpBy(child: ReadingChild): Promise<HelpTaken>;
  /** Ends a helper that is still at work. */
  abandon(): Promise<void>;
}

/** Fewer pages are read before a process that helps has begun. */
const FEWEST_LEFT = 24;
/** Milliseconds in which a helper ends when it is told to; a page that takes longer is not waited for. */
const PATIENCE = 500;

function longReading(
  bytes: Uint8Array,
  options: ReadOptions,
  limits: ReadingLimits,
  onWanted: () => void,
): LongReading {
  let left = Number.POSITIVE_INFINITY;
  let to: Parameters<Helpers['wanted']>[0] | undefined;
  let isOver = false;
  let helper: { readonly child: ReadingChild; stop(): void; kill?: NodeJS.Timeout } | undefined;
  /** Told once: afterwards the process that reads has all that is left of its limits. */
  const over = (seconds: number): void => {
    if (isOver) return;
    isOver = true;
    to?.over(seconds);
  };
  return {
    limits,
    wanted(reader) {
      to = reader;
      onWanted();
    },
    left: (pages) => {
      left = pages;
    },
    isWorthHelp: () => !isOver && left >= FEWEST_LEFT,
    wasAsked: () => to !== undefined,
    async helpBy(child) {
      const { taken, stop } = child.help(bytes, options, limits, (frame) => {
        if (!isOver) to?.give(frame);
      });
      helper = { child, stop };
      try {
        const result = await taken;
        over(result.seconds);
        return result;
      } catch (error) {
        over(limits.maxProcessorSeconds * HELP_SHARE.time);
        throw error;
      } finally {
        clearTimeout(helper.kill);
        helper = undefined;
      }
    },
    end() {
      if (!helper) {
        over(0);
        return;
      }
      const { child } = helper;
      helper.stop();
      helper.kill ??= setTimeout(() => void child.kill(), PATIENCE);
    },
    abandon: async () => helper?.child.kill(),
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
