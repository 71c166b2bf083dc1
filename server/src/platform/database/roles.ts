import type { Client } from 'pg';
import { APPLICATION_ROLE, OWNER_ROLE, SYSTEM_ROLE } from './connections.js';

const ROLES: readonly string[] = [OWNER_ROLE, APPLICATION_ROLE, SYSTEM_ROLE];

/**
 * Makes the three roles where they are missing, lets the current login act as each, and gives the owner role the
 * right to create in this database. `logins` are further logins that may act as application and system. What is in
 * place already is left alone, so that a login without rights will do where an administrator has prepared all this.
 * Safe to run twice and from several processes at once (roles belong to the whole server, not to one database).
 */
export async function prepareRoles(client: Client, logins: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ login: string; superuser: boolean }>(
    'select current_user as login, rolsuper as superuser from pg_roles where rolname = current_user',
  );
  const self = rows[0]!;
  try {
    for (const role of ROLES) {
      await createRole(client, role);
      if (!self.superuser) await grantRole(client, role, self.login);
    }
    for (const login of logins.filter((name) => name !== self.login && !ROLES.includes(name))) {
      await grantRole(client, APPLICATION_ROLE, login);
      await grantRole(client, SYSTEM_ROLE, login);
    }
    await allowCreating(client);
  } catch (error) {
    if ((error as { code?: string }).code !== '42501') throw error;
    throw new Error(
      `The login ${self.login} may not prepare the roles of Normtrace: ${(error as Error).message}. ` +
        'docs/configuration.md says what it needs, and what an administrator can prepare instead.',
      { cause: error },
    );
  }
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
  // Since version 16 who made a role is its member, but may not act as it.
  const { rows } = await client.query<{ done: boolean }>(
    `select pg_has_role($1, $2, case when current_setting('server_version_num')::int >= 160000 then 'SET' else 'MEMBER' end)
       as done`,
    [login, role],
  );
  if (rows[0]?.done) return;
  await repeatOnRace(() => client.query(`grant ${role} to ${client.escapeIdentifier(login)}`));
}

async function allowCreating(client: Client): Promise<void> {
  const { rows } = await client.query<{ database: string; done: boolean }>(
    `select current_database() as database,
       has_database_privilege($1, current_database(), 'create') and has_schema_privilege($1, 'public', 'create') as done`,
    [OWNER_ROLE],
  );
  const { database, done } = rows[0]!;
  if (done) return;
  await repeatOnRace(() =>
    client.query(
      `grant create, connect, temporary on database ${client.escapeIdentifier(database)} to ${OWNER_ROLE};
       grant usage, create on schema public to ${OWNER_ROLE}`,
    ),
  );
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
