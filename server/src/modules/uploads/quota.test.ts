import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { uploadWorkProduct } from '../../testing/upload.js';

let data: TestDatabase;
let app: TestApp;
let owner: Client;
beforeAll(async () => {
  data = await createTestDatabase();
  const environment = { WORKSPACE_MAX_BYTES: '1000', WORKSPACE_MAX_WORK_PRODUCTS: '3' };
  app = await startTestApp(data, { environment });
  owner = await app.signUp();
});
afterAll(async () => {
  await app?.stop();
  await data?.stop();
});

const workspace = async (): Promise<string> =>
  ((await owner.request('POST', '/api/v1/workspaces', { body: { name: 'Small' } })).body as { id: string })
    .id;
const add = (place: string, size: number) =>
  uploadWorkProduct(owner, place, { name: 'a.md', type: 'text/markdown', bytes: 'x'.repeat(size) });

test('a workspace takes no more bytes than the settings allow, and room comes back with a deletion', async () => {
  const place = await workspace();
  const first = await add(place, 600);
  expect(first.status).toBe(200);
  const refused = await add(place, 401);
  expect(refused).toMatchObject({ status: 413, body: { error: { details: { workspace_max_bytes: 1000 } } } });
  expect(refused.text).toMatch(/Delete documents/);
  expect((await add(place, 400)).status).toBe(200);
  const { id } = first.body as { id: string };
  expect((await owner.request('DELETE', `/api/v1/work-products/${id}`)).status).toBe(204);
  expect((await add(place, 600)).status).toBe(200);
});

test('announcements at the same time count one another', async () => {
  const place = await workspace();
  const answers = await Promise.all([1, 2, 3, 4].map(() => add(place, 400)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 413, 413]);
});

test('a workspace takes no more work products than the settings allow', async () => {
  const place = await workspace();
  for (const _ of [1, 2, 3]) expect((await add(place, 10)).status).toBe(200);
  expect(await add(place, 10)).toMatchObject({
    status: 409,
    body: { error: { details: { reason: 'quota' } } },
  });
  expect((await add(await workspace(), 10)).status).toBe(200);
});
