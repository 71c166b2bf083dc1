import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';

const CREATE = '/api/v1/payments/create-checkout-session';

let database: TestDatabase;
let app: TestApp;
let admin: Client;
let time = Date.now();

beforeAll(async () => {
  database = await createTestDatabase();
  app = await startTestApp(database, { clock: () => new Date(time) });
  admin = await app.enter();
});
afterAll(async () => {
  await app?.stop();
  await database?.stop();
});

const wanted = (about: Readonly<Record<string, unknown>> = {}) => ({
  plan: 'pro',
  success_url: `${app.address}/paid?session={CHECKOUT_SESSION_ID}`,
  cancel_url: `${app.address}/plans`,
  ...about,
});
const begin = (client: Client, about: object = {}, headers: Record<string, string> = {}) =>
  client.request('POST', CREATE, { body: wanted({ ...about }), headers });
const sessionOf = ({ body }: Answer) => body as { session_id: string; url: string };
const newSession = async (client: Client, about: object = {}) => sessionOf(await begin(client, about));
const infoFor = async (client: Client, id: string) =>
  (await client.request('GET', `/api/v1/payments/session-info/${id}`)).body;
const submit = (url: string, fields: Record<string, string>) =>
  fetch(url, { method: 'POST', redirect: 'manual', body: new URLSearchParams(fields) });
const me = async (client: Client) => (await client.request('GET', '/api/v1/auth/me')).body;
const sync = async (client: Client) =>
  (
    await client.request('POST', '/api/v1/auth/sync', {
      body: { id: client.userId, email: client.email, name: 'Jo' },
    })
  ).body;

describe('the subscription of a person', () => {
  it('says what was bought and used, and where it ends', async () => {
    const jo = await app.enter();
    const read = async () => (await jo.request('GET', '/api/v1/payments/subscription')).body;
    const portal = (return_url = `${app.address}/me/subscription`) =>
      jo.request('POST', '/api/v1/payments/create-portal-session', { body: { return_url } });
    await sync(jo);
    const free = { workspaces: 1, analyses_a_month: 20 };
    expect(await read()).toMatchObject({ plan: 'free', began_at: null, manageable: false, limits: free });
    expect((await portal()).status).toBe(409);
    const { session_id, url } = await newSession(jo, { email: 'payer@example.org' });
    await submit(url, { action: 'pay', email: 'payer@example.org' });
    await jo.request('POST', '/api/v1/workspaces', { body: { name: 'Own' } });
    expect(await read()).toMatchObject({
      status: 'active',
      plan: 'pro',
      manageable: true,
      usage: { workspaces: 1, analyses: 0 },
      limits: { workspaces: 10, analyses_a_month: null },
    });
    expect((await portal()).body).toEqual({ url: `${app.address}/checkout/${session_id}` });
    expect((await portal('https://elsewhere.example/')).status).toBe(422);
    // What somebody else has bought is theirs.
    const kim = await app.enter();
    expect((await kim.request('GET', '/api/v1/payments/subscription')).body).toMatchObject({
      manageable: false,
    });
  });
});

