import { readPage } from '../../platform/http/pagination.js';
import { type Route, readRoute, writeRoute } from '../../platform/http/route.js';
import { gapExample, gapId } from './examples.js';
import * as repository from './gaps.repository.js';
import { Gap, GapChange, GapList, GapParams, GapQuery } from './gaps.schemas.js';
import { changeGap, toGap } from './gaps.service.js';

const tag = 'Analysis';

const listGaps = readRoute({
  operation: 'listGaps',
  method: 'GET',
  path: '/analysis/gaps',
  tag,
  summary: 'List gaps',
  description:
    'The gaps of the workspaces that the caller is a member of, over all runs, newest first. `change=absent` are those ' +
    'that the newest run no longer found.',
  permission: 'analyses.read',
  within: 'visible',
  query: GapQuery,
  answer: GapList,
  examples: {
    query: { severity: 'high', status: 'open' },
    answer: { items: [gapExample], total: 1, page: 1, limit: 20, next_cursor: null },
  },
  handle: (context) =>
    readPage(context, {
      query: context.query,
      matching: repository.selectGaps(context.query, context.caller.userId),
      toItem: toGap,
    }),
});

const patchGap = writeRoute({
  operation: 'changeGap',
  method: 'PATCH',
  path: '/analysis/gaps/:gap_id',
  tag,
  summary: 'Change the status of a gap',
  description:
    'Sets status or assignee. Accepting a gap is a manager’s decision, needs a reason and may have an end. Every change ' +
    'is in the audit log.',
  permission: 'findings.status',
  within: ({ params }) => repository.workspaceOfGap(params.gap_id),
  resource: 'gap',
  enforces: ['not_accepted'],
  etag: true,
  params: GapParams,
  body: GapChange,
  answer: Gap,
  examples: {
    params: { gap_id: gapId },
    body: { status: 'in_progress' },
    answer: { ...gapExample, status: 'in_progress' },
  },
  handle: (context) => changeGap(context, context.params.gap_id, context.body),
});

export const gapRoutes: readonly Route[] = [listGaps, patchGap];
