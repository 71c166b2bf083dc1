import { z } from 'zod';
import type { Statement, Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import type { Dependencies } from '../../platform/dependencies.js';
import type { JobDefinition } from '../../platform/queue/queue.js';

const StorePassages = z.strictObject({ workspaceId: z.guid() });
export type StorePassages = z.output<typeof StorePassages>;

/** Stores the passages of the versions of a workspace that wait for it. */
export const storePassagesJob: JobDefinition<StorePassages> = {
  name: 'documents.passages',
  parse: (payload) => StorePassages.parse(payload),
  retryLimit: 4,
  expireInSeconds: 3600,
};

/** The trace of a small document is stored by then. */
export const LATER_SECONDS = 1;
/** A version that has waited for so long says nothing about whether a job is still there. */
const TRUSTED_MINUTES = 10;

/** `v` and `p`: newest versions of documents that wait for their passages. */
export const selectWanted = (workspaceId: string): Statement => sql`
  select v.work_product_id as id, v.version, v.parsed_key
  from work_product_versions v
  join work_products p on p.workspace_id = v.workspace_id and p.id = v.work_product_id
                      and p.version = v.version and p.deleted_at is null
  where v.workspace_id = ${workspaceId} and v.passages_wanted and v.parsed_key is not null`;

/**
 * Has the passages of a version stored that was just read, instead of those of the version before, which are found no more. In the
 * transaction that asks for the extraction, and after that: its row is locked, so that of many versions only one brings a
 * job along (see `nextWanted`).
 */
export async function wantPassages(
  transaction: Transaction,
  queue: Dependencies['queue'],
  version: { readonly workspaceId: string; readonly workProductId: string; readonly version: string },
): Promise<void> {
  const { workspaceId, workProductId } = version;
  const wanted = await transaction.maybeOne<{ first: boolean }>(sql`
    update work_product_versions v set passages_wanted = true
    from work_products p
    where v.workspace_id = ${workspaceId} and v.work_product_id = ${workProductId} and v.version = ${version.version}
      and p.workspace_id = v.workspace_id and p.id = v.work_product_id and p.version = v.version
    returning not exists (
      ${selectWanted(workspaceId)} and v.processed_at > now() - make_interval(mins => ${TRUSTED_MINUTES})
        and p.id <> ${workProductId}) as first`);
  // A newer version was announced meanwhile: it brings its own.
  if (!wanted) return;
  await transaction.run(sql`
    delete from passages where workspace_id = ${workspaceId} and work_product_id = ${workProductId}`);
  if (wanted.first)
    await queue.enqueue(transaction, storePassagesJob, { workspaceId }, { afterSeconds: LATER_SECONDS });
}
