import { createHash } from 'node:crypto';
import type { Report as ReportFile } from '@normtrace/engine';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { joinWorkspace } from '../../testing/join-workspace.js';
import { type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { type TestFile, until, uploadStandard, uploadWorkProduct } from '../../testing/upload.js';
import type { Gap } from '../gaps/gaps.schemas.js';
import type { Analysis, StartedAnalysis } from '../runs/analyses.schemas.js';
import { WorkspaceEvent } from '../runs/events.schemas.js';
import type { Standard } from '../standards/standards.schemas.js';
import type { WorkProduct } from '../work-products/work-products.schemas.js';
import type { Report } from './reports.schemas.js';

const RULES: TestFile = {
  name: 'rules.yaml',
  type: 'application/yaml',
  bytes: `standard: { designation: Secret rules, title: Secret rules, edition: "1" }
criteria:
  - id: HR-1
    title: Zebra plan
    text: There shall be a zebra plan that names an author.
  - id: HR-2
    title: Giraffe review
    text: Every giraffe review shall be recorded before the release.
`,
};
const WORDS = /zebra|giraffe/i;
const DOCUMENT: TestFile = {
  name: 'Größe der Türen.md',
  type: 'text/markdown',
  bytes:
    '# Notes on the door\n\n## Aims\n\nThe door opens by a motor. The severity is TBD.\n\n=HYPERLINK("http://evil")\n',
};
const LICENCE = { licence_type: 'single_user', licence_holder: 'Example Mobility' };

interface Part {
  readonly results: readonly { readonly id: string; readonly state: string; readonly override?: object }[];
  readonly findings: readonly { readonly criterionId: string }[];
  readonly notAssessed: readonly { readonly reason: string }[];
  readonly trace?: object;
}

describe('reports over HTTP', () => {
  let data: TestDatabase;
  let app: TestApp;
  let owner: Client;
  let engineer: Client;
  let viewer: Client;
  let workspace: string;
  let standard: string;
  let gaps: string;
  let completeness: string;
  beforeAll(async () => {
    data = await createTestDatabase();
    app = await startTestApp(data, { work: true, environment: { EMBEDDINGS: 'off' } });
    [owner, engineer, viewer] = [await app.signUp(), await app.signUp(), await app.signUp()];
    workspace = (await post<{ id: string }>('/workspaces', { name: 'Türen' })).id;
    for (const [member, role] of [
      [engineer, 'engineer'],
      [viewer, 'viewer'],
    ] as const) {
      await joinWorkspace(app, { by: owner, workspace, member, role });
    }
    const { id } = (await uploadWorkProduct(owner, workspace, DOCUMENT)).body as WorkProduct;
    await until(
      owner,
      `/api/v1/work-products/${id}`,
      (one: WorkProduct) => one.processing_status === 'completed',
    );
    standard = (
      await post<Standard>('/standards', {
        workspace_id: workspace,
        name: 'ISO 26262 copy',
        category: 'functional_safety',
      })
    ).id;
    await uploadStandard(owner, standard, RULES);
    const sha256 = createHash('sha256').update(RULES.bytes).digest('hex');
    const attest = await owner.request('PATCH', `/api/v1/standards/${standard}/attest`, {
      body: { ...LICENCE, file_sha256: sha256 },
    });
    expect(attest.status).toBe(200);
    await until(
      owner,
      `/api/v1/standards/${standard}`,
      (one: Standard) => one.processing_status === 'completed',
    );
    gaps = await analysed('/analysis/gaps', { workspace_id: workspace, standard_id: standard });
    completeness = await analysed('/compliance/completeness', { workspace_id: workspace });
  });
  afterAll(async () => {
    await app?.stop();
    await data?.stop();
  });

  const post = async <Body>(path: string, body: unknown, client = owner): Promise<Body> => {
    const answer = await client.request('POST', `/api/v1${path}`, { body });
    if (answer.status >= 300) throw new Error(`${path} was answered ${answer.status}: ${answer.text}`);
    return answer.body as Body;
  };
  const analysed = async (path: string, body: unknown): Promise<string> => {
    const { id } = await post<StartedAnalysis>(path, body);
    const ended = await until<Analysis>(owner, `/api/v1/analysis/analyses/${id}`, ({ status }) =>
      ['completed', 'failed'].includes(status),
    );
    expect(ended.status).toBe('completed');
    return id;
  };
  const ask = (change: object = {}, client = owner) =>
    client.request('POST', '/api/v1/reports', {
      body: {
        workspace_id: workspace,
        type: 'gap_analysis',
        analysis_ids: [gaps],
        format: 'html',
        ...change,
      },
    });
  const rendered = async (change: object = {}, client = owner): Promise<Report> => {
    const answer = await ask(change, client);
    expect(answer).toMatchObject({ status: 202, body: { status: 'queued' } });
    const { id } = answer.body as Report;
    expect(answer.headers.get('location')).toBe(`/api/v1/reports/${id}`);
    const ended = await until<Report>(client, `/api/v1/reports/${id}`, ({ status }) =>
      ['completed', 'failed'].includes(status),
    );
    expect(ended).toMatchObject({ status: 'completed', error: null });
    return ended;
  };
  const download = (id: string, client = owner, headers = {}) =>
    client.request('GET', `/api/v1/reports/${id}/download`, { headers });
  const objectsOf = async (id: string): Promise<string[]> => {
    const rows = await data.asOwner<{ object_key: string; model_key: string }>(
      'select object_key, model_key from reports where id = $1',
      [id],
    );
    return rows.flatMap(({ object_key, model_key }) => [object_key, model_key]);
  };

  test('every format is rendered, stored with its hash and downloaded under its name', async () => {
    const hashes = new Set<string>();
    for (const format of ['html', 'pdf', 'docx', 'xlsx', 'csv', 'json', 'sarif', 'junit'] as const) {
      const report = await rendered({
        type: 'full',
        analysis_ids: [gaps, completeness],
        format,
        title: 'Türen: Prüfung "1"',
        options: { language: 'de' },
      });
      const answer = await download(report.id);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('etag')).toBe(`"${report.sha256}"`);
      expect(answer.headers.get('content-type')).toBe(report.media_type);
      expect(answer.headers.get('content-length')).toBe(String(report.file_size));
      const name = encodeURIComponent(report.file_name);
      expect(answer.headers.get('content-disposition')).toContain(`filename*=UTF-8''${name}`);
      const bytes = await fetch(`${app.address}/api/v1/reports/${report.id}/download`, {
        headers: { authorization: `Bearer ${owner.token}` },
      }).then(async (one) => new Uint8Array(await one.arrayBuffer()));
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(report.sha256);
      expect((await download(report.id, owner, { 'if-none-match': `"${report.sha256}"` })).status).toBe(304);
      hashes.add(report.content_hash ?? '');
    }
    // One content, whatever the format.
    expect([...hashes]).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
    const listed = await owner.request(
      'GET',
      `/api/v1/reports?workspace_id=${workspace}&format=pdf&search=prüfung`,
    );
    expect(listed.body).toMatchObject({ total: 1, items: [{ format: 'pdf' }] });
  });

  test('tells what its options want, says what it leaves out, and tells who watches how far it is', async () => {
    const whole = JSON.parse((await download((await rendered({ format: 'json' })).id)).text) as ReportFile;
    const findings = whole.parts.flatMap((part) => part.findings);
    const severity = findings[0]!.severity;
    expect(findings.length).toBeGreaterThan(0);
    const told = 0;
    const options = {
      severities: [severity],
      statuses: ['accepted'],
      chapters: ['findings'],
      confidentiality: 'Strictly confidential',
      cover: [{ label: 'Project number', value: '4711' }],
    };
    const report = await rendered({ format: 'json', options });
    expect(report.options).toMatchObject(options);
    const part = JSON.parse((await download(report.id)).text) as ReportFile;
    expect(part).toMatchObject({
      mark: 'Strictly confidential',
      cover: options.cover,
      chapters: ['findings'],
      selection: {
        severities: [severity],
        statuses: ['accepted'],
        findings: told,
        leftOut: findings.length - told,
      },
    });
    expect(part.parts.flatMap((one) => one.findings).length).toBe(told);
    const page = (await download((await rendered({ options })).id)).text;
    for (const words of [
      'Strictly confidential',
      'Project number',
      '4711',
      'further ones are left out here',
    ]) {
      expect(page).toContain(words);
    }
    expect(page).not.toContain('id="sign-off"');
    const asked = `workspace_id=${workspace}&type=gap_analysis&analysis_ids=${gaps}`;
    const preview = `/api/v1/reports/preview?${asked}&severities=${severity}&statuses=accepted&chapters=findings,questions`;
    const shown = await owner.request('GET', preview);
    expect([shown.status, shown.text.includes('further ones are left out here')]).toEqual([200, true]);
    const withCover = (cover: string) =>
      owner.request('GET', `${preview}&cover=${encodeURIComponent(cover)}`);
    const cover = JSON.stringify([{ label: 'Project, number: & <b>', value: '4712' }]);
    expect((await withCover(cover)).text).toMatch(/Project, number: &amp; &lt;b&gt;[\s\S]{0,200}4712/);
    for (const wrong of ['[', '[]', '{"label":"a","value":"b"}', '[{"label":"","value":"b"}]']) {
      expect((await withCover(wrong)).status).toBe(422);
    }
    const events = await data.asOwner<{ status: string }>(
      "select data ->> 'status' as status from workspace_events where type = 'report' and data ->> 'report_id' = $1 order by sequence",
      [report.id],
    );
    expect(events.map(({ status }) => status)).toEqual(['queued', 'running', 'completed']);
  });

  test('tells its steps while it is made, and how much of it is', async () => {
    const report = await rendered({ type: 'full', analysis_ids: [gaps, completeness], format: 'pdf' });
    expect(report).toMatchObject({ stage: null, percent: 100 });
    const told = await data.asOwner<{ id: string; event: string; data: { stage: string; percent: number } }>(
      `select sequence::text as id, type as event, data from workspace_events
       where type = 'report_progress' and data ->> 'report_id' = $1 order by sequence`,
      [report.id],
    );
    for (const one of told) expect(WorkspaceEvent.parse(one)).toEqual(one);
    const percents = told.map((one) => one.data.percent);
    expect(percents).toEqual(percents.toSorted((a, b) => a - b));
    expect(told.at(-1)?.data).toEqual({ report_id: report.id, stage: 'storing', percent: 95 });
    expect(new Set(told.map((one) => one.data.stage)).size).toBeGreaterThan(1);
  });

  test('holds what the analyses found, and what people decided about it', async () => {
    const found = (await owner.request('GET', `/api/v1/analysis/gaps?analysis_id=${gaps}`)).body as {
      items: Gap[];
    };
    const [gap] = found.items;
    const accepted = await owner.request('PATCH', `/api/v1/analysis/gaps/${gap!.id}`, {
      body: {
        status: 'accepted',
        reason: 'The zoo has other plans.',
        accepted_until: '2099-01-01T00:00:00Z',
      },
    });
    expect(accepted.status).toBe(200);
    await data.asOwner(
      `update gaps set severity_override = 'high', severity_reason = 'Only in the garage.', due_date = '2099-12-24'
       where id = $1`,
      [gap!.id],
    );
    const { text } = await download((await rendered()).id);
    for (const one of ['Only in the garage.', '2099-12-24', `was ${gap!.severity}`]) {
      expect(text).toContain(one);
    }
    for (const one of found.items) expect(text).toContain(one.fingerprint);
    expect(text).toContain('The zoo has other plans.');
    expect(text).toContain('2099-01-01');
    expect(text).toContain('not a confirmation measure');
    expect(text).not.toMatch(/<script|https?:\/\//i);
    const json = (await download((await rendered({ format: 'json' })).id)).body as {
      parts: { results: unknown[]; findings: { fingerprint: string }[] }[];
      documents: { name: string }[];
    };
    expect(json.parts[0]?.findings.map((one) => one.fingerprint).sort()).toEqual(
      found.items.map((one) => one.fingerprint).sort(),
    );
    expect(json.parts[0]?.results).toHaveLength(2);
    expect(json.documents).toMatchObject([{ name: expect.stringContaining('Türen') }]);
  });

  test('shows nobody words that they may not read, and marks the copy of a viewer', async () => {
    const report = await rendered();
    expect((await download(report.id)).text).toMatch(WORDS);
    for (const [client, isMarked] of [
      [engineer, false],
      [viewer, true],
    ] as const) {
      const copy = await download(report.id, client);
      expect(copy.status).toBe(200);
      expect(copy.text).not.toMatch(WORDS);
      expect(copy.text).toContain('Only the holder of its licence');
      expect(copy.text.includes('Copy for Test User')).toBe(isMarked);
      expect(copy.headers.get('etag')).toBeNull();
      const exported = await client.request(
        'GET',
        `/api/v1/export/gap-analysis?workspace_id=${workspace}&format=csv`,
      );
      expect([exported.status, WORDS.test(exported.text)]).toEqual([200, false]);
    }
    // A preview shows what the download would hold, of any format.
    const preview = (client: Client, id: string) => client.request('GET', `/api/v1/reports/${id}/preview`);
    const csv = await rendered({ format: 'csv' });
    for (const [client, id, readsWords, isMarked] of [
      [owner, report.id, true, false],
      [owner, csv.id, true, false],
      [engineer, csv.id, false, false],
      [viewer, report.id, false, true],
    ] as const) {
      const page = await preview(client, id);
      expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(page.headers.get('content-disposition')).toBe('inline');
      expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none'.*; sandbox; frame-anc/);
      expect([WORDS.test(page.text), page.text.includes('Copy for Test User')]).toEqual([
        readsWords,
        isMarked,
      ]);
    }
    // Before it is made it says the same; nothing is kept, and who may make none sees none.
    const before = (client: Client, query: string) =>
      client.request('GET', `/api/v1/reports/preview?workspace_id=${workspace}&type=full&${query}`);
    const kept = (await owner.request('GET', `/api/v1/reports?workspace_id=${workspace}`)).body;
    for (const [client, readsWords] of [
      [owner, true],
      [engineer, false],
    ] as const) {
      const page = await before(
        client,
        `analysis_ids=${report.analysis_ids[0]}&title=Draft%20of%20it&language=de`,
      );
      expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none'.*; sandbox; frame-anc/);
      expect([WORDS.test(page.text), page.text.includes('Draft of it')]).toEqual([readsWords, true]);
      expect(page.text).toContain('lang="de"');
    }
    expect((await before(viewer, `analysis_ids=${report.analysis_ids[0]}`)).status).toBe(403);
    expect(await before(owner, `analysis_ids=${workspace}`)).toMatchObject({
      status: 422,
      body: { error: { details: { issues: [{ path: 'query.analysis_ids.0', code: 'unknown' }] } } },
    });
    expect((await owner.request('GET', `/api/v1/reports?workspace_id=${workspace}`)).body).toEqual(kept);
    // What somebody renders who may not read them has no such words for anybody.
    const theirs = await rendered({ format: 'json' }, engineer);
    expect((await download(theirs.id)).text).not.toMatch(WORDS);
    expect(await ask({}, viewer)).toMatchObject({ status: 403 });
  });

  test('exports the newest result at once, safe in a spreadsheet', async () => {
    const path = `/api/v1/export/completeness?workspace_id=${workspace}`;
    const csv = await owner.request('GET', `${path}&format=csv`);
    expect(csv).toMatchObject({ status: 200 });
    expect(csv.headers.get('content-type')).toContain('text/csv');
    expect(csv.text).toContain('record,analysis,');
    expect(csv.text).not.toMatch(/(^|,|\n)[=+@-]/);
    for (const format of ['html', 'json', 'xlsx', 'sarif', 'junit']) {
      expect((await owner.request('GET', `${path}&format=${format}`)).status).toBe(200);
    }
    const none = await owner.request('GET', `/api/v1/export/checklist?workspace_id=${workspace}`);
    expect(none.status).toBe(404);
    expect(await owner.request('GET', `${path}&analysis_id=${gaps}`)).toMatchObject({ status: 404 });
  });

  test('of a checklist every item is told, with what a person answered beside the tool', async () => {
    const run = await analysed('/compliance/checklist', { workspace_id: workspace, checklist_id: 'FS-HARA' });
    const items = await data.asOwner<{ item_id: string; basis: string; verdict: string }>(
      'select item_id, basis, verdict from checklist_results where analysis_id = $1 order by ordinal',
      [run],
    );
    expect(items.length).toBeGreaterThan(10);
    const failing = items.filter(({ verdict }) => verdict === 'fail' || verdict === 'missing');
    const [answered, stale] = failing;
    for (const [item, basis] of [
      [answered!, answered!.basis],
      [stale!, 'of another version'],
    ] as const) {
      await data.asOwner(
        `insert into checklist_answers (workspace_id, checklist_id, item_id, item_revision, verdict, reason, analysis_id,
                                        machine_verdict, basis, documents, answered_by)
         values ($1, 'FS-HARA', $2, 1, 'NA', 'The lamp has no hazard.', $3, 'missing', $4, '[]', $5)`,
        [workspace, item.item_id, run, basis, owner.userId],
      );
    }
    const report = await rendered({ type: 'checklist', analysis_ids: [run], format: 'json' });
    const [part] = ((await download(report.id)).body as { parts: Part[] }).parts;
    expect(part!.results.map(({ id }) => id)).toEqual(items.map(({ item_id }) => item_id));
    const overrides = part!.results.filter(({ override }) => override);
    expect(overrides).toMatchObject([
      {
        id: answered!.item_id,
        state: answered!.verdict,
        override: { state: 'NA', by: 'Test User', reason: 'The lamp has no hazard.' },
      },
    ]);
    const found = part!.findings.map(({ criterionId }) => criterionId);
    expect(found).toContain(stale!.item_id);
    expect(found).not.toContain(answered!.item_id);
    const csv = await owner.request('GET', `/api/v1/export/checklist?workspace_id=${workspace}&format=csv`);
    for (const { item_id } of items) expect(csv.text).toContain(item_id);
  });

  test('of a trace the matrix is there as long as it is the one that was analysed', async () => {
    const table = [
      '# Safety goals',
      '| ID | Safety goal | ASIL |\n|---|---|---|\n| SG-01 | The door shall not open while the vehicle moves. | B |',
    ];
    const file = { name: 'goals.md', type: 'text/markdown', bytes: table.join('\n\n') };
    const { id } = (await uploadWorkProduct(owner, workspace, file)).body as WorkProduct;
    await until(
      owner,
      `/api/v1/work-products/${id}`,
      (one: WorkProduct) => one.processing_status === 'completed',
    );
    const run = await analysed('/traceability/analyze', { workspace_id: workspace });
    const traced = async (): Promise<Part> => {
      const report = await rendered({ type: 'traceability', analysis_ids: [run], format: 'json' });
      return ((await download(report.id)).body as { parts: Part[] }).parts[0]!;
    };
    const before = await traced();
    expect(before.trace).toMatchObject({
      artifacts: 1,
      matrixTotal: 1,
      matrix: [{ id: 'SG-01', integrity: 'ASIL B' }],
    });
    expect(before.findings.length).toBeGreaterThan(0);
    await post('/traceability/artifacts', {
      workspace_id: workspace,
      artifact_id: 'FSR-1',
      type: 'functional_safety_requirement',
      text: 'The latch shall be locked.',
    });
    const after = await traced();
    expect(after.trace).toBeUndefined();
    expect(after.notAssessed).toMatchObject([{ reason: expect.stringContaining('has changed since') }]);
    expect(after.findings).toEqual(before.findings);
  });

  test('refuses what cannot be reported', async () => {
    const unknown = '00000000-0000-4000-8000-000000000000';
    for (const change of [
      { analysis_ids: [] },
      { analysis_ids: [unknown] },
      { analysis_ids: [gaps, gaps] },
      { analysis_ids: [completeness] },
      { format: 'exe' },
    ]) {
      expect(await ask(change)).toMatchObject({ status: 422 });
    }
    const stranger = await app.signUp();
    expect(await ask({}, stranger)).toMatchObject({ status: 404 });
  });

  test('loses words of a standard with its attestation, file and model alike', async () => {
    const report = await rendered();
    const objects = await objectsOf(report.id);
    const withdrawn = await owner.request(
      'DELETE',
      `/api/v1/standards/${standard}/attest?reason=The+licence+has+ended.`,
    );
    expect(withdrawn.status).toBe(200);
    const after = await until<Report>(
      owner,
      `/api/v1/reports/${report.id}`,
      ({ original_sha256 }) => original_sha256 !== null,
    );
    expect(after.original_sha256).toBe(report.sha256);
    expect(after.content_hash).toBe(report.content_hash);
    expect(after.words_withdrawn_at).not.toBeNull();
    const { status, text } = await download(report.id);
    expect([status, WORDS.test(text)]).toEqual([200, false]);
    expect(text).toContain('Removed with the text of the standard.');
    expect(createHash('sha256').update(text).digest('hex')).toBe(after.sha256);
    const storage = app.dependencies.storage.within(workspace);
    for (const key of objects) expect(await storage.size(key)).toBeUndefined();
  });

  test('deletes a report with its objects; engineers their own', async () => {
    const report = await rendered({ type: 'completeness', analysis_ids: [completeness] });
    const objects = await objectsOf(report.id);
    const storage = app.dependencies.storage.within(workspace);
    for (const key of objects) expect(await storage.size(key)).toBeGreaterThan(0);
    const path = `/api/v1/reports/${report.id}`;
    expect(await engineer.request('DELETE', path)).toMatchObject({ status: 403 });
    expect(await owner.request('POST', `${path}/retry`)).toMatchObject({ status: 409 });
    expect(await owner.request('DELETE', path)).toMatchObject({ status: 204 });
    expect(await owner.request('GET', path)).toMatchObject({ status: 404 });
    const deadline = Date.now() + 20_000;
    while ((await storage.size(objects[0]!)) !== undefined && Date.now() < deadline) {
      await owner.request('GET', '/api/v1/health');
    }
    for (const key of objects) expect(await storage.size(key)).toBeUndefined();
    const audit = await data.asOwner<{ action: string }>(
      'select action from audit_events where target_id = $1 order by created_at',
      [report.id],
    );
    expect(audit.map(({ action }) => action)).toEqual(['report.created', 'report.deleted']);
  });

  test('tells what an earlier run did not find', async () => {
    expect((await ask({ options: { since: completeness } })).status).toBe(422);
    expect((await ask({ options: { since: gaps } })).status).toBe(422);
    const { id } = (
      await uploadWorkProduct(owner, workspace, {
        ...DOCUMENT,
        name: 'more.md',
        bytes: Buffer.from('# Plan\n\nNothing.\n'),
      })
    ).body as WorkProduct;
    await until(
      owner,
      `/api/v1/work-products/${id}`,
      (one: WorkProduct) => one.processing_status === 'completed',
    );
    const again = await analysed('/compliance/completeness', { workspace_id: workspace });
    expect(again).not.toBe(completeness);
    const { id: report } = await rendered({
      type: 'completeness',
      analysis_ids: [again],
      format: 'json',
      options: { since: completeness },
    });
    const since = JSON.parse((await download(report)).text) as ReportFile;
    const { items } = (await owner.request('GET', `/api/v1/analysis/gaps?analysis_id=${again}&limit=100`))
      .body as {
      items: Gap[];
    };
    const fresh = items.filter(({ change }) => change === 'new').map(({ fingerprint }) => fingerprint);
    const told = since.parts.flatMap((one) => one.findings.map(({ fingerprint }) => fingerprint));
    expect(told.sort()).toEqual(fresh.sort());
    const known = items.filter(({ change }) => change !== 'new' && change !== 'absent');
    expect(since.selection).toMatchObject({ findings: told.length, leftOut: known.length });
  });
});
