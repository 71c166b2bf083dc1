import { notFound } from '../../platform/http/api-error.js';
import { readPage } from '../../platform/http/pagination.js';
import { plainRoute, type Route, readRoute, writeRoute } from '../../platform/http/route.js';
import * as repository from './guests.repository.js';
import {
  GuestAccessList,
  GuestList,
  GuestParams,
  GuestQuery,
  GuestsParams,
  IssuedGuest,
  NewGuest,
} from './guests.schemas.js';
import { endGuest, inviteGuest, toAccess, toGuest } from './guests.service.js';
import { selectWorkspace } from './workspaces.repository.js';

const params = { id: '0f8e1c9a-6d0b-4f0e-9a51-2c5f6f2f7d10' };
const example = {
  id: '5b0f0c6e-52b1-4a5c-8f58-6f4c0d9f7b33',
  email: 'jo@assessors.example.org',
  scope: 'analysis',
  target_id: '9a1f7c3e-2b4d-4c8a-9e6f-1d2c3b4a5f60',
  state: 'invited',
  invited_by: '7c1e7f0a-3d53-4a53-9c38-0f7b35a1d0c4',
  expires_at: '2026-03-01T18:00:00.000Z',
  entered_at: null,
  ended_at: null,
  ended_by: null,
  created_at: '2026-01-31T09:30:00.000Z',
};
const token = 'gst_Zx3mQ9vT7kL2bN8rH5wY1cF6dJ4sP0aG_uE-oIqXyVn';
const common = { tag: 'Workspaces', permission: 'guests.manage' } as const;

const postGuest = writeRoute({
  ...common,
  operation: 'inviteGuest',
  method: 'POST',
  path: '/workspaces/:id/guests',
  summary: 'Let somebody from outside read something',
  description:
    'For an assessor from outside: until `expires_at` the person with this address reads the workspace, one analysis or one ' +
    'report, and nothing else; they change nothing, download no documents, and see no members. The link is shown this once, ' +
    'to be handed over; with it the person signs up, or in. An account that was made by it ends with what it may see.',
  within: ({ params }) => params.id,
  resource: 'workspace',
  idempotent: true,
  shownOnce: ['token', 'link'],
  params: GuestsParams,
  body: NewGuest,
  status: 201,
  answer: IssuedGuest,
  errors: ['CONFLICT'],
  examples: {
    params,
    body: {
      email: example.email,
      expires_at: example.expires_at,
      scope: example.scope,
      target_id: example.target_id,
    },
    answer: { ...example, token, link: `https://normtrace.example.org/#guest=${token}` },
  },
  handle: async (context) => {
    const guest = await inviteGuest(context, context.params.id, context.body);
    context.reply.header('location', `/api/v1/workspaces/${context.params.id}/guests/${guest.id}`);
    return guest;
  },
});

const listGuests = readRoute({
  ...common,
  operation: 'listGuests',
  method: 'GET',
  path: '/workspaces/:id/guests',
  summary: 'List guests',
  description:
    'Whoever is, was or is invited to be a guest of the workspace, newest first, without their links.',
  within: ({ params }) => params.id,
  resource: 'workspace',
  params: GuestsParams,
  query: GuestQuery,
  answer: GuestList,
  examples: { params, answer: { items: [example], total: 1, page: 1, limit: 20, next_cursor: null } },
  handle: async (context) => {
    const { params, query, now } = context;
    const page = await readPage(context, {
      query: { ...query, workspace: params.id },
      matching: repository.selectGuests(params.id),
      toItem: (row: repository.GuestRow) => toGuest(row, now),
    });
    const isEmpty = page.total === 0;
    if (isEmpty && (await context.read(selectWorkspace(params.id))).length === 0) throw notFound('workspace');
    return page;
  },
});

const deleteGuest = writeRoute({
  ...common,
  operation: 'endGuest',
  method: 'DELETE',
  path: '/workspaces/:id/guests/:guest_id',
  summary: 'End what a guest may see',
  description:
    'At once, with their streams, and the sessions of an account that was made for it; also before they have come.',
  within: ({ params }) => params.id,
  resource: 'guest',
  params: GuestParams,
  status: 204,
  examples: { params: { ...params, guest_id: example.id } },
  handle: ({ params, ...context }) => endGuest(context, { workspaceId: params.id, id: params.guest_id }),
});

const listOwnAccesses = plainRoute({
  operation: 'listGuestAccesses',
  method: 'GET',
  path: '/auth/me/guest-accesses',
  tag: 'Auth',
  summary: 'List what one may read as a guest',
  description:
    'Where the caller is no member and still let in, until when. Within, `GET` of the workspace, its documents as they were ' +
    'read, runs and reports answer, as far as `scope` reaches; everything else is absent.',
  gate: 'open',
  permission: 'profile.self',
  within: 'installation',
  person: true,
  query: GuestQuery,
  answer: GuestAccessList,
  examples: {
    answer: {
      items: [
        {
          id: example.id,
          workspace_id: params.id,
          workspace_name: 'Power sliding door',
          scope: example.scope,
          target_id: example.target_id,
          expires_at: example.expires_at,
          created_at: example.created_at,
        },
      ],
      total: 1,
      page: 1,
      limit: 20,
      next_cursor: null,
    },
  },
  handle: (context) =>
    readPage(
      {
        ...context,
        read: (statement) =>
          context.dependencies.database.asSystem('what a guest may see', (transaction) =>
            transaction.many(statement),
          ),
      },
      {
        query: context.query,
        matching: repository.selectOwnAccesses(context.caller.userId, context.now),
        toItem: toAccess,
      },
    ),
});

export const guestRoutes: readonly Route[] = [postGuest, listGuests, deleteGuest];
export const guestAccessRoutes: readonly Route[] = [listOwnAccesses];
