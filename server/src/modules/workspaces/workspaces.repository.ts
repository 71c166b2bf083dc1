import type { z } from 'zod';
import type { Statement, Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import { containing } from '../../platform/http/pagination.js';
import { isOverdue, statusAt } from '../gaps/gaps.repository.js';
import type { WorkspaceSummary } from './workspaces.schemas.js';

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

export interface ListedWorkspaceRow extends WorkspaceRow {
  readonly summary?: Omit<z.output<typeof WorkspaceSummary>, 'last_run_at'> & {
    readonly last_run_at: string | null;
  };
}

const columns = sql`id, name, description, owner_id, phase, tailored_out, created_at, updated_at`;

export const selectWorkspace = (id: string): Statement =>
  sql`select ${columns} from workspaces where id = ${id}`;

/** How the workspace `w` stands, as JSON. */
const summary = (now: Date): Statement => sql`
  (select json_build_object(
     'gaps', (select json_build_object('critical', count(*) filter (where g.effective_severity = 'critical'),
                       'high', count(*) filter (where g.effective_severity = 'high'),
                       'medium', count(*) filter (where g.effective_severity = 'medium'),
                       'low', count(*) filter (where g.effective_severity = 'low'))
              from gaps g left join standards t on t.workspace_id = g.workspace_id and t.id = g.standard_id
              where g.workspace_id = w.id and g.change <> 'absent' and t.deleted_at is null
                and ${statusAt(now)} in ('open', 'in_progress')),
     'overdue', (select count(*) from gaps g
                 where g.workspace_id = w.id and g.change <> 'absent' and g.due_date is not null and ${isOverdue(now)}),
     'standards', (select coalesce(json_agg(json_build_object('id', t.id, 'name', t.name, 'score', s.scores[1],
                            'delta', s.scores[1] - s.scores[2]) order by t.created_at, t.id), '[]')
                   from standards t
                   cross join lateral (select array(
                     select a.score from analyses a
                     where a.workspace_id = t.workspace_id and a.standard_id = t.id and a.type = 'gap_analysis'
                       and a.status = 'completed'
                     order by a.finished_at desc, a.id desc limit 2) as scores) s
                   where t.workspace_id = w.id and t.deleted_at is null),
     'work_products', (select count(*) from work_products p where p.workspace_id = w.id and p.deleted_at is null),
     'members', (select count(*) from workspace_members m where m.workspace_id = w.id),
     'running', (select count(*) from analyses a where a.workspace_id = w.id and a.status in ('queued', 'running')),
     'last_run_at', (select max(a.finished_at) from analyses a where a.workspace_id = w.id and a.status = 'completed'))) as summary`;

export const selectWorkspaces = (
  search: string | undefined,
  summarised?: { readonly now: Date },
): Statement => sql`
  select ${columns}${summarised ? sql`, ${summary(summarised.now)}` : sql``} from workspaces w
  where ${search ? sql`(name ilike ${containing(search)} or description ilike ${containing(search)})` : sql`true`}`;

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

/** Rows of its trace first: their keys would look through all of them for each document. */
export async function deleteWorkspace(transaction: Transaction, id: string): Promise<number> {
  await transaction.run(sql`delete from trace_links where workspace_id = ${id}`);
  await transaction.run(sql`delete from artifacts where workspace_id = ${id}`);
  return transaction.run(sql`delete from workspaces where id = ${id}`);
}
