import type { Statement, Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import type { Membership, Role } from '../../platform/identity/permissions.js';
import type { GapChange } from './gaps.schemas.js';
import type { StartedGapsChange } from './many-gaps.schemas.js';

export interface GapsChangeRow {
  readonly workspace_id: string;
  readonly id: string;
  readonly change: GapChange | null;
  readonly undoes: string | null;
  readonly undone_by: string | null;
  readonly status: StartedGapsChange['status'];
  readonly error: string | null;
  readonly total: number;
  readonly done: number;
  readonly changed: number;
  readonly proposed: number;
  readonly refused: number;
  readonly refusal: string | null;
  readonly request_id: string;
  readonly created_by: string;
  readonly created_at: string;
  readonly finished_at: string | Date | null;
}

/** What one gap was before it was changed, as a change that makes it so again. */
export interface GapsChangeItem {
  readonly position: number;
  readonly gap_id: string;
  readonly wanted: GapChange | null;
}

/** What a transaction is about; the names are those of the job. */
interface Of {
  readonly workspaceId: string;
  readonly changeId: string;
}

const columns = sql`c.workspace_id, c.id, c.change, c.undoes, c.status, c.error, c.total, c.done, c.changed, c.proposed, c.refused,
  c.refusal, c.request_id, c.created_by, c.created_at, c.finished_at,
  (select u.id from gap_changes u where u.workspace_id = c.workspace_id and u.undoes = c.id and u.status <> 'failed') as undone_by`;

/** Those that somebody asked for. */
export const selectChanges = (workspaceId: string, userId: string): Statement =>
  sql`select ${columns} from gap_changes c where c.workspace_id = ${workspaceId} and c.created_by = ${userId}`;

export const selectChange = (id: string): Statement =>
  sql`select ${columns} from gap_changes c where c.id = ${id}`;

export const workspaceOfChange = (id: string): Statement =>
  sql`select workspace_id from gap_changes where id = ${id}`;

export const lockChange = (
  transaction: Transaction,
  { workspaceId, changeId }: Of,
): Promise<GapsChangeRow | undefined> =>
  transaction.maybeOne(sql`
    select ${columns} from gap_changes c where c.workspace_id = ${workspaceId} and c.id = ${changeId} for update of c`);

/** Who asked for a change that has not ended. */
export const findAsker = async (
  transaction: Transaction,
  { workspaceId, changeId }: Of,
): Promise<string | undefined> =>
  (
    await transaction.maybeOne<{ readonly created_by: string }>(sql`
      select created_by from gap_changes
      where workspace_id = ${workspaceId} and id = ${changeId} and finished_at is null`)
  )?.created_by;

interface NewChange {
  readonly workspaceId: string;
  readonly change: GapChange | null;
  readonly undoes: string | null;
  readonly total: number;
  readonly userId: string;
  readonly requestId: string;
}

export const insertChange = (
  transaction: Transaction,
  { workspaceId, change, undoes, total, userId, requestId }: NewChange,
): Promise<{ readonly id: string }> =>
  transaction.one(sql`
    insert into gap_changes (workspace_id, change, undoes, total, request_id, created_by)
    values (${workspaceId}, ${change && JSON.stringify(change)}::jsonb, ${undoes}::uuid, ${total}, ${requestId}, ${userId})
    returning id`);

export const insertItems = (
  transaction: Transaction,
  { workspaceId, changeId }: Of,
  ids: readonly string[],
): Promise<number> =>
  transaction.run(sql`
    insert into gap_change_items (workspace_id, change_id, position, gap_id)
    select ${workspaceId}, ${changeId}, n.position - 1, n.id from unnest(${ids}::uuid[]) with ordinality as n (id, position)`);

/** What a change did, to be taken back. */
export const insertWayBack = (
  transaction: Transaction,
  { workspaceId, changeId }: Of,
  undone: string,
): Promise<number> =>
  transaction.run(sql`
    insert into gap_change_items (workspace_id, change_id, position, gap_id, wanted)
    select workspace_id, ${changeId}, row_number() over (order by position) - 1, gap_id, before
    from gap_change_items
    where workspace_id = ${workspaceId} and change_id = ${undone} and before is not null`);

export const countChanged = (
  transaction: Transaction,
  { workspaceId, changeId }: Of,
): Promise<{ readonly count: number }> =>
  transaction.one(sql`
    select count(*)::integer as count from gap_change_items
    where workspace_id = ${workspaceId} and change_id = ${changeId} and before is not null`);

/** The next ones in their order. */
export const selectItems = (
  transaction: Transaction,
  { workspaceId, changeId }: Of,
  { from, limit }: { readonly from: number; readonly limit: number },
): Promise<GapsChangeItem[]> =>
  transaction.many(sql`
    select position, gap_id, wanted from gap_change_items
    where workspace_id = ${workspaceId} and change_id = ${changeId} and position >= ${from}
    order by position limit ${limit}`);

export const keepBefore = (
  transaction: Transaction,
  { workspaceId, changeId }: Of,
  before: readonly { readonly position: number; readonly before: GapChange }[],
): Promise<number> =>
  transaction.run(sql`
    update gap_change_items i set before = r.before
    from jsonb_to_recordset(${JSON.stringify(before)}::jsonb) as r (position integer, before jsonb)
    where i.workspace_id = ${workspaceId} and i.change_id = ${changeId} and i.position = r.position`);

export const storeProgress = (
  transaction: Transaction,
  { workspaceId, changeId }: Of,
  part: {
    readonly done: number;
    readonly changed: number;
    readonly proposed: number;
    readonly refused: number;
    readonly refusal: string | null;
  },
): Promise<number> =>
  transaction.run(sql`
    update gap_changes
    set done = done + ${part.done}, changed = changed + ${part.changed}, proposed = proposed + ${part.proposed},
        refused = refused + ${part.refused}, refusal = coalesce(refusal, ${part.refusal}::text),
        status = case when done + ${part.done} >= total then 'completed' else 'running' end,
        finished_at = case when done + ${part.done} >= total then now() end
    where workspace_id = ${workspaceId} and id = ${changeId}`);

/** Ends a change before all of it was done. One that has ended stays as it is. */
export const endChange = (
  transaction: Transaction,
  { workspaceId, changeId }: Of,
  { status, error }: { readonly status: 'stopped' | 'failed'; readonly error: string | null },
): Promise<number> =>
  transaction.run(sql`
    update gap_changes set status = ${status}, error = ${error}::text, finished_at = now()
    where workspace_id = ${workspaceId} and id = ${changeId} and status in ('queued', 'running')`);

/** What somebody may do in a workspace now; undefined where they are no member or may not sign in any more. */
export const standingOf = (
  transaction: Transaction,
  { workspaceId, userId }: { readonly workspaceId: string; readonly userId: string },
): Promise<(Membership & { readonly profileRole: Role }) | undefined> =>
  transaction.maybeOne(sql`
    select m.role, w.owner_id = m.user_id as "isOwner", p.role as "profileRole"
    from workspace_members m
    join workspaces w on w.id = m.workspace_id
    join profiles p on p.id = m.user_id
    where m.workspace_id = ${workspaceId} and m.user_id = ${userId} and p.deactivated_at is null`);
