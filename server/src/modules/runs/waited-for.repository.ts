import type { Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';

/**
 * Whether people wait for something of the workspace: documents that came lately are being read, its trace is about to be taken out of them,
 * or an analysis was just asked for. What is made ahead for later questions (passages, views) lets these go first. One that runs for longer, with a
 * model, holds nothing up.
 */
export const isWaitedFor = async (transaction: Transaction, workspaceId: string): Promise<boolean> =>
  (
    await transaction.one<{ busy: boolean }>(sql`
      select exists (select from work_product_versions v
                     join work_products p on p.workspace_id = v.workspace_id and p.id = v.work_product_id
                     where v.workspace_id = ${workspaceId} and v.processing_status in ('queued', 'running')
                       and v.uploaded_at > now() - interval '1 hour' and p.deleted_at is null)
          or exists (select from trace_extractions e
                     where e.workspace_id = ${workspaceId} and e.status in ('queued', 'running')
                       and e.waits_since > now() - interval '1 hour')
          or exists (select from analyses a
                     where a.workspace_id = ${workspaceId} and a.status in ('queued', 'running')
                       and a.created_at > now() - interval '5 minutes') as busy`)
  ).busy;
