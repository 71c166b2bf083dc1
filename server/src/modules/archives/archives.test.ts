import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fromBufferPromise } from 'yauzl';
import yazl from 'yazl';
import { type Filled, fillWorkspace } from '../../testing/filled-workspace.js';
import { joinWorkspace } from '../../testing/join-workspace.js';
import { type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { type UploadSession, until, uploadWorkProduct } from '../../testing/upload.js';
import type { StartedAnalysis } from '../analysis/analyses.schemas.js';
import type { WorkspaceExport, WorkspaceImport } from './archives.schemas.js';

interface Page {
  readonly items: readonly Readonly<Record<string, unknown>>[];
}
type Files = Map<string, Buffer>;

const unzip = async (archive: Buffer): Promise<Files> => {
  const zip = await fromBufferPromise(archive, { lazyEntries: true });
  const files: Files = new Map();
  for await (const entry of zip.eachEntry()) {
    files.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)));
  }
  return files;
};
const zip = async (files: Files): Promise<Buffer> => {
  const made = new yazl.ZipFile();
  for (const [path, bytes] of files) made.addBuffer(bytes, path);
  made.end();
  return buffer(made.outputStream as NodeJS.ReadableStream);
};
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

describe('a workspace in an archive', { timeout: 180_000 }, () => {
  let here: { data: TestDatabase; app: TestApp; owner: Client };
  let there: { data: TestDatabase; app: TestApp; owner: Client };
  let engineer: Client;
  let filled: Filled;
  let archive: Buffer;
  beforeAll(async () => {
    const start = async () => {
      const data = await createTestDatabase();
      const environment = { EMBEDDINGS: 'off', MAX_IMPORT_BYTES: '30000000' };
      const app = await startTestApp(data, { work: true, environment });
      return { data, app, owner: await app.signUp() };
    };
    [here, there] = [await start(), await start()];
    engineer = await here.app.enter();
    const manager = await here.app.enter();
    const { app, data: database, owner } = here;
    filled = await fillWorkspace({ app, database, owner, members: { engineer, manager } });
    // One person works in both installations, under the same address.
    await there.data.createUser(engineer.email);
  }, 120_000);
  afterAll(async () => {
    for (const one of [here, there]) {
      await one?.app.stop();
      await one?.data.stop();
    }
  });

  const exported = async (client: Client, workspace: string): Promise<Buffer> => {
    const path = `/api/v1/workspaces/${workspace}`;
    const started = await client.request('POST', `${path}/export`);
    expect([started.status, started.text]).toEqual([202, started.text]);
    const { id } = started.body as WorkspaceExport;
    const done = await until<WorkspaceExport>(client, `${path}/exports/${id}`, ({ status }) =>
      ['completed', 'failed'].includes(status),
    );
    expect(done).toMatchObject({ status: 'completed', error: null });
    const response = await fetch(`${here.app.address}${path}/exports/${id}/download`, {
      headers: { authorization: `Bearer ${client.token}` },
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    expect([response.status, sha256(bytes), bytes.length]).toEqual([200, done.sha256, done.file_size]);
    return bytes;
  };
  const imported = async (
    bytes: Buffer,
    more: object = {},
    client = there.owner,
  ): Promise<WorkspaceImport> => {
    const body = { size: bytes.length, ...more };
    const announced = await client.request('POST', '/api/v1/workspace-imports', { body });
    expect([announced.status, announced.text]).toEqual([201, announced.text]);
    const { upload_url, headers, import_id } = announced.body as UploadSession & { import_id: string };
    const path = `/api/v1/workspace-imports/${import_id}`;
    expect((await client.request('POST', `${path}/complete`)).status).toBe(409);
    const sent = await fetch(upload_url, { method: 'PUT', headers, body: new Uint8Array(bytes) });
    expect(sent.status).toBe(200);
    expect((await client.request('POST', `${path}/complete`)).status).toBe(202);
    return until<WorkspaceImport>(
      client,
      path,
      ({ status }) => ['completed', 'failed'].includes(status),
      60_000,
    );
  };
  const isRead = (client: Client, workspace: string) =>
    until<Page>(
      client,
      `/api/v1/work-products?workspace_id=${workspace}`,
      ({ items }) => items.every((one) => one.processing_status === 'completed'),
      60_000,
    );
  /** What is the same in both installations: not the workspace, not who people are, not when things were changed. */
  const same = (value: unknown, workspace: string): unknown =>
    JSON.parse(
      JSON.stringify(value, (key, one: unknown) =>
        /^(workspace_id|file_url|updated_at|.*_by|.*_by_name|assignee|note_at)$/.test(key) ? undefined : one,
      ).replaceAll(workspace, 'W'),
    );

  test('has everything that the workspace holds, and no secret', async () => {
    archive = await exported(here.owner, filled.workspace);
    const files = await unzip(archive);
    const names = [...files.keys()];
    expect(names).toContain('manifest.json');
    for (const table of [
      'gaps',
      'analyses',
      'analysis_evidence',
      'gap_comments',
      'checklist_answers',
      'trace_links',
    ]) {
      expect(names).toContain(`tables/${table}.jsonl`);
    }
    expect(names.filter((name) => /webhook|invitation|token|embedding/.test(name))).toEqual([]);
    const withAddress = [...files]
      .filter(([, bytes]) => bytes.includes('hooks.invalid'))
      .map(([name]) => name);
    expect(withAddress.filter((name) => !name.startsWith('log/'))).toEqual([]);
    // Not to be imported, but to be read.
    expect(files.get('log/audit_events.jsonl')?.toString()).toContain('workspace.created');
    expect(names.filter((name) => name.startsWith('objects/work-products/'))).toHaveLength(2);
  });

  test('becomes the same workspace in another installation', async () => {
    const result = await imported(archive, { sha256: sha256(archive), name: 'Come along' });
    expect(result).toMatchObject({ status: 'completed', error: null });
    expect(result.members.added).toEqual([engineer.email]);
    expect(result.members.left_out).toHaveLength(2);
    const workspace = result.workspace_id ?? '';
    expect(workspace).not.toBe(filled.workspace);
    await isRead(there.owner, workspace);
    // The licence is declared anew: the words come back with it.
    for (const standard of [filled.standard]) {
      const attested = await there.owner.request('PATCH', `/api/v1/standards/${standard}/attest`, {
        body: { licence_type: 'own_document', licence_holder: 'Example Mobility' },
      });
      expect([attested.status, attested.text]).toEqual([200, attested.text]);
    }
    const told = async (path: string): Promise<void> => {
      const [one, other] = await Promise.all([
        here.owner.request('GET', `/api/v1${path.replaceAll('WORKSPACE', filled.workspace)}`),
        there.owner.request('GET', `/api/v1${path.replaceAll('WORKSPACE', workspace)}`),
      ]);
      expect([path, other.status, other.text]).toEqual([path, 200, other.text]);
      expect({ path, body: same(other.body, workspace) }).toEqual({
        path,
        body: same(one.body, filled.workspace),
      });
    };
    for (const analysis of filled.analyses) await told(`/analysis/analyses/${analysis}`);
    const list = await here.owner.request(
      'GET',
      `/api/v1/analysis/gaps?workspace_id=${filled.workspace}&limit=100`,
    );
    const gaps = list.body as Page;
    expect(gaps.items.length).toBeGreaterThan(20);
    for (const { id } of gaps.items) await told(`/analysis/gaps/${String(id)}`);
    await told('/analysis/gaps?workspace_id=WORKSPACE&status=in_progress');
    await told(`/analysis/evidence?workspace_id=WORKSPACE&standard_id=${filled.standard}`);
    await told(`/standards/${filled.standard}/criteria`);
    for (const document of Object.values(filled.documents)) await told(`/work-products/${document}/versions`);
    for (const report of filled.reports) {
      const path = `/api/v1/reports/${report}/download`;
      expect((await there.owner.request('GET', path)).text).toBe(
        (await here.owner.request('GET', path)).text,
      );
    }
    for (const document of Object.values(filled.documents)) {
      const path = `/api/v1/work-products/${document}/content`;
      expect((await there.owner.request('GET', path)).text).toBe(
        (await here.owner.request('GET', path)).text,
      );
    }
    const links = async ({ app, owner }: typeof here, place: string) => {
      await until(
        owner,
        `/api/v1/traceability/extraction?workspace_id=${place}`,
        (one: { under_way: boolean; documents: readonly unknown[] }) =>
          !one.under_way && one.documents.length === 2,
        60_000,
      );
      expect(app.address).toBeTruthy();
      const { body } = await owner.request(
        'GET',
        `/api/v1/traceability/links?workspace_id=${place}&limit=100`,
      );
      return (body as Page).items
        .map(({ source_id, link_type, target_id, origin, quote, dangling }) =>
          JSON.stringify({ source_id, link_type, target_id, origin, quote, dangling }),
        )
        .sort();
    };
    const [ours, theirs] = [await links(here, filled.workspace), await links(there, workspace)];
    expect(ours.length).toBeGreaterThan(3);
    expect(theirs).toEqual(ours);

    // Analysed again there, nothing has changed.
    for (const [path, body] of [
      ['/analysis/gaps', { standard_id: filled.standard }],
      ['/compliance/completeness', {}],
    ] as const) {
      const started = await there.owner.request('POST', `/api/v1${path}`, {
        body: { workspace_id: workspace, force: true, ...body },
      });
      const { id } = started.body as StartedAnalysis;
      await until(
        there.owner,
        `/api/v1/analysis/analyses/${id}`,
        ({ status }: { status: string }) => status === 'completed',
        60_000,
      );
      const found = await there.data.asOwner<{ change: string }>(
        'select distinct change from gap_occurrences where analysis_id = $1',
        [id],
      );
      expect([path, found]).toEqual([path, [{ change: 'unchanged' }]]);
    }
  });

  test('is not taken twice: ids are kept, and belong to what is there', async () => {
    const again = await imported(archive);
    expect(again).toMatchObject({ status: 'failed', workspace_id: null });
    expect(again.error).toMatch(/in this installation already/);
  });

  test('has texts of standards only for whoever may read them', async () => {
    const attested = await here.owner.request('PATCH', `/api/v1/standards/${filled.standard}/attest`, {
      body: { licence_type: 'single_user', licence_holder: 'Example Mobility' },
    });
    expect(attested.status).toBe(200);
    const second = await here.app.enter();
    const { app, owner } = here;
    await joinWorkspace(app, { by: owner, workspace: filled.workspace, member: second, role: 'manager' });
    const files = await unzip(await exported(second, filled.workspace));
    const told = [...files]
      .filter(([, bytes]) => /giraffe review/i.test(bytes.toString()))
      .map(([name]) => name);
    expect(told).toEqual([]);
    // What stands in a document is its author's, also where it is quoted.
    expect(files.get('tables/analysis_evidence.jsonl')?.toString()).toContain('giraffe plan');
    expect(JSON.parse(files.get('manifest.json')?.toString() ?? '').left_out.join()).toMatch(/House rules/);

    // An archive that has the text does not outlive the right to it.
    const path = `/api/v1/workspaces/${filled.workspace}/exports`;
    expect((await here.owner.request('GET', path)).body).toMatchObject({ total: 1 });
    const withdrawn = await here.owner.request('DELETE', `/api/v1/standards/${filled.standard}/attest`);
    expect(withdrawn.status).toBe(200);
    expect((await here.owner.request('GET', path)).body).toMatchObject({ total: 0 });
    const folder = join(here.app.dependencies.configuration.dataDirectory, 'objects', 'files');
    const left = () =>
      readdir(join(folder, filled.workspace, 'exports'), { recursive: true }).catch(() => []);
    await expect.poll(left, { timeout: 20_000 }).toEqual([]);
  });

  test('keeps what came out of a ZIP file as it is, and does not take it out again', async () => {
    const made = await here.owner.request('POST', '/api/v1/workspaces', { body: { name: 'Delivery' } });
    const { id: from } = made.body as { id: string };
    const plan = '# Safety plan\n\nThe plan names an author and a reviewer.\n';
    const bytes = await zip(new Map([['plans/plan.md', Buffer.from(plan)]]));
    const uploaded = await uploadWorkProduct(here.owner, from, {
      name: 'delivery.zip',
      type: 'application/zip',
      bytes: new Uint8Array(bytes),
    });
    const { id: delivery } = uploaded.body as { id: string };
    const listed = async (client: Client, workspace: string) =>
      (await isRead(client, workspace)).items
        .map(({ id, name, version, source_archive }) => JSON.stringify({ id, name, version, source_archive }))
        .sort();
    await until<Page>(
      here.owner,
      `/api/v1/work-products?workspace_id=${from}`,
      ({ items }) => items.length === 2 && items.every((one) => one.processing_status === 'completed'),
    );
    const result = await imported(await exported(here.owner, from));
    expect(result).toMatchObject({ status: 'completed', error: null });
    const ours = await listed(here.owner, from);
    expect(ours).toHaveLength(2);
    expect(await listed(there.owner, result.workspace_id ?? '')).toEqual(ours);
    const entries = (client: Client) => client.request('GET', `/api/v1/work-products/${delivery}/entries`);
    expect((await entries(there.owner)).body).toEqual((await entries(here.owner)).body);
  });

  describe('is refused with nothing left behind', () => {
    const changing = async (change: (files: Files) => void, reseal = true): Promise<Buffer> => {
      const files = await unzip(archive);
      change(files);
      if (reseal) {
        const manifest = JSON.parse(files.get('manifest.json')?.toString() ?? '') as Record<string, unknown>;
        const listed = [...files].filter(([path]) => path !== 'manifest.json');
        manifest.files = listed.map(([path, bytes]) => ({ path, size: bytes.length, sha256: sha256(bytes) }));
        files.set('manifest.json', Buffer.from(JSON.stringify(manifest)));
      }
      return zip(files);
    };
    const rows = (files: Files, table: string, change: (row: Record<string, unknown>) => void) => {
      const lines = (files.get(`tables/${table}.jsonl`)?.toString() ?? '').trim().split('\n');
      const changed = lines.map((line) => {
        const row = JSON.parse(line) as Record<string, unknown>;
        change(row);
        return JSON.stringify(row);
      });
      files.set(`tables/${table}.jsonl`, Buffer.from(`${changed.join('\n')}\n`));
    };
    const manifest = (files: Files, change: (value: Record<string, unknown>) => void) => {
      const value = JSON.parse(files.get('manifest.json')?.toString() ?? '') as Record<string, unknown>;
      change(value);
      files.set('manifest.json', Buffer.from(JSON.stringify(value)));
    };
    const HOSTILE: readonly (readonly [name: string, make: () => Promise<Buffer>, error: RegExp])[] = [
      ['no archive', async () => Buffer.from('not a zip file at all'), /damaged/],
      ['one cut short', async () => archive.subarray(0, archive.length - 2000), /damaged/],
      ['one without a manifest', () => changing((files) => files.delete('manifest.json'), false), /damaged/],
      [
        'a path that leads out',
        async () => {
          const files = await unzip(archive);
          files.set('objects/reports/aa/aaaaaa', Buffer.from('x'));
          const bytes = await zip(files);
          return Buffer.from(
            bytes.toString('latin1').replaceAll('objects/reports/aa/aaaaaa', '../../../../tmp/aaaaaaaaa'),
            'latin1',
          );
        },
        /damaged|name that no archive has/,
      ],
      [
        'a bomb',
        () => changing((files) => files.set('tables/gaps.jsonl', Buffer.alloc(310_000_000, ' '))),
        /bomb/,
      ],
      [
        'a file that is not what the manifest says',
        () => changing((files) => files.set('log/audit_events.jsonl', Buffer.from('{}\n')), false),
        /do not agree/,
      ],
      [
        'rows that are not what the manifest says',
        () =>
          changing((files) => {
            const path = 'tables/work_products.jsonl';
            files.set(path, Buffer.from(files.get(path)?.toString().replace('hara', 'HARA') ?? ''));
          }, false),
        /not what the manifest says/,
      ],
      [
        'rows of another workspace',
        () => changing((files) => rows(files, 'gaps', (row) => (row.workspace_id = filled.standard))),
        /another workspace/,
      ],
      [
        'an unknown column',
        () => changing((files) => rows(files, 'gaps', (row) => (row.planted = 1))),
        /does not know: planted/,
      ],
      [
        'an unknown table',
        () => changing((files) => files.set('tables/profiles.jsonl', Buffer.from('{}\n'))),
        /does not know/,
      ],
      [
        'somebody whom the manifest does not name',
        () => changing((files) => rows(files, 'gaps', (row) => (row.assignee = filled.standard))),
        /names somebody/,
      ],
      [
        'another document than its row states',
        () =>
          changing((files) => {
            const path = [...files.keys()].find((name) => name.startsWith('objects/work-products/')) ?? '';
            files.set(path, Buffer.from('forged'));
          }),
        /not the file that its row states/,
      ],
      [
        'an object elsewhere',
        () => changing((files) => rows(files, 'work_product_versions', (row) => (row.object_key = '../x/y'))),
        /cannot be one/,
      ],
      [
        'rows without what they refer to',
        () => changing((files) => files.delete('tables/analyses.jsonl')),
        /contradict each other/,
      ],
      [
        'a newer version',
        () => changing((files) => manifest(files, (value) => (value.version = '999.0.0'))),
        /made by version 999/,
      ],
      [
        'a newer format',
        () => changing((files) => manifest(files, (value) => (value.format = 2))),
        /made by version/,
      ],
    ];
    let fresh: { data: TestDatabase; app: TestApp; owner: Client };
    beforeAll(async () => {
      const data = await createTestDatabase();
      const environment = { EMBEDDINGS: 'off', MAX_IMPORT_BYTES: '30000000' };
      const app = await startTestApp(data, { work: true, environment });
      fresh = { data, app, owner: await app.signUp() };
    });
    afterAll(async () => {
      await fresh?.app.stop();
      await fresh?.data.stop();
    });

    test.each(HOSTILE)('%s', async (_, make, error) => {
      const bytes = await make();
      const result = await imported(bytes, {}, fresh.owner);
      expect(result).toMatchObject({ status: 'failed', workspace_id: null });
      expect(result.error).toMatch(error);
      expect(await fresh.data.asOwner('select from workspaces')).toEqual([]);
      expect(await fresh.data.asOwner('select from gaps')).toEqual([]);
      const folder = join(fresh.app.dependencies.configuration.dataDirectory, 'objects', 'files');
      const left = await readdir(folder, { withFileTypes: true, recursive: true });
      expect(left.filter((entry) => entry.isFile())).toEqual([]);
    });
  });
});