describe('a purchase through the test checkout', () => {
  it('before the sign-up waits for the verified address', async () => {
    const { session_id, url } = await newSession(app.anyone, { plan: 'consultant' });
    expect(url).toBe(`${app.address}/checkout/${session_id}`);
    expect(await infoFor(app.anyone, session_id)).toEqual({
      session_id,
      status: 'open',
      plan: 'consultant',
      customer_email: null,
      paid_at: null,
    });

    const email = 'Early.Bird@example.org';
    const paid = await submit(url, { action: 'pay', email });
    expect([paid.status, paid.headers.get('location')]).toEqual([
      303,
      `${app.address}/paid?session=${session_id}`,
    ]);
    expect(await infoFor(app.anyone, session_id)).toEqual({
      session_id,
      status: 'completed',
      plan: 'consultant',
      customer_email: 'E***@example.org',
      paid_at: expect.stringMatching(/Z$/),
    });

    const bird = await app.signUp(email.toLowerCase());
    expect(await sync(bird), 'not verified yet').toMatchObject({ subscription_migrated: false });
    await admin.request('PATCH', `/api/v1/admin/users/${bird.userId}`, { body: { email_verified: true } });
    expect(await sync(bird)).toMatchObject({ subscription_migrated: true, subscription_plan: 'consultant' });
    expect(await infoFor(bird, session_id)).toMatchObject({ customer_email: email });
  });

  it('of somebody who is signed in counts at once, and so does its end', async () => {
    const jo = await app.enter();
    const { session_id, url } = await newSession(jo);
    expect((await submit(url, { action: 'pay' })).status).toBe(303);
    expect(await me(jo)).toMatchObject({ subscription_status: 'active', subscription_plan: 'pro' });
    expect(await infoFor(jo, session_id)).toMatchObject({ customer_email: jo.email });
    for (const other of [admin, app.anyone, app.withToken('not.a.token')]) {
      expect(await infoFor(other, session_id)).toMatchObject({
        customer_email: expect.stringMatching(/^.\*\*\*@example\.org$/),
      });
    }

    expect((await submit(url, { action: 'end' })).status).toBe(303);
    expect(await me(jo)).toMatchObject({ subscription_status: 'inactive', subscription_plan: null });
    expect(await sync(jo)).toMatchObject({ subscription_migrated: false, subscription_plan: 'free' });
    expect((await submit(url, { action: 'end' })).status).toBe(303);
    expect(await me(jo)).toMatchObject({ subscription_plan: 'free' });
  });

  it('with a known address counts for its profile', async () => {
    const jo = await app.enter();
    const { url } = await newSession(app.anyone, { email: jo.email.toUpperCase() });
    await submit(url, { action: 'pay' });
    expect(await me(jo)).toMatchObject({ subscription_status: 'active', subscription_plan: 'pro' });
  });

  it('is made once, however often the button is pressed', async () => {
    const jo = await app.enter();
    const { session_id, url } = await newSession(jo);
    const answers = await Promise.all(Array.from({ length: 16 }, () => submit(url, { action: 'pay' })));
    expect(answers.map(({ status }) => status)).toEqual(Array(16).fill(303));
    const events = await database.asOwner('select from payment_events where session_id = $1', [session_id]);
    const trail = await database.asOwner(
      "select from audit_events where target_id = $1 and action = 'subscription.activated'",
      [jo.userId],
    );
    expect([events.length, trail.length]).toEqual([1, 1]);
  });

  it('is not possible after a day', async () => {
    const { session_id, url } = await newSession(app.anyone, { email: 'late@example.org' });
    time += 24 * 3_600_000;
    expect(await infoFor(app.anyone, session_id)).toMatchObject({ status: 'expired' });
    const page = await submit(url, { action: 'pay' });
    expect(await page.text()).toContain('has expired');
    expect(await infoFor(app.anyone, session_id)).toMatchObject({ status: 'expired', paid_at: null });
    time -= 24 * 3_600_000;
  });
});

