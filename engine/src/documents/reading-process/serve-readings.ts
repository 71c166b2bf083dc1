import { once } from 'node:events';
import { Socket } from 'node:net';
import { serialize } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { compileLate } from '../../scheduling/compile-late.js';
import { programOf } from '../../scheduling/program.js';
import { assembleDocument } from '../assemble-document.js';
import type { Document } from '../document.js';
import { DocumentError } from '../document-error.js';
import type { PageToDraw } from '../formats/pdf/draw-page.js';
import { readDraft } from '../read-draft.js';
import { HELP_SHARE } from '../reading-help.js';
import type { ReadingLimits } from '../reading-limits.js';
import { encodeDraft } from './draft-frames.js';
import { createFrameDecoder, encodeFrame, type Frame } from './frames.js';
import { everyFewMilliseconds, type HelpFromOutside, helpFromOutside } from './help-from-outside.js';
import { MARGIN_MEGABYTES } from './last-words.js';
import { processorSeconds } from './processor-time.js';
import type { WatchdogData } from './watchdog.js';

/** The socket that the parent opens beside standard input, output and error. */
const CHANNEL = 3;
const PROGRESS_EVERY_MILLISECONDS = 200;

/** What a program makes of a document where it is read, so that its blocks need not travel. */
export type Make = (document: Document, request: unknown) => Promise<Made>;

/** As of a frame. */
export interface Made {
  readonly head: object;
  readonly body: Uint8Array;
}

const socket = new Socket({ fd: CHANNEL, readable: true, writable: true });
const sharedNumber = () => new Float64Array(new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT));
const endsAt = sharedNumber();
const mostMegabytes = sharedNumber();
const MOST_MEGABYTES = Number(process.argv[2]);
let make: Make | undefined;

/** Turns this process into one that reads a document at a time, for `document-reader.ts`. */
export function serveReadings(making?: Make): void {
  compileLate();
  make = making;
  mostMegabytes[0] = MOST_MEGABYTES;
  const watched: WatchdogData = { parent: process.ppid, endsAt, mostMegabytes };
  new Worker(programOf('documents/reading-process/watchdog'), {
    workerData: watched,
    resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 2 },
  });
  socket.on(
    'data',
    createFrameDecoder((frame) => {
      const { type } = frame.head as { readonly type?: string };
      if (type === undefined) void answer(frame);
      else if (type === 'stop') isStopped = true;
      else help?.receive(frame);
    }),
  );
  // The parent is gone: nobody waits for an answer.
  socket.on('close', () => process.exit(0));
  socket.on('error', () => process.exit(0));
}

interface ReadRequest {
  readonly fileName: string;
  readonly keepPlaces: boolean;
  /** Whether another process may help with a long document. */
  readonly mayBeHelped: boolean;
  readonly limits: ReadingLimits;
  /** What is to be made of the document in this process; else the document itself is sent. */
  readonly make?: object;
}

interface DrawRequest {
  readonly draw: PageToDraw;
  readonly limits: ReadingLimits;
}

/** Asks for the pages of a document from its end. */
interface HelpRequest {
  readonly help: { readonly keepPlaces: boolean };
  readonly limits: ReadingLimits;
}

/** With the document that is being read. */
let help: HelpFromOutside | undefined;
/** Whether the document that this process helps with needs no more of it. */
let isStopped = false;
let requests = 0;

async function answer({ head, body }: Frame): Promise<void> {
  const request = head as ReadRequest | DrawRequest | HelpRequest;
  const { limits } = request;
  const own = ++requests;
  const begin = processorSeconds();
  endsAt[0] = begin + limits.maxProcessorSeconds;
  try {
    if ('help' in request) {
      await helpWith(body, request, begin);
      return;
    }
    if ('draw' in request) {
      const { drawPage } = await import('../formats/pdf/draw-page.js');
      await send(encodeFrame({ type: 'drawn' }, await drawPage(body, request.draw)));
      return;
    }
    let reported = Number.NEGATIVE_INFINITY;
    help = request.mayBeHelped
      ? helpFromOutside({ limits, begin, endsAt, mostMegabytes, send: post })
      : undefined;
    const recognised = await readDraft(
      body,
      {
        fileName: request.fileName,
        keepPlaces: request.keepPlaces,
        limits,
        onProgress(done, total) {
          const now = performance.now();
          if (now - reported < PROGRESS_EVERY_MILLISECONDS) return;
          reported = now;
          post({ type: 'progress', done, total });
        },
      },
      help,
    );
    if (request.make !== undefined && make) {
      // What is made of a document has limits of its own: whether a file can be read does not depend on it.
      post({ type: 'read' });
      if (hasRoomToMake(limits)) {
        endsAt[0] = processorSeconds() + limits.maxProcessorSeconds;
        const made = await make(assembleDocument(recognised), request.make);
        await send(
          encodeFrame({ type: 'made', made: made.head, residentMegabytes: residentMegabytes() }, made.body),
        );
        return;
      }
    }
    for (const frame of encodeDraft(recognised, residentMegabytes())) await send(frame);
  } catch (error) {
    const { code, message, hint, location } = describe(error);
    await send(encodeFrame({ type: 'error', code, message, hint, location }));
  } finally {
    // The parent may have sent the next document before the last piece of this one was told to be gone.
    if (requests === own) {
      endsAt[0] = 0;
      mostMegabytes[0] = MOST_MEGABYTES;
      help = undefined;
    }
  }
}

