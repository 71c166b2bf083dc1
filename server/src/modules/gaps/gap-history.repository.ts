import type { Statement } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import type { HistoryEntry } from './gap-history.schemas.js';
import { findingOf } from './gaps.repository.js';

export interface HistoryRow extends Omit<HistoryEntry, 'at'> {
  readonly created_at: string;
}

/** Keys that two findings (SQL, jsonb) have differently, as a JSON array of texts; words by what they say where both tell. */
const differing = (one: Statement, other: Statement): Statement => sql`
  (select coalesce(json_agg(k.key order by k.key), '[]') from jsonb_object_keys(${one} || ${other}) as k (key)
   where k.key <> 'said' and ${saying(one, other)} is distinct from ${saying(other, one)})`;

const saying = (finding: Statement, other: Statement): Statement => sql`
  (case when k.key = 'search' then (${finding} -> 'search') - 'said'
        when ${other} ? 'said' then coalesce(${finding} -> 'said' -> k.key, ${finding} -> k.key)
        else ${finding} -> k.key end)`;

/**
 * Everything that happened to a gap: what runs said, what was changed, what was commented. From rows that are written
 * once: occurrences, audit events and comments.
 */
export function selectHistory(gapId: string, type: string | undefined): Statement {
  const history = sql`
    select s.analysis_id as id, 'run' as type, s.created_at, null::uuid as actor, s.analysis_id, s.change,
           s.said ->> 'severity' as severity,
           case when s.change = 'updated' then ${differing(sql`s.said`, sql`s.before`)} else '[]' end as fields,
           null as action, null as reason, null::jsonb as before, null::jsonb as after, null as text
    from (
      select o.analysis_id, o.change, coalesce(a.finished_at, a.created_at) as created_at, ${findingOf} as said,
             coalesce(lag(${findingOf}) over (
               partition by o.change = 'absent' order by a.finished_at, a.id), ${findingOf}) as before
      from gaps_of_runs o
      join gaps g on g.workspace_id = o.workspace_id and g.id = o.gap_id
      join analyses a on a.workspace_id = o.workspace_id and a.id = o.analysis_id
      where o.gap_id = ${gapId}
    ) s
    union all
    select e.id, 'change', e.created_at, e.actor_id, (e.after ->> 'analysis_id')::uuid, null, null, '[]', e.action,
           e.reason, e.before, e.after, null
    from gaps g
    join audit_events e on e.workspace_id = g.workspace_id and e.target_type = 'gap' and e.target_id = g.id::text
    where g.id = ${gapId} and e.action <> 'gap.commented'
    union all
    select c.id, 'comment', c.created_at, c.author_id, null, null, null, '[]', null, null, null, null, c.text
    from comments c where c.gap_id = ${gapId}`;
  return type === undefined ? history : sql`select * from (${history}) as history where type = ${type}`;
}
