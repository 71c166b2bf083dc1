import type { Statement } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import { readableEvent } from '../standards/words.repository.js';

export interface WorkspaceStreamRow {
  readonly start: string;
}

/** Where a watcher of a workspace begins: before the first event of what has not ended yet, else now. */
export const selectStreamStart = (workspaceId: string): Statement => sql`
  select coalesce(
    (select min(e.sequence) - 1 from workspace_events e
     join analyses a on a.workspace_id = e.workspace_id and a.id = e.analysis_id
     where e.workspace_id = w.id and a.status in ('queued', 'running')),
    (select last from workspace_event_counters where workspace_id = w.id), 0) as start
  from workspaces w where w.id = ${workspaceId}`;

export interface EventRow {
  readonly id: string;
  readonly type: string;
  readonly data: unknown;
}

const EVENTS_AT_ONCE = 500;

/** The event `e` of the run `a`, if it is of one, as a user may read it. */
const readableData = (userId: string): Statement =>
  readableEvent({ type: sql`e.type`, data: sql`e.data` }, sql`a.standard_id`, userId);

export const selectWorkspaceEvents = (workspaceId: string, after: number, userId: string): Statement => sql`
  select e.sequence as id, e.type, ${readableData(userId)} as data
  from workspace_events e
  left join analyses a on a.workspace_id = e.workspace_id and a.id = e.analysis_id
  where e.workspace_id = ${workspaceId} and e.sequence > ${after} order by e.sequence limit ${EVENTS_AT_ONCE}`;

/** Events of a run after a number, with whether it has ended with the last one of them. */
export const selectAnalysisEvents = (analysisId: string, after: number, userId: string): Statement => sql`
  select a.status in ('completed', 'failed', 'cancelled', 'timed_out') as ended, a.event_sequence as last,
         (select coalesce(json_agg(json_build_object('id', e.analysis_sequence, 'type', e.type,
                                                     'data', ${readableData(userId)})
                                   order by e.analysis_sequence), '[]')
          from (select * from workspace_events
                where workspace_id = a.workspace_id and analysis_id = a.id and analysis_sequence > ${after}
                order by analysis_sequence limit ${EVENTS_AT_ONCE}) e) as events
  from analyses a where a.id = ${analysisId}`;
