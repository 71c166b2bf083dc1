import { jobEngine } from '../jobs.js';
import type { Engine } from '../modules/engine/engine.js';
import type { Dependencies } from '../platform/dependencies.js';

/** Engines of this process, by the tasks that they do at the same time. */
const engines = new Map<number, Engine>();

/**
 * An engine for an app of a test, over processes that stay for the apps of later files: they know nothing of an app, and each
 * takes a second and a half of a processor to start. What the app has not finished ends when it is closed.
 */
export function sharedEngine(dependencies: Dependencies): Engine {
  const { workerConcurrency } = dependencies.configuration;
  const engine = engines.get(workerConcurrency) ?? jobEngine(dependencies);
  engines.set(workerConcurrency, engine);
  const closing = new AbortController();
  return {
    run: (task, input, options) =>
      engine.run(task, input, { ...options, signal: AbortSignal.any([options.signal, closing.signal]) }),
    close: async () => closing.abort(),
  };
}
