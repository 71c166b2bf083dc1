import type { Statement } from '../../platform/database/database.js';
import { identifier, sql } from '../../platform/database/sql.js';
import { statusAt } from '../gaps/gaps.repository.js';
import type { AnalysisType } from '../runs/analysis-type.js';
import type { TrendBucket, TrendBy } from './trend.schemas.js';

const MOST_RUNS = 100;

export interface TrendRow {
  /** Null: a workspace without a run. */
  readonly analysis_id: string | null;
  readonly analysis_type: AnalysisType;
  readonly standard_id: string | null;
  readonly finished_at: string | Date;
  readonly score: string | number | null;
  readonly by_severity: Readonly<Record<string, number>>;
  readonly by_verdict: Readonly<Record<string, number>>;
  readonly opened: number;
  readonly closed: number;
}

interface TrendFilters {
  readonly workspace_id: string;
  readonly standard_id?: string | undefined;
  readonly analysis_type?: string | undefined;
  readonly from?: string | undefined;
}

const is = (column: Statement, value: string | undefined): Statement =>
  value === undefined ? sql`true` : sql`${column} = ${value}`;
const isSince = (moment: Statement, from: string | undefined): Statement =>
  from === undefined ? sql`true` : sql`${moment} >= ${from}::timestamptz`;

/** Runs `a` with a result that the trend is about. */
const trendRuns = (filters: TrendFilters): Statement => sql`
  select a.* from analyses a
  left join standards t on t.workspace_id = a.workspace_id and t.id = a.standard_id
  where a.workspace_id = ${filters.workspace_id} and a.status = 'completed' and t.deleted_at is null
    and ${is(sql`a.standard_id`, filters.standard_id)} and ${is(sql`a.type`, filters.analysis_type)}`;

/** What a run found of the gap `g`, as its occurrence `o` tells; the column has what the newest run found. */
const severityFound = sql`(case when o.finding is null then g.severity else o.finding ->> 'severity' end)`;

/**
 * Rows of a table, each of which stands for the runs `since` to `until` of its series (decision 545), that stand for one of the
 * `runs`. Each is read once, however many runs it stands for: counted alike ones are joined with the runs (decision 632).
 */
const standingRows = (table: 'gap_occurrences' | 'analysis_verdicts', workspaceId: string): Statement => sql`
  (select series, min(number) as first, max(number) as last from runs group by series) s
  join ${identifier(table)} o on o.workspace_id = ${workspaceId} and o.series = s.series
                             and o.until >= s.first and o.since <= s.last`;
/** For which of the `runs` a row stands; one that began or ends outside of them like others that do. */
const RANGE = sql`o.series, greatest(o.since, s.first - 1) as since, least(o.until, s.last) as until`;
const gapOfRow = sql`join gaps g on g.workspace_id = o.workspace_id and g.id = o.gap_id`;
/** Whether the counted rows `f` stand for the run; as `gaps_of_runs` and `verdicts_of_runs` say it. */
const standFor = (run: Statement): Statement =>
  sql`f.series = ${run}.series and f.since <= ${run}.number and f.until >= ${run}.number`;

/** Runs with a result, oldest first; one row without a run for a workspace without any, none for one that is not seen. */
export const selectTrend = (filters: TrendFilters): Statement => sql`
  with runs as materialized (
    select * from (${trendRuns(filters)}) a where ${isSince(sql`a.finished_at`, filters.from)}
    order by a.finished_at desc, a.id desc limit ${MOST_RUNS}
  ), found as materialized (
    select ${RANGE}, o.change, ${severityFound} as severity, count(*)::integer as count
    from ${standingRows('gap_occurrences', filters.workspace_id)} ${gapOfRow} group by 1, 2, 3, 4, 5
  ), judged as materialized (
    select ${RANGE}, o.verdict, count(*)::integer as count
    from ${standingRows('analysis_verdicts', filters.workspace_id)} group by 1, 2, 3, 4
  )
  select a.id as analysis_id, a.type as analysis_type, a.standard_id, a.finished_at, a.score,
         coalesce(g.by_severity, '{}') as by_severity, coalesce(v.by_verdict, '{}') as by_verdict,
         coalesce(g.opened, 0) as opened, coalesce(g.closed, 0) as closed
  from workspaces w
  left join runs a on a.workspace_id = w.id
  left join lateral (
    select json_object_agg(f.severity, f.found) filter (where f.found > 0) as by_severity,
           sum(f.opened)::integer as opened, sum(f.closed)::integer as closed
    from (select f.severity, sum(f.count) filter (where f.since < a.number or f.change <> 'absent')::integer as found,
                 sum(f.count) filter (where f.since = a.number and f.change = 'new') as opened,
                 sum(f.count) filter (where f.since = a.number and f.change = 'absent') as closed
          from found f where ${standFor(sql`a`)} group by 1) f) g on true
  left join lateral (
    select json_object_agg(f.verdict, f.count) as by_verdict
    from (select f.verdict, sum(f.count)::integer as count from judged f where ${standFor(sql`a`)} group by 1) f) v on true
  where w.id = ${filters.workspace_id}
  order by a.finished_at, a.id`;

export interface BucketRow {
  readonly begins_at: string | Date;
  readonly analysis_id: string | null;
  readonly values: Readonly<Record<string, number>>;
  readonly opened: number;
  readonly closed: number;
}

