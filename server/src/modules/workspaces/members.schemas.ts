import { z } from 'zod';
import {
  Id,
  listOf,
  PageQuery,
  SearchQuery,
  sortedBy,
  Timestamp,
  UpdatedSince,
  withOneField,
} from '../../platform/http/schemas.js';
import { ROLES } from '../../platform/identity/permissions.js';
import type { Invited } from './invitations.repository.js';

const Role = z.enum(ROLES).meta({ description: 'Role inside this workspace.' });

export const Member = z
  .object({
    user_id: Id,
    email: z.string(),
    name: z.string(),
    role: Role,
    is_owner: z.boolean().meta({ description: 'The owner holds the roles manager and admin as well.' }),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'Member', description: 'A person in a workspace.' });
export type Member = z.infer<typeof Member>;

export const MemberList = listOf('MemberList', Member);
export const MembersParams = z.strictObject({ id: Id });
export const MemberParams = z.strictObject({ id: Id, user_id: Id });
export const MemberQuery = PageQuery.extend({
  ...sortedBy('created_at', 'updated_at', 'name', 'email'),
  updated_since: UpdatedSince,
  search: SearchQuery,
  role: z.enum(ROLES).optional(),
});

export const NewMember = z
  .strictObject({ email: z.email().max(320).optional(), user_id: Id.optional(), role: Role })
  .refine(({ email, user_id }) => (email === undefined) !== (user_id === undefined), {
    message: 'Name the person by email or by user_id.',
    path: ['email'],
  })
  .meta({ id: 'NewMember' });
export const MemberChange = withOneField(
  z.strictObject({
    role: Role.optional(),
    is_owner: z
      .literal(true)
      .optional()
      .meta({ description: 'Hands the workspace over; only its owner may.' }),
  }),
).meta({ id: 'MemberChange' });

/** Whom a body names. */
export const invitedBy = ({ email, user_id }: z.output<typeof NewMember>): Invited =>
  email === undefined ? { userId: user_id ?? '' } : { email };
