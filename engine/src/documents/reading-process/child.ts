/** Entry of the process that reads one document at a time; it is started by `document-reader.ts` only. */
import { once } from 'node:events';
import { Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { DocumentError } from '../document-error.js';
import type { PageToDraw } from '../formats/pdf/draw-page.js';
import { readDraft } from '../read-draft.js';
import type { ReadingLimits } from '../reading-limits.js';
import { encodeDraft } from './draft-frames.js';
import { createFrameDecoder, encodeFrame, type Frame } from './frames.js';
import { processorSeconds } from './processor-time.js';
import type { WatchdogData } from './watchdog.js';

/** The socket that the parent opens beside standard input, output and error. */
const CHANNEL = 3;
const PROGRESS_EVERY_MILLISECONDS = 200;

const socket = new Socket({ fd: CHANNEL, readable: true, writable: true });
const endsAt = new Float64Array(new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT));
const watched: WatchdogData = { maxMemoryMegabytes: Number(process.argv[2]), parent: process.ppid, endsAt };
new Worker(new URL('./watchdog.js', import.meta.url), {
  workerData: watched,
  resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 2 },
});
socket.on(
  'data',
  createFrameDecoder((frame) => void answer(frame)),
);
// The parent is gone: nobody waits for an answer.
socket.on('close', () => process.exit(0));
socket.on('error', () => process.exit(0));

interface ReadRequest {
  readonly fileName: string;
  readonly keepPlaces: boolean;
  readonly limits: ReadingLimits;
}

interface DrawRequest {
  readonly draw: PageToDraw;
  readonly limits: ReadingLimits;
}

async function answer({ head, body }: Frame): Promise<void> {
  const request = head as ReadRequest | DrawRequest;
  const { limits } = request;
  const end = processorSeconds() + limits.maxProcessorSeconds;
  endsAt[0] = end;
  try {
    if ('draw' in request) {
      const { drawPage } = await import('../formats/pdf/draw-page.js');
      await send(encodeFrame({ type: 'drawn' }, await drawPage(body, request.draw)));
      return;
    }
    let reported = Number.NEGATIVE_INFINITY;
    const recognised = await readDraft(body, {
      fileName: request.fileName,
      keepPlaces: request.keepPlaces,
      limits,
      onProgress(done, total) {
        const now = performance.now();
        if (now - reported < PROGRESS_EVERY_MILLISECONDS) return;
        reported = now;
        for (const piece of encodeFrame({ type: 'progress', done, total })) socket.write(piece);
      },
    });
    const residentMegabytes = process.memoryUsage.rss() / 1024 / 1024;
    for (const frame of encodeDraft(recognised, residentMegabytes)) await send(frame);
  } catch (error) {
    const { code, message, hint, location } = describe(error);
    await send(encodeFrame({ type: 'error', code, message, hint, location }));
  } finally {
    // The parent may have sent the next document before the last piece of this one was told to be gone.
    if (endsAt[0] === end) endsAt[0] = 0;
  }
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
