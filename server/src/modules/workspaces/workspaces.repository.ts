import type { Statement, Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import { containing } from '../../platform/http/pagination.js';

export interface WorkspaceRow {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly owner_id: string;
  readonly phase: string | null;
  readonly tailored_out: readonly { readonly area: string; readonly reason: string }[];
  readonly created_at: string;
  readonly updated_at: string;
}

const columns = sql`id, name, description, owner_id, phase, tailored_out, created_at, updated_at`;

export const selectWorkspace = (id: string): Statement =>
  sql`select ${columns} from workspaces where id = ${id}`;

export const selectWorkspaces = (search: string | undefined): Statement =>
  search
    ? sql`select ${columns} from workspaces
          where name ilike ${containing(search)} or description ilike ${containing(search)}`
    : sql`select ${columns} from workspaces`;

export const lockWorkspace = (transaction: Transaction, id: string): Promise<WorkspaceRow | undefined> =>
  transaction.maybeOne(sql`select ${columns} from workspaces where id = ${id} for update`);

export const insertWorkspace = (
  transaction: Transaction,
  workspace: { readonly id: string; readonly name: string; readonly description: string },
): Promise<WorkspaceRow> =>
  transaction.one(sql`
    select ${columns} from app.create_workspace(${workspace.id}, ${workspace.name}, ${workspace.description}, 'admin')`);

export const updateWorkspace = (
  transaction: Transaction,
  workspace: Pick<WorkspaceRow, 'id' | 'name' | 'description' | 'phase' | 'tailored_out'>,
): Promise<WorkspaceRow> =>
  transaction.one(sql`
    update workspaces
    set name = ${workspace.name}, description = ${workspace.description}, phase = ${workspace.phase},
        tailored_out = ${JSON.stringify(workspace.tailored_out)}::jsonb
    where id = ${workspace.id} returning ${columns}`);

type Scope = Pick<WorkspaceRow, 'phase' | 'tailored_out'>;

/** What of the standards is outside of its project; undefined where the workspace is not visible. */
export const findProjectScope = (transaction: Transaction, id: string): Promise<Scope | undefined> =>
  transaction.maybeOne<Scope>(sql`select phase, tailored_out from workspaces where id = ${id}`);

export const rememberProjectScope = (transaction: Transaction, id: string, scope: Scope): Promise<number> =>
  transaction.run(sql`
    update workspaces set phase = ${scope.phase}, tailored_out = ${JSON.stringify(scope.tailored_out)}::jsonb
    where id = ${id}`);

export const deleteWorkspace = (transaction: Transaction, id: string): Promise<number> =>
  transaction.run(sql`delete from workspaces where id = ${id}`);
