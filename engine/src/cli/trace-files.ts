import type { Progress } from './progress.js';
import { filesOf, orNotAssessed, type ReadFiles, readEach, withReader } from './read-files.js';
import { type TracedFile, traceFile } from './trace-file.js';
import { TRACE_PROGRAM } from './trace-program.js';

/** As `readFiles`; the processes that read take the documents apart as well. Throws `CommandError`. */
export async function readForTrace(
  paths: readonly string[],
  progress: Progress,
  typeOf: (name: string) => string | undefined,
): Promise<ReadFiles<TracedFile>> {
  const given = await filesOf(paths);
  return withReader(
    (reader) =>
      readEach(given, progress, {
        readOne: (file) =>
          orNotAssessed(file, () => {
            const documentType = typeOf(file.name);
            return traceFile({ ...file, ...(documentType === undefined ? {} : { documentType }) }, reader);
          }),
      }),
    TRACE_PROGRAM,
  );
}
