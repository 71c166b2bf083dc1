import { readPage } from '../../platform/http/pagination.js';
import { plainRoute, type Route } from '../../platform/http/route.js';
import { exampleUser } from './auth.examples.js';
import * as repository from './auth.repository.js';
import { User, UserChange, UserList, UserParams, UserQuery } from './auth.schemas.js';
import { changeUser, readUser, toUser } from './users.service.js';

const common = { tag: 'Administration', permission: 'users.manage', within: 'installation' } as const;
const params = { id: exampleUser.id };

const listUsers = plainRoute({
  ...common,
  operation: 'listUsers',
  method: 'GET',
  path: '/admin/users',
  summary: 'List users',
  description: 'All users of the installation, newest first. `search` looks at name and email address.',
  query: UserQuery,
  answer: UserList,
  examples: { answer: { items: [exampleUser], total: 1, page: 1, limit: 20, next_cursor: null } },
  handle: (context) =>
    readPage(
      {
        ...context,
        read: (statement) =>
          context.dependencies.database.asSystem('users for an administrator', (transaction) =>
            transaction.many(statement),
          ),
      },
      { query: context.query, matching: repository.selectUsers(context.query), toItem: toUser },
    ),
});

const getUser = plainRoute({
  ...common,
  operation: 'getUser',
  method: 'GET',
  path: '/admin/users/:id',
  summary: 'Read a user',
  description: 'One user of the installation.',
  etag: true,
  params: UserParams,
  answer: User,
  errors: ['NOT_FOUND'],
  examples: { params, answer: exampleUser },
  handle: (context) => readUser(context, context.params.id),
});

const patchUser = plainRoute({
  ...common,
  operation: 'changeUser',
  method: 'PATCH',
  path: '/admin/users/:id',
  summary: 'Change a user',
  description:
    'Changes the role, which counts from the next request of that user on, notes that their email address is theirs, ' +
    'or deactivates them (`active`: false): their sessions and API tokens end, what they did stays. Nobody changes ' +
    'their own role or deactivates themselves, and the last active administrator stays (409).',
  etag: true,
  params: UserParams,
  body: UserChange,
  answer: User,
  errors: ['NOT_FOUND', 'CONFLICT'],
  examples: { params, body: { role: 'manager' }, answer: { ...exampleUser, role: 'manager' } },
  handle: (context) => changeUser(context, context.params.id, context.body),
});

export const userRoutes: readonly Route[] = [listUsers, getUser, patchUser];
