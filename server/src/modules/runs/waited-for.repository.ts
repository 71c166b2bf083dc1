import type { Statement, Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';

// What is made ahead for later questions lets go first what people wait for.

const traceComes = (workspaceId: string): Statement => sql`
  (exists (select from work_product_versions v
           join work_products p on p.workspace_id = v.workspace_id and p.id = v.work_product_id
           where v.workspace_id = ${workspaceId} and v.processing_status in ('queued', 'running')
             and v.uploaded_at > now() - interval '1 hour' and p.deleted_at is null)
   or exists (select from trace_extractions e
              where e.workspace_id = ${workspaceId} and e.status in ('queued', 'running')
                and e.waits_since > now() - interval '1 hour'))`;

const isSo = async (transaction: Transaction, condition: Statement): Promise<boolean> =>
  (await transaction.one<{ so: boolean }>(sql`select ${condition} as so`)).so;

/** Whether documents of the workspace that came lately are being read, or its trace is about to be taken out of them. */
export const doesTraceCome = (transaction: Transaction, workspaceId: string): Promise<boolean> =>
  isSo(transaction, traceComes(workspaceId));

/** Whether that, or an analysis was just asked for. One that runs for longer, with a model, holds nothing up. */
export const isWaitedFor = (transaction: Transaction, workspaceId: string): Promise<boolean> =>
  isSo(
    transaction,
    sql`${traceComes(workspaceId)}
        or exists (select from analyses a
                   where a.workspace_id = ${workspaceId} and a.status in ('queued', 'running')
                     and a.created_at > now() - interval '5 minutes')`,
  );
