import { z } from 'zod';
import { Id, listOf, PageQuery, sortedBy, Timestamp, text } from '../../platform/http/schemas.js';

const ACCESS = ['read', 'write'] as const;

const Limits = {
  access: z
    .enum(ACCESS)
    .meta({ description: '`read`: only what reads. `write`: what the user may do, too.' }),
  workspace_id: Id.nullable().meta({
    description: 'The only workspace that it reaches; null: all of the user.',
  }),
  permissions: z
    .array(z.string())
    .nullable()
    .meta({ description: 'Ids of the permissions that it holds; null: every one that a token may use.' }),
};

export const Token = z
  .object({
    id: Id,
    name: z.string(),
    prefix: z.string().meta({ description: 'Its first characters, to recognise it by.' }),
    ...Limits,
    status: z.enum(['active', 'expired', 'revoked']),
    expires_at: Timestamp,
    last_used_at: Timestamp.nullable().meta({ description: 'To the hour.' }),
    revoked_at: Timestamp.nullable(),
    created_at: Timestamp,
  })
  .meta({ id: 'ApiToken', description: 'A long-lived token of the caller, for build servers and scripts.' });
export type Token = z.infer<typeof Token>;

export const TokenList = listOf('ApiTokenList', Token);

export const CreatedToken = Token.extend({
  token: z.string().nullable().meta({
    description:
      'The token itself, shown this once; null when the answer is repeated for an `Idempotency-Key`.',
  }),
}).meta({ id: 'CreatedApiToken' });
export type CreatedToken = z.infer<typeof CreatedToken>;

export const NewToken = z
  .strictObject({
    name: text({ min: 1, max: 100 }),
    access: Limits.access.default('read'),
    workspace_id: Id.optional(),
    permissions: z.array(z.string().max(100)).min(1).max(100).optional(),
    expires_at: z.iso.datetime({ offset: true }).optional().meta({
      description: 'At most twelve months from now; 90 days unless told.',
    }),
  })
  .meta({ id: 'NewApiToken' });

export const TokenParams = z.strictObject({ id: Id });
export const TokenQuery = PageQuery.extend(sortedBy('created_at', 'name', 'expires_at'));
