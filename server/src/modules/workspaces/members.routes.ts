import { notFound } from '../../platform/http/api-error.js';
import { readPage } from '../../platform/http/pagination.js';
import { type Route, readRoute, writeRoute } from '../../platform/http/route.js';
import * as repository from './members.repository.js';
import {
  Member,
  MemberChange,
  MemberList,
  MemberParams,
  MemberQuery,
  MembersParams,
  NewMember,
} from './members.schemas.js';
import { addMember, changeMember, removeMember, toMember } from './members.service.js';
import { selectWorkspace } from './workspaces.repository.js';

const example = {
  user_id: '6b0f5e0e-3f7e-4d0a-8a3f-0a8f2f0c1d11',
  email: 'jo@example.org',
  name: 'Jo Berger',
  role: 'engineer',
  is_owner: false,
  created_at: '2026-01-31T09:30:00.000Z',
  updated_at: '2026-01-31T09:30:00.000Z',
};
const params = { id: '0f8e1c9a-6d0b-4f0e-9a51-2c5f6f2f7d10' };
const memberParams = { ...params, user_id: example.user_id };
const tag = 'Workspaces';

const listMembers = readRoute({
  operation: 'listMembers',
  method: 'GET',
  path: '/workspaces/:id/members',
  tag,
  summary: 'List members',
  description: 'Who belongs to the workspace, newest first. `search` looks at name and email address.',
  permission: 'members.read',
  within: ({ params }) => params.id,
  resource: 'workspace',
  params: MembersParams,
  query: MemberQuery,
  answer: MemberList,
  examples: { params, answer: { items: [example], total: 1, page: 1, limit: 20, next_cursor: null } },
  handle: async (context) => {
    const { params, query } = context;
    const page = await readPage(context, {
      query: { ...query, workspace: params.id },
      matching: repository.selectMembers(params.id, query),
      toItem: toMember,
    });
    const isEmpty = page.total === 0;
    if (isEmpty && (await context.read(selectWorkspace(params.id))).length === 0) throw notFound('workspace');
    return page;
  },
});

const getMember = readRoute({
  operation: 'getMember',
  method: 'GET',
  path: '/workspaces/:id/members/:user_id',
  tag,
  summary: 'Read a member',
  description: 'One membership.',
  permission: 'members.read',
  within: ({ params }) => params.id,
  resource: 'member',
  etag: true,
  params: MemberParams,
  answer: Member,
  examples: { params: memberParams, answer: example },
  handle: async ({ params, read }) => {
    const [row] = await read<repository.MemberRow>(
      repository.selectMember({ workspaceId: params.id, userId: params.user_id }),
    );
    if (!row) throw notFound('member');
    return toMember(row);
  },
});

const postMember = writeRoute({
  operation: 'addMember',
  method: 'POST',
  path: '/workspaces/:id/members',
  tag,
  summary: 'Add a member',
  description: 'Adds a person who has an account. A manager adds viewers and engineers only.',
  permission: 'members.manage',
  within: ({ params }) => params.id,
  resource: 'workspace',
  enforces: ['viewer_or_engineer_only'],
  idempotent: true,
  etag: true,
  params: MembersParams,
  body: NewMember,
  status: 201,
  answer: Member,
  errors: ['CONFLICT'],
  examples: { params, body: { email: example.email, role: 'engineer' }, answer: example },
  handle: async (context) => {
    const member = await addMember(context, context.params.id, context.body);
    context.reply.header('location', `/api/v1/workspaces/${context.params.id}/members/${member.user_id}`);
    return member;
  },
});

const patchMember = writeRoute({
  operation: 'changeMember',
  method: 'PATCH',
  path: '/workspaces/:id/members/:user_id',
  tag,
  summary: 'Change a member',
  description:
    'Changes the role of a member, or hands the workspace over (`is_owner`). Nobody changes their own role; the ' +
    'owner stays (409).',
  permission: 'members.manage',
  within: ({ params }) => params.id,
  resource: 'member',
  enforces: ['viewer_or_engineer_only'],
  etag: true,
  params: MemberParams,
  body: MemberChange,
  answer: Member,
  errors: ['CONFLICT'],
  examples: { params: memberParams, body: { role: 'manager' }, answer: { ...example, role: 'manager' } },
  handle: (context) =>
    changeMember(context, { workspaceId: context.params.id, userId: context.params.user_id }, context.body),
});

const deleteMember = writeRoute({
  operation: 'removeMember',
  method: 'DELETE',
  path: '/workspaces/:id/members/:user_id',
  tag,
  summary: 'Remove a member',
  description: 'Ends a membership. Everybody may leave; the owner hands the workspace over first (409).',
  permission: 'members.remove',
  within: ({ params }) => params.id,
  resource: 'member',
  enforces: ['own', 'viewer_or_engineer_only'],
  etag: true,
  params: MemberParams,
  status: 204,
  errors: ['CONFLICT'],
  examples: { params: memberParams },
  handle: (context) =>
    removeMember(context, { workspaceId: context.params.id, userId: context.params.user_id }),
});

export const memberRoutes: readonly Route[] = [listMembers, getMember, postMember, patchMember, deleteMember];
