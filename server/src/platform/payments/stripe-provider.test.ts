import { Writable } from 'node:stream';
import { pino } from 'pino';
import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { completedCheckout } from '../../testing/payment-events.js';
import { type StripeServer, startStripeServer } from '../../testing/stripe-server.js';
import { startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { createStripeProvider } from './stripe-provider.js';

const SECRET = 'whsec_0123456789abcdef';

let stripe: StripeServer;
let database: TestDatabase;
let app: TestApp;

beforeAll(async () => {
  stripe = await startStripeServer();
  database = await createTestDatabase();
  app = await startTestApp(database, {
    environment: {
      PAYMENT_PROVIDER: 'stripe',
      PAYMENT_WEBHOOK_SECRET: SECRET,
      STRIPE_SECRET_KEY: 'sk_test_local',
      STRIPE_API_BASE: stripe.address,
      STRIPE_PRICE_PRO: 'price_pro',
      STRIPE_PRICE_CONSULTANT: 'price_consultant',
    },
  });
});
afterAll(async () => {
  await app?.stop();
  await database?.stop();
  await stripe?.stop();
});

const begin = (client = app.anyone, about: object = {}, headers: Record<string, string> = {}) =>
  client.request('POST', '/api/v1/payments/create-checkout-session', {
    body: { plan: 'pro', success_url: `${app.address}/paid`, cancel_url: `${app.address}/plans`, ...about },
    headers,
  });
const idOf = (body: unknown) => (body as { session_id: string }).session_id;
const info = (id: string, client = app.anyone) =>
  client.request('GET', `/api/v1/payments/session-info/${id}`);

describe('with Stripe', () => {
  it('a session is made as the settings say', async () => {
    const jo = await app.signUp();
    const answer = await begin(jo, { plan: 'consultant' });
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        session_id: expect.stringMatching(/^cs_test_/),
        url: expect.stringMatching(/^https:\/\/checkout\.example\//),
      },
    ]);
    const sent = stripe.requests.at(-1);
    expect(sent?.form).toEqual({
      mode: 'subscription',
      'line_items[0][price]': 'price_consultant',
      'line_items[0][quantity]': '1',
      success_url: `${app.address}/paid`,
      cancel_url: `${app.address}/plans`,
      'metadata[plan]': 'consultant',
      'subscription_data[metadata][plan]': 'consultant',
      customer_email: jo.email,
      client_reference_id: jo.userId,
    });
    expect(sent?.headers).toMatchObject({
      authorization: 'Bearer sk_test_local',
      'idempotency-key': expect.stringMatching(/^stripe-node-retry-/),
      'stripe-version': expect.any(String),
    });
    expect(sent?.headers).not.toHaveProperty('x-stripe-client-telemetry');
    expect((await info(idOf(answer.body), jo)).body).toEqual({
      session_id: idOf(answer.body),
      status: 'open',
      plan: 'consultant',
      customer_email: jo.email,
      paid_at: null,
    });
  });

  it('a purchase is confirmed by the event, in the header that Stripe sends', async () => {
    const jo = await app.signUp();
    const id = idOf((await begin(app.anyone)).body);
    stripe.change(id, { status: 'complete', customer_details: { email: jo.email } });
    const event = completedCheckout({ email: jo.email });
    const payload = JSON.stringify({ ...event, data: { object: { ...event.data.object, id } } });
    const header = await Stripe.webhooks.generateTestHeaderStringAsync({ payload, secret: SECRET });
    const answer = await app.anyone.request('POST', '/api/v1/payments/webhook', {
      body: payload,
      headers: { 'stripe-signature': header },
    });
    expect(answer.status).toBe(200);
    expect((await jo.request('GET', '/api/v1/auth/me')).body).toMatchObject({ subscription_plan: 'pro' });
    expect((await info(id)).body).toMatchObject({
      status: 'completed',
      customer_email: expect.stringMatching(/^.\*\*\*@/),
      paid_at: new Date(event.created * 1000).toISOString(),
    });
  });

  it('what was bought is shown and ended at the portal of its customer', async () => {
    const jo = await app.signUp();
    const event = completedCheckout({ email: jo.email, userId: jo.userId, customer: 'cus_jo' });
    const payload = JSON.stringify(event);
    const header = await Stripe.webhooks.generateTestHeaderStringAsync({ payload, secret: SECRET });
    const headers = { 'stripe-signature': header };
    await app.anyone.request('POST', '/api/v1/payments/webhook', { body: payload, headers });
    const return_url = `${app.address}/me/subscription`;
    const open = (who: typeof jo) =>
      who.request('POST', '/api/v1/payments/create-portal-session', { body: { return_url } });
    expect((await open(jo)).body).toEqual({ url: 'https://billing.example/cus_jo' });
    expect(stripe.requests.at(-1)?.form).toEqual({ customer: 'cus_jo', return_url });
    stripe.failNext(500, 3);
    expect((await open(jo)).status).toBe(503);
    expect((await open(await app.signUp())).status).toBe(409);
  });

  it('one idempotency key makes one session, and fits one request', async () => {
    const headers = { 'idempotency-key': 'k'.repeat(255) };
    const [first, second] = [await begin(app.anyone, {}, headers), await begin(app.anyone, {}, headers)];
    expect(second.body).toEqual(first.body);
    expect([first, second].map((answer) => answer.headers.get('idempotency-replayed'))).toEqual([
      null,
      'true',
    ]);
    const other = await begin(app.anyone, { plan: 'consultant' }, headers);
    expect([other.status, other.body]).toMatchObject([
      422,
      { error: { details: { issues: [{ code: 'key_reused' }] } } },
    ]);
  });

  it.each([['an error', 500] as const, ['a broken connection', 'broken'] as const])(
    'is asked again after %s, with the same key',
    async (_name, failure) => {
      const before = stripe.requests.length;
      stripe.failNext(failure);
      expect((await begin()).status).toBe(200);
      const keys = stripe.requests.slice(before).map(({ headers }) => headers['idempotency-key']);
      expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
    },
  );

  it('answers 503 when it cannot be reached, and nothing of what it said', async () => {
    stripe.failNext(500, 3);
    const answer = await begin();
    expect([answer.status, answer.body]).toMatchObject([503, { error: { code: 'SERVICE_UNAVAILABLE' } }]);
    expect(answer.text).not.toMatch(/unknown error|stripe/i);
  });

  it('says which field is wrong when that is the caller’s', async () => {
    const answer = await begin(app.anyone, { email: 'jo@refused.example' });
    expect([answer.status, answer.body]).toMatchObject([
      422,
      { error: { details: { issues: [{ path: 'body.email' }] } } },
    ]);
  });

  it('does not know sessions of others', async () => {
    expect((await info('cs_test_unknown')).status).toBe(404);
    const id = idOf((await begin()).body);
    stripe.change(id, { metadata: { shop: 'another' } });
    expect((await info(id)).status).toBe(404);
  });

  it('there is no test checkout', async () => {
    expect((await app.anyone.request('GET', '/checkout/cs_local_x')).status).toBe(404);
  });

  it('a wrong key or price is told in the log without the key', async () => {
    const lines: string[] = [];
    const sink = new Writable({
      write: (line, _encoding, done) => {
        lines.push(String(line));
        done();
      },
    });
    const apiBase = stripe.address;
    for (const [secretKey, price] of [
      ['sk_live_secret', 'price_pro'],
      ['sk_test_local', 'price_gone'],
    ] as const) {
      const settings = {
        kind: 'stripe',
        secretKey,
        apiBase,
        prices: { pro: price, consultant: price },
      } as const;
      const provider = createStripeProvider(settings, [SECRET], pino(sink));
      const target = 'https://example.org';
      await expect(
        provider.createSession({ plan: 'pro', successUrl: target, cancelUrl: target }),
      ).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    }
    expect(lines.length).toBe(2);
    expect(lines.join()).toContain('line_items[0][price]');
    expect(lines.join()).not.toContain('sk_live_secret');
  });
});
