import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type ServiceProcess, startService } from '../../testing/service-process.js';
import { type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { until, uploadWorkProduct } from '../../testing/upload.js';
import type { GapAnalysisDetail } from '../gap-analysis/gap-analysis.view.js';
import type { WorkProduct } from '../work-products/work-products.schemas.js';
import type { StartedAnalysis } from './analyses.schemas.js';

const RUNS = 10;
const paragraph = (n: number): string =>
  `REQ-${n}: The lane assistance shall limit the steering torque in situation ${n} to a value that the driver can hold.`;
const DOCUMENT = [
  '# Functional safety concept',
  ...Array.from({ length: 1500 }, (_, n) => paragraph(n)),
].join('\n\n');

describe('a worker that is killed', () => {
  let data: TestDatabase;
  let app: TestApp;
  let owner: Client;
  const workers: ServiceProcess[] = [];
  beforeAll(async () => {
    data = await createTestDatabase();
    app = await startTestApp(data);
    owner = await app.signUp();
  });
  afterAll(async () => {
    for (const { process } of workers) process.kill('SIGKILL');
    await app?.stop();
    await data?.stop();
  });

  const startWorker = async (): Promise<ServiceProcess> => {
    const worker = await startService({
      entry: 'worker',
      dataDirectory: app.dependencies.configuration.dataDirectory,
      environment: {
        ...app.environment,
        EMBEDDINGS: 'off',
        WORKER_CONCURRENCY: String(RUNS),
        LOG_LEVEL: 'info',
      },
    });
    workers.push(worker);
    await expect.poll(() => worker.output(), { timeout: 20_000 }).toContain('worker ready');
    return worker;
  };

  test(`in the middle of ${RUNS} runs leaves them to another one: all complete, once, with the same result`, async () => {
    const post = async <Body>(path: string, body: unknown): Promise<Body> =>
      (await owner.request('POST', `/api/v1${path}`, { body })).body as Body;
    const { id: workspace } = await post<{ id: string }>('/workspaces', { name: 'Shaken' });
    const adopted = { workspace_id: workspace, catalog_id: 'iso-26262-3-2018' };
    const { id: standard } = await post<{ id: string }>('/standards', adopted);
    const start = () =>
      post<StartedAnalysis>('/analysis/gaps', {
        workspace_id: workspace,
        standard_id: standard,
        force: true,
      });
    const ended = (id: string, milliseconds: number) =>
      until<GapAnalysisDetail>(
        owner,
        `/api/v1/analysis/analyses/${id}`,
        ({ status }) => !['queued', 'running'].includes(status),
        milliseconds,
      );
    const first = await startWorker();
    const file = { name: 'fsc.md', type: 'text/markdown', bytes: DOCUMENT };
    const { id } = (await uploadWorkProduct(owner, workspace, file)).body as WorkProduct;
    await until(
      owner,
      `/api/v1/work-products/${id}`,
      (one: WorkProduct) => one.processing_status === 'completed',
    );
    const undisturbed = await ended((await start()).id, 60_000);
    expect([undisturbed.status, undisturbed.error]).toEqual(['completed', null]);
    expect(undisturbed.gaps.length).toBeGreaterThan(0);

    const second = await startWorker();
    second.process.kill('SIGSTOP');
    const runs = await Promise.all(Array.from({ length: RUNS }, start));
    const ids = runs.map((run) => run.id);
    await expect
      .poll(() => countOf(data, ids, 'running'), { interval: 20, timeout: 30_000 })
      .toBeGreaterThanOrEqual(RUNS - 1);
    const killed = performance.now();
    first.process.kill('SIGKILL');
    second.process.kill('SIGCONT');
    const interrupted = (
      await data.asOwner("select from analyses where id = any ($1) and status = 'running'", [ids])
    ).length;
    await expect
      .poll(() => countOf(data, ids, 'running', 2), { interval: 50, timeout: 60_000 })
      .toBeGreaterThanOrEqual(interrupted);
    const restarted = performance.now();
    const results = await Promise.all(ids.map((run) => ended(run, 60_000)));
    const restarts = results.filter((result) => result.attempt > 1).length;
    const toRestart = ((restarted - killed) / 1000).toFixed(1);
    const toEnd = ((performance.now() - restarted) / 1000).toFixed(1);
    console.info(
      `killed with ${interrupted} runs under way: the last of ${restarts} began again after ${toRestart} s, ` +
        `all were complete ${toEnd} s later`,
    );
    expect(restarts).toBeGreaterThan(0);
    expect(restarted - killed).toBeLessThan(15_000);

    for (const result of results) {
      expect([result.status, result.error], workers.map((one) => one.output()).join('')).toEqual([
        'completed',
        null,
      ]);
      expect(result.verdicts).toEqual(undisturbed.verdicts);
      expect(result.gaps.map(({ id }) => id)).toEqual(undisturbed.gaps.map(({ id }) => id));
      expect(result.score).toBe(undisturbed.score);
    }
    const gaps = await data.asOwner('select from gaps');
    expect(gaps).toHaveLength(undisturbed.gaps.length);
    const ends = await data.asOwner<{ completed: number; findings: number; fingerprints: number }>(
      `select count(*) filter (where type = 'completed')::int as completed,
                count(*) filter (where type = 'finding')::int as findings,
                count(distinct data ->> 'fingerprint')::int as fingerprints
         from workspace_events where analysis_id = any ($1) group by analysis_id`,
      [ids],
    );
    expect(ends).toEqual(
      ids.map(() => ({
        completed: 1,
        findings: undisturbed.gaps.length,
        fingerprints: undisturbed.gaps.length,
      })),
    );
  }, 150_000);
});

/** Runs in this state, or past it, that a worker took up at least so often. */
const countOf = async (
  data: TestDatabase,
  ids: readonly string[],
  status: string,
  attempts = 0,
): Promise<number> =>
  (
    await data.asOwner(
      "select from analyses where id = any ($1) and status in ($2, 'completed') and attempt >= $3",
      [ids, status, attempts],
    )
  ).length;
