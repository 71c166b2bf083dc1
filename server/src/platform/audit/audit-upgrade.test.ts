import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { expect, it } from 'vitest';
import { createBareDatabase } from '../../testing/test-database.js';
import { migrate } from '../database/migrate.js';
import { INSTALLATION } from './audit.js';

const MIGRATIONS = fileURLToPath(new URL('../../../migrations/', import.meta.url));

it('an upgrade chains the events that are there, in the order in which they happened', async () => {
  const earlier = await mkdtemp(join(tmpdir(), 'normtrace-migrations-'));
  const { connections, stop } = await createBareDatabase();
  const client = new pg.Client(connections.migration);
  try {
    const names = (await readdir(MIGRATIONS)).filter((name) => name < '0056');
    await Promise.all(names.map((name) => cp(join(MIGRATIONS, name), join(earlier, name))));
    await migrate(connections, `${earlier}/`);
    await client.connect();
    await client.query(
      `insert into audit_events (workspace_id, actor_id, action, target_type, target_id, before, created_at)
       select workspace, null, 'a.b', 'x', n::text, '{"a": 1}', now() - n * interval '1 hour'
       from generate_series(1, 50) n, unnest(array[$1, gen_random_uuid()]) workspace`,
      [INSTALLATION],
    );
    await migrate(connections);
    const { rows } = await client.query(`
      select count(*)::int as events, count(*) filter (where fits)::int as chained, max(sequence)::int as last
      from (
        select sequence, sequence = row_number() over chain
          and created_at > coalesce(lag(created_at) over chain, '-infinity')
          and hash = app.audit_hash(coalesce(lag(hash) over chain, ''), e) as fits
        from audit_events e window chain as (partition by workspace_id order by sequence)
      ) as found`);
    expect(rows).toEqual([{ events: 100, chained: 100, last: 50 }]);
    await expect(client.query('delete from audit_events')).rejects.toThrow('append-only');
  } finally {
    await client.end();
    await stop();
    await rm(earlier, { recursive: true });
  }
});
