import { readPage } from '../../platform/http/pagination.js';
import { plainRoute, type Route } from '../../platform/http/route.js';
import * as repository from './invitations.repository.js';
import {
  InvitationToken,
  Joined,
  OwnInvitationList,
  OwnInvitationParams,
  OwnInvitationQuery,
} from './invitations.schemas.js';
import { acceptByToken, acceptOwn, declineOwn, toOwnInvitation } from './own-invitations.service.js';

const common = {
  tag: 'Auth',
  gate: 'open',
  permission: 'profile.self',
  within: 'installation',
  person: true,
} as const;
const params = { id: '3f1f0c6e-52b1-4a5c-8f58-6f4c0d9f7b21' };
const workspace = '0f8e1c9a-6d0b-4f0e-9a51-2c5f6f2f7d10';
const example = {
  id: params.id,
  workspace_id: workspace,
  workspace_name: 'Power sliding door',
  role: 'engineer',
  invited_by: { name: 'Kim Sommer', email: 'kim@example.org' },
  expires_at: '2026-02-07T09:30:00.000Z',
  created_at: '2026-01-31T09:30:00.000Z',
};
const joined = { workspace_id: workspace, role: example.role, guest_id: null };

const listOwnInvitations = plainRoute({
  ...common,
  operation: 'listOwnInvitations',
  method: 'GET',
  path: '/auth/me/invitations',
  summary: 'List the invitations that wait for the caller',
  description:
    'Open invitations for the caller’s account, or for their address once it is verified; none while it is not.',
  query: OwnInvitationQuery,
  answer: OwnInvitationList,
  examples: { answer: { items: [example], total: 1, page: 1, limit: 20, next_cursor: null } },
  handle: (context) =>
    readPage(
      {
        ...context,
        read: (statement) =>
          context.dependencies.database.asSystem('invitations of a person', (transaction) =>
            transaction.many(statement),
          ),
      },
      {
        query: context.query,
        matching: repository.selectOwnInvitations(context.caller.userId, context.now),
        toItem: toOwnInvitation,
      },
    ),
});

const acceptOwnInvitation = plainRoute({
  ...common,
  operation: 'acceptOwnInvitation',
  method: 'POST',
  path: '/auth/me/invitations/:id/accept',
  summary: 'Accept an invitation',
  description:
    'Makes the caller a member of the workspace. 403 with `details.reason` `address_not_verified` while their address is ' +
    'not verified. Whoever is a member already keeps the role that they have.',
  params: OwnInvitationParams,
  answer: Joined,
  examples: { params, answer: joined },
  handle: (context) => acceptOwn(context, context.params.id),
});

const declineOwnInvitation = plainRoute({
  ...common,
  operation: 'declineOwnInvitation',
  method: 'POST',
  path: '/auth/me/invitations/:id/decline',
  summary: 'Decline an invitation',
  description: 'The workspace sees that it was declined, and may invite again.',
  params: OwnInvitationParams,
  status: 204,
  examples: { params },
  handle: (context) => declineOwn(context, context.params.id),
});

const redeemInvitation = plainRoute({
  ...common,
  operation: 'redeemInvitation',
  method: 'POST',
  path: '/auth/me/invitations/accept',
  summary: 'Accept an invitation by its link',
  description:
    'For whoever opens the link of a mail, or of an administrator, while they are signed in: verifies their address, ' +
    'which has to be the invited one, and makes a member. The link of a guest lets in and verifies nothing.',
  body: InvitationToken,
  answer: Joined,
  examples: { body: { token: 'inv_Zx3mQ9vT7kL2bN8rH5wY1cF6dJ4sP0aG_uE-oIqXyVn' }, answer: joined },
  handle: (context) => acceptByToken(context, context.body.token),
});

export const ownInvitationRoutes: readonly Route[] = [
  listOwnInvitations,
  redeemInvitation,
  acceptOwnInvitation,
  declineOwnInvitation,
];