/** Pages that are sent to help with one document, in bytes: what the parent and the other process may have to hold. */
const MOST_SENT = 48 * 1024 * 1024;
/** Part of what a helper may take after which it ends of itself; asking for the processor time takes as long as a tenth of a page. */
const ENOUGH = 0.8;
const LOOK_EVERY_MILLISECONDS = 20;

async function helpWith(
  body: Buffer,
  { help: { keepPlaces }, limits }: HelpRequest,
  begin: number,
): Promise<void> {
  isStopped = false;
  const seconds = limits.maxProcessorSeconds * HELP_SHARE.time;
  endsAt[0] = begin + seconds;
  mostMegabytes[0] = Math.min(
    MOST_MEGABYTES,
    residentMegabytes() + limits.maxMemoryMegabytes * HELP_SHARE.memory,
  );
  const { helpReading } = await import('../formats/pdf/help-reading.js');
  // Pages go in one piece of writing, before this process hears what is new.
  let pages: Uint8Array[] = [];
  const flush = async () => {
    const written = Buffer.concat(pages);
    pages = [];
    await send([written]);
  };
  const breathe = everyFewMilliseconds(flush);
  let sent = 0;
  let looked = performance.now();
  const isEnough = (): boolean => {
    if (performance.now() - looked < LOOK_EVERY_MILLISECONDS) return false;
    looked = performance.now();
    return processorSeconds() - begin > ENOUGH * seconds;
  };
  await helpReading(body, keepPlaces, async (index, content) => {
    const page = serialize(content);
    sent += page.length;
    pages.push(...encodeFrame({ type: 'page', index }, page));
    await breathe();
    return isStopped || sent > MOST_SENT || isEnough() ? 'stop' : 'go-on';
  });
  await flush();
  await send(
    encodeFrame({
      type: 'closed',
      seconds: processorSeconds() - begin,
      residentMegabytes: residentMegabytes(),
    }),
  );
}

/** What is made of a document takes so many times what its reading has left on the heap, beside that; tables of 12,000 to 100,000 rows took 1.6 to 1.9. */
const MAKING_TAKES = 1.6;

/** Whether something can be made of the document within the memory of this process; else it is sent, so that nobody has to read it again. */
const hasRoomToMake = ({ maxMemoryMegabytes }: ReadingLimits): boolean =>
  residentMegabytes() + MAKING_TAKES * (process.memoryUsage().heapUsed / 1024 / 1024) <=
  maxMemoryMegabytes - MARGIN_MEGABYTES;

const residentMegabytes = (): number => process.memoryUsage.rss() / 1024 / 1024;

function post(head: object): void {
  for (const piece of encodeFrame(head)) socket.write(piece);
}

async function send(frame: Uint8Array[]): Promise<void> {
  for (const piece of frame) if (!socket.write(piece)) await once(socket, 'drain');
}

/** What a person is told. Messages of other errors may hold content of the document, so they stay here. */
function describe(error: unknown): DocumentError {
  if (error instanceof DocumentError) return error;
  if (error instanceof RangeError && /call stack/.test(error.message)) {
    return new DocumentError(
      'too_complex',
      'The content is nested too deeply.',
      'Flatten the nesting and upload the file again.',
    );
  }
  if (error instanceof RangeError) return outOfMemory();
  return new DocumentError(
    'crashed',
    'The file could not be read: the reader met something that it does not expect.',
    'Save the document again from its source, or as PDF, and upload that.',
  );
}

/** Strings or buffers past what the engine can hold. */
function outOfMemory(): DocumentError {
  return new DocumentError(
    'out_of_memory',
    'Reading the file takes more memory than is allowed.',
    'Split the document into smaller files and upload those.',
  );
}
