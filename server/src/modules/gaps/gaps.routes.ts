import { notFound } from '../../platform/http/api-error.js';
import { readPage } from '../../platform/http/pagination.js';
import { type Route, readRoute, writeRoute } from '../../platform/http/route.js';
import { RefsQuery, withNames, withNamesOf } from '../names/names.js';
import { gapExample, gapId, proposalExample, workspaceId } from '../runs/examples.js';
import {
  changeGap,
  changeGaps,
  changeProposal,
  changeSeverity,
  previewChange,
} from './change-gaps.service.js';
import * as repository from './gaps.repository.js';
import {
  ChangedGaps,
  Gap,
  GapChange,
  GapList,
  GapParams,
  GapQuery,
  GapsChange,
  NamedGap,
  PreviewedChange,
  ProposalDecision,
  ProposalParams,
  SeverityChange,
} from './gaps.schemas.js';
import { toGap } from './gaps.service.js';

const tag = 'Analysis';
const resource = 'gap';
const params = { gap_id: gapId };

const listGaps = readRoute({
  operation: 'listGaps',
  method: 'GET',
  path: '/analysis/gaps',
  tag,
  summary: 'List gaps',
  description:
    'The gaps of the workspaces that the caller is a member of, over all runs, newest first. `change=absent` are those ' +
    'that the newest run no longer found.',
  worded: true,
  permission: 'analyses.read',
  within: 'visible',
  query: GapQuery,
  answer: GapList,
  examples: {
    query: { severity: 'high', status: 'open' },
    answer: { items: [gapExample], total: 1, page: 1, limit: 20, next_cursor: null },
  },
  handle: (context) =>
    withNames(
      context,
      readPage(context, {
        query: context.query,
        matching: repository.selectGaps(context.query, { userId: context.caller.userId, now: context.now }),
        toItem: (row: repository.GapRow) => toGap(row, context),
        sorts: repository.GAP_SORTS,
      }),
    ),
});

const getGap = readRoute({
  operation: 'getGap',
  method: 'GET',
  path: '/analysis/gaps/:gap_id',
  tag,
  summary: 'Read a gap',
  description: 'One gap as its newest run saw it, with what people decided and what waits for a decision.',
  worded: true,
  permission: 'analyses.read',
  within: 'visible',
  resource,
  etag: true,
  params: GapParams,
  query: RefsQuery,
  answer: NamedGap,
  examples: { params, answer: gapExample },
  handle: async (context) => {
    const { params, read, caller, now, language } = context;
    const [row] = await read<repository.GapRow>(
      repository.selectGap(params.gap_id, { userId: caller.userId, now }),
    );
    if (!row) throw notFound(resource);
    return withNamesOf(context, toGap(row, { now, language }));
  },
});

const patchGap = writeRoute({
  operation: 'changeGap',
  method: 'PATCH',
  path: '/analysis/gaps/:gap_id',
  tag,
  summary: 'Change a gap',
  description:
    'Sets status, assignee or due date. Accepting is a manager’s decision, needs a reason and may have an end, past which ' +
    'the gap is open again. Critical findings on ASIL C and D or with risk 4 and 5 need two managers, neither of them the ' +
    'assignee: after the first, `acceptance_pending` is true; the second accepts as well. `resolution` `false_positive` of ' +
    'an engineer waits in `proposals` for a manager. Every change is in the audit log and in the history.',
  worded: true,
  permission: 'findings.status',
  within: ({ params }) => repository.workspaceOfGap(params.gap_id),
  resource,
  enforces: ['not_accepted'],
  etag: true,
  params: GapParams,
  body: GapChange,
  answer: Gap,
  errors: ['CONFLICT'],
  examples: {
    params,
    body: { status: 'in_progress' },
    answer: { ...gapExample, status: 'in_progress' },
  },
  handle: (context) => changeGap(context, context.params.gap_id, context.body),
});

