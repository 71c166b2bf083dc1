import type { Statement, Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import type { View } from './views.schemas.js';

export interface ViewRow extends Omit<View, 'owner' | 'updated_at'> {
  readonly owner_id: string;
  readonly owner_name: string;
  readonly updated_at: string;
}

const views = sql`
  select v.id, v.screen, v.name, v.query, v.shared, v.owner_id, coalesce(nullif(p.name, ''), p.email, '') as owner_name,
         v.created_at, v.updated_at
  from saved_views v left join profiles p on p.id = v.owner_id`;

/** The own ones of a workspace and those that others share. */
export const selectViews = (
  { workspaceId, userId }: { readonly workspaceId: string; readonly userId: string },
  screen: string | undefined,
): Statement => sql`
  ${views} where v.workspace_id = ${workspaceId} and (v.shared or v.owner_id = ${userId}) and (${screen ?? null}::text is null or v.screen = ${screen ?? null})`;

/** Undefined: the owner has a view of this name for the screen. */
export const insertView = (
  transaction: Transaction,
  view: Pick<View, 'screen' | 'name' | 'query' | 'shared'> & {
    readonly workspaceId: string;
    readonly ownerId: string;
  },
): Promise<{ readonly id: string } | undefined> =>
  transaction.maybeOne(sql`
    insert into saved_views (workspace_id, owner_id, screen, name, query, shared)
    values (${view.workspaceId}, ${view.ownerId}, ${view.screen}, ${view.name}, ${view.query}, ${view.shared})
    on conflict do nothing returning id`);

export const findView = (
  transaction: Transaction,
  place: { readonly workspaceId: string; readonly id: string; readonly userId: string },
): Promise<ViewRow | undefined> =>
  transaction.maybeOne(sql`${views} where v.workspace_id = ${place.workspaceId} and v.id = ${place.id}
    and (v.shared or v.owner_id = ${place.userId})`);

/** How many views have this name already, beside the one that is to have it. */
export const countNamesakes = async (
  transaction: Transaction,
  view: {
    readonly workspaceId: string;
    readonly ownerId: string;
    readonly screen: string;
    readonly name: string;
    readonly id: string;
  },
): Promise<number> =>
  (
    await transaction.one<{ count: number }>(sql`
      select count(*)::integer as count from saved_views
      where workspace_id = ${view.workspaceId} and owner_id = ${view.ownerId} and screen = ${view.screen}
        and name = ${view.name} and id <> ${view.id}`)
  ).count;

export const updateView = (
  transaction: Transaction,
  view: Pick<View, 'id' | 'name' | 'query' | 'shared'> & { readonly workspaceId: string },
): Promise<number> =>
  transaction.run(sql`
    update saved_views set name = ${view.name}, query = ${view.query}, shared = ${view.shared}
    where workspace_id = ${view.workspaceId} and id = ${view.id}`);

export const deleteView = (
  transaction: Transaction,
  place: { readonly workspaceId: string; readonly id: string },
): Promise<number> =>
  transaction.run(
    sql`delete from saved_views where workspace_id = ${place.workspaceId} and id = ${place.id}`,
  );
