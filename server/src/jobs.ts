import type { Dependencies } from './platform/dependencies.js';
import type { JobDefinition, RegisteredHandler } from './platform/queue/queue.js';

/** Every kind of job. What enqueues needs these; what works needs a handler for each. */
export const jobDefinitions: readonly JobDefinition<Readonly<Record<string, string>>>[] = [];

/** What a worker does, one handler for each definition. */
export const jobHandlers = (_dependencies: Dependencies): readonly RegisteredHandler[] => [];
