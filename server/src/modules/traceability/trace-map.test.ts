import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import type { TraceGrid, TraceNeighbourhood, TraceObligations } from './trace-map.schemas.js';
import type { TraceMatrix } from './trace-views.schemas.js';

type Matrix = z.output<typeof TraceMatrix>;

/** Two goals; SG-1 with two requirements, of which one has a test with a result; SG-2 with nothing. */
const ARTIFACTS = [
  ['SG-1', 'safety_goal', 'The door shall stay closed.', 'D'],
  ['SG-2', 'safety_goal', 'The window shall not trap.', 'B'],
  ['FSR-1', 'functional_safety_requirement', 'Lock above 5 km/h.', 'D'],
  ['FSR-2', 'functional_safety_requirement', 'Warn the driver.', 'B'],
  ['FSR-3', 'functional_safety_requirement', 'Nobody asked for it.', 'B'],
  ['EL-1', 'design', 'Lock controller', null],
  ['TC-1', 'test', 'Locks at 6 km/h.', null],
  ['TC-2', 'test', 'Warns.', null],
  ['EV-1', 'evidence', 'Run of TC-1', null],
] as const;
const LINKS = [
  ['FSR-1', 'derives_from', 'SG-1'],
  ['FSR-2', 'derives_from', 'SG-1'],
  ['FSR-1', 'allocated_to', 'EL-1'],
  ['FSR-1', 'verified_by', 'TC-1'],
  ['FSR-1', 'verified_by', 'TC-2'],
  ['TC-1', 'evidenced_by', 'EV-1'],
] as const;

