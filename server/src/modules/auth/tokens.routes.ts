import { notFound } from '../../platform/http/api-error.js';
import { readPage } from '../../platform/http/pagination.js';
import { type Route, readRoute, writeRoute } from '../../platform/http/route.js';
import { loadPermissionTable } from '../../platform/identity/permissions.js';
import * as repository from './tokens.repository.js';
import { CreatedToken, NewToken, Token, TokenList, TokenParams, TokenQuery } from './tokens.schemas.js';
import { createToken, revokeToken, toToken } from './tokens.service.js';

const common = { tag: 'Auth', gate: 'open', permission: 'tokens.own', within: 'installation' } as const;
const params = { id: '3c1d7b0a-94c4-4f3e-8e0f-1f6d1d3f2a77' };
const example = {
  id: params.id,
  name: 'Nightly build',
  prefix: 'ntk_4fQz81Lb',
  access: 'write',
  workspace_id: '0f8e1c9a-6d0b-4f0e-9a51-2c5f6f2f7d10',
  permissions: ['work-products.write', 'analyses.start', 'analyses.read'],
  status: 'active',
  expires_at: '2026-05-01T09:30:00.000Z',
  last_used_at: '2026-02-01T07:00:00.000Z',
  revoked_at: null,
  created_at: '2026-01-31T09:30:00.000Z',
};
const permissions = loadPermissionTable();

const listTokens = readRoute({
  ...common,
  operation: 'listTokens',
  method: 'GET',
  path: '/auth/tokens',
  summary: 'List the own API tokens',
  description: 'The caller’s tokens, newest first, also those that have ended.',
  query: TokenQuery,
  answer: TokenList,
  examples: { answer: { items: [example], total: 1, page: 1, limit: 20, next_cursor: null } },
  handle: (context) =>
    readPage(context, {
      query: context.query,
      matching: repository.selectTokens(),
      toItem: toToken(context.now),
    }),
});

const postToken = writeRoute({
  ...common,
  operation: 'createToken',
  method: 'POST',
  path: '/auth/tokens',
  summary: 'Make an API token',
  description:
    'Makes a token that is sent as `Authorization: Bearer ntk_…`. It has the role of its user at every moment, and less ' +
    'where it says so: `read` only, one workspace, named permissions. What needs a person (password, tokens, roles, ' +
    'accepting a risk, attestations) it can never do. The token is shown in this answer and nowhere else.',
  idempotent: true,
  shownOnce: ['token'],
  body: NewToken,
  status: 201,
  answer: CreatedToken,
  errors: ['CONFLICT'],
  examples: {
    body: { name: example.name, access: 'write', workspace_id: example.workspace_id },
    answer: {
      ...example,
      permissions: null,
      last_used_at: null,
      token: 'ntk_4fQz81Lb0000000000000000000000000000000000000000000000000',
    },
  },
  handle: async (context) => {
    const token = await createToken(context, context.body, permissions);
    context.reply.header('location', `/api/v1/auth/tokens/${token.id}`);
    return token;
  },
});

const getToken = readRoute({
  ...common,
  operation: 'getToken',
  method: 'GET',
  path: '/auth/tokens/:id',
  summary: 'Read an own API token',
  description: 'What a token of the caller may do and when it was used.',
  etag: true,
  params: TokenParams,
  answer: Token,
  errors: ['NOT_FOUND'],
  examples: { params, answer: example },
  handle: async ({ params, read, now }) => {
    const [row] = await read<repository.TokenRow>(repository.selectToken(params.id));
    if (!row) throw notFound('token');
    return toToken(now)(row);
  },
});

const deleteToken = writeRoute({
  ...common,
  operation: 'revokeToken',
  method: 'DELETE',
  path: '/auth/tokens/:id',
  summary: 'Revoke an own API token',
  description:
    'Ends the token at once, on every process; it stays in the list. Repeating it changes nothing.',
  etag: true,
  params: TokenParams,
  status: 204,
  errors: ['NOT_FOUND'],
  examples: { params },
  handle: (context) => revokeToken(context, context.params.id),
});

export const tokenRoutes: readonly Route[] = [listTokens, postToken, getToken, deleteToken];
