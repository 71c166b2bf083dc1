import type { Statement } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import { type EvidenceRow, isOverdue, statusAt } from '../gaps/gaps.repository.js';
import type { AnalysisType } from '../runs/analysis-type.js';
import { readableSaid, readableText } from '../standards/words.repository.js';

export interface OverviewRow {
  readonly work_products: Readonly<Record<string, number>>;
  readonly analyses: Readonly<Record<string, number>>;
  readonly gaps: readonly {
    readonly analysis_type: AnalysisType;
    readonly series: string;
    readonly standard_id: string | null;
    readonly severity: string;
    readonly status: string;
    readonly change: string;
    readonly overdue: boolean;
    readonly proposed: boolean;
    readonly count: number;
  }[];
  readonly standards: readonly {
    readonly id: string;
    readonly name: string;
    readonly category: string;
    readonly analysis_id: string | null;
    readonly score: number | null;
    readonly finished_at: string | null;
  }[];
  readonly others: readonly {
    readonly analysis_type: AnalysisType;
    readonly series: string;
    readonly analysis_id: string;
    readonly score: number | null;
    readonly finished_at: string;
  }[];
  readonly trend: readonly {
    readonly analysis_id: string;
    readonly analysis_type: AnalysisType;
    readonly standard_id: string | null;
    readonly finished_at: string;
    readonly score: number | null;
    readonly gaps: number;
  }[];
}

/**
 * Everything for the overview of a workspace; no row when it is not visible. Gaps are counted before the standards are
 * joined: the other way round 100,000 gaps are sorted instead of hashed.
 */
export const selectOverview = (workspaceId: string, now: Date): Statement => sql`
  with counted as materialized (
    select analysis_type, series, standard_id, severity, status, change, overdue, proposed, count(*)::int
    from (
      select g.analysis_type, g.series, g.standard_id, g.effective_severity as severity,
             ${statusAt(now)} as status, g.change, ${isOverdue(now)} as overdue,
             exists (select from gap_proposals p where p.workspace_id = g.workspace_id and p.gap_id = g.id
                     and p.outcome is null) as proposed
      from gaps g where g.workspace_id = ${workspaceId}
    ) one group by 1, 2, 3, 4, 5, 6, 7, 8
  )
  select
    (select coalesce(json_object_agg(s.processing_status, s.count), '{}') from (
       select processing_status, count(*)::int from work_products
       where workspace_id = w.id and deleted_at is null group by 1) s) as work_products,
    (select coalesce(json_object_agg(s.status, s.count), '{}') from (
       select status, count(*)::int from analyses where workspace_id = w.id group by 1) s) as analyses,
    (select coalesce(json_agg(s), '[]') from (
       select c.* from counted c
       left join standards t on t.workspace_id = w.id and t.id = c.standard_id
       where t.deleted_at is null) s) as gaps,
    (select coalesce(json_agg(s), '[]') from (
       select t.id, t.name, t.category, a.id as analysis_id, a.score, a.finished_at
       from standards t
       left join lateral (
         select id, score, finished_at from analyses
         where workspace_id = t.workspace_id and standard_id = t.id and status = 'completed'
           and type = 'gap_analysis'
         order by finished_at desc, id desc limit 1) a on true
       where t.workspace_id = w.id and t.deleted_at is null
       order by t.created_at, t.id) s) as standards,
    (select coalesce(json_agg(s order by s.series), '[]') from (
       select distinct on (series) type as analysis_type, series, id as analysis_id, score, finished_at
       from analyses
       where workspace_id = w.id and standard_id is null and status = 'completed'
       order by series, finished_at desc, id desc) s) as others,
    (select coalesce(json_agg(s order by s.finished_at, s.analysis_id), '[]') from (
       select a.id as analysis_id, a.type as analysis_type, a.standard_id, a.finished_at, a.score, (a.summary ->> 'gaps')::int as gaps
       from analyses a
       left join standards t on t.workspace_id = a.workspace_id and t.id = a.standard_id
       where a.workspace_id = w.id and a.status = 'completed' and t.deleted_at is null
       order by a.finished_at desc, a.id desc limit 100) s) as trend
  from workspaces w where w.id = ${workspaceId}`;

export interface EvidenceMapRow extends EvidenceRow {
  readonly analysis_id: string;
  readonly analysis_type: AnalysisType;
  readonly standard_id: string | null;
  readonly criterion_id: string;
  readonly verdict: string;
  /** Of the runs that all pages are about. */
  readonly state: string;
}

export interface EvidenceFilters {
  readonly workspace_id?: string | undefined;
  readonly standard_id?: string | undefined;
  readonly analysis_type?: string | undefined;
  readonly analysis_id?: string | undefined;
  readonly work_product_id?: string | undefined;
  readonly criterion_id?: string | undefined;
  readonly clause?: string | undefined;
  readonly offset: number;
  readonly limit: number;
}

/** Evidence of answers, in the order of the result: of the named run, else of the newest run of each series. */
export function selectEvidenceMap(filters: EvidenceFilters, userId: string): Statement {
  const all = sql`true`;
  const is = (column: Statement, value: string | undefined): Statement =>
    value === undefined ? all : sql`${column} = ${value}`;
  const { analysis_id, clause } = filters;
  return sql`
    with runs as (
      select distinct on (a.workspace_id, a.series) a.workspace_id, a.id, a.type, a.series, a.standard_id
      from analyses a
      left join standards t on t.workspace_id = a.workspace_id and t.id = a.standard_id
      where a.status = 'completed' and ${is(sql`a.type`, filters.analysis_type)}
        and ${is(sql`a.id`, analysis_id)} and ${analysis_id ? all : sql`t.deleted_at is null`}
        and ${is(sql`a.workspace_id`, filters.workspace_id)} and ${is(sql`a.standard_id`, filters.standard_id)}
      order by a.workspace_id, a.series, a.finished_at desc, a.id desc
    )
    select r.id as analysis_id, r.type as analysis_type, r.standard_id, e.criterion_id,
           coalesce(v.verdict, e.answer) as verdict, e.work_product_id, e.version, e.location,
           e.quote, e.role, ${readableText(sql`e.note`, sql`r.standard_id`, userId)} as note,
           ${readableSaid(sql`e.said`, sql`r.standard_id`, userId)} as said, e.start_offset as start,
           e.end_offset as "end", (select md5(string_agg(id::text, '' order by id)) from runs) as state
    from runs r
    join evidence_of_runs e on e.workspace_id = r.workspace_id and e.analysis_id = r.id
    left join verdicts_of_runs v on v.workspace_id = e.workspace_id and v.analysis_id = e.analysis_id
                                 and v.criterion_id = e.criterion_id and e.gap_id is null
    where coalesce(v.verdict, e.answer) is not null
      and ${is(sql`e.work_product_id`, filters.work_product_id)} and ${is(sql`e.criterion_id`, filters.criterion_id)}
      and ${clause ? sql`(v.clause = ${clause} or starts_with(v.clause, ${`${clause}.`}))` : all}
    order by r.workspace_id, r.series, v.ordinal, e.ordinal, e.criterion_id, e.start_offset
    offset ${filters.offset} limit ${filters.limit}`;
}
