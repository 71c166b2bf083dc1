import type { Statement, Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import type { TakenRun } from '../runs/analysis-kind.js';
import { beginRows } from '../runs/found-again.js';
import type { DocumentCompleteness } from './completeness.schemas.js';

export interface CompletenessDocumentRow {
  readonly result: DocumentCompleteness;
}

/** What a run says about its documents, or one of them, in their order. */
export const selectDocuments = (analysisId: string, ordinal?: Statement): Statement => sql`
  select d.result from completeness_of_runs d
  where d.analysis_id = ${analysisId} and ${ordinal ? sql`d.ordinal = ${ordinal}` : sql`true`}
  order by d.ordinal`;

/** Stores the results of a run, with the score of each document where it has one. */
export async function insertDocuments(
  transaction: Transaction,
  run: TakenRun,
  documents: readonly DocumentCompleteness[],
): Promise<void> {
  const { workspaceId, id, series } = run;
  const { number, begun } = await beginRows(transaction, run, 'completeness_documents', documents);
  await transaction.run(sql`
    insert into completeness_documents (workspace_id, analysis_id, work_product_id, ordinal, result, series, since, hash)
    select ${workspaceId}, ${id}, (d.row ->> 'work_product_id')::uuid, d.ordinal, d.row, ${series}, ${number},
           decode(d.hash, 'hex')
    from jsonb_to_recordset(${JSON.stringify(begun)}::jsonb) as d (row jsonb, ordinal integer, hash text)`);
  await transaction.run(sql`
    update analysis_inputs i set score = (d.result -> 'score' ->> 'value')::numeric
    from completeness_of_runs d
    where d.workspace_id = i.workspace_id and d.analysis_id = i.analysis_id and d.work_product_id = i.work_product_id
      and i.workspace_id = ${workspaceId} and i.analysis_id = ${id}`);
}
