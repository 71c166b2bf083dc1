import { Worker } from 'node:worker_threads';
import { unpackStatements } from '../facts/artifacts/packed-statements.js';
import type { Progress } from './progress.js';
import {
  type Found,
  filesOf,
  type NotAssessed,
  orNotAssessed,
  type ReadFiles,
  readEach,
  readersFor,
  withReader,
} from './read-files.js';
import { type FileToTrace, type ThreadAnswer, type TracedFile, traceFile } from './trace-file.js';

/** From so many bytes on threads are worth their start. */
const BYTES_FOR_THREADS = 8_000_000;

/** As `readFiles`; many bytes are taken apart in threads, one for each core. Throws `CommandError`. */
export async function readForTrace(
  paths: readonly string[],
  progress: Progress,
  typeOf: (name: string) => string | undefined,
): Promise<ReadFiles<TracedFile>> {
  const given = await filesOf(paths);
  const withType = (file: Found): FileToTrace => {
    const documentType = typeOf(file.name);
    return { ...file, ...(documentType === undefined ? {} : { documentType }) };
  };
  if (given.bytes < BYTES_FOR_THREADS || readersFor(given) < 2) {
    return withReader((reader) =>
      readEach(given, progress, {
        readOne: (file) => orNotAssessed(file, () => traceFile(withType(file), reader)),
      }),
    );
  }
  const idle = Array.from({ length: readersFor(given) }, startThread);
  const all = [...idle];
  try {
    return await readEach(given, progress, {
      // As many at a time as there are threads.
      async readOne(file) {
        const thread = idle.pop()!;
        const read = await thread.trace(withType(file));
        idle.push(thread);
        return read;
      },
    });
  } finally {
    await Promise.all(all.map((thread) => thread.end()));
  }
}

/** Old objects and young ones, in MiB: young ones are nearly all, and most are gone with their document. */
const THREAD_MEMORY = { maxOldGenerationSizeMb: 2048, maxYoungGenerationSizeMb: 32 };

function startThread() {
  const thread = new Worker(new URL('./trace-thread.js', import.meta.url), { resourceLimits: THREAD_MEMORY });
  return {
    trace: (file: FileToTrace) =>
      new Promise<TracedFile | NotAssessed>((resolve, reject) => {
        thread.once('error', reject);
        thread.once('message', (answer: ThreadAnswer) => {
          thread.off('error', reject);
          if ('reason' in answer) resolve(answer);
          else {
            const { file } = answer;
            resolve({ ...file, statements: unpackStatements(answer.statements, file.id)! });
          }
        });
        thread.postMessage(file);
      }),
    end: () => thread.terminate(),
  };
}
