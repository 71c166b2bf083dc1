import { z } from 'zod';
import type { JobDefinition } from '../../platform/queue/queue.js';

const Purge = z.strictObject({
  workspaceId: z.guid(),
  type: z.enum(['work_product', 'standard']),
  id: z.guid(),
  /** `confirmed`: two people decided it, so that reports which quote it go as well. `time`: its time is over. */
  because: z.enum(['confirmed', 'time']),
});
export type Purge = z.output<typeof Purge>;

const OfStandard = z.strictObject({ workspaceId: z.guid(), standardId: z.guid() });
export type OfStandard = z.output<typeof OfStandard>;

/** Takes something that was deleted away for good, with everything derived from it. */
export const purgeJob: JobDefinition<Purge> = {
  name: 'retention.purge',
  isUpkeep: true,
  parse: (payload) => Purge.parse(payload),
  retryLimit: 20,
  expireInSeconds: 900,
};

/** Erases the text of a standard whose attestation ended longer ago than the time of grace. */
export const eraseExpiredJob: JobDefinition<OfStandard> = {
  name: 'retention.erase-expired',
  isUpkeep: true,
  parse: (payload) => OfStandard.parse(payload),
  retryLimit: 20,
  expireInSeconds: 300,
};
