import { z } from 'zod';
import type { JobDefinition } from '../../platform/queue/queue.js';

const ExtractTrace = z.strictObject({ workspaceId: z.guid() });
export type ExtractTrace = z.output<typeof ExtractTrace>;

/** Takes artifacts and links out of the documents of a workspace. */
export const extractTraceJob: JobDefinition<ExtractTrace> = {
  name: 'traceability.extract',
  parse: (payload) => ExtractTrace.parse(payload),
  retryLimit: 4,
  expireInSeconds: 1800,
};
