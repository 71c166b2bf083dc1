import type { Evidence } from '@normtrace/engine';
import type { Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import type { TakenRun } from '../runs/analysis-kind.js';
import { beginRows } from '../runs/found-again.js';
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

/**
 * Stores all evidence of a run in its order, after its gaps; what the run before had is not written again. Documents are named by
 * their work products.
 */
export async function storeEvidence(
  transaction: Transaction,
  run: TakenRun,
  found: readonly FoundEvidence[],
): Promise<void> {
  const { workspaceId, id, series } = run;
  const versions = await versionsOf(transaction, run);
  // Not by a join: the planner knows nothing of gaps that were stored a moment ago.
  const { gaps } = await transaction.one<{ gaps: Readonly<Record<string, string>> }>(sql`
    select coalesce(json_object_agg(fingerprint, id), '{}') as gaps
    from gaps where workspace_id = ${workspaceId} and series = ${series}`);
  const ids = new Map(Object.entries(gaps));
  const { number, begun } = await beginRows(
    transaction,
    run,
    'analysis_evidence',
    found.flatMap(({ criterionId, fingerprint, answer, evidence }) =>
      evidence.map((one) => ({
        criterionId,
        gapId: fingerprint === undefined ? null : (ids.get(fingerprint) ?? null),
        answer,
        version: versions.get(one.documentId) ?? null,
        ...one,
      })),
    ),
  );
  if (begun.length === 0) return;
  const rows = begun.map(({ row }) => row);
  await transaction.run(sql`
    insert into analysis_evidence (workspace_id, analysis_id, ordinal, criterion_id, gap_id, answer, work_product_id,
                                   version, location, quote, start_offset, end_offset, role, note, said, series, since, hash)
    select ${workspaceId}, ${id}, e.ordinal, e.criterion_id, e.gap_id, e.answer, e.work_product_id, e.version, e.location,
           e.quote, e.start_offset, e.end_offset, e.role, e.note, e.said, ${series}, ${number}, decode(e.hash, 'hex')
    from unnest(
        ${begun.map(({ ordinal }) => ordinal)}::integer[], ${begun.map((one) => one.hash)}::text[],
        ${rows.map((row) => row.criterionId)}::text[], ${rows.map((row) => row.gapId)}::uuid[],
        ${rows.map((row) => row.answer ?? null)}::text[], ${rows.map((row) => row.documentId)}::uuid[],
        ${rows.map(({ version }) => version)}::integer[],
        ${rows.map((row) => JSON.stringify(row.location))}::jsonb[], ${rows.map((row) => row.quote)}::text[],
        ${rows.map((row) => row.start)}::integer[], ${rows.map((row) => row.end)}::integer[],
        ${rows.map((row) => row.role)}::text[], ${rows.map((row) => row.note ?? null)}::text[],
        ${rows.map((row) => (row.said === undefined ? null : JSON.stringify(row.said)))}::jsonb[])
      as e (ordinal, hash, criterion_id, gap_id, answer, work_product_id, version, location, quote, start_offset, end_offset,
            role, note, said)`);
}
