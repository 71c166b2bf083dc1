import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { joinWorkspace } from '../../testing/join-workspace.js';
import { type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { until, uploadWorkProduct } from '../../testing/upload.js';
import type { GapAnalysisDetail } from '../gap-analysis/gap-analysis.view.js';
import type { Gap } from '../gaps/gaps.schemas.js';
import type { ClauseNode, Drilldown, EvidenceMap, Overview } from '../overview/overview.schemas.js';
import type { WorkProduct } from '../work-products/work-products.schemas.js';
import type { Analysis, StartedAnalysis } from './analyses.schemas.js';

const HARA = `# Hazard analysis and risk assessment of the lane assistance

Version 1.0, status: released, author: R. Example

## 1 Purpose

This document holds the hazard analysis and risk assessment of the lane assistance item.

## 2 Hazardous events

| ID | Hazard | Operational situation | Severity | Exposure | Controllability | ASIL |
|----|--------|-----------------------|----------|----------|-----------------|------|
| HE-01 | Steering torque too high | Highway, wet road | S3 | E4 | C3 | D |
| HE-02 | Torque in the wrong direction | Country road | S3 | E3 | C3 | C |

## 3 Safety goals

| ID | Safety goal | ASIL | Safe state |
|----|-------------|------|------------|
| SG-01 | The oscillating steering torque shall be limited. | D | torque request is zero |
| SG-02 | The lane keeping torque shall be limited in time. | C | TBD |
`;
const CONCEPT = `# Functional safety concept of the lane assistance

Version 0.4, status: draft

## 1 Functional safety requirements

FSR-01: The lane assistance shall set the torque request to zero within 50 ms after the limit of SG-01 is exceeded. ASIL D.

## 2 Warning and degradation

To be defined.
`;

describe('analyses over HTTP', () => {
  let data: TestDatabase;
  let app: TestApp;
  let owner: Client;
  let stranger: Client;
  let workspace: string;
  let standard: string;
  beforeAll(async () => {
    data = await createTestDatabase();
    app = await startTestApp(data, { work: true, environment: { EMBEDDINGS: 'off' } });
    owner = await app.enter();
    stranger = await app.enter();
    workspace = (await post<{ id: string }>('/workspaces', { name: 'Lane assistance' })).id;
    const adopted = { workspace_id: workspace, catalog_id: 'iso-26262-3-2018' };
    standard = (await post<{ id: string }>('/standards', adopted)).id;
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
  const get = async <Body>(path: string): Promise<Body> => {
    const answer = await owner.request('GET', `/api/v1${path}`);
    if (answer.status !== 200) throw new Error(`${path} was answered ${answer.status}: ${answer.text}`);
    return answer.body as Body;
  };
  const add = async (name: string, bytes: string, into = workspace): Promise<WorkProduct> => {
    const done = await uploadWorkProduct(owner, into, { name, type: 'text/markdown', bytes });
    const { id } = done.body as WorkProduct;
    return until(owner, `/api/v1/work-products/${id}`, ({ processing_status }: WorkProduct) =>
      ['completed', 'failed'].includes(processing_status),
    );
  };
  const ended = (id: string): Promise<GapAnalysisDetail> =>
    until(
      owner,
      `/api/v1/analysis/analyses/${id}`,
      ({ status }: GapAnalysisDetail) => !['queued', 'running'].includes(status),
    );
  const start = (body: object = {}): Promise<StartedAnalysis> =>
    post('/analysis/gaps', { workspace_id: workspace, standard_id: standard, ...body });

  test('refuses to start without documents, with unread ones, with unknown ones, and by a model', async () => {
    const ask = (body: object) =>
      owner.request('POST', '/api/v1/analysis/gaps', {
        body: { workspace_id: workspace, standard_id: standard, ...body },
      });
    expect(await ask({})).toMatchObject({
      status: 409,
      body: { error: { details: { reason: 'no_work_products' } } },
    });
    expect(await ask({ work_product_ids: [randomUUID()] })).toMatchObject({ status: 422 });
    expect(await ask({ standard_id: randomUUID() })).toMatchObject({ status: 422 });
    expect(await ask({ mode: 'ai' })).toMatchObject({ status: 422 });
    expect(await ask({ options: { conditions: { 'no-such': true } } })).toMatchObject({ status: 422 });
    expect(await ask({ options: { clauses: ['6', '99.9'] } })).toMatchObject({
      status: 422,
      body: { error: { details: { issues: [{ path: 'body.options.clauses' }] } } },
    });
    expect(await ask({ workspace_id: randomUUID() })).toMatchObject({ status: 404 });
    const init = { filename: 'a.md', size: 3, content_type: 'text/markdown', workspace_id: workspace };
    const { file_id } = await post<{ file_id: string }>('/work-products/uploads/init', init);
    expect(await ask({ work_product_ids: [file_id] })).toMatchObject({
      status: 409,
      body: { error: { details: { reason: 'work_products_not_ready', work_product_ids: [file_id] } } },
    });
  });

  test('go from the start to gaps with exact quotes, and the views agree', async () => {
    const texts = new Map<string, string>();
    const hara = await add('hara.md', HARA);
    const concept = await add('functional-safety-concept.md', CONCEPT);
    expect(hara).toMatchObject({ processing_status: 'completed', category: 'hara' });
    texts.set(hara.id, HARA).set(concept.id, CONCEPT);

    const answer = await owner.request('POST', '/api/v1/analysis/gaps', {
      body: { workspace_id: workspace, standard_id: standard },
    });
    expect(answer).toMatchObject({
      status: 202,
      body: { status: 'queued', from_store: false, mode: 'rules' },
    });
    const started = answer.body as StartedAnalysis;
    expect(answer.headers.get('location')).toBe(`/api/v1/analysis/analyses/${started.id}`);
    const analysis = await ended(started.id);
    expect(analysis).toMatchObject({
      status: 'completed',
      error: null,
      progress: { percent: 100 },
      attempt: 1,
    });
    expect(analysis.work_products.map((input) => [input.work_product_id, input.version])).toEqual([
      [hara.id, 1],
      [concept.id, 1],
    ]);
    expect(analysis.verdicts.length).toBeGreaterThan(20);
    expect(analysis.gaps.length).toBeGreaterThan(0);
    expect(analysis.recommendations).toHaveLength(analysis.gaps.length);
    const evidence = [...analysis.verdicts, ...analysis.gaps].flatMap((one) => one.evidence);
    expect(evidence.length).toBeGreaterThan(5);
    for (const { work_product_id, version, quote } of evidence) {
      expect(version).toBe(1);
      expect(flat(texts.get(work_product_id) ?? '')).toContain(flat(quote));
    }
    const unsupported = analysis.verdicts.filter((one) => one.evidence.length === 0 && one.search === null);
    expect(unsupported.filter((one) => ['covered', 'missing'].includes(one.verdict))).toEqual([]);

    const overview = await get<Overview>(`/analysis/overview?workspace_id=${workspace}`);
    expect(overview.gaps.total).toBe(analysis.gaps.length);
    expect(overview.standards).toMatchObject([
      { standard_id: standard, analysis_id: analysis.id, score: analysis.score },
    ]);
    expect(overview.trend).toMatchObject([{ analysis_id: analysis.id, gaps: analysis.gaps.length }]);

    const drilldown = await get<Drilldown>(`/analysis/standards/${standard}/drilldown`);
    const nodes = drilldown.clauses.flatMap(all);
    expect(nodes.filter((node) => node.verdict !== null)).toHaveLength(analysis.verdicts.length);
    expect(nodes.flatMap((node) => node.gaps)).toHaveLength(analysis.gaps.length);

    expect(await get<GapAnalysisDetail>(`/analysis/analyses/${analysis.id}?include=none`)).toEqual({
      ...analysis,
      ...{ gaps: [], recommendations: [], verdicts: [] },
    });
    // A part of it, as a tree is opened.
    const tree = `/analysis/standards/${standard}/drilldown`;
    const [top] = (await get<Drilldown>(`${tree}?depth=1&include=none`)).clauses;
    expect(top).toMatchObject({ children: [], child_count: drilldown.clauses[0]!.children!.length });
    expect(top!.child_count).toBeGreaterThan(0);
    const below = await get<Drilldown>(`${tree}?parent=${encodeURIComponent(top!.criterion_id)}`);
    expect(below.clauses).toEqual(drilldown.clauses[0]!.children);
    // With the way to one that lies deep, and of all only what somebody has to look at.
    const depths = (list: readonly ClauseNode[], depth = 1): [ClauseNode, number][] =>
      list.flatMap((node) => [
        [node, depth] as [ClauseNode, number],
        ...depths(node.children ?? [], depth + 1),
      ]);
    const [deepest] = depths(drilldown.clauses).sort(([, a], [, b]) => b - a)[0]!;
    const way = await get<Drilldown>(`${tree}?depth=1&at=${encodeURIComponent(deepest.criterion_id)}`);
    expect(way.clauses.flatMap(all)).toContainEqual(deepest);
    expect(way.clauses.flatMap(all).length).toBeLessThan(nodes.length);
    const open = (await get<Drilldown>(`${tree}?only=open`)).clauses.flatMap(all);
    expect(open.flatMap(({ gaps }) => gaps)).toHaveLength(analysis.gaps.length);
    expect(open.length).toBeLessThan(nodes.length);
    for (const { gaps, review_status, child_count, children = [] } of open) {
      expect(children).toHaveLength(child_count);
      expect(gaps.length > 0 || review_status === 'to_be_reviewed' || child_count > 0).toBe(true);
    }
    for (const { effective_verdicts, ...node } of nodes) {
      const counts: Record<string, number> = {};
      for (const { effective_verdict: one } of all({ effective_verdicts, ...node })) {
        if (one) counts[one] = (counts[one] ?? 0) + 1;
      }
      expect(effective_verdicts).toEqual(counts);
    }
    const plain = (await get<Drilldown>(`${tree}?include=none`)).clauses.flatMap(all);
    expect(plain.map(({ criterion_id }) => criterion_id)).toEqual(
      nodes.map(({ criterion_id }) => criterion_id),
    );
    expect(plain.flatMap(({ evidence }) => evidence)).toEqual([]);
    expect(nodes.flatMap(({ evidence }) => evidence).length).toBeGreaterThan(0);
    expect((await owner.request('GET', `/api/v1${tree}?parent=nowhere`)).status).toBe(404);

    const map = await get<EvidenceMap>(`/analysis/evidence?analysis_id=${analysis.id}`);
    const ofVerdicts = analysis.verdicts.flatMap((one) => one.evidence).length;
    expect(map.criteria.flatMap((one) => one.passages)).toHaveLength(ofVerdicts);
    expect(map.passages.flatMap((one) => one.criteria)).toHaveLength(ofVerdicts);
    const filtered = await get<EvidenceMap>(`/analysis/evidence?work_product_id=${concept.id}`);
    expect(new Set(filtered.passages.map((one) => one.work_product_id))).toEqual(new Set([concept.id]));

    const scored = await get<WorkProduct>(`/work-products/${hara.id}`);
    expect(scored.compliance_score).toBe(analysis.score);
  });

  test('answer the same question from the store, and run it again when forced, with the same result', async () => {
    const [newest] = (await get<{ items: Analysis[] }>('/analysis/analyses?status=completed')).items;
    const again = await start();
    expect(again).toMatchObject({ id: newest?.id, from_store: true, status: 'completed' });
    const forced = await start({ force: true });
    expect(forced.from_store).toBe(false);
    const first = await ended(again.id);
    const second = await ended(forced.id);
    expect(second.previous_analysis_id).toBe(first.id);
    expect(second.verdicts).toEqual(first.verdicts);
    expect(second.gaps.map(result)).toEqual(first.gaps.map(result));
    expect(second.gaps.map((gap) => gap.id)).toEqual(first.gaps.map((gap) => gap.id));
    expect(second.gaps.every((gap) => gap.change === 'unchanged')).toBe(true);
    expect(second.summary).toMatchObject({ changes: { new: 0, updated: 0, absent: 0 } });
  });

  test('keep what a person decided, notice what was mended, and open again what is back', async () => {
    const before = (await ended((await start()).id)).gaps;
    const concept = before.find((gap) => gap.status === 'open');
    const path = `/api/v1/analysis/gaps/${concept?.id}`;
    await owner.request('PATCH', path, { body: { status: 'resolved' } });
    const [hara] = (await get<{ items: WorkProduct[] }>('/work-products?search=hara.md')).items;
    const alone = await ended((await start({ work_product_ids: [hara?.id] })).id);
    const { changes } = alone.summary as { changes: Record<string, number> };
    const both = await ended((await start({ force: true })).id);
    expect(both.gaps).toHaveLength(before.length);
    const back = both.gaps.find((gap) => gap.id === concept?.id);
    expect(back).toMatchObject({ status: 'open', note: 'Found again after it had been resolved.' });
    expect((changes.new ?? 0) + (changes.absent ?? 0) + (changes.updated ?? 0)).toBeGreaterThan(0);
    const absent = await get<{ items: Gap[] }>('/analysis/gaps?change=absent&limit=100');
    const present = await get<{ total: number }>(`/analysis/gaps?analysis_id=${both.id}`);
    expect(absent.items.every((gap) => !both.gaps.some((one) => one.id === gap.id))).toBe(true);
    expect(present.total).toBeGreaterThanOrEqual(both.gaps.length);
  });

  test('judge the clauses named only, and leave the gaps of the others as they are', async () => {
    const whole = await ended((await start({ force: true })).id);
    const part = await ended((await start({ options: { clauses: ['6'] } })).id);
    const isOfPart = ({ criterion_id }: { criterion_id: string }) => criterion_id.startsWith('26262-3:6.');
    expect(part.verdicts.length).toBeGreaterThan(5);
    expect(part.verdicts).toEqual(whole.verdicts.filter(isOfPart));
    expect(part.gaps.map((gap) => gap.id)).toEqual(whole.gaps.filter(isOfPart).map((gap) => gap.id));
    expect(part.summary).toMatchObject({ changes: { new: 0, updated: 0, absent: 0 } });
    const absent = await get<{ items: Gap[] }>('/analysis/gaps?change=absent&limit=100');
    expect(absent.items.filter((gap) => whole.gaps.some((one) => one.id === gap.id))).toEqual([]);
  });

  test('let a gap be accepted by a manager only, with a reason, and write it into the audit log', async () => {
    const engineer = await app.enter();
    await joinWorkspace(app, { by: owner, workspace, member: engineer, role: 'engineer' });
    // A critical one may need two.
    const [gap] = (await get<{ items: Gap[] }>('/analysis/gaps?change=unchanged&severity=high&limit=1'))
      .items;
    const path = `/api/v1/analysis/gaps/${gap?.id}`;
    const patch = (client: Client, body: object, headers = {}) =>
      client.request('PATCH', path, { body, headers });
    expect((await patch(engineer, { status: 'accepted', reason: 'x' })).status).toBe(403);
    expect((await patch(engineer, { status: 'in_progress', assignee: engineer.userId })).body).toMatchObject({
      status: 'in_progress',
      assignee: engineer.userId,
    });
    expect((await patch(owner, { status: 'accepted' })).status).toBe(422);
    expect(
      (await patch(owner, { status: 'accepted', reason: 'x', accepted_until: '2020-01-01T00:00:00Z' }))
        .status,
    ).toBe(422);
    expect((await patch(owner, { status: 'fixed' })).status).toBe(422);
    expect((await patch(owner, { assignee: stranger.userId })).status).toBe(422);
    expect((await patch(stranger, { status: 'open' })).status).toBe(404);
    expect((await patch(owner, { status: 'open' }, { 'if-match': '"old"' })).status).toBe(412);
    const accepted = await patch(owner, {
      status: 'accepted',
      reason: 'Covered by the contract.',
      accepted_until: '2099-01-01T00:00:00Z',
    });
    expect(accepted).toMatchObject({
      status: 200,
      body: {
        status: 'accepted',
        reason: 'Covered by the contract.',
        accepted_until: '2099-01-01T00:00:00.000Z',
      },
    });
    // Nor may anybody else put other words under the decision.
    expect((await patch(engineer, { reason: 'y' })).status).toBe(403);
    expect((await patch(engineer, { status: 'open' })).body).toMatchObject({
      status: 'open',
      accepted_until: null,
    });
    const events = await data.asOwner<{ before: { status: string }; after: { status: string } }>(
      `select before, after from audit_events where target_id = $1 and action = 'gap.status_changed' order by created_at, id`,
      [gap?.id],
    );
    expect(events.map(({ before, after }) => `${before.status} ${after.status}`)).toEqual([
      'open in_progress',
      'in_progress accepted',
      'accepted open',
    ]);
  });

  test('filter gaps', async () => {
    const list = (query: string) => get<{ items: Gap[]; total: number }>(`/analysis/gaps?limit=100&${query}`);
    const everything = await list('');
    for (const [name, value] of [
      ['severity', everything.items[0]?.severity],
      ['type', everything.items[0]?.type],
      ['clause', everything.items[0]?.clause],
      ['standard_id', standard],
      ['workspace_id', workspace],
    ] as const) {
      const some = await list(`${name}=${value}`);
      expect(some.total, name).toBeGreaterThan(0);
    }
    const high = await list('severity=high');
    expect(high.items.every((gap) => gap.severity === 'high')).toBe(true);
    expect((await list(`search=${encodeURIComponent('%')}`)).total).toBe(
      everything.items.filter((gap) =>
        [gap.title, gap.expected, gap.observed].some((text) => text.includes('%')),
      ).length,
    );
    expect((await list(`workspace_id=${randomUUID()}`)).total).toBe(0);
  });

  test('are not seen by others', async () => {
    const { id } = await start();
    const paths = [
      `/api/v1/analysis/analyses/${id}`,
      `/api/v1/analysis/overview?workspace_id=${workspace}`,
      `/api/v1/analysis/standards/${standard}/drilldown`,
    ];
    for (const path of paths) expect((await stranger.request('GET', path)).status, path).toBe(404);
    for (const path of ['/api/v1/analysis/analyses', '/api/v1/analysis/gaps']) {
      expect((await stranger.request('GET', path)).body, path).toMatchObject({ items: [], total: 0 });
    }
    expect((await stranger.request('GET', `/api/v1/analysis/evidence?analysis_id=${id}`)).body).toMatchObject(
      {
        criteria: [],
        passages: [],
      },
    );
    expect((await stranger.request('POST', `/api/v1/analysis/analyses/${id}/cancel`)).status).toBe(404);
  });
});

const flat = (text: string): string => text.replace(/[\s|#*-]+/g, ' ');
const all = (node: ClauseNode): ClauseNode[] => [node, ...(node.children ?? []).flatMap(all)];
const result = ({ change: _change, analysis_id: _run, updated_at: _at, ...gap }: Gap) => gap;
