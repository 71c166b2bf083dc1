import type { Statement } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import { type GapReader, type StoredFinding, statusAt } from '../gaps/gaps.repository.js';
import { saysTheSame } from '../gaps/store-gaps.js';
import { readableFinding } from '../standards/words.repository.js';
import type { ComparedGap } from './compare-runs.schemas.js';

export const selectSeries = (ids: readonly string[]): Statement =>
  sql`select id, workspace_id, series from analyses where id = any (${ids}::uuid[])`;

export interface ComparedRow
  extends Pick<
    ComparedGap,
    'change' | 'criterion_id' | 'clause' | 'work_product_id' | 'status' | 'severity'
  > {
  readonly id: string;
  readonly created_at: string;
  readonly base: StoredFinding | null;
  readonly head: StoredFinding | null;
}

/** Gaps that one of two runs found, with what each said about them as a user may read it. */
export function selectCompared(
  { base, head }: { readonly base: string; readonly head: string },
  { userId, now }: GapReader,
): Statement {
  const present = (run: string): Statement => sql`
    select o.workspace_id, o.gap_id, coalesce(o.finding, g.finding) as said
    from gaps_of_runs o join gaps g on g.workspace_id = o.workspace_id and g.id = o.gap_id
    where o.analysis_id = ${run} and o.change <> 'absent'`;
  const readable = (said: Statement): Statement =>
    sql`case when ${said} is not null then ${readableFinding(said, sql`g.standard_id`, userId)} end`;
  return sql`
    select g.id, g.created_at, g.criterion_id, g.clause, g.work_product_id, ${statusAt(now)} as status,
           g.effective_severity as severity, ${readable(sql`b.said`)} as base, ${readable(sql`h.said`)} as head,
           case when b.said is null then 'new'
                when h.said is null and ${isLookedAt(head)} then 'absent'
                when h.said is null then 'not_compared'
                when ${saysTheSame(sql`b.said`, sql`h.said`)} then 'unchanged' else 'updated' end as change
    from (${present(base)}) b
    full join (${present(head)}) h on h.workspace_id = b.workspace_id and h.gap_id = b.gap_id
    join gaps g on g.workspace_id = coalesce(b.workspace_id, h.workspace_id) and g.id = coalesce(b.gap_id, h.gap_id)`;
}

/** The run could have found the gap `g`: it read its document, or that is gone, and judged its criterion (decision 16). */
const isLookedAt = (run: string): Statement => sql`
  ((g.work_product_id is null
    or exists (select from analysis_inputs i where i.workspace_id = g.workspace_id and i.analysis_id = ${run}
               and i.work_product_id = g.work_product_id)
    or exists (select from work_products p where p.workspace_id = g.workspace_id and p.id = g.work_product_id
               and p.deleted_at is not null))
   and exists (select from analyses a where a.workspace_id = g.workspace_id and a.id = ${run}
               and (coalesce(a.options -> 'clauses', 'null') in ('null', '[]')
                    or exists (select from verdicts_of_runs v where v.workspace_id = a.workspace_id
                               and v.analysis_id = a.id and v.criterion_id = g.criterion_id))))`;

export const countCompared = (compared: Statement): Statement =>
  sql`select change, count(*)::integer as count from (${compared}) as compared group by change`;
