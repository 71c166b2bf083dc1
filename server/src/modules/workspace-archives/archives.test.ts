import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fromBufferPromise } from 'yauzl';
import yazl from 'yazl';
import { type Filled, fillWorkspace } from '../../testing/filled-workspace.js';
import { joinWorkspace } from '../../testing/join-workspace.js';
import { objectsBelow } from '../../testing/stored-objects.js';
import { type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { type UploadSession, until, uploadWorkProduct } from '../../testing/upload.js';
import type { ChecklistState } from '../checklists/checklist-answers.schemas.js';
import type { StartedAnalysis } from '../runs/analyses.schemas.js';
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
  let manager: Client;
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
    manager = await here.app.enter();
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

  const exported = async (client: Client, workspace: string, at = here): Promise<Buffer> => {
    const path = `/api/v1/workspaces/${workspace}`;
    const started = await client.request('POST', `${path}/export`);
    expect([started.status, started.text]).toEqual([202, started.text]);
    const { id } = started.body as WorkspaceExport;
    const done = await until<WorkspaceExport>(client, `${path}/exports/${id}`, ({ status }) =>
      ['completed', 'failed'].includes(status),
    );
    expect(done).toMatchObject({ status: 'completed', error: null });
    const response = await fetch(`${at.app.address}${path}/exports/${id}/download`, {
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
        /^(workspace_id|file_url|updated_at|created_at|processed_at|.*_by|.*_by_name|assignee|note|note_at|analysis_ids?)$/.test(
          key,
        )
          ? undefined
          : one,
      ).replaceAll(workspace, 'W'),
    );

  test('has everything that the workspace holds, and no secret', async () => {
    archive = await exported(here.owner, filled.workspace);
    const files = await unzip(archive);
    const names = [...files.keys()];
    expect(names).toContain('manifest.json');
    for (const table of ['runs', 'gap_decisions', 'checklist_answers', 'work_products', 'trace_links']) {
      expect(names).toContain(`tables/${table}.jsonl`);
    }
    // Not to be imported, but to be read.
    for (const table of ['gaps', 'analyses', 'analysis_evidence', 'comments', 'audit_events']) {
      expect(names).toContain(`log/${table}.jsonl`);
    }
    expect(files.get('log/audit_events.jsonl')?.toString()).toContain('workspace.created');
    expect(names.filter((name) => /webhook|invitation|token|embedding/.test(name))).toEqual([]);
    const withAddress = [...files]
      .filter(([, bytes]) => bytes.includes('hooks.invalid'))
      .map(([name]) => name);
    expect(withAddress.filter((name) => !name.startsWith('log/'))).toEqual([]);
    expect(names.filter((name) => name.startsWith('objects/'))).toHaveLength(3);
    expect(names.filter((name) => name.startsWith('reports/'))).toHaveLength(3);
    // What an import takes has nothing that a machine computed, and says nothing of where anything lies.
    const taken = [...files]
      .filter(([name]) => name.startsWith('tables/'))
      .map(([, bytes]) => bytes.toString());
    expect(taken.join('')).not.toMatch(
      /object_key|parsed|processing_status|"finding"|verdict_reason|compliance_score/,
    );
  });

  test('becomes the same workspace in another installation: read and analysed there', async () => {
    const result = await imported(archive, { sha256: sha256(archive), name: 'Come along' });
    expect(result).toMatchObject({ status: 'completed', error: null });
    const workspace = result.workspace_id ?? '';
    expect(workspace).not.toBe(filled.workspace);

    // People are invited, whether or not they have an account; nobody is a member but whoever imports.
    expect([...result.invited].sort()).toEqual([engineer.email, here.owner.email, manager.email].sort());
    const members = await there.owner.request('GET', `/api/v1/workspaces/${workspace}/members`);
    expect((members.body as Page).items.map(({ user_id }) => user_id)).toEqual([there.owner.userId]);
    const invitations = await there.owner.request('GET', `/api/v1/workspaces/${workspace}/invitations`);
    expect((invitations.body as Page).items.map(({ email }) => email).sort()).toEqual(
      [...result.invited].sort(),
    );

    // The licence is declared anew: the words come back with it, and with them the analysis that waits for them.
    await isRead(there.owner, workspace);
    const attested = await there.owner.request('PATCH', `/api/v1/standards/${filled.standard}/attest`, {
      body: { licence_type: 'own_document', licence_holder: 'Example Mobility' },
    });
    expect([attested.status, attested.text]).toEqual([200, attested.text]);
    const [row] = await there.data.asOwner<{ id: string }>(
      'select id from workspace_imports where target_id = $1',
      [workspace],
    );
    await until<WorkspaceImport>(
      there.owner,
      `/api/v1/workspace-imports/${row?.id}`,
      ({ remaining, problems }) => {
        expect(problems).toEqual([]);
        return remaining.analyses === 0 && remaining.checklist_answers === 0;
      },
      90_000,
    );

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
    const gapsOf = async ({ owner }: typeof here, place: string) => {
      const { body } = await owner.request('GET', `/api/v1/analysis/gaps?workspace_id=${place}&limit=100`);
      // What people added to the trace after its analysis counts in the one that is made here.
      return (body as Page).items
        .filter(({ analysis_type }) => analysis_type !== 'traceability')
        .map((gap) =>
          JSON.stringify(same(gap, place), (key, one: unknown) => (key === 'id' ? undefined : one)),
        )
        .sort();
    };
    const gaps = await gapsOf(here, filled.workspace);
    expect(gaps.length).toBeGreaterThan(20);
    expect(await gapsOf(there, workspace)).toEqual(gaps);
    await told(`/analysis/evidence?workspace_id=WORKSPACE&standard_id=${filled.standard}`);
    await told(`/standards/${filled.standard}/criteria`);
    for (const document of Object.values(filled.documents)) {
      await told(`/work-products/${document}/versions`);
      const path = `/api/v1/work-products/${document}/content`;
      expect((await there.owner.request('GET', path)).text).toBe(
        (await here.owner.request('GET', path)).text,
      );
    }

    // What people decided keeps its id, and says that it was imported.
    const decided = await there.owner.request(
      'GET',
      `/api/v1/analysis/gaps?workspace_id=${workspace}&status=in_progress`,
    );
    const [gap] = (decided.body as Page).items;
    const original = await here.owner.request('GET', `/api/v1/analysis/gaps/${String(gap?.id)}`);
    expect(original.body).toMatchObject({ status: 'in_progress', fingerprint: gap?.fingerprint });
    expect(gap?.note).toBe('Imported from an archive by Test User.');
    const comments = await there.owner.request('GET', `/api/v1/analysis/gaps/${String(gap?.id)}/comments`);
    expect((comments.body as Page).items).toMatchObject([
      { text: 'Jo looks at it.', author_name: 'Test User' },
    ]);
    const accounts = await there.data.asOwner<{ id: string }>('select id from profiles');
    const ours = new Set(accounts.map(({ id }) => id));
    expect((comments.body as Page).items.filter(({ author }) => ours.has(String(author)))).toEqual([]);

    // Answers count: what they rest on is the same here.
    const [lists] = await here.data.asOwner<{ id: string }>('select id from checklists');
    const state = async ({ owner }: typeof here, place: string) => {
      const path = `/api/v1/compliance/checklists/${lists?.id}/results?workspace_id=${place}`;
      const { body } = await owner.request('GET', path);
      const { items, counts } = body as ChecklistState;
      return {
        counts,
        items: items.map(({ effective_verdict, review_status, answer }) => [
          effective_verdict,
          review_status,
          answer?.answered_by_name,
          answer?.evidence,
        ]),
      };
    };
    expect(await state(there, workspace)).toEqual(await state(here, filled.workspace));
    expect((await state(there, workspace)).items).toMatchObject([['pass', 'confirmed', 'Test User', [{}]]]);
    const reports = await there.owner.request('GET', `/api/v1/reports?workspace_id=${workspace}`);
    expect((reports.body as Page).items).toEqual([]);

    const links = async ({ owner }: typeof here, place: string) => {
      const { body } = await owner.request(
        'GET',
        `/api/v1/traceability/links?workspace_id=${place}&limit=100`,
      );
      return (body as Page).items
        .map(({ source_id, link_type, target_id, origin, stated_at, quote, dangling }) =>
          JSON.stringify({ source_id, link_type, target_id, origin, stated_at, quote, dangling }),
        )
        .sort();
    };
    const linksHere = await links(here, filled.workspace);
    expect(linksHere.length).toBeGreaterThan(3);
    expect(await links(there, workspace)).toEqual(linksHere);

    // Analysed once more there, nothing has changed.
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
        'select distinct change from gaps_of_runs where analysis_id = $1',
        [id],
      );
      expect([path, found]).toEqual([path, [{ change: 'unchanged' }]]);
    }

    // And it can move on from there, with what the archive said.
    const [again] = await Promise.all([exported(there.owner, workspace, there)]);
    const decisions = (await unzip(again)).get('tables/gap_decisions.jsonl')?.toString() ?? '';
    expect(decisions).toContain('Jo looks at it.');
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
    expect(files.get('log/analysis_evidence.jsonl')?.toString()).toContain('giraffe plan');
    expect(JSON.parse(files.get('manifest.json')?.toString() ?? '').left_out.join()).toMatch(/House rules/);

    // An archive that has the text does not outlive the right to it.
    const path = `/api/v1/workspaces/${filled.workspace}/exports`;
    expect((await here.owner.request('GET', path)).body).toMatchObject({ total: 1 });
    const withdrawn = await here.owner.request('DELETE', `/api/v1/standards/${filled.standard}/attest`);
    expect(withdrawn.status).toBe(200);
    expect((await here.owner.request('GET', path)).body).toMatchObject({ total: 0 });
    const left = () => objectsBelow(here.app.dependencies.storage, filled.workspace, 'exports');
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
    // What became of its files where it was taken apart is not told here; nothing is taken apart twice.
    const entries = await there.owner.request('GET', `/api/v1/work-products/${delivery}/entries`);
    expect(entries).toMatchObject({ status: 200, body: { items: [] } });
  });
});
