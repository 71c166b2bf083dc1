import { z } from 'zod';
import type { Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import type { Dependencies } from '../../platform/dependencies.js';
import type { JobDefinition } from '../../platform/queue/queue.js';

const EmbedAhead = z.strictObject({ workspaceId: z.guid() });
export type EmbedAhead = z.output<typeof EmbedAhead>;

/** Makes the vectors of the versions of a workspace that wait for it, before any analysis asks for them. */
export const embedAheadJob: JobDefinition<EmbedAhead> = {
  name: 'vectors.ahead',
  isUpkeep: true,
  concurrency: 1,
  parse: (payload) => EmbedAhead.parse(payload),
  retryLimit: 2,
  expireInSeconds: 3600,
};

/** Files that are sent together are read by then, so that one job finds them all. */
const GATHERING_SECONDS = 2;

/**
 * Has the vectors of a version made where the built-in model is used: a remote one is sent something by whoever starts an
 * analysis, never by an upload.
 */
export async function wantVectors(
  { queue, configuration }: Pick<Dependencies, 'queue' | 'configuration'>,
  transaction: Transaction,
  version: { readonly workspaceId: string; readonly workProductId: string; readonly version: string },
): Promise<void> {
  if (configuration.embeddings !== 'builtin') return;
  const { workspaceId } = version;
  await transaction.run(sql`
    update work_product_versions set vectors_wanted = true
    where workspace_id = ${workspaceId} and work_product_id = ${version.workProductId}
      and version = ${version.version}`);
  await queue.enqueue(transaction, embedAheadJob, { workspaceId }, { afterSeconds: GATHERING_SECONDS });
}
