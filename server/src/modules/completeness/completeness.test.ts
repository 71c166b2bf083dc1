import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { watch } from '../../testing/event-stream.js';
import { joinWorkspace } from '../../testing/join-workspace.js';
import { type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { type TestFile, type UploadSession, until, upload, uploadWorkProduct } from '../../testing/upload.js';
import type { Gap } from '../gaps/gaps.schemas.js';
import type { EvidenceMap, Overview } from '../overview/overview.schemas.js';
import type { StartedAnalysis } from '../runs/analyses.schemas.js';
import type { TemplateDetail } from '../templates/templates.schemas.js';
import type { WorkProduct } from '../work-products/work-products.schemas.js';
import type { CompletenessDetail } from './completeness.view.js';

const PROSE =
  'The power sliding door opens and closes by a motor that the driver or a passenger starts with a switch in the door frame.';
const markdown = (name: string, lines: readonly string[]): TestFile => ({
  name,
  type: 'text/markdown',
  bytes: lines.join('\n\n'),
});
const HARA = [
  '# Hazard analysis and risk assessment',
  'Document ID: PSD-HARA-01',
  '## Scope',
  PROSE,
  '## Hazardous events',
  'HE-1: The door opens while the vehicle moves. The severity is TBD.',
  '## Safety goals',
  'SG-1: The door shall not open while the vehicle moves faster than 3 km/h.',
];
const NOTE = ['# Work plan of the door', '## Aims', PROSE, '## Steps', 'The steps are to be defined.'];
const TEMPLATE = [
  'id: work_plan',
  'name: { en: Work plan, de: Arbeitsplan }',
  'aliases: [Work plan]',
  'sections:',
  '  - { key: aims, heading: { en: Aims, de: Ziele }, need: required, severity: medium }',
  '  - { key: steps, heading: { en: Steps, de: Schritte }, need: required, severity: high }',
  '  - { key: people, heading: { en: People, de: Beteiligte }, need: required, severity: high }',
].join('\n');

describe('completeness checks', () => {
  let data: TestDatabase;
  /** Takes requests and works on no job. */
  let api: TestApp;
  let owner: Client;
  let reader: Client;
  let workspace: string;
  let hara: string;
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
    owner = await api.signUp();
    reader = await api.signUp();
    workspace = (await post<{ id: string }>('/workspaces', { name: 'Doors' })).id;
    await joinWorkspace(api, { by: owner, workspace, member: reader, role: 'viewer' });
    await startWorker();
  });
  afterAll(async () => {
    await stopWorkers();
    await api?.stop();
    await data?.stop();
  });

  const post = async <Body>(path: string, body: unknown): Promise<Body> => {
    const answer = await owner.request('POST', `/api/v1${path}`, { body });
    if (answer.status >= 300) throw new Error(`${path} was answered ${answer.status}: ${answer.text}`);
    return answer.body as Body;
  };
  const get = async <Body>(path: string, client = owner): Promise<Body> => {
    const answer = await client.request('GET', `/api/v1${path}`);
    if (answer.status !== 200) throw new Error(`${path} was answered ${answer.status}: ${answer.text}`);
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
  const ask = (body: object) =>
    owner.request('POST', '/api/v1/compliance/completeness', { body: { workspace_id: workspace, ...body } });
  const start = (body: object = {}): Promise<StartedAnalysis> =>
    post('/compliance/completeness', { workspace_id: workspace, ...body });
  const ended = (id: string) =>
    until<CompletenessDetail>(
      owner,
      `/api/v1/analysis/analyses/${id}`,
      ({ status }) => !['queued', 'running'].includes(status),
    );
  const check = async (body: object = {}) => ended((await start(body)).id);

  test('are refused without documents, with unknown templates, rules and conditions', async () => {
    expect(await ask({})).toMatchObject({
      status: 409,
      body: { error: { details: { reason: 'no_work_products' } } },
    });
    for (const body of [
      { template_id: randomUUID() },
      { template_id: 'no_such_type' },
      { options: { requirement_quality: { without: ['RQQ-99'] } } },
      { options: { conditions: { moon: true } } },
      { mode: 'ai' },
    ]) {
      expect((await ask(body)).status, JSON.stringify(body)).toBe(422);
    }
  });

  test('tell for each document its templates, states, open content and quality, with exact quotes', async () => {
    hara = await add(markdown('hara.md', HARA));
    const answer = await ask({});
    expect(answer).toMatchObject({ status: 202, body: { type: 'completeness', from_store: false } });
    const { id } = answer.body as StartedAnalysis;
    expect(answer.headers.get('location')).toBe(`/api/v1/analysis/analyses/${id}`);
    const done = await ended(id);
    expect(done).toMatchObject({ type: 'completeness', status: 'completed', standard_id: null, error: null });
    const [document] = done.documents;
    const [template] = document!.templates;
    expect(template).toMatchObject({ type: 'hara', template_id: 'hara', part: 'document' });
    expect(template!.reasons.length).toBeGreaterThan(0);
    expect(template!.sections.length).toBeGreaterThan(5);
    const counted = Object.values(document!.score.states).reduce((sum, count) => sum + count, 0);
    const demanded = template!.sections.filter(({ applies }) => applies === 'yes');
    expect(counted).toBe(demanded.filter(({ need }) => need !== 'optional').length);
    expect(document!.placeholders.map(({ evidence }) => evidence[0]?.quote).join()).toContain('TBD');
    expect(document!.metadata.find(({ key }) => key === 'document_id')).toMatchObject({ state: 'present' });
    const quoted = JSON.stringify(document).match(/"quote":"(?:[^"\\]|\\.)*"/g)!;
    const text = flat(HARA.join('\n'));
    for (const one of quoted)
      expect(text).toContain(flat((JSON.parse(`{${one}}`) as { quote: string }).quote));
    expect(quoted.length).toBeGreaterThan(3);

    // Open content lowers the score of the run, whose documents are judged together (decision 295).
    expect(done.score).toBeGreaterThan(0);
    expect(done.score).toBeLessThan(document!.score.value!);
    expect(done.work_products).toMatchObject([{ work_product_id: hara, score: document!.score.value }]);
    // The score of a work product is that of gap analyses alone.
    expect(await get(`/work-products/${hara}`)).toMatchObject({ compliance_score: 0, assessed: false });
    expect(done.gaps.length).toBe(done.gaps_total);
    expect(done.gaps.map(({ fingerprint }) => fingerprint).sort()).toEqual(
      [...document!.gap_fingerprints].sort(),
    );
    expect(
      new Set(done.gaps.map((gap) => `${gap.analysis_type} ${gap.standard_id} ${gap.work_product_id}`)),
    ).toEqual(new Set([`completeness null ${hara}`]));
    const stream = await watch(api.address, `/api/v1/analysis/analyses/${id}/events`, { token: owner.token });
    await stream.ended;
    expect(stream.events.filter(({ type }) => type === 'finding')).toHaveLength(done.gaps.length);
    expect(stream.events.at(-1)).toMatchObject({
      type: 'completed',
      data: { documents: 1, gaps: done.gaps.length, score: done.score },
    });
  });

  test('are in the views beside gap analyses, and in words that every member may read', async () => {
    const run = (await start()).id;
    const list = (query: string, client = owner) =>
      get<{ items: Gap[]; total: number }>(`/analysis/gaps?limit=100&${query}`, client);
    const all = await list('analysis_type=completeness');
    expect(all.total).toBeGreaterThan(3);
    expect((await list('analysis_type=gap_analysis')).total).toBe(0);
    expect((await list(`work_product_id=${hara}`)).total).toBe(all.total);
    const own = await list('analysis_type=completeness', reader);
    expect(own.items.map(({ title }) => title)).toEqual(all.items.map(({ title }) => title));
    expect((await list(`search=${encodeURIComponent(all.items[0]!.title)}`, reader)).total).toBeGreaterThan(
      0,
    );

    const map = await get<EvidenceMap>(`/analysis/evidence?workspace_id=${workspace}`);
    expect(map.analysis_ids).toEqual([run]);
    const goals = map.criteria.find(({ criterion_id }) => criterion_id === 'hara.safety_goals');
    expect(goals).toMatchObject({ analysis_type: 'completeness', standard_id: null });
    expect(goals!.passages[0]).toMatchObject({ work_product_id: hara, version: 1 });
    expect(map.passages.length).toBeGreaterThan(0);

    const overview = await get<Overview>(`/analysis/overview?workspace_id=${workspace}`);
    expect(overview.others).toMatchObject([
      { analysis_type: 'completeness', series: 'completeness', analysis_id: run, gaps: all.total },
    ]);
    expect(overview.gaps.by_analysis_type).toEqual({ completeness: all.total });
    expect(overview.trend).toMatchObject([{ analysis_type: 'completeness', standard_id: null }]);
  });

  test('are answered from the store, repeat themselves, and say what a new version changed', async () => {
    const first = await get<CompletenessDetail>(`/analysis/analyses/${(await start()).id}`);
    const again = await check({ force: true });
    expect(again.id).not.toBe(first.id);
    expect(again.previous_analysis_id).toBe(first.id);
    expect(again.documents).toEqual(first.documents);
    expect(again.gaps.every(({ change }) => change === 'unchanged')).toBe(true);

    const open = first.gaps.find(({ type }) => type.startsWith('placeholder'));
    await owner.request('PATCH', `/api/v1/analysis/gaps/${open!.id}`, { body: { status: 'in_progress' } });
    await replace(
      hara,
      markdown(
        'hara.md',
        HARA.map((line) => line.replace('The severity is TBD.', 'The severity is S3.')),
      ),
    );
    const mended = await check();
    expect(mended).toMatchObject({ work_products: [{ version: 2 }] });
    expect(mended.gaps.some(({ id }) => id === open!.id)).toBe(false);
    expect(await get(`/analysis/gaps?change=absent`)).toMatchObject({
      items: expect.arrayContaining([expect.objectContaining({ id: open!.id, status: 'in_progress' })]),
    });
  });

  test('over a part of the documents leave the gaps of the others alone', async () => {
    const plan = await add(markdown('work-plan.md', NOTE));
    const both = await check();
    expect(both.documents.map(({ work_product_id }) => work_product_id)).toEqual([hara, plan]);
    const template = await post<TemplateDetail>('/compliance/templates', {
      workspace_id: workspace,
      yaml: TEMPLATE,
    });
    const alone = await check({ work_product_ids: [plan] });
    const [document] = alone.documents;
    expect(document!.templates).toMatchObject([{ type: 'work_plan', template_id: template.id }]);
    expect(document!.templates[0]!.sections.map(({ key, state }) => `${key} ${state}`)).toEqual([
      'aims complete',
      'steps placeholder',
      'people missing',
    ]);
    expect(alone.options).toMatchObject({
      templates: [{ id: template.id, type: 'work_plan', revision: 1 }],
    });
    const absent = await get<{ items: Gap[] }>('/analysis/gaps?change=absent&limit=100');
    const ofHara = both.gaps.filter(({ work_product_id }) => work_product_id === hara);
    expect(ofHara.length).toBeGreaterThan(0);
    for (const { id } of ofHara) expect(absent.items.some((gap) => gap.id === id)).toBe(false);

    const forced = await check({ work_product_ids: [hara], template_id: template.id });
    expect(forced.documents[0]!.templates.map(({ type }) => type)).toEqual(['work_plan']);
    const builtIn = await check({ work_product_ids: [plan], template_id: 'hara' });
    expect(builtIn.documents[0]!.templates.map(({ type }) => type)).toEqual(['hara']);
  });

  test('end with a sentence when a template changed after the start', async () => {
    const [template] = (await get<{ items: TemplateDetail[] }>('/compliance/templates?built_in=false')).items;
    await stopWorkers();
    const { id } = await start({ force: true });
    const path = `/api/v1/compliance/templates/${template!.id}`;
    expect((await owner.request('PATCH', path, { body: { yaml: `${TEMPLATE}\n` } })).status).toBe(200);
    await startWorker();
    expect(await ended(id)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('work_plan was changed'),
      documents: [],
    });
    const answer = await owner.request('POST', `/api/v1/analysis/analyses/${id}/retry`);
    expect(answer.status).toBe(202);
    expect(await ended(id)).toMatchObject({ status: 'failed' });
    expect((await check()).options).toMatchObject({ templates: [{ revision: 2 }] });
  });

  test('write nothing once they are cancelled or in other hands', async () => {
    await stopWorkers();
    const cancelled = await start({ force: true });
    await owner.request('POST', `/api/v1/analysis/analyses/${cancelled.id}/cancel`);
    expect(await ended(cancelled.id)).toMatchObject({ status: 'cancelled', documents: [], gaps: [] });

    const { id } = await start({ force: true });
    await data.asOwner(
      `create function take_over() returns trigger language plpgsql as $$
       begin new.attempt := new.attempt + 1; return new; end $$`,
    );
    await data.asOwner(
      `create trigger take_over before update on analyses for each row
       when (old.attempt = 1 and new.attempt = 1 and new.percent > old.percent) execute function take_over()`,
    );
    const stateOf = async () => {
      const text = "select state::text from pgboss.job where data ->> 'analysisId' = $1";
      return (await data.asOwner<{ state: string }>(text, [id]))[0]?.state;
    };
    await startWorker();
    await expect.poll(stateOf, { timeout: 20_000 }).toBe('completed');
    await data.asOwner('drop trigger take_over on analyses');
    expect(await data.asOwner('select from completeness_documents where analysis_id = $1', [id])).toEqual([]);
    const answer = await owner.request('GET', `/api/v1/analysis/analyses/${id}`);
    expect(answer.body).toMatchObject({ status: 'running', attempt: 2, documents: [], gaps: [] });
    await owner.request('POST', `/api/v1/analysis/analyses/${id}/cancel`);
  });
});

const flat = (text: string): string => text.replace(/[\s#*|]+/g, ' ');
