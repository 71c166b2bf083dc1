import { randomUUID, webcrypto } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { sql } from '../../platform/database/sql.js';
import { type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { until, uploadWorkProduct } from '../../testing/upload.js';
import { announce } from './announce.js';
import { deliverWebhook } from './deliver.js';
import type { Delivery, DeliveryWithAttempts, Webhook, WebhookWithSecret } from './webhooks.schemas.js';

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const environment = {
  WEBHOOK_ALLOW_HTTP: 'true',
  WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8',
  EMBEDDINGS: 'off',
};

let database: TestDatabase;
/** Works on no jobs: the tests make the attempts themselves. */
let idle: TestApp;
let owner: Client;
let server: Server;
let address: string;
/** Takes the message and never answers. */
const SILENT = 0;
/** What arrived, by path; and how a path answers, 204 unless told. */
const received = new Map<string, Received[]>();
const answers = new Map<string, { readonly status: number; readonly headers?: Record<string, string> }>();

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const path = request.url ?? '';
    const body = (await buffer(request)).toString();
    received.set(path, [...(received.get(path) ?? []), { headers: request.headers, body }]);
    const { status, headers } = answers.get(path) ?? { status: 204 };
    if (status !== SILENT) response.writeHead(status, headers).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  database = await createTestDatabase();
  idle = await startTestApp(database, { environment });
  owner = await idle.signUp();
});
afterAll(async () => {
  await idle?.stop();
  await database?.stop();
  server?.closeAllConnections();
  server?.close();
});

const post = async <Body>(path: string, body: unknown): Promise<Body> => {
  const answer = await owner.request('POST', `/api/v1${path}`, { body });
  if (answer.status >= 300) throw new Error(`${path} was answered ${answer.status}: ${answer.text}`);
  return answer.body as Body;
};
const get = async <Body>(path: string): Promise<Body> =>
  (await owner.request('GET', `/api/v1${path}`)).body as Body;

interface Endpoint extends WebhookWithSecret {
  /** Of its resources. */
  readonly at: string;
  readonly path: string;
}

async function endpoint(events: readonly string[], workspaceId?: string): Promise<Endpoint> {
  const workspace = workspaceId ?? (await post<{ id: string }>('/workspaces', { name: 'One' })).id;
  const path = `/${randomUUID()}`;
  const made = await post<WebhookWithSecret>(`/workspaces/${workspace}/webhooks`, {
    url: address + path,
    events,
  });
  return { ...made, path, at: `/workspaces/${workspace}/webhooks/${made.id}` };
}

/** An event as a module announces it; returns the delivery. */
async function announced({ workspace_id: workspaceId, at }: Endpoint): Promise<string> {
  await database.database.withWorkspace(workspaceId, (transaction) =>
    announce(idle.dependencies, transaction, {
      workspaceId,
      type: 'report.completed',
      data: { report_id: workspaceId, type: 'full', format: 'pdf' },
      path: '/api/v1/reports/1',
    }),
  );
  const { items } = await get<{ items: Delivery[] }>(`${at}/deliveries`);
  return items[0]?.id ?? '';
}

const makeAttempt = ({ workspace_id }: Endpoint, deliveryId: string, attempts: number) =>
  deliverWebhook(idle.dependencies, { random: () => 0.5 })(
    { workspaceId: workspace_id, deliveryId, attempts: String(attempts) },
    { jobId: deliveryId, signal: new AbortController().signal },
  );
const deliveryOf = ({ at }: Endpoint, id: string) => get<DeliveryWithAttempts>(`${at}/deliveries/${id}`);
const messagesTo = ({ path }: Endpoint): readonly Received[] => received.get(path) ?? [];

