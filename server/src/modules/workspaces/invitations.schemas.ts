import { z } from 'zod';
import { Id, listOf, PageQuery, Timestamp } from '../../platform/http/schemas.js';
import { ROLES } from '../../platform/identity/permissions.js';

export const Invitation = z
  .object({
    id: Id,
    email: z.string(),
    role: z.enum(ROLES).meta({ description: 'Role inside the workspace.' }),
    invited_by: Id,
    expires_at: Timestamp,
    accepted_at: Timestamp.nullable(),
    created_at: Timestamp,
  })
  .meta({ id: 'Invitation', description: 'Lets the holder of an address become a member.' });
export type Invitation = z.infer<typeof Invitation>;

export const IssuedInvitation = Invitation.extend({
  token: z
    .string()
    .nullable()
    .meta({
      description:
        'Shown this once: `invitation` of sign-up or sign-in. Null, like `link`, when the answer is repeated for an ' +
        '`Idempotency-Key`.',
    }),
  link: z.url().nullable().meta({ description: 'For the person who is invited. No mail is sent.' }),
}).meta({ id: 'IssuedInvitation' });

export const InvitationList = listOf('InvitationList', Invitation);
export const InvitationsParams = z.strictObject({ id: Id });
export const InvitationParams = z.strictObject({ id: Id, invitation_id: Id });
export const InvitationQuery = PageQuery;

export const NewInvitation = z
  .strictObject({ email: z.email().max(320), role: z.enum(ROLES) })
  .meta({ id: 'NewInvitation' });
