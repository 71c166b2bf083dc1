import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { expect, it } from 'vitest';
import { migrate } from '../../platform/database/migrate.js';
import { createBareDatabase } from '../../testing/test-database.js';

const MIGRATIONS = fileURLToPath(new URL('../../../migrations/', import.meta.url));

it('an upgrade keeps members, believes proven addresses only, and ends links that nobody could vouch for', async () => {
  const earlier = await mkdtemp(join(tmpdir(), 'normtrace-migrations-'));
  const { connections, stop } = await createBareDatabase();
  const client = new pg.Client(connections.migration);
  try {
    const names = (await readdir(MIGRATIONS)).filter((name) => name < '0090');
    await Promise.all(names.map((name) => cp(join(MIGRATIONS, name), join(earlier, name))));
    await migrate(connections, `${earlier}/`);
    await client.connect();
    const add = async (name: string, isVerified: boolean, issuer: string | null = null): Promise<string> => {
      const { rows } = await client.query(
        'insert into auth.users (email, email_verified, issuer) values ($1, $2, $3) returning id',
        [`${name}@example.org`, isVerified, issuer],
      );
      return rows[0].id;
    };
    const first = await add('first', false);
    const manager = await add('manager', false);
    const [byWord, byAdmin, byManager] = [
      await add('by-word', true),
      await add('by-admin', true),
      await add('by-manager', true),
    ];
    const outside = await add('outside', true, 'https://issuer.example');
    await client.query("update profiles set role = 'manager' where id = $1", [manager]);
    await client.query(
      `insert into audit_events (workspace_id, actor_id, action, target_type, target_id, before, after)
       values ('00000000-0000-0000-0000-000000000000', $1, 'user.changed', 'user', $2,
               '{"email_verified": false}', '{"email_verified": true}')`,
      [first, byWord],
    );
    const { rows: made } = await client.query(
      "insert into workspaces (name, owner_id) values ('One', $1) returning id",
      [first],
    );
    const workspace = made[0].id;
    await client.query(
      "insert into workspace_members (workspace_id, user_id, role) values ($1, $2, 'viewer'), ($1, $3, 'viewer')",
      [workspace, byAdmin, byManager],
    );
    const invite = (by: string, token: string, accepted: string | null) =>
      client.query(
        `insert into workspace_invitations
           (workspace_id, email, role, token_hash, vouches, invited_by, expires_at, accepted_at, accepted_by)
         values ($1, gen_random_uuid() || '@example.org', 'viewer', sha256($2::bytea), true, $3,
                 now() + interval '1 day', case when $4::uuid is not null then now() end, $4)`,
        [workspace, token, by, accepted],
      );
    await invite(first, 'a', byAdmin);
    await invite(manager, 'b', byManager);
    await invite(first, 'open of an administrator', null);
    await invite(manager, 'open of a manager', null);

    await migrate(connections);
    const { rows: verified } = await client.query(
      'select p.email from profiles p join auth.users u on u.id = p.id and u.email_verified = p.email_verified where p.email_verified order by 1',
    );
    expect(verified.map(({ email }) => email.split('@')[0])).toEqual([
      'by-admin',
      'by-word',
      'first',
      'outside',
    ]);
    const { rows: members } = await client.query('select user_id from workspace_members');
    expect(new Set(members.map(({ user_id }) => user_id))).toEqual(new Set([byAdmin, byManager]));
    const { rows: links } = await client.query(
      "select purpose, token_hash = sha256('open of an administrator') as kept from auth.one_time_links",
    );
    expect(links).toEqual([{ purpose: 'invitation', kept: true }]);
    const { rows: subjects } = await client.query(
      'select id, subject from auth.users where issuer is not null',
    );
    expect(subjects).toEqual([{ id: outside, subject: outside }]);
  } finally {
    await client.end();
    await stop();
    await rm(earlier, { recursive: true });
  }
});
