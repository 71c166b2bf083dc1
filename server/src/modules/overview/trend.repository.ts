import type { Statement } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import type { AnalysisType } from '../runs/analysis-type.js';

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

/** Runs with a result, oldest first; one row without a run for a workspace without any, none for one that is not seen. */
export const selectTrend = (filters: {
  readonly workspace_id: string;
  readonly standard_id?: string | undefined;
  readonly analysis_type?: string | undefined;
}): Statement => {
  const is = (column: Statement, value: string | undefined): Statement =>
    value === undefined ? sql`true` : sql`${column} = ${value}`;
  return sql`
    select a.id as analysis_id, a.type as analysis_type, a.standard_id, a.finished_at, a.score,
           (select coalesce(json_object_agg(s.severity, s.count), '{}') from (
              select coalesce(o.finding, g.finding) ->> 'severity' as severity, count(*)::integer
              from gaps_of_runs o join gaps g on g.workspace_id = o.workspace_id and g.id = o.gap_id
              where o.workspace_id = a.workspace_id and o.analysis_id = a.id and o.change <> 'absent' group by 1) s
           ) as by_severity,
           (select coalesce(json_object_agg(s.verdict, s.count), '{}') from (
              select v.verdict, count(*)::integer from verdicts_of_runs v
              where v.workspace_id = a.workspace_id and v.analysis_id = a.id group by 1) s) as by_verdict,
           (select count(*)::integer from gaps_of_runs o
            where o.workspace_id = a.workspace_id and o.analysis_id = a.id and o.change = 'new') as opened,
           (select count(*)::integer from gaps_of_runs o
            where o.workspace_id = a.workspace_id and o.analysis_id = a.id and o.change = 'absent') as closed
    from workspaces w
    left join lateral (
      select a.* from analyses a
      left join standards t on t.workspace_id = a.workspace_id and t.id = a.standard_id
      where a.workspace_id = w.id and a.status = 'completed' and t.deleted_at is null
        and ${is(sql`a.standard_id`, filters.standard_id)} and ${is(sql`a.type`, filters.analysis_type)}
      order by a.finished_at desc, a.id desc limit ${MOST_RUNS}) a on true
    where w.id = ${filters.workspace_id}
    order by a.finished_at, a.id`;
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
