import type { ClientConfig } from 'pg';

/** The names of the three roles, which `prepareRoles` makes. */
export const OWNER_ROLE = 'normtrace_owner';
export const APPLICATION_ROLE = 'normtrace_app';
export const SYSTEM_ROLE = 'normtrace_system';

/** How to reach the database in each of its three roles. */
export interface DatabaseConnections {
  /** May create roles and objects. Used by migrations only, which then act as `normtrace_owner`. */
  readonly migration: ClientConfig;
  /** Acts as `normtrace_app`: bound by row-level security. */
  readonly application: ClientConfig;
  /** Acts as `normtrace_system`: the few tasks without a workspace, and the schema `auth`. */
  readonly system: ClientConfig;
}

/**
 * Connections to a server of one's own. Application and system connections take their role when they connect
 * (`-c role=…`), so that one login that is a member of both is enough; without `ownerUrl` the same login migrates.
 */
export function connectionsFromUrl(url: string, ownerUrl: string = url): DatabaseConnections {
  return {
    migration: { connectionString: ownerUrl },
    application: { connectionString: url, options: `-c role=${APPLICATION_ROLE}` },
    system: { connectionString: url, options: `-c role=${SYSTEM_ROLE}` },
  };
}
