import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { parseYaml } from '../data/parse-yaml.js';

/** The four roles, at installation and at workspace level (a database constraint says the same). */
export const ROLES = ['viewer', 'engineer', 'manager', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** How a permission is held: fully, for own objects only, or under a named condition that the handler checks. */
export type Grant =
  | { readonly kind: 'allowed' }
  | { readonly kind: 'own' }
  | { readonly kind: 'when'; readonly condition: string };

export interface Permission {
  readonly id: string;
  readonly where: 'installation' | 'workspace';
  readonly description: string;
  /** No route uses it yet. */
  readonly later: boolean;
  /** Not through an API token. */
  readonly person: boolean;
  /** Guests may do it as well, as viewers do, in what they are let into; everything else is absent for them. */
  readonly guest: boolean;
  /** A role without an entry is denied. */
  readonly grants: Readonly<Partial<Record<Role, Grant>>>;
}

/** The permission table, read from `data/roles.yaml`. */
export interface PermissionTable {
  readonly permissions: readonly Permission[];
  /** The roles that the owner of a workspace holds in it. */
  readonly ownerRoles: readonly Role[];
  /** The permission; an id that is not in the table is an error of ours. */
  find(id: string): Permission;
}

/** A person's standing in one workspace. */
export interface Membership {
  readonly role: Role;
  readonly isOwner: boolean;
}

const GrantSchema = z.union([
  z.enum(['allowed', 'own', 'denied']),
  z.strictObject({ when: z.string().regex(/^[a-z_]+$/) }),
]);

const TableSchema = z.strictObject({
  owner: z.array(z.enum(ROLES)).min(1),
  permissions: z.array(
    z.strictObject({
      id: z.string().regex(/^[a-z-]+(\.[a-z-]+)*$/),
      where: z.enum(['installation', 'workspace']),
      description: z.string().min(1),
      later: z.literal(true).optional(),
      person: z.literal(true).optional(),
      guest: z.literal(true).optional(),
      viewer: GrantSchema,
      engineer: GrantSchema,
      manager: GrantSchema,
      admin: GrantSchema,
    }),
  ),
});

/**
 * Parses the permission table (source of the rows: the role matrix of the domain, section I.2).
 * Throws on an unknown key, a missing role or an id that appears twice.
 */
export function parsePermissionTable(text: string): PermissionTable {
  const table = TableSchema.parse(parseYaml(text));
  const byId = new Map<string, Permission>();
  for (const { id, where, description, later, person, guest, ...roles } of table.permissions) {
    if (byId.has(id)) throw new Error(`roles.yaml names the permission "${id}" twice.`);
    const grants: Partial<Record<Role, Grant>> = {};
    for (const role of ROLES) {
      const grant = roles[role];
      if (grant === 'denied') continue;
      grants[role] = typeof grant === 'string' ? { kind: grant } : { kind: 'when', condition: grant.when };
    }
    byId.set(id, {
      id,
      where,
      description,
      later: later ?? false,
      person: person ?? false,
      guest: guest ?? false,
      grants,
    });
  }
  return {
    permissions: [...byId.values()],
    ownerRoles: table.owner,
    find(id) {
      const permission = byId.get(id);
      if (!permission) throw new Error(`The permission "${id}" is not in server/data/roles.yaml.`);
      return permission;
    },
  };
}

export const loadPermissionTable = (): PermissionTable =>
  parsePermissionTable(readFileSync(new URL('../../../data/roles.yaml', import.meta.url), 'utf8'));

/** True when every role holds the permission without a condition: membership alone decides. */
export const isForEveryRole = (permission: Permission): boolean =>
  ROLES.every((role) => permission.grants[role]?.kind === 'allowed');

/**
 * The widest grant that one of the roles has: `allowed` before `own` before a condition. Undefined: denied.
 */
export function grantFor(permission: Permission, roles: readonly Role[]): Grant | undefined {
  const order = { allowed: 0, own: 1, when: 2 } as const;
  return roles
    .map((role) => permission.grants[role])
    .filter((grant) => grant !== undefined)
    .sort((a, b) => order[a.kind] - order[b.kind])[0];
}

/**
 * The roles that count in a workspace. A viewer of the installation is a viewer everywhere; an owner holds
 * `ownerRoles` beside the role of the membership.
 */
export function rolesInWorkspace(
  table: PermissionTable,
  profileRole: Role,
  membership: Membership,
): readonly Role[] {
  if (profileRole === 'viewer') return ['viewer'];
  return membership.isOwner ? [...table.ownerRoles, membership.role] : [membership.role];
}

/** What somebody holds of a permission: `allowed`, `own`, `denied` or the name of the condition. */
export type Holding = string;

/**
 * What somebody with these roles may do, by the ids of all permissions of this place. Through an API token less: what needs
 * a person, and what it does not name, is denied.
 */
export function holdingsOf(
  table: PermissionTable,
  where: Permission['where'],
  {
    roles,
    through,
  }: {
    readonly roles: readonly Role[];
    readonly through?: { readonly permissions: readonly string[] | null } | undefined;
  },
): Readonly<Record<string, Holding>> {
  const holding = (permission: Permission): Holding => {
    const isBeyondToken =
      through && (permission.person || !(through.permissions?.includes(permission.id) ?? true));
    const grant = isBeyondToken ? undefined : grantFor(permission, roles);
    if (!grant) return 'denied';
    return grant.kind === 'when' ? grant.condition : grant.kind;
  };
  return Object.fromEntries(
    table.permissions
      .filter((permission) => permission.where === where && !permission.later)
      .map((permission) => [permission.id, holding(permission)]),
  );
}