/** As a receiver reads the specification: standardwebhooks.com, "Verifying signatures". */
async function isGenuine(secret: string | null, { headers, body }: Received): Promise<boolean> {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    String(headers[`webhook-${name}`]),
  );
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) return false;
  const bytes = Uint8Array.from(atob((secret ?? '').replace('whsec_', '')), (character) =>
    character.charCodeAt(0),
  );
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await webcrypto.subtle.importKey('raw', bytes, algorithm, false, ['verify']);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  for (const versioned of (signatures ?? '').split(' ')) {
    const [version, signature = ''] = versioned.split(',');
    const given = Uint8Array.from(atob(signature), (character) => character.charCodeAt(0));
    if (version === 'v1' && (await webcrypto.subtle.verify('HMAC', key, given, signed))) return true;
  }
  return false;
}

describe('an event', () => {
  it('of a document, an analysis and a gap arrives signed, with ids and counts and no content', async () => {
    const working = await startTestApp(database, { environment, work: true });
    onTestFinished(() => working.stop());
    const hook = await endpoint([
      'document.processed',
      'analysis.completed',
      'analysis.failed',
      'gap.status_changed',
    ]);
    const other = await endpoint(['document.processed', 'gap.status_changed']);
    const workspace = hook.workspace_id;
    const by = working.withToken(owner.token);
    const { id: standard } = await post<{ id: string }>('/standards', {
      workspace_id: workspace,
      catalog_id: 'iso-26262-3-2018',
    });
    const bytes = '# Secret concept\n\n## 1 Purpose\n\nThe brake shall be secret.\n';
    const uploaded = await uploadWorkProduct(by, workspace, {
      name: 'secret-name.md',
      type: 'text/markdown',
      bytes,
    });
    const { id: document } = uploaded.body as { id: string };
    await until(
      owner,
      `/api/v1/work-products/${document}`,
      (one: { processing_status: string }) => one.processing_status === 'completed',
    );
    const empty = await uploadWorkProduct(by, workspace, {
      name: 'empty.md',
      type: 'text/markdown',
      bytes: ' ',
    });
    const { id: unreadable } = empty.body as { id: string };
    const analysis = await post<{ id: string }>('/analysis/gaps', {
      workspace_id: workspace,
      standard_id: standard,
      work_product_ids: [document],
    });
    await expect.poll(() => messagesTo(hook).length, { timeout: 30_000 }).toBe(3);
    const { items } = await get<{ items: { id: string }[] }>(
      `/analysis/gaps?workspace_id=${workspace}&limit=1`,
    );
    const gap = items[0]?.id ?? '';
    const change = (body: object) => owner.request('PATCH', `/api/v1/analysis/gaps/${gap}`, { body });
    expect((await change({ status: 'accepted' })).status).toBe(422);
    expect((await change({ status: 'in_progress' })).status).toBe(200);
    // Accepting a risk needs a person: no token does it, whoever's it is.
    const { token } = await post<{ token: string }>('/auth/tokens', { name: 'Build', access: 'write' });
    const accept = { status: 'accepted', reason: 'Known' };
    const byToken = await idle
      .withToken(token)
      .request('PATCH', `/api/v1/analysis/gaps/${gap}`, { body: accept });
    expect([byToken.status, byToken.body]).toMatchObject([
      403,
      { error: { details: { reason: 'person_required' } } },
    ]);
    await expect.poll(() => messagesTo(hook).length, { timeout: 10_000 }).toBe(4);

    const messages = messagesTo(hook);
    const genuine = await Promise.all(messages.map((message) => isGenuine(hook.secret, message)));
    expect(genuine).toEqual([true, true, true, true]);
    const forged = await isGenuine(hook.secret, { ...messages[0]!, body: `${messages[0]?.body} ` });
    expect([forged, await isGenuine(other.secret, messages[0]!)]).toEqual([false, false]);
    const bodies = messages.map(
      ({ body }) => JSON.parse(body) as { type: string; data: Record<string, unknown> },
    );
    const byType = (type: string) => bodies.filter((body) => body.type === type).map(({ data }) => data);
    expect(byType('document.processed').sort((a) => (a.work_product_id === document ? -1 : 1))).toEqual([
      {
        workspace_id: workspace,
        work_product_id: document,
        version: 1,
        processing_status: 'completed',
        url: expect.stringContaining(`/api/v1/work-products/${document}`),
      },
      {
        workspace_id: workspace,
        work_product_id: unreadable,
        version: 1,
        processing_status: 'failed',
        error_code: expect.any(String),
        url: expect.any(String),
      },
    ]);
    expect(byType('analysis.completed')).toMatchObject([
      {
        analysis_id: analysis.id,
        analysis_type: 'gap_analysis',
        status: 'completed',
        counts: expect.any(Object),
      },
    ]);
    expect(byType('gap.status_changed')).toMatchObject([{ gap_id: gap, from: 'open', to: 'in_progress' }]);
    expect(JSON.stringify(bodies)).not.toMatch(/secret/i);
    expect(messagesTo(other)).toEqual([]);
    const { items: log } = await get<{ items: Delivery[] }>(`${hook.at}/deliveries?status=delivered&limit=1`);
    const shown = await deliveryOf(hook, log[0]?.id ?? '');
    expect(shown).toMatchObject({
      event: 'gap.status_changed',
      attempts: 1,
      response_status: 204,
      log: [{ attempt: 1, response_status: 204, error: null, milliseconds: expect.any(Number) }],
    });

    // Receivers that never answer hold up nobody else: there are more of them than the worker takes jobs at once.
    const silent = await Promise.all([1, 2, 3, 4].map(() => endpoint(['report.completed'], workspace)));
    for (const { path } of silent) answers.set(path, { status: SILENT });
    await announced(silent[0]!);
    await expect.poll(() => silent.flatMap(messagesTo).length, { timeout: 10_000 }).toBe(4);
    const quick = await endpoint(['gap.status_changed'], workspace);
    expect((await change({ status: 'open' })).status).toBe(200);
    await expect.poll(() => messagesTo(quick).length, { timeout: 10_000 }).toBe(1);
  });

  it('is tried again with growing delays, ends among the dead letters and is delivered again when asked', async () => {
    const hook = await endpoint(['report.completed']);
    answers.set(hook.path, { status: 503 });
    const id = await announced(hook);
    const delays: number[] = [];
    for (let attempts = 0; attempts < 10; attempts++) {
      await makeAttempt(hook, id, attempts);
      const { next_attempt_at } = await deliveryOf(hook, id);
      if (next_attempt_at) delays.push(Math.round((Date.parse(next_attempt_at) - Date.now()) / 1000 / 5) * 5);
    }
    expect(delays).toEqual([5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400]);
    const { items } = await get<{ items: Delivery[] }>(`${hook.at}/deliveries?status=failed`);
    expect(items).toMatchObject([
      { id, attempts: 10, response_status: 503, error: 'status', next_attempt_at: null },
    ]);
    const jobs = await database.asOwner<{ start: number }>(
      `select extract(epoch from start_after - created_on)::int as start from pgboss.job
       where name = 'webhooks.deliver' and data ->> 'deliveryId' = $1 order by data ->> 'attempts'`,
      [id],
    );
    expect(jobs.map(({ start }) => start)).toEqual([0, ...delays]);

    answers.delete(hook.path);
    expect((await post<Delivery>(`${hook.at}/deliveries/${id}/redeliver`, undefined)).status).toBe('queued');
    expect((await owner.request('POST', `/api/v1${hook.at}/deliveries/${id}/redeliver`)).status).toBe(409);
    await makeAttempt(hook, id, 10);
    const shown = await deliveryOf(hook, id);
    expect([shown.status, shown.attempts, shown.log.length]).toEqual(['delivered', 11, 11]);
    expect(new Set(messagesTo(hook).map(({ headers }) => headers['webhook-id']))).toEqual(new Set([id]));
    expect(new Set(messagesTo(hook).map(({ body }) => body)).size).toBe(1);
    expect(await isGenuine(hook.secret, messagesTo(hook).at(-1)!)).toBe(true);
  });

  it('is noted once when two workers make the same attempt, and not made when it was already', async () => {
    const hook = await endpoint(['report.completed']);
    const id = await announced(hook);
    await Promise.all([makeAttempt(hook, id, 0), makeAttempt(hook, id, 0)]);
    await makeAttempt(hook, id, 0);
    expect(await deliveryOf(hook, id)).toMatchObject({
      status: 'delivered',
      attempts: 1,
      log: [{ attempt: 1 }],
    });
    expect(messagesTo(hook).length).toBeLessThanOrEqual(2);

    const failing = await endpoint(['report.completed']);
    answers.set(failing.path, { status: 500 });
    const again = await announced(failing);
    await makeAttempt(failing, again, 0);
    await makeAttempt(failing, again, 0);
    expect([(await deliveryOf(failing, again)).attempts, messagesTo(failing).length]).toEqual([1, 1]);
  });

  it('exists exactly if the transaction commits', async () => {
    const hook = await endpoint(['report.completed']);
    const undone = database.database.withWorkspace(hook.workspace_id, async (transaction) => {
      await announce(idle.dependencies, transaction, {
        workspaceId: hook.workspace_id,
        type: 'report.completed',
        data: { report_id: hook.workspace_id, type: 'full', format: 'pdf' },
        path: '/',
      });
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    const rows = await database.asOwner('select from webhook_deliveries where workspace_id = $1', [
      hook.workspace_id,
    ]);
    expect(rows).toEqual([]);
  });

  it('follows no redirect, waits as long as it is asked to, and goes nowhere inside', async () => {
    const hook = await endpoint(['report.completed']);
    answers.set(hook.path, { status: 302, headers: { location: `${address}/elsewhere` } });
    const id = await announced(hook);
    await makeAttempt(hook, id, 0);
    expect(await deliveryOf(hook, id)).toMatchObject({
      status: 'queued',
      response_status: 302,
      error: 'redirect',
    });
    expect(received.get('/elsewhere')).toBeUndefined();
    answers.set(hook.path, { status: 429, headers: { 'retry-after': '3600' } });
    await makeAttempt(hook, id, 1);
    const { next_attempt_at } = await deliveryOf(hook, id);
    expect(Date.parse(next_attempt_at ?? '') - Date.now()).toBeGreaterThan(3_500_000);
    const strict = {
      ...idle.dependencies,
      configuration: { ...idle.dependencies.configuration, webhooks: { allowHttp: true, allowNetworks: [] } },
    };
    const payload = { workspaceId: hook.workspace_id, deliveryId: id, attempts: '2' };
    const before = messagesTo(hook).length;
    await deliverWebhook(strict)(payload, { jobId: id, signal: new AbortController().signal });
    expect(await deliveryOf(hook, id)).toMatchObject({ response_status: null, error: 'refused_address' });
    expect(messagesTo(hook).length).toBe(before);
  });
});

describe('an endpoint', () => {
  it('changes its secret over a day in which both sign', async () => {
    const hook = await endpoint(['report.completed']);
    const rotated = await post<WebhookWithSecret>(`${hook.at}/rotate-secret`, undefined);
    expect(rotated.secret).toMatch(/^whsec_[0-9A-Za-z+/]{43}=$/);
    expect(rotated.secret).not.toBe(hook.secret);
    await makeAttempt(hook, await announced(hook), 0);
    const [during] = messagesTo(hook);
    expect([await isGenuine(hook.secret, during!), await isGenuine(rotated.secret, during!)]).toEqual([
      true,
      true,
    ]);
    await database.asOwner(
      "update webhooks set previous_secret_until = now() - interval '1 s' where id = $1",
      [hook.id],
    );
    await makeAttempt(hook, await announced(hook), 0);
    const after = messagesTo(hook).at(-1)!;
    expect([await isGenuine(hook.secret, after), await isGenuine(rotated.secret, after)]).toEqual([
      false,
      true,
    ]);
  });

  it('is switched off when it is gone or has failed for days, and is told nothing until it is on again', async () => {
    const hook = await endpoint(['report.completed']);
    const [first, second] = [await announced(hook), await announced(hook)];
    answers.set(hook.path, { status: 410 });
    await makeAttempt(hook, first, 0);
    await makeAttempt(hook, second, 0);
    expect(await get<Webhook>(hook.at)).toMatchObject({ active: false, disabled_reason: 'gone' });
    expect(await deliveryOf(hook, first)).toMatchObject({ status: 'failed', response_status: 410 });
    expect(await deliveryOf(hook, second)).toMatchObject({ status: 'failed', error: 'endpoint_disabled' });
    expect((await owner.request('POST', `/api/v1${hook.at}/deliveries/${second}/redeliver`)).status).toBe(
      409,
    );
    expect(await announced(hook)).toBe(second);

    await owner.request('PATCH', `/api/v1${hook.at}`, { body: { active: true } });
    expect(await get<Webhook>(hook.at)).toMatchObject({
      active: true,
      disabled_reason: null,
      failing_since: null,
    });
    answers.set(hook.path, { status: 500 });
    const third = await announced(hook);
    await makeAttempt(hook, third, 0);
    expect((await get<Webhook>(hook.at)).failing_since).not.toBeNull();
    await database.asOwner("update webhooks set failing_since = now() - interval '6 days' where id = $1", [
      hook.id,
    ]);
    await makeAttempt(hook, third, 1);
    expect(await get<Webhook>(hook.at)).toMatchObject({ active: false, disabled_reason: 'failing' });
    const log = await get<{ items: unknown[] }>(
      `/audit-log?workspace_id=${hook.workspace_id}&action=webhook.disabled`,
    );
    expect(log.items).toMatchObject([
      { actor_id: null, target_id: hook.id, reason: 'failing' },
      { reason: 'gone' },
    ]);
  });

  it('keeps its secret to itself', async () => {
    const { id: workspace } = await post<{ id: string }>('/workspaces', { name: 'One' });
    const path = `/api/v1/workspaces/${workspace}/webhooks`;
    const body = { url: `${address}/a?token=in-the-address`, events: ['report.completed'] };
    const headers = { 'idempotency-key': randomUUID() };
    const made = await owner.request('POST', path, { body, headers });
    const { secret, id } = made.body as WebhookWithSecret;
    const replayed = await owner.request('POST', path, { body, headers });
    expect([replayed.status, replayed.body]).toEqual([201, { ...(made.body as object), secret: null }]);
    const told = await owner.request('GET', `${path}/${id}`);
    expect(told.text).not.toContain('whsec_');
    const tables = ['audit_events', 'idempotency_keys', 'pgboss.job'];
    for (const table of tables) {
      const rows = await database.asOwner<{ row: string }>(`select t::text as row from ${table} t`);
      const texts = rows.map(({ row }) => row).join();
      expect(texts.includes((secret ?? '').slice(6))).toBe(false);
      if (table === 'audit_events') expect(texts).not.toContain('in-the-address');
    }
    const read = database.database.withActor(owner, (transaction) =>
      transaction.many(sql`select secret from webhooks`),
    );
    await expect(read).rejects.toMatchObject({ code: '42501' });
  });

  it.each([
    ['ftp://example.org/', 'https'],
    ['not an address', 'no address'],
    ['https://user:word@example.org/', 'a password'],
    ['https://10.0.0.1/', 'a private network'],
    ['https://[::ffff:192.168.0.1]/', 'a private network'],
    ['https://169.254.169.254/latest', 'metadata'],
  ])('is not made for %s', async (url) => {
    const { id } = await post<{ id: string }>('/workspaces', { name: 'One' });
    const body = { url, events: ['report.completed'] };
    const answer = await owner.request('POST', `/api/v1/workspaces/${id}/webhooks`, { body });
    expect(answer.body).toMatchObject({ error: { details: { issues: [{ path: 'body.url' }] } } });
  });
});
