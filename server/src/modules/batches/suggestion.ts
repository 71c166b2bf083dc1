import { catalogEntry, loadChecklist, usualAnalyses } from '@normtrace/engine';
import type { Statement } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import type { AnalysisSuggestion } from './batches.schemas.js';

export interface SuggestionRow {
  /** Types of the documents, each once. */
  readonly types: readonly string[];
  /** Id of the newest adopted standard by its id in the catalog. */
  readonly adopted: Readonly<Record<string, string>>;
}

/** No row when the workspace is not visible. */
export const selectSuggestionFacts = (workspaceId: string): Statement => sql`
  select
    (select coalesce(json_agg(distinct category), '[]') from work_products
     where workspace_id = w.id and deleted_at is null and category is not null) as types,
    (select coalesce(json_object_agg(catalog_id, id), '{}') from (
       select distinct on (catalog_id) catalog_id, id from standards
       where workspace_id = w.id and deleted_at is null and catalog_id is not null
       order by catalog_id, created_at desc, id) s) as adopted
  from workspaces w where w.id = ${workspaceId}`;

/** See `usualAnalyses`. */
export async function suggestionOf({ types, adopted }: SuggestionRow): Promise<AnalysisSuggestion> {
  const usual = await usualAnalyses(new Set(types));
  return {
    standards: await Promise.all(
      usual.standards.map(async (catalog_id) => ({
        catalog_id,
        short_name: (await catalogEntry(catalog_id))?.shortName ?? catalog_id,
        standard_id: adopted[catalog_id] ?? null,
      })),
    ),
    checklists: await Promise.all(
      usual.checklists.map(async (checklist_id) => {
        const { title } = await loadChecklist(checklist_id);
        return { checklist_id, title: { en: title.en, de: title.de ?? title.en } };
      }),
    ),
  };
}
