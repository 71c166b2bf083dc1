import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fillGaps } from '../../testing/browser/many-rows.js';
import { finished } from '../../testing/isolation/analysis.rows.js';
import { type ServiceProcess, startService } from '../../testing/service-process.js';
import { type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { until } from '../../testing/upload.js';
import type { StartedGapsChange } from './many-gaps.schemas.js';

/** `GAPS=100000` tells how long a change of so many takes. */
const GAPS = Number(process.env.GAPS ?? 6000);
const CHANGES = '/api/v1/analysis/gap-changes';

describe(`a worker that is killed while it changes ${GAPS} gaps`, () => {
  let data: TestDatabase;
  let app: TestApp;
  let owner: Client;
  let workspace: string;
  const workers: ServiceProcess[] = [];
  beforeAll(async () => {
    data = await createTestDatabase();
    app = await startTestApp(data);
    owner = await app.signUp();
    workspace = await data.createWorkspace(owner);
    await finished({ database: data }, { workspaceId: workspace, owner });
    await fillGaps(data, { workspace, rows: GAPS - 1 });
  }, 600_000);
  afterAll(async () => {
    for (const { process } of workers) process.kill('SIGKILL');
    await app?.stop();
    await data?.stop();
  });

  const startWorker = async (): Promise<ServiceProcess> => {
    const worker = await startService({
      entry: 'worker',
      dataDirectory: app.dependencies.configuration.dataDirectory,
      environment: { ...app.environment, EMBEDDINGS: 'off', LOG_LEVEL: 'info' },
    });
    workers.push(worker);
    await expect.poll(() => worker.output(), { timeout: 60_000 }).toContain('worker ready');
    return worker;
  };
  const read = async ({ id }: StartedGapsChange): Promise<StartedGapsChange> =>
    (await owner.request('GET', `${CHANGES}/${id}`)).body as StartedGapsChange;
  const ended = ({ id }: StartedGapsChange): Promise<StartedGapsChange> =>
    until(owner, `${CHANGES}/${id}`, ({ finished_at }: StartedGapsChange) => finished_at !== null, 600_000);
  const decided = () =>
    data.asOwner(
      'select id, status, resolution, assignee, due_date from gaps where workspace_id = $1 order by id',
      [workspace],
    );

  test('leaves the rest to another one: nothing is lost, nothing is done twice, all can be taken back', async () => {
    const before = await decided();
    const first = await startWorker();
    const answer = await owner.request('POST', CHANGES, {
      body: { workspace_id: workspace, filter: {}, expected_total: GAPS, change: { due_date: '2031-05-05' } },
    });
    expect(answer.status).toBe(202);
    const change = answer.body as StartedGapsChange;
    await expect
      .poll(async () => (await read(change)).done, { interval: 5, timeout: 60_000 })
      .toBeGreaterThan(0);
    first.process.kill('SIGKILL');
    const cut = await read(change);
    expect(cut.done).toBeLessThan(GAPS);
    await startWorker();
    expect(await ended(change)).toMatchObject({ status: 'completed', done: GAPS, changed: GAPS, refused: 0 });
    const [count] = await data.asOwner(
      `select count(*)::int as events, count(distinct target_id)::int as gaps from audit_events
       where action = 'gap.changed' and workspace_id = $1`,
      [workspace],
    );
    expect(count).toEqual({ events: GAPS, gaps: GAPS });
    const back = await owner.request('POST', `${CHANGES}/${change.id}/undo`);
    expect(back.status).toBe(202);
    const started = performance.now();
    expect(await ended(back.body as StartedGapsChange)).toMatchObject({ status: 'completed', changed: GAPS });
    const seconds = (performance.now() - started) / 1000;
    console.info(`killed after ${cut.done} of ${GAPS}; all of it undisturbed took ${seconds.toFixed(1)} s`);
    expect(await decided()).toEqual(before);
  }, 1_500_000);
});