const patchGaps = writeRoute({
  operation: 'changeGaps',
  method: 'PATCH',
  path: '/analysis/gaps',
  tag,
  summary: 'Change many gaps',
  description:
    'Changes up to 5,000 gaps of one workspace alike, by ids or by a filter with the total that the caller saw. All of ' +
    'them are changed or none: `details.items` of the error names each that cannot be, with why. The rules for each are ' +
    'those for changing it alone.',
  permission: 'findings.status',
  within: ({ body }) => body.workspace_id,
  resource: 'workspace',
  enforces: ['not_accepted'],
  body: GapsChange,
  answer: ChangedGaps,
  errors: ['CONFLICT', 'PRECONDITION_FAILED'],
  examples: {
    body: { workspace_id: workspaceId, ids: [gapId], change: { due_date: '2026-03-31' } },
    answer: {
      changed: 1,
      proposed: 0,
      items: [
        {
          id: gapId,
          status: 'open',
          severity: 'high',
          acceptance_pending: false,
          before: {
            status: 'open',
            resolution: null,
            assignee: null,
            due_date: null,
            reason: null,
            accepted_until: null,
          },
        },
      ],
    },
  },
  handle: (context) => changeGaps(context, context.body),
});

const previewGaps = writeRoute({
  operation: 'previewGapChange',
  method: 'POST',
  path: '/analysis/gaps/preview',
  tag,
  summary: 'Preview a change of many gaps',
  description:
    'What `PATCH /analysis/gaps` would do with the same body: how many would be changed, wait for a manager or be refused, and ' +
    'why. Nothing is changed.',
  permission: 'findings.status',
  within: ({ body }) => body.workspace_id,
  resource: 'workspace',
  enforces: ['not_accepted'],
  body: GapsChange,
  answer: PreviewedChange,
  errors: ['CONFLICT'],
  examples: {
    body: { workspace_id: workspaceId, ids: [gapId], change: { status: 'in_progress' } },
    answer: {
      total: 1,
      changed: 1,
      proposed: 0,
      unchanged: 0,
      refused: [],
      by_status: { open: 1 },
      by_severity: { high: 1 },
    },
  },
  handle: (context) => previewChange(context, context.body),
});

const putSeverity = writeRoute({
  operation: 'overrideGapSeverity',
  method: 'PUT',
  path: '/analysis/gaps/:gap_id/severity',
  tag,
  summary: 'Override the severity of a gap',
  description:
    'A manager sets another severity with a reason; the original one stays beside it, also over later runs. An engineer ' +
    'proposes it: it waits in `proposals`.',
  worded: true,
  permission: 'findings.severity',
  within: ({ params }) => repository.workspaceOfGap(params.gap_id),
  resource,
  enforces: ['propose_only'],
  etag: true,
  params: GapParams,
  body: SeverityChange,
  answer: Gap,
  examples: {
    params,
    body: { severity: 'medium', reason: 'The function is not used in this variant.' },
    answer: { ...gapExample, severity: 'medium' },
  },
  handle: (context) => changeSeverity(context, context.params.gap_id, context.body),
});

const patchProposal = writeRoute({
  operation: 'decideGapProposal',
  method: 'PATCH',
  path: '/analysis/gaps/:gap_id/proposals/:proposal_id',
  tag,
  summary: 'Decide on a proposal',
  description:
    'A manager approves or rejects what waits; the second acceptance of a gap is another manager’s than the first. Who ' +
    'made a proposal may withdraw it. `If-Match` is that of the gap.',
  worded: true,
  permission: 'findings.status',
  within: ({ params }) => repository.workspaceOfGap(params.gap_id),
  resource,
  person: true,
  enforces: ['not_accepted'],
  etag: true,
  params: ProposalParams,
  body: ProposalDecision,
  answer: Gap,
  errors: ['CONFLICT'],
  examples: {
    params: { gap_id: gapId, proposal_id: proposalExample.id },
    body: { decision: 'approve' },
    answer: gapExample,
  },
  handle: (context) => changeProposal(context, context.params, context.body),
});

export const gapRoutes: readonly Route[] = [
  listGaps,
  getGap,
  patchGap,
  patchGaps,
  previewGaps,
  putSeverity,
  patchProposal,
];
