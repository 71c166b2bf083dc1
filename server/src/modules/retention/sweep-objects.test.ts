import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { until, uploadWorkProduct } from '../../testing/upload.js';
import { pictureKey, placesKey } from '../documents/page-objects.js';
import type { WorkProduct } from '../work-products/work-products.schemas.js';
import { sweepObjects } from './sweep-objects.js';

describe('objects compared with rows', () => {
  let data: TestDatabase;
  let app: TestApp;
  let owner: Client;
  let workspace: string;
  beforeAll(async () => {
    data = await createTestDatabase();
    app = await startTestApp(data, { work: true });
    owner = await app.enter();
    const made = await owner.request('POST', '/api/v1/workspaces', { body: { name: 'Swept' } });
    workspace = (made.body as { id: string }).id;
  });
  afterAll(async () => {
    await app?.stop();
    await data?.stop();
  });

  const objects = () => app.dependencies.storage.within(workspace);
  const keys = async (id = workspace): Promise<string[]> =>
    (await app.dependencies.storage.within(id).list(`${id}/`)).map(({ key }) => key).sort();
  const put = (key: string, id = workspace): Promise<void> =>
    app.dependencies.storage.within(id).write(key, Buffer.from('left over'), 'text/plain');
  /** As if so many hours had passed. */
  const sweepIn = (hours: number) =>
    sweepObjects({ ...app.dependencies, clock: () => new Date(Date.now() + hours * 3_600_000) });
  const upload = async (name: string): Promise<WorkProduct> => {
    const file = { name, type: 'text/markdown', bytes: `# ${name}\n\nThe door shall stay shut.` };
    const { id } = (await uploadWorkProduct(owner, workspace, file)).body as WorkProduct;
    return until(owner, `/api/v1/work-products/${id}`, (one) => one.processing_status === 'completed');
  };

  test('what no row claims goes after a day, whoever left it; what rows claim stays', async () => {
    await upload('kept.md');
    const kept = await keys();
    expect(kept.length).toBeGreaterThanOrEqual(2);
    const old = `${workspace}/work-products/${randomUUID()}/${randomUUID()}`;
    const nobody = randomUUID();
    const arriving = randomUUID();
    await put(old);
    await put(`${nobody}/uploads/${randomUUID()}`, nobody);
    await put(`${arriving}/imports/archive`, arriving);
    await data.asOwner(
      `insert into workspace_imports (user_id, target_id, file_size, object_key, status)
       values ($1, $2, 9, $3, 'queued')`,
      [owner.userId, arriving, `${arriving}/imports/archive`],
    );
    expect(await sweepIn(23)).toEqual({ deleted: 0, missing: 0 });
    expect(await keys()).toEqual([...kept, old].sort());
    expect(await sweepIn(25)).toEqual({ deleted: 2, missing: 0 });
    expect(await keys()).toEqual(kept);
    expect(await keys(nobody)).toEqual([]);
    expect(await keys(arriving)).toEqual([`${arriving}/imports/archive`]);
    // Those that rows claim may be as old as they like.
    expect(await sweepIn(1_000)).toEqual({ deleted: 0, missing: 0 });
  });

  test('a file of an upload that nobody completed goes, and what was read before goes when it is read again', async () => {
    const started = await owner.request('POST', '/api/v1/work-products/uploads/init', {
      form: Object.entries({
        workspace_id: workspace,
        filename: 'never.md',
        size: '9',
        content_type: 'text/markdown',
      }).reduce((form, [name, value]) => {
        form.set(name, value);
        return form;
      }, new FormData()),
    });
    expect(started.status).toBe(201);
    const [{ object_key: never } = { object_key: '' }] = await data.asOwner<{ object_key: string }>(
      'select object_key from uploads where completed_at is null',
    );
    await put(never);
    expect(await sweepIn(72)).toEqual({ deleted: 0, missing: 0 });
    await data.asOwner("update uploads set expires_at = now() - interval '2 days' where object_key = $1", [
      never,
    ]);
    expect((await sweepIn(72)).deleted).toBe(1);
    expect(await keys()).not.toContain(never);

    const { id } = await upload('again.md');
    const ofIt = async () => (await keys()).filter((key) => key.includes(id));
    const before = await ofIt();
    const again = await owner.request('POST', `/api/v1/work-products/${id}/reprocess`);
    expect(again.status).toBeLessThan(300);
    await until<WorkProduct>(
      owner,
      `/api/v1/work-products/${id}`,
      (one) => one.processing_status === 'completed',
    );
    await sweepIn(72);
    expect((await ofIt()).length).toBe(before.length);
  });

  test('what is kept of pages stays with what was read, and goes with it', async () => {
    const { id } = await upload('pages.md');
    const [{ parsed_key: read } = { parsed_key: '' }] = await data.asOwner<{ parsed_key: string }>(
      'select parsed_key from work_product_versions where work_product_id = $1',
      [id],
    );
    await data.asOwner(`
      alter table work_product_versions disable trigger user;
      update work_product_versions set processed_at = now() - interval '2 hours';
      alter table work_product_versions enable trigger user`);
    const of = [placesKey(read), pictureKey(read, 1, 400)];
    const ofOthers = [placesKey(`${read}0`), pictureKey(`${read}0`, 1, 400)];
    for (const key of [...of, ...ofOthers]) await put(key);
    await sweepIn(72);
    expect(await keys()).toEqual(expect.arrayContaining(of));
    for (const key of ofOthers) expect(await keys()).not.toContain(key);
    // Drawn while the document was deleted: nothing else would take it away.
    await data.asOwner('update work_products set deleted_at = now() where id = $1', [id]);
    await sweepIn(72);
    for (const key of of) expect(await keys()).not.toContain(key);
    await data.asOwner('update work_products set deleted_at = null where id = $1', [id]);
  });

  test('a version whose file or reading is gone fails with what to do, once', async () => {
    const [file, reading] = [await upload('file.md'), await upload('reading.md')];
    await data.asOwner(`
      alter table work_product_versions disable trigger user;
      update work_product_versions set uploaded_at = now() - interval '2 hours', processed_at = now() - interval '2 hours';
      alter table work_product_versions enable trigger user`);
    const keyOf = async (id: string, column: 'object_key' | 'parsed_key'): Promise<string> => {
      const [row] = await data.asOwner<{ key: string }>(
        `select ${column} as key from work_product_versions where work_product_id = $1`,
        [id],
      );
      return row!.key;
    };
    await objects().delete(await keyOf(file.id, 'object_key'));
    await objects().delete(await keyOf(reading.id, 'parsed_key'));
    expect((await sweepObjects(app.dependencies)).missing).toBe(2);
    const shown = async ({ id }: WorkProduct) =>
      (await owner.request('GET', `/api/v1/work-products/${id}`)).body as WorkProduct;
    expect(await shown(file)).toMatchObject({
      processing_status: 'failed',
      processing_error: expect.stringContaining('Upload it again'),
    });
    expect(await shown(reading)).toMatchObject({
      processing_status: 'failed',
      processing_error: expect.stringContaining('Process it again'),
    });
    const again = await owner.request('POST', `/api/v1/work-products/${reading.id}/reprocess`);
    expect(again.status).toBeLessThan(300);
    await until<WorkProduct>(
      owner,
      `/api/v1/work-products/${reading.id}`,
      (one) => one.processing_status === 'completed',
    );
    // Still told, as long as nobody has brought it back; the version has failed already.
    expect((await sweepObjects(app.dependencies)).missing).toBe(1);
  });
});
