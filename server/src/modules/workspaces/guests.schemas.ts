import { z } from 'zod';
import { Id, listOf, PageQuery, sortedBy, Timestamp } from '../../platform/http/schemas.js';

export const GUEST_SCOPES = ['workspace', 'analysis', 'report'] as const;

const Scope = z.enum(GUEST_SCOPES).meta({
  description:
    'How far a guest reads: the documents, runs and reports of the workspace; one run with the versions of documents that it ' +
    'looked at; or one report.',
});
const Target = Id.nullable().meta({ description: 'The analysis or report; null: the whole workspace.' });

export const Guest = z
  .object({
    id: Id,
    email: z.string().meta({ description: 'The address that was named; the account of the guest has it.' }),
    scope: Scope,
    target_id: Target,
    state: z.enum(['invited', 'active', 'expired', 'ended']).meta({
      description:
        '`invited`: nobody has opened the link yet. `expired`: its moment has come. `ended`: somebody ended it before.',
    }),
    invited_by: Id,
    expires_at: Timestamp,
    entered_at: Timestamp.nullable().meta({ description: 'When the person took the link; null: not yet.' }),
    ended_at: Timestamp.nullable().meta({ description: 'When somebody ended it; null: nobody did.' }),
    ended_by: Id.nullable().meta({ description: 'Who ended it; null: nobody did.' }),
    created_at: Timestamp,
  })
  .meta({ id: 'Guest', description: 'A person from outside who may read something until a moment.' });
export type Guest = z.infer<typeof Guest>;

export const IssuedGuest = Guest.extend({
  token: z.string().nullable().meta({
    description:
      '`invitation` of sign-up or sign-in. Shown this once; null when the answer is repeated for an `Idempotency-Key`.',
  }),
  link: z.url().nullable().meta({ description: 'For the guest, to be handed over; null where `token` is.' }),
}).meta({ id: 'IssuedGuest' });
export type IssuedGuest = z.infer<typeof IssuedGuest>;

export const NewGuest = z
  .strictObject({
    email: z.email().max(320),
    expires_at: Timestamp.meta({ description: 'When it ends: in the future, and within twelve months.' }),
    scope: z.enum(GUEST_SCOPES),
    target_id: Id.optional().meta({ description: 'The analysis or report; left out for a workspace.' }),
  })
  .refine(({ scope, target_id }) => (scope === 'workspace') === (target_id === undefined), {
    message: 'Name the analysis or report, and nothing for a whole workspace.',
    path: ['target_id'],
  })
  .meta({ id: 'NewGuest' });

export const GuestList = listOf('GuestList', Guest);
export const GuestsParams = z.strictObject({ id: Id });
export const GuestParams = z.strictObject({ id: Id, guest_id: Id });
export const GuestQuery = PageQuery.extend(sortedBy('created_at', 'expires_at'));

export const GuestAccess = z
  .object({
    id: Id,
    workspace_id: Id,
    workspace_name: z.string().meta({ description: 'Name of the workspace.' }),
    scope: Scope,
    target_id: Target,
    expires_at: Timestamp,
    created_at: Timestamp,
  })
  .meta({ id: 'GuestAccess', description: 'What the caller may read as a guest.' });
export type GuestAccess = z.infer<typeof GuestAccess>;
export const GuestAccessList = listOf('GuestAccessList', GuestAccess);
