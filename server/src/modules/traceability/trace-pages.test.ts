import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';

interface Page {
  readonly matrix: readonly {
    readonly requirement_id: string;
    readonly status: string;
    readonly upstream_links: readonly object[];
    readonly downstream_links: readonly object[];
    readonly more_downstream: number;
  }[];
  readonly gaps: readonly { readonly requirement_id?: string; readonly artifact_id?: string }[];
  readonly items: readonly { readonly artifact_id: string }[];
  readonly levels?: readonly { readonly count: number }[];
  readonly total_gaps: number;
  readonly total: number;
  readonly page: number;
  readonly next_cursor: string | null;
}

let database: TestDatabase;
let app: TestApp;
let owner: Client;

beforeAll(async () => {
  database = await createTestDatabase();
  app = await startTestApp(database, { work: true, environment: { EMBEDDINGS: 'off' } });
  owner = await app.signUp();
});
afterAll(async () => {
  await app?.stop();
  await database?.stop();
});

/** A workspace with requirements that nothing is linked to. */
async function workspaceWith(requirements: number): Promise<string> {
  const made = await owner.request('POST', '/api/v1/workspaces', { body: { name: 'Pages' } });
  const { id } = made.body as { id: string };
  for (let at = 0; at < requirements; at += 5000) {
    await add(
      id,
      Array.from({ length: Math.min(5000, requirements - at) }, (_, n) => `FSR-${at + n}`),
    );
  }
  return id;
}

async function add(workspace_id: string, ids: readonly string[]): Promise<void> {
  const artifacts = ids.map((artifact_id) => ({ artifact_id, type: 'functional_safety_requirement' }));
  const { status, text } = await owner.request('POST', '/api/v1/traceability/artifacts/bulk', {
    body: { workspace_id, artifacts },
  });
  if (status !== 200) throw new Error(text);
}

const read = async (
  view: string,
  query: Readonly<Record<string, string>>,
): Promise<Page & { status: number }> => {
  const { status, body } = await owner.request(
    'GET',
    `/api/v1/traceability/${view}?${new URLSearchParams(query)}`,
  );
  return { ...(body as Page), status };
};

async function allPages(view: string, query: Readonly<Record<string, string>>): Promise<readonly Page[]> {
  const pages: Page[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page: Page = await read(view, { ...query, cursor });
    pages.push(page);
    cursor = page.next_cursor;
  }
  return pages;
}

it('brings every gap and every suggestion exactly once', async () => {
  const workspace_id = await workspaceWith(9);
  for (const view of ['gaps', 'completeness', 'analyze', 'suggestions', 'matrix']) {
    const [whole] = await allPages(view, { workspace_id, limit: '100' });
    const list = view === 'suggestions' ? 'items' : view === 'matrix' ? 'matrix' : 'gaps';
    const itemsOf = (page: Page | undefined): readonly unknown[] => page?.[list] ?? [];
    expect(itemsOf(whole).length).toBeGreaterThan(8);
    const pages = await allPages(view, { workspace_id, limit: '4' });
    expect(pages.map(({ page }) => page)).toEqual(pages.map((_, at) => at + 1));
    expect(pages.length).toBe(Math.ceil(itemsOf(whole).length / 4));
    expect(pages.flatMap(itemsOf)).toEqual(itemsOf(whole));
    expect(list === 'gaps' ? whole?.total_gaps : whole?.total).toBe(itemsOf(whole).length);
  }
});

interface NamedGap {
  readonly requirement_id: string;
  readonly gap_type: string;
  readonly severity: string;
  readonly related: readonly string[];
  readonly missing: string | null;
}

it('lists the gaps of some types, of a severity and of an artifact, with names', async () => {
  const workspace_id = await workspaceWith(6);
  await add(workspace_id, ['SG-1', 'SG-99']);
  const links = [
    { source_id: 'FSR-1', target_id: 'SG-1', link_type: 'derives_from' },
    { source_id: 'FSR-2', target_id: 'SG-99', link_type: 'derives_from' },
  ];
  for (const link of links) {
    const body = { workspace_id, ...link };
    expect((await owner.request('POST', '/api/v1/traceability/links', { body })).status).toBe(201);
  }
  const { items } = await read('artifacts', { workspace_id, artifact_id: 'SG-99' });
  const gone = `/api/v1/traceability/artifacts/${(items as unknown as { id: string }[])[0]!.id}`;
  expect((await owner.request('DELETE', gone)).status).toBe(204);
  const gapsOf = async (query: Readonly<Record<string, string>> = {}) =>
    (await allPages('gaps', { workspace_id, limit: '3', ...query })).flatMap((page) => {
      expect(page.total_gaps).toBeGreaterThanOrEqual(page.gaps.length);
      return page.gaps as unknown as readonly NamedGap[];
    });
  const all = await gapsOf();
  const types = [...new Set(all.map(({ gap_type }) => gap_type))];
  expect(types.length).toBeGreaterThan(2);
  for (const some of [types.slice(0, 1), types.slice(1, 3)]) {
    expect(await gapsOf({ gap_type: some.join(',') })).toEqual(
      all.filter(({ gap_type }) => some.includes(gap_type)),
    );
  }
  const severe = all.filter(({ severity }) => severity === 'high');
  expect(severe.length).toBeGreaterThan(0);
  expect(await gapsOf({ severity: 'high' })).toEqual(severe);
  const about = (id: string) =>
    all.filter(({ requirement_id, related, missing }) => [requirement_id, ...related, missing].includes(id));
  for (const id of ['FSR-2', 'SG-99', 'SG-1']) {
    expect([id, await gapsOf({ artifact_id: id })]).toEqual([id, about(id)]);
  }
  expect(about('SG-99').length).toBeGreaterThan(0);
  expect(await gapsOf({ artifact_id: 'FSR-12' })).toEqual([]);

  const named = await read('gaps', { workspace_id, refs: 'true', limit: '100', artifact_id: 'FSR-2' });
  const { artifacts } = (named as unknown as { refs: { artifacts: Record<string, object> } }).refs;
  expect(artifacts['FSR-2']).toMatchObject({ type: 'functional_safety_requirement', name: 'FSR-2' });
  expect(artifacts['SG-99']).toBe(undefined);
  expect((await read('gaps', { workspace_id, refs: 'true' })).status).toBe(422);
  expect(await read('gaps', { workspace_id })).not.toHaveProperty('refs');
});

