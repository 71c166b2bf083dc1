import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hostileFiles } from '../../testing/hostile-files.js';
import { type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { until, uploadWorkProduct } from '../../testing/upload.js';
import type { WorkProduct } from './work-products.schemas.js';

/** No reading may take longer; the rest is for a busy machine. */
const LONGEST_SECONDS = 10;

describe('files that hurt', () => {
  let data: TestDatabase;
  let app: TestApp;
  let owner: Client;
  let workspace: string;
  const files = hostileFiles();
  beforeAll(async () => {
    data = await createTestDatabase();
    app = await startTestApp(data, { work: true });
    owner = await app.signUp();
    const made = await owner.request('POST', '/api/v1/workspaces', { body: { name: 'Hostile' } });
    workspace = (made.body as { id: string }).id;
  });
  afterAll(async () => {
    await app?.stop();
    await data?.stop();
  });
  const finished = (id: string): Promise<WorkProduct> =>
    until(owner, `/api/v1/work-products/${id}`, ({ processing_status }: WorkProduct) =>
      ['completed', 'failed'].includes(processing_status),
    );

  test.each(Object.keys(files))('%s ends in a sentence for a person', async (name) => {
    const file = files[name];
    if (!file) throw new Error('No such file.');
    const done = await uploadWorkProduct(owner, workspace, file);
    if (done.status === 422) {
      expect(done.body).toMatchObject({ error: { code: 'VALIDATION_ERROR' } });
      return;
    }
    expect(done.status).toBe(200);
    const read = await finished((done.body as WorkProduct).id);
    expect(read.processing_status).toBe('failed');
    expect(read.processing_error).toMatch(/^[A-Z].{20,}\.$/);
    expect(read.processing_error).not.toMatch(/our side|undefined|Error:|\bat \w+ \(/);
    const [attempt] = await data.asOwner<{ seconds: number; attempt: number }>(
      `select extract(epoch from processed_at - uploaded_at)::float8 as seconds, attempt
       from work_product_versions where work_product_id = $1`,
      [read.id],
    );
    expect(attempt).toMatchObject({ attempt: 1 });
    expect(attempt?.seconds).toBeLessThan(LONGEST_SECONDS + 5);
  });

  test('together do not disturb a good one, nor the service', async () => {
    const good = { name: 'good.md', type: 'text/markdown', bytes: '# Plan\n\nThe plan names an author.\n' };
    const all = await Promise.all(
      [...Object.values(files), good].map((file) => uploadWorkProduct(owner, workspace, file)),
    );
    const last = all.at(-1)?.body as WorkProduct;
    expect(await finished(last.id)).toMatchObject({ processing_status: 'completed', processing_error: null });
    for (const { status, body } of all) {
      if (status === 200) await finished((body as WorkProduct).id);
    }
    expect((await app.anyone.request('GET', '/api/v1/health')).status).toBe(200);
  });

  test('can be read again after a failure, and end the same way', async () => {
    const done = await uploadWorkProduct(
      owner,
      workspace,
      files['a scanned PDF'] ?? Object.values(files)[0]!,
    );
    const { id } = done.body as WorkProduct;
    const first = await finished(id);
    const again = await owner.request('POST', `/api/v1/work-products/${id}/reprocess`);
    expect(again).toMatchObject({
      status: 202,
      body: { processing_status: 'queued', processing_error: null },
    });
    expect(await finished(id)).toMatchObject({
      processing_status: first.processing_status,
      processing_error: first.processing_error,
    });
  });
});
