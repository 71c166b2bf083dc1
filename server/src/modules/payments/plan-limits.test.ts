import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PREFIX } from '../../platform/http/register-routes.js';
import { guardOf } from '../../platform/http/route.js';
import { routes } from '../../routes.js';
import { joinWorkspace } from '../../testing/join-workspace.js';
import { completedCheckout, deliver } from '../../testing/payment-events.js';
import { type Answer, type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { PLANS, parsePlanTable, planTable } from './plans.js';

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

async function newPerson(plan: 'free' | 'pro' | 'consultant'): Promise<Client> {
  const person = await app.enter();
  const body = { id: person.userId, email: person.email, name: 'Jo' };
  if (plan === 'free') await person.request('POST', '/api/v1/auth/sync', { body });
  else
    await deliver(app, completedCheckout({ userId: person.userId, plan }), {
      secret: SECRET,
    });
  return person;
}
const create = (client: Client) => client.request('POST', '/api/v1/workspaces', { body: { name: 'One' } });
const elsewhere = (client: Client): Client => other.withToken(client.token, client);
const statusesOf = (answers: readonly Answer[]) => {
  const count = (status: number) => answers.filter((answer) => answer.status === status).length;
  return { made: count(201) + count(202), refused: count(402), all: answers.length };
};

describe('without an active subscription', () => {
  const GROUPS_WITHOUT = ['/auth/', '/payments/', '/standards/common', '/health', '/audit-log'];
  const gated = routes.filter(
    (route) => guardOf(route) && !GROUPS_WITHOUT.some((group) => route.path.startsWith(group)),
  );

  it('every other group is closed, with the one field that the specification has', async () => {
    expect(gated.length).toBeGreaterThan(30);
    const jo = await app.enter();
    for (const { method, path } of gated) {
      const url = PREFIX + path.replaceAll(/:\w+/g, randomUUID());
      const answer = await jo.request(method, url);
      expect([method, path, answer.status, answer.body]).toEqual([
        method,
        path,
        402,
        { detail: expect.stringContaining('/auth/sync') },
      ]);
    }
  });

  it.each(['/auth/me', '/standards/common', '/health', '/payments/session-info/cs_x'])(
    '%s is open',
    async (path) => {
      const jo = await app.enter();
      expect((await jo.request('GET', PREFIX + path)).status).not.toBe(402);
    },
  );
});

describe('a plan', () => {
  it.each([
    ['free', 1],
    ['pro', 10],
    ['consultant', 16],
  ] as const)('%s allows %d of sixteen workspaces made at once, at two processes', async (plan, allowed) => {
    const jo = await newPerson(plan);
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, n) => create(n % 2 ? jo : elsewhere(jo))),
    );
    expect(statusesOf(answers)).toEqual({ made: allowed, refused: 16 - allowed, all: 16 });
  });

  it('that is used up says which limit it is and how to raise it, in one field', async () => {
    const jo = await newPerson('free');
    const first = await create(jo);
    const refused = await create(jo);
    expect(refused.body).toEqual({
      detail:
        'The plan free allows 1 workspace, and you have used them. Delete one, or choose the plan pro (10 ' +
        'workspaces) or the plan consultant (no limit) with POST /api/v1/payments/create-checkout-session.',
    });
    await jo.request('DELETE', first.headers.get('location') ?? '');
    expect((await create(jo)).status).toBe(201);
  });

  it('counts what is owned, also when it is handed over', async () => {
    const [jo, kim] = [await newPerson('pro'), await newPerson('free')];
    await create(kim);
    const path = (await create(jo)).headers.get('location') ?? '';
    const workspace = path.split('/').at(-1) ?? '';
    await joinWorkspace(app, { by: jo, workspace, member: kim, role: 'admin' });
    const handOver = () => jo.request('PATCH', `${path}/members/${kim.userId}`, { body: { is_owner: true } });
    const refused = await handOver();
    expect([refused.status, refused.body]).toMatchObject([
      409,
      { error: { details: { reason: 'plan_limit' } } },
    ]);
    await deliver(app, completedCheckout({ userId: kim.userId }), { secret: SECRET });
    expect((await handOver()).status).toBe(200);
  });
});

