import type { Agreement, Sentence } from '@normtrace/engine';
import type { Statement } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import { findingOf, type GapReader, statusAt } from '../gaps/gaps.repository.js';
import { readableSaid, readableText } from '../standards/words.repository.js';

// What pages show of the runs of one standard.

export interface RunRow {
  readonly id: string;
  readonly status: 'queued' | 'running' | 'completed' | 'failed' | 'cancelled' | 'timed_out';
  readonly score: string | number | null;
  readonly finished_at: string | Date | null;
  /** How far its documents agree with themselves; null without a score. */
  readonly agreement: Agreement | null;
}

/** The named run of a standard, or its newest one with a result. */
export const selectRunOf = (standardId: string, analysisId: string | undefined): Statement => sql`
  select id, status, score, finished_at, summary #> '{score,agreement}' as agreement from analyses
  where standard_id = ${standardId} and type = 'gap_analysis'
    and ${analysisId ? sql`id = ${analysisId}` : sql`status = 'completed'`}
  order by finished_at desc nulls last, id desc limit 1`;

export interface DrilldownGapRow {
  readonly id: string;
  readonly criterion_id: string;
  readonly title: string;
  readonly said: { readonly title?: Sentence } | null;
  readonly severity: 'critical' | 'high' | 'medium' | 'low';
  readonly status: 'open' | 'in_progress' | 'resolved' | 'accepted';
}

/** Gaps that a run found, of all criteria or of those that speak of one. */
export const selectDrilldownGaps = (
  analysisId: string,
  { userId, now }: GapReader,
  criterionId?: string,
): Statement => sql`
  select g.id, f.finding ->> 'criterionId' as criterion_id,
         ${readableText(sql`f.finding ->> 'title'`, sql`g.standard_id`, userId)} as title,
         ${readableSaid(sql`jsonb_build_object('title', f.finding #> '{said,title}')`, sql`g.standard_id`, userId)} as said,
         coalesce(g.severity_override, f.finding ->> 'severity') as severity, ${statusAt(now)} as status
  from gaps_of_runs o
  join gaps g on g.workspace_id = o.workspace_id and g.id = o.gap_id
  cross join lateral (select ${findingOf} as finding) f
  where o.analysis_id = ${analysisId} and o.change <> 'absent'
    and (${criterionId === undefined} or f.finding ->> 'criterionId' = ${criterionId ?? ''}
         or f.finding -> 'affected' @> ${JSON.stringify([{ id: criterionId }])}::jsonb)
  order by o.ordinal`;
