import { notFound } from '../../platform/http/api-error.js';
import { readPage } from '../../platform/http/pagination.js';
import { type Route, readRoute, writeRoute } from '../../platform/http/route.js';
import { IssuedInvitation } from './invitations.schemas.js';
import { invite } from './invitations.service.js';
import * as repository from './members.repository.js';
import {
  invitedBy,
  Member,
  MemberChange,
  MemberList,
  MemberParams,
  MemberQuery,
  MembersParams,
  NewMember,
} from './members.schemas.js';
import { changeMember, removeMember, toMember } from './members.service.js';
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
  description:
    'Invites the person: they are a member once they have accepted, which takes an account with a verified address. ' +
    'Named by address, this is the same as `POST /workspaces/{id}/invitations`; by `user_id`, the invitation is for ' +
    'that account. The answer is the same whether or not there is such a person. A manager adds viewers and engineers ' +
    'only.',
  permission: 'members.manage',
  within: ({ params }) => params.id,
  resource: 'workspace',
  enforces: ['viewer_or_engineer_only'],
  idempotent: true,
  shownOnce: ['token', 'link'],
  params: MembersParams,
  body: NewMember,
  status: 201,
  answer: IssuedInvitation,
  errors: ['CONFLICT'],
  examples: {
    params,
    body: { email: example.email, role: 'engineer' },
    answer: {
      id: '3f1f0c6e-52b1-4a5c-8f58-6f4c0d9f7b21',
      email: example.email,
      user_id: null,
      role: 'engineer',
      invited_by: '7c1e7f0a-3d53-4a53-9c38-0f7b35a1d0c4',
      expires_at: '2026-02-07T09:30:00.000Z',
      accepted_at: null,
      declined_at: null,
      created_at: '2026-01-31T09:30:00.000Z',
      token: null,
      link: null,
      mailed: true,
    },
  },
  handle: async (context) => {
    const { params, body } = context;
    const invitation = await invite(context, params.id, { invited: invitedBy(body), role: body.role });
    context.reply.header('location', `/api/v1/workspaces/${params.id}/invitations/${invitation.id}`);
    return invitation;
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
