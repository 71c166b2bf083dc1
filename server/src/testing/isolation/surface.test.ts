import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadPermissionTable } from '../../platform/identity/permissions.js';
import { createTestDatabase, type TestDatabase } from '../test-database.js';
import { rolesSurface, SURFACE_QUERY } from './surface.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  await database?.stop();
});

/** What a change of it means is for people to say: `npx vitest run server/dist/testing/isolation/surface.test.js -u`. */
const file = (name: string) => new URL(`../../../src/testing/isolation/${name}`, import.meta.url).pathname;

it('isolation rests on nothing but what was looked at', async ({ skip }) => {
  const [version] = await database.asOwner<{ major: string }>(
    "select split_part(current_setting('server_version'), '.', 1) as major",
  );
  skip(version?.major !== '18', 'Other versions spell the same expressions otherwise.');
  const lines = await database.asOwner<{ line: string }>(SURFACE_QUERY);
  expect(lines.length).toBeGreaterThan(300);
  await expect(`${lines.map(({ line }) => line).join('\n')}\n`).toMatchFileSnapshot(file('database.surface'));
});

it('the roles may do nothing but what was looked at', async () => {
  const lines = rolesSurface(loadPermissionTable());
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(file('roles.surface'));
});
