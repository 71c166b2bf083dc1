import { type ChildProcess, spawn } from 'node:child_process';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { programOf } from '../../scheduling/program.js';
import { DocumentError, type DocumentErrorCode } from '../document-error.js';
import type { PageToDraw } from '../formats/pdf/draw-page.js';
import type { Location } from '../location.js';
import type { ReadOptions } from '../read-draft.js';
import type { ReadingLimits } from '../reading-limits.js';
import { createDraftDecoder, type ReceivedDraft } from './draft-frames.js';
import { createFrameDecoder, encodeFrame, type Frame } from './frames.js';
import { MEMORY_EXCEEDED, PROCESSOR_TIME_EXCEEDED } from './last-words.js';

/** One process that reads one document at a time. */
export interface ReadingChild {
  /** Rejects with `DocumentError`, or the reason of `signal`. After a rejection other than an answer the process is gone. */
  read(
    bytes: Uint8Array,
    options: ReadOptions,
    limits: ReadingLimits,
    helpers?: Helpers,
  ): Promise<ReceivedDraft>;
  /**
   * What the program of this process makes of a document (see `serveReadings`), or the document where the process has no room to make
   * something of it; `onRead` is called when it has been read and only that is left. Rejects as `read` does.
   */
  make(
    bytes: Uint8Array,
    options: ReadOptions & { readonly make: object; readonly onRead: () => void },
    limits: ReadingLimits,
    helpers?: Helpers,
  ): Promise<ReceivedMade | ReceivedDraft>;
  /** Reads pages of a document that another process reads, from its last one on, until `stop` is called. */
  help(
    bytes: Uint8Array,
    options: ReadOptions,
    limits: ReadingLimits,
    onPage: (frame: Frame) => void,
  ): { readonly taken: Promise<HelpTaken>; stop(): void };
  /** A page of a PDF as a PNG; rejects as `read` does. */
  draw(
    bytes: Uint8Array,
    page: PageToDraw & { readonly signal?: AbortSignal | undefined },
    limits: ReadingLimits,
  ): Promise<Uint8Array>;
  isAlive(): boolean;
  /** An idle process must not keep the service from ending. */
  rest(): void;
  kill(): Promise<void>;
}

/** What a process made of a document, and its memory afterwards. */
export interface ReceivedMade {
  readonly head: unknown;
  readonly body: Uint8Array;
  readonly residentMegabytes: number;
}

/** What helping took, in seconds of processor time, and the memory of the process afterwards. */
export interface HelpTaken {
  readonly seconds: number;
  readonly residentMegabytes: number;
}

/** Finds a process that helps with a long document. */
export interface Helpers {
  /** The document has many pages; `give` takes those that another process reads, `over` what that process took when it has ended. */
  wanted(to: { give(frame: Frame): void; over(seconds: number): void }): void;
  /** So many pages are still to be read. */
  left(pages: number): void;
  /** No more help is needed; `over` is called when it has ended. */
  end(): void;
}

/** What a reading process runs where nothing else is named. */
const PROGRAM = programOf('documents/reading-process/child');
/** MiB that the program itself, its second thread, buffers and young objects take beside the old-space heap. */
const OUTSIDE_HEAP = 110;
/** MiB of older objects before the first whole collection: a document's die together when it has been read (decision 740). */
const UNCOLLECTED = 64;
const PERMISSION_FLAG = process.allowedNodeEnvironmentFlags.has('--permission')
  ? '--permission'
  : '--experimental-permission';

type ErrorHead = {
  type: 'error';
  code: DocumentErrorCode;
  message: string;
  hint: string;
  location?: Location;
};
type MadeHead = { type: 'made'; made: unknown; residentMegabytes: number };
type ProgressHead = { type: 'progress'; done: number; total: number };

