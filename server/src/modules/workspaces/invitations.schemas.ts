import { z } from 'zod';
import { Id, listOf, PageQuery, sortedBy, Timestamp } from '../../platform/http/schemas.js';
import { ROLES } from '../../platform/identity/permissions.js';

const Role = z.enum(ROLES).meta({ description: 'Role inside the workspace.' });

export const Invitation = z
  .object({
    id: Id,
    email: z.string().nullable().meta({ description: 'The address that was named; null: an account was.' }),
    user_id: Id.nullable().meta({
      description: 'The account that was named. Whether there is such a one is not told.',
    }),
    role: Role,
    invited_by: Id,
    expires_at: Timestamp,
    accepted_at: Timestamp.nullable(),
    declined_at: Timestamp.nullable().meta({ description: 'When the person declined; null: they did not.' }),
    created_at: Timestamp,
  })
  .meta({ id: 'Invitation', description: 'Lets whoever has an address or account become a member.' });
export type Invitation = z.infer<typeof Invitation>;

export const IssuedInvitation = Invitation.extend({
  token: z
    .string()
    .nullable()
    .meta({
      description:
        'Only for administrators of the installation, who vouch for the address by passing it on: `invitation` of ' +
        'sign-up or sign-in. Shown this once; null when the answer is repeated for an `Idempotency-Key`.',
    }),
  link: z.url().nullable().meta({ description: 'For the person who is invited; null where `token` is.' }),
  mailed: z.boolean().meta({
    description:
      'A mail with a link is sent to where it reaches the person. False: this service sends no mails.',
  }),
}).meta({ id: 'IssuedInvitation' });
export type IssuedInvitation = z.infer<typeof IssuedInvitation>;

export const InvitationList = listOf('InvitationList', Invitation);
export const InvitationsParams = z.strictObject({ id: Id });
export const InvitationParams = z.strictObject({ id: Id, invitation_id: Id });
export const InvitationQuery = PageQuery.extend(sortedBy('created_at', 'expires_at'));

export const NewInvitation = z
  .strictObject({ email: z.email().max(320), role: z.enum(ROLES) })
  .meta({ id: 'NewInvitation' });

export const OwnInvitation = z
  .object({
    id: Id,
    workspace_id: Id,
    workspace_name: z
      .string()
      .meta({ description: 'Name of the workspace, which the caller cannot see yet.' }),
    role: Role,
    invited_by: z.object({ name: z.string(), email: z.string() }),
    expires_at: Timestamp,
    created_at: Timestamp,
  })
  .meta({ id: 'OwnInvitation', description: 'An invitation that waits for the caller.' });
export type OwnInvitation = z.infer<typeof OwnInvitation>;
export const OwnInvitationList = listOf('OwnInvitationList', OwnInvitation);
export const OwnInvitationParams = z.strictObject({ id: Id });
export const OwnInvitationQuery = PageQuery.extend(sortedBy('created_at', 'expires_at'));
export const InvitationToken = z
  .strictObject({
    token: z.string().min(1).max(256).meta({ description: 'What stands behind the `=` of the link.' }),
  })
  .meta({ id: 'InvitationToken' });

export const Joined = z
  .object({
    workspace_id: Id,
    role: Role,
    guest_id: Id.nullable().meta({
      description: 'What the caller may read as a guest now; null: they are a member with this role.',
    }),
  })
  .meta({ id: 'JoinedWorkspace', description: 'The workspace that the caller is a member or guest of now.' });
export type Joined = z.infer<typeof Joined>;
