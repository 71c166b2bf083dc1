import type { CriterionVerdict, Evidence, Finding, GapAnalysis, Search, Standard } from '@normtrace/engine';
import type { Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import * as repository from './analyses.repository.js';
import type { StoredFinding, StoredSearch } from './gaps.repository.js';
import type { Run } from './run-analysis.js';

/** A gap as the former run left it. */
interface KnownGap {
  readonly id: string;
  readonly fingerprint: string;
  readonly status: 'open' | 'in_progress' | 'resolved' | 'accepted';
  readonly accepted_until: Date | null;
  readonly finding: StoredFinding;
  /** The former run had it. */
  readonly was_there: boolean;
}

type Change = 'new' | 'unchanged' | 'updated' | 'absent';

/**
 * Stores a result with everything that follows from it, in the transaction of the caller. Does nothing when the run
 * was cancelled or is in other hands; so results appear once.
 */
export async function storeResult(
  transaction: Transaction,
  run: Run,
  { result, standard }: { readonly result: GapAnalysis; readonly standard: Standard },
): Promise<void> {
  const mine = await transaction.maybeOne<{ standard_id: string }>(sql`
    select standard_id from analyses
    where workspace_id = ${run.workspaceId} and id = ${run.id} and attempt = ${run.attempt}
      and status = 'running' for update`);
  if (!mine) return;
  const standardId = mine.standard_id;
  // Runs of the same standard store their gaps one after the other.
  await transaction.run(sql`select pg_advisory_xact_lock(hashtextextended(${standardId}, 1))`);
  const previous = await previousRun(transaction, run, standardId);
  const versions = await versionsOf(transaction, run);
  const clauses = new Map(standard.criteria.map(({ id, clause }) => [id, clause]));
  await storeVerdicts(transaction, run, { verdicts: result.verdicts, clauses });
  const { gapIds, changes } = await storeGaps(transaction, run, {
    standardId,
    previous,
    findings: result.findings,
    clauses,
  });
  await storeEvidence(transaction, run, { result, versions, gapIds });
  const score = result.score.value;
  const summary = {
    verdicts: result.counts.verdicts,
    severities: result.counts.severities,
    gaps: result.findings.length,
    changes,
    score: { value: score, up_to: result.score.upTo },
    method: result.method,
  };
  await transaction.run(sql`
    update work_products p set compliance_score = ${score}
    from analysis_inputs i
    where i.workspace_id = p.workspace_id and i.work_product_id = p.id
      and i.workspace_id = ${run.workspaceId} and i.analysis_id = ${run.id}`);
  await transaction.run(sql`
    update analyses
    set status = 'completed', stage = 'completed', percent = 100, message = 'Completed', eta_seconds = null,
        done = ${result.verdicts.length}, total = ${result.verdicts.length}, score = ${score},
        summary = ${JSON.stringify(summary)}::jsonb, previous_analysis_id = ${previous}, finished_at = now()
    where workspace_id = ${run.workspaceId} and id = ${run.id}`);
  await transaction.run(sql`
    delete from analysis_checkpoints where workspace_id = ${run.workspaceId} and analysis_id = ${run.id}`);
  const { verdicts, severities, gaps } = summary;
  await repository.addEvent(transaction, run, {
    type: 'completed',
    data: { status: 'completed', score, verdicts, severities, gaps, changes },
  });
}

const previousRun = async (transaction: Transaction, run: Run, standardId: string): Promise<string | null> =>
  (
    await transaction.maybeOne<{ id: string }>(sql`
      select id from analyses
      where workspace_id = ${run.workspaceId} and standard_id = ${standardId} and type = 'gap_analysis'
        and status = 'completed' and id <> ${run.id}
      order by finished_at desc, id desc limit 1`)
  )?.id ?? null;

async function versionsOf(transaction: Transaction, run: Run): Promise<ReadonlyMap<string, number>> {
  const inputs = await transaction.many<{ work_product_id: string; version: number }>(sql`
    select work_product_id, version from analysis_inputs
    where workspace_id = ${run.workspaceId} and analysis_id = ${run.id}`);
  return new Map(inputs.map((input) => [input.work_product_id, input.version]));
}

async function storeVerdicts(
  transaction: Transaction,
  run: Run,
  input: {
    readonly verdicts: readonly CriterionVerdict[];
    readonly clauses: ReadonlyMap<string, string>;
  },
): Promise<void> {
  const rows = input.verdicts.map((verdict, ordinal) => ({
    ordinal,
    criterion_id: verdict.criterionId,
    clause: input.clauses.get(verdict.criterionId) ?? '',
    verdict: verdict.verdict,
    confidence: verdict.confidence,
    rules: verdict.rules,
    reason: verdict.reason,
    search: toStoredSearch(verdict.search),
  }));
  await transaction.run(sql`
    insert into analysis_verdicts (workspace_id, analysis_id, ordinal, criterion_id, clause, verdict, confidence, rules,
                                   reason, search)
    select ${run.workspaceId}, ${run.id}, v.ordinal, v.criterion_id, v.clause, v.verdict, v.confidence,
           array(select jsonb_array_elements_text(v.rules)), v.reason, nullif(v.search, 'null'::jsonb)
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as v (ordinal integer, criterion_id text, clause text, verdict text, confidence text, rules jsonb, reason text, search jsonb)`);
}

async function storeGaps(
  transaction: Transaction,
  run: Run,
  input: {
    readonly standardId: string;
    readonly previous: string | null;
    readonly findings: readonly Finding[];
    readonly clauses: ReadonlyMap<string, string>;
  },
): Promise<{
  readonly gapIds: ReadonlyMap<string, string>;
  readonly changes: Readonly<Record<Change, number>>;
}> {
  const { standardId, previous, findings, clauses } = input;
  const known = await transaction.many<KnownGap>(sql`
    select g.id, g.fingerprint, g.status, g.accepted_until, g.finding,
           exists (select from gap_occurrences o where o.workspace_id = g.workspace_id and o.gap_id = g.id
                   and o.analysis_id = ${previous} and o.change <> 'absent') as was_there
    from gaps g where g.workspace_id = ${run.workspaceId} and g.standard_id = ${standardId} for update`);
  const byFingerprint = new Map(known.map((gap) => [gap.fingerprint, gap]));
  const changes = { new: 0, unchanged: 0, updated: 0, absent: 0 };
  const now = new Date();
  const rows = findings.map((finding, ordinal) => {
    const stored = toStoredFinding(finding);
    const gap = byFingerprint.get(finding.fingerprint);
    const change = changeOf(gap, stored);
    changes[change]++;
    const clause = clauses.get(finding.criterionId) ?? '';
    return { ordinal, change, clause, note: reopeningNote(gap, now), finding: stored };
  });
  const found = new Set(findings.map(({ fingerprint }) => fingerprint));
  const absent = known.filter((gap) => gap.was_there && !found.has(gap.fingerprint));
  changes.absent = absent.length;

  const stored = await transaction.many<{ id: string; fingerprint: string }>(sql`
    insert into gaps as g (workspace_id, standard_id, fingerprint, change, kind, criterion_id, clause, title,
                           severity, confidence, finding, first_analysis_id, last_analysis_id)
    select ${run.workspaceId}, ${standardId}, r.finding ->> 'fingerprint', r.change, r.finding ->> 'kind',
           r.finding ->> 'criterionId', r.clause, r.finding ->> 'title', r.finding ->> 'severity',
           r.finding ->> 'confidence', r.finding, ${run.id}, ${run.id}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as r (ordinal integer, change text, clause text, finding jsonb)
    order by r.finding ->> 'fingerprint'
    on conflict (workspace_id, standard_id, fingerprint) do update
      set change = excluded.change, kind = excluded.kind, criterion_id = excluded.criterion_id,
          clause = excluded.clause, title = excluded.title, severity = excluded.severity,
          confidence = excluded.confidence, finding = excluded.finding,
          last_analysis_id = excluded.last_analysis_id
    returning g.id, g.fingerprint`);
  const gapIds = new Map(stored.map(({ id, fingerprint }) => [fingerprint, id]));
  for (const { finding, note } of rows) {
    if (note === undefined) continue;
    await transaction.run(sql`
      update gaps set status = 'open', note = ${note}, reason = null, accepted_until = null
      where workspace_id = ${run.workspaceId} and id = ${gapIds.get(finding.fingerprint)}`);
  }
  await transaction.run(sql`
    update gaps set change = 'absent'
    where workspace_id = ${run.workspaceId} and standard_id = ${standardId} and change <> 'absent'
      and not (fingerprint = any (${[...found]}::text[]))`);
  const occurrences = [
    ...rows.map(({ ordinal, change, finding }) => ({
      gap_id: gapIds.get(finding.fingerprint),
      ordinal,
      change,
      finding,
    })),
    ...absent.map(({ id }, index) => ({
      gap_id: id,
      ordinal: rows.length + index,
      change: 'absent',
      finding: null,
    })),
  ];
  await transaction.run(sql`
    insert into gap_occurrences (workspace_id, analysis_id, gap_id, ordinal, change, finding)
    select ${run.workspaceId}, ${run.id}, o.gap_id, o.ordinal, o.change, nullif(o.finding, 'null'::jsonb)
    from jsonb_to_recordset(${JSON.stringify(occurrences)}::jsonb)
      as o (gap_id uuid, ordinal integer, change text, finding jsonb)`);
  return { gapIds, changes };
}

/** Against the run before: a gap that had gone and is back is new again. */
function changeOf(gap: KnownGap | undefined, finding: StoredFinding): Change {
  if (!gap?.was_there) return 'new';
  return sameJson(gap.finding, finding) ? 'unchanged' : 'updated';
}

/** Why a gap is opened again; undefined when its status stays. */
function reopeningNote(gap: KnownGap | undefined, now: Date): string | undefined {
  if (gap?.status === 'resolved') return 'Found again after it had been resolved.';
  const isOver = gap?.status === 'accepted' && gap.accepted_until !== null && gap.accepted_until <= now;
  return isOver ? 'Found again after its acceptance had ended.' : undefined;
}

async function storeEvidence(
  transaction: Transaction,
  run: Run,
  input: {
    readonly result: GapAnalysis;
    readonly versions: ReadonlyMap<string, number>;
    readonly gapIds: ReadonlyMap<string, string>;
  },
): Promise<void> {
  const { result, versions, gapIds } = input;
  const toRow = (criterionId: string, gapId: string | null) => (evidence: Evidence) => ({
    criterion_id: criterionId,
    gap_id: gapId,
    work_product_id: evidence.documentId,
    version: versions.get(evidence.documentId),
    location: evidence.location,
    quote: evidence.quote,
    start_offset: evidence.start,
    end_offset: evidence.end,
    role: evidence.role,
    note: evidence.note ?? null,
  });
  const rows = [
    ...result.verdicts.flatMap(({ criterionId, evidence }) => evidence.map(toRow(criterionId, null))),
    ...result.findings.flatMap(({ criterionId, fingerprint, evidence }) =>
      evidence.map(toRow(criterionId, gapIds.get(fingerprint) ?? null)),
    ),
  ].map((row, ordinal) => ({ ordinal, ...row }));
  await transaction.run(sql`
    insert into analysis_evidence (workspace_id, analysis_id, ordinal, criterion_id, gap_id, work_product_id,
                                   version, location, quote, start_offset, end_offset, role, note)
    select ${run.workspaceId}, ${run.id}, e.ordinal, e.criterion_id, e.gap_id, e.work_product_id, e.version,
           e.location, e.quote, e.start_offset, e.end_offset, e.role, e.note
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as e (ordinal integer, criterion_id text, gap_id uuid, work_product_id uuid, version integer, location jsonb,
            quote text, start_offset integer, end_offset integer, role text, note text)`);
}

const toStoredSearch = (search: Search | undefined): StoredSearch | null =>
  search === undefined
    ? null
    : {
        statement: search.statement,
        work_product_ids: search.documentIds,
        passages: search.passages,
        terms: search.terms,
      };

function toStoredFinding({ evidence: _evidence, search, ...finding }: Finding): StoredFinding {
  const stored = toStoredSearch(search);
  return stored === null ? finding : { ...finding, search: stored };
}

/** Equality of JSON values, whatever the order of keys (the database does not keep it). */
function sameJson(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const keys = Object.keys(a);
  return (
    Array.isArray(a) === Array.isArray(b) &&
    keys.length === Object.keys(b).length &&
    keys.every((key) => sameJson((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]))
  );
}
