import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sql } from '../../platform/database/sql.js';
import { joinWorkspace } from '../../testing/join-workspace.js';
import { type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { until, uploadWorkProduct } from '../../testing/upload.js';
import type { Artifact } from './artifacts.schemas.js';
import type { BulkOutcome } from './bulk.schemas.js';
import { putArtifacts, putLinks } from './bulk.service.js';

let database: TestDatabase;
let app: TestApp;
let owner: Client;
let workspace: string;

beforeAll(async () => {
  database = await createTestDatabase();
  app = await startTestApp(database, { work: true, environment: { EMBEDDINGS: 'off' } });
  owner = await app.signUp();
});
afterAll(async () => {
  await app?.stop();
  await database?.stop();
});
beforeEach(async () => {
  const { body } = await owner.request('POST', '/api/v1/workspaces', { body: { name: 'Bulk' } });
  workspace = (body as { id: string }).id;
});

const send = (what: 'artifacts' | 'links', lines: readonly object[], client = owner, headers = {}) =>
  client.request('POST', `/api/v1/traceability/${what}/bulk`, {
    body: { workspace_id: workspace, [what]: lines },
    headers,
  });
const put = async (what: 'artifacts' | 'links', lines: readonly object[]): Promise<BulkOutcome> => {
  const { status, body, text } = await send(what, lines);
  if (status !== 200) throw new Error(text);
  return body as BulkOutcome;
};
const read = async <Body>(path: string): Promise<Body> =>
  (await owner.request('GET', `/api/v1${path}`)).body as Body;
const listed = (what: 'artifacts' | 'links') =>
  read<{ total: number; items: Artifact[] }>(`/traceability/${what}?workspace_id=${workspace}&limit=100`);
const told = ({ lines }: BulkOutcome) => lines.map(({ outcome, error }) => error?.code ?? outcome);

const goal = { artifact_id: 'SG-1', type: 'safety_goal', text: 'Do not trap.', asil: 'D' };
const demand = {
  artifact_id: 'FSR-1',
  type: 'functional_safety_requirement',
  text: 'Stop within 100 ms.',
  ratings: { severity: 3, exposure: 4, controllability: 2 },
  cal: 2,
};
const link = { source_id: 'FSR-1', target_id: 'SG-1', link_type: 'derives_from' };

describe('artifacts in bulk', () => {
  it('are created, left alone, changed and refused line by line', async () => {
    const first = await put('artifacts', [goal, demand]);
    expect(first).toMatchObject({ created: 2, updated: 0, unchanged: 0, refused: 0 });
    expect(first.lines.map(({ index }) => index)).toEqual([0, 1]);
    const again = await put('artifacts', [demand, goal]);
    expect(told(again)).toEqual(['unchanged', 'unchanged']);
    expect(again.lines.map(({ id }) => id)).toEqual(first.lines.map(({ id }) => id).reverse());

    const mixed = await put('artifacts', [
      { ...goal, asil: 'C' },
      { ...goal, asil: 'B' },
      { artifact_id: 'X-1', type: 'nonsense' },
      { artifact_id: '', type: 'test' },
      { artifact_id: 'X-2', type: 'test', name: 'x'.repeat(201) },
      { artifact_id: 'X-3', type: 'test', cal: 9 },
      { artifact_id: 'TC-1', type: 'test', text: 'Try it.' },
      { artifact_id: 'FSR-1', type: 'functional_safety_requirement' },
    ]);
    expect(told(mixed)).toEqual([
      'updated',
      'duplicate_line',
      'invalid_value',
      'too_small',
      'too_big',
      'too_big',
      'created',
      'updated',
    ]);
    expect(mixed).toMatchObject({ created: 1, updated: 2, unchanged: 0, refused: 5 });
    expect(mixed.lines[4]).toEqual({
      index: 4,
      outcome: 'refused',
      id: null,
      error: { code: 'too_big', path: 'name', message: 'At most 200 characters.' },
    });
    const { items } = await listed('artifacts');
    const shown = items.map(({ artifact_id, asil, text, cal }) => [artifact_id, asil, text, cal]);
    expect(shown.sort()).toEqual([
      ['FSR-1', null, '', null],
      ['SG-1', 'C', 'Do not trap.', null],
      ['TC-1', null, 'Try it.', null],
    ]);
  });

  it('are those that single requests make', async () => {
    const single = await owner.request('POST', '/api/v1/traceability/artifacts', {
      body: { workspace_id: workspace, ...demand },
    });
    expect(told(await put('artifacts', [demand]))).toEqual(['unchanged']);
    const { id } = single.body as Artifact;
    await owner.request('DELETE', `/api/v1/traceability/artifacts/${id}`);
    const [line] = (await put('artifacts', [demand])).lines;
    expect(line).toMatchObject({ outcome: 'created', id });
    const made = await read<Artifact>(`/traceability/artifacts/${id}`);
    expect(made).toEqual({
      ...(single.body as Artifact),
      created_at: made.created_at,
      updated_at: made.updated_at,
    });
  });

  it('leave what stands in a document alone', async () => {
    const { body } = await uploadWorkProduct(owner, workspace, {
      name: 'hara.md',
      type: 'text/markdown',
      bytes: '# Hazard analysis\n\n| ID | Safety goal | ASIL |\n|---|---|---|\n| SG-1 | Do not trap. | D |\n',
    });
    const { id } = body as { id: string };
    await until<{ under_way: boolean; documents: { work_product_id: string }[] }>(
      owner,
      `/api/v1/traceability/extraction?workspace_id=${workspace}`,
      (one) => !one.under_way && one.documents.some(({ work_product_id }) => work_product_id === id),
    );
    expect(told(await put('artifacts', [goal, demand]))).toEqual(['from_a_document', 'created']);
    expect(told(await put('links', [link, link]))).toEqual(['created', 'duplicate_line']);
  }, 120_000);

  it('is one event of the audit log, and none when nothing changed', async () => {
    await put('artifacts', [goal, demand]);
    await put('artifacts', [goal, { ...demand, text: 'Stop.' }]);
    await put('artifacts', [goal]);
    const { items } = await read<{ items: { action: string; after: unknown }[] }>(
      `/audit-log?workspace_id=${workspace}&action=artifact.put_in_bulk`,
    );
    expect(items.map(({ after }) => after)).toEqual([
      { created: [], updated: ['FSR-1'] },
      { created: ['SG-1', 'FSR-1'], updated: [] },
    ]);
  });
});

describe('links in bulk', () => {
  it('are created, left alone and refused line by line', async () => {
    const [line] = (await put('artifacts', [goal, demand])).lines;
    const found = await put('links', [
      link,
      { ...link, target_id: line?.id ?? '' },
      { ...link, target_id: 'SG-9' },
      { ...link, source_id: '' },
      { ...link, target_id: 'FSR-1' },
      { ...link, link_type: 'owns' },
      { source_id: line?.id?.toUpperCase() ?? '', target_id: 'FSR-1', link_type: 'decomposes_to' },
    ]);
    expect(told(found)).toEqual([
      'created',
      'duplicate_line',
      'unknown',
      'too_small',
      'self_link',
      'invalid_value',
      'created',
    ]);
    expect(told(await put('links', [link]))).toEqual(['unchanged']);
    expect((await listed('links')).total).toBe(2);
    const single = await owner.request('POST', '/api/v1/traceability/links', {
      body: { workspace_id: workspace, ...link },
    });
    expect(single.status).toBe(409);
  });
});

describe('requests in bulk', () => {
  it('are refused as a whole when their form is wrong or there are too many lines', async () => {
    const issues = async (lines: readonly object[]) => {
      const { status, body } = await send('artifacts', lines);
      const { error } = body as { error: { details: { issues: { path: string }[] } } };
      return [status, error.details.issues.map(({ path }) => path)];
    };
    expect(await issues([goal, { ...goal, colour: 'red' }])).toEqual([422, ['body.artifacts.1.colour']]);
    expect(await issues([{ ...goal, text: 7 }])).toEqual([422, ['body.artifacts.0.text']]);
    expect(await issues([])).toEqual([422, ['body.artifacts']]);
    expect(await issues(Array.from({ length: 10_001 }, () => goal))).toEqual([422, ['body.artifacts']]);
    expect((await listed('artifacts')).total).toBe(0);
  });

  it('are for people who may write, in their own workspaces', async () => {
    const viewer = await app.signUp();
    expect((await send('artifacts', [goal], viewer)).status).toBe(404);
    await joinWorkspace(app, { by: owner, workspace, member: viewer, role: 'viewer' });
    expect((await send('artifacts', [goal], viewer)).status).toBe(403);
    expect((await send('links', [link], viewer)).status).toBe(403);
  });

  it('are answered once under a key', async () => {
    const headers = { 'idempotency-key': 'bulk-1' };
    const first = await send('artifacts', [goal], owner, headers);
    const again = await send('artifacts', [goal], owner, headers);
    expect(again.body).toEqual(first.body);
    expect((first.body as BulkOutcome).created).toBe(1);
  });

  it('look at each row some times, however many lines there are', async () => {
    const lines = Array.from({ length: 10_000 }, (_, n) => ({
      ...demand,
      artifact_id: `FSR-${n}`,
      text: `The door shall stop within ${n} ms.`,
    }));
    const counts = { created: 0, updated: 0, unchanged: 0, refused: 0 };
    // Some for each line, and not some for each pair of lines. How many depends on the plan, and so on statistics.
    const most = 30 * lines.length;

    const made = await rowsReadBy((writing) =>
      putArtifacts(writing, { workspace_id: workspace, artifacts: [goal, ...lines.slice(1)] }),
    );
    expect(made.outcome).toMatchObject({ ...counts, created: 10_000 });
    expect(made.rowsRead).toBeLessThan(most);
    const changed = await rowsReadBy((writing) =>
      putArtifacts(writing, {
        workspace_id: workspace,
        artifacts: lines.map((one) => ({ ...one, text: 'Stop.' })),
      }),
    );
    expect(changed.outcome).toMatchObject({ ...counts, created: 1, updated: 9_999 });
    expect(changed.rowsRead).toBeLessThan(most);

    // All of one end: an index on that end alone would find all links for each line.
    const toGoal = lines.map(({ artifact_id }) => ({ ...link, source_id: artifact_id }));
    const fromGoal = lines.map(({ artifact_id }) => ({
      source_id: 'SG-1',
      target_id: artifact_id,
      link_type: 'decomposes_to',
    }));
    for (const links of [toGoal, fromGoal]) {
      for (const became of ['created', 'unchanged'] as const) {
        const { outcome, rowsRead } = await rowsReadBy((writing) =>
          putLinks(writing, { workspace_id: workspace, links }),
        );
        expect(outcome).toMatchObject({ ...counts, [became]: 10_000 });
        expect(rowsRead).toBeLessThan(most);
      }
    }
  }, 120_000);
});

/** What some work made of its lines, and how many rows of the trace its statements read, by index or not. */
const rowsReadBy = (
  work: (writing: Parameters<typeof putLinks>[0]) => Promise<BulkOutcome>,
): Promise<{ readonly outcome: BulkOutcome; readonly rowsRead: number }> =>
  database.database.withActor(owner, async (transaction) => {
    const { dependencies } = app;
    const caller = { userId: owner.userId };
    const outcome = await work({ transaction, dependencies, caller, request: { id: 'bulk' } });
    const { touched } = await transaction.one<{ touched: string }>(sql`
      select sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) as touched from pg_stat_xact_user_tables
      where relname in ('artifacts', 'trace_links')`);
    return { outcome, rowsRead: Number(touched) };
  });
