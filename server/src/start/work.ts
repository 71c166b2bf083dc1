import { jobEngine, jobHandlers } from '../jobs.js';
import { describeError } from '../platform/queue/describe-error.js';
import { startStagingSweep } from '../platform/staging/staging.js';
import type { Opened } from './open-dependencies.js';
import type { Process } from './run.js';

/** Jobs that are still running at shutdown get this long to stop; what did not finish starts again elsewhere. */
const DRAIN_MILLISECONDS = 1_500;

/** Works on jobs until shutdown. */
export async function work({ shutdown, log }: Process, { dependencies }: Opened): Promise<void> {
  const sweep = startStagingSweep(dependencies.configuration, (error) =>
    log.warn({ error: describeError(error) }, 'what was staged could not be swept'),
  );
  shutdown.add({ what: 'sweep of staged files', milliseconds: 100, close: async () => sweep.stop() });
  // Its processes end with this one: closed earlier, they would fail jobs that start again elsewhere.
  await dependencies.queue.work(jobHandlers(dependencies, jobEngine(dependencies)));
  shutdown.add({
    what: 'worker',
    milliseconds: DRAIN_MILLISECONDS,
    close: () => dependencies.queue.stop(DRAIN_MILLISECONDS),
  });
}
