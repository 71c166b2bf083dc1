import type { Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import type { Queue } from '../../platform/queue/queue.js';
import { deleteObjects } from '../uploads/uploads.jobs.js';
import { tellExport } from './archives.repository.js';

/**
 * Deletes the archives of a workspace, because something in them has to be forgotten; one that is being made ends
 * without a trace.
 */
export async function discardExports(
  queue: Queue,
  transaction: Transaction,
  workspaceId: string,
): Promise<void> {
  const exports = await transaction.many<{ id: string }>(
    sql`delete from workspace_exports where workspace_id = ${workspaceId} returning id`,
  );
  for (const { id } of exports) {
    await queue.enqueue(transaction, deleteObjects, {
      workspaceId,
      prefix: `${workspaceId}/exports/${id}/`,
    });
    await tellExport(transaction, { workspaceId, exportId: id }, 'deleted');
  }
}
