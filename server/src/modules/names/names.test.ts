import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Filled, fillWorkspace } from '../../testing/filled-workspace.js';
import { type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import type { Refs } from './names.js';

let data: TestDatabase;
let app: TestApp;
let owner: Client;
let engineer: Client;
let filled: Filled;

beforeAll(async () => {
  data = await createTestDatabase();
  app = await startTestApp(data, { work: true, environment: { EMBEDDINGS: 'off' } });
  [owner, engineer] = [await app.signUp(), await app.signUp()];
  filled = await fillWorkspace({
    app,
    database: data,
    owner,
    members: { engineer, manager: await app.signUp() },
  });
  await data.asOwner("update profiles set name = 'Kim Sommer' where id = $1", [owner.userId]);
  await data.asOwner("update profiles set name = 'Lee Winter' where id = $1", [engineer.userId]);
}, 300_000);
afterAll(async () => {
  await app?.stop();
  await data?.stop();
});

interface Page {
  readonly items: readonly Readonly<Record<string, unknown>>[];
  readonly refs?: Refs & {
    readonly artifacts?: Readonly<Record<string, { id: string; type: string; name: string }>>;
  };
}
async function list(path: string, query = ''): Promise<Page> {
  const answer = await owner.request(
    'GET',
    `/api/v1${path}?workspace_id=${filled.workspace}&limit=100${query}`,
  );
  expect([path, answer.status, answer.status === 200 ? '' : answer.text]).toEqual([path, 200, '']);
  return answer.body as Page;
}

test.each([
  ['/work-products', 'uploaded_by', 'people'],
  ['/analysis/analyses', 'created_by', 'people'],
  ['/analysis/analyses', 'standard_id', 'standards'],
  ['/analysis/gaps', 'assignee', 'people'],
  ['/analysis/gaps', 'work_product_id', 'work_products'],
  ['/reports', 'created_by', 'people'],
  ['/traceability/links', 'created_by', 'people'],
  ['/traceability/links', 'work_product_id', 'work_products'],
] as const)('%s names what %s means where it is asked for', async (path, property, kind) => {
  expect((await list(path)).refs).toBe(undefined);
  const { items, refs } = await list(path, '&refs=true');
  const ids = new Set(items.map((item) => item[property]).filter((id) => typeof id === 'string'));
  expect(ids.size).toBeGreaterThan(0);
  for (const id of ids) expect(refs?.[kind][id as string]?.name).toMatch(/\S/);
});

test('a name is that of the person, the document and the artifact', async () => {
  const gaps = await list('/analysis/gaps', `&refs=true&assignee=${engineer.userId}`);
  expect(gaps.refs?.people).toEqual({ [engineer.userId]: { name: 'Lee Winter' } });
  const documents = await list('/work-products', '&refs=true');
  expect(documents.refs?.people).toEqual({ [owner.userId]: { name: 'Kim Sommer' } });
  const links = await list('/traceability/links', '&refs=true&source_id=TC-77');
  expect(links.refs?.artifacts?.['TC-77']).toMatchObject({ type: 'test', name: 'Try to open it.' });
  const comments = await owner.request(
    'GET',
    `/api/v1/comments?workspace_id=${filled.workspace}&about=document&work_product_id=${filled.documents.marked}&refs=true`,
  );
  expect(comments).toMatchObject({ status: 200, body: { refs: { people: {} } } });
});
