import { notFound } from '../../platform/http/api-error.js';
import { readPage } from '../../platform/http/pagination.js';
import { type Route, readRoute, writeRoute } from '../../platform/http/route.js';
import * as repository from './invitations.repository.js';
import {
  InvitationList,
  InvitationParams,
  InvitationQuery,
  InvitationsParams,
  IssuedInvitation,
  NewInvitation,
} from './invitations.schemas.js';
import { invite, toInvitation, withdraw } from './invitations.service.js';
import { selectWorkspace } from './workspaces.repository.js';

const example = {
  id: '3f1f0c6e-52b1-4a5c-8f58-6f4c0d9f7b21',
  email: 'jo@example.org',
  user_id: null,
  role: 'engineer',
  invited_by: '7c1e7f0a-3d53-4a53-9c38-0f7b35a1d0c4',
  expires_at: '2026-02-07T09:30:00.000Z',
  accepted_at: null,
  declined_at: null,
  created_at: '2026-01-31T09:30:00.000Z',
};
const params = { id: '0f8e1c9a-6d0b-4f0e-9a51-2c5f6f2f7d10' };
const token = 'inv_Zx3mQ9vT7kL2bN8rH5wY1cF6dJ4sP0aG_uE-oIqXyVn';
const common = {
  tag: 'Workspaces',
  permission: 'members.manage',
  enforces: ['viewer_or_engineer_only'],
} as const;

const postInvitation = writeRoute({
  ...common,
  operation: 'inviteMember',
  method: 'POST',
  path: '/workspaces/:id/invitations',
  summary: 'Invite somebody',
  description:
    'Makes an invitation for an address, open for seven days; another one for the same address replaces it. Whoever ' +
    'has an account with this address, verified, finds it at `GET /auth/me/invitations`. With SMTP_URL a mail with a ' +
    'link is sent; an administrator of the installation is shown the link as well, this once. The answer is the same ' +
    'whether or not there is such a person. A manager invites viewers and engineers only.',
  within: ({ params }) => params.id,
  resource: 'workspace',
  idempotent: true,
  shownOnce: ['token', 'link'],
  params: InvitationsParams,
  body: NewInvitation,
  status: 201,
  answer: IssuedInvitation,
  errors: ['CONFLICT'],
  examples: {
    params,
    body: { email: example.email, role: example.role },
    answer: {
      ...example,
      token,
      link: `https://normtrace.example.org/#invitation=${token}`,
      mailed: false,
    },
  },
  handle: async (context) => {
    const { email, role } = context.body;
    const invitation = await invite(context, context.params.id, { invited: { email }, role });
    context.reply.header('location', `/api/v1/workspaces/${context.params.id}/invitations/${invitation.id}`);
    return invitation;
  },
});

const listInvitations = readRoute({
  ...common,
  operation: 'listInvitations',
  method: 'GET',
  path: '/workspaces/:id/invitations',
  summary: 'List invitations',
  description:
    'Invitations of the workspace, also those that were accepted or declined, newest first, without their tokens.',
  within: ({ params }) => params.id,
  resource: 'workspace',
  params: InvitationsParams,
  query: InvitationQuery,
  answer: InvitationList,
  examples: { params, answer: { items: [example], total: 1, page: 1, limit: 20, next_cursor: null } },
  handle: async (context) => {
    const { params, query } = context;
    const page = await readPage(context, {
      query: { ...query, workspace: params.id },
      matching: repository.selectInvitations(params.id),
      toItem: toInvitation,
    });
    const isEmpty = page.total === 0;
    if (isEmpty && (await context.read(selectWorkspace(params.id))).length === 0) throw notFound('workspace');
    return page;
  },
});

const deleteInvitation = writeRoute({
  ...common,
  operation: 'withdrawInvitation',
  method: 'DELETE',
  path: '/workspaces/:id/invitations/:invitation_id',
  summary: 'Withdraw an invitation',
  description: 'For an invitation that nobody has accepted.',
  within: ({ params }) => params.id,
  resource: 'invitation',
  params: InvitationParams,
  status: 204,
  examples: { params: { ...params, invitation_id: example.id } },
  handle: ({ params, ...context }) => withdraw(context, { workspaceId: params.id, id: params.invitation_id }),
});

export const invitationRoutes: readonly Route[] = [postInvitation, listInvitations, deleteInvitation];
