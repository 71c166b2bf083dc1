import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { expect, test } from 'vitest';
import { migrate } from '../../platform/database/migrate.js';
import { createBareDatabase } from '../../testing/test-database.js';

const OURS = fileURLToPath(new URL('../../../migrations/', import.meta.url));
const OURS_BEFORE = '0440_traced_documents.sql';

const DOCUMENTS = 3;
const ARTIFACTS = 300;
const LINKS = 900;

test('a trace that is stored says of its rows the same after the migration as before it', async () => {
  const bare = await createBareDatabase();
  const directory = `${await mkdtemp(join(tmpdir(), 'normtrace-migrations-'))}/`;
  const client = new pg.Client(bare.connections.migration);
  try {
    await cp(OURS, directory, { recursive: true });
    for (const name of await readdir(directory)) if (name >= OURS_BEFORE) await rm(directory + name);
    await migrate(bare.connections, directory);
    await client.connect();
    await client.query(`
      insert into auth.users (id, email, email_verified, name) values (gen_random_uuid(), 'a@example.org', true, 'A');
      insert into workspaces (id, name, owner_id) select gen_random_uuid(), 'W', id from profiles;
      insert into work_products (workspace_id, id, name, original_filename, file_size, file_type, processing_status, created_by)
        select w.id, gen_random_uuid(), 'D' || i, 'a.md', 1, 'text/markdown', 'completed', w.owner_id
        from workspaces w, generate_series(1, ${DOCUMENTS}) i;
      insert into work_product_versions (workspace_id, work_product_id, version, file_name, file_size, file_type, sha256, object_key,
                                         processing_status, uploaded_by)
        select workspace_id, id, v, 'a.md', 1, 'text/markdown', 'x', workspace_id || '/' || id || v, 'completed', created_by
        from work_products, generate_series(1, 2) v;
      insert into artifacts (workspace_id, id, origin, ordinal, artifact_id, type, text, content_hash, work_product_id, version,
                             created_at, updated_at)
        select p.workspace_id, gen_random_uuid(), 'document', i, 'SG-' || i, 'safety_goal', 'Stop.', 'x', p.id,
               1 + (substr(p.name, 2))::integer % 2, '2026-01-01', '2026-01-02'
        from generate_series(1, ${ARTIFACTS}) i join work_products p on p.name = 'D' || 1 + i % ${DOCUMENTS};
      insert into artifacts (workspace_id, id, origin, ordinal, artifact_id, type, text, content_hash)
        select id, gen_random_uuid(), 'manual', 1000000001, 'SG-0', 'safety_goal', 'Stop.', 'x' from workspaces;
      insert into trace_links (workspace_id, id, origin, ordinal, source_id, target_id, link_type, stated_at, work_product_id, version,
                               created_at, updated_at)
        select p.workspace_id, gen_random_uuid(), 'document', i, 'SG-' || i, 'SG-' || i + 1, 'derives_from', 'source', p.id,
               1 + (substr(p.name, 2))::integer % 2, '2026-01-01', '2026-01-03'
        from generate_series(1, ${LINKS}) i join work_products p on p.name = 'D' || 1 + i % ${DOCUMENTS};
      insert into trace_links (workspace_id, id, origin, ordinal, source_id, target_id, link_type, stated_at)
        select id, gen_random_uuid(), 'manual', 1000000001, 'SG-0', 'SG-1', 'derives_from', 'both' from workspaces;`);
    const said = async (table: string) =>
      (
        await client.query(
          `select id, ordinal, work_product_id, version, created_at, updated_at from ${table} order by ordinal`,
        )
      ).rows;
    const before = [await said('artifacts'), await said('trace_links')];
    expect(before.map((rows) => rows.length)).toEqual([ARTIFACTS + 1, LINKS + 1]);

    await migrate(bare.connections);
    expect([await said('versioned_artifacts'), await said('versioned_links')]).toEqual(before);
    const left = `select (select count(*)::integer from artifacts) as artifacts, (select count(*)::integer from trace_links) as links`;
    // A new version changes all of its rows, a version that goes takes them along.
    await client.query(`update traced_documents set version = 1 where version = 2`);
    const changed = await said('versioned_links');
    expect(new Set(changed.map(({ version }) => version))).toEqual(new Set([1, null]));
    expect(changed.filter((row, at) => row.updated_at > before[1]![at].updated_at)).toHaveLength(
      LINKS * (2 / 3),
    );
    await client.query(`delete from work_product_versions where version = 2`);
    expect((await client.query(left)).rows).toEqual([{ artifacts: ARTIFACTS + 1, links: LINKS + 1 }]);
    await client.query(`delete from work_products where name = 'D1'`);
    expect((await client.query(left)).rows).toEqual([
      { artifacts: (ARTIFACTS * 2) / 3 + 1, links: (LINKS * 2) / 3 + 1 },
    ]);
    await client.query(`delete from workspaces`);
    expect((await client.query(left)).rows).toEqual([{ artifacts: 0, links: 0 }]);
  } finally {
    await client.end();
    await bare.stop();
    await rm(directory, { recursive: true });
  }
});
