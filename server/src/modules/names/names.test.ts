import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FilledApp, startFilledApp } from '../../testing/filled-app.js';
import type { Filled } from '../../testing/filled-workspace.js';
import type { Client } from '../../testing/test-app.js';
import type { TestDatabase } from '../../testing/test-database.js';
import type { Refs } from './names.js';

let data: TestDatabase;
let started: FilledApp | undefined;
let owner: Client;
let engineer: Client;
let filled: Filled;

beforeAll(async () => {
  started = await startFilledApp({ environment: { EMBEDDINGS: 'off' } });
  ({ database: data, owner, engineer, filled } = started);
  await data.asOwner("update profiles set name = 'Kim Sommer' where id = $1", [owner.userId]);
  await data.asOwner("update profiles set name = 'Lee Winter' where id = $1", [engineer.userId]);
}, 300_000);
afterAll(async () => {
  await started?.stop();
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

const one = (path: string, headers = {}) => owner.request('GET', `/api/v1${path}`, { headers });

test('a single resource names what its ids mean, under the tag that it has without', async () => {
  const first = async (path: string, query = '') => (await list(path, query)).items[0]!.id;
  const people = { [owner.userId]: { name: 'Kim Sommer' } };
  for (const [path, refs] of [
    [`/work-products/${filled.documents.marked}`, { people }],
    [`/analysis/analyses/${await first('/analysis/analyses')}`, { people }],
    [`/reports/${await first('/reports')}`, { people }],
    [
      `/analysis/gaps/${await first('/analysis/gaps', `&assignee=${engineer.userId}`)}`,
      { people: { [engineer.userId]: { name: 'Lee Winter' } } },
    ],
    [
      `/traceability/links/${await first('/traceability/links', '&source_id=TC-77')}`,
      { artifacts: { 'TC-77': { type: 'test', name: 'Try to open it.' } } },
    ],
  ] as const) {
    const [plain, named] = [await one(path), await one(`${path}?refs=true`)];
    expect([path, plain.status, named.status]).toEqual([path, 200, 200]);
    const { refs: names, ...resource } = named.body as { refs: Refs };
    expect(names).toMatchObject(refs);
    expect(resource).toEqual(plain.body);
    const tag = plain.headers.get('etag');
    expect([path, named.headers.get('etag')]).toEqual([path, tag]);
    // Names may be others by now: who asks for them gets them.
    expect((await one(path, { 'if-none-match': tag })).status).toBe(304);
    expect((await one(`${path}?refs=true`, { 'if-none-match': tag })).status).toBe(200);
  }
});

test('the tag of what was read with names guards a change', async () => {
  const path = `/work-products/${filled.documents.marked}`;
  const change = (tag: string | null, name: string) =>
    owner.request('PATCH', `/api/v1${path}`, { body: { name }, headers: { 'if-match': tag ?? '' } });
  const tag = (await one(`${path}?refs=true`)).headers.get('etag');
  expect((await change(tag, 'Renamed')).status).toBe(200);
  expect((await change(tag, 'Renamed again')).status).toBe(412);
});

test('the history of a gap names who did what', async () => {
  const [gap] = (await list('/analysis/gaps', `&assignee=${engineer.userId}`)).items;
  const answer = await one(`/analysis/gaps/${gap!.id}/history?refs=true&limit=100`);
  const { items, refs } = answer.body as Page;
  const actors = items.map(({ actor }) => actor).filter((actor) => actor !== null);
  expect(actors.length).toBeGreaterThan(0);
  for (const actor of actors) expect(refs?.people[actor as string]?.name).toMatch(/\S/);
});
