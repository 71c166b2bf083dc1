import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { until, uploadWorkProduct } from '../../testing/upload.js';
import type { DocumentMarks, DocumentView } from './document-view.schemas.js';
import type { VersionDiff } from './version-diff.schemas.js';

const PLAN = [
  '# Safety plan',
  'The safety plan names the persons who are responsible.',
  'The hazard analysis will be done by TBD.',
  'The schedule of the project is open. TBD',
  'All documents are under configuration management.',
];
const LATER = [
  '# Safety plan',
  'This chapter is new and says what the plan is for.',
  'The safety plan names the persons who are responsible.',
  'The hazard analysis will be done by TBD until March.',
  'All documents are under configuration management.',
];

/** A concept with requirements of an id, a level and a state. */
const requirements = (...rows: readonly string[]) => [
  '# Functional safety concept',
  '## Functional safety requirements',
  [
    '| ID | Requirement | ASIL | Status |',
    '|---|---|---|---|',
    ...rows.map((row) => {
      const [name, asil, status] = row.split(' ');
      return `| ${name} | The door controller shall hold the door shut as ${name} says. | ${asil} | ${status} |`;
    }),
  ].join('\n'),
];

let database: TestDatabase;
let app: TestApp;
let jo: Client;
let id: string;
let concept: string;

const get = async <Body>(path: string, document = id): Promise<Body> => {
  const answer = await jo.request('GET', `/api/v1/work-products/${document}${path}`);
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.body as Body;
};
const textOf = async (version: number, document = id) =>
  (await get<DocumentView>(`/versions/${version}/document`, document)).blocks
    .map(({ text }) => text)
    .join('\n');

beforeAll(async () => {
  database = await createTestDatabase();
  app = await startTestApp(database, { work: true });
  jo = await app.signUp();
  const workspace = (
    (await jo.request('POST', '/api/v1/workspaces', { body: { name: 'Versions' } })).body as { id: string }
  ).id;
  const isRead = (document: string, version: number) =>
    until<{ processing_status: string; version: number }>(
      jo,
      `/api/v1/work-products/${document}`,
      (one) => one.processing_status === 'completed' && one.version === version,
    );
  const upload = async (name: string, lines: readonly string[]) => {
    const file = { name, type: 'text/markdown', bytes: lines.join('\n\n') };
    const document = ((await uploadWorkProduct(jo, workspace, file)).body as { id: string }).id;
    await isRead(document, 1);
    return document;
  };
  const replace = async (document: string, filename: string, lines: readonly string[]) => {
    const bytes = lines.join('\n\n');
    const announced = { filename, size: bytes.length, content_type: 'text/markdown' };
    const uploads = `/api/v1/work-products/${document}/uploads`;
    const { body } = await jo.request('POST', `${uploads}/init`, { body: announced });
    const session = body as { upload_id: string; upload_url: string; headers: Record<string, string> };
    await fetch(session.upload_url, { method: 'PUT', headers: session.headers, body: bytes });
    const completed = await jo.request('POST', `${uploads}/${session.upload_id}/complete`);
    expect(completed.status).toBeLessThan(300);
    await isRead(document, 2);
  };
  id = await upload('plan.md', PLAN);
  const run = (
    await jo.request('POST', '/api/v1/compliance/completeness', { body: { workspace_id: workspace } })
  ).body as { id: string };
  await until<{ status: string }>(
    jo,
    `/api/v1/analysis/analyses/${run.id}`,
    ({ status }) => status === 'completed',
    60_000,
  );
  await replace(id, 'plan.md', LATER);
  concept = await upload('concept.md', requirements('FSR-01 B open', 'FSR-02 B open', 'FSR-03 B open'));
  await replace(concept, 'concept.md', requirements('FSR-04 B open', 'FSR-01 B open', 'FSR-02 D open'));
}, 120_000);
afterAll(async () => {
  await app?.stop();
  await database?.stop();
});