it('begins the matrix anywhere, and shows as many links of a row as are asked for', async () => {
  const workspace_id = await workspaceWith(6);
  await add(workspace_id, ['SG-1']);
  for (let at = 0; at < 3; at++) {
    const link = { workspace_id, source_id: `FSR-${at}`, target_id: 'SG-1', link_type: 'derives_from' };
    expect((await owner.request('POST', '/api/v1/traceability/links', { body: link })).status).toBe(201);
  }
  const whole = await read('matrix', { workspace_id });
  const middle = await read('matrix', { workspace_id, limit: '2', offset: '3' });
  // What a whole matrix does not tell.
  const alike = ({ matrix }: Pick<Page, 'matrix'>) =>
    matrix.map(({ requirement_id, status, upstream_links, downstream_links, more_downstream }) => {
      const links = [...upstream_links, ...downstream_links].map((one) => ({ ...one, id: null }));
      return { requirement_id, status, links, more_downstream };
    });
  expect(alike(middle)).toEqual(alike({ matrix: whole.matrix.slice(3, 5) }));
  const goal = ({ matrix }: Page) => matrix.find(({ requirement_id }) => requirement_id === 'SG-1');
  expect(goal(whole)).toMatchObject({ more_downstream: 0, more_upstream: 0 });
  expect(goal(whole)?.downstream_links.length).toBe(3);
  const short = goal(await read('matrix', { workspace_id, links: '2' }));
  expect(short).toMatchObject({ more_downstream: 1, more_upstream: 0 });
  expect(short?.downstream_links).toEqual(goal(whole)?.downstream_links.slice(0, 2));
});

it('names what rows link to alike on every page of the matrix, and anew once somebody has renamed it', async () => {
  const workspace_id = await workspaceWith(4);
  await add(workspace_id, ['SG-1']);
  for (let at = 0; at < 4; at++) {
    const link = { workspace_id, source_id: `FSR-${at}`, target_id: 'SG-1', link_type: 'derives_from' };
    expect((await owner.request('POST', '/api/v1/traceability/links', { body: link })).status).toBe(201);
  }
  const goals = async () => {
    const pages = await allPages('matrix', { workspace_id, limit: '2' });
    return pages.flatMap(({ matrix }) => matrix.flatMap(({ upstream_links }) => upstream_links));
  };
  const before = await goals();
  expect(before).toEqual(Array(4).fill(expect.objectContaining({ artifact_name: 'SG-1' })));
  expect(await goals()).toEqual(before);
  const { id } = before[0] as { id: string };
  const { status } = await owner.request('PATCH', `/api/v1/traceability/artifacts/${id}`, {
    body: { name: 'Steering stays where it is' },
  });
  expect(status).toBe(200);
  expect(await goals()).toEqual(
    before.map((link) => ({ ...link, artifact_name: 'Steering stays where it is' })),
  );
});

it('refuses to go on when the trace is another one by then', async () => {
  const workspace_id = await workspaceWith(3);
  for (const view of ['gaps', 'suggestions', 'matrix']) {
    const { next_cursor } = await read(view, { workspace_id, limit: '2' });
    await add(workspace_id, [`SG-${view}`]);
    expect((await read(view, { workspace_id, limit: '2', cursor: next_cursor ?? '' })).status).toBe(422);
  }
});

it('shows what was computed before to nobody who does not see the workspace, and not past a change', async () => {
  const workspace_id = await workspaceWith(3);
  const stranger = await app.signUp();
  for (const view of ['gaps', 'completeness', 'analyze', 'matrix', 'suggestions', 'levels']) {
    expect((await read(view, { workspace_id })).status).toBe(200);
    const path = `/api/v1/traceability/${view}?workspace_id=${workspace_id}`;
    const refused = await stranger.request('GET', path);
    expect(refused.status, view).toBe(404);
    expect(refused.text).not.toContain('FSR-0');
    const before = await read(view, { workspace_id });
    await add(workspace_id, [`FSR-new-${view}`]);
    const after = await read(view, { workspace_id });
    const countOf = (page: Page): number =>
      page.levels?.reduce((sum, { count }) => sum + count, 0) ?? page.total ?? page.total_gaps;
    expect(countOf(after) - countOf(before), view).toBeGreaterThan(0);
  }
});

it('reaches gaps past ten thousand', async () => {
  const workspace_id = await workspaceWith(5100);
  const pages = await allPages('gaps', { workspace_id });
  const seen = pages.flatMap(({ gaps }) => gaps);
  expect(pages[0]?.gaps.length).toBe(10_000);
  expect(seen.length).toBe(pages[0]?.total_gaps);
  expect(seen.length).toBeGreaterThan(15_000);
  expect(new Set(seen.map((gap) => JSON.stringify(gap))).size).toBe(seen.length);
}, 120_000);
