import type { DocumentType } from '@normtrace/engine';
import type { Statement, Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import { containing } from '../../platform/http/pagination.js';
import type { DefinitionRow } from '../own-definitions/own-or-built-in.js';

/** A template of a workspace, or a built-in one, which has no workspace. */
export interface TemplateRow extends DefinitionRow {
  readonly type: string;
  readonly definition: DocumentType;
}

export interface OwnTemplateRow extends TemplateRow {
  readonly workspace_id: string;
  readonly yaml: string;
}

const columns = sql`t.id, t.workspace_id, t.type, t.definition, t.work_product_id, t.work_product_version, t.revision,
  t.created_by, t.created_at, t.updated_at`;

export const workspaceOfTemplate = (id: string): Statement =>
  sql`select workspace_id from templates where id = ${id}`;

export const selectTemplate = (id: string): Statement =>
  sql`select ${columns}, t.yaml from templates t where t.id = ${id}`;

export interface TemplateFilters {
  readonly workspace_id?: string | undefined;
  readonly built_in?: boolean | undefined;
  readonly type?: string | undefined;
  readonly search?: string | undefined;
}

/** Own templates and the built-in ones, which come after all others. */
export function selectTemplates(filters: TemplateFilters, builtIn: readonly TemplateRow[]): Statement {
  const { workspace_id, built_in, type, search } = filters;
  const all = sql`true`;
  return sql`
    select ${columns} from (
      select ${columns} from templates t
      where ${workspace_id ? sql`t.workspace_id = ${workspace_id}` : all}
      union all
      select ${columns} from jsonb_to_recordset(${JSON.stringify(builtIn)}::jsonb)
        as t (id uuid, workspace_id uuid, type text, definition jsonb, work_product_id uuid, work_product_version integer,
              revision integer, created_by uuid, created_at timestamptz(3), updated_at timestamptz(3))
    ) t
    where ${built_in === undefined ? all : sql`(t.workspace_id is null) = ${built_in}::boolean`}
      and ${type ? sql`t.type = ${type}` : all}
      and ${
        search
          ? sql`concat_ws(' ', t.type, t.definition -> 'name' ->> 'en', t.definition -> 'name' ->> 'de') ilike ${containing(search)}`
          : all
      }`;
}

export const findTemplatesOf = (transaction: Transaction, workspaceId: string): Promise<OwnTemplateRow[]> =>
  transaction.many(sql`
    select ${columns}, t.yaml from templates t where t.workspace_id = ${workspaceId} order by t.created_at, t.id`);

export const lockTemplate = async (
  transaction: Transaction,
  id: string,
): Promise<OwnTemplateRow | undefined> =>
  transaction.maybeOne(sql`select ${columns}, t.yaml from templates t where t.id = ${id} for update`);

export const insertTemplate = (
  transaction: Transaction,
  template: {
    readonly workspaceId: string;
    readonly definition: DocumentType;
    readonly yaml: string;
    readonly workProductId?: string | undefined;
    readonly workProductVersion?: number | undefined;
    readonly createdBy: string;
  },
): Promise<OwnTemplateRow> =>
  transaction.one(sql`
    insert into templates as t (workspace_id, type, definition, yaml, work_product_id, work_product_version, created_by)
    values (${template.workspaceId}, ${template.definition.id}, ${JSON.stringify(template.definition)}::jsonb,
            ${template.yaml}, ${template.workProductId ?? null}, ${template.workProductVersion ?? null},
            ${template.createdBy})
    returning ${columns}, t.yaml`);

export const updateTemplate = (
  transaction: Transaction,
  row: OwnTemplateRow,
  { definition, yaml }: { readonly definition: DocumentType; readonly yaml: string },
): Promise<OwnTemplateRow> =>
  transaction.one(sql`
    update templates as t
    set type = ${definition.id}, definition = ${JSON.stringify(definition)}::jsonb, yaml = ${yaml},
        revision = t.revision + 1
    where t.workspace_id = ${row.workspace_id} and t.id = ${row.id}
    returning ${columns}, t.yaml`);

export const deleteTemplate = (transaction: Transaction, row: OwnTemplateRow): Promise<number> =>
  transaction.run(sql`delete from templates where workspace_id = ${row.workspace_id} and id = ${row.id}`);
