import type { Checklist } from '@normtrace/engine';
import type { Statement, Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import { containing } from '../../platform/http/pagination.js';
import type { DefinitionRow } from '../own-definitions/own-or-built-in.js';

/** What a list shows of a checklist of a workspace, or of a built-in one, which has no workspace. */
export interface ListedChecklistRow extends DefinitionRow {
  readonly key: string;
  readonly title: Checklist['title'];
  readonly domain: Checklist['domain'];
  readonly languages: readonly ('en' | 'de')[];
  readonly item_count: number;
}

export interface OwnChecklistRow extends ListedChecklistRow {
  readonly workspace_id: string;
  readonly definition: Checklist;
  readonly yaml: string;
}

const listed = sql`id, workspace_id, key, title, domain, languages, item_count, work_product_id, work_product_version,
  revision, created_by, created_at, updated_at`;

/** Of the row `c`. */
const columns = sql`c.id, c.workspace_id, c.key, c.definition -> 'title' as title, c.definition ->> 'domain' as domain,
  c.languages,
  jsonb_array_length(jsonb_path_query_array(c.definition, '$.items[*] ? (@.status == "active")')) as item_count,
  c.work_product_id, c.work_product_version, c.revision, c.created_by, c.created_at, c.updated_at`;
const everything = sql`${columns}, c.definition, c.yaml`;

export const workspaceOfChecklist = (id: string): Statement =>
  sql`select workspace_id from checklists where id = ${id}`;

export const selectChecklist = (id: string): Statement =>
  sql`select ${everything} from checklists c where c.id = ${id}`;

export interface ChecklistFilters {
  readonly workspace_id?: string | undefined;
  readonly built_in?: boolean | undefined;
  readonly group?: string | undefined;
  readonly language?: string | undefined;
  readonly search?: string | undefined;
}

/** Own checklists and the built-in ones, which come after all others. */
export function selectChecklists(
  filters: ChecklistFilters,
  builtIn: readonly ListedChecklistRow[],
): Statement {
  const { workspace_id, built_in, group, language, search } = filters;
  const all = sql`true`;
  return sql`
    select ${listed} from (
      select ${columns} from checklists c
      where ${workspace_id ? sql`c.workspace_id = ${workspace_id}` : all}
      union all
      select ${listed} from jsonb_to_recordset(${JSON.stringify(builtIn)}::jsonb)
        as b (id uuid, workspace_id uuid, key text, title jsonb, domain text, languages text[], item_count integer,
              work_product_id uuid, work_product_version integer, revision integer, created_by uuid,
              created_at timestamptz(3), updated_at timestamptz(3))
    ) l
    where ${built_in === undefined ? all : sql`(l.workspace_id is null) = ${built_in}::boolean`}
      and ${group ? sql`l.domain = ${group}` : all}
      and ${language ? sql`${language} = any (l.languages)` : all}
      and ${
        search
          ? sql`concat_ws(' ', l.key, l.title ->> 'en', l.title ->> 'de') ilike ${containing(search)}`
          : all
      }`;
}

export const findChecklist = (
  transaction: Transaction,
  workspaceId: string,
  id: string,
): Promise<OwnChecklistRow | undefined> =>
  transaction.maybeOne(sql`
    select ${everything} from checklists c where c.workspace_id = ${workspaceId} and c.id = ${id}`);

export const lockChecklist = (transaction: Transaction, id: string): Promise<OwnChecklistRow | undefined> =>
  transaction.maybeOne(sql`select ${everything} from checklists c where c.id = ${id} for update`);

export interface MadeChecklist {
  readonly definition: Checklist;
  readonly languages: readonly ('en' | 'de')[];
  readonly yaml: string;
}

export const insertChecklist = (
  transaction: Transaction,
  made: MadeChecklist & {
    readonly workspaceId: string;
    readonly workProductId?: string | undefined;
    readonly workProductVersion?: number | undefined;
    readonly createdBy: string;
  },
): Promise<OwnChecklistRow> =>
  transaction.one(sql`
    insert into checklists as c (workspace_id, key, definition, languages, yaml, work_product_id, work_product_version,
                                 created_by)
    values (${made.workspaceId}, ${made.definition.id}, ${JSON.stringify(made.definition)}::jsonb,
            ${[...made.languages]}::text[], ${made.yaml}, ${made.workProductId ?? null},
            ${made.workProductVersion ?? null}, ${made.createdBy})
    returning ${everything}`);

export const updateChecklist = (
  transaction: Transaction,
  row: OwnChecklistRow,
  { definition, languages, yaml }: MadeChecklist,
): Promise<OwnChecklistRow> =>
  transaction.one(sql`
    update checklists as c
    set key = ${definition.id}, definition = ${JSON.stringify(definition)}::jsonb,
        languages = ${[...languages]}::text[], yaml = ${yaml}, revision = c.revision + 1
    where c.workspace_id = ${row.workspace_id} and c.id = ${row.id}
    returning ${everything}`);

export const deleteChecklist = (transaction: Transaction, row: OwnChecklistRow): Promise<number> =>
  transaction.run(sql`delete from checklists where workspace_id = ${row.workspace_id} and id = ${row.id}`);

/** Series of the checklists that a run of the workspace has judged. */
export const selectJudged = (workspaceId: string): Statement => sql`
  select distinct series from analyses
  where workspace_id = ${workspaceId} and type = 'checklist' and status = 'completed'`;
