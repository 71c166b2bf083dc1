import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { wordDocument, zip } from '../../testing/hostile-files.js';
import { joinWorkspace } from '../../testing/join-workspace.js';
import { type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { type TestFile, type UploadSession, until, upload, uploadWorkProduct } from '../../testing/upload.js';
import { createEngine, type Engine } from '../engine/engine.js';
import { purge } from '../retention/purge.js';
import { readVersion } from './process-document.js';
import type { UnpackedFile } from './unpack-archive-task.js';
import type { ArchiveEntry, WorkProduct } from './work-products.schemas.js';

const PLAN = '# Safety plan\n\nThe plan names an author and a reviewer.\n';
const TABLE = 'ID;Requirement;ASIL\nFSR-1;The lamp shall light.;B\nFSR-2;The door shall hold.;D\n';
const PICTURE = Buffer.from('89504e470d0a1a0a0000000d4948445200000001', 'hex');
const REQIF =
  '<?xml version="1.0"?><REQ-IF xmlns="http://www.omg.org/spec/ReqIF/20110401/reqif.xsd"><CORE-CONTENT><REQ-IF-CONTENT><SPEC-TYPES><SPEC-OBJECT-TYPE IDENTIFIER="t" LONG-NAME="Requirement"><SPEC-ATTRIBUTES><ATTRIBUTE-DEFINITION-STRING IDENTIFIER="a" LONG-NAME="ReqIF.Text"/></SPEC-ATTRIBUTES></SPEC-OBJECT-TYPE></SPEC-TYPES><SPEC-OBJECTS><SPEC-OBJECT IDENTIFIER="R-1"><TYPE><SPEC-OBJECT-TYPE-REF>t</SPEC-OBJECT-TYPE-REF></TYPE><VALUES><ATTRIBUTE-VALUE-STRING THE-VALUE="The lamp shall light."><DEFINITION><ATTRIBUTE-DEFINITION-STRING-REF>a</ATTRIBUTE-DEFINITION-STRING-REF></DEFINITION></ATTRIBUTE-VALUE-STRING></VALUES></SPEC-OBJECT></SPEC-OBJECTS></REQ-IF-CONTENT></CORE-CONTENT></REQ-IF>';

const packed = (
  entries: Readonly<Record<string, string | Buffer>>,
  { name = 'delivery.zip', encrypted = [] as readonly string[] } = {},
): TestFile => {
  const buffers = Object.entries(entries).map(([path, content]) => [path, Buffer.from(content as string)]);
  const bytes = new Uint8Array(zip(Object.fromEntries(buffers), { encrypted }));
  return { name, type: 'application/zip', bytes };
};

const uploadNext = (client: Client, id: string, file: TestFile) =>
  upload(client, file, {
    init: `/api/v1/work-products/${id}/uploads/init`,
    complete: (session: UploadSession) => `/api/v1/work-products/${id}/uploads/${session.upload_id}/complete`,
  });

const entriesOf = async (client: Client, id: string, query = ''): Promise<readonly ArchiveEntry[]> => {
  const answer = await client.request('GET', `/api/v1/work-products/${id}/entries${query}`);
  expect(answer.status).toBe(200);
  return (answer.body as { items: ArchiveEntry[] }).items;
};

const outcomes = (entries: readonly ArchiveEntry[]) =>
  entries.map(({ path, outcome, version, processing_status }) => [path, outcome, version, processing_status]);

describe('an archive of work products', () => {
  let data: TestDatabase;
  let app: TestApp;
  let owner: Client;
  beforeAll(async () => {
    data = await createTestDatabase();
    app = await startTestApp(data, { work: true });
    owner = await app.signUp();
  });
  afterAll(async () => {
    await app?.stop();
    await data?.stop();
  });
  const newWorkspace = async (): Promise<string> => {
    const made = await owner.request('POST', '/api/v1/workspaces', { body: { name: 'Deliveries' } });
    return (made.body as { id: string }).id;
  };
  const ended = (id: string) =>
    until<WorkProduct>(owner, `/api/v1/work-products/${id}`, ({ processing_status }) =>
      ['completed', 'failed'].includes(processing_status),
    );
  const listed = async (query: string) =>
    (
      (await owner.request('GET', `/api/v1/work-products?limit=100&${query}`)).body as {
        items: WorkProduct[];
      }
    ).items;

  test('becomes one for each document, and says why the rest was refused', async () => {
    const workspace = await newWorkspace();
    const file = packed(
      {
        'concept/safety concept.docx': wordDocument('The safe state is a closed door.'),
        'concept/safety concept.csv': TABLE,
        'concept/requirements.reqifz': zip({ 'a.reqif': Buffer.from(REQIF), 'picture.png': PICTURE }),
        'concept/': '',
        '__MACOSX/._plan.md': 'x',
        'plan.md': PLAN,
        '../evil.md': PLAN,
        'bomb.txt': Buffer.alloc(20 * 1024 * 1024, 97),
        'broken.json': '{"a"',
        'locked.md': PLAN,
        'nested.zip': zip({ 'plan.md': Buffer.from(PLAN) }),
        'picture.png': PICTURE,
      },
      { name: 'delivery.docx', encrypted: ['locked.md'] },
    );
    const body = {
      workspace_id: workspace,
      filename: file.name,
      size: file.bytes.length,
      content_type: 'application/octet-stream',
    };
    const announced = await owner.request('POST', '/api/v1/work-products/uploads/init', { body });
    const session = announced.body as UploadSession;
    const id = session.file_id;
    await owner.request('PATCH', `/api/v1/work-products/${id}`, { body: { tags: ['delivery 7'] } });
    const sent = Buffer.from(file.bytes as Uint8Array);
    await fetch(session.upload_url, { method: 'PUT', headers: session.headers, body: sent });
    await owner.request('POST', `/api/v1/work-products/uploads/${id}/complete`);
    expect(await ended(id)).toMatchObject({ processing_status: 'completed', source_archive: null });

    const entries = await entriesOf(owner, id);
    expect(outcomes(entries)).toEqual([
      ['../evil.md', 'refused', null, null],
      ['bomb.txt', 'refused', null, null],
      ['broken.json', 'new', 1, 'failed'],
      ['concept/requirements.reqifz', 'new', 1, 'completed'],
      ['concept/safety concept.csv', 'new', 1, 'completed'],
      ['concept/safety concept.docx', 'new', 1, 'completed'],
      ['locked.md', 'refused', null, null],
      ['nested.zip', 'refused', null, null],
      ['picture.png', 'refused', null, null],
      ['plan.md', 'new', 1, 'completed'],
    ]);
    const reasons = entries.flatMap(({ error }) => error ?? []);
    expect(reasons).toHaveLength(6);
    for (const reason of reasons) expect(reason).toMatch(/^[A-Z].{20,}\.$/);
    expect(entries.find(({ path }) => path === 'locked.md')?.error).toContain('password');

    const documents = await listed(`source_archive=${id}`);
    expect(documents.map(({ name }) => name).sort()).toEqual(
      entries.filter(({ outcome }) => outcome === 'new').map(({ path }) => path),
    );
    const concept = documents.find(({ name }) => name === 'concept/safety concept.docx');
    expect(concept).toMatchObject({
      original_filename: 'safety concept.docx',
      tags: ['delivery 7'],
      source_archive: { work_product_id: id, path: 'concept/safety concept.docx', version: 1 },
    });
    const plan = documents.find(({ name }) => name === 'plan.md');
    const content = await owner.request('GET', `/api/v1/work-products/${plan?.id}/content`);
    expect(content.text).toBe(PLAN);
    const events = await data.asOwner<{ percent: number }>(
      `select (data ->> 'percent')::int as percent from workspace_events
       where data ->> 'work_product_id' = $1 and data ? 'percent' order by sequence`,
      [id],
    );
    expect(events.map(({ percent }) => percent)).toEqual([10, 20, 30, 40, 50, 60, 70, 80, 90, 100]);

    // Analyses read the documents, not the archive.
    const start = (work_product_ids?: readonly string[]) =>
      owner.request('POST', '/api/v1/compliance/completeness', {
        body: { workspace_id: workspace, ...(work_product_ids ? { work_product_ids } : {}) },
      });
    expect(await start([id])).toMatchObject({ status: 422, body: { error: { code: 'VALIDATION_ERROR' } } });
    expect((await start()).status).toBe(202);
    const inputs = await data.asOwner<{ work_product_id: string }>(
      'select work_product_id from analysis_inputs where workspace_id = $1',
      [workspace],
    );
    expect(inputs.map(({ work_product_id }) => work_product_id).sort()).toEqual(
      documents
        .filter(({ processing_status }) => processing_status === 'completed')
        .map((document) => document.id)
        .sort(),
    );
  });

  test('makes new versions of what changed, and says which paths have gone', async () => {
    const workspace = await newWorkspace();
    const first = packed({ 'a.md': PLAN, 'b.md': PLAN, 'c.md': PLAN });
    const { id } = (await uploadWorkProduct(owner, workspace, first)).body as WorkProduct;
    await ended(id);
    const before = new Map((await listed(`source_archive=${id}`)).map((one) => [one.name, one]));
    await owner.request('PATCH', `/api/v1/work-products/${before.get('b.md')?.id}`, {
      body: { name: 'Plan B' },
    });

    await uploadNext(owner, id, packed({ 'a.md': PLAN, 'b.md': `${PLAN}More.\n`, 'd.md': PLAN }));
    await ended(id);
    const entries = await entriesOf(owner, id);
    expect(outcomes(entries)).toEqual([
      ['a.md', 'unchanged', 1, 'completed'],
      ['b.md', 'changed', 2, 'completed'],
      ['d.md', 'new', 1, 'completed'],
      ['c.md', 'gone', 1, 'completed'],
    ]);
    for (const { path, work_product_id } of entries) {
      if (path !== 'd.md') expect(work_product_id).toBe(before.get(path)?.id);
    }
    const now = new Map((await listed(`source_archive=${id}`)).map((one) => [one.source_archive?.path, one]));
    expect(now.get('b.md')).toMatchObject({ name: 'Plan B', version: 2, source_archive: { version: 2 } });
    expect(now.get('c.md')).toMatchObject({ version: 1, source_archive: { version: 1 } });
    expect(outcomes(await entriesOf(owner, id, '?version=1'))).toEqual(
      ['a.md', 'b.md', 'c.md'].map((path) => [path, 'new', 1, 'completed']),
    );

    // What had gone before is not told again; what comes back is the same work product.
    await uploadNext(owner, id, packed({ 'a.md': PLAN, 'd.md': PLAN }));
    await ended(id);
    expect((await entriesOf(owner, id)).map(({ path, outcome }) => [path, outcome])).toEqual([
      ['a.md', 'unchanged'],
      ['d.md', 'unchanged'],
      ['b.md', 'gone'],
    ]);
    await uploadNext(owner, id, packed({ 'c.md': `${PLAN}Back.\n` }));
    await ended(id);
    expect((await entriesOf(owner, id))[0]).toMatchObject({
      path: 'c.md',
      outcome: 'changed',
      version: 2,
      work_product_id: before.get('c.md')?.id,
    });
  });

  test('is deleted with its documents or without them, as one says', async () => {
    const workspace = await newWorkspace();
    const make = async () => {
      const file = packed({ 'a.md': PLAN, 'b.md': PLAN });
      const { id } = (await uploadWorkProduct(owner, workspace, file)).body as WorkProduct;
      await ended(id);
      return { path: `/api/v1/work-products/${id}`, documents: await listed(`source_archive=${id}`) };
    };
    const kept = await make();
    expect(await owner.request('DELETE', kept.path)).toMatchObject({
      status: 409,
      body: { error: { details: { reason: 'archive_has_documents', documents: 2 } } },
    });
    expect((await owner.request('DELETE', `${kept.path}?documents=keep`)).status).toBe(204);
    expect((await owner.request('GET', kept.path)).status).toBe(404);
    for (const { id } of kept.documents) {
      expect((await owner.request('GET', `/api/v1/work-products/${id}`)).body).toMatchObject({
        processing_status: 'completed',
        source_archive: { work_product_id: null, version: null },
      });
      expect((await owner.request('GET', `/api/v1/work-products/${id}/content`)).text).toBe(PLAN);
    }
    const gone = await make();
    const keys = await data.asOwner<{ object_key: string }>(
      'select object_key from work_product_versions where work_product_id = any ($1)',
      [gone.documents.map(({ id }) => id)],
    );
    expect(keys).toHaveLength(2);
    expect((await owner.request('DELETE', `${gone.path}?documents=delete`)).status).toBe(204);
    for (const { id } of gone.documents) {
      expect((await owner.request('GET', `/api/v1/work-products/${id}`)).status).toBe(404);
    }
    for (const { object_key } of keys) {
      await expect
        .poll(() => app.dependencies.storage.within(workspace).size(object_key), { timeout: 15_000 })
        .toBeUndefined();
    }
    // Engineers take along what they uploaded themselves, and nothing else.
    const engineer = await app.enter();
    await joinWorkspace(app, { by: owner, workspace, member: engineer, role: 'engineer' });
    const own = (await uploadWorkProduct(engineer, workspace, packed({ 'a.md': PLAN }))).body as WorkProduct;
    await ended(own.id);
    await uploadNext(owner, own.id, packed({ 'a.md': PLAN, 'b.md': PLAN }));
    await ended(own.id);
    const path = `/api/v1/work-products/${own.id}`;
    expect((await engineer.request('DELETE', `${path}?documents=delete`)).status).toBe(403);
    expect(await listed(`source_archive=${own.id}`)).toHaveLength(2);
    expect((await engineer.request('DELETE', `${path}?documents=keep`)).status).toBe(204);
    const audited = await data.asOwner(
      `select from audit_events where workspace_id = $1 and action = 'work_product.deleted'`,
      [workspace],
    );
    expect(audited).toHaveLength(5);
  });

  test.each([
    ['nothing that can be read', { 'a.png': PICTURE, 'b.bin': PICTURE }, {}, /None of the files/],
    ['one file that cannot be read', { 'a.md': PLAN }, { encrypted: ['a.md'] }, /password/],
    ['no files at all', { 'folder/': '' }, {}, /empty/],
  ])('fails with %s', async (_, entries, options, reason) => {
    const { body } = await uploadWorkProduct(owner, await newWorkspace(), packed(entries, options));
    const archive = await ended((body as WorkProduct).id);
    expect(archive.processing_status).toBe('failed');
    expect(archive.processing_error).toMatch(reason);
  });

  test('is told from an exchange of requirements, which stays one document', async () => {
    const file = packed({ 'a.reqif': REQIF, 'files/picture.png': PICTURE }, { name: 'exchange.zip' });
    const { id } = (await uploadWorkProduct(owner, await newWorkspace(), file)).body as WorkProduct;
    expect(await ended(id)).toMatchObject({ processing_status: 'completed' });
    expect(await entriesOf(owner, id)).toEqual([]);
    const versions = await owner.request('GET', `/api/v1/work-products/${id}/versions`);
    expect(versions.body).toMatchObject({ items: [{ format: 'reqif' }] });
  });
});

describe('the unpacking of an archive', () => {
  let data: TestDatabase;
  let app: TestApp;
  let owner: Client;
  let workspace: string;
  let engine: Engine;
  beforeAll(async () => {
    data = await createTestDatabase();
    app = await startTestApp(data);
    owner = await app.signUp();
    const made = await owner.request('POST', '/api/v1/workspaces', { body: { name: 'By hand' } });
    workspace = (made.body as { id: string }).id;
    engine = createEngine({ size: 1 });
  });
  afterAll(async () => {
    await engine?.close();
    await app?.stop();
    await data?.stop();
  });
  const work = (id: string, version = 1, worker: Engine = engine): Promise<void> =>
    readVersion(app.dependencies, worker)(
      { workspaceId: workspace, workProductId: id, version: String(version) },
      { jobId: id, signal: new AbortController().signal },
    );
  const status = async (id: string) =>
    ((await owner.request('GET', `/api/v1/work-products/${id}`)).body as WorkProduct).processing_status;
  const documentsOf = async (id: string) =>
    (
      (await owner.request('GET', `/api/v1/work-products?source_archive=${id}`)).body as {
        items: WorkProduct[];
      }
    ).items;

  test('goes on where a dead worker stopped, and ends with the last document', async () => {
    const file = packed({ 'a.md': PLAN, 'b.png': PICTURE, 'c.md': PLAN, 'd.md': PLAN });
    const { id } = (await uploadWorkProduct(owner, workspace, file)).body as WorkProduct;
    const handedOut: number[] = [];
    const dying = (after: number): Engine => ({
      ...engine,
      run: (task, input, options) =>
        engine.run(task, input, {
          ...options,
          answers: (options.answers ?? []).map((answerer) => ({
            ...answerer,
            answer: async (file) => {
              handedOut.push((file as UnpackedFile).position);
              if (handedOut.length > after) throw new Error('The worker died.');
              return answerer.answer(file);
            },
          })),
        }),
    });
    await expect(work(id, 1, dying(3))).rejects.toThrow();
    expect(handedOut).toEqual([0, 1, 2, 3]);
    expect((await documentsOf(id)).map(({ name }) => name).sort()).toEqual(['a.md', 'c.md']);
    handedOut.length = 0;
    await work(id, 1, dying(9));
    expect(handedOut).toEqual([3]);
    const documents = await documentsOf(id);
    expect(documents.map(({ name }) => name).sort()).toEqual(['a.md', 'c.md', 'd.md']);
    expect(await status(id)).toBe('running');
    const [one, other, last] = documents.map((document) => document.id);
    // Two end at the same time, one is deleted before it was read.
    await Promise.all([work(one!), work(other!)]);
    expect(await status(id)).toBe('running');
    expect((await owner.request('DELETE', `/api/v1/work-products/${last}`)).status).toBe(204);
    await work(last!);
    expect(await status(id)).toBe('completed');
    expect(
      await data.asOwner('select from work_product_versions where work_product_id = any ($1)', [
        [one, other, last],
      ]),
    ).toHaveLength(3);
  });

  test('gives way to a newer version, and to a deletion', async () => {
    const { id } = (await uploadWorkProduct(owner, workspace, packed({ 'a.md': PLAN }))).body as WorkProduct;
    await uploadNext(owner, id, packed({ 'b.md': PLAN }));
    await work(id, 1);
    await work(id, 2);
    expect((await documentsOf(id)).map(({ name }) => name)).toEqual(['b.md']);
    const versions = await owner.request('GET', `/api/v1/work-products/${id}/versions`);
    expect(versions.body).toMatchObject({
      items: [{ processing_status: 'running' }, { processing_status: 'failed' }],
    });

    const gone = (await uploadWorkProduct(owner, workspace, packed({ 'a.md': PLAN }))).body as WorkProduct;
    const before = await data.asOwner('select from work_products');
    await work(gone.id, 1, {
      ...engine,
      run: async (task, input, options) => {
        expect((await owner.request('DELETE', `/api/v1/work-products/${gone.id}`)).status).toBe(204);
        return engine.run(task, input, options);
      },
    });
    expect(await data.asOwner('select from work_products')).toHaveLength(before.length);
  });

  test('looks again at what was refused when a person asks for it', async () => {
    const file = packed({ 'a.md': PLAN, 'b.png': PICTURE });
    const { id } = (await uploadWorkProduct(owner, workspace, file)).body as WorkProduct;
    await work(id);
    const [document] = await documentsOf(id);
    await work(document?.id ?? '');
    expect(await status(id)).toBe('completed');
    await data.asOwner(`update archive_entries set error = 'Of a former reader.' where archive_id = $1`, [
      id,
    ]);
    expect((await owner.request('POST', `/api/v1/work-products/${id}/reprocess`)).status).toBe(202);
    await work(id);
    expect(await status(id)).toBe('completed');
    const [, picture] = await entriesOf(owner, id);
    expect(picture).toMatchObject({ path: 'b.png', outcome: 'refused' });
    expect(picture?.error).not.toBe('Of a former reader.');
    expect(await documentsOf(id)).toHaveLength(1);
  });

  test('stops at the quota of the workspace', async () => {
    const held = (
      (await owner.request('GET', `/api/v1/work-products?workspace_id=${workspace}`)).body as {
        total: number;
      }
    ).total;
    const file = packed({ 'a.md': PLAN, 'b.md': PLAN });
    const { id } = (await uploadWorkProduct(owner, workspace, file)).body as WorkProduct;
    const quota = { ...app.dependencies.configuration.quota, workProducts: held + 2 };
    const configuration = { ...app.dependencies.configuration, quota };
    await readVersion({ ...app.dependencies, configuration }, engine)(
      { workspaceId: workspace, workProductId: id, version: '1' },
      { jobId: id, signal: new AbortController().signal },
    );
    const entries = await entriesOf(owner, id);
    expect(entries.map(({ path, outcome }) => [path, outcome])).toEqual([
      ['a.md', 'new'],
      ['b.md', 'refused'],
    ]);
    expect(entries[1]?.error).toContain('WORKSPACE_MAX_WORK_PRODUCTS');
    expect(await documentsOf(id)).toHaveLength(1);
  });

  test('leaves nothing of what was purged, be it an archive or a document of one', async () => {
    const file = packed({ 'a.md': PLAN, 'b.md': PLAN, 'c.png': PICTURE });
    const { id } = (await uploadWorkProduct(owner, workspace, file)).body as WorkProduct;
    await work(id);
    const documents = await documentsOf(id);
    for (const document of documents) await work(document.id);
    const [kept, gone] = documents.map((document) => document.id) as [string, string];
    const tables = await data.asOwner<{ name: string }>(
      `select table_name as name from information_schema.columns
       where table_schema = 'public' and column_name = 'workspace_id'`,
    );
    const tablesWith = async (word: string): Promise<readonly string[]> => {
      const found: string[] = [];
      for (const { name } of tables) {
        const rows = await data.asOwner(`select from ${name} t where t::text like $1`, [`%${word}%`]);
        if (rows.length > 0) found.push(name);
      }
      return found.sort();
    };
    const purgeNow = (target: string) =>
      purge(app.dependencies)(
        { workspaceId: workspace, type: 'work_product', id: target, because: 'confirmed' },
        { jobId: target, signal: new AbortController().signal },
      );
    expect((await owner.request('DELETE', `/api/v1/work-products/${gone}`)).status).toBe(204);
    await purgeNow(gone);
    expect(await tablesWith(gone)).toEqual(['audit_events']);
    const known = (await entriesOf(owner, id)).map((entry) => entry.work_product_id);
    expect(known.sort()).toEqual([kept, null, null].sort());
    expect((await owner.request('DELETE', `/api/v1/work-products/${id}?documents=keep`)).status).toBe(204);
    expect(await tablesWith(id)).toContain('archive_entries');
    await purgeNow(id);
    expect(await tablesWith(id)).toEqual(['audit_events']);
    expect((await owner.request('GET', `/api/v1/work-products/${kept}`)).status).toBe(200);
  });
});
