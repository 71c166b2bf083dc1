import type { Statement, Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';

export const hasAccounts = async (transaction: Transaction): Promise<boolean> =>
  (await transaction.one<{ found: boolean }>(sql`select exists (select from profiles) as found`)).found;

export const selectOwnMembership = (workspaceId: string, userId: string): Statement => sql`
  select m.role, w.owner_id = m.user_id as "isOwner"
  from workspace_members m join workspaces w on w.id = m.workspace_id
  where m.workspace_id = ${workspaceId} and m.user_id = ${userId}`;

export interface CountedInstallation {
  readonly users: number;
  readonly active_users: number;
  readonly database_version: string;
  readonly database_bytes: string;
}
export const countInstallation: Statement = sql`
  select (select count(*) from profiles)::integer as users,
         (select count(*) from profiles where deactivated_at is null)::integer as active_users,
         current_setting('server_version') as database_version,
         pg_database_size(current_database())::text as database_bytes`;
