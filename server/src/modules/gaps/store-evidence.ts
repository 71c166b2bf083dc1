import type { Evidence } from '@normtrace/engine';
import type { Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import type { TakenRun } from '../runs/analysis-kind.js';
import { versionsOf } from '../runs/run-inputs.js';

/** Evidence of an answer, of a gap that the run stored, or of both. */
export interface FoundEvidence {
  readonly criterionId: string;
  /** Of the gap; none for evidence of an answer. */
  readonly fingerprint?: string;
  /** `thin`, `fail` …, where no row of analysis_verdicts tells it. Evidence without answer and verdict is no part of the evidence map. */
  readonly answer?: string;
  readonly evidence: readonly Evidence[];
}

/** Stores evidence in its order, after the gaps of the run. Documents are named by their work products. */
export async function storeEvidence(
  transaction: Transaction,
  run: TakenRun,
  found: readonly FoundEvidence[],
): Promise<void> {
  const { workspaceId, id, series } = run;
  const versions = await versionsOf(transaction, run);
  const rows = found
    .flatMap(({ criterionId, fingerprint, answer, evidence }) =>
      evidence.map((one) => ({
        criterion_id: criterionId,
        fingerprint,
        answer,
        work_product_id: one.documentId,
        version: versions.get(one.documentId),
        location: one.location,
        quote: one.quote,
        start_offset: one.start,
        end_offset: one.end,
        role: one.role,
        note: one.note,
        said: one.said,
      })),
    )
    .map((row, ordinal) => ({ ordinal, ...row }));
  await transaction.run(sql`
    insert into analysis_evidence (workspace_id, analysis_id, ordinal, criterion_id, gap_id, answer, work_product_id,
                                   version, location, quote, start_offset, end_offset, role, note, said)
    select ${workspaceId}, ${id}, e.ordinal, e.criterion_id, g.id, e.answer, e.work_product_id, e.version, e.location,
           e.quote, e.start_offset, e.end_offset, e.role, e.note, e.said
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as e (ordinal integer, criterion_id text, fingerprint text, answer text, work_product_id uuid, version integer,
            location jsonb, quote text, start_offset integer, end_offset integer, role text, note text, said jsonb)
    left join gaps g on g.workspace_id = ${workspaceId} and g.series = ${series} and g.fingerprint = e.fingerprint`);
}
