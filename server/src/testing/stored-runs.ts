import { randomUUID } from 'node:crypto';
import type { Finding } from '@normtrace/engine';
import { storeEvidence } from '../modules/gaps/store-evidence.js';
import { type FoundGap, storeGaps } from '../modules/gaps/store-gaps.js';
import type { TakenRun } from '../modules/runs/analysis-kind.js';
import { storeResult } from '../modules/runs/store-result.js';
import type { TestDatabase } from './test-database.js';

export const finding = (fingerprint: string, more: Partial<Finding> = {}): Finding => ({
  fingerprint,
  kind: 'missing',
  criterionId: 'C-1',
  title: 'Nothing there',
  standardRef: 'C-1',
  severity: 'low',
  confidence: 'low',
  severityReasons: [],
  expected: 'Something',
  observed: 'Nothing',
  whyItMatters: 'It does',
  recommendation: 'Add it',
  affectedItems: [],
  evidence: [],
  ...more,
});

/** A gap about one document. */
export const about = (workProductId: string, fingerprint: string, more: Partial<Finding> = {}): FoundGap => ({
  finding: finding(fingerprint, more),
  workProductId,
});

/** Documents and runs of a workspace as a worker stores them, without an engine. */
export function storedRuns(
  data: TestDatabase,
  place: { readonly workspaceId: string; readonly userId: string },
) {
  const { workspaceId, userId } = place;
  return {
    async document(): Promise<string> {
      const id = randomUUID();
      await data.asOwner(
        `with product as (
           insert into work_products (workspace_id, id, name, original_filename, file_size, file_type, processing_status,
                                      version, created_by)
           values ($1, $2, 'Document', 'document.md', 5, 'text/markdown', 'completed', 1, $3))
         insert into work_product_versions (workspace_id, work_product_id, version, file_name, file_size, file_type,
                                            sha256, object_key, uploaded_by, processing_status)
         values ($1, $2, 1, 'document.md', 5, 'text/markdown', 'x', $1::uuid::text || '/x/y', $3, 'completed')`,
        [workspaceId, id, userId],
      );
      return id;
    },

    /** A completed run over some documents, with what changed. `standardId`: of an uploaded standard, else none. */
    async run(
      documents: readonly string[],
      found: readonly FoundGap[],
      { standardId, clauses }: { readonly standardId?: string; readonly clauses?: readonly string[] } = {},
    ) {
      const type = standardId === undefined ? 'completeness' : 'gap_analysis';
      const run: TakenRun = {
        workspaceId,
        id: randomUUID(),
        attempt: 0,
        type,
        series: standardId === undefined ? type : `${type}:${standardId}`,
        engine_version: '1',
        standard_id: standardId ?? null,
        options: clauses ? { clauses } : {},
        milliseconds_left: 0,
        takenAt: 0,
        mode: 'rules',
        fresh_answers: false,
      };
      await data.asOwner(
        `with run as (
           insert into analyses (workspace_id, id, type, series, standard_id, options, status, mode, input_hash,
                                 engine_version, created_by)
           values ($1, $2::uuid, $5, $6, $7, $8, 'running', 'rules', $2::uuid::text, '1', $3))
         insert into analysis_inputs (workspace_id, analysis_id, work_product_id, version)
         select $1, $2, d, 1 from unnest($4::uuid[]) as d`,
        [workspaceId, run.id, userId, documents, type, run.series, run.standard_id, run.options],
      );
      let changes: Awaited<ReturnType<typeof storeGaps>> | undefined;
      await data.database.withWorkspace(workspaceId, (transaction) =>
        storeResult(transaction, run, async () => {
          changes = await storeGaps(transaction, run, found, clauses);
          await storeEvidence(
            transaction,
            run,
            found.map((one) => one.finding),
          );
          return { score: null, units: 0, counts: {}, details: {} };
        }),
      );
      return { id: run.id, changes };
    },
  };
}