describe('the trace as pictures show it', () => {
  let data: TestDatabase;
  let app: TestApp;
  let owner: Client;
  let workspace: string;
  const idOf = new Map<string, string>();
  const get = async <Answer>(path: string): Promise<Answer> => {
    const { status, body, text } = await owner.request('GET', `/api/v1/traceability/${path}`);
    expect([status, text]).toEqual([200, text]);
    return body as Answer;
  };
  const send = async (path: string, body: object): Promise<{ id: string }> => {
    const answer = await owner.request('POST', `/api/v1/traceability/${path}`, { body });
    expect([answer.status, answer.text]).toEqual([201, answer.text]);
    return answer.body as { id: string };
  };
  const matrix = (query: string) =>
    get<Matrix>(`matrix?workspace_id=${workspace}&${/limit=/.test(query) ? '' : 'limit=50&'}${query}`);
  const ids = async (query: string) =>
    (await matrix(query)).matrix.map(({ requirement_id }) => requirement_id);

  beforeAll(async () => {
    data = await createTestDatabase();
    app = await startTestApp(data, { work: true, environment: { EMBEDDINGS: 'off' } });
    owner = await app.signUp();
    workspace = (
      (await owner.request('POST', '/api/v1/workspaces', { body: { name: 'Door' } })).body as { id: string }
    ).id;
    for (const [artifact_id, type, text, asil] of ARTIFACTS) {
      const result = type === 'evidence' ? { result: 'pass' } : {};
      const made = await send('artifacts', {
        ...{ workspace_id: workspace, artifact_id, type, text, ...result },
        ...(asil && { asil }),
      });
      idOf.set(artifact_id, made.id);
    }
    for (const [source_id, link_type, target_id] of LINKS) {
      await send('links', { workspace_id: workspace, source_id, link_type, target_id });
    }
  });
  afterAll(async () => {
    await app?.stop();
    await data?.stop();
  });

  test('what a type owes and lacks is what the matrix lists', async () => {
    const { types, gaps } = await get<z.output<typeof TraceObligations>>(
      `obligations?workspace_id=${workspace}`,
    );
    expect(types.map(({ type, count }) => [type, count])).toEqual([
      ['safety_goal', 2],
      ['functional_safety_requirement', 3],
      ['design', 1],
      ['test', 2],
      ['evidence', 1],
    ]);
    const { coverage } = await get<{ coverage: Record<string, { numerator: number; denominator: number }> }>(
      `completeness?workspace_id=${workspace}&limit=1`,
    );
    const verification = types
      .flatMap(({ duties }) => duties)
      .filter(({ duty }) => duty === 'verification')
      .reduce((sum, { owed, met }) => [sum[0]! + met, sum[1]! + owed], [0, 0]);
    expect(verification).toEqual([coverage.verification?.numerator, coverage.verification?.denominator]);
    for (const { type, duties } of types) {
      for (const { duty, owed, met, by_integrity } of duties) {
        const listed = await matrix(`type=${type}&missing=${duty}`);
        expect([type, duty, listed.total]).toEqual([type, duty, owed - met]);
        const levels = Object.values(by_integrity);
        expect(levels.reduce((sum, one) => sum + one.owed, 0)).toBe(owed);
      }
    }
    expect((await matrix('status=complete,partial,missing,orphan')).gaps).toBe(gaps);
  });

  test('rows are filtered, counted under the other filters, and the same as without', async () => {
    const paged = await matrix('');
    const whole = await get<Matrix>(`matrix?workspace_id=${workspace}`);
    const plain = ({ matrix }: Matrix) =>
      matrix.map(({ requirement_id, status, integrity, upstream_links, downstream_links }) => [
        ...[requirement_id, status, integrity],
        [...upstream_links, ...downstream_links].map(({ artifact_id, link_type }) => [
          artifact_id,
          link_type,
        ]),
      ]);
    expect(plain(paged)).toEqual(plain(whole));
    expect([paged.coverage, paged.gaps, paged.total]).toEqual([whole.coverage, whole.gaps, whole.total]);
    expect(whole.facets).toBe(null);
    expect(paged.matrix[0]).toMatchObject({
      id: idOf.get('SG-1'),
      linked: { up: {}, down: { functional_safety_requirement: 2 } },
    });
    expect(paged.facets?.status).toEqual({ complete: 2, missing: 2, orphan: 1 });

    expect(await ids('status=orphan')).toEqual(['FSR-3']);
    expect((await matrix('status=orphan')).facets?.status).toEqual(paged.facets?.status);
    expect((await matrix('status=orphan')).facets?.type).toEqual({ functional_safety_requirement: 1 });
    expect(await ids('integrity=ASIL D')).toEqual(['SG-1', 'FSR-1']);
    expect(await ids('search=warn')).toEqual(['FSR-2']);
    expect(await ids('missing=verification&integrity=ASIL B')).toEqual(['FSR-2', 'FSR-3']);
    expect(await ids('type=test')).toEqual(['TC-1', 'TC-2']);
    expect(await ids('type=test&missing=evidence')).toEqual(['TC-2']);
    expect(await ids('below=SG-1')).toEqual(['FSR-1', 'FSR-2']);
    expect(await ids('below=FSR-1')).toEqual(['EL-1', 'TC-1', 'TC-2']);
    expect(await ids('above=TC-1')).toEqual(['FSR-1']);
    expect(await ids('below=NOWHERE')).toEqual([]);
    const [row] = (await matrix('below=SG-1&links_per_type=1')).matrix;
    expect(row?.downstream_links.map(({ artifact_id }) => artifact_id)).toEqual(['EL-1', 'TC-1']);
    expect([row?.linked?.down, row?.more_downstream]).toEqual([{ design: 1, test: 2 }, 1]);
    const file = await owner.request(
      'GET',
      `/api/v1/traceability/matrix?workspace_id=${workspace}&status=orphan&format=csv`,
    );
    expect(file.text.trim().split('\r\n')).toHaveLength(2);
    expect(file.text).toContain('FSR-3');
    const unpaged = await get<Matrix>(`matrix?workspace_id=${workspace}&status=orphan`);
    expect(unpaged.matrix.map(({ requirement_id }) => requirement_id)).toEqual(['FSR-3']);
  });

  test('rows come in the order that is asked for, in files too', async () => {
    expect(await ids('')).toEqual(['SG-1', 'SG-2', 'FSR-1', 'FSR-2', 'FSR-3']);
    expect(await ids('sort=id')).toEqual(['FSR-1', 'FSR-2', 'FSR-3', 'SG-1', 'SG-2']);
    expect(await ids('sort=-id')).toEqual(['SG-2', 'SG-1', 'FSR-3', 'FSR-2', 'FSR-1']);
    expect(await ids('sort=-integrity')).toEqual(['SG-1', 'FSR-1', 'SG-2', 'FSR-2', 'FSR-3']);
    expect(await ids('sort=-links')).toEqual(['FSR-1', 'SG-1', 'FSR-2', 'SG-2', 'FSR-3']);
    expect(await ids('sort=status&type=functional_safety_requirement')).toEqual(['FSR-1', 'FSR-2', 'FSR-3']);
    const worst = (await matrix('sort=-severity')).matrix.map(({ severity }) => severity);
    const steps = ['critical', 'high', 'medium', 'low'];
    const heights = worst.map((one) => (one === null ? steps.length : steps.indexOf(one)));
    expect(heights).toEqual(heights.toSorted());
    expect(new Set(heights).size).toBeGreaterThan(1);
    const [second] = (await matrix('sort=-id&limit=1&offset=1')).matrix;
    expect(second?.requirement_id).toBe('SG-1');
    const { text } = await owner.request(
      'GET',
      `/api/v1/traceability/matrix?workspace_id=${workspace}&sort=-id&type=safety_goal&format=csv`,
    );
    const lines = text.trim().split('\r\n').slice(1);
    expect(lines.map((line) => line.split(',')[0])).toEqual(['SG-2', 'SG-1']);
    const whole = await get<Matrix>(`matrix?workspace_id=${workspace}&sort=-id`);
    expect(whole.matrix.map(({ requirement_id }) => requirement_id)[0]).toBe('SG-2');
  });

  test('the grid of two types shows its cells, a window at a time, and finds the next one', async () => {
    const grid = (query: string) =>
      get<z.output<typeof TraceGrid>>(`grid?workspace_id=${workspace}&${query}`);
    const whole = await grid('rows=functional_safety_requirement&columns=test');
    expect(whole.rows.items.map(({ artifact_id, links }) => [artifact_id, links])).toEqual([
      ['FSR-1', 2],
      ['FSR-2', 0],
      ['FSR-3', 0],
    ]);
    expect(whole.cells.map(({ row, column, link_type }) => [row, column, link_type])).toEqual([
      [0, 0, 'verified_by'],
      [0, 1, 'verified_by'],
    ]);
    const turned = await grid('rows=test&columns=functional_safety_requirement&row_offset=1&row_limit=1');
    expect([turned.rows.total, turned.rows.items.map(({ artifact_id }) => artifact_id)]).toEqual([
      2,
      ['TC-2'],
    ]);
    expect(turned.cells).toMatchObject([{ row: 1, column: 0 }]);
    const gaps = await grid('rows=functional_safety_requirement&columns=test&only=gaps');
    expect([gaps.rows.total, gaps.columns.total, gaps.cells]).toEqual([2, 0, []]);
    const linked = await grid('rows=functional_safety_requirement&columns=test&only=linked');
    expect([linked.rows.total, linked.columns.total]).toEqual([1, 2]);
    const after = async (row: number, column: number) =>
      (
        await grid(
          `rows=functional_safety_requirement&columns=test&after_row=${row}&after_column=${column}&row_limit=1`,
        )
      ).next;
    expect(await after(0, 0)).toEqual({ row: 0, column: 1 });
    expect(await after(0, 1)).toBe(null);
  });

  test('a neighbourhood is nearest first, some steps both ways, with the links between', async () => {
    const around = (id: string, query = '') =>
      get<z.output<typeof TraceNeighbourhood>>(`artifacts/${idOf.get(id)}/neighbourhood?${query}`);
    const { nodes, links, truncated } = await around('FSR-1');
    expect(nodes.map(({ artifact_id, depth }) => [artifact_id, depth])).toEqual([
      ['FSR-1', 0],
      ['SG-1', -1],
      ['EL-1', 1],
      ['TC-1', 1],
      ['TC-2', 1],
      ['EV-1', 2],
    ]);
    expect(nodes[1]).toMatchObject({ more_down: 1, more_up: 0 });
    expect(nodes[4]).toMatchObject({ missing: ['evidence'] });
    expect(links).toHaveLength(5);
    expect(truncated).toBe(false);
    const near = await around('FSR-1', 'limit=2');
    expect([near.nodes.length, near.truncated]).toEqual([2, true]);
    expect((await around('SG-1', 'down=1')).nodes).toHaveLength(3);
    // What is one step further is shown where somebody asks for it, and no more is said to be hidden there.
    const small = await around('TC-2', 'up=1&down=0');
    expect(
      small.nodes.map(({ artifact_id, more_up, more_down }) => [artifact_id, more_up, more_down]),
    ).toEqual([
      ['TC-2', 0, 0],
      ['FSR-1', 1, 2],
    ]);
    const grown = await around(
      'TC-2',
      `up=1&down=0&grown=${['TC-1', 'SG-1', 'FSR-1'].map((id) => idOf.get(id)).join(',')}`,
    );
    expect(grown.nodes.map(({ artifact_id, depth }) => [artifact_id, depth])).toEqual([
      ['TC-2', 0],
      ['FSR-1', -1],
      ['SG-1', -2],
      ['EL-1', 0],
      ['TC-1', 0],
      ['FSR-2', -1],
      ['EV-1', 1],
    ]);
    expect(grown.nodes.every(({ more_up, more_down }) => more_up + more_down === 0)).toBe(true);
    expect(grown.links).toHaveLength(6);
    expect((await around('TC-2', `up=1&down=0&grown=${workspace}`)).nodes).toHaveLength(2);
  });

  test('lists of artifacts are filtered by what levels count', async () => {
    const total = async (query: string) =>
      (await get<{ total: number }>(`artifacts?workspace_id=${workspace}&${query}`)).total;
    const { levels } = await get<{
      levels: { type: string; unlinked: number; by_integrity: Record<string, number> }[];
    }>(`levels?workspace_id=${workspace}`);
    for (const { type, unlinked, by_integrity } of levels) {
      expect([type, await total(`type=${type}&linked=false`)]).toEqual([type, unlinked]);
      for (const [level, count] of Object.entries(by_integrity)) {
        expect([level, await total(`type=${type}&asil=${level}`)]).toEqual([level, count]);
      }
    }
  });

  test('what changes is seen at once', async () => {
    await send('links', {
      ...{ workspace_id: workspace, source_id: 'FSR-2', link_type: 'verified_by', target_id: 'TC-2' },
    });
    expect(await ids('missing=verification&integrity=ASIL B')).toEqual(['FSR-3']);
    expect(await ids('above=TC-2')).toEqual(['FSR-1', 'FSR-2']);
  });
});
