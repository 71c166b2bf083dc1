import { z } from 'zod';
import type { JobDefinition } from '../../platform/queue/queue.js';

const OfGapsChange = z.strictObject({ workspaceId: z.guid(), changeId: z.guid() });
export type OfGapsChange = z.output<typeof OfGapsChange>;

/** Changes some of very many gaps, and asks for itself again while there are more. */
export const changeManyGapsJob: JobDefinition<OfGapsChange> = {
  name: 'gaps.change-many',
  parse: (payload) => OfGapsChange.parse(payload),
  retryLimit: 5,
  expireInSeconds: 600,
};
