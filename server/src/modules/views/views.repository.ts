import type { Statement, Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import type { View } from './views.schemas.js';

export interface ViewRow extends Omit<View, 'owner' | 'updated_at' | 'dropped'> {
  readonly owner_id: string;
  readonly owner_name: string;
  readonly updated_at: string;
}

const views = sql`
  select v.id, v.screen, v.name, v.query, v.columns, v.sort, v.shared, v.is_default, v.owner_id, coalesce(nullif(p.name, ''), p.email, '') as owner_name,
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
  view: Pick<View, 'screen' | 'name' | 'query' | 'columns' | 'sort' | 'shared' | 'is_default'> & {
    readonly workspaceId: string;
    readonly ownerId: string;
  },
): Promise<{ readonly id: string } | undefined> =>
  transaction.maybeOne(sql`
    insert into saved_views (workspace_id, owner_id, screen, name, query, columns, sort, shared, is_default)
    values (${view.workspaceId}, ${view.ownerId}, ${view.screen}, ${view.name}, ${view.query}, ${view.columns}::text[],
            ${view.sort}, ${view.shared}, ${view.is_default})
    on conflict (workspace_id, owner_id, screen, name) do nothing returning id`);

/** Takes the default of a person's screen away, so that another view can have it. Locks it: two at once wait. */
export const clearDefault = (
  transaction: Transaction,
  place: { readonly workspaceId: string; readonly ownerId: string; readonly screen: string },
): Promise<number> =>
  transaction.run(sql`
    update saved_views set is_default = false
    where workspace_id = ${place.workspaceId} and owner_id = ${place.ownerId} and screen = ${place.screen} and is_default`);

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
  view: Pick<View, 'id' | 'name' | 'query' | 'columns' | 'sort' | 'shared' | 'is_default'> & {
    readonly workspaceId: string;
  },
): Promise<number> =>
  transaction.run(sql`
    update saved_views set name = ${view.name}, query = ${view.query}, columns = ${view.columns}::text[], sort = ${view.sort},
      shared = ${view.shared}, is_default = ${view.is_default}
    where workspace_id = ${view.workspaceId} and id = ${view.id}`);

export const deleteView = (
  transaction: Transaction,
  place: { readonly workspaceId: string; readonly id: string },
): Promise<number> =>
  transaction.run(
    sql`delete from saved_views where workspace_id = ${place.workspaceId} and id = ${place.id}`,
  );
