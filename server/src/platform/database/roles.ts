import type { Client } from 'pg';
import { APPLICATION_ROLE, OWNER_ROLE, SYSTEM_ROLE } from './connections.js';

const ROLES: readonly string[] = [OWNER_ROLE, APPLICATION_ROLE, SYSTEM_ROLE];

/**
 * Makes the three roles where they are missing, lets the current login act as each, and gives the owner role the
 * right to create in this database. `logins` are further logins that may act as application and system.
 * Safe to run twice and from several processes at once (roles belong to the whole server, not to one database).
 */
export async function prepareRoles(client: Client, logins: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ login: string; superuser: boolean; database: string }>(
    `select current_user as login, rolsuper as superuser, current_database() as database
     from pg_roles where rolname = current_user`,
  );
  const self = rows[0]!;
  for (const role of ROLES) {
    await createRole(client, role);
    if (!self.superuser) await grantRole(client, role, self.login);
  }
  for (const login of logins.filter((name) => name !== self.login && !ROLES.includes(name))) {
    await grantRole(client, APPLICATION_ROLE, login);
    await grantRole(client, SYSTEM_ROLE, login);
  }
  await repeatOnRace(() =>
    client.query(
      `grant create, connect, temporary on database ${client.escapeIdentifier(self.database)} to ${OWNER_ROLE};
       grant usage, create on schema public to ${OWNER_ROLE}`,
    ),
  );
}

async function createRole(client: Client, role: string): Promise<void> {
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [role]);
  if (rowCount) return;
  await client.query(`create role ${role} nologin`).catch((error: { code?: string }) => {
    const madeMeanwhile = error.code === '42710' || error.code === '23505';
    if (!madeMeanwhile) throw error;
  });
}

async function grantRole(client: Client, role: string, login: string): Promise<void> {
  await repeatOnRace(() => client.query(`grant ${role} to ${client.escapeIdentifier(login)}`));
}

/** Two grants at once on the same object make one of them fail with "tuple concurrently updated". */
async function repeatOnRace(grant: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await grant();
      return;
    } catch (error) {
      const raced = error instanceof Error && /tuple concurrently/.test(error.message);
      if (!raced || attempt === 10) throw error;
    }
  }
}
