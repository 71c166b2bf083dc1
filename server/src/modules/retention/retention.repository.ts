import type { Statement, Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';

export interface PurgeRequestRow {
  readonly workspace_id: string;
  readonly id: string;
  readonly target_type: 'work_product' | 'standard';
  readonly target_id: string;
  readonly reason: string;
  readonly requested_by: string;
  readonly created_at: string | Date;
}

export interface DeletedRow {
  readonly id: string;
  readonly type: 'work_product' | 'standard';
  readonly name: string;
  readonly created_at: string;
  readonly deleted_at: string;
  readonly reports: number;
  readonly request: PurgeRequestRow | null;
}

/** What was deleted in a workspace and is still there. */
export const selectDeleted = (
  workspaceId: string,
  type: 'work_product' | 'standard' | undefined,
): Statement => sql`
  select d.id, d.type, d.name, d.created_at, d.deleted_at,
         (select count(*)::int from reports r where r.workspace_id = ${workspaceId} and r.analysis_ids && array(
            select a.id from analyses a where a.workspace_id = ${workspaceId} and a.standard_id = d.id
            union all
            select i.analysis_id from analysis_inputs i
            where i.workspace_id = ${workspaceId} and i.work_product_id = d.id)) as reports,
         (select to_json(p) from purge_requests p where p.workspace_id = ${workspaceId} and p.target_type = d.type
            and p.target_id = d.id) as request
  from (
    select id, 'work_product' as type, name, created_at, deleted_at from work_products
    where workspace_id = ${workspaceId} and deleted_at is not null
    union all
    select id, 'standard', name, created_at, deleted_at from standards
    where workspace_id = ${workspaceId} and deleted_at is not null
  ) d where ${type === undefined ? sql`true` : sql`d.type = ${type}`}`;

/** Locks what was deleted; undefined when there is nothing of this id, or it was not deleted. */
export const lockTarget = (
  transaction: Transaction,
  target: { readonly workspaceId: string; readonly type: 'work_product' | 'standard'; readonly id: string },
): Promise<{ readonly deleted: boolean } | undefined> =>
  transaction.maybeOne(sql`
    select deleted_at is not null as deleted from ${target.type === 'standard' ? sql`standards` : sql`work_products`}
    where workspace_id = ${target.workspaceId} and id = ${target.id} for update`);

export const insertRequest = (
  transaction: Transaction,
  request: Pick<PurgeRequestRow, 'workspace_id' | 'target_type' | 'target_id' | 'reason' | 'requested_by'>,
): Promise<PurgeRequestRow | undefined> =>
  transaction.maybeOne(sql`
    insert into purge_requests (workspace_id, target_type, target_id, reason, requested_by)
    values (${request.workspace_id}, ${request.target_type}, ${request.target_id}, ${request.reason},
            ${request.requested_by})
    on conflict do nothing returning *`);

/** Takes a request out; undefined when there is none. Of two at once one gets it. */
export const takeRequest = (
  transaction: Transaction,
  place: { readonly workspaceId: string; readonly id: string },
): Promise<PurgeRequestRow | undefined> =>
  transaction.maybeOne(sql`
    delete from purge_requests where workspace_id = ${place.workspaceId} and id = ${place.id} returning *`);
