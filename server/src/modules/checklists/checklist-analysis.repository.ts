import type { ChecklistItem, ItemResult, ItemVerdict } from '@normtrace/engine';
import type { Statement, Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import type { EvidenceRow } from '../gaps/gaps.repository.js';
import type { TakenRun } from '../runs/analysis-kind.js';
import { beginRows } from '../runs/found-again.js';

// How a run of a checklist is stored:
//   analyses.summary    counts of the engine as they are (`verdicts`, `needsConfirmation` as needs_confirmation,
//                       `severities`), gaps and changes, its `questions` and its `method` (id and title of the checklist)
//   checklist_results   one row for each active item, in the order of the list
//   analysis_evidence   evidence of an item: criterion_id is the item's id, answer its verdict; of a `fail` or
//                       `missing` the same rows are the evidence of the gap
//   gaps                one for each `fail` and `missing`; criterion_id is the item's id

/** The item as it was judged, in the engine's form. */
export type StoredItem = Omit<ChecklistItem, 'checks'>;
/** What the engine says of it, in the engine's form; documents in `search` and `lookedAt` are work products. */
export type StoredItemResult = Omit<ItemResult, 'evidence'>;

export interface ChecklistResultRow {
  readonly item_id: string;
  readonly verdict: ItemVerdict;
  readonly item: StoredItem;
  readonly result: StoredItemResult;
  readonly evidence: readonly EvidenceRow[];
}

/** What a run says about its items, or about one of them, in their order. */
export const selectChecklistResults = (
  analysisId: string,
  only: { readonly itemId?: string; readonly ordinal?: Statement } = {},
): Statement => sql`
  select c.item_id, c.verdict, c.item, c.result,
         (select coalesce(json_agg(json_build_object('work_product_id', e.work_product_id, 'version', e.version,
                  'location', e.location, 'quote', e.quote, 'start', e.start_offset, 'end', e.end_offset, 'role', e.role, 'note', e.note, 'said', e.said)
                  order by e.ordinal), '[]')
          from evidence_of_runs e
          where e.workspace_id = c.workspace_id and e.analysis_id = c.analysis_id and e.criterion_id = c.item_id)
           as evidence
  from checklist_results_of_runs c where c.analysis_id = ${analysisId}
    and ${only.itemId === undefined ? sql`true` : sql`c.item_id = ${only.itemId}`}
    and ${only.ordinal ? sql`c.ordinal = ${only.ordinal}` : sql`true`}
  order by c.ordinal`;

export async function insertChecklistResults(
  transaction: Transaction,
  run: TakenRun,
  found: readonly { readonly item: StoredItem; readonly result: StoredItemResult }[],
): Promise<void> {
  const { workspaceId, id, series } = run;
  const said = found.map(({ item, result }) => ({ item, result }));
  const { number, begun } = await beginRows(transaction, run, 'checklist_results', said);
  const rows = begun.map(({ row, ordinal, hash }) => ({ ...row, ordinal, hash }));
  await transaction.run(sql`
    insert into checklist_results (workspace_id, analysis_id, ordinal, item_id, verdict, basis, looked_at, item, result,
                                   series, since, hash)
    select ${workspaceId}, ${id}, r.ordinal, r.result ->> 'itemId', r.result ->> 'verdict', r.result ->> 'basis',
           array(select jsonb_array_elements_text(r.result -> 'lookedAt')::uuid), r.item, r.result,
           ${series}, ${number}, decode(r.hash, 'hex')
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (ordinal integer, item jsonb, result jsonb, hash text)`);
}
