import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { networkOf } from '../../platform/http/rate-limit.js';
import { type Answer, type Client, clientAt, startTestApp, type TestApp } from '../test-app.js';
import { createTestDatabase, type TestDatabase } from '../test-database.js';

let database: TestDatabase;
let app: TestApp;
let other: TestApp;

// One token a minute: what is spent stays spent for the time of the test.
const environment = {
  RATE_LIMIT_BURST: '30',
  RATE_LIMIT_PER_MINUTE: '1',
  RATE_LIMIT_BROWSER_BURST: '45',
  RATE_LIMIT_BROWSER_PER_MINUTE: '1',
};

beforeAll(async () => {
  database = await createTestDatabase();
  app = await startTestApp(database, { environment });
  other = await startTestApp(database, { environment });
});
afterAll(async () => {
  await other?.stop();
  await app?.stop();
  await database?.stop();
});

const me = (client: Client): Promise<Answer> => client.request('GET', '/api/v1/auth/me');
const allowed = (answers: readonly Answer[]): number => answers.filter(({ status }) => status !== 429).length;

describe('the rate limit', () => {
  it('is one bucket over all processes, and no token gets lost or doubled', async () => {
    const jo = await app.signUp();
    const elsewhere = other.withToken(jo.token);
    const answers: Answer[] = [];
    for (let n = 0; n < 50; n++) answers.push(await me(n % 2 === 0 ? jo : elsewhere));
    expect(allowed(answers)).toBe(30);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.body).toMatchObject({ error: { code: 'RATE_LIMITED' } });
    const seconds = Number(refused?.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(30);
    expect(seconds).toBeLessThanOrEqual(60);
  });

  it('holds when requests arrive at the same time', async () => {
    const jo = await app.signUp();
    const elsewhere = other.withToken(jo.token);
    const answers = await Promise.all(Array.from({ length: 80 }, (_, n) => me(n % 2 === 0 ? jo : elsewhere)));
    expect(allowed(answers)).toBe(30);
  });

  it('is each user’s own', async () => {
    const [jo, kim] = [await app.signUp(), await app.signUp()];
    await Promise.all(Array.from({ length: 40 }, () => me(jo)));
    expect((await me(jo)).status).toBe(429);
    expect((await me(kim)).status).toBe(200);
  });

  it('is another one for the application than for tokens of the same user', async () => {
    const jo = await app.signUp();
    const signedIn = await app.anyone.request('POST', '/api/v1/auth/browser/sign-in', {
      body: { email: jo.email, password: 'correct horse battery' },
      headers: { origin: app.address },
    });
    const browser = app.inBrowser(signedIn);
    const asked = (client: Client) => Promise.all(Array.from({ length: 60 }, () => me(client)));
    expect(allowed(await asked(jo))).toBe(30);
    const first = await me(browser);
    expect([first.status, first.headers.get('ratelimit-policy')]).toEqual([200, '"default";q=45;w=2700']);
    expect(allowed(await asked(browser))).toBe(44);
  });

  it('counts pictures of pages for themselves: whoever scrolls can still work', async () => {
    const jo = await app.signUp();
    const signedIn = await app.anyone.request('POST', '/api/v1/auth/browser/sign-in', {
      body: { email: jo.email, password: 'correct horse battery' },
      headers: { origin: app.address },
    });
    const browser = app.inBrowser(signedIn);
    const none = '00000000-0000-4000-8000-000000000000';
    const pictures = await Promise.all(
      Array.from({ length: 60 }, () =>
        browser.request('GET', `/api/v1/work-products/${none}/versions/1/pages/1/image?width=800`),
      ),
    );
    expect(allowed(pictures)).toBe(45);
    expect((await me(browser)).status).toBe(200);
  });

  it('counts by the address that the nearest proxy saw, whatever the client claims', async () => {
    const proxied = await startTestApp(database, { environment: { ...environment, TRUST_PROXY: 'true' } });
    try {
      const ask = (claimed: string, seen: string) =>
        proxied.anyone.request('GET', '/api/v1/nothing', {
          headers: { 'x-forwarded-for': `${claimed}, ${seen}` },
        });
      for (let n = 0; n < 30; n++) await ask(`203.0.113.${n}`, '198.51.100.1');
      expect((await ask('203.0.113.99', '198.51.100.1')).status).toBe(429);
      expect((await ask('203.0.113.99', '198.51.100.2')).status).toBe(404);
    } finally {
      await proxied.stop();
    }
  });

  it('tells its size and what is left on every answer', async () => {
    // As far as the process that is asked knows: others may hold some for a second.
    const jo = clientAt(app.address, (await app.signUp()).token);
    const first = await me(jo);
    expect(first.headers.get('ratelimit-policy')).toBe('"default";q=30;w=1800');
    expect(first.headers.get('ratelimit')).toBe('"default";r=29');
    expect((await me(jo)).headers.get('ratelimit')).toBe('"default";r=28');
    for (const path of ['/health', '/docs', '/openapi.json']) {
      expect((await jo.request('GET', path)).headers.get('ratelimit-policy')).toBe('"default";q=30;w=1800');
    }
  });

  it('refills with time', async () => {
    const jo = await app.signUp();
    await Promise.all(Array.from({ length: 40 }, () => me(jo)));
    expect((await me(jo)).status).toBe(429);
    await database.asOwner(
      "update rate_limit_buckets set updated_at = updated_at - interval '5 minutes' where key = $1",
      [`user ${jo.userId}`],
    );
    const count = async () =>
      allowed(await Promise.all(Array.from({ length: 10 }, () => me(other.withToken(jo.token)))));
    await expect.poll(count, { interval: 1_100, timeout: 5_000 }).toBe(5);
  });

  // Last, because it spends what this client address has.
  it('counts requests without a user, or with a refused token, by client address', async () => {
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        n % 2 === 0 ? me(app.anyone) : me(other.withToken('not.a.token')),
      ),
    );
    expect(allowed(answers)).toBeLessThanOrEqual(30);
    expect(answers.some(({ status }) => status === 401)).toBe(true);
    expect((await app.anyone.request('GET', '/api/v1/nothing')).status).toBe(429);
    expect((await app.anyone.request('GET', '/health')).status).toBe(200);
  });
});

describe('the key of a client address', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0db8::6', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
  ])('of %s is %s', (address, key) => {
    expect(networkOf(address)).toBe(key);
  });
});
