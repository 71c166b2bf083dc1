import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { joinWorkspace } from '../../testing/join-workspace.js';
import { type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { until, uploadWorkProduct } from '../../testing/upload.js';
import { comparableTitle } from './match-uploads.js';
import type { ListedWorkProduct, UploadMatches, WorkProduct } from './work-products.schemas.js';

const HARA = [
  '# Hazard analysis and risk assessment',
  '## Hazardous events',
  '| ID | Hazardous event | S | E | C | ASIL |\n|---|---|---|---|---|---|\n| HE-1 | The door opens | S3 | E4 | TBD | |',
].join('\n\n');
const PLAN = '# Sicherheitsplan\n\nDer Sicherheitsplan nennt die Rollen und die Termine des Projekts.\n';
const NOTES = '# Notes\n\nThese are notes about nothing that an analysis knows.\n';
const sha256 = (bytes: string): string => createHash('sha256').update(bytes).digest('hex');

describe('many work products', () => {
  let data: TestDatabase;
  let app: TestApp;
  let owner: Client;
  let engineer: Client;
  let workspace: string;
  let hara: string;
  let plan: string;
  let notes: string;
  beforeAll(async () => {
    data = await createTestDatabase();
    app = await startTestApp(data, { work: true, environment: { MAX_UPLOAD_BYTES: '100000' } });
    owner = await app.signUp();
    engineer = await app.signUp();
    const made = await owner.request('POST', '/api/v1/workspaces', { body: { name: 'Sliding door' } });
    workspace = (made.body as { id: string }).id;
    await joinWorkspace(app, { by: owner, workspace, member: engineer, role: 'engineer' });
    [hara, plan, notes] = await Promise.all([
      added('HARA_v1.md', HARA),
      added('Sicherheitsplan.md', PLAN),
      added('notes.md', NOTES),
    ]);
  }, 120_000);
  afterAll(async () => {
    await app?.stop();
    await data?.stop();
  });

  async function added(name: string, bytes: string): Promise<string> {
    const { body } = await uploadWorkProduct(owner, workspace, { name, type: 'text/markdown', bytes });
    const { id } = body as WorkProduct;
    await until<WorkProduct>(owner, `/api/v1/work-products/${id}`, ({ processing_status }) =>
      ['completed', 'failed'].includes(processing_status),
    );
    return id;
  }
  const list = async (query = ''): Promise<readonly ListedWorkProduct[]> => {
    const path = `/api/v1/work-products?workspace_id=${workspace}&limit=100${query}`;
    const { status, body, text } = await owner.request('GET', path);
    expect([status, text]).toEqual([200, text]);
    return (body as { items: ListedWorkProduct[] }).items;
  };
  const facets = async (query = ''): Promise<unknown> =>
    (await owner.request('GET', `/api/v1/work-products/facets?workspace_id=${workspace}${query}`)).body;

  test('are listed with what is known of their newest version', async () => {
    expect((await list()).find(({ id }) => id === plan)).toMatchObject({
      uploaded_by: owner.userId,
      format: 'markdown',
      language: 'de',
      page_count: null,
    });
    expect((await list('&language=de')).map(({ id }) => id)).toEqual([plan]);
    expect((await list('&category=hara')).map(({ id }) => id)).toEqual([hara]);
    expect((await list('&format=markdown&category=none')).map(({ id }) => id)).toEqual([notes]);
  });

  test('are counted by the values of filters, each under the others', async () => {
    await owner.request('PATCH', `/api/v1/work-products/${plan}`, { body: { tags: ['sample B', 'plans'] } });
    expect(await facets('&language=de')).toMatchObject({
      total: 1,
      facets: {
        language: {
          values: expect.arrayContaining([
            { value: 'de', count: 1 },
            { value: 'en', count: 1 },
            { value: 'unknown', count: 1 },
          ]),
        },
        tag: {
          values: [
            { value: 'plans', count: 1 },
            { value: 'sample B', count: 1 },
          ],
          more: 0,
        },
        format: { values: [{ value: 'markdown', count: 1 }] },
      },
    });
    expect(await facets('&facets=category&tag=none')).toEqual({
      total: 0,
      facets: { category: { values: [], more: 0 } },
    });
    const elsewhere = `/api/v1/work-products/facets?workspace_id=${hara}`;
    expect((await owner.request('GET', elsewhere)).status).toBe(404);
  });

  test('say how many open gaps are about each, and which run read it last', async () => {
    const { body } = await owner.request('POST', '/api/v1/compliance/completeness', {
      body: { workspace_id: workspace, work_product_ids: [hara] },
    });
    const { id } = body as { id: string };
    await until<{ status: string }>(
      owner,
      `/api/v1/analysis/analyses/${id}`,
      ({ status }) => status === 'completed',
    );
    const [worst, ...others] = await list('&include=summary&sort=-gaps');
    expect(worst).toMatchObject({
      id: hara,
      summary: { newest_run: { analysis_id: id, type: 'completeness', version: 1 } },
    });
    const found = async (severity: string): Promise<number> => {
      const path = `/api/v1/analysis/gaps?workspace_id=${workspace}&work_product_id=${hara}&severity=${severity}&status=open`;
      return ((await owner.request('GET', path)).body as { total: number }).total;
    };
    expect(worst?.summary?.gaps).toEqual({
      critical: await found('critical'),
      high: await found('high'),
      medium: await found('medium'),
      low: await found('low'),
    });
    expect(Object.values(worst?.summary?.gaps ?? {}).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(
      0,
    );
    for (const { summary } of others) {
      expect(summary).toEqual({ gaps: { critical: 0, high: 0, medium: 0, low: 0 }, newest_run: null });
    }
    // Closed ones are no longer counted.
    const { body: gaps } = await owner.request(
      'GET',
      `/api/v1/analysis/gaps?workspace_id=${workspace}&work_product_id=${hara}&limit=100`,
    );
    for (const gap of (gaps as { items: { id: string }[] }).items) {
      await owner.request('PATCH', `/api/v1/analysis/gaps/${gap.id}`, { body: { status: 'resolved' } });
    }
    const [after] = (await list('&include=summary&search=hara')).filter((one) => one.id === hara);
    expect(after?.summary?.gaps).toEqual({ critical: 0, high: 0, medium: 0, low: 0 });
  }, 60_000);

  test('are compared with files before those are sent', async () => {
    const match = async (files: readonly unknown[]) => {
      const body = { workspace_id: workspace, files };
      const {
        status,
        body: answer,
        text,
      } = await owner.request('POST', '/api/v1/work-products/uploads/match', { body });
      expect([status, text]).toEqual([200, text]);
      return (answer as UploadMatches).files;
    };
    const [same, next, other, program, large, nameless, zip] = await match([
      { filename: 'copy of HARA.md', size: HARA.length, sha256: sha256(HARA).toUpperCase() },
      { filename: 'HARA_v2.docx', size: 5000, sha256: sha256('another') },
      { filename: 'Item definition.md', size: 5000 },
      { filename: 'setup.exe', size: 5000 },
      { filename: 'big.pdf', size: 100_001 },
      { filename: '..', size: 10 },
      { filename: 'all of it.zip', size: 10 },
    ]);
    expect(same).toMatchObject({ same_as: { id: hara, version: 1, is_newest: true }, refused: null });
    expect(next).toEqual({
      filename: 'HARA_v2.docx',
      same_as: null,
      next_version_of: [{ id: hara, name: 'HARA_v1', version: 1, why: 'same_title' }],
      refused: null,
    });
    expect(other).toMatchObject({ same_as: null, next_version_of: [], refused: null });
    expect(program).toMatchObject({ refused: { code: 'unsupported_type' } });
    expect(large).toMatchObject({ refused: { code: 'too_large' } });
    expect(nameless).toMatchObject({ refused: { code: 'invalid_filename' } });
    expect(zip).toMatchObject({ refused: null });
    const [byName] = await match([{ filename: 'SICHERHEITSPLAN.md', size: 12 }]);
    expect(byName?.next_version_of).toEqual([
      { id: plan, name: 'Sicherheitsplan', version: 1, why: 'same_filename' },
    ]);
  });

  test('are changed alike, all or none', async () => {
    const change = (body: Record<string, unknown>, by = owner) =>
      by.request('PATCH', '/api/v1/work-products', { body: { workspace_id: workspace, ...body } });
    const wish = { category: 'safety_plan', add_tags: ['B'], remove_tags: ['plans'] };
    expect(await change({ ids: [plan, notes], change: wish })).toMatchObject({
      status: 200,
      body: { changed: 2, unchanged: 0 },
    });
    expect(await change({ ids: [plan, notes], change: wish })).toMatchObject({
      body: { changed: 0, unchanged: 2 },
    });
    const after = await list('&category=safety_plan&sort=name');
    expect(after.map(({ id, tags }) => [id, tags])).toEqual([
      [notes, ['B']],
      [plan, ['sample B', 'B']],
    ]);
    const absent = await change({ ids: [plan, workspace], change: { add_tags: ['C'] } });
    expect(absent).toMatchObject({
      status: 404,
      body: { error: { details: { items: [{ id: workspace }] } } },
    });
    expect((await list('&tag=C')).length).toBe(0);
    expect(await change({ ids: [plan], change: { category: 'poem' } })).toMatchObject({ status: 422 });
    const filter = { filter: { tag: ['B'] }, change: { category: null, remove_tags: ['B'] } };
    expect(await change({ ...filter, expected_total: 3 })).toMatchObject({ status: 409 });
    expect(await change({ ...filter, expected_total: 2 }, engineer)).toMatchObject({ body: { changed: 2 } });
    expect((await list('&category=none')).map(({ id }) => id)).toEqual([notes]);
    const audited = await data.asOwner(
      "select from audit_events where workspace_id = $1 and action = 'work_product.changed' and actor_id = $2",
      [workspace, engineer.userId],
    );
    expect(audited.length).toBe(2);
  });

  test('are deleted together, by those who may', async () => {
    const remove = (ids: readonly string[], by = owner) =>
      by.request('POST', '/api/v1/work-products/deletions', { body: { workspace_id: workspace, ids } });
    expect((await remove([notes, plan], engineer)).status).toBe(403);
    expect((await list()).length).toBe(3);
    expect(await remove([notes, plan])).toMatchObject({ status: 200, body: { deleted: 2 } });
    expect((await list()).map(({ id }) => id)).toEqual([hara]);
    expect((await remove([notes])).status).toBe(404);
  });
});

test.each([
  ['HARA_v1.md', 'hara'],
  ['HARA.docx', 'hara'],
  ['HARA V2.1 (3).docx', 'hara'],
  ['HARA_2024-11-02.xlsx', 'hara'],
  ['Safety Plan Rev B.pdf', 'safety plan'],
  ['safety_plan.pdf', 'safety plan'],
  ['Plan 31.12.2025.pdf', 'plan'],
  ['Part 6.pdf', 'part 6'],
  ['SWE.1.pdf', 'swe 1'],
  ['12.pdf', '12'],
])('%s is %s whatever its version', (fileName, title) => {
  expect(comparableTitle(fileName)).toBe(title);
});
