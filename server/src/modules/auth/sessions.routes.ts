import { notFound } from '../../platform/http/api-error.js';
import { readPage } from '../../platform/http/pagination.js';
import { plainRoute, type Route } from '../../platform/http/route.js';
import { EndedSessions, SessionList, SessionParams, SessionQuery } from './auth.schemas.js';
import { endOne, endOthers, toSession } from './own-sessions.service.js';
import { selectOpenSessions } from './sessions.repository.js';

const common = {
  tag: 'Auth',
  gate: 'open',
  permission: 'profile.self',
  within: 'installation',
  person: true,
} as const;
const params = { id: '5d2a9f63-7c1e-4b0a-9e55-1f0c7b8d2a46' };

const listSessions = plainRoute({
  ...common,
  operation: 'listSessions',
  method: 'GET',
  path: '/auth/sessions',
  summary: 'List the own sessions',
  description:
    'Sessions of the caller that are open, newest first, with where they were last used from; those of an external ' +
    'issuer are here from their first use on. `last_used_at` is true to the minute.',
  query: SessionQuery,
  answer: SessionList,
  examples: {
    answer: {
      items: [
        {
          id: params.id,
          is_current: true,
          created_at: '2026-02-01T07:45:12.000Z',
          last_used_at: '2026-02-01T09:12:00.000Z',
          expires_at: '2026-02-01T19:45:12.000Z',
          address: '192.0.2.17',
          user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
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
          context.dependencies.database.asSystem('sessions of a person', (transaction) =>
            transaction.many(statement),
          ),
      },
      {
        query: context.query,
        matching: selectOpenSessions(context.caller.userId),
        toItem: toSession(context.caller.sessionId),
      },
    ),
});

const deleteSession = plainRoute({
  ...common,
  operation: 'endSession',
  method: 'DELETE',
  path: '/auth/sessions/:id',
  summary: 'End an own session',
  description:
    'Its access tokens are refused from now on, on every process. The own session ends like a sign-out.',
  params: SessionParams,
  status: 204,
  examples: { params },
  handle: async (context) => {
    if (!(await endOne(context, context.params.id))) throw notFound('session');
  },
});

const deleteOtherSessions = plainRoute({
  ...common,
  operation: 'endOtherSessions',
  method: 'DELETE',
  path: '/auth/sessions',
  summary: 'End all other own sessions',
  description:
    'Leaves the session that asks. Sessions of an external issuer that began before are over, also those that were not ' +
    'used here yet. API tokens stay.',
  answer: EndedSessions,
  examples: { answer: { ended: 2 } },
  handle: async (context) => ({ ended: await endOthers(context) }),
});

export const sessionRoutes: readonly Route[] = [listSessions, deleteSession, deleteOtherSessions];
