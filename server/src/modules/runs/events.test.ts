import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Watching, watch } from '../../testing/event-stream.js';
import { type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { until, uploadWorkProduct } from '../../testing/upload.js';
import type { WorkProduct } from '../work-products/work-products.schemas.js';
import type { Analysis, StartedAnalysis } from './analyses.schemas.js';
import { AnalysisEvent } from './events.schemas.js';

const paragraph = (n: number): string =>
  `REQ-${n}: The lane assistance shall limit the steering torque in situation ${n} to a value that the driver can hold.`;
const DOCUMENT = [
  '# Functional safety concept',
  ...Array.from({ length: 1200 }, (_, n) => paragraph(n)),
].join('\n\n');

describe('event streams', () => {
  let data: TestDatabase;
  /** Two instances of the API over one database; the first one works on jobs as well. */
  let first: TestApp;
  let second: TestApp;
  let owner: Client;
  let stranger: Client;
  let workspace: string;
  let standard: string;
  const watching: Watching[] = [];
  beforeAll(async () => {
    data = await createTestDatabase();
    first = await startTestApp(data, {
      work: true,
      environment: { EMBEDDINGS: 'off', WORKER_CONCURRENCY: '1' },
    });
    second = await startTestApp(data);
    owner = await first.signUp();
    stranger = await first.signUp();
    const post = async (path: string, body: unknown): Promise<string> =>
      ((await owner.request('POST', `/api/v1${path}`, { body })).body as { id: string }).id;
    workspace = await post('/workspaces', { name: 'Watched' });
    standard = await post('/standards', { workspace_id: workspace, catalog_id: 'iso-26262-3-2018' });
    const file = { name: 'fsc.md', type: 'text/markdown', bytes: DOCUMENT };
    const { id } = (await uploadWorkProduct(owner, workspace, file)).body as WorkProduct;
    await until(
      owner,
      `/api/v1/work-products/${id}`,
      (one: WorkProduct) => one.processing_status === 'completed',
    );
  });
  afterAll(async () => {
    for (const one of watching) one.stop();
    await first?.stop();
    await second?.stop();
    await data?.stop();
  });

  const start = async (): Promise<StartedAnalysis> =>
    (
      await owner.request('POST', '/api/v1/analysis/gaps', {
        body: { workspace_id: workspace, standard_id: standard, force: true },
      })
    ).body as StartedAnalysis;
  const open = async (app: TestApp, path: string, after?: number): Promise<Watching> => {
    const stream = await watch(app.address, path, {
      token: owner.token,
      ...(after === undefined ? {} : { after }),
    });
    watching.push(stream);
    return stream;
  };
  const eventsOf = (id: string): string => `/api/v1/analysis/analyses/${id}/events`;
  const get = (id: string) => owner.request('GET', `/api/v1/analysis/analyses/${id}`);

  test('show a run on any instance, and go on without loss or repetition', async () => {
    const { id } = await start();
    const here = await open(first, eventsOf(id));
    const there = await open(second, eventsOf(id));
    await expect.poll(() => here.events.length, { timeout: 20_000 }).toBeGreaterThan(2);
    const seen = here.events.length;
    here.stop();
    const rest = await open(second, eventsOf(id), here.events[seen - 1]?.id);
    await Promise.all([rest.ended, there.ended]);
    for (const { id, type, data } of there.events)
      expect(AnalysisEvent.parse({ id: String(id), event: type, data })).toMatchObject({ data });
    expect([...here.events.slice(0, seen), ...rest.events]).toEqual(there.events);

    expect(there.events.map((event) => event.id)).toEqual(there.events.map((_, index) => index + 1));
    expect(there.events.at(-1)).toMatchObject({
      type: 'completed',
      data: { analysis_id: id, status: 'completed' },
    });
    const progress = there.events.filter((event) => event.type === 'progress');
    expect(progress.length).toBeGreaterThan(2);
    for (const { data: one } of progress) {
      expect(Object.keys(one).sort()).toEqual(
        ['analysis_id', 'done', 'eta_seconds', 'message', 'percent', 'stage', 'total'].sort(),
      );
    }
    const percents = progress.map((event) => Number(event.data.percent));
    expect(percents).toEqual([...percents].sort((a, b) => a - b));
    const findings = there.events.filter((event) => event.type === 'finding');
    const { gaps } = (await get(id)).body as { gaps: { fingerprint: string }[] };
    expect(findings.map((event) => event.data.fingerprint).sort()).toEqual(
      gaps.map((gap) => gap.fingerprint).sort(),
    );

    const late = await open(first, eventsOf(id));
    await late.ended;
    expect(late.events).toEqual(there.events);
    const none = await open(first, eventsOf(id), late.events.at(-1)?.id);
    await none.ended;
    expect(none.events).toEqual([]);
  });

  test('catch up over more events than are read at once, on a run and on a workspace', async () => {
    const { id } = await start();
    const own = await open(second, eventsOf(id));
    await own.ended;
    const before = own.events.length;
    const many = 1234;
    await data.asOwner(
      `select app.add_event($1::uuid, $2::uuid, 'progress', jsonb_build_object('number', n))
       from generate_series(1, ${many}) as n`,
      [workspace, id],
    );
    const numbers = ({ events }: Watching) => events.flatMap(({ data: { number } }) => number ?? []);
    const expected = Array.from({ length: many }, (_, n) => n + 1);

    const late = await open(first, eventsOf(id));
    await late.ended;
    expect(late.events.map((event) => event.id)).toEqual(
      Array.from({ length: before + many }, (_, n) => n + 1),
    );
    expect(numbers(late)).toEqual(expected);
    const rest = await open(second, eventsOf(id), before + 10);
    await rest.ended;
    expect(numbers(rest)).toEqual(expected.slice(10));

    const whole = await open(second, `/api/v1/workspaces/${workspace}/events`, 0);
    await expect.poll(() => numbers(whole).length, { timeout: 10_000 }).toBe(many);
    expect(numbers(whole)).toEqual(expected);
    whole.stop();
  });

  test('a cancelled run says so at once, stops soon, and can be run again', async () => {
    const { id } = await start();
    await until(owner, `/api/v1/analysis/analyses/${id}`, (one: Analysis) => one.status === 'running');
    const stream = await open(second, eventsOf(id));
    const path = `/api/v1/analysis/analyses/${id}`;
    const before = performance.now();
    expect(await owner.request('POST', `${path}/cancel`)).toMatchObject({
      status: 200,
      body: { status: 'cancelled' },
    });
    await stream.ended;
    expect(stream.events.at(-1)).toMatchObject({ type: 'cancelled' });
    // The only worker is free again when the next run begins.
    const next = await start();
    await until(
      owner,
      `/api/v1/analysis/analyses/${next.id}`,
      (one: Analysis) => one.status !== 'queued',
      10_000,
    );
    expect(performance.now() - before).toBeLessThan(5000);
    expect((await get(id)).body).toMatchObject({ status: 'cancelled', gaps: [], verdicts: [] });
    expect((await owner.request('POST', `${path}/cancel`)).status).toBe(200);

    expect(await owner.request('POST', `${path}/retry`)).toMatchObject({
      status: 202,
      body: { status: 'queued' },
    });
    const again = await open(second, eventsOf(id));
    await again.ended;
    expect(again.events.filter((event) => event.type === 'cancelled')).toHaveLength(1);
    expect(again.events.at(-1)).toMatchObject({ type: 'completed' });
    expect((await owner.request('POST', `${path}/cancel`)).status).toBe(409);
    expect((await owner.request('POST', `${path}/retry`)).status).toBe(409);
  });

  test('a run that waits is cancelled before any worker takes it', async () => {
    const busy: StartedAnalysis[] = [];
    while (busy.length < first.workers) busy.push(await start());
    const waiting = await start();
    expect((await owner.request('POST', `/api/v1/analysis/analyses/${waiting.id}/cancel`)).status).toBe(200);
    for (const { id } of busy)
      await until(owner, `/api/v1/analysis/analyses/${id}`, (one: Analysis) => one.status === 'completed');
    const after = await start();
    await until(
      owner,
      `/api/v1/analysis/analyses/${after.id}`,
      (one: Analysis) => one.status === 'completed',
    );
    expect((await get(waiting.id)).body).toMatchObject({ status: 'cancelled', attempt: 0 });
  });

  test('show a whole workspace', async () => {
    const before = performance.now();
    const stream = await open(second, `/api/v1/workspaces/${workspace}/events`);
    expect(performance.now() - before).toBeLessThan(3000);
    const { id } = await start();
    await expect.poll(() => stream.events.at(-1)?.type, { timeout: 20_000 }).toBe('completed');
    expect(stream.events.every((event) => event.data.analysis_id === id)).toBe(true);
    const ids = stream.events.map((event) => event.id);
    expect(ids).toEqual(ids.map((_, index) => (ids[0] ?? 0) + index));
    stream.stop();
    const again = await open(first, `/api/v1/workspaces/${workspace}/events`, ids[1]);
    await expect.poll(() => again.events.length, { timeout: 5000 }).toBe(ids.length - 2);
    expect(again.events).toEqual(stream.events.slice(2));
  });

  test('are refused without the right Accept header, with a wrong id, and to strangers', async () => {
    const { id } = await start();
    for (const refused of ['application/json', '*/*;q=0', 'text/event-stream;q=0, */*'])
      expect((await owner.request('GET', eventsOf(id), { headers: { accept: refused } })).status).toBe(406);
    const accept = { accept: 'text/event-stream' };
    const ask = (client: Client, path: string, headers: Record<string, string> = {}) =>
      client.request('GET', path, { headers: { ...accept, ...headers } });
    expect((await ask(owner, eventsOf(randomUUID()))).status).toBe(404);
    expect((await ask(stranger, eventsOf(id))).status).toBe(404);
    expect((await ask(stranger, `/api/v1/workspaces/${workspace}/events`)).status).toBe(404);
    expect((await ask(first.anyone, eventsOf(id))).status).toBe(401);
    expect((await ask(owner, eventsOf(id), { 'last-event-id': 'x' })).status).toBe(422);
  });

  test('are answered to whoever accepts anything, or says nothing', async () => {
    const { id } = await start();
    for (const headers of [{ accept: '*/*' }, { accept: 'text/*;q=0.5' }, {}] as Record<string, string>[]) {
      const answer = await owner.request('GET', eventsOf(id), { headers });
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
      expect(answer.text).toContain('event: completed');
    }
  });

  test('are limited for each person, and a closed one makes room', async () => {
    const path = `/api/v1/workspaces/${workspace}/events`;
    const tabs: Watching[] = [];
    const refusal = (async () => {
      while (tabs.length < 100) tabs.push(await watch(second.address, path, { token: owner.token }));
    })();
    await expect(refusal).rejects.toThrow('429');
    watching.push(...tabs);
    expect(tabs.length).toBeGreaterThan(30);
    for (const one of tabs) one.stop();
    await expect
      .poll(async () => watching.push(await watch(second.address, path, { token: owner.token })), {
        timeout: 5_000,
      })
      .toBeGreaterThan(0);
  });

  test('end when their session is signed out', async () => {
    const body = { email: owner.email, password: 'correct horse battery' };
    const signedIn = await first.anyone.request('POST', '/api/v1/auth/sign-in', { body });
    const { access_token: token } = signedIn.body as { access_token: string };
    const stream = await watch(second.address, `/api/v1/workspaces/${workspace}/events`, { token });
    watching.push(stream);
    expect((await first.withToken(token).request('POST', '/api/v1/auth/sign-out')).status).toBe(204);
    const status = async () =>
      (await second.withToken(token).request('GET', `/api/v1/workspaces/${workspace}`)).status;
    await expect.poll(status, { timeout: 2_000 }).toBe(401);
    const { id } = await start();
    await stream.ended;
    expect(stream.events.filter((event) => event.data.analysis_id === id)).toEqual([]);
  });

  test('do not keep the service from stopping', async () => {
    const third = await startTestApp(data);
    const stream = await open(third, `/api/v1/workspaces/${workspace}/events`);
    const before = performance.now();
    await third.stop();
    await stream.ended;
    expect(performance.now() - before).toBeLessThan(3000);
  });
});