/** Starts the process: own heap limit, no environment, no writing to files, no further processes. Its program calls `serveReadings`. */
export function startReadingChild(limits: ReadingLimits, program = PROGRAM): ReadingChild {
  const child = spawn(
    process.execPath,
    [
      `--max-old-space-size=${Math.max(32, limits.maxMemoryMegabytes - OUTSIDE_HEAP)}`,
      '--max-semi-space-size=8',
      `--initial-old-space-size=${UNCOLLECTED}`,
      PERMISSION_FLAG,
      '--allow-fs-read=*',
      '--allow-worker',
      '--no-warnings',
      fileURLToPath(program),
      String(limits.maxMemoryMegabytes),
    ],
    { stdio: ['ignore', 'ignore', 'pipe', 'pipe'], env: { TZ: 'UTC' }, windowsHide: true },
  );
  const channel = child.stdio[3] as Duplex;
  let lastWords = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    lastWords = (lastWords + chunk.toString('latin1')).slice(-4096);
  });
  let onFrame: ((frame: Frame) => void) | undefined;
  channel.on(
    'data',
    createFrameDecoder((frame) => onFrame?.(frame)),
  );
  channel.on('error', () => {}); // The end of the process says why.
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
    child.once('error', () => resolve());
  });

  return {
    isAlive: () => child.exitCode === null && child.signalCode === null && child.pid !== undefined,
    rest: () => setReferences(child, channel, false),
    async kill() {
      setReferences(child, channel, true);
      child.kill('SIGKILL');
      await ended;
    },
    read: (bytes, options, effective, helpers) => {
      const decoder = createDraftDecoder();
      const request = requestFor(options, effective, helpers);
      return ask(request, bytes, { signal: options.signal, limits: effective }, (frame) =>
        isAbout(frame, options, helpers) ? undefined : decoder.add(frame),
      );
    },
    make: (bytes, { make, onRead, ...options }, effective, helpers) => {
      const request = { ...requestFor(options, effective, helpers), make };
      const decoder = createDraftDecoder();
      return ask<ReceivedMade | ReceivedDraft>(
        request,
        bytes,
        { signal: options.signal, limits: effective },
        (frame) => {
          if (isAbout(frame, options, helpers)) return undefined;
          const message = frame.head as { type: 'read' } | { type: 'blocks' } | MadeHead;
          if (message.type === 'made')
            return { head: message.made, body: frame.body, residentMegabytes: message.residentMegabytes };
          if (message.type !== 'read') return decoder.add(frame);
          onRead();
          return undefined;
        },
      );
    },
    help: (bytes, { signal, keepPlaces = false }, effective, onPage) => ({
      taken: ask(
        { help: { keepPlaces }, limits: effective },
        bytes,
        { signal, limits: effective },
        (frame) => {
          const message = frame.head as { type: 'page' } | ({ type: 'closed' } & HelpTaken);
          if (message.type === 'closed') return message;
          onPage(frame);
          return undefined;
        },
      ),
      stop: () => write({ type: 'stop' }),
    }),
    draw: (bytes, { signal, ...page }, effective) =>
      ask({ draw: page, limits: effective }, bytes, { signal, limits: effective }, ({ body }) => body),
  };

  /** Whether a frame tells of the reading, not what came of it. */
  function isAbout({ head }: Frame, options: ReadOptions, helpers: Helpers | undefined): boolean {
    const message = head as ProgressHead | { type: 'long' | 'alone' | 'other' };
    if (message.type === 'progress') {
      helpers?.left(message.total - message.done);
      options.onProgress?.(message.done, message.total);
    } else if (message.type === 'long') {
      helpers?.wanted({
        give: (page) => write(page.head as object, page.body),
        over: (seconds) => write({ type: 'helped', seconds }),
      });
    } else if (message.type === 'alone') helpers?.end();
    else return false;
    return true;
  }

  function write(head: object, body?: Uint8Array): void {
    for (const piece of encodeFrame(head, body)) channel.write(piece);
  }

  /** Sends a request and waits until an answer makes something of it. */
  async function ask<Result>(
    head: object,
    bytes: Uint8Array,
    {
      signal,
      limits: effective,
    }: { readonly signal: AbortSignal | undefined; readonly limits: ReadingLimits },
    resultOf: (frame: Frame) => Result | undefined,
  ): Promise<Result> {
    setReferences(child, channel, true);
    let timer: NodeJS.Timeout | undefined;
    let stop: (() => void) | undefined;
    try {
      return await new Promise<Result>((resolve, reject) => {
        onFrame = (frame) => {
          const error = frame.head as ErrorHead;
          if (error.type === 'error') {
            reject(new DocumentError(error.code, error.message, error.hint, error.location));
            return;
          }
          const result = resultOf(frame);
          if (result !== undefined) resolve(result);
        };
        const end = (reason: unknown) => {
          child.kill('SIGKILL');
          reject(reason);
        };
        timer = setTimeout(() => end(machineBusy(effective)), effective.maxMilliseconds);
        stop = () => end(signal?.reason);
        signal?.addEventListener('abort', stop);
        void ended.then(() => reject(deathOf(lastWords, effective)));
        write(head, bytes);
      });
    } finally {
      clearTimeout(timer);
      if (stop) signal?.removeEventListener('abort', stop);
      onFrame = undefined;
    }
  }
}

const requestFor = (
  { fileName, keepPlaces = false }: ReadOptions,
  limits: ReadingLimits,
  helpers: Helpers | undefined,
) => ({ fileName, keepPlaces, mayBeHelped: helpers !== undefined, limits });

function setReferences(child: ChildProcess, channel: Duplex, keep: boolean): void {
  const method = keep ? 'ref' : 'unref';
  child[method]();
  for (const stream of [channel, child.stderr] as unknown as { ref?(): void; unref?(): void }[]) {
    stream[method]?.();
  }
}

function machineBusy(limits: ReadingLimits): DocumentError {
  const seconds = Math.round(limits.maxMilliseconds / 1000);
  return new DocumentError(
    'machine_busy',
    `The file could not be read: the machine was so busy that ${seconds} seconds were not enough, although little of them went into the file.`,
    'The file need not be bad: try again when the machine has less to do.',
  );
}

function deathOf(lastWords: string, limits: ReadingLimits): DocumentError {
  if (lastWords.includes(MEMORY_EXCEEDED) || /heap out of memory|allocation failed/i.test(lastWords)) {
    return new DocumentError(
      'out_of_memory',
      `Reading the file takes more than ${limits.maxMemoryMegabytes} MB of memory.`,
      'Split the document into smaller files and upload those.',
    );
  }
  if (lastWords.includes(PROCESSOR_TIME_EXCEEDED)) {
    return new DocumentError(
      'timed_out',
      `Reading the file takes more than ${limits.maxProcessorSeconds} seconds of processor time.`,
      'Split the document into smaller files and upload those.',
    );
  }
  return new DocumentError(
    'crashed',
    'The process that read the file ended unexpectedly; nothing else is affected.',
    'Save the document again from its source, or as PDF, and upload that.',
  );
}
