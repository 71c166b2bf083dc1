import type { Statement } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';

/**
 * Evidence `e` of the gap `g` in one run, by the index of its gap. The planner, which knows nothing yet of rows that were just written, takes
 * every index that begins with the workspace for as good, and so would look through all evidence of the run for each gap (decision 920):
 * run and workspace are compared after the gap has been found, the latter beside the row-level security.
 */
export const evidenceOfGap = (analysis: Statement): Statement => sql`
  (select x.*
   from (select * from analysis_evidence where gap_id = g.id offset 0) x
   join analyses a on a.workspace_id = x.workspace_id and a.series = x.series and x.since <= a.number and x.until >= a.number
   where x.workspace_id = g.workspace_id and a.id = ${analysis}) e`;
