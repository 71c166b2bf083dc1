import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { StartedAnalysis } from '../modules/runs/analyses.schemas.js';
import type { WorkProduct } from '../modules/work-products/work-products.schemas.js';
import { type ServiceProcess, startService } from './service-process.js';
import { type Client, clientAt, startTestApp, type TestApp } from './test-app.js';
import { createTestDatabase, type TestDatabase } from './test-database.js';
import { until, uploadWorkProduct } from './upload.js';

/** A machine whose clock is wrong by so many minutes, as an option of Node.js. */
const wrongBy = (minutes: number): string => {
  const program = `
    const Right = Date;
    const wrong = ${minutes * 60_000};
    globalThis.Date = class extends Right {
      constructor(...given) { if (given.length > 0) super(...given); else super(Right.now() + wrong); }
      static now() { return Right.now() + wrong; }
    };`;
  return `--import=data:text/javascript;base64,${Buffer.from(program).toString('base64')}`;
};

const DAY = 24 * 60;

describe('processes on machines whose clocks are wrong', () => {
  let data: TestDatabase;
  let app: TestApp;
  let right: Client;
  const services: ServiceProcess[] = [];
  beforeAll(async () => {
    data = await createTestDatabase();
    app = await startTestApp(data);
    right = await app.signUp();
  });
  afterAll(async () => {
    for (const { process } of services) process.kill('SIGKILL');
    await app?.stop();
    await data?.stop();
  });

  const start = async (entry: 'api' | 'worker', minutes: number): Promise<ServiceProcess> => {
    const { dataDirectory } = app.dependencies.configuration;
    const service = await startService({
      entry,
      dataDirectory,
      environment: {
        ...app.environment,
        EMBEDDINGS: 'off',
        WORKER_CONCURRENCY: '1',
        LOG_LEVEL: 'info',
        NODE_OPTIONS: wrongBy(minutes),
      },
    });
    services.push(service);
    return service;
  };

  test('work on runs, and accept each other’s tokens and upload addresses, as if they were right', async () => {
    const wrong = [31, -31, DAY];
    const workers = await Promise.all(wrong.map((minutes) => start('worker', minutes)));
    const apis = await Promise.all([-31, DAY].map((minutes) => start('api', minutes)));
    await Promise.all(apis.map((api) => api.untilReady()));
    for (const worker of workers) {
      await expect.poll(() => worker.output(), { timeout: 30_000 }).toContain('worker ready');
    }

    const { body } = await right.request('POST', '/api/v1/workspaces', { body: { name: 'Late' } });
    const workspace = (body as { id: string }).id;
    for (const { baseUrl } of apis) {
      const session = await clientAt(baseUrl, undefined).request('POST', '/api/v1/auth/sign-up', {
        body: {
          email: `at-${new URL(baseUrl).port}@example.org`,
          password: 'correct horse battery',
          name: 'Ada',
        },
      });
      const { access_token } = session.body as { access_token: string };
      expect((await app.withToken(access_token).request('GET', '/api/v1/auth/me')).status).toBe(200);
      const there = clientAt(baseUrl, right.token);
      expect((await there.request('GET', '/api/v1/auth/me')).status).toBe(200);
      const file = { name: 'a.md', type: 'text/markdown', bytes: '# Concept\n\nThe door shall stay shut.' };
      // Announced and signed where the clock is wrong, sent to where it is right.
      const uploaded = await uploadWorkProduct(there, workspace, file);
      expect(uploaded.status).toBe(200);
      const { id } = uploaded.body as WorkProduct;
      await until<WorkProduct>(
        right,
        `/api/v1/work-products/${id}`,
        (one) => one.processing_status === 'completed',
      );
    }
    const adopted = { workspace_id: workspace, catalog_id: 'iso-26262-3-2018' };
    const standard = (await right.request('POST', '/api/v1/standards', { body: adopted })).body as {
      id: string;
    };
    // As often as it takes until each of them has done one.
    const hasRun = (worker: ServiceProcess): boolean =>
      /"job":"analyses\.run".*"job done"/.test(worker.output());
    for (let round = 0; round < 10 && !workers.every(hasRun); round++) {
      const runs = await Promise.all(
        workers.map(async () => {
          const asked = { workspace_id: workspace, standard_id: standard.id, force: true };
          return (await right.request('POST', '/api/v1/analysis/gaps', { body: asked }))
            .body as StartedAnalysis;
        }),
      );
      for (const { id } of runs) {
        const ended = await until<{ status: string; error: string | null }>(
          right,
          `/api/v1/analysis/analyses/${id}`,
          ({ status }) => !['queued', 'running'].includes(status),
        );
        expect([ended.status, ended.error]).toEqual(['completed', null]);
      }
    }
    expect(workers.map(hasRun)).toEqual([true, true, true]);
  }, 120_000);
});