/**
 * What runs count, as `key`, with how many rows have it: for runs that ended from `from_at` until before `to_at`. A status is the one
 * that the gap had then, by the audit log.
 */
const counted = (by: TrendBy, workspaceId: string, now: Date): Statement => {
  const always = sql`'-infinity'::timestamptz as from_at, 'infinity'::timestamptz as to_at`;
  if (by === 'verdict')
    return sql`select ${RANGE}, 'unchanged' as change, ${always}, o.verdict as key, count(*)::integer as count
               from ${standingRows('analysis_verdicts', workspaceId)} group by 1, 2, 3, 4, 5, 6, 7`;
  const found = sql`${standingRows('gap_occurrences', workspaceId)} ${gapOfRow}`;
  return by === 'severity'
    ? sql`select ${RANGE}, o.change, ${always}, ${severityFound} as key, count(*)::integer as count
          from ${found} group by 1, 2, 3, 4, 5, 6, 7`
    : sql`select ${RANGE}, o.change, coalesce(t.since, '-infinity') as from_at, coalesce(t.until, 'infinity') as to_at,
                 coalesce(t.status, ${statusAt(now)}) as key, count(*)::integer as count
          from ${found} left join statuses t on t.gap_id = g.id group by 1, 2, 3, 4, 5, 6, 7`;
};

/** The newest runs, days or weeks (UTC) with a run, oldest first. */
export const selectBuckets = (
  filters: TrendFilters & { readonly by: TrendBy; readonly bucket: TrendBucket },
  now: Date,
): Statement => {
  const isRun = filters.bucket === 'run';
  const beginning = (moment: Statement): Statement =>
    isRun ? moment : sql`(date_trunc(${filters.bucket}, ${moment} at time zone 'UTC') at time zone 'UTC')`;
  return sql`
    with runs as materialized (
      select a.id, a.series, a.number, a.finished_at, ${beginning(sql`a.finished_at`)} as at,
             ${isRun ? sql`a.id` : sql`null::uuid`} as analysis_id
      from (${trendRuns(filters)}) a
    ), buckets as materialized (
      select distinct at, analysis_id from runs where ${isSince(sql`at`, filters.from)}
      order by at desc, analysis_id desc limit ${MOST_RUNS}
    ), standing as (
      select distinct on (b.at, b.analysis_id, r.series) b.at, b.analysis_id, r.id, r.series, r.number, r.finished_at
      from buckets b join runs r on ${isRun ? sql`r.id = b.analysis_id` : sql`r.at <= b.at`}
      order by b.at, b.analysis_id, r.series, r.finished_at desc, r.id desc
    ), read as materialized (
      select distinct id, series, number, finished_at from standing
    ), changes as (
      select target_id::uuid as gap_id, created_at, before ->> 'status' as was, after ->> 'status' as status,
             row_number() over newest as number, lead(created_at, 1, 'infinity') over newest as until
      from audit_events
      where workspace_id = ${filters.workspace_id} and target_type = 'gap'
        and before ->> 'status' <> after ->> 'status'
      window newest as (partition by target_id order by created_at, sequence)
    ), statuses as materialized (
      select gap_id, status, created_at as since, until from changes
      union all select gap_id, was, '-infinity', created_at from changes where number = 1
    ), found as materialized (
      ${counted(filters.by, filters.workspace_id, now)}
    ), counts as (
      select r.id, f.key, sum(f.count)::integer as count
      from read r join found f on ${standFor(sql`r`)} and (f.since < r.number or f.change <> 'absent')
                              and f.from_at <= r.finished_at and f.to_at > r.finished_at
      group by 1, 2
    ), sums as (
      select s.at, s.analysis_id, c.key, sum(c.count)::integer as count
      from standing s join counts c on c.id = s.id group by 1, 2, 3
    ), came as materialized (
      select o.series, o.since, count(*) filter (where o.change = 'new') as opened,
             count(*) filter (where o.change = 'absent') as closed
      from ${standingRows('gap_occurrences', filters.workspace_id)}
      where o.change in ('new', 'absent') group by 1, 2
    ), moved as (
      select b.at, b.analysis_id, sum(came.opened)::integer as opened, sum(came.closed)::integer as closed
      from buckets b join runs r on r.at = b.at and r.analysis_id is not distinct from b.analysis_id
      join came on came.series = r.series and came.since = r.number
      group by 1, 2
    )
    select b.at as begins_at, b.analysis_id,
           coalesce((select json_object_agg(s.key, s.count) from sums s
                     where s.at = b.at and s.analysis_id is not distinct from b.analysis_id), '{}') as values,
           coalesce(m.opened, 0) as opened, coalesce(m.closed, 0) as closed
    from buckets b left join moved m on m.at = b.at and m.analysis_id is not distinct from b.analysis_id
    order by b.at, b.analysis_id`;
};

export interface ColumnRow {
  readonly work_product_id: string;
  readonly version: number;
  readonly name: string;
}

/** Documents that a run read, as they were called. */
export const selectColumns = (analysisId: string): Statement => sql`
  select i.work_product_id, i.version, v.file_name as name
  from analysis_inputs i
  join work_product_versions v on v.workspace_id = i.workspace_id and v.work_product_id = i.work_product_id
                              and v.version = i.version
  where i.analysis_id = ${analysisId} order by v.file_name, i.work_product_id`;
