import type { Statement } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import { notFound } from '../../platform/http/api-error.js';
import { type Route, readRoute } from '../../platform/http/route.js';
import { analysisId, standardId, workProductId, workspaceId } from '../runs/examples.js';
import { FirstPage, FirstPageQuery } from './first-page.schemas.js';
import { firstPageTask } from './first-page-task.js';
import type { PartRows } from './report-rows.js';
import { readPart } from './report-rows.repository.js';

/** What takes longer is given up. */
const PATIENCE_MILLISECONDS = 60_000;

/** The newest result of each series, of standards that are still there; no row when the workspace is not visible. */
const selectNewestRuns = (workspaceId: string): Statement => sql`
  select coalesce((
    select json_agg(n.id order by n.type, n.started, n.id) from (
      select distinct on (a.series) a.id, a.type,
             min(a.created_at) over (partition by a.series) as started
      from analyses a left join standards s on s.workspace_id = a.workspace_id and s.id = a.standard_id
      where a.workspace_id = w.id and a.status = 'completed' and s.deleted_at is null
      order by a.series, a.finished_at desc, a.id desc) n), '[]') as ids
  from workspaces w where w.id = ${workspaceId}`;

const getFirstPage = readRoute({
  operation: 'getFirstPage',
  method: 'GET',
  path: '/analysis/first-page',
  tag: 'Analysis',
  summary: 'Read what to decide',
  description:
    'The first page of a report over the newest run of each standard, checklist and type: every goal with what is open about it, what to ' +
    'decide first, and every open fact once, however many analyses tell it, with its gaps. `GET /analysis/gaps` lists the gaps of each analysis.',
  worded: true,
  permission: 'analyses.read',
  within: ({ query }) => query.workspace_id,
  resource: 'workspace',
  query: FirstPageQuery,
  answer: FirstPage,
  examples: {
    query: { workspace_id: workspaceId },
    answer: {
      analyses: [{ id: analysisId, type: 'gap_analysis', name: 'ISO 26262-3:2018' }],
      by_severity: { critical: 1, high: 0, medium: 0, low: 0 },
      total: 1,
      entries: [
        {
          title: 'SG3 has ASIL C, but H6 demands ASIL D',
          severity: 'critical',
          details: [],
          details_total: 0,
          observed: 'H6 is rated ASIL D and leads to SG3, which is stated with ASIL C.',
          recommendation:
            'Decide the valid ASIL of SG3 (the HARA yields D); owner: functional safety engineer',
          evidence: {
            work_product_id: workProductId,
            source: 'HARA.xlsx (1), sheet "HARA", L7',
            location: { sheet: 'HARA', cell: 'L7' },
            quote: 'D',
          },
          analysis_ids: [analysisId],
          gap_id: standardId,
          gap_ids: [standardId],
          gaps_total: 1,
        },
      ],
      first: [0],
      goals: [
        {
          id: 'SG3',
          text: 'The torque shall be limited.',
          integrity: 'ASIL C',
          integrity_from: null,
          followed_by: ['FSR-03'],
          followed_by_total: 1,
          open: [0],
          open_total: 1,
        },
      ],
      for_persons: 2,
      waiting: 0,
    },
  },
  handle: async ({ query, read, caller, language, request }) => {
    const [row] = await read<{ ids: readonly string[] }>(selectNewestRuns(query.workspace_id));
    if (!row) throw notFound('workspace');
    const parts: PartRows[] = [];
    for (const id of row.ids) {
      const part = await readPart(read, id, caller.userId);
      if (part) parts.push(part);
    }
    return request.server.engine.run(
      firstPageTask,
      { language, parts, most: query.limit },
      { signal: AbortSignal.timeout(PATIENCE_MILLISECONDS), group: query.workspace_id },
    );
  },
});

export const firstPageRoutes: readonly Route[] = [getFirstPage];
