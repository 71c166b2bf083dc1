import { Readable } from 'node:stream';
import { Unavailable } from '../unavailable.js';

/** The storage of objects cannot be reached, refuses us, or fell silent in the middle. */
export class StorageUnavailable extends Unavailable {
  override readonly name = 'StorageUnavailable';

  constructor(cause: unknown) {
    super('The storage of files cannot be reached at the moment.', { cause });
  }
}

/** So long an answer, or the next piece of one, may be waited for. */
const ANSWER_MILLISECONDS = 10_000;

/** Gives the work up after a time, and tells what is no fault of the caller as `StorageUnavailable`. */
export async function answeredIn<T>(
  work: (abortSignal: AbortSignal) => Promise<T>,
  milliseconds = ANSWER_MILLISECONDS,
): Promise<T> {
  const late = new AbortController();
  // Not `AbortSignal.timeout`: it would end the body of an answer that came in time.
  const timer = setTimeout(() => late.abort(), milliseconds);
  try {
    return await work(late.signal);
  } catch (error) {
    throw isOutage(error) ? new StorageUnavailable(error) : error;
  } finally {
    clearTimeout(timer);
  }
}

/** The same bytes; ends with an error when the next ones do not come. Whoever reads slowly may take their time. */
export const withoutSilence = (body: Readable, milliseconds = ANSWER_MILLISECONDS): Readable =>
  Readable.from(pieces(body, milliseconds), { objectMode: false });

async function* pieces(body: Readable, milliseconds: number): AsyncGenerator<Buffer> {
  const iterator = body[Symbol.asyncIterator]();
  try {
    for (;;) {
      const timer = setTimeout(
        () => body.destroy(new Error('The storage fell silent in the middle of an object.')),
        milliseconds,
      );
      const next = await iterator.next().finally(() => clearTimeout(timer));
      if (next.done) return;
      yield next.value as Buffer;
    }
  } catch (error) {
    throw new StorageUnavailable(error);
  } finally {
    body.destroy();
  }
}

/** No answer, an answer that something is wrong there, or one that it does not know us (keys, clock, policy). */
function isOutage(error: unknown): boolean {
  const status = (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
  return status === undefined || status >= 500 || [401, 403, 429].includes(status);
}