describe('the analyses of a month', () => {
  /** A workspace of the person with a standard and a document that has been read. */
  async function newPlace(
    person: Client,
  ): Promise<{ path: string; start: (client?: Client, force?: boolean) => Promise<Answer> }> {
    const path = (await create(person)).headers.get('location') ?? '';
    const [workspace, standard] = [path.split('/').at(-1), randomUUID()];
    await database.asOwner(
      `with standard as (
         insert into standards (workspace_id, id, catalog_id, name, category, processing_status, created_by)
         values ($1, $2, 'iso-26262-3-2018', 'Standard', 'functional_safety', 'completed', $3)),
       product as (
         insert into work_products (workspace_id, id, name, original_filename, file_size, file_type,
                                    processing_status, version, created_by)
         values ($1, $4, 'Document', 'document.md', 5, 'text/markdown', 'completed', 1, $3))
       insert into work_product_versions (workspace_id, work_product_id, version, file_name, file_size, file_type,
                                          sha256, object_key, uploaded_by, processing_status)
       values ($1, $4, 1, 'document.md', 5, 'text/markdown', 'x', $1::uuid::text || '/x/y', $3, 'completed')`,
      [workspace, standard, person.userId, randomUUID()],
    );
    const body = { workspace_id: workspace, standard_id: standard };
    const start = (client = person, force = true) =>
      client.request('POST', '/api/v1/analysis/gaps', { body: { ...body, force } });
    return { path, start };
  }

  it('are twenty on the free plan, however many are asked for at once; the next month has twenty more', async () => {
    const jo = await newPerson('free');
    const { path, start } = await newPlace(jo);
    const many = () => Promise.all(Array.from({ length: 24 }, (_, n) => start(n % 2 ? jo : elsewhere(jo))));
    const answers = await many();
    expect(statusesOf(answers)).toEqual({ made: 20, refused: 4, all: 24 });
    const refused = answers.find(({ status }) => status === 402);
    expect(refused?.body).toEqual({
      detail:
        'The plan free allows 20 analyses a month, and you have used them. Wait for the next month, or choose the ' +
        'plan pro (no limit) or the plan consultant (no limit) with POST /api/v1/payments/create-checkout-session.',
    });
    expect((await start(jo, false)).body, 'the same is answered from the store').toMatchObject({
      from_store: true,
    });
    await jo.request('DELETE', path);
    const again = await newPlace(jo);
    expect((await again.start()).status, 'deleting gives nothing back').toBe(402);
    await database.asOwner("update plan_usage set month = month - interval '1 month' where user_id = $1", [
      jo.userId,
    ]);
    expect((await again.start()).status).toBe(202);
  });

  it('have no limit on a paid plan', async () => {
    const jo = await newPerson('pro');
    const { start } = await newPlace(jo);
    for (let n = 0; n < 22; n++) expect((await start()).status).toBe(202);
  });
});

describe('the table of plans', () => {
  it('is told as it is in docs/subscription.md', () => {
    const page = readFileSync(new URL('../../../../docs/subscription.md', import.meta.url), 'utf8');
    const words = (count: number | undefined) => count ?? 'no limit';
    for (const plan of PLANS) {
      const { workspaces, analyses_a_month } = planTable()[plan];
      expect(page).toContain(`| \`${plan}\` | ${words(workspaces)} | ${words(analyses_a_month)} |`);
    }
  });

  it.each([
    ['an unknown limit', 'free: {seats: 1}\npro: {}\nconsultant: {}'],
    ['a plan too few', 'free: {}\npro: {}'],
    ['a plan too many', 'free: {}\npro: {}\nconsultant: {}\ngold: {}'],
    ['a limit of none', 'free: {workspaces: 0}\npro: {}\nconsultant: {}'],
  ])('is refused with %s', (_name, text) => {
    expect(() => parsePlanTable(text)).toThrow();
  });
});
