import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { type UploadSession, until, uploadWorkProduct } from '../../testing/upload.js';
import { createEngine, type Engine } from '../engine/engine.js';
import { readVersion } from './process-document.js';
import type { WorkProduct } from './work-products.schemas.js';

const MARKDOWN = '# Test specification\n\nTC-01 checks that the torque request is zero after a fault.\n';
const file = (bytes = MARKDOWN, name = 'test-specification.md') => ({ name, type: 'text/markdown', bytes });

describe('work products over HTTP', () => {
  let data: TestDatabase;
  let app: TestApp;
  let owner: Client;
  let stranger: Client;
  let workspace: string;
  beforeAll(async () => {
    data = await createTestDatabase();
    app = await startTestApp(data, { work: true, environment: { MAX_UPLOAD_BYTES: '100000' } });
    owner = await app.signUp();
    stranger = await app.signUp();
    const made = await owner.request('POST', '/api/v1/workspaces', { body: { name: 'Lane assistance' } });
    workspace = (made.body as { id: string }).id;
  });
  afterAll(async () => {
    await app?.stop();
    await data?.stop();
  });
  const finished = (id: string) =>
    until<WorkProduct>(owner, `/api/v1/work-products/${id}`, ({ processing_status }) =>
      ['completed', 'failed'].includes(processing_status),
    );

  test('go from the announcement to a document that was read', async () => {
    const done = await uploadWorkProduct(owner, workspace, file());
    expect(done).toMatchObject({ status: 200, body: { version: 1, file_type: 'text/markdown' } });
    const workProduct = await finished((done.body as WorkProduct).id);
    expect(workProduct).toMatchObject({
      workspace_id: workspace,
      name: 'test-specification',
      original_filename: 'test-specification.md',
      file_size: MARKDOWN.length,
      processing_status: 'completed',
      processing_error: null,
      compliance_score: 0,
      assessed: false,
      tags: [],
    });
    const content = await owner.request('GET', new URL(workProduct.file_url).pathname);
    expect(content.text).toBe(MARKDOWN);
    expect(content.headers.get('content-disposition')).toBe(
      `attachment; filename="test-specification.md"; filename*=UTF-8''test-specification.md`,
    );
    const versions = await owner.request('GET', `/api/v1/work-products/${workProduct.id}/versions`);
    expect(versions.body).toMatchObject({
      items: [
        {
          version: 1,
          format: 'markdown',
          language: 'en',
          sha256: createHash('sha256').update(MARKDOWN).digest('hex'),
        },
      ],
    });
  });

  test('leave nothing behind when they are deleted while they are read', async () => {
    const { dependencies } = app;
    const { id, version } = (await uploadWorkProduct(owner, workspace, file())).body as WorkProduct;
    await finished(id);
    await data.asOwner(
      "update work_product_versions set processing_status = 'queued' where work_product_id = $1",
      [id],
    );
    const folder = `${workspace}/work-products/${id}/`;
    const engine = createEngine({ size: 1 });
    const deletes: Engine = {
      ...engine,
      run: async (task, input, options) => {
        const read = await engine.run(task, input, options);
        expect((await owner.request('DELETE', `/api/v1/work-products/${id}`)).status).toBe(204);
        await dependencies.storage.within(workspace).deletePrefix(folder);
        return read;
      },
    };
    const payload = { workspaceId: workspace, workProductId: id, version: String(version) };
    await readVersion(dependencies, deletes)(payload, { jobId: id, signal: new AbortController().signal });
    await engine.close();
    expect(await dependencies.storage.within(workspace).list(folder)).toEqual([]);
  });

  test('take ids in capitals as well', async () => {
    const body = {
      filename: 'a.md',
      size: MARKDOWN.length,
      content_type: 'text/markdown',
      workspace_id: workspace.toUpperCase(),
    };
    const announced = await owner.request('POST', '/api/v1/work-products/uploads/init', { body });
    const session = announced.body as UploadSession;
    await fetch(session.upload_url, { method: 'PUT', headers: session.headers, body: MARKDOWN });
    const path = `/api/v1/work-products/uploads/${session.file_id.toUpperCase()}/complete`;
    expect(await owner.request('POST', path)).toMatchObject({ status: 200, body: { id: session.file_id } });
    expect(await finished(session.file_id.toUpperCase())).toMatchObject({ processing_status: 'completed' });
  });

  test('completing twice at once makes one version, and before the file is there it is 409', async () => {
    const body = {
      filename: 'a.md',
      size: MARKDOWN.length,
      content_type: 'text/markdown',
      workspace_id: workspace,
    };
    const announced = await owner.request('POST', '/api/v1/work-products/uploads/init', { body });
    const session = announced.body as UploadSession;
    const complete = () => owner.request('POST', `/api/v1/work-products/uploads/${session.file_id}/complete`);
    expect(await complete()).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } });
    await fetch(session.upload_url, { method: 'PUT', headers: session.headers, body: MARKDOWN });
    const answers = await Promise.all([complete(), complete(), complete(), complete()]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await complete()).toMatchObject({ status: 200, body: { version: 1 } });
    const versions = await data.asOwner('select from work_product_versions where work_product_id = $1', [
      session.file_id,
    ]);
    expect(versions).toHaveLength(1);
  });

  test('a file sent after the completion does not change the version', async () => {
    const body = {
      filename: 'b.md',
      size: MARKDOWN.length,
      content_type: 'text/markdown',
      workspace_id: workspace,
    };
    const { body: made } = await owner.request('POST', '/api/v1/work-products/uploads/init', { body });
    const session = made as UploadSession;
    const send = (text: string) =>
      fetch(session.upload_url, { method: 'PUT', headers: session.headers, body: text });
    await send(MARKDOWN);
    await owner.request('POST', `/api/v1/work-products/uploads/${session.file_id}/complete`);
    await send(MARKDOWN.replace('zero', 'high'));
    const content = await owner.request('GET', `/api/v1/work-products/${session.file_id}/content`);
    expect(content.text).toBe(MARKDOWN);
    // What was sent late is discarded when the address is no longer valid.
    const sent = `${workspace}/uploads/${session.upload_id}`;
    expect(await app.dependencies.storage.within(workspace).size(sent)).toBe(MARKDOWN.length);
    await data.asOwner("update pgboss.job set start_after = now() where name = 'uploads.discard'");
    await expect
      .poll(() => app.dependencies.storage.within(workspace).size(sent), { timeout: 15_000 })
      .toBeUndefined();
    const again = await owner.request('GET', `/api/v1/work-products/${session.file_id}/content`);
    expect(again.text).toBe(MARKDOWN);
  });

  test('uploading again makes the next version; the former one stays', async () => {
    const first = await uploadWorkProduct(owner, workspace, file());
    const { id } = first.body as WorkProduct;
    await finished(id);
    const second = `${MARKDOWN}\nTC-02 checks the warning lamp.\n`;
    const body = { filename: 'v2.md', size: second.length, content_type: 'text/markdown' };
    const announced = await owner.request('POST', `/api/v1/work-products/${id}/uploads/init`, { body });
    const session = announced.body as UploadSession;
    expect(await owner.request('GET', `/api/v1/work-products/${id}`)).toMatchObject({
      body: { version: 1, processing_status: 'completed' },
    });
    await fetch(session.upload_url, { method: 'PUT', headers: session.headers, body: second });
    const done = await owner.request(
      'POST',
      `/api/v1/work-products/${id}/uploads/${session.upload_id}/complete`,
    );
    expect(done).toMatchObject({ status: 200, body: { version: 2, original_filename: 'v2.md' } });
    await finished(id);
    const old = await owner.request('GET', `/api/v1/work-products/${id}/content?version=1`);
    expect(old.text).toBe(MARKDOWN);
    expect((await owner.request('GET', `/api/v1/work-products/${id}/content?version=3`)).status).toBe(404);
    const past = `/api/v1/work-products/${id}/content?version=${2 ** 31}`;
    expect((await owner.request('GET', past)).status, 'more than a column holds').toBe(422);
  });

  test.each<[string, object, number, string]>([
    ['too large', { size: 100_001 }, 413, 'PAYLOAD_TOO_LARGE'],
    ['empty', { size: 0 }, 422, 'VALIDATION_ERROR'],
    ['of a type that nobody reads', { content_type: 'image/png' }, 422, 'VALIDATION_ERROR'],
    ['of no type', { content_type: 'pdf' }, 422, 'VALIDATION_ERROR'],
    ['without a name that can be kept', { filename: '../../..' }, 422, 'VALIDATION_ERROR'],
    ['into a workspace that does not exist', { workspace_id: randomUUID() }, 404, 'NOT_FOUND'],
  ])('refuses an announcement that is %s', async (_, change, status, code) => {
    const body = {
      filename: 'a.md',
      size: 5,
      content_type: 'text/markdown',
      workspace_id: workspace,
      ...change,
    };
    const answer = await owner.request('POST', '/api/v1/work-products/uploads/init', { body });
    expect(answer).toMatchObject({ status, body: { error: { code } } });
  });

  test.each([
    ['../../etc/passwd.md', 'passwd.md'],
    ['C:\\Users\\me\\FSC "final".md', 'FSC _final_.md'],
    ['Sicherheits\u0007konzept\r\n\u202e.md', 'Sicherheitskonzept.md'],
    [`${'x'.repeat(400)}.md`, `${'x'.repeat(177)}.md`],
  ])('keeps of the name %s only what is safe', async (filename, clean) => {
    const body = { filename, size: 5, content_type: 'text/markdown', workspace_id: workspace };
    const announced = await owner.request('POST', '/api/v1/work-products/uploads/init', { body });
    const { file_id } = announced.body as UploadSession;
    const kept = await owner.request('GET', `/api/v1/work-products/${file_id}`);
    expect(kept).toMatchObject({ body: { original_filename: clean, processing_status: 'pending_upload' } });
  });

  test('refuses a file that is not what was announced, and takes the right one afterwards', async () => {
    const elf = Buffer.concat([Buffer.from('7f454c460201', 'hex'), Buffer.alloc(100)]);
    const announced = { filename: 'x.pdf', content_type: 'application/pdf', workspace_id: workspace };
    for (const [bytes, extra, code] of [
      [elf, {}, 'content_mismatch'],
      [Buffer.from('just text'), {}, 'content_mismatch'],
      [Buffer.from('%PDF-1.7'), { sha256: '0'.repeat(64) }, 'sha256_mismatch'],
    ] as const) {
      const body = { ...announced, ...extra, size: bytes.length };
      const { body: made } = await owner.request('POST', '/api/v1/work-products/uploads/init', { body });
      const session = made as UploadSession;
      await fetch(session.upload_url, {
        method: 'PUT',
        headers: session.headers,
        body: new Uint8Array(bytes),
      });
      const done = await owner.request('POST', `/api/v1/work-products/uploads/${session.file_id}/complete`);
      expect(done).toMatchObject({ status: 422, body: { error: { details: { issues: [{ code }] } } } });
      const state = await owner.request('GET', `/api/v1/work-products/${session.file_id}`);
      expect(state).toMatchObject({ body: { processing_status: 'pending_upload', version: 0 } });
    }
  });

  test('changes name, type and tags under If-Match, and goes back to the detected type', async () => {
    const { body: made } = await uploadWorkProduct(owner, workspace, file());
    const { id } = made as WorkProduct;
    const read = await finished(id);
    const path = `/api/v1/work-products/${id}`;
    const etag = (await owner.request('GET', path)).headers.get('etag') ?? '';
    const change = { name: 'Tests', category: 'hara', tags: ['a', 'a', 'b'] };
    const changed = await owner.request('PATCH', path, { body: change, headers: { 'if-match': etag } });
    expect(changed).toMatchObject({
      status: 200,
      body: { name: 'Tests', category: 'hara', tags: ['a', 'b'] },
    });
    const again = await owner.request('PATCH', path, { body: change, headers: { 'if-match': etag } });
    expect(again.status).toBe(412);
    const unknown = await owner.request('PATCH', path, { body: { category: 'shopping_list' } });
    expect(unknown.status).toBe(422);
    expect(unknown.body).toMatchObject({ error: { details: { issues: [{ path: 'body.category' }] } } });
    const back = await owner.request('PATCH', path, { body: { category: null } });
    expect(back.body).toMatchObject({ category: read.category });
    expect((await owner.request('PATCH', path, { body: { file_size: 1 } })).status).toBe(422);
  });

  test('are deleted with their files, and never seen by others', async () => {
    const { body: made } = await uploadWorkProduct(owner, workspace, file());
    const { id } = made as WorkProduct;
    await finished(id);
    for (const path of [`/api/v1/work-products/${id}`, `/api/v1/work-products/${id}/content`]) {
      expect((await stranger.request('GET', path)).status).toBe(404);
    }
    expect((await stranger.request('DELETE', `/api/v1/work-products/${id}`)).status).toBe(404);
    const [{ object_key = '' } = {}] = await data.asOwner<{ object_key: string }>(
      'select object_key from work_product_versions where work_product_id = $1',
      [id],
    );
    expect(await app.dependencies.storage.within(workspace).size(object_key)).toBe(MARKDOWN.length);
    expect((await owner.request('DELETE', `/api/v1/work-products/${id}`)).status).toBe(204);
    expect((await owner.request('GET', `/api/v1/work-products/${id}`)).status).toBe(404);
    await expect
      .poll(() => app.dependencies.storage.within(workspace).size(object_key), { timeout: 15_000 })
      .toBeUndefined();
  });

  test('are read again without a trace of attempts that died', async () => {
    const { body } = await uploadWorkProduct(owner, workspace, file());
    const { id } = body as WorkProduct;
    await finished(id);
    const [{ object_key = '' } = {}] = await data.asOwner<Record<string, string>>(
      'update work_product_versions set attempt = 7 where work_product_id = $1 returning object_key',
      [id],
    );
    const storage = app.dependencies.storage.within(workspace);
    await storage.write(`${object_key}.parsed-7`, Buffer.from('x'), 'application/gzip');
    expect((await owner.request('POST', `/api/v1/work-products/${id}/reprocess`)).status).toBe(202);
    await finished(id);
    await expect.poll(() => storage.size(`${object_key}.parsed-7`), { timeout: 15_000 }).toBeUndefined();
    expect(await storage.size(`${object_key}.parsed-8`)).toBeGreaterThan(0);
  });

  test('go with their workspace, files included', async () => {
    const made = await owner.request('POST', '/api/v1/workspaces', { body: { name: 'Short-lived' } });
    const { id } = made.body as { id: string };
    const { body } = await uploadWorkProduct(owner, id, file());
    await finished((body as WorkProduct).id);
    const [{ object_key = '', parsed_key = '' } = {}] = await data.asOwner<Record<string, string>>(
      'select object_key, parsed_key from work_product_versions where workspace_id = $1',
      [id],
    );
    const storage = app.dependencies.storage.within(id);
    expect(await storage.size(parsed_key)).toBeGreaterThan(0);
    expect((await owner.request('DELETE', `/api/v1/workspaces/${id}`)).status).toBe(204);
    for (const key of [object_key, parsed_key]) {
      await expect.poll(() => storage.size(key), { timeout: 15_000 }).toBeUndefined();
    }
  });

  test('lists with filters', async () => {
    const { body: made } = await uploadWorkProduct(owner, workspace, file(MARKDOWN, '100% unique_name.md'));
    const { id } = made as WorkProduct;
    await finished(id);
    const list = async (query: string) =>
      (
        (await owner.request('GET', `/api/v1/work-products?${query}`)).body as { items: WorkProduct[] }
      ).items.map((item) => item.id);
    expect(await list(`search=${encodeURIComponent('00% UNIQUE_')}`)).toEqual([id]);
    expect(await list('search=unique-')).toEqual([]);
    expect(await list(`workspace_id=${randomUUID()}`)).toEqual([]);
    expect(await list('type=text/markdown&limit=100')).toContain(id);
    expect(await list('processing_status=failed')).toEqual([]);
  });
});
