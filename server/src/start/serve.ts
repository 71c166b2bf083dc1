import { buildApp } from '../app.js';
import { uploadRoute } from '../platform/storage/upload-route.js';
import type { Opened } from './open-dependencies.js';
import { whenPortIsFree } from './patience.js';
import type { Process } from './run.js';

/** Requests that are still running at shutdown get this long. */
const DRAIN_MILLISECONDS = 1_500;

/** Serves the API and its pages until shutdown. Returns the address. */
export async function serve(process: Process, { dependencies, uploads }: Opened): Promise<string> {
  const { configuration, shutdown, log } = process;
  const app = await buildApp(dependencies);
  shutdown.add({ what: 'API', milliseconds: DRAIN_MILLISECONDS, close: () => app.close() });
  if (uploads) await uploadRoute(app, uploads);
  const { host, port } = configuration;
  return whenPortIsFree(log, port, () => app.listen({ host, port }));
}
