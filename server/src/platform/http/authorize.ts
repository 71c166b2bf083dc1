import type { Statement, Transaction } from '../database/database.js';
import { sql } from '../database/sql.js';
import type { ApiToken } from '../identity/api-tokens.js';
import type { Caller } from '../identity/callers.js';
import {
  type Grant,
  grantFor,
  isForEveryRole,
  type Membership,
  type Permission,
  type PermissionTable,
  rolesInWorkspace,
} from '../identity/permissions.js';
import { ApiError, notFound } from './api-error.js';
import { guardOf, type Route, type RouteInput, type Within } from './route.js';

/** Runs one statement as the caller: a transaction, or a single read. */
export type Ask = <Row>(statement: Statement) => Promise<Row | undefined>;

/** Decides whether a caller may run an operation, and how far. */
export interface Authorizer {
  /** Throws 403, or 404 when the caller is not a member of the workspace that the request is about. */
  authorize(request: {
    readonly caller: Caller;
    readonly input: RouteInput<never, never, never>;
    readonly ask: Ask;
  }): Promise<Grant>;
}

const ALLOWED: Grant = { kind: 'allowed' };
const READING: readonly Route['method'][] = ['GET'];

/**
 * The check of one route, prepared at the start. Throws when the permission is not in the table, when the route
 * looks it up in the wrong place, or when the table knows a condition that the route does not enforce.
 */
export function createAuthorizer(route: Route, table: PermissionTable): Authorizer | undefined {
  const guard = guardOf(route);
  if (!guard) return undefined;
  const permission = table.find(guard.permission);
  const within: Within<never, never, never> = guard.within;
  refuseInconsistent(route, permission, within);
  const ofGuests = grantFor(permission, ['viewer']);

  const decide = ((): Authorizer['authorize'] => {
    if (within === 'visible') return async () => ALLOWED;
    if (within === 'installation') {
      return async ({ caller }) => grantFor(permission, [caller.role]) ?? denied(permission);
    }
    // Row-level security already hides what the caller is no member of: the handler's own statement decides.
    if (isForEveryRole(permission)) return async () => ALLOWED;
    return async ({ caller, input, ask }) => {
      const workspace = within(input, caller);
      if (workspace === undefined) return grantFor(permission, [caller.role]) ?? denied(permission);
      const membership = await ask<Membership>(membershipIn(caller, workspace));
      if (!membership) throw notFound(route.resource ?? 'workspace');
      return grantFor(permission, rolesInWorkspace(table, caller.role, membership)) ?? denied(permission);
    };
  })();
  return {
    authorize: async (request) => {
      if (request.caller.through) refuseBeyondToken(route, permission, request.caller.through);
      // Whether it is within what they are let into was asked before (`asGuest`).
      if (request.caller.guest) return ofGuests ?? denied(permission);
      return decide(request);
    },
  };
}

/**
 * The limits of an API token, before anything is looked up: what needs a person, what it may do, and, for a token of
 * one workspace, nothing of the installation beyond what everybody may read. Which workspaces it sees is the
 * database's part.
 */
function refuseBeyondToken(route: Route, permission: Permission, token: ApiToken): void {
  const refuse = (reason: string, message: string): never => {
    throw new ApiError('AUTHORIZATION_ERROR', message, { permission: permission.id, reason });
  };
  if (permission.person || route.person) {
    refuse('person_required', 'This needs a person who is signed in; no API token may do it.');
  }
  const isReading = READING.includes(route.method);
  if (token.access === 'read' && !isReading) refuse('read_only_token', 'This API token may only read.');
  if (token.permissions && !token.permissions.includes(permission.id)) {
    refuse('permission_not_in_token', 'This API token does not hold the permission.');
  }
  const isForAnyToken = isReading && isForEveryRole(permission);
  if (token.workspaceId !== null && permission.where === 'installation' && !isForAnyToken) {
    refuse('token_of_one_workspace', 'This API token belongs to one workspace.');
  }
}

/** For the transaction of a write. */
export const askIn =
  (transaction: Transaction): Ask =>
  (statement) =>
    transaction.maybeOne(statement);

const membershipIn = (caller: Caller, workspace: string | Statement): Statement => sql`
  select m.role, w.owner_id = m.user_id as "isOwner"
  from workspace_members m join workspaces w on w.id = m.workspace_id
  where m.user_id = ${caller.userId}
    and m.workspace_id = (${typeof workspace === 'string' ? sql`${workspace}::uuid` : workspace})`;

function denied(permission: Permission): never {
  throw new ApiError(
    'AUTHORIZATION_ERROR',
    `Your role does not include: ${lowerFirst(permission.description)}.`,
    {
      permission: permission.id,
    },
  );
}

function refuseInconsistent(route: Route, permission: Permission, within: Within<never, never, never>): void {
  const complain = (what: string): never => {
    throw new Error(`Route ${route.operation}: ${what}`);
  };
  if ((within === 'installation') !== (permission.where === 'installation')) {
    complain(`the permission "${permission.id}" is looked up in the ${permission.where}.`);
  }
  if (within === 'visible' && !isForEveryRole(permission)) {
    complain(`"${permission.id}" is not for every role, so the route must say in which workspace.`);
  }
  if (guardOf(route)?.guest && (!permission.guest || route.method !== 'GET')) {
    complain(`guests do not hold the permission "${permission.id}", or it changes something.`);
  }
  if (permission.later) complain(`"${permission.id}" is marked "later" in roles.yaml.`);
  for (const grant of Object.values(permission.grants)) {
    const condition = grant.kind === 'when' ? grant.condition : grant.kind === 'own' ? 'own' : undefined;
    if (condition && !route.enforces?.includes(condition)) {
      complain(`the condition "${condition}" of "${permission.id}" is not among what it enforces.`);
    }
  }
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
