import { randomUUID } from 'node:crypto';
import { administrationRows } from './administration.rows.js';
import { analysisRows } from './analysis.rows.js';
import { archiveRows } from './archives.rows.js';
import { complianceRows } from './compliance.rows.js';
import { guestOf } from './place.js';
import { reportRows } from './reports.rows.js';
import { retentionRows } from './retention.rows.js';
import type { IsolationRow, Place, World } from './row.js';
import { standardRows } from './standards.rows.js';
import { traceabilityRows } from './traceability.rows.js';
import { workProductRows } from './work-products.rows.js';

/** The rows of all operations. A new route gets a row here, in the file of its module. */
export const isolationRows: readonly IsolationRow[] = [
  ...administrationRows,
  ...standardRows,
  ...workProductRows,
  ...analysisRows,
  ...complianceRows,
  ...traceabilityRows,
  ...reportRows,
  ...retentionRows,
  ...archiveRows,
  ...[
    'signUp',
    'signIn',
    'signUpInBrowser',
    'signInInBrowser',
    'askForPasswordReset',
    'resetPassword',
    'getInstallation',
    'getHealth',
    'getLiveness',
    'getReadiness',
    'createCheckoutSession',
    'getSessionInfo',
    'receivePaymentEvent',
  ].map((operation) => ({ operation, about: 'nobody' }) as const),

  { operation: 'getProjectPhases', about: 'installation', prepare: async () => ({}) },
  { operation: 'getProfile', about: 'installation', prepare: async () => ({}) },
  { operation: 'getPreferences', about: 'installation', prepare: async () => ({}) },
  {
    operation: 'changePreferences',
    about: 'installation',
    prepare: async () => ({ body: { theme: 'dark' } }),
  },
  { operation: 'getOwnPermissions', about: 'installation', prepare: async () => ({}) },
  {
    operation: 'getOwnWorkspacePermissions',
    about: 'workspace',
    prepare: async (_, place) => ({ params: { id: place.workspaceId } }),
  },
  {
    operation: 'changeProfile',
    about: 'installation',
    prepare: async () => ({ body: { name: 'New name' } }),
  },
  { operation: 'refreshToken', about: 'installation', prepare: async () => ({}) },
  { operation: 'signOut', about: 'installation', prepare: async () => ({}) },
  {
    operation: 'syncProfile',
    about: 'installation',
    // Somebody else's id: past the permission, and refused by the handler.
    prepare: async (world) => {
      const { userId, email } = await world.newPerson();
      return { body: { id: userId, email, name: 'x' } };
    },
    succeeds: 403,
  },
  {
    operation: 'changePassword',
    about: 'installation',
    prepare: async () => ({ body: { current_password: 'wrong', new_password: 'correct horse battery' } }),
    succeeds: 422,
  },

  // Whose address is not verified has no invitations.
  { operation: 'listOwnInvitations', about: 'installation', prepare: async () => ({}) },
  ...['acceptOwnInvitation', 'declineOwnInvitation'].map(
    (operation): IsolationRow => ({
      operation,
      about: 'installation',
      prepare: async () => ({ params: { id: randomUUID() } }),
      succeeds: 403,
    }),
  ),
  {
    operation: 'redeemInvitation',
    about: 'installation',
    prepare: async () => ({ body: { token: 'inv_unknown' } }),
    succeeds: 422,
  },
  { operation: 'getSubscription', about: 'installation', prepare: async () => ({}) },
  // Past the permission: nothing was bought.
  {
    operation: 'createPortalSession',
    about: 'installation',
    prepare: async () => ({ body: { return_url: 'http://127.0.0.1:8000/me/subscription' } }),
    succeeds: 409,
  },
  { operation: 'listGuestAccesses', about: 'installation', prepare: async () => ({}) },
  { operation: 'listSessions', about: 'installation', prepare: async () => ({}) },
  { operation: 'endOtherSessions', about: 'installation', prepare: async () => ({}) },
  // Sessions are their person's: everybody else's is absent for everybody.
  {
    operation: 'endSession',
    about: 'installation',
    prepare: async () => ({ params: { id: randomUUID() } }),
    succeeds: 404,
  },
  {
    operation: 'askForVerification',
    about: 'installation',
    prepare: async () => ({ body: {} }),
    succeeds: 409,
  },
  {
    operation: 'verifyAddress',
    about: 'installation',
    prepare: async () => ({ body: { token: 'adr_unknown' } }),
    succeeds: 422,
  },
  {
    operation: 'makePasswordResetLink',
    about: 'installation',
    prepare: async (world) => ({ params: await idOfPerson(world) }),
  },
  {
    operation: 'makeSignUpLink',
    about: 'installation',
    prepare: async () => ({ body: { email: `${randomUUID()}@example.org` } }),
  },

  { operation: 'getInstallationState', about: 'installation', prepare: async () => ({}) },
  { operation: 'listUsers', about: 'installation', prepare: async () => ({}) },
  {
    operation: 'getUser',
    about: 'installation',
    prepare: async (world) => ({ params: await idOfPerson(world) }),
  },
  {
    operation: 'changeUser',
    about: 'installation',
    prepare: async (world) => ({ params: await idOfPerson(world), body: { role: 'manager' } }),
  },

  { operation: 'createWorkspace', about: 'installation', prepare: async () => ({ body: { name: 'New' } }) },
  {
    operation: 'listWorkspaces',
    about: 'visible',
    prepare: async (_, place) => ({ marker: place.workspaceId }),
  },
  { operation: 'getWorkspace', about: 'workspace', prepare: async (_, place) => ({ params: idOf(place) }) },
  {
    operation: 'changeWorkspace',
    about: 'workspace',
    prepare: async (_, place) => ({ params: idOf(place), body: { name: 'Renamed' } }),
  },
  {
    operation: 'deleteWorkspace',
    about: 'workspace',
    prepare: async (_, place) => ({ params: idOf(place) }),
  },

  { operation: 'getModelStatus', about: 'installation', prepare: async () => ({}) },
  // Without a model there is nothing to look at: past the permission.
  { operation: 'probeModel', about: 'installation', prepare: async () => ({}), succeeds: 409 },
  {
    operation: 'getModelPolicy',
    about: 'workspace',
    prepare: async (_, place) => ({ params: idOf(place) }),
  },
  {
    operation: 'changeModelPolicy',
    about: 'workspace',
    prepare: async (_, place) => ({ params: idOf(place), body: { policy: 'inside' } }),
    decided: { manager: 200 },
  },

  { operation: 'listMembers', about: 'workspace', prepare: async (_, place) => ({ params: idOf(place) }) },
  { operation: 'getMember', about: 'workspace', prepare: async (_, place) => ({ params: memberOf(place) }) },
  {
    operation: 'addMember',
    about: 'workspace',
    prepare: async (world, place) => {
      const { userId } = await world.newPerson();
      return { params: idOf(place), body: { user_id: userId, role: 'viewer' } };
    },
    decided: { manager: 201 },
  },
  {
    operation: 'changeMember',
    about: 'workspace',
    prepare: async (world, place) => ({
      params: await newMemberOf(world, place),
      body: { role: 'engineer' },
    }),
    decided: { manager: 200 },
  },
  {
    operation: 'removeMember',
    about: 'workspace',
    prepare: async (world, place) => ({ params: await newMemberOf(world, place) }),
    decided: { viewer: 403, engineer: 403, manager: 204 },
  },

  {
    operation: 'inviteMember',
    about: 'workspace',
    prepare: async (_, place) => ({
      params: idOf(place),
      body: { email: 'new@example.org', role: 'viewer' },
    }),
    decided: { manager: 201 },
  },
  {
    operation: 'listInvitations',
    about: 'workspace',
    prepare: async (_, place) => ({ params: idOf(place) }),
    decided: { manager: 200 },
  },
  {
    operation: 'withdrawInvitation',
    about: 'workspace',
    prepare: async (world, place) => ({ params: await newInvitation(world, place) }),
    decided: { manager: 204 },
  },
  {
    operation: 'inviteGuest',
    about: 'workspace',
    prepare: async (_, place) => ({
      params: idOf(place),
      body: { email: 'guest@example.org', scope: 'workspace', expires_at: inAnHour() },
    }),
  },
  { operation: 'listGuests', about: 'workspace', prepare: async (_, place) => ({ params: idOf(place) }) },
  {
    operation: 'endGuest',
    about: 'workspace',
    prepare: async (world, place) => ({
      params: { id: place.workspaceId, guest_id: await guestOf(world.database, place, {}) },
    }),
  },
];

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();
const idOf = (place: Place) => ({ id: place.workspaceId });
const memberOf = (place: Place) => ({ id: place.workspaceId, user_id: place.members.engineer.userId });
const idOfPerson = async (world: World) => ({ id: (await world.newPerson()).userId });

async function newMemberOf(world: World, place: Place) {
  const { userId } = await world.newPerson();
  await world.database.asOwner(
    "insert into workspace_members (workspace_id, user_id, role) values ($1, $2, 'viewer')",
    [place.workspaceId, userId],
  );
  return { id: place.workspaceId, user_id: userId };
}

async function newInvitation(world: World, place: Place) {
  const [made] = await world.database.asOwner<{ id: string }>(
    `insert into workspace_invitations (workspace_id, email, role, invited_by, expires_at)
     values ($1, gen_random_uuid() || '@example.org', 'viewer', $2, now() + interval '1 day')
     returning id`,
    [place.workspaceId, place.owner.userId],
  );
  return { id: place.workspaceId, invitation_id: made?.id ?? '' };
}
