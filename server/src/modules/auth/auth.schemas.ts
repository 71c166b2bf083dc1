import { z } from 'zod';
import {
  flag,
  Id,
  listOf,
  PageQuery,
  SearchQuery,
  sortedBy,
  Timestamp,
  text,
  UpdatedSince,
  withOneField,
} from '../../platform/http/schemas.js';
import { ROLES } from '../../platform/identity/permissions.js';
import { PLANS } from '../payments/plans.js';

const Email = z
  .email()
  .max(320)
  .meta({ examples: ['jo@example.org'] });
/** Long, and whatever it is made of (OWASP ASVS 5.0, 6.2.1, 6.2.5, 6.2.9); more rules in `password-rules.ts`. */
const Password = z.string().min(12).max(128).meta({
  format: 'password',
  description: 'Common passwords, and the own name and address, are refused.',
});
const OneTimeToken = z
  .string()
  .min(1)
  .max(256)
  .meta({ description: 'What stands behind the `=` of the link.' });
const name = text({ max: 200 });
const organization = text({ max: 200 });

export const Profile = z
  .object({
    id: Id,
    email: z.string().meta({ description: 'Empty while nobody has named one.' }),
    email_verified: z.boolean().meta({
      description:
        'The address is proven. Only then invitations to it can be accepted and payments for it claimed.',
    }),
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

export const SyncRequest = z
  .strictObject({
    id: Id,
    email: Email.or(z.literal('')).default('').meta({
      description: 'That of the access token; left out or empty where the token has none.',
    }),
    name,
  })
  .meta({ id: 'SyncRequest' });
export const SyncResult = z
  .object({
    success: z.boolean(),
    message: z.string(),
    user_id: Id,
    email: z.string(),
    subscription_migrated: z.boolean(),
    subscription_waiting: z.boolean().meta({
      description:
        'A payment for this address waits until the address is verified; `message` says what to do.',
    }),
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
export const BrowserSession = z
  .object({
    user_id: Id,
    expires_in: z.int().meta({ description: 'Seconds until it ends, unless a request comes before.' }),
  })
  .meta({
    id: 'BrowserSession',
    description: 'A session whose secret is in a cookie that no script can read.',
  });
export type BrowserSession = z.infer<typeof BrowserSession>;

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
  active: z
    .boolean()
    .meta({ description: 'False after a deactivation: no sign-in, no session, no API token.' }),
  updated_at: Timestamp,
}).meta({ id: 'User', description: 'A user as an administrator sees them.' });
export type User = z.infer<typeof User>;
export const UserList = listOf('UserList', User);
export const UserParams = z.strictObject({ id: Id });
export const UserQuery = PageQuery.extend({
  ...sortedBy('created_at', 'updated_at', 'name', 'email'),
  updated_since: UpdatedSince,
  search: SearchQuery,
  role: z.enum(ROLES).optional(),
  active: flag().optional(),
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

export const Session = z
  .object({
    id: Id,
    is_current: z.boolean().meta({ description: 'The one that asks.' }),
    created_at: Timestamp,
    last_used_at: Timestamp.meta({ description: 'To the minute.' }),
    expires_at: Timestamp.meta({
      description: 'Until then it can be refreshed; that of a browser ends then, unless it is used before.',
    }),
    address: z.string().nullable().meta({ description: 'Client address of its last use.' }),
    user_agent: z.string().nullable().meta({ description: 'What the client said of itself, shortened.' }),
  })
  .meta({ id: 'Session', description: 'A session of the caller.' });
export type Session = z.infer<typeof Session>;
export const SessionList = listOf('SessionList', Session);
export const SessionParams = z.strictObject({ id: Id });
export const SessionQuery = PageQuery.extend(sortedBy('created_at', 'last_used_at', 'expires_at'));
export const EndedSessions = z
  .object({ ended: z.int().min(0).meta({ description: 'Sessions that were open and are not any more.' }) })
  .meta({ id: 'EndedSessions' });

export const Accepted = z.object({ message: z.string() }).meta({ id: 'Accepted' });
export const AddressToVerify = z.strictObject({ email: Email.optional() }).meta({ id: 'AddressToVerify' });
export const AddressProof = z.strictObject({ token: OneTimeToken }).meta({ id: 'AddressProof' });
export const VerifiedAddress = z
  .object({ email: z.string(), email_verified: z.literal(true) })
  .meta({ id: 'VerifiedAddress' });
export const ResetRequest = z.strictObject({ email: Email }).meta({ id: 'PasswordResetRequest' });
export const NewPassword = z
  .strictObject({ token: OneTimeToken, new_password: Password })
  .meta({ id: 'NewPassword' });
export const SignUpAddress = z.strictObject({ email: Email }).meta({ id: 'SignUpAddress' });
export const HandedLink = z
  .object({
    token: z.string().meta({ description: 'What stands behind the `=` of the link.' }),
    link: z.url().meta({ description: 'For the person; shown this once.' }),
    expires_at: Timestamp,
  })
  .meta({ id: 'HandedLink', description: 'A one-time link that an administrator hands out.' });