test('says which blocks came, went and changed, and the words of those', async () => {
  const diff = await get<VersionDiff>('/diff?base=1&head=2');
  expect(diff.counts).toEqual({ same: 3, inserted: 1, deleted: 1, changed: 1 });
  expect(diff.changes.map(({ op, count }) => [op, count])).toEqual([
    ['same', 1],
    ['insert', 1],
    ['same', 1],
    ['change', 1],
    ['delete', 1],
    ['same', 1],
  ]);
  const changed = diff.changes.find(({ op }) => op === 'change')!;
  expect(changed.words!.filter(({ op }) => op !== 'same')).toEqual([{ op: 'insert', text: ' until March' }]);
  for (const { base, head } of diff.changes) {
    if (base) expect((await textOf(1)).slice(base.start, base.end)).toBe(base.text);
    if (head) expect((await textOf(2)).slice(head.start, head.end)).toBe(head.text);
  }
  const parts = await Promise.all(
    [0, 2, 4].map((from) => get<VersionDiff>(`/diff?base=1&head=2&from=${from}&changes=2`)),
  );
  expect(parts.flatMap(({ changes }) => changes)).toEqual(diff.changes);
  expect(parts.map(({ next }) => next)).toEqual([2, 4, null]);
});

test('says which artifacts came, went and changed', async () => {
  const { artifacts } = await get<VersionDiff>('/diff?base=1&head=2&include=artifacts', concept);
  const { added, removed, changed } = artifacts!;
  expect(
    [added, removed, changed].map(({ total, items }) => [total, items.map((one) => one.artifact_id)]),
  ).toEqual([
    [1, ['FSR-04']],
    [1, ['FSR-03']],
    [1, ['FSR-02']],
  ]);
  expect([added.items[0]!.base, removed.items[0]!.head]).toEqual([null, null]);
  const [one] = changed.items;
  expect([one!.base!.asil, one!.head!.asil]).toEqual(['B', 'D']);
  expect((await textOf(2, concept)).slice(one!.head!.start, one!.head!.end)).toContain('FSR-02');
  expect((await textOf(1, concept)).slice(one!.base!.start, one!.base!.end)).toContain('FSR-02');
  expect(await get<VersionDiff>('/diff?base=1&head=2', concept)).not.toHaveProperty('artifacts');
  const same = await get<VersionDiff>('/diff?base=2&head=2&include=artifacts', concept);
  expect(Object.values(same.artifacts!).map(({ total }) => total)).toEqual([0, 0, 0]);
});

test('of a version with itself is nothing, with one that is not there 404', async () => {
  expect((await get<VersionDiff>('/diff?base=2&head=2')).counts).toEqual({
    same: 5,
    inserted: 0,
    deleted: 0,
    changed: 0,
  });
  expect((await jo.request('GET', `/api/v1/work-products/${id}/diff?base=1&head=3`)).status).toBe(404);
  expect((await jo.request('GET', `/api/v1/work-products/${id}/diff?base=1`)).status).toBe(422);
  const kim = await app.signUp();
  expect((await kim.request('GET', `/api/v1/work-products/${id}/diff?base=1&head=2`)).status).toBe(404);
});

test('carries what was said about a version to the next one, to the same words', async () => {
  const before = await get<DocumentMarks>('/versions/1/marks?about=gap,section');
  const after = await get<DocumentMarks>('/versions/2/marks?about=gap,section');
  const [old, fresh] = [await textOf(1), await textOf(2)];
  expect([before.carried_from, before.lost]).toEqual([null, 0]);
  expect(after.carried_from).toBe(1);
  expect(after.total).toBeGreaterThan(0);
  const quotes = (marks: DocumentMarks['marks'], text: string) =>
    marks.map(({ ref, start, end }) => `${ref.id} ${text.slice(start, end)}`).sort();
  const told = quotes(after.marks, fresh);
  const known = quotes(before.marks, old);
  for (const one of told) expect(known).toContain(one);
  expect(known.length - told.length).toBe(after.lost);
  // The open schedule is gone, and so is its place.
  expect(after.lost).toBeGreaterThan(0);
  expect(told.some((one) => one.includes('schedule'))).toBe(false);
  for (const { start, location } of after.marks) {
    const { blocks } = await get<DocumentView>(`/versions/2/document?around=${start}&blocks=1`);
    expect(location).toEqual(blocks[0]!.location);
  }
});
