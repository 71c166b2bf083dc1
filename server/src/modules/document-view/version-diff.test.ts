import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { until, uploadWorkProduct } from '../../testing/upload.js';
import type { DocumentMarks, DocumentView } from './document-view.schemas.js';
import type { VersionDiff } from './version-diff.schemas.js';
import type { VersionGaps } from './version-gaps.schemas.js';

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
let workspace: string;

const get = async <Body>(path: string, document = id): Promise<Body> => {
  const answer = await jo.request('GET', `/api/v1/work-products/${document}${path}`);
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.body as Body;
};
const textOf = async (version: number, document = id) =>
  (await get<DocumentView>(`/versions/${version}/document`, document)).blocks
    .map(({ text }) => text)
    .join('\n');

const isRead = (document: string, version: number) =>
  until<{ processing_status: string; version: number }>(
    jo,
    `/api/v1/work-products/${document}`,
    (one) => one.processing_status === 'completed' && one.version === version,
  );
const replace = async (document: string, filename: string, lines: readonly string[], version = 2) => {
  const bytes = lines.join('\n\n');
  const announced = { filename, size: bytes.length, content_type: 'text/markdown' };
  const uploads = `/api/v1/work-products/${document}/uploads`;
  const { body } = await jo.request('POST', `${uploads}/init`, { body: announced });
  const session = body as { upload_id: string; upload_url: string; headers: Record<string, string> };
  await fetch(session.upload_url, { method: 'PUT', headers: session.headers, body: bytes });
  const completed = await jo.request('POST', `${uploads}/${session.upload_id}/complete`);
  expect(completed.status).toBeLessThan(300);
  await isRead(document, version);
};

/** Has all documents of the workspace checked; answers the run. */
const checked = async (): Promise<string> => {
  const body = { workspace_id: workspace };
  const run = (await jo.request('POST', '/api/v1/compliance/completeness', { body })).body as { id: string };
  const isDone = ({ status }: { status: string }) => status === 'completed';
  await until<{ status: string }>(jo, `/api/v1/analysis/analyses/${run.id}`, isDone, 60_000);
  return run.id;
};

beforeAll(async () => {
  database = await createTestDatabase();
  app = await startTestApp(database, { work: true });
  jo = await app.signUp();
  workspace = (
    (await jo.request('POST', '/api/v1/workspaces', { body: { name: 'Versions' } })).body as { id: string }
  ).id;
  const upload = async (name: string, lines: readonly string[]) => {
    const file = { name, type: 'text/markdown', bytes: lines.join('\n\n') };
    const document = ((await uploadWorkProduct(jo, workspace, file)).body as { id: string }).id;
    await isRead(document, 1);
    return document;
  };
  id = await upload('plan.md', PLAN);
  await checked();
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
  const before = await get<DocumentMarks>('/versions/1/marks?about=gap,placeholder,section');
  const after = await get<DocumentMarks>('/versions/2/marks?about=gap,placeholder,section');
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

test('says which gaps went, came and moved, as the newest runs of the two versions found them', async () => {
  const before = await get<VersionGaps>('/diff/gaps?base=1&head=2');
  expect(before.runs).toEqual([]);
  expect([before.gone, before.new, before.moved]).toEqual(Array(3).fill({ total: 0, items: [] }));
  const head = await checked();
  const told = await get<VersionGaps>('/diff/gaps?base=1&head=2');
  expect(told.runs).toMatchObject([
    { analysis_type: 'completeness', standard_id: null, head, others_changed: 1 },
  ]);
  const { base: first } = told.runs[0]!;
  // The place with the open schedule is gone, the other one stands further down.
  expect([told.gone.total, told.new.total, told.moved.total]).toEqual([0, 0, 1]);
  const [moved] = told.moved.items;
  expect((await textOf(1)).slice(moved!.base!.range.start, moved!.base!.range.end)).toContain('TBD');
  expect((await textOf(2)).slice(moved!.head!.range.start, moved!.head!.range.end)).toContain('until March');
  const german = await jo.request('GET', `/api/v1/work-products/${id}/diff/gaps?base=1&head=2`, {
    headers: { 'accept-language': 'de' },
  });
  expect((german.body as VersionGaps).moved.items[0]!.title).not.toBe(moved!.title);

  const settled = LATER.map((line) => line.replace('by TBD until March', 'until March'));
  await replace(id, 'plan.md', settled, 3);
  await checked();
  const closed = await get<VersionGaps>('/diff/gaps?base=2&head=3');
  expect(closed.gone).toMatchObject({ total: 1, items: [{ gap_id: moved!.gap_id, head: null }] });
  expect(closed.gone.items[0]!.base).toEqual(moved!.head);
  expect([closed.new.total, closed.moved.total, closed.runs[0]!.others_changed]).toEqual([0, 0, 0]);
  const opened = await get<VersionGaps>('/diff/gaps?base=3&head=2');
  expect(opened.new).toMatchObject({ total: 1, items: [{ gap_id: moved!.gap_id, base: null }] });

  // All that the older run found about the document, and nothing of another one.
  const all = ({ gone, moved, same, not_compared }: VersionGaps) =>
    gone.total + moved.total + same + not_compared;
  const list = `/api/v1/analysis/gaps?analysis_id=${first}&work_product_id=${id}&limit=1`;
  const { total } = (await jo.request('GET', list)).body as { total: number };
  expect([all(told), all(await get<VersionGaps>('/diff/gaps?base=1&head=1'))]).toEqual([total, total]);
  const foreign = await get<VersionGaps>('/diff/gaps?base=2&head=2', concept);
  expect(JSON.stringify(foreign)).not.toContain(moved!.gap_id);
  const kim = await app.signUp();
  for (const query of ['base=1&head=9', 'base=1&head=2']) {
    const asking = query.endsWith('9') ? jo : kim;
    const { status } = await asking.request('GET', `/api/v1/work-products/${id}/diff/gaps?${query}`);
    expect([query, status]).toEqual([query, 404]);
  }
});
