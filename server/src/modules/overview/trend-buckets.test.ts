import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Statement } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import { about, storedRuns } from '../../testing/stored-runs.js';
import { type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { selectBuckets, selectTrend } from './trend.repository.js';
import type { AnalysisTrend } from './trend.schemas.js';

describe('the trend in buckets', () => {
  type Point = AnalysisTrend['points'][number];
  type Bucket = NonNullable<AnalysisTrend['buckets']>[number];
  let database: TestDatabase;
  let app: TestApp;
  let owner: Client;
  let workspace: string;
  let ids: string[];
  const get = async <Body>(path: string): Promise<Body> => {
    const answer = await owner.request('GET', `/api/v1${path}`);
    expect([path, answer.status]).toEqual([path, 200]);
    return answer.body as Body;
  };
  const trend = (query: string) =>
    get<{ points: Point[]; buckets?: Bucket[] }>(`/analysis/trend?workspace_id=${workspace}${query}`);
  const told = async (query: string) =>
    (await trend(query)).buckets!.map(({ begins_at, values, opened, closed }) => [
      begins_at.slice(0, 10),
      values,
      opened,
      closed,
    ]);

  beforeAll(async () => {
    database = await createTestDatabase();
    app = await startTestApp(database);
    owner = await app.signUp();
    workspace = await database.createWorkspace(owner);
    const runs = storedRuns(database, { workspaceId: workspace, userId: owner.userId });
    const one = await runs.document();
    const gap = (name: string, severity: 'low' | 'high') => about(one, name, { severity });
    const made = [
      await runs.run([one], [gap('a', 'low'), gap('b', 'high'), gap('c', 'high')]),
      await runs.run([one], [gap('a', 'high'), gap('b', 'high')]),
    ];
    const { items } = await get<{ items: { id: string }[] }>(
      `/analysis/gaps?workspace_id=${workspace}&change=unchanged,updated`,
    );
    const changed = await owner.request('PATCH', `/api/v1/analysis/gaps/${items[0]!.id}`, {
      body: { status: 'in_progress' },
    });
    expect(changed.status).toBe(200);
    made.push(await runs.run([one], [gap('a', 'high'), gap('b', 'high'), gap('d', 'low')]));
    ids = made.map(({ id }) => id);
  });
  afterAll(async () => {
    await app?.stop();
    await database?.stop();
  });
  const setDays = (...moments: readonly string[]) =>
    Promise.all(
      moments.map((moment, index) =>
        database.asOwner('update analyses set finished_at = $2 where id = $1', [ids[index], moment]),
      ),
    );

  it('counts statuses as they were when each run ended', async () => {
    const { points, buckets } = await trend('&by=status');
    expect(buckets!.map(({ analysis_id }) => analysis_id)).toEqual(ids);
    expect(buckets!.map(({ begins_at }) => begins_at)).toEqual(points.map((point) => point.finished_at));
    expect(buckets!.map(({ values }) => values)).toEqual([
      { open: 3 },
      { open: 2 },
      { open: 2, in_progress: 1 },
    ]);
  });

  it('counts severities as each run found them, and what came and went', async () => {
    const { buckets } = await trend('&by=severity');
    expect(buckets!.map(({ values, opened, closed }) => [values, opened, closed])).toEqual([
      [{ low: 1, high: 2 }, 3, 0],
      [{ high: 2 }, 0, 1],
      [{ high: 2, low: 1 }, 1, 0],
    ]);
    expect((await trend('&bucket=run')).buckets).toEqual(buckets);
    expect((await trend('')).buckets).toBeUndefined();
    const { points } = await trend('');
    expect(points.map(({ by_severity, opened, closed }) => [by_severity, opened, closed])).toEqual(
      buckets!.map(({ values, opened, closed }) => [values, opened, closed]),
    );
  });

  it('takes the newest run of each series until the end of a day or week', async () => {
    await setDays('2026-03-02T23:10:00Z', '2026-03-02T23:50:00Z', '2026-03-09T00:10:00Z');
    const runs = storedRuns(database, { workspaceId: workspace, userId: owner.userId });
    const two = await runs.document();
    const { id: standard } = (
      await owner.request('POST', '/api/v1/standards', { body: { workspace_id: workspace, name: 'Rules' } })
    ).body as { id: string };
    const other = await runs.run([two], [about(two, 'x', { severity: 'critical' })], {
      standardId: standard,
    });
    await database.asOwner("update analyses set finished_at = '2026-03-05T12:00:00Z' where id = $1", [
      other.id,
    ]);
    expect(await told('&bucket=day')).toEqual([
      ['2026-03-02', { high: 2 }, 3, 1],
      ['2026-03-05', { high: 2, critical: 1 }, 1, 0],
      ['2026-03-09', { high: 2, low: 1, critical: 1 }, 1, 0],
    ]);
    expect(await told('&bucket=week&by=severity')).toEqual([
      ['2026-03-02', { high: 2, critical: 1 }, 4, 1],
      ['2026-03-09', { high: 2, low: 1, critical: 1 }, 1, 0],
    ]);
    expect(await told('&bucket=week&from=2026-03-03T00:00:00Z')).toEqual([
      ['2026-03-09', { high: 2, low: 1, critical: 1 }, 1, 0],
    ]);
    expect(await told(`&bucket=week&standard_id=${standard}`)).toEqual([
      ['2026-03-02', { critical: 1 }, 1, 0],
    ]);
    const late = await trend('&from=2026-03-05T13:00:00%2B01:00');
    expect(late.points.map(({ analysis_id }) => analysis_id)).toEqual([other.id, ids[2]]);
    expect(late.buckets).toBeUndefined();
  });

  it('refuses what it does not know', async () => {
    for (const wrong of ['by=colour', 'bucket=month', 'from=yesterday']) {
      const path = `/api/v1/analysis/trend?workspace_id=${workspace}&${wrong}`;
      expect([wrong, (await owner.request('GET', path)).status]).toEqual([wrong, 422]);
    }
  });

  it('reads each stored row once, however many runs it stands for', async () => {
    const standard = (
      (
        await owner.request('POST', '/api/v1/standards', {
          body: { workspace_id: workspace, name: 'Many runs' },
        })
      ).body as { id: string }
    ).id;
    const runs = storedRuns(database, { workspaceId: workspace, userId: owner.userId });
    const document = await runs.document();
    const names = Array.from({ length: 40 }, (_, index) => `many ${index}`);
    const found = (some: readonly string[]) =>
      some.map((name, index) => about(document, name, { severity: index % 2 ? 'high' : 'low' }));
    // Every run but the fifth finds the same.
    for (let number = 1; number <= 12; number++) {
      await runs.run([document], found(number === 5 ? names.slice(0, 30) : names), { standardId: standard });
    }
    const { points } = await trend(`&standard_id=${standard}`);
    expect(points.map(({ by_severity, opened, closed }) => [by_severity, opened, closed])).toEqual(
      points.map((_point, index) => [
        index === 4 ? { low: 15, high: 15 } : { low: 20, high: 20 },
        index === 0 ? 40 : index === 5 ? 10 : 0,
        index === 4 ? 10 : 0,
      ]),
    );
    const rowsRead = async (statement: Statement): Promise<number> => {
      const [answer] = await database.database.withWorkspace(workspace, (transaction) =>
        transaction.many<{ 'QUERY PLAN': readonly { readonly Plan: PlanNode }[] }>(
          sql`explain (analyze, format json) ${statement}`,
        ),
      );
      return rowsOf('gap_occurrences', answer!['QUERY PLAN'][0]!.Plan);
    };
    const filters = { workspace_id: workspace, standard_id: standard };
    // Of so few the planner reads those of other series as well.
    const stored = await database.database.withWorkspace(workspace, (transaction) =>
      transaction.one<{ count: number }>(sql`select count(*)::integer from gap_occurrences`),
    );
    expect(stored.count).toBeLessThan(100);
    expect(await rowsRead(selectTrend(filters))).toBeLessThanOrEqual(stored.count);
    for (const by of ['severity', 'status', 'verdict'] as const) {
      // Once for what stood, once for what came and went.
      const read = await rowsRead(selectBuckets({ ...filters, by, bucket: 'run' }, new Date()));
      expect(read, by).toBeLessThanOrEqual(2 * stored.count);
    }
  });
});

interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly Plans?: readonly PlanNode[];
}
/** Rows that a plan took from a table, all loops together. */
const rowsOf = (table: string, node: PlanNode): number =>
  (node['Relation Name'] === table ? node['Actual Rows'] * node['Actual Loops'] : 0) +
  (node.Plans ?? []).reduce((sum, part) => sum + rowsOf(table, part), 0);
