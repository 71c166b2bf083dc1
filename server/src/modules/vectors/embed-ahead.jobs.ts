import { z } from 'zod';
import type { Statement, Transaction } from '../../platform/database/database.js';
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
/** A version that has waited for so long says nothing about whether a job is still there. */
const TRUSTED_MINUTES = 10;

/** `v` and `p`: newest versions of documents that wait for their vectors. */
export const selectWanted = (workspaceId: string): Statement => sql`
  select v.work_product_id as id, v.version, v.parsed_key
  from work_product_versions v
  join work_products p on p.workspace_id = v.workspace_id and p.id = v.work_product_id
                      and p.version = v.version and p.deleted_at is null
  where v.workspace_id = ${workspaceId} and v.vectors_wanted and v.parsed_key is not null`;

/**
 * Has the vectors of a version made, in the transaction that asks for the extraction and after that: its row is locked, so that of
 * many versions only one brings a job along (see `findWanted`). Only where the built-in model is used: a remote one is sent something by
 * whoever starts an analysis, never by an upload.
 */
export async function wantVectors(
  { queue, configuration }: Pick<Dependencies, 'queue' | 'configuration'>,
  transaction: Transaction,
  version: { readonly workspaceId: string; readonly workProductId: string; readonly version: string },
): Promise<void> {
  if (configuration.embeddings !== 'builtin') return;
  const { workspaceId, workProductId } = version;
  const wanted = await transaction.maybeOne<{ first: boolean }>(sql`
    update work_product_versions set vectors_wanted = true
    where workspace_id = ${workspaceId} and work_product_id = ${workProductId}
      and version = ${version.version}
    returning not exists (
      ${selectWanted(workspaceId)} and v.processed_at > now() - make_interval(mins => ${TRUSTED_MINUTES})
        and p.id <> ${workProductId}) as first`);
  if (wanted?.first)
    await queue.enqueue(transaction, embedAheadJob, { workspaceId }, { afterSeconds: GATHERING_SECONDS });
}