describe('the page of the test checkout', () => {
  it('works without scripts and says that it takes no money', async () => {
    const { url } = await newSession(app.anyone);
    const page = await fetch(url);
    const html = await page.text();
    expect(page.status).toBe(200);
    expect(html).toContain('takes no money');
    expect(html).toContain('<label for="email">');
    expect(html).toContain(`href="${app.address}/plans"`);
    expect(html).not.toContain('<script');
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain(`form-action 'self' ${app.address}`);
    expect(policy).not.toMatch(/script-src|unsafe/);
  });

  it('asks again for an address that is none, and shows what was typed as text', async () => {
    const { session_id, url } = await newSession(app.anyone);
    const answer = await submit(url, { action: 'pay', email: '"><script>alert(1)</script>' });
    const html = await answer.text();
    expect(answer.status).toBe(422);
    expect(html).toContain('role="alert"');
    expect(html).toContain('value="&quot;&gt;&lt;script&gt;');
    expect(await infoFor(app.anyone, session_id)).toMatchObject({ status: 'open' });
  });

  it.each(['/checkout/cs_local_unknown', '/checkout/x'])('is not there at %s', async (path) => {
    const page = await app.anyone.request('GET', path);
    expect([page.status, page.text.includes('No such checkout')]).toEqual([404, true]);
  });

  it('is closed where the address of the service is public, unless that is wanted', async () => {
    const { session_id } = await newSession(app.anyone);
    const base = { BASE_URL: 'https://trace.example.org', ALLOWED_ORIGINS: app.address };
    const open = await startTestApp(database, { environment: { ...base, PAYMENT_LOCAL_PUBLIC: 'true' } });
    expect((await begin(open.anyone)).status).toBe(200);
    expect((await open.anyone.request('GET', `/checkout/${session_id}`)).status).toBe(200);
    await open.stop();
    const closed = await startTestApp(database, { environment: base });
    const refused = await begin(closed.anyone);
    expect([refused.status, refused.body]).toMatchObject([
      409,
      { error: { code: 'CONFLICT', details: { reason: 'no_payment_provider' } } },
    ]);
    expect((await closed.anyone.request('GET', `/checkout/${session_id}`)).status).toBe(404);
    await closed.stop();
  });

  it('pays behind a proxy that speaks HTTPS, in the name of the client', async () => {
    const proxied = await startTestApp(database, {
      environment: { REQUIRE_HTTPS: 'true', TRUST_PROXY: 'true' },
    });
    const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '192.0.2.7' };
    const jo = await app.enter();
    const { session_id } = await newSession(jo);
    const paid = await fetch(`${proxied.address}/checkout/${session_id}`, {
      method: 'POST',
      redirect: 'manual',
      headers,
      body: new URLSearchParams({ action: 'pay' }),
    });
    expect(paid.status).toBe(303);
    expect(await me(jo)).toMatchObject({ subscription_plan: 'pro' });
    const counted = await database.asOwner("select from rate_limit_buckets where key = 'address 192.0.2.7'");
    expect(counted.length).toBe(1);
    await proxied.stop();
  });

  it('counts against the rate limit of the client, like every payment operation', async () => {
    const limited = await startTestApp(database, {
      environment: { RATE_LIMIT_BURST: '4', RATE_LIMIT_PER_MINUTE: '1' },
    });
    await database.asOwner("delete from rate_limit_buckets where key like 'address%'");
    const statuses: number[] = [];
    for (const path of [
      '/checkout/x',
      '/api/v1/payments/session-info/x',
      '/checkout/x',
      '/checkout/x',
      '/checkout/x',
    ]) {
      statuses.push((await limited.anyone.request('GET', path)).status);
    }
    expect(statuses).toEqual([404, 404, 404, 404, 429]);
    expect((await limited.anyone.request('POST', '/api/v1/payments/webhook', { body: {} })).status).toBe(429);
    await limited.stop();
  });
});

describe('a checkout session', () => {
  it.each([
    ['another origin', () => 'https://evil.example/paid'],
    ['another port', () => 'http://127.0.0.1:1/paid'],
    ['the origin as a user', () => `http://${new URL(app.address).host}@evil.example/`],
    ['the origin as the beginning of a name', () => `${app.address}.evil.example/`],
    ['a script', () => 'javascript:alert(1)//'],
    ['data', () => 'data:text/html,x'],
    ['no address', () => '/paid'],
  ])('does not lead to %s', async (_name, target) => {
    for (const field of ['success_url', 'cancel_url']) {
      const answer = await begin(app.anyone, { [field]: target() });
      expect([answer.status, answer.body]).toMatchObject([
        422,
        { error: { details: { issues: [{ path: `body.${field}` }] } } },
      ]);
    }
  });

  it.each([
    ['the free plan', { plan: 'free' }],
    ['no address', { email: 'nobody' }],
    ['another field', { price: 0 }],
  ])('is refused for %s', async (_name, about) => {
    expect((await begin(app.anyone, about)).status).toBe(422);
  });

  it('is made once for sixteen requests with one idempotency key', async () => {
    const headers = { 'idempotency-key': 'one-purchase' };
    const answers = await Promise.all(Array.from({ length: 16 }, () => begin(app.anyone, {}, headers)));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers.filter(({ headers: told }) => told.get('idempotency-replayed') === 'true').length).toBe(
      15,
    );
    expect((await begin(app.anyone, { plan: 'consultant' }, headers)).status).toBe(422);
    const other = await begin(admin, {}, headers);
    expect(other.status).toBe(200);
    expect(sessionOf(other).session_id).not.toBe(sessionOf(answers[0] as Answer).session_id);
  });

  it('that nobody made is not found', async () => {
    const answer = await app.anyone.request('GET', '/api/v1/payments/session-info/cs_local_unknown');
    expect([answer.status, answer.body]).toMatchObject([404, { error: { code: 'NOT_FOUND' } }]);
  });
});
