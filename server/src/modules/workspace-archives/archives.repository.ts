import type { Statement, Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import { tellWorkspace } from '../runs/tell-workspace.js';

export interface ExportRow {
  readonly workspace_id: string;
  readonly id: string;
  readonly status: 'queued' | 'running' | 'completed' | 'failed';
  readonly percent: number;
  readonly error: string | null;
  readonly object_key: string | null;
  readonly sha256: string | null;
  readonly file_size: string | number | null;
  readonly left_out: readonly string[];
  readonly created_by: string;
  readonly created_at: string;
  readonly completed_at: string | Date | null;
  readonly expires_at: string | Date | null;
}

export interface ImportRow {
  readonly id: string;
  readonly target_id: string;
  readonly file_size: string | number;
  readonly object_key: string;
  readonly status: 'pending_upload' | 'queued' | 'running' | 'completed' | 'failed';
  readonly error: string | null;
  readonly members: { readonly invited: readonly string[] };
  readonly analyses: number;
  readonly gap_decisions: number;
  readonly checklist_answers: number;
  readonly problems: readonly string[];
  readonly created_at: string | Date;
  readonly completed_at: string | Date | null;
}

const columns = sql`workspace_id, id, status, percent, error, object_key, sha256, file_size, left_out, created_by, created_at,
  completed_at, expires_at`;

/** Those that somebody made. */
export const selectExports = (workspaceId: string, userId: string): Statement =>
  sql`select ${columns} from workspace_exports where workspace_id = ${workspaceId} and created_by = ${userId}`;

export const selectExport = (workspaceId: string, id: string): Statement =>
  sql`select ${columns} from workspace_exports where workspace_id = ${workspaceId} and id = ${id}`;

/** Adds one, unless one of this person is under way: then that. */
export async function insertExport(
  transaction: Transaction,
  made: { readonly workspaceId: string; readonly userId: string },
): Promise<{ readonly row: ExportRow; readonly isNew: boolean }> {
  const { workspaceId, userId } = made;
  await transaction.run(
    sql`select pg_advisory_xact_lock(hashtextextended(${`export ${workspaceId} ${userId}`}, 0))`,
  );
  const present = await transaction.maybeOne<ExportRow>(sql`
    select ${columns} from workspace_exports
    where workspace_id = ${workspaceId} and created_by = ${userId} and status in ('queued', 'running')
    order by created_at limit 1`);
  if (present) return { row: present, isNew: false };
  const row = await transaction.one<ExportRow>(sql`
    insert into workspace_exports (workspace_id, created_by) values (${workspaceId}, ${userId}) returning ${columns}`);
  return { row, isNew: true };
}

/** Tells who watches the workspace how far an archive is, or that it is gone. */
export const tellExport = (
  transaction: Transaction,
  about: { readonly workspaceId: string; readonly exportId: string },
  status: ExportRow['status'] | 'deleted',
): Promise<number> =>
  tellWorkspace(transaction, about.workspaceId, {
    event: 'export',
    data: { export_id: about.exportId, status },
  });

export const selectImport = (id: string): Statement => sql`
  select i.id, i.target_id, i.file_size, i.object_key, i.status, i.error, i.members, i.created_at, i.completed_at, w.*
  from workspace_imports i
  left join lateral (
    select count(*) filter (where kind = 'runs' and outcome is distinct from 'done' and outcome is distinct from 'failed')::int
             as analyses,
           count(*) filter (where kind = 'gap_decisions')::int as gap_decisions,
           count(*) filter (where kind = 'checklist_answers')::int as checklist_answers,
           coalesce(array_agg(error order by number) filter (where outcome = 'failed'), '{}') as problems
    from imported_work where workspace_id = i.target_id
  ) w on true
  where i.id = ${id}`;

export const insertImport = (
  transaction: Transaction,
  made: {
    readonly id: string;
    readonly userId: string;
    readonly targetId: string;
    readonly name: string | undefined;
    readonly fileSize: number;
    readonly sha256: string | undefined;
    readonly objectKey: string;
  },
): Promise<number> =>
  transaction.run(sql`
    insert into workspace_imports (id, user_id, target_id, name, file_size, sha256, object_key)
    values (${made.id}, ${made.userId}, ${made.targetId}, ${made.name ?? null}, ${made.fileSize},
            ${made.sha256 ?? null}, ${made.objectKey})`);

/** Queues it once; 0 when somebody did already. */
export const queueImport = (transaction: Transaction, id: string, objectKey: string): Promise<number> =>
  transaction.run(sql`
    update workspace_imports set status = 'queued', object_key = ${objectKey}
    where id = ${id} and status = 'pending_upload'`);
