import type { Statement, Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import type { Run } from '../runs/analysis-kind.js';
import type { DocumentCompleteness } from './completeness.schemas.js';

export interface CompletenessDocumentRow {
  readonly result: DocumentCompleteness;
}

/** What a run says about its documents, in their order. */
export const selectDocuments = (analysisId: string): Statement => sql`
  select result from completeness_documents where analysis_id = ${analysisId} order by ordinal`;

/** Stores the results of a run, with the score of each document where it has one. */
export async function insertDocuments(
  transaction: Transaction,
  { workspaceId, id }: Run,
  documents: readonly DocumentCompleteness[],
): Promise<void> {
  await transaction.run(sql`
    insert into completeness_documents (workspace_id, analysis_id, work_product_id, ordinal, result)
    select ${workspaceId}, ${id}, (d.result ->> 'work_product_id')::uuid, d.ordinal, d.result
    from jsonb_array_elements(${JSON.stringify(documents)}::jsonb) with ordinality as d (result, ordinal)`);
  await transaction.run(sql`
    update analysis_inputs i set score = (d.result -> 'score' ->> 'value')::numeric
    from completeness_documents d
    where d.workspace_id = i.workspace_id and d.analysis_id = i.analysis_id and d.work_product_id = i.work_product_id
      and i.workspace_id = ${workspaceId} and i.analysis_id = ${id}`);
}
