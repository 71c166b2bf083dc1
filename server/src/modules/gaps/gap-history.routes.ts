import { notFound } from '../../platform/http/api-error.js';
import { readPage } from '../../platform/http/pagination.js';
import { type Route, readRoute } from '../../platform/http/route.js';
import { timestamp } from '../../platform/http/schemas.js';
import { withNames } from '../names/names.js';
import { analysisId, gapId, historyExample } from '../runs/examples.js';
import { type HistoryRow, selectHistory } from './gap-history.repository.js';
import { History, type HistoryEntry, HistoryQuery } from './gap-history.schemas.js';
import { workspaceOfGap } from './gaps.repository.js';
import { GapParams } from './gaps.schemas.js';
import { toSnakeCase } from './gaps.service.js';

const getHistory = readRoute({
  operation: 'getGapHistory',
  method: 'GET',
  path: '/analysis/gaps/:gap_id/history',
  tag: 'Analysis',
  summary: 'Read the history of a gap',
  description:
    'Everything that happened to a gap, newest first: what each run said about it, every decision with state before and ' +
    'after, reason and person, and the comments. Nothing of it can be changed.',
  permission: 'analyses.read',
  within: 'visible',
  resource: 'gap',
  params: GapParams,
  query: HistoryQuery,
  answer: History,
  examples: {
    params: { gap_id: gapId },
    answer: {
      items: [historyExample, { ...historyExample, ...runExample() }],
      total: 2,
      page: 1,
      limit: 20,
      next_cursor: null,
    },
  },
  handle: async (context) => {
    const { params, query, read } = context;
    const page = await withNames(
      context,
      readPage(context, {
        query: { ...query, gap: params.gap_id },
        matching: selectHistory(params.gap_id, query.type),
        toItem: toEntry,
      }),
    );
    const isEmpty = page.total === 0;
    if (isEmpty && (await read(workspaceOfGap(params.gap_id))).length === 0) throw notFound('gap');
    return page;
  },
});

const toEntry = ({ created_at, ...row }: HistoryRow): HistoryEntry => ({
  ...row,
  created_at: timestamp(created_at),
  fields: row.fields.map(toSnakeCase),
});

function runExample() {
  return {
    id: analysisId,
    type: 'run',
    actor: null,
    analysis_id: analysisId,
    change: 'new',
    severity: 'high',
    action: null,
    reason: null,
    before: null,
    after: null,
  };
}

export const gapHistoryRoutes: readonly Route[] = [getHistory];
