import { z } from 'zod';
import type { JobDefinition } from '../../platform/queue/queue.js';

const EndAcceptances = z.strictObject({
  workspaceId: z.guid(),
  /** When one of them ends. */
  until: z.iso.datetime(),
});
export type EndAcceptances = z.output<typeof EndAcceptances>;

/** Opens the gaps of a workspace again whose acceptance has ended. */
export const endAcceptancesJob: JobDefinition<EndAcceptances> = {
  name: 'gaps.end-acceptances',
  isUpkeep: true,
  parse: (payload) => EndAcceptances.parse(payload),
  retryLimit: 20,
  expireInSeconds: 300,
};

/** The queue keeps a waiting job for two weeks: what is further away is asked for again on the way. */
export const LONGEST_WAIT_SECONDS = 7 * 24 * 3600;
