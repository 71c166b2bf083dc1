import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { watch } from '../../testing/event-stream.js';
import { joinWorkspace } from '../../testing/join-workspace.js';
import { type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { type TestFile, type UploadSession, until, upload, uploadWorkProduct } from '../../testing/upload.js';
import type { Gap } from '../gaps/gaps.schemas.js';
import type { EvidenceMap } from '../overview/overview.schemas.js';
import type { StartedAnalysis } from '../runs/analyses.schemas.js';
import type { WorkProduct } from '../work-products/work-products.schemas.js';
import type { ChecklistAnalysisDetail } from './checklist-analysis.view.js';
import type { ChecklistState, ReviewedItem } from './checklist-answers.schemas.js';
import type { ChecklistDetail, ListedChecklist } from './checklists.schemas.js';

const markdown = (name: string, lines: readonly string[]): TestFile => ({
  name,
  type: 'text/markdown',
  bytes: lines.join('\n\n'),
});
const HARA = [
  '# Hazard analysis and risk assessment',
  'Document ID: PSD-HARA-01',
  '## Scope',
  'The power sliding door opens and closes by a motor that the driver starts with a switch in the door frame.',
  '## Hazardous events',
  '| ID | Hazardous event | S | E | C | ASIL |\n|---|---|---|---|---|---|\n| HE-1 | The door opens while the vehicle moves | S3 | E4 | C3 | D |\n| HE-2 | The door closes on a hand | S2 | E3 | TBD | |',
  '## Safety goals',
  'SG-1: The door shall not open while the vehicle moves faster than 3 km/h. ASIL D',
];
const NOTE = ['# Minutes of a meeting', 'The team agreed on the colour of the door handle.'];
const LIST = [
  'checklist: { title: House review }',
  'items:',
  '  - { id: A, text: Is the colour of the door handle agreed? }',
  '  - { id: B, text: Is the budget of the cafeteria approved? }',
].join('\n');

const CONCEPT = [
  '# Functional safety concept',
  '## Functional safety requirements',
  '| ID | Requirement | ASIL | Derived from |\n|---|---|---|---|\n| FSR-1 | The controller shall hold the door shut above 3 km/h. | D | SG-1 |\n| FSR-2 | The controller shall report a blocked door. | D | |',
  '## Safety goals',
  'SG-1: The door shall not open while the vehicle moves faster than 3 km/h. ASIL D',
];
const LINKED = [
  'id: USR-LINKS',
  'title: { en: Links, de: Verknüpfungen }',
  'domain: own',
  'about: { document_types: [functional_safety_concept], names: { en: [safety concept], de: [Sicherheitskonzept] } }',
  'items:',
  '  - id: USR-LINKS-01',
  '    text: { en: Every requirement has a goal, de: Jede Anforderung hat ein Ziel }',
  '    pass: { en: All have one, de: Alle haben eines }',
  '    fail: { en: One has none, de: Eine hat keines }',
  '    severity: high',
  '    auto: full',
  '    checks:',
  '      - { check: coverage, of: [functional_safety_requirement], relation: parent, to: [safety_goal] }',
].join('\n');

describe('checklists of work products', () => {
  let data: TestDatabase;
  let api: TestApp;
  let owner: Client;
  let reader: Client;
  let engineer: Client;
  let workspace: string;
  let hara: string;
  let note: string;
  const workers: TestApp[] = [];
  const startWorker = async (): Promise<void> => {
    const { dataDirectory } = api.dependencies.configuration;
    workers.push(await startTestApp(data, { work: true, environment: { DATA_DIR: dataDirectory } }));
  };
  const stopWorkers = async (): Promise<void> => {
    for (const worker of workers.splice(0)) await worker.stop();
  };
  beforeAll(async () => {
    data = await createTestDatabase();
    api = await startTestApp(data);
    [owner, reader, engineer] = [await api.signUp(), await api.signUp(), await api.signUp()];
    workspace = (await post<{ id: string }>('/workspaces', { name: 'Doors' })).id;
    await joinWorkspace(api, { by: owner, workspace, member: reader, role: 'viewer' });
    await joinWorkspace(api, { by: owner, workspace, member: engineer, role: 'engineer' });
    await startWorker();
    hara = await add(markdown('hara.md', HARA));
    note = await add(markdown('note.md', NOTE));
  });
  afterAll(async () => {
    await stopWorkers();
    await api?.stop();
    await data?.stop();
  });

  const send = async <Body>(
    client: Client,
    method: string,
    path: string,
    options: { readonly body?: unknown; readonly status?: number } = {},
  ): Promise<Body> => {
    const { body, status = 200 } = options;
    const answer = await client.request(method, `/api/v1${path}`, body === undefined ? {} : { body });
    if (answer.status !== status) throw new Error(`${path} was answered ${answer.status}: ${answer.text}`);
    return answer.body as Body;
  };
  const post = async <Body>(path: string, body: unknown): Promise<Body> => {
    const answer = await owner.request('POST', `/api/v1${path}`, { body });
    if (answer.status >= 300) throw new Error(`${path} was answered ${answer.status}: ${answer.text}`);
    return answer.body as Body;
  };
  const isRead = (id: string) =>
    until(owner, `/api/v1/work-products/${id}`, (one: WorkProduct) => one.processing_status === 'completed');
  const add = async (file: TestFile): Promise<string> => {
    const { id } = (await uploadWorkProduct(owner, workspace, file)).body as WorkProduct;
    await isRead(id);
    return id;
  };
  const replace = async (id: string, file: TestFile): Promise<void> => {
    const path = `/api/v1/work-products/${id}/uploads`;
    const complete = ({ upload_id }: UploadSession) => `${path}/${upload_id}/complete`;
    const answer = await upload(owner, file, { init: `${path}/init`, complete });
    if (answer.status !== 200) throw new Error(`The version was answered ${answer.status}: ${answer.text}`);
    await isRead(id);
  };
  const start = (checklist: string, body: object = {}): Promise<StartedAnalysis> =>
    post('/compliance/checklist', { workspace_id: workspace, checklist_id: checklist, ...body });
  const ended = (id: string) =>
    until<ChecklistAnalysisDetail>(
      owner,
      `/api/v1/analysis/analyses/${id}`,
      ({ status }) => !['queued', 'running'].includes(status),
    );
  const check = async (checklist: string, body: object = {}) => {
    const done = await ended((await start(checklist, body)).id);
    expect([done.status, done.error]).toEqual(['completed', null]);
    return done;
  };
  const results = (checklist: string, client = owner) =>
    send<ChecklistState>(
      client,
      'GET',
      `/compliance/checklists/${checklist}/results?workspace_id=${workspace}`,
    );
  const itemOf = async (checklist: string, id: string): Promise<ReviewedItem> =>
    (await results(checklist)).items.find(({ item_id }) => item_id === id)!;
  const answerPath = (checklist: string, item: string) =>
    `/compliance/checklists/${checklist}/items/${encodeURIComponent(item)}/answer`;
  const answer = (
    [checklist, item]: readonly [string, string],
    body: object,
    { client = engineer, status = 200 }: { readonly client?: Client; readonly status?: number } = {},
  ) =>
    send<ReviewedItem>(client, 'PUT', answerPath(checklist, item), {
      body: { workspace_id: workspace, ...body },
      status,
    });

  test('are refused for unknown checklists and conditions, and without a model', async () => {
    for (const body of [
      { checklist_id: randomUUID() },
      { checklist_id: 'FS-NONE' },
      { checklist_id: 'FS-HARA', options: { conditions: { moon: true } } },
      { checklist_id: 'FS-HARA', mode: 'ai' },
    ]) {
      const path = '/api/v1/compliance/checklist';
      const { status } = await owner.request('POST', path, { body: { workspace_id: workspace, ...body } });
      expect(status, JSON.stringify(body)).toBe(422);
    }
  });

  test('answer every item with exact quotes, or with what was searched', async () => {
    const before = await results('fs-hara');
    expect(before).toMatchObject({ checklist_id: 'FS-HARA', analysis: null });
    expect(before.counts.effective).toEqual({
      pass: 0,
      fail: 0,
      missing: 0,
      NA: 0,
      to_be_reviewed: before.items.length,
    });

    const run = await start('fs-hara');
    const done = await ended(run.id);
    expect(done).toMatchObject({ type: 'checklist', status: 'completed', error: null, standard_id: null });
    expect(done.items.map(({ item_id }) => item_id)).toEqual(before.items.map(({ item_id }) => item_id));
    const texts = new Map([
      [hara, flat(HARA.join('\n'))],
      [note, flat(NOTE.join('\n'))],
    ]);
    for (const { verdict, evidence, search, severity, item, reason, looked_at } of done.items) {
      expect(item.text.en.length).toBeGreaterThan(10);
      expect(reason).not.toBe('');
      expect(severity === null).toBe(verdict === 'pass' || verdict === 'NA');
      if (verdict === 'missing')
        expect(search).toMatchObject({ statement: expect.stringContaining('Searched') });
      else if (verdict !== 'NA') expect(evidence.length).toBeGreaterThan(0);
      for (const { quote, work_product_id } of evidence) {
        expect(texts.get(work_product_id)).toContain(flat(quote));
        expect(looked_at).toContain(work_product_id);
      }
    }
    const { verdicts } = done.summary as { verdicts: Record<string, number> };
    const bad = done.items.filter(({ severity }) => severity !== null);
    expect(verdicts.fail! + verdicts.missing!).toBe(bad.length);
    expect(bad.length).toBeGreaterThan(3);
    expect(verdicts.pass!).toBeGreaterThan(0);
    expect(done.score).toBeCloseTo((100 * verdicts.pass!) / (done.items.length - verdicts.NA!), 1);

    expect(done.gaps.map(({ fingerprint }) => fingerprint).sort()).toEqual(
      bad.map(({ fingerprint }) => fingerprint).sort(),
    );
    const failed = done.items.find(({ verdict }) => verdict === 'fail')!;
    const gap = done.gaps.find(({ criterion_id }) => criterion_id === failed.item_id)!;
    expect(gap).toMatchObject({ type: 'fail', analysis_type: 'checklist', severity: failed.severity });
    expect(gap.evidence).toEqual(failed.evidence);
    const map = await send<EvidenceMap>(reader, 'GET', `/analysis/evidence?analysis_id=${run.id}`);
    expect(map.criteria.find(({ criterion_id }) => criterion_id === failed.item_id)).toMatchObject({
      analysis_type: 'checklist',
      verdict: 'fail',
      passages: failed.evidence,
    });
    const stream = await watch(api.address, `/api/v1/analysis/analyses/${run.id}/events`, {
      token: owner.token,
    });
    await stream.ended;
    expect(stream.events.filter(({ type }) => type === 'finding')).toHaveLength(bad.length);
    expect(stream.events.at(-1)).toMatchObject({ type: 'completed', data: { verdicts, gaps: bad.length } });

    expect(await start('FS-HARA')).toMatchObject({ id: run.id, from_store: true });
    const again = await check('FS-HARA', { force: true });
    expect(again).toMatchObject({ previous_analysis_id: run.id });
    expect(again.items).toEqual(done.items);
  });

  test('keep a person’s answer beside the verdict until what was reviewed changes', async () => {
    const first = await results('FS-HARA');
    const failed = first.items.find(({ machine }) => machine?.verdict === 'fail')!;
    const id = failed.item_id;
    const item = ['FS-HARA', id] as const;
    for (const client of [reader, owner]) {
      const state = await results('FS-HARA', client);
      expect(state.items.find(({ item_id }) => item_id === id)).toEqual(failed);
    }
    await answer(item, { verdict: 'pass', reason: 'x' }, { client: reader, status: 403 });
    await answer(item, { verdict: 'pass', reason: ' ' }, { status: 422 });
    await answer(item, { verdict: 'perhaps', reason: 'x' }, { status: 422 });
    await answer(['FS-HARA', 'FS-HARA-99'], { verdict: 'pass', reason: 'x' }, { status: 404 });
    await answer(item, { verdict: 'pass', reason: 'x', basis: 'other' }, { status: 409 });
    const quote = 'The door shall not open while the vehicle moves faster than 3 km/h.';
    for (const evidence of [
      [{ work_product_id: hara, quote: 'The door shall not open at all.' }],
      [{ work_product_id: randomUUID(), quote }],
      [{ work_product_id: hara, quote: 'Safety goals\nSG-1: The door shall not open' }],
    ]) {
      await answer(item, { verdict: 'pass', reason: 'x', evidence }, { status: 422 });
    }
    const body = { verdict: 'pass', reason: 'The table is checked elsewhere.', basis: failed.machine!.basis };
    const answered = await answer(item, {
      ...body,
      evidence: [{ work_product_id: hara, quote, note: 'Goal' }],
    });
    expect(answered).toMatchObject({
      effective_verdict: 'pass',
      review_status: 'overridden',
      review_reason: null,
      machine: failed.machine,
      answer: {
        verdict: 'pass',
        reason: body.reason,
        machine_verdict: 'fail',
        answered_by: engineer.userId,
        documents: [{ work_product_id: hara, name: 'hara', version: 1 }],
        evidence: [{ work_product_id: hara, version: 1, quote, note: 'Goal' }],
      },
    });
    const gapOf = async () => {
      const { items } = await send<{ items: Gap[] }>(owner, 'GET', `/analysis/gaps?clause=${id}`);
      return [items[0]!.status, items[0]!.note];
    };
    expect(await gapOf()).toEqual(['resolved', 'A person answered the item: pass.']);

    // The same again, and another version of what the item is not about: the answer stays.
    await check('FS-HARA', { force: true });
    expect(await itemOf('FS-HARA', id)).toMatchObject({
      review_status: 'overridden',
      effective_verdict: 'pass',
    });
    await replace(note, markdown('note.md', [...NOTE, 'It is to be blue.']));
    await check('FS-HARA');
    expect(await itemOf('FS-HARA', id)).toMatchObject({
      review_status: 'overridden',
      effective_verdict: 'pass',
    });
    // A run that did not read what was reviewed says nothing about it.
    const gapsOfAll = () =>
      send<{ items: Gap[] }>(owner, 'GET', `/analysis/gaps?analysis_type=checklist&limit=100`);
    const before = await gapsOfAll();
    expect(before.items.length).toBeGreaterThan(3);
    const part = await check('FS-HARA', { work_product_ids: [note] });
    expect(part.items.every(({ verdict }) => verdict === 'missing' || verdict === 'NA')).toBe(true);
    expect(part.gaps).toEqual([]);
    expect(await gapsOfAll()).toEqual(before);
    expect(await itemOf('FS-HARA', id)).toMatchObject({
      review_status: 'overridden',
      machine: failed.machine,
    });
    expect(await gapOf()).toEqual(['resolved', 'A person answered the item: pass.']);

    // Nor does one that is the newest, over a newer version of something else.
    await replace(note, markdown('note.md', [...NOTE, 'It is to be green.']));
    await check('FS-HARA', { work_product_ids: [note] });
    expect(await itemOf('FS-HARA', id)).toMatchObject({
      machine: { verdict: 'missing' },
      review_status: 'overridden',
      effective_verdict: 'pass',
    });
    expect((await gapOf())[0]).toBe('resolved');

    // A new version, before any run.
    await check('FS-HARA');
    await replace(hara, markdown('hara.md', [...HARA, 'SG-2: The door shall stop at a hand. ASIL B']));
    const stale = await itemOf('FS-HARA', id);
    expect(stale).toMatchObject({
      effective_verdict: 'to_be_reviewed',
      review_status: 'to_be_reviewed',
      review_reason: '"hara" was replaced: version 1 was reviewed, version 2 is there now.',
      answer: { verdict: 'pass', reason: body.reason },
    });
    expect(stale.history).toHaveLength(1);
    await answer(item, { verdict: 'pass', reason: 'Still so.' }, { status: 409 });
    await check('FS-HARA');
    expect(await gapOf()).toEqual(['open', expect.stringContaining('Found again')]);
    // Back to the words that were reviewed: a later run has rested on something else meanwhile.
    await replace(hara, markdown('hara.md', HARA));
    expect(await itemOf('FS-HARA', id)).toMatchObject({
      review_status: 'to_be_reviewed',
      review_reason: 'What the verdict rests on has changed since the item was answered.',
    });

    await check('FS-HARA');
    expect(await answer(item, { verdict: 'fail', reason: 'So it is.' })).toMatchObject({
      review_status: 'confirmed',
      effective_verdict: 'fail',
      history: [{ verdict: 'fail' }, { verdict: 'pass', reason: body.reason }],
    });
    await answer(item, { verdict: 'NA', reason: 'On second thought.' });
    expect((await gapOf())[0]).toBe('resolved');
    const path = `${answerPath(...item)}?workspace_id=${workspace}`;
    await send(engineer, 'DELETE', path, { status: 204 });
    expect(await gapOf()).toEqual(['open', 'The answer that had settled it does not count any more.']);
    await send(engineer, 'DELETE', path, { status: 404 });
    const after = await itemOf('FS-HARA', id);
    expect(after).toMatchObject({ answer: null, history: [{ verdict: null }, { verdict: 'NA' }, {}, {}] });
    expect(['not_needed', 'to_be_reviewed']).toContain(after.review_status);
    const events = await data.asOwner<{ action: string; reason: string | null }>(
      'select action, reason from audit_events where target_id = $1 order by created_at, id',
      [`FS-HARA/${id}`],
    );
    expect(events).toEqual([
      { action: 'checklist.answered', reason: body.reason },
      { action: 'checklist.answered', reason: 'So it is.' },
      { action: 'checklist.answered', reason: 'On second thought.' },
      { action: 'checklist.answer_taken_back', reason: null },
    ]);
  });

  test('of one’s own ask again when an item changes, and old runs keep what they judged', async () => {
    const own = await post<ChecklistDetail>('/compliance/checklists', {
      workspace_id: workspace,
      yaml: LIST,
    });
    const run = await check(own.id);
    expect(run.options).toMatchObject({ checklist: { id: own.id, revision: 1 } });
    expect(run.items.map(({ item_id, needs_confirmation }) => [item_id, needs_confirmation])).toEqual([
      ['USR-A', true],
      ['USR-B', true],
    ]);
    for (const id of ['USR-A', 'USR-B']) await answer([own.id, id], { verdict: 'NA', reason: 'Not here.' });
    expect((await results(own.id)).review).toEqual({
      statuses: { not_needed: 0, to_be_reviewed: 0, confirmed: 0, overridden: 2 },
      needed: 2,
      done: 2,
      percent: 100,
    });
    const path = `/compliance/checklists/${own.id}`;
    const release = (client: Client, status: number) =>
      send<ChecklistState>(client, 'POST', `${path}/releases`, {
        body: { workspace_id: workspace, comment: 'Fine.' },
        status,
      });
    await release(engineer, 403);
    await answer([own.id, 'USR-A'], { verdict: 'NA', reason: 'Mine.' }, { client: owner });
    await release(owner, 403);
    await answer([own.id, 'USR-A'], { verdict: 'NA', reason: 'Not here.' });
    const { releases } = await release(owner, 201);
    expect(releases).toMatchObject([{ current: true, comment: 'Fine.', released_by: owner.userId }]);
    await check(own.id, { force: true });
    expect((await results(own.id)).releases).toEqual(releases);
    const changed = LIST.replace('cafeteria', 'canteen').replace(
      'items:',
      'items:\n  - { id: C, text: Is it new? }',
    );
    await send(owner, 'PATCH', path, { body: { yaml: changed } });
    const state = await results(own.id);
    expect(state.items.map((one) => [one.item_id, one.review_status, one.review_reason])).toEqual([
      ['USR-C', 'to_be_reviewed', 'No run has judged it yet.'],
      ['USR-A', 'overridden', null],
      ['USR-B', 'to_be_reviewed', 'The item was changed after it was answered.'],
    ]);
    await answer([own.id, 'USR-B'], { verdict: 'NA', reason: 'x' }, { status: 409 });
    expect(state.releases).toEqual([{ ...releases[0], current: false }]);
    await release(owner, 409);
    expect((await ended(run.id)).items).toEqual(run.items);
    expect(run.items[1]!.item.text.en).toContain('cafeteria');

    await stopWorkers();
    const late = await start(own.id);
    await send(owner, 'PATCH', path, { body: { yaml: LIST } });
    await startWorker();
    expect(await ended(late.id)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('checklist was changed'),
      items: [],
    });
    await send(owner, 'DELETE', path, { status: 204 });
    expect((await ended(run.id)).items).toEqual(run.items);
    await send(owner, 'GET', `${path}/results?workspace_id=${workspace}`, { status: 404 });
  });

  test('count the links that people added beside those of the documents', async () => {
    const concept = await add(markdown('functional-safety-concept.md', CONCEPT));
    const own = await post<ChecklistDetail>('/compliance/checklists', {
      workspace_id: workspace,
      yaml: LINKED,
    });
    const instances = async () => {
      const { items } = await check(own.id, { work_product_ids: [concept] });
      return items[0]!.instances;
    };
    expect(await instances()).toEqual({ met: 1, total: 2 });
    await post('/traceability/links', {
      workspace_id: workspace,
      source_id: 'FSR-2',
      target_id: 'SG-1',
      link_type: 'derives_from',
    });
    expect(await instances()).toEqual({ met: 2, total: 2 });
  });

  test('take answers to many items at once, and are listed with how far they are', async () => {
    const made = await post<ChecklistDetail>('/compliance/checklists', {
      workspace_id: workspace,
      yaml: LIST.replace('House review', 'Second review'),
    });
    const listed = async () => {
      const path = `/compliance/checklists?workspace_id=${workspace}&include=state&limit=100`;
      const { items } = await send<{ items: ListedChecklist[] }>(owner, 'GET', path);
      return items.find(({ id }) => id === made.id)?.state;
    };
    expect(await listed()).toBeNull();
    await send(owner, 'GET', '/compliance/checklists?include=state', { status: 422 });
    await check(made.id);
    const items = (await results(made.id)).items.map(({ item_id }) => item_id);
    expect(await listed()).toMatchObject({ done: 0, released: false });
    const answers = items.map((item_id) => ({ item_id, verdict: 'pass', reason: 'Seen by the team.' }));
    const path = `/compliance/checklists/${made.id}/answers`;
    const wrong = await engineer.request('PATCH', `/api/v1${path}`, {
      body: {
        workspace_id: workspace,
        answers: [...answers, { item_id: 'USR-Z', verdict: 'pass', reason: 'x' }],
      },
    });
    expect(wrong).toMatchObject({ status: 404, body: { error: { details: { item_id: 'USR-Z' } } } });
    expect(await listed()).toMatchObject({ done: 0 });
    const body = { workspace_id: workspace, answers };
    await send(reader, 'PATCH', path, { body, status: 403 });
    const state = await send<ChecklistState>(engineer, 'PATCH', path, { body });
    expect(state.review).toMatchObject({ done: items.length, needed: items.length, percent: 100 });
    expect(await listed()).toMatchObject({
      ...{ needed: items.length, done: items.length, percent: 100, released: false },
      counts: { pass: items.length, fail: 0, missing: 0, NA: 0, to_be_reviewed: 0 },
    });
    await send(owner, 'POST', `/compliance/checklists/${made.id}/releases`, {
      body: { workspace_id: workspace },
      status: 201,
    });
    expect(await listed()).toMatchObject({ released: true });
    const audited = await data.asOwner(
      "select from audit_events where workspace_id = $1 and action = 'checklist.answered' and target_id like $2",
      [workspace, `${made.id}/%`],
    );
    expect(audited.length).toBe(items.length);
  }, 60_000);

  test('belong to one workspace', async () => {
    const other = (await post<{ id: string }>('/workspaces', { name: 'Others' })).id;
    const own = await post<ChecklistDetail>('/compliance/checklists', { workspace_id: other, yaml: LIST });
    const body = { workspace_id: workspace, checklist_id: own.id };
    await send(owner, 'POST', '/compliance/checklist', { body, status: 422 });
    await send(owner, 'GET', `/compliance/checklists/${own.id}/results?workspace_id=${workspace}`, {
      status: 404,
    });
    await answer([own.id, 'USR-A'], { verdict: 'pass', reason: 'x' }, { client: owner, status: 404 });
    await send(reader, 'GET', `/compliance/checklists/${own.id}`, { status: 404 });
  });
});

const flat = (text: string): string => text.replace(/[\s#*|]+/g, ' ');
