import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { type TestFile, until, upload, uploadWorkProduct } from '../../testing/upload.js';
import type { WorkProduct } from '../work-products/work-products.schemas.js';
import type { Artifact } from './artifacts.schemas.js';
import type { TraceLink, TraceLinkReview } from './links.schemas.js';
import type { TraceAnalysis, TraceCompleteness, TraceGaps } from './trace-views.schemas.js';
import type { TraceabilityDetail } from './traceability.view.js';

const markdown = (name: string, text: string): TestFile => ({ name, type: 'text/markdown', bytes: text });

const goals = (asil: string) =>
  markdown(
    'hara.md',
    `# Hazard analysis\n\n| ID | Safety goal | ASIL |\n|---|---|---|\n| SG-01 | The door shall not trap anybody. | ${asil} |\n| SG-02 | The door shall not open while driving. | B |\n`,
  );
const concept = (text: string) =>
  markdown(
    'concept.md',
    `# Functional safety concept\n\n| ID | Functional safety requirement | ASIL | Derived from | Verified by |\n|---|---|---|---|---|\n| FSR-01 | ${text} | D | SG-01 | TC-01 |\n| FSR-02 | The door shall be locked above 3 km/h. | B | SG-77 | |\n`,
  );
const tests = markdown(
  'tests.md',
  '# Test specification\n\n| ID | Test case | Result |\n|---|---|---|\n| TC-01 | Put an obstacle into the gap. | passed |\n',
);

interface Page<Item> {
  readonly items: readonly Item[];
  readonly total: number;
}

