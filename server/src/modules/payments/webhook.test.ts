import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { completedCheckout, deliver, endedSubscription, seconds } from '../../testing/payment-events.js';
import { type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { whileHeld } from '../../testing/waiting.js';

const SECRET = 'whsec_0123456789abcdef';

let database: TestDatabase;
let app: TestApp;
let other: TestApp;

beforeAll(async () => {
  database = await createTestDatabase();
  const environment = { BILLING: 'on', PAYMENT_WEBHOOK_SECRET: SECRET };
  app = await startTestApp(database, { environment });
  other = await startTestApp(database, { environment });
});
afterAll(async () => {
  await other?.stop();
  await app?.stop();
  await database?.stop();
});

const me = async (client: Client) => (await client.request('GET', '/api/v1/auth/me')).body;
const effectOf = async (id: string) =>
  (await database.asOwner<{ effect: string }>('select effect from payment_events where id = $1', [id]))[0]
    ?.effect;

describe('an event', () => {
  it('that arrives sixteen times at once, at two processes, has one effect', async () => {
    const jo = await app.enter();
    const event = completedCheckout({ userId: jo.userId });
    const lock = 'lock table payment_subscriptions in access exclusive mode';
    const answers = await whileHeld(database, { lock, waiters: 3 }, () =>
      Promise.all(
        Array.from({ length: 16 }, (_, n) => deliver(n % 2 ? app : other, event, { secret: SECRET })),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(16).fill(200));
    const trail = await database.asOwner(
      "select before, after from audit_events where target_id = $1 and action = 'subscription.activated'",
      [jo.userId],
    );
    expect(trail).toEqual([
      { before: { status: 'inactive', plan: null }, after: { status: 'active', plan: 'pro' } },
    ]);
  });

  it('opens the gate at once, and closes it', async () => {
    const jo = await app.enter();
    const about = { customer: `cus_${jo.userId}`, subscription: `sub_${jo.userId}` };
    const gate = async () => (await jo.request('GET', '/api/v1/workspaces')).status;
    expect(await gate()).toBe(402);
    await deliver(app, completedCheckout({ email: jo.email, ...about }), { secret: SECRET });
    expect(await gate()).toBe(200);
    await deliver(app, endedSubscription(about), { secret: SECRET });
    expect(await gate()).toBe(402);
    expect(await me(jo)).toMatchObject({ subscription_status: 'inactive', subscription_plan: null });
  });

  it('ends a subscription that waits for a sign-up, found by either of its names', async () => {
    for (const subscription of ['sub_known', null]) {
      const email = `${randomUUID()}@example.org`;
      const customer = `cus_${email}`;
      await deliver(app, completedCheckout({ email, customer, subscription }), { secret: SECRET });
      const pending = () =>
        database.asOwner('select plan from pending_subscriptions where email = $1', [email]);
      expect(await pending()).toEqual([{ plan: 'pro' }]);
      await deliver(app, endedSubscription({ subscription: subscription ?? 'sub_x', customer }), {
        secret: SECRET,
      });
      expect(await pending()).toEqual([]);
    }
  });

  it('ends a subscription that was claimed, also one that no event of ours began', async () => {
    const jo = await app.enter();
    await database.asOwner('update auth.users set email_verified = true where id = $1', [jo.userId]);
    await database.asOwner(
      "insert into pending_subscriptions (email, plan, customer_id) values ($1, 'pro', 'cus_imported')",
      [jo.email],
    );
    const body = { id: jo.userId, email: jo.email, name: 'Jo' };
    const synced = await jo.request('POST', '/api/v1/auth/sync', { body });
    expect(synced.body).toMatchObject({ subscription_migrated: true, subscription_plan: 'pro' });
    await deliver(app, endedSubscription({ subscription: 'sub_imported', customer: 'cus_imported' }), {
      secret: SECRET,
    });
    expect(await me(jo)).toMatchObject({ subscription_status: 'inactive', subscription_plan: null });
  });

  it('gives the plan to the one that it names, not to the one with the address', async () => {
    const [jo, kim] = [await app.enter(), await app.enter()];
    await deliver(app, completedCheckout({ userId: jo.userId, email: kim.email }), { secret: SECRET });
    expect(await me(jo)).toMatchObject({ subscription_plan: 'pro' });
    expect(await me(kim)).toMatchObject({ subscription_plan: null });
  });

  it.each([
    ['of an unknown kind', completedCheckout({ kind: 'invoice.paid', email: 'x@example.org' })],
    ['of an unknown kind, with nothing else in it', { id: 'evt_ping', type: 'ping' }],
    ['without a plan of ours', completedCheckout({ plan: 'gold', email: 'x@example.org' })],
    [
      'about a checkout that is not paid for yet',
      completedCheckout({ payment: 'unpaid', email: 'x@example.org' }),
    ],
    ['that names nobody', completedCheckout({ email: null })],
    ['with text that cannot be stored', completedCheckout({ email: 'x\0@example.org' })],
    ['about the end of nothing', { ...endedSubscription({ subscription: '' }) }],
  ])('%s is noted and changes nothing', async (_name, event) => {
    const answer = await deliver(app, event, { secret: SECRET });
    expect([answer.status, answer.body, await effectOf(event.id)]).toEqual([
      200,
      { received: true },
      'ignored',
    ]);
    const pending = await database.asOwner(
      "select from pending_subscriptions where email like 'x%@example.org'",
    );
    expect(pending).toEqual([]);
  });

  it('that is late with its money counts when the money is there', async () => {
    const jo = await app.enter();
    const about = { userId: jo.userId, subscription: `sub_${jo.userId}` };
    await deliver(app, completedCheckout({ ...about, payment: 'unpaid' }), { secret: SECRET });
    expect(await me(jo)).toMatchObject({ subscription_status: 'inactive' });
    const kind = 'checkout.session.async_payment_succeeded';
    await deliver(app, completedCheckout({ ...about, kind, created: seconds() + 5 }), { secret: SECRET });
    expect(await me(jo)).toMatchObject({ subscription_status: 'active', subscription_plan: 'pro' });
  });
});
