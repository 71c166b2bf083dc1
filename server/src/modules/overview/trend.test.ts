import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FilledApp, startFilledApp } from '../../testing/filled-app.js';
import type { Filled } from '../../testing/filled-workspace.js';
import type { Client } from '../../testing/test-app.js';
import type { ClauseNode } from './overview.schemas.js';
import type { Heatmap } from './trend.schemas.js';

let started: FilledApp | undefined;
let owner: Client;
let filled: Filled;

beforeAll(async () => {
  started = await startFilledApp();
  ({ owner, filled } = started);
}, 300_000);
afterAll(async () => {
  await started?.stop();
});

const get = async <Body>(path: string): Promise<Body> => {
  const answer = await owner.request('GET', `/api/v1${path}`);
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.body as Body;
};
interface Point {
  readonly analysis_id: string;
  readonly analysis_type: string;
  readonly standard_id: string | null;
  readonly by_severity: Record<string, number>;
  readonly by_verdict: Record<string, number>;
  readonly opened: number;
  readonly closed: number;
}
const sum = (counts: Record<string, number>) => Object.values(counts).reduce((all, one) => all + one, 0);

describe('the trend', () => {
  it('counts what each run found', async () => {
    const { points } = await get<{ points: Point[] }>(`/analysis/trend?workspace_id=${filled.workspace}`);
    expect(points.map(({ analysis_id }) => analysis_id)).toEqual(
      expect.arrayContaining([...filled.analyses]),
    );
    for (const point of points) {
      const { total } = await get<{ total: number }>(
        `/analysis/gaps?analysis_id=${point.analysis_id}&change=new,unchanged,updated&limit=1`,
      );
      expect([point.analysis_type, sum(point.by_severity)]).toEqual([point.analysis_type, total]);
      expect(sum(point.by_verdict) > 0).toBe(point.analysis_type === 'gap_analysis');
      expect([point.opened, point.closed]).toEqual([total, 0]);
    }
    const own = await get<{ points: Point[] }>(
      `/analysis/trend?workspace_id=${filled.workspace}&standard_id=${filled.standard}`,
    );
    expect(own.points.map(({ standard_id }) => standard_id)).toEqual([filled.standard]);
    const { buckets } = await get<{ buckets: { values: Record<string, number> }[] }>(
      `/analysis/trend?workspace_id=${filled.workspace}&standard_id=${filled.standard}&by=verdict`,
    );
    expect(buckets.map(({ values }) => values)).toEqual([own.points[0]!.by_verdict]);
  });

  it('is empty without a run', async () => {
    const made = await owner.request('POST', '/api/v1/workspaces', { body: { name: 'Empty' } });
    const { id } = made.body as { id: string };
    expect(await get(`/analysis/trend?workspace_id=${id}`)).toEqual({ points: [] });
    expect(await get(`/analysis/trend?workspace_id=${id}&bucket=day`)).toEqual({ points: [], buckets: [] });
  });
});

describe('the heat map of a standard', () => {
  it('says of each criterion and document what the clause tree shows', async () => {
    const { points } = await get<{ points: Point[] }>(
      `/analysis/trend?workspace_id=${filled.workspace}&analysis_type=gap_analysis`,
    );
    const told: string[] = [];
    for (const { standard_id } of points) {
      const map = await get<Heatmap>(`/analysis/standards/${standard_id}/heatmap`);
      const { clauses } = await get<{ clauses: ClauseNode[] }>(
        `/analysis/standards/${standard_id}/drilldown`,
      );
      const nodes = (list: readonly ClauseNode[], depth = 0): { node: ClauseNode; depth: number }[] =>
        list.flatMap((node) => [{ node, depth }, ...nodes(node.children ?? [], depth + 1)]);
      const all = new Map(nodes(clauses).map((one) => [one.node.criterion_id, one]));
      expect(map.columns.length).toBe(2);
      expect(map.rows.map(({ criterion_id }) => criterion_id).sort()).toEqual([...all.keys()].sort());
      for (const { criterion_id, depth, verdict, title, cells } of map.rows) {
        const { node, depth: expected } = all.get(criterion_id)!;
        expect([depth, verdict, title]).toEqual([expected, node.verdict, node.title]);
        const letters = map.columns.map(({ work_product_id }) => {
          const roles = node.evidence
            .filter((one) => one.work_product_id === work_product_id)
            .map(({ role }) => role);
          if (roles.length === 0) return '-';
          const [support, counter] = [roles.includes('support'), roles.includes('counter')];
          return support && counter ? 'b' : support ? 's' : counter ? 'c' : 'x';
        });
        expect(cells).toBe(letters.join(''));
      }
      told.push(...map.rows.map(({ cells }) => cells));
    }
    expect(told.join('')).toMatch(/[sbc]/);
  });

  it('has a row for each process with everything that is below it', async () => {
    const { points } = await get<{ points: Point[] }>(
      `/analysis/trend?workspace_id=${filled.workspace}&analysis_type=gap_analysis`,
    );
    const letters: string[] = [];
    for (const { standard_id } of points) {
      const whole = await get<Heatmap>(`/analysis/standards/${standard_id}/heatmap?rows=clause`);
      const map = await get<Heatmap>(`/analysis/standards/${standard_id}/heatmap?rows=process`);
      expect(map.columns).toEqual(whole.columns);
      // Chapters of the built-in standard are no deeper than one step: what follows a row up to the next one is below it.
      const rows = new Set(map.rows.map(({ criterion_id }) => criterion_id));
      expect(rows.size).toBeGreaterThan(0);
      for (const row of map.rows) {
        const at = whole.rows.findIndex(({ criterion_id }) => criterion_id === row.criterion_id);
        const next = whole.rows.findIndex(({ depth }, index) => index > at && depth <= row.depth);
        const below = whole.rows.slice(at, next === -1 ? undefined : next);
        const verdicts = below.flatMap(({ verdict }) => (verdict === null ? [] : [verdict]));
        expect(sum(row.verdicts)).toBe(verdicts.length);
        for (const [name, count] of Object.entries(row.verdicts)) {
          expect(verdicts.filter((verdict) => verdict === name).length).toBe(count);
        }
        const cells = [...row.cells].map((_cell, column) => {
          const all = below.map(({ cells }) => cells[column]).join('');
          const [support, counter] = [/[sb]/.test(all), /[cb]/.test(all)];
          return support && counter ? 'b' : support ? 's' : counter ? 'c' : /x/.test(all) ? 'x' : '-';
        });
        expect(row.cells).toBe(cells.join(''));
        expect(row.score).toBe(whole.rows[at]?.score);
        letters.push(row.cells);
      }
      for (const row of whole.rows.filter(({ kind, depth }) => kind !== 'group' && depth > 0)) {
        expect(rows.has(row.criterion_id)).toBe(false);
      }
    }
    expect(letters.join('')).toMatch(/[sbc]/);
  });
});
