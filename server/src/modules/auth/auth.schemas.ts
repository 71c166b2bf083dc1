import { z } from 'zod';
import {
  Id,
  listOf,
  PageQuery,
  SearchQuery,
  Timestamp,
  text,
  withOneField,
} from '../../platform/http/schemas.js';
import { ROLES } from '../../platform/identity/permissions.js';
import { PLANS } from '../payments/plans.js';

const Email = z
  .email()
  .max(320)
  .meta({ examples: ['jo@example.org'] });
const Password = z.string().min(8).max(256).meta({ format: 'password' });
const name = text({ max: 200 });
const organization = text({ max: 200 });

export const Profile = z
  .object({
    id: Id,
    email: z.string(),
    name: z.string(),
    organization: z.string(),
    role: z.enum(ROLES),
    created_at: Timestamp,
    last_login: Timestamp.nullable(),
    subscription_status: z.enum(['active', 'inactive']),
    subscription_plan: z.enum(PLANS).nullable(),
  })
  .meta({ id: 'Profile', description: 'A user of the service.' });
export type Profile = z.infer<typeof Profile>;

export const ProfileChange = withOneField(
  z.strictObject({ name: name.optional(), organization: organization.optional() }),
).meta({ id: 'ProfileChange' });

export const SyncRequest = z.strictObject({ id: Id, email: Email, name }).meta({ id: 'SyncRequest' });
export const SyncResult = z
  .object({
    success: z.boolean(),
    message: z.string(),
    user_id: Id,
    email: z.string(),
    subscription_migrated: z.boolean(),
    subscription_plan: z.string(),
  })
  .meta({ id: 'SyncResult' });

export const AccessToken = z
  .object({
    access_token: z.string(),
    token_type: z.literal('bearer'),
    expires_in: z.int().meta({ description: 'Seconds' }),
  })
  .meta({ id: 'AccessToken' });
export const SignedIn = AccessToken.extend({ user_id: Id }).meta({ id: 'SignedIn' });

const Invitation = z
  .string()
  .max(256)
  .optional()
  .meta({ description: 'Token of an invitation for this address: makes a member of the workspace.' });

export const SignUp = z
  .strictObject({
    email: Email,
    password: Password,
    name: text({ min: 1, max: 200 }),
    organization: organization.default(''),
    invitation: Invitation,
  })
  .meta({ id: 'SignUp' });
export const SignIn = z
  .strictObject({ email: z.string().max(320), password: z.string().max(256), invitation: Invitation })
  .meta({ id: 'SignIn' });
export const PasswordChange = z
  .strictObject({ current_password: z.string().max(256), new_password: Password })
  .meta({ id: 'PasswordChange' });

export const User = Profile.extend({
  email_verified: z.boolean().meta({ description: 'The address belongs to the user, as far as is known.' }),
  active: z
    .boolean()
    .meta({ description: 'False after a deactivation: no sign-in, no session, no API token.' }),
  updated_at: Timestamp,
}).meta({ id: 'User', description: 'A user as an administrator sees them.' });
export type User = z.infer<typeof User>;
export const UserList = listOf('UserList', User);
export const UserParams = z.strictObject({ id: Id });
export const UserQuery = PageQuery.extend({
  search: SearchQuery,
  role: z.enum(ROLES).optional(),
  active: z.enum(['true', 'false']).optional(),
});
export const UserChange = z
  .strictObject({
    role: z.enum(ROLES).optional(),
    email_verified: z.boolean().optional(),
    active: z.boolean().optional(),
    reason: text({ min: 1, max: 1000 }).optional().meta({ description: 'For the audit log.' }),
  })
  .refine(({ reason: _, ...change }) => Object.keys(change).length > 0, 'Name at least one field to change.')
  .meta({
    id: 'UserChange',
    anyOf: ['role', 'email_verified', 'active'].map((field) => ({ required: [field] })),
  });
