import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTcpProxy, type TcpProxy, targetOf, through } from '../../testing/tcp-proxy.js';
import { type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { until, uploadStandard, uploadWorkProduct } from '../../testing/upload.js';
import { createDatabase } from './create-database.js';
import type { Database } from './database.js';
import { sql } from './sql.js';

describe('a network between service and database', () => {
  let data: TestDatabase;
  let proxy: TcpProxy;
  let database: Database;
  let app: TestApp;
  let owner: Client;
  let workspace: string;
  beforeAll(async () => {
    data = await createTestDatabase();
    proxy = await startTcpProxy(targetOf(data.connections.migration));
    const connections = through(data.connections, proxy);
    database = createDatabase({ connections, log: pino({ level: 'silent' }), silence: 1_000 });
    app = await startTestApp({ ...data, database, connections }, { work: true, alone: true });
    owner = await app.signUp();
    const made = await owner.request('POST', '/api/v1/workspaces', { body: { name: 'Far away' } });
    workspace = (made.body as { id: string }).id;
  });
  afterAll(async () => {
    await app?.stop();
    await database?.close();
    await proxy?.stop();
    await data?.stop();
  });

  const file = (name: string) => ({
    name,
    type: 'text/markdown',
    bytes: `# ${name}\n\nThe door shall stay shut.`,
  });
  const isRead = (id: string, milliseconds?: number) =>
    until<{ processing_status: string }>(
      owner,
      `/api/v1/work-products/${id}`,
      (one) => one.processing_status === 'completed',
      milliseconds,
    );
  const timed = async (): Promise<{ readonly status: number; readonly milliseconds: number }> => {
    const before = performance.now();
    const { status } = await owner.request('GET', '/api/v1/workspaces');
    return { status, milliseconds: performance.now() - before };
  };

  test('that has become a black hole for open connections is noticed; requests and jobs go on over new ones', async () => {
    const news: string[] = [];
    let reconnects = 0;
    const listening = await database.listen(
      'far_news',
      (payload) => news.push(payload),
      () => reconnects++,
    );
    // So that there are connections to lose.
    await Promise.all(Array.from({ length: 12 }, timed));
    proxy.freeze();
    const frozen = performance.now();
    const answers: Awaited<ReturnType<typeof timed>>[] = [];
    while (answers.slice(-12).some(({ status }) => status !== 200) || answers.length < 24) {
      answers.push(...(await Promise.all(Array.from({ length: 12 }, timed))));
      expect(performance.now() - frozen).toBeLessThan(20_000);
    }
    const recovered = performance.now() - frozen;
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 503]));
    const slowest = Math.max(...answers.map(({ milliseconds }) => milliseconds));
    expect(slowest).toBeLessThan(8_000);
    expect(recovered).toBeLessThan(15_000);

    const uploaded = await uploadWorkProduct(owner, workspace, file('after.md'));
    expect([uploaded.status, uploaded.text]).toEqual([200, expect.any(String)]);
    await isRead((uploaded.body as { id: string }).id, 40_000);
    await expect.poll(() => reconnects, { timeout: 20_000 }).toBeGreaterThan(0);
    await data.asOwner(`select pg_notify('far_news', 'heard again')`);
    await expect.poll(() => news).toContain('heard again');
    await listening.stop();
    console.info(
      `black hole: slowest answer ${Math.round(slowest)} ms, all answers 200 after ${Math.round(recovered)} ms, ` +
        `jobs and notifications after ${Math.round(performance.now() - frozen)} ms`,
    );
  }, 120_000);

  test('that is cut in the middle of a transaction keeps nobody waiting for its locks', async () => {
    const lock = sql`select pg_advisory_xact_lock(4711)`;
    const cut = database.asSystem('a transaction that is cut off', async (transaction) => {
      await transaction.run(lock);
      proxy.freeze();
      await transaction.run(lock);
    });
    await expect(cut).rejects.toThrow();
    const began = performance.now();
    const locks = () =>
      database
        .asSystem('who comes after it', (transaction) => transaction.run(lock))
        .then(
          () => true,
          () => false,
        );
    // One or another connection of before may be tried first.
    while (!(await locks())) expect(performance.now() - began).toBeLessThan(20_000);
    expect(performance.now() - began).toBeLessThan(20_000);
  }, 120_000);

  test('that is slow because the server works is waited for', async () => {
    const slept = await database.asSystem('a slow statement', (transaction) =>
      transaction.one<{ done: boolean }>(sql`select pg_sleep(4) is not null as done`),
    );
    expect(slept.done).toBe(true);
  });

  test('that is gone altogether is answered 503 within the deadline, and 200 when it is back', async () => {
    proxy.holdNew(true);
    proxy.freeze();
    const { status, milliseconds } = await timed();
    expect(status).toBe(503);
    expect(milliseconds).toBeLessThan(12_000);
    proxy.holdNew(false);
    await expect.poll(async () => (await timed()).status, { timeout: 15_000 }).toBe(200);
  }, 40_000);

  test.each([
    ['a work product', 'insert into work_product_versions'],
    ['a standard', 'insert into standard_files'],
  ])(
    'that loses the answer to the commit of %s keeps its bytes',
    async (what, statement) => {
      const isStandard = what === 'a standard';
      const swallowed = proxy.swallowAnswerTo(statement, 'commit');
      const path = isStandard ? 'standards' : 'work-products';
      let id: string;
      let again: () => ReturnType<Client['request']>;
      if (isStandard) {
        const named = { workspace_id: workspace, name: 'House rules' };
        id = ((await owner.request('POST', '/api/v1/standards', { body: named })).body as { id: string }).id;
        const rules = `criteria:\n  - id: R-1\n    title: Doors\n    text: Doors shall stay shut.\n`;
        const answer = await uploadStandard(owner, id, {
          name: 'r.yaml',
          type: 'application/yaml',
          bytes: `standard: { designation: House rules, title: House rules, edition: "1" }\n${rules}`,
        });
        expect(answer.status).toBe(503);
        const [upload] = await data.asOwner<{ id: string }>('select id from uploads where standard_id = $1', [
          id,
        ]);
        again = () => owner.request('POST', `/api/v1/standards/${id}/uploads/${upload!.id}/complete`);
      } else {
        expect((await uploadWorkProduct(owner, workspace, file('lost.md'))).status).toBe(503);
        const [row] = await data.asOwner<{ id: string }>(
          `select id from work_products where original_filename = 'lost.md'`,
        );
        id = row!.id;
        again = () => owner.request('POST', `/api/v1/work-products/uploads/${id}/complete`);
      }
      await swallowed;
      expect((await again()).status).toBe(200);
      await until<{ processing_status: string }>(owner, `/api/v1/${path}/${id}`, (one) =>
        ['completed', 'failed'].includes(one.processing_status),
      );
      const shown = await owner.request('GET', `/api/v1/${path}/${id}`);
      expect(shown.body).toMatchObject({ processing_status: 'completed', processing_error: null });
      if (!isStandard) {
        const content = await owner.request('GET', `/api/v1/work-products/${id}/content`);
        expect([content.status, content.text]).toEqual([200, file('lost.md').bytes]);
      }
    },
    60_000,
  );
});
