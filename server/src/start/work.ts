import { jobHandlers } from '../jobs.js';
import type { Opened } from './open-dependencies.js';
import type { Process } from './run.js';

/** Jobs that are still running at shutdown get this long to stop; what did not finish starts again elsewhere. */
const DRAIN_MILLISECONDS = 1_500;

/** Works on jobs until shutdown. */
export async function work({ shutdown }: Process, { dependencies }: Opened): Promise<void> {
  await dependencies.queue.work(jobHandlers(dependencies));
  shutdown.add({
    what: 'worker',
    milliseconds: DRAIN_MILLISECONDS,
    close: () => dependencies.queue.stop(DRAIN_MILLISECONDS),
  });
}
