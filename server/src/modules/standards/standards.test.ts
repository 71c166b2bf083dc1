import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { watch } from '../../testing/event-stream.js';
import { joinWorkspace } from '../../testing/join-workspace.js';
import { type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import {
  type TestFile,
  type UploadSession,
  until,
  uploadStandard,
  uploadWorkProduct,
} from '../../testing/upload.js';
import type { GapAnalysisDetail } from '../gap-analysis/gap-analysis.view.js';
import type { StartedAnalysis } from '../runs/analyses.schemas.js';
import type { CatalogStandard, Standard, StandardCriterion } from './standards.schemas.js';

const OWN: TestFile = {
  name: 'rules.yaml',
  type: 'application/yaml',
  bytes: `standard: house-rules
title: House rules
edition: "1"
criteria:
  - id: HR-1
    title: Plan
    text: There shall be a project plan that names an author.
  - id: HR-2
    title: Review
    text: Every document should be reviewed before its release.
`,
};
const CLAUSES: TestFile = {
  name: 'clauses.md',
  type: 'text/markdown',
  bytes:
    '# Safety rules\n\n## 1 Planning\n\nThe supplier shall write a safety plan.\n\n## 2 Review\n\nThe plan shall be reviewed.\n',
};
const LICENCE = { licence_type: 'multi_user', licence_holder: 'Example Mobility' };

describe('standards over HTTP', () => {
  let data: TestDatabase;
  let app: TestApp;
  let owner: Client;
  let engineer: Client;
  let workspace: string;
  beforeAll(async () => {
    data = await createTestDatabase();
    app = await startTestApp(data, { work: true, environment: { EMBEDDINGS: 'off' } });
    owner = await app.signUp();
    engineer = await app.signUp();
    workspace = (await post<{ id: string }>('/workspaces', { name: 'Rules' })).id;
    await joinWorkspace(app, { by: owner, workspace, member: engineer, role: 'engineer' });
  });
  afterAll(async () => {
    await app?.stop();
    await data?.stop();
  });

  const post = async <Body>(path: string, body: unknown): Promise<Body> => {
    const answer = await owner.request('POST', `/api/v1${path}`, { body });
    if (answer.status >= 300) throw new Error(`${path} was answered ${answer.status}: ${answer.text}`);
    return answer.body as Body;
  };
  const own = (name: string, more = {}): Promise<Standard> =>
    post('/standards', { workspace_id: workspace, name, version: '1', ...more });
  const settled = (id: string): Promise<Standard> =>
    until(owner, `/api/v1/standards/${id}`, ({ processing_status }: Standard) =>
      ['completed', 'failed', 'awaiting_attestation'].includes(processing_status),
    );
  const criteriaOf = async (client: Client, id: string): Promise<StandardCriterion[]> =>
    ((await client.request('GET', `/api/v1/standards/${id}/criteria`)).body as { items: StandardCriterion[] })
      .items;

  const schemaOf = async (table: string): Promise<string> => {
    const [row] = await data.asOwner<{ name: string }>(
      `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
       where table_name = $1 and table_schema in ('public', 'pgboss')`,
      [table],
    );
    return row?.name ?? '';
  };

  test('the catalog is listed, filtered, searched and paged', async () => {
    const list = async (query: string) =>
      (await owner.request('GET', `/api/v1/standards/common?${query}`)).body as {
        items: CatalogStandard[];
        total: number;
        next_cursor: string | null;
        page: number;
      };
    const everything = await list('');
    expect(everything.items.map((entry) => entry.id)).toContain('iso-26262-3-2018');
    expect(everything.items).toHaveLength(everything.total);
    const safety = await list('category=functional_safety');
    expect(safety.items.every((entry) => entry.category === 'functional_safety')).toBe(true);
    expect((await list('search=26262-3')).items.map((entry) => entry.id)).toContain('iso-26262-3-2018');
    const pages: string[] = [];
    let cursor: string | null = '';
    for (let page = 1; cursor !== null; page++) {
      const answer = await list(`limit=7&cursor=${cursor}`);
      expect(answer.page).toBe(page);
      pages.push(...answer.items.map((entry) => entry.id));
      cursor = answer.next_cursor;
    }
    expect(pages).toEqual(everything.items.map((entry) => entry.id));
    const other = await list('limit=7');
    const moved = await owner.request(
      'GET',
      `/api/v1/standards/common?limit=7&search=iso&cursor=${other.next_cursor}`,
    );
    expect(moved.status).toBe(422);
    expect((await owner.request('GET', '/api/v1/standards/common?category=nonsense')).status).toBe(422);
  });

  test('a built-in one is adopted ready for use, and takes no file', async () => {
    const adopted = await post<Standard>('/standards', {
      workspace_id: workspace,
      catalog_id: 'iso-26262-3-2018',
    });
    expect(adopted).toMatchObject({
      name: 'ISO 26262-3:2018',
      category: 'functional_safety',
      processing_status: 'completed',
      requires_attestation: false,
      attested: false,
    });
    const criteria = await criteriaOf(engineer, adopted.id);
    expect(criteria).toHaveLength(adopted.criteria_count);
    const known = new Set<string>();
    for (const criterion of criteria) {
      expect(criterion.parent_id === null || known.has(criterion.parent_id)).toBe(true);
      known.add(criterion.id);
    }
    const refused = await owner.request('POST', `/api/v1/standards/${adopted.id}/uploads/init`, {
      body: { filename: 'a.pdf', size: 5, content_type: 'application/pdf' },
    });
    expect(refused).toMatchObject({ status: 409, body: { error: { details: { reason: 'built_in' } } } });
    const unknown = await owner.request('POST', '/api/v1/standards', {
      body: { workspace_id: workspace, catalog_id: 'no-such-standard' },
    });
    expect(unknown.status).toBe(422);
    const nameless = await owner.request('POST', '/api/v1/standards', { body: { workspace_id: workspace } });
    expect(nameless.status).toBe(422);
  });

  test('an own one is read from its file and can be analysed', async () => {
    const { id, ...before } = await own('House rules', { category: 'company_internal' });
    expect(before).toMatchObject({ processing_status: 'pending_upload', requires_attestation: false });
    expect(await uploadStandard(owner, id, CLAUSES)).toMatchObject({ status: 200 });
    expect(await settled(id)).toMatchObject({ processing_status: 'completed', processing_error: null });
    const criteria = await criteriaOf(engineer, id);
    expect(criteria.map((criterion) => criterion.text).join(' ')).toContain('write a safety plan');
    const plan = {
      name: 'plan.md',
      type: 'text/markdown',
      bytes: '# Drive\n\nThe supplier drives the motor through a half bridge.\n',
    };
    const { id: document } = (await uploadWorkProduct(owner, workspace, plan)).body as { id: string };
    await until(
      owner,
      `/api/v1/work-products/${document}`,
      (one: Standard) => one.processing_status === 'completed',
    );
    const started = await post<StartedAnalysis>('/analysis/gaps', {
      workspace_id: workspace,
      standard_id: id,
    });
    const analysis = await until<GapAnalysisDetail>(
      owner,
      `/api/v1/analysis/analyses/${started.id}`,
      ({ status }) => ['completed', 'failed'].includes(status),
    );
    expect([analysis.status, analysis.error]).toEqual(['completed', null]);
    const judged = criteria
      .filter((criterion) => criterion.kind !== 'group')
      .map((criterion) => criterion.id);
    expect(analysis.verdicts.map((verdict) => verdict.criterion_id)).toEqual(judged);
  });

  test('a file without criteria fails with what is wrong and where', async () => {
    const { id } = await own('Empty rules');
    await uploadStandard(owner, id, { ...OWN, bytes: 'criteria:\n  - nonsense: true\n' });
    const failed = await settled(id);
    expect(failed.processing_status).toBe('failed');
    expect(failed.processing_error).toMatch(/.{20,}/);
    expect(failed.processing_error).not.toMatch(/our side/);
    await uploadStandard(owner, id, CLAUSES);
    expect(await settled(id)).toMatchObject({ processing_status: 'completed', processing_error: null });
  });

  test('a paid text waits for its attestation, and is gone when that is withdrawn', async () => {
    const { id } = await own('ISO 26262-6:2018');
    const path = `/api/v1/standards/${id}`;
    const early = await owner.request('PATCH', `${path}/attest`, { body: LICENCE });
    expect(early).toMatchObject({ status: 409 });
    expect(await uploadStandard(owner, id, CLAUSES)).toMatchObject({
      body: { processing_status: 'awaiting_attestation', requires_attestation: true, attested: false },
    });
    expect(await criteriaOf(owner, id)).toEqual([]);
    expect((await owner.request('POST', `${path}/reprocess`)).status).toBe(409);
    const blocked = await owner.request('POST', '/api/v1/analysis/gaps', {
      body: { workspace_id: workspace, standard_id: id },
    });
    expect(blocked).toMatchObject({ status: 409, body: { error: { details: { reason: 'not_attested' } } } });
    for (const [change, status] of [
      [{ file_sha256: '0'.repeat(64) }, 422],
      [{ expires_at: '2020-01-01T00:00:00Z' }, 422],
      [{ licence_type: 'borrowed' }, 422],
    ] as const) {
      const wrong = await owner.request('PATCH', `${path}/attest`, { body: { ...LICENCE, ...change } });
      expect(wrong.status).toBe(status);
    }
    const sha256 = createHash('sha256').update(CLAUSES.bytes).digest('hex');
    const attested = await owner.request('PATCH', `${path}/attest`, {
      body: { ...LICENCE, licence_type: 'single_user', file_sha256: sha256 },
    });
    expect(attested).toMatchObject({ status: 200, body: { attested: true, processing_status: 'queued' } });
    expect(await settled(id)).toMatchObject({ processing_status: 'completed' });

    const [mine, theirs] = [await criteriaOf(owner, id), await criteriaOf(engineer, id)];
    expect(mine.some((criterion) => criterion.text?.includes('safety plan'))).toBe(true);
    expect(theirs.map((criterion) => criterion.id)).toEqual(mine.map((criterion) => criterion.id));
    expect(theirs.every((criterion) => criterion.text === null && criterion.title === null)).toBe(true);

    const started = await post<StartedAnalysis>('/analysis/gaps', {
      workspace_id: workspace,
      standard_id: id,
    });
    const before = await until<GapAnalysisDetail>(
      owner,
      `/api/v1/analysis/analyses/${started.id}`,
      ({ status }) => ['completed', 'failed'].includes(status),
    );
    expect(before.status).toBe('completed');
    // What a rule says of a verdict or of evidence may repeat the clause.
    for (const change of [
      `analysis_verdicts set reason = 'Write a safety plan: nothing states it.', search = '{"terms": ["write a safety plan"]}'`,
      "analysis_evidence set note = 'near the demand to write a safety plan'",
      `workspace_events set data = case type when 'finding' then data || '{"title": "Write a safety plan missing"}' else data end`,
    ]) {
      const changed = await data.asOwner(`update ${change} where analysis_id = $1 returning 1`, [started.id]);
      expect(changed.length).toBeGreaterThan(0);
    }

    // Nor do its words come out where results repeat them.
    const words = /write a safety plan|plan shall be reviewed/i;
    const views = [
      `/analysis/gaps?standard_id=${id}`,
      `/analysis/analyses/${started.id}`,
      `/analysis/standards/${id}/drilldown`,
      `/analysis/evidence?standard_id=${id}`,
    ];
    const shown = async (client: Client) =>
      Promise.all(views.map(async (view) => (await client.request('GET', `/api/v1${view}`)).text));
    expect((await shown(owner)).slice(0, 3).every((text) => words.test(text))).toBe(true);
    const hidden = await shown(engineer);
    expect(hidden.filter((text) => words.test(text))).toEqual([]);
    expect(hidden.slice(0, 3).every((text) => text.includes('Only the holder of its licence'))).toBe(true);
    const found = async (client: Client) =>
      (await client.request('GET', `/api/v1/analysis/gaps?standard_id=${id}&search=shall+be+reviewed`)).body;
    expect(await found(owner)).not.toMatchObject({ total: 0 });
    expect(await found(engineer)).toMatchObject({ total: 0 });
    for (const [client, isShown] of [
      [owner, true],
      [engineer, false],
    ] as const) {
      const stream = await watch(app.address, `/api/v1/analysis/analyses/${started.id}/events`, client);
      await stream.ended;
      const finding = stream.events.filter(({ type }) => type === 'finding');
      expect(finding.length).toBeGreaterThan(0);
      expect(words.test(JSON.stringify(finding))).toBe(isShown);
    }
    const [gap] = before.gaps;
    const changed = await engineer.request('PATCH', `/api/v1/analysis/gaps/${gap?.id}`, {
      body: { status: 'in_progress' },
    });
    expect([changed.status, words.test(changed.text)]).toEqual([200, false]);

    expect((await engineer.request('DELETE', `${path}/attest`)).status).toBe(403);
    const withdrawn = await owner.request('DELETE', `${path}/attest?reason=The+licence+has+ended.`);
    expect(withdrawn).toMatchObject({
      status: 200,
      body: { attested: false, processing_status: 'pending_upload', criteria_count: 0 },
    });
    const after = (await owner.request('GET', `/api/v1/analysis/analyses/${started.id}`))
      .body as GapAnalysisDetail;
    expect(after.gaps.map((gap) => gap.id)).toEqual(before.gaps.map((gap) => gap.id));
    for (const [table, rows] of [
      ['standard_criteria', 0],
      ['standard_files', 0],
      ['attestations', 2],
    ] as const) {
      expect(await data.asOwner(`select from ${table} where standard_id = $1`, [id])).toHaveLength(rows);
    }
    // No table has a word of it any more.
    const tables = await data.asOwner<{ name: string }>(
      `select table_name as name from information_schema.tables
       where table_schema in ('public', 'pgboss') and table_type = 'BASE TABLE'`,
    );
    expect(tables.length).toBeGreaterThan(20);
    for (const { name } of tables) {
      const where = `from ${await schemaOf(name)} as t where t::text ilike any (array['%write a safety plan%', '%plan shall be reviewed%'])`;
      const found = await data.asOwner<{ words: string }>(`select t::text as words ${where}`);
      const ofThis = found.filter(({ words }) => words.includes(id) || words.includes(started.id));
      expect([name, ofThis]).toEqual([name, []]);
    }
    expect((await owner.request('DELETE', `${path}/attest`)).status).toBe(409);
  });

  test('withdrawing ends the runs under way, and leaves the next file alone', async () => {
    const { id } = await own('ISO 26262-5:2018');
    const path = `/api/v1/standards/${id}`;
    const attest = () => owner.request('PATCH', `${path}/attest`, { body: LICENCE });
    const keyOf = async () =>
      (
        await data.asOwner<{ object_key: string }>(
          'select object_key from standard_files where standard_id = $1',
          [id],
        )
      )[0]?.object_key ?? '';
    await uploadStandard(owner, id, CLAUSES);
    await attest();
    await settled(id);
    const started = await post<StartedAnalysis>('/analysis/gaps', {
      workspace_id: workspace,
      standard_id: id,
    });
    const run = `/api/v1/analysis/analyses/${started.id}`;
    await until<GapAnalysisDetail>(owner, run, ({ status }) => status === 'completed');
    await data.asOwner("update analyses set status = 'running', finished_at = null where id = $1", [
      started.id,
    ]);
    const former = await keyOf();
    expect((await owner.request('DELETE', `${path}/attest`)).status).toBe(200);
    // Whoever works on it finds it in no hands any more and stores nothing.
    expect((await owner.request('GET', run)).body).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('withdrawn'),
    });
    await uploadStandard(owner, id, CLAUSES);
    await attest();
    expect(await settled(id)).toMatchObject({ processing_status: 'completed' });
    const jobs = await data.asOwner<{ prefix: string }>(
      "select data ->> 'prefix' as prefix from pgboss.job_common where name = 'objects.delete'",
    );
    const isDeleted = (key: string) => jobs.some(({ prefix }) => key.startsWith(prefix));
    expect([isDeleted(former), isDeleted(await keyOf())]).toEqual([true, false]);

    // An attestation that has ended is none.
    await data.asOwner(
      "update standards set attestation_expires_at = now() - interval '1 hour' where id = $1",
      [id],
    );
    expect((await owner.request('GET', path)).body).toMatchObject({ attested: false });
    expect((await owner.request('POST', `${path}/reprocess`)).status).toBe(409);
  });

  test('who attested a file may read it and withdraw, whoever attests it after them', async () => {
    const { id } = await own('Rules of two');
    const path = `/api/v1/standards/${id}`;
    const attest = (client: Client) =>
      client.request('PATCH', `${path}/attest`, { body: { ...LICENCE, licence_type: 'single_user' } });
    await uploadStandard(owner, id, CLAUSES);
    await settled(id);
    const third = await app.signUp();
    await joinWorkspace(app, { by: owner, workspace, member: third, role: 'engineer' });
    expect((await attest(engineer)).status).toBe(200);
    expect((await attest(owner)).status).toBe(200);
    const readers = async () =>
      Promise.all([engineer, owner, third].map(async (one) => (await criteriaOf(one, id))[1]?.text !== null));
    expect(await readers()).toEqual([true, true, false]);
    expect((await third.request('DELETE', `${path}/attest`)).status).toBe(403);
    expect((await engineer.request('DELETE', `${path}/attest`)).status).toBe(200);
    expect(await criteriaOf(owner, id)).toEqual([]);
  });

  test('a copy with the mark of a personal licence waits, whatever its name', async () => {
    const { id } = await own('Some handbook');
    await uploadStandard(owner, id, { ...CLAUSES, bytes: `${CLAUSES.bytes}\nSingle user licence only.\n` });
    const waiting = await settled(id);
    expect(waiting).toMatchObject({
      processing_status: 'awaiting_attestation',
      requires_attestation: true,
      licence_mark: true,
    });
    expect(await data.asOwner('select from standard_criteria where standard_id = $1', [id])).toEqual([]);
    await owner.request('PATCH', `/api/v1/standards/${id}/attest`, { body: LICENCE });
    expect(await settled(id)).toMatchObject({ processing_status: 'completed', attested: true });
  });

  test('records of attestations cannot be changed, not even by the owner of the tables', async () => {
    await expect(data.asOwner("update attestations set licence_holder = 'x'")).rejects.toThrow('append-only');
    await expect(data.asOwner('delete from attestations')).rejects.toThrow('append-only');
  });

  test('are deleted with their text; completing twice is harmless', async () => {
    const { id } = await own('To be deleted');
    const size = Buffer.byteLength(CLAUSES.bytes as string);
    const session = await post<UploadSession>(`/standards/${id}/uploads/init`, {
      filename: CLAUSES.name,
      size,
      content_type: CLAUSES.type,
    });
    const complete = () =>
      owner.request('POST', `/api/v1/standards/${id}/uploads/${session.upload_id}/complete`);
    expect((await complete()).status).toBe(409);
    await fetch(session.upload_url, { method: 'PUT', headers: session.headers, body: CLAUSES.bytes });
    const answers = await Promise.all([complete(), complete(), complete()]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    await settled(id);
    const files = await data.asOwner<{ object_key: string }>(
      'select object_key from standard_files where standard_id = $1',
      [id],
    );
    expect(files).toHaveLength(1);
    expect((await engineer.request('DELETE', `/api/v1/standards/${id}`)).status).toBe(403);
    expect((await owner.request('DELETE', `/api/v1/standards/${id}`)).status).toBe(204);
    expect((await owner.request('GET', `/api/v1/standards/${id}`)).status).toBe(404);
    await expect
      .poll(() => app.dependencies.storage.within(workspace).size(files[0]?.object_key ?? ''), {
        timeout: 15_000,
      })
      .toBeUndefined();
  });
});
