import { z } from 'zod';
import type { JobDefinition } from '../../platform/queue/queue.js';

const DeliverWebhook = z.strictObject({
  workspaceId: z.guid(),
  deliveryId: z.guid(),
  /** How many attempts there were before this one: one that was made already is not made again. */
  attempts: z.string().regex(/^\d+$/),
});
export type DeliverWebhook = z.output<typeof DeliverWebhook>;

/** One attempt to deliver an event. The next one is a job of its own, in the transaction that notes this one's end. */
export const deliverWebhookJob: JobDefinition<DeliverWebhook> = {
  name: 'webhooks.deliver',
  parse: (payload) => DeliverWebhook.parse(payload),
  retryLimit: 10,
  expireInSeconds: 60,
  // They wait for others: a few slow receivers must not hold up everybody's.
  concurrency: 16,
};
