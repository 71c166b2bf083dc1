import { recordAudit } from '../../platform/audit/audit.js';
import type { Statement, Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import type { Dependencies } from '../../platform/dependencies.js';
import { type JobHandler, logGivenUp, type Queue } from '../../platform/queue/queue.js';
import { endRuns } from '../runs/analyses.repository.js';
import { deleteObjects } from '../uploads/uploads.jobs.js';
import { discardExports } from '../workspace-archives/discard-exports.js';
import { eraseWorkProduct } from './erase-work-product.js';
import { type Purge, purgeJob } from './retention.jobs.js';

type Tools = Pick<Dependencies, 'database' | 'queue' | 'clock' | 'log' | 'configuration'>;

const GONE = 'Something that this analysis is about was deleted for good.';

/**
 * Takes what was deleted away for good, in one transaction: its rows, what quotes it and, by jobs of the same
 * transaction, its objects. Runs that use it end. Nothing happens when it is gone, or not (any more) due.
 */
export const purge =
  (tools: Tools): JobHandler<Purge> =>
  async (payload) => {
    const { workspaceId, type, id, because } = payload;
    const { queue, configuration, clock } = tools;
    const deletedBefore =
      because === 'time'
        ? new Date(clock().getTime() - configuration.retention.deletedDays * 86_400_000).toISOString()
        : null;
    await tools.database.withWorkspace(workspaceId, async (transaction) => {
      const due = await transaction.maybeOne(sql`
        select id from ${type === 'standard' ? sql`standards` : sql`work_products`}
        where workspace_id = ${workspaceId} and id = ${id} and deleted_at is not null
          and (${deletedBefore}::timestamptz is null or deleted_at < ${deletedBefore}::timestamptz) for update`);
      if (!due) return;
      const runs = await runsAbout(transaction, payload);
      await endRuns(transaction, { workspaceId, ids: runs, error: GONE });
      const reports =
        because === 'confirmed' ? await deleteReports(queue, transaction, { workspaceId, runs }) : 0;
      if (type === 'work_product') await eraseWorkProduct(queue, transaction, { workspaceId, id });
      else await eraseStandard(transaction, { workspaceId, id });
      await queue.enqueue(transaction, deleteObjects, {
        workspaceId,
        prefix: `${workspaceId}/${type === 'standard' ? 'standards' : 'work-products'}/${id}/`,
      });
      await transaction.run(sql`
        delete from purge_requests where workspace_id = ${workspaceId} and target_type = ${type} and target_id = ${id}`);
      await discardExports(queue, transaction, workspaceId);
      await recordAudit(transaction, {
        workspaceId,
        action: `${type}.purged`,
        targetType: type,
        targetId: id,
        actorId: null,
        after: { because, analyses: runs.length, reports },
      });
    });
  };

/** Nothing was lost: the next look finds what is due, and a confirmed purge can be asked for again. */
export const giveUpPurge = ({ log }: Pick<Tools, 'log'>): JobHandler<Purge> =>
  logGivenUp(log, purgeJob, 'something could not be purged');

const selectRuns = ({ workspaceId, type, id }: Purge): Statement =>
  type === 'standard'
    ? sql`select id from analyses where workspace_id = ${workspaceId} and standard_id = ${id}`
    : sql`select analysis_id as id from analysis_inputs where workspace_id = ${workspaceId} and work_product_id = ${id}`;

const runsAbout = async (transaction: Transaction, payload: Purge): Promise<readonly string[]> =>
  (await transaction.many<{ id: string }>(selectRuns(payload))).map((run) => run.id);

/** Reports about these runs go with their objects. */
async function deleteReports(
  queue: Queue,
  transaction: Transaction,
  { workspaceId, runs }: { readonly workspaceId: string; readonly runs: readonly string[] },
): Promise<number> {
  const reports = await transaction.many<{ id: string }>(sql`
    delete from reports where workspace_id = ${workspaceId} and analysis_ids && ${runs}::uuid[] returning id`);
  for (const { id } of reports) {
    await queue.enqueue(transaction, deleteObjects, { workspaceId, prefix: `${workspaceId}/reports/${id}/` });
  }
  return reports.length;
}

/** The text went when it was deleted; now the rest, its analyses and gaps included. */
async function eraseStandard(
  transaction: Transaction,
  { workspaceId, id }: { readonly workspaceId: string; readonly id: string },
): Promise<void> {
  await transaction.run(sql`
    delete from workspace_events where workspace_id = ${workspaceId} and data ->> 'standard_id' = ${id}`);
  await transaction.run(sql`delete from standards where workspace_id = ${workspaceId} and id = ${id}`);
  await transaction.run(sql`delete from embeddings where workspace_id = ${workspaceId}`);
}