describe('the trace of a workspace', () => {
  let data: TestDatabase;
  let app: TestApp;
  let owner: Client;
  let workspace: string;
  const path = (rest: string) => `/api/v1/traceability/${rest}`;
  const get = async <Body>(rest: string): Promise<Body> => {
    const { status, body, text } = await owner.request('GET', path(rest));
    expect([status, text]).toEqual([200, text]);
    return body as Body;
  };
  const send = (method: string, rest: string, body?: unknown) => owner.request(method, path(rest), { body });
  const artifact = async (id: string) =>
    (await get<Page<Artifact>>(`artifacts?workspace_id=${workspace}&artifact_id=${id}`)).items[0];
  const link = async (source: string, target: string) =>
    (await get<Page<TraceLink>>(`links?workspace_id=${workspace}&source_id=${source}&target_id=${target}`))
      .items[0];
  /** Waits until nothing is under way and the trace is one of these versions. */
  const traced = (...documents: readonly (readonly [id: string, version: number])[]) =>
    until<{ under_way: boolean; status: string; documents: { work_product_id: string; version: number }[] }>(
      owner,
      path(`extraction?workspace_id=${workspace}`),
      (one) =>
        !one.under_way &&
        one.documents.length === documents.length &&
        documents.every(([id, version]) =>
          one.documents.some((it) => it.work_product_id === id && it.version === version),
        ),
    );
  const replace = (id: string, file: TestFile) =>
    upload(owner, file, {
      init: `/api/v1/work-products/${id}/uploads/init`,
      complete: (session) => `/api/v1/work-products/${id}/uploads/${session.upload_id}/complete`,
    });

  beforeAll(async () => {
    data = await createTestDatabase();
    app = await startTestApp(data, { work: true, environment: { EMBEDDINGS: 'off' } });
    owner = await app.signUp();
    workspace = (
      (await owner.request('POST', '/api/v1/workspaces', { body: { name: 'Trace' } })).body as { id: string }
    ).id;
  });
  afterAll(async () => {
    await app?.stop();
    await data?.stop();
  });

  test('is empty, and says so, before there are documents', async () => {
    expect(await get(`analyze?workspace_id=${workspace}`)).toMatchObject({
      gaps: [],
      total_gaps: 0,
      total_artifacts: 0,
      completeness_percentage: 0,
      assessed: false,
      extraction: { status: 'none', under_way: false, documents: [] },
    });
    expect(await get(`matrix?workspace_id=${workspace}`)).toMatchObject({
      matrix: [],
      coverage: 0,
      assessed: false,
    });
    expect(await get(`completeness?workspace_id=${workspace}`)).toMatchObject({
      upstream_completeness: 0,
      downstream_completeness: 0,
      verification_completeness: 0,
      evidence_completeness: 0,
      overall_completeness: 0,
      assessed: false,
    });
  });

  let hara = '';
  let fsc = '';
  let spec = '';

  test('is taken out of the documents, each thing with its place', async () => {
    const files = [goals('D'), concept('The door shall stop within 100 ms.'), tests];
    // One after the other: the trace is in the order of the documents.
    const made: Awaited<ReturnType<typeof uploadWorkProduct>>[] = [];
    for (const file of files) made.push(await uploadWorkProduct(owner, workspace, file));
    [hara, fsc, spec] = made.map(({ body }) => (body as WorkProduct).id) as [string, string, string];
    await traced([hara, 1], [fsc, 1], [spec, 1]);

    expect(await artifact('FSR-01')).toMatchObject({
      type: 'functional_safety_requirement',
      text: 'The door shall stop within 100 ms.',
      asil: 'D',
      origin: 'document',
      work_product_id: fsc,
      version: 1,
      quote: 'The door shall stop within 100 ms.',
      other_places: [],
    });
    expect(await link('FSR-01', 'SG-01')).toMatchObject({
      link_type: 'derives_from',
      origin: 'document',
      work_product_id: fsc,
      quote: 'SG-01',
      dangling: null,
      suspect: null,
      confirmed_by: null,
    });
    const dangling = await get<Page<TraceLink>>(`links?workspace_id=${workspace}&dangling=true`);
    expect(dangling.items.map((one) => [one.source_id, one.target_id, one.dangling])).toEqual([
      ['FSR-02', 'SG-77', 'target'],
    ]);
  });

  test('is examined at once, with counts, places and what each gap needs', async () => {
    const analysis = await get<TraceAnalysis>(`analyze?workspace_id=${workspace}`);
    const gaps = analysis.gaps.map((gap) => `${gap.artifact_id} ${gap.gap_type} ${gap.kind} ${gap.severity}`);
    expect(gaps).toContain('FSR-02 broken_chain dangling_target medium');
    expect(gaps).toContain('SG-02 orphan_downstream no_fsr high');
    expect(analysis.gaps.find(({ kind }) => kind === 'dangling_target')).toMatchObject({
      missing: 'SG-77',
      place: { work_product_id: fsc, version: 1, quote: 'SG-77' },
    });
    // Where a gap stands can be shown without a search.
    for (const { place } of analysis.gaps.filter((gap) => gap.place !== null)) {
      const { range, quote, work_product_id } = place!;
      const read = await owner.request(
        'GET',
        `/api/v1/work-products/${work_product_id}/versions/1/document?around=${range.start}&blocks=1`,
      );
      const [block] = (read.body as { blocks: { text: string; start: number }[] }).blocks;
      const at = (offset: number): number => offset - block!.start;
      expect(block!.text.slice(at(range.start), at(range.end))).toBe(quote);
    }
    expect(Object.values(analysis.summary).reduce((sum, count) => sum + count, 0)).toBe(analysis.total_gaps);
    expect(Object.values(analysis.severity_counts).reduce((sum, count) => sum + count, 0)).toBe(
      analysis.total_gaps,
    );
    expect(Object.keys(analysis.summary)).toHaveLength(6);
    expect(analysis.total_artifacts).toBe(6);

    const limited = await get<TraceAnalysis>(`analyze?workspace_id=${workspace}&limit=1`);
    expect([limited.gaps.length, limited.listed_gaps, limited.total_gaps]).toEqual([
      1,
      1,
      analysis.total_gaps,
    ]);

    const list = await get<TraceGaps>(`gaps?workspace_id=${workspace}`);
    const untested = list.gaps.filter(({ gap_type }) => gap_type === 'missing_downstream');
    expect(untested.map((gap) => [gap.requirement_id, gap.severity])).toEqual([['FSR-02', 'high']]);
    expect(list.total_gaps).toBe(analysis.total_gaps + 1);

    const complete = await get<TraceCompleteness>(`completeness?workspace_id=${workspace}`);
    expect(complete.coverage.verification).toEqual({ numerator: 1, denominator: 2, percentage: 50 });
    expect(complete.verification_completeness).toBe(50);
    expect(complete.evidence_completeness).toBe(100);
    expect(analysis.completeness_percentage).toBe(complete.overall_completeness);
  });

  test('is a matrix, in pages and as files that no spreadsheet runs', async () => {
    await send('POST', 'artifacts', {
      workspace_id: workspace,
      artifact_id: 'FSR-99',
      type: 'functional_safety_requirement',
      text: '=cmd|"x"!A1, "quoted"',
    });
    type Matrix = {
      matrix: { requirement_id: string; status: string; upstream_links: unknown[] }[];
      total: number;
      next_cursor: string | null;
      gaps: number;
    };
    const whole = await get<Matrix>(`matrix?workspace_id=${workspace}`);
    expect(whole.matrix.map((row) => `${row.requirement_id} ${row.status}`)).toEqual([
      'FSR-01 partial',
      'FSR-02 orphan',
      'SG-01 complete',
      'SG-02 missing',
      'FSR-99 orphan',
    ]);
    expect(whole.matrix[0]?.upstream_links).toEqual([
      {
        id: null,
        artifact_id: 'SG-01',
        artifact_name: 'The door shall not trap anybody.',
        artifact_type: 'safety_goal',
        link_type: 'derives_from',
      },
    ]);
    const paged: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Matrix = await get(`matrix?workspace_id=${workspace}&limit=2&cursor=${cursor}`);
      expect(page.total).toBe(5);
      paged.push(...page.matrix.map((row) => row.requirement_id));
      cursor = page.next_cursor;
    }
    expect(paged).toEqual(whole.matrix.map((row) => row.requirement_id));

    const csv = await owner.request('GET', path(`matrix?workspace_id=${workspace}&format=csv`));
    expect(csv.headers.get('content-type')).toContain('text/csv');
    expect(csv.headers.get('content-disposition')).toContain('trace-matrix.csv');
    expect(csv.text).toContain('\r\nFSR-99,"\'=cmd|""x""!A1, ""quoted""",functional_safety_requirement,');
    const xlsx = await fetch(app.address + path(`matrix?workspace_id=${workspace}&format=xlsx`), {
      headers: { authorization: `Bearer ${owner.token}` },
    });
    const bytes = new Uint8Array(await xlsx.arrayBuffer());
    expect(String.fromCharCode(...bytes.slice(0, 2))).toBe('PK');
    const made = await artifact('FSR-99');
    expect((await send('DELETE', `artifacts/${made?.id}`)).status).toBe(204);
  });

  test('keeps what people say when a document is replaced, and shows which links became suspect', async () => {
    const up = await link('FSR-01', 'SG-01');
    const before = await artifact('FSR-01');
    expect(await get<TraceLinkReview>(`links/${up?.id}/review`)).toMatchObject({
      source: { before: null, now: { text: before?.text }, changed: [], words: null },
    });
    const confirmed = await send('POST', `links/${up?.id}/confirm`);
    expect(confirmed.body).toMatchObject({ suspect: null, confirmed_by: owner.userId });
    const manual = {
      workspace_id: workspace,
      source_id: 'FSR-02',
      target_id: 'SG-02',
      link_type: 'derives_from',
    };
    expect((await send('POST', 'links', manual)).status).toBe(201);
    const typed = await artifact('SG-02');
    await send('PATCH', `artifacts/${typed?.id}`, { type: 'functional_safety_requirement' });
    const rejected = await link('FSR-02', 'SG-77');
    expect((await send('DELETE', `links/${rejected?.id}`)).status).toBe(204);

    expect((await replace(fsc, concept('The door shall stop within 50 ms.'))).status).toBe(200);
    await traced([hara, 1], [fsc, 2], [spec, 1]);

    expect(await artifact('FSR-01')).toMatchObject({ version: 2, text: 'The door shall stop within 50 ms.' });
    const suspects = await get<Page<TraceLink>>(`links?workspace_id=${workspace}&suspect=true`);
    expect(suspects.items.map((one) => [one.id, one.suspect])).toEqual([[up?.id, 'source']]);
    const review = await get<TraceLinkReview>(`links/${up?.id}/review`);
    expect(review).toMatchObject({
      source: {
        artifact_id: 'FSR-01',
        before: { text: before?.text, version: 1, work_product_id: fsc },
        now: { text: 'The door shall stop within 50 ms.', version: 2, id: before?.id },
        changed: ['text'],
      },
      target: { artifact_id: 'SG-01', changed: [], words: null },
      link: { id: up?.id, suspect: 'source' },
    });
    expect(review.target.before?.text).toBe(review.target.now?.text);
    const said = (op: string) =>
      review.source.words?.filter((one) => one.op === 'same' || one.op === op).map(({ text }) => text);
    expect(said('delete')?.join('')).toBe(before?.text);
    expect(said('insert')?.join('')).toBe('The door shall stop within 50 ms.');
    expect(await link('FSR-02', 'SG-02')).toMatchObject({ origin: 'manual' });
    expect(await artifact('SG-02')).toMatchObject({
      type: 'functional_safety_requirement',
      told_type: 'safety_goal',
    });
    expect(await link('FSR-02', 'SG-77')).toMatchObject({ rejected: true });
    const { gaps } = await get<TraceAnalysis>(`analyze?workspace_id=${workspace}`);
    expect(gaps.filter(({ kind }) => kind === 'dangling_target')).toEqual([]);

    const ids = suspects.items.map(({ id }) => id);
    const all = await send('POST', 'links/confirm', { workspace_id: workspace, link_ids: ids });
    expect(all.body).toEqual({ confirmed: 1 });
    expect((await get<Page<TraceLink>>(`links?workspace_id=${workspace}&suspect=true`)).total).toBe(0);
    expect(await get<TraceLinkReview>(`links/${up?.id}/review`)).toMatchObject({
      source: { before: { text: 'The door shall stop within 50 ms.', version: 2 }, changed: [] },
    });
    await send('PATCH', `artifacts/${typed?.id}`, { type: null });
    expect(await artifact('SG-02')).toMatchObject({ type: 'safety_goal', told_type: null });
  });

  test('is analysed as a run whose gaps keep their status and are compared with the run before', async () => {
    const run = async (body: object = {}) => {
      const {
        status,
        body: started,
        text,
      } = await send('POST', 'analyze', {
        workspace_id: workspace,
        ...body,
      });
      expect([status, text]).toEqual([202, text]);
      const { id, from_store } = started as { id: string; from_store: boolean };
      const done = await until<TraceabilityDetail & { id: string }>(
        owner,
        `/api/v1/analysis/analyses/${id}`,
        (one) => one.status === 'completed',
      );
      return { ...done, from_store };
    };
    const now = await get<TraceAnalysis>(`analyze?workspace_id=${workspace}`);
    const first = await run();
    expect(first).toMatchObject({
      type: 'traceability',
      score: now.completeness_percentage,
      trace: { summary: now.summary, severity_counts: now.severity_counts, coverage: now.coverage },
    });
    const versions = first.work_products.map((one) => `${one.work_product_id} ${one.version}`);
    expect(versions.sort()).toEqual([`${hara} 1`, `${fsc} 2`, `${spec} 1`].sort());
    // One for each cause; everything that the trace lists is in one of them.
    const told = first.gaps.flatMap((gap) =>
      gap.affected
        ? gap.affected.items.map(({ id, type }) => `${id} ${type}`)
        : [`${gap.affected_items[0]} ${gap.type}`],
    );
    expect(told.sort()).toEqual(now.gaps.map((gap) => `${gap.artifact_id} ${gap.kind}`).sort());
    const unrealised = first.gaps.find(
      (gap) => gap.criterion_id === 'orphan_downstream' && gap.affected_items.includes('FSR-02'),
    );
    expect(unrealised?.affected?.count).toBe(2);
    expect(unrealised?.affected?.items).toContainEqual({
      id: 'FSR-02',
      type: 'not_refined_nor_allocated',
      severity: 'medium',
      work_product_id: fsc,
      location: expect.any(Object) as object,
      title: null,
      caused_by: null,
      searched: null,
    });
    expect(unrealised?.evidence).toContainEqual(
      expect.objectContaining({
        work_product_id: fsc,
        version: 2,
        quote: 'The door shall be locked above 3 km/h.',
      }),
    );
    expect((await run()).from_store).toBe(true);

    await owner.request('PATCH', `/api/v1/analysis/gaps/${unrealised?.id}`, {
      body: { status: 'in_progress' },
    });
    await send('POST', 'artifacts', { workspace_id: workspace, artifact_id: 'ARC-09', type: 'design' });
    const realise = {
      workspace_id: workspace,
      source_id: 'FSR-02',
      target_id: 'ARC-09',
      link_type: 'allocated_to',
    };
    expect((await send('POST', 'links', realise)).status).toBe(201);
    const second = await run();
    expect(second.from_store).toBe(false);
    expect(second.previous_analysis_id).toBe(first.id);
    const gapsOf = async (change: string) =>
      (
        (await owner.request('GET', `/api/v1/analysis/gaps?workspace_id=${workspace}&change=${change}`))
          .body as Page<{ affected_items: string[]; criterion_id: string; status: string }>
      ).items.map((gap) => `${gap.affected_items.join(' ')} ${gap.criterion_id} ${gap.status}`);
    // The cause stays the same one, with its status, while an artifact leaves it.
    const others = [...(await gapsOf('new')), ...(await gapsOf('updated'))];
    const realised = others.find((gap) => gap.endsWith('orphan_downstream in_progress'));
    expect(realised).toBeDefined();
    expect(realised).not.toContain('FSR-02');
    expect(others.some((gap) => /FSR-02.* missing_verification open/.test(gap))).toBe(true);
  });

  test('loses with a document what stood in it, and nothing else', async () => {
    const stated = await link('FSR-01', 'SG-01');
    expect((await send('DELETE', `links/${stated?.id}`)).status).toBe(204);
    expect((await owner.request('DELETE', `/api/v1/work-products/${hara}`)).status).toBe(204);
    await traced([fsc, 2], [spec, 1]);
    expect(await artifact('SG-01')).toBeUndefined();
    expect(await artifact('FSR-01')).toBeDefined();
    expect(await link('FSR-01', 'SG-01')).toMatchObject({
      dangling: 'target',
      suspect: null,
      // It was rejected when its target said something.
      rejected: false,
    });
    const told = `select before ->> 'by' as by from audit_events where action = 'trace_link.rejection_ended' and target_id = $1`;
    expect(await data.asOwner(told, [stated?.id])).toEqual([{ by: owner.userId }]);
    expect(await link('FSR-02', 'SG-77')).toMatchObject({ rejected: true });
    expect(await link('FSR-02', 'SG-02')).toMatchObject({ origin: 'manual', dangling: 'target' });
    const confirm = await send('POST', `links/${(await link('FSR-01', 'SG-01'))?.id}/confirm`);
    expect(confirm.status).toBe(409);
  });

  test('refuses links to nothing, to itself, twice, of unknown types, and to another workspace', async () => {
    const other = (
      (await owner.request('POST', '/api/v1/workspaces', { body: { name: 'Other' } })).body as { id: string }
    ).id;
    const foreign = await send('POST', 'artifacts', {
      workspace_id: other,
      artifact_id: 'SG-50',
      type: 'safety_goal',
    });
    expect(foreign.status).toBe(201);
    const base = {
      workspace_id: workspace,
      source_id: 'FSR-01',
      target_id: 'FSR-02',
      link_type: 'derives_from',
    };
    const statusOf = async (change: Partial<typeof base>) =>
      (await send('POST', 'links', { ...base, ...change })).status;
    expect(await statusOf({ target_id: 'FSR-01' })).toBe(422);
    expect(await statusOf({ link_type: 'resembles' })).toBe(422);
    const absent = await send('POST', 'links', { ...base, target_id: 'SG-51' });
    const elsewhere = await send('POST', 'links', { ...base, target_id: 'SG-50' });
    expect([absent.status, elsewhere.status]).toEqual([422, 422]);
    expect(elsewhere.text.replace(/"(timestamp|request_id)":"[^"]*"/g, '')).toBe(
      absent.text.replace(/"(timestamp|request_id)":"[^"]*"/g, ''),
    );
    expect(await statusOf({ target_id: (foreign.body as Artifact).id })).toBe(422);
    expect(await statusOf({})).toBe(201);
    expect(await statusOf({})).toBe(409);
    expect(await statusOf({ source_id: (await artifact('FSR-01'))!.id })).toBe(409);
    const again = await send('POST', 'artifacts', {
      workspace_id: workspace,
      artifact_id: 'FSR-01',
      type: 'design',
    });
    expect(again.status).toBe(409);
    const own = await artifact('FSR-01');
    expect((await send('DELETE', `artifacts/${own?.id}`)).status).toBe(409);
    expect((await send('PATCH', `artifacts/${own?.id}`, { text: 'Changed' })).status).toBe(422);
  });

  test('proposes links by words, which count for nothing until one is accepted', async () => {
    await send('POST', 'artifacts', {
      workspace_id: workspace,
      artifact_id: 'SG-10',
      type: 'safety_goal',
      text: 'The door shall be locked while the car drives.',
    });
    await send('POST', 'artifacts', {
      workspace_id: workspace,
      artifact_id: 'SG-11',
      type: 'safety_goal',
      text: 'The lamp shall be lit at night.',
    });
    await send('POST', 'artifacts', {
      workspace_id: workspace,
      artifact_id: 'FSR-10',
      type: 'functional_safety_requirement',
      text: 'The door shall be locked above a speed of 3 km/h.',
    });
    const before = await get<TraceAnalysis>(`analyze?workspace_id=${workspace}`);
    type Suggestions = {
      items: { artifact_id: string; candidates: { artifact_id: string; link: Record<string, string> }[] }[];
    };
    const { items } = await get<Suggestions>(`suggestions?workspace_id=${workspace}&artifact_id=FSR-10`);
    expect(items[0]?.candidates[0]).toMatchObject({
      artifact_id: 'SG-10',
      link: { source_id: 'FSR-10', target_id: 'SG-10', link_type: 'derives_from' },
    });
    expect((await get<TraceAnalysis>(`analyze?workspace_id=${workspace}`)).total_links).toBe(
      before.total_links,
    );
    const accepted = await send('POST', 'links', {
      workspace_id: workspace,
      ...items[0]?.candidates[0]?.link,
    });
    expect(accepted.status).toBe(201);
    const { items: rest } = await get<Suggestions>(
      `suggestions?workspace_id=${workspace}&artifact_id=FSR-10`,
    );
    expect(rest).toEqual([]);
  });

  test('the levels count what the lists list', async () => {
    interface Levels {
      levels: { type: string; count: number; by_integrity: Record<string, number>; unlinked: number }[];
      paths: { from: string; to: string; link_type: string; links: number; suspect: number }[];
      dangling: number;
    }
    const { levels, paths, dangling } = await get<Levels>(`levels?workspace_id=${workspace}`);
    expect(levels.length).toBeGreaterThan(1);
    for (const { type, count, unlinked } of levels) {
      const { items } = await get<Page<Artifact>>(
        `artifacts?workspace_id=${workspace}&type=${type}&limit=100`,
      );
      expect([type, count]).toEqual([type, new Set(items.map(({ artifact_id }) => artifact_id)).size]);
      expect(unlinked).toBeLessThanOrEqual(count);
    }
    const total = async (rest: string) =>
      (
        await get<Page<TraceLink> & { total: number }>(
          `links?workspace_id=${workspace}&rejected=false${rest}&limit=1`,
        )
      ).total;
    const sum = (of: 'links' | 'suspect') => paths.reduce((all, path) => all + path[of], 0);
    expect(dangling).toBe(await total('&dangling=true'));
    expect(sum('links') + dangling).toBe(await total(''));
    expect(sum('suspect')).toBe(await total('&suspect=true&dangling=false'));
  });
});
