import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { watch } from '../../testing/event-stream.js';
import { type Answer, type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';

const PASSWORD = 'correct horse battery';

let database: TestDatabase;
let app: TestApp;
let other: TestApp;

beforeAll(async () => {
  database = await createTestDatabase();
  app = await startTestApp(database);
  other = await startTestApp(database);
});
afterAll(async () => {
  await other?.stop();
  await app?.stop();
  await database?.stop();
});

const me = (client: Client) => client.request('GET', '/api/v1/auth/me');
const reasonOf = ({ body }: Answer): unknown =>
  (body as { error: { details: { reason: string } } }).error.details.reason;
const cookieIn = (answer: Answer): string => (answer.headers.get('set-cookie') ?? '').split(';')[0]!;
const signIn = (
  email: string,
  client: Client = app.anyone,
  headers: Record<string, string> = { origin: app.address },
) => client.request('POST', '/api/v1/auth/browser/sign-in', { body: { email, password: PASSWORD }, headers });
const sessionsOf = (userId: string) =>
  database.asOwner<{ cookie_hash: Buffer; minutes: number }>(
    `select cookie_hash, round(extract(epoch from expires_at - now()) / 60)::int as minutes from auth.sessions
     where user_id = $1 and ended_at is null order by started_at`,
    [userId],
  );

describe('the session of a browser', () => {
  it('is in a cookie that no script reads, and its secret nowhere else', async () => {
    const jo = await app.signUp();
    const answer = await signIn(jo.email);
    expect([answer.status, answer.body]).toEqual([200, { user_id: jo.userId, expires_in: 7200 }]);
    expect(answer.headers.get('set-cookie')).toMatch(
      /^normtrace=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    const secret = cookieIn(answer).slice('normtrace='.length);
    const [, session] = await sessionsOf(jo.userId);
    expect(session?.cookie_hash).toHaveLength(32);
    const [found] = await database.asOwner<{ n: number }>(
      'select count(*)::int as n from auth.sessions s where s::text like $1',
      [`%${secret}%`],
    );
    expect(found?.n).toBe(0);
  });

  it('has a cookie of this very host with HTTPS', async () => {
    const jo = await app.signUp();
    const secure = await startTestApp(database, { environment: { BASE_URL: 'https://normtrace.example' } });
    const answer = await signIn(jo.email, secure.anyone, { origin: 'https://normtrace.example' });
    expect(answer.headers.get('set-cookie')).toMatch(
      /^__Host-normtrace=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
    );
    expect((await me(secure.inBrowser(answer))).status).toBe(200);
    // A cookie with the name of another form of address is none.
    const renamed = cookieIn(answer).replace('__Host-', '');
    const refused = await secure.anyone.request('GET', '/api/v1/auth/me', { headers: { cookie: renamed } });
    expect([refused.status, reasonOf(refused)]).toEqual([401, 'missing_token']);
    await secure.stop();
  });

  it('is accepted wherever a token is, by every process', async () => {
    const jo = await app.signUpInBrowser();
    expect((await me(jo)).body).toMatchObject({ id: jo.userId, email: jo.email });
    const made = await jo.request('POST', '/api/v1/workspaces', { body: { name: 'By cookie' } });
    expect(made.status).toBe(201);
    const cookie = cookieIn(await signIn(jo.email));
    const there = await other.anyone.request('GET', '/api/v1/workspaces', {
      headers: { cookie: `theme=dark; ${cookie}; last=1` },
    });
    expect(there.body).toMatchObject({ items: [{ name: 'By cookie' }] });
  });

  it('does not count where a token says who is calling', async () => {
    const [jo, kim] = [await app.signUp(), await app.signUp()];
    const cookie = cookieIn(await signIn(jo.email));
    const answer = await kim.request('PATCH', '/api/v1/auth/me', {
      body: { name: 'Kim' },
      headers: { cookie },
    });
    expect(answer.body).toMatchObject({ id: kim.userId, name: 'Kim' });
  });

  it.each([
    ['a page of another site', { 'sec-fetch-site': 'cross-site' }],
    ['a page of a neighbour', { 'sec-fetch-site': 'same-site' }],
    ['a page of another site that says our origin', { 'sec-fetch-site': 'cross-site', origin: 'own' }],
    ['an old browser, from another origin', { origin: 'https://evil.example' }],
    ['an old browser, from nowhere', { origin: 'null' }],
    ['nobody knows where', {}],
  ])('changes nothing for %s', async (_from, said: Record<string, string>) => {
    const jo = await app.signUp();
    const cookie = cookieIn(await signIn(jo.email));
    const headers = { ...said, ...(said.origin === 'own' ? { origin: app.address } : {}), cookie };
    const answer = await app.anyone.request('PATCH', '/api/v1/auth/me', { body: { name: 'x' }, headers });
    expect([answer.status, reasonOf(answer)]).toEqual([403, 'cross_site_request']);
    expect((await me(jo)).body).toMatchObject({ name: 'Test User' });
    const { cookie: _, ...without } = headers;
    const opened = await signIn(jo.email, app.anyone, without);
    expect([opened.status, opened.headers.get('set-cookie')]).toEqual([403, null]);
  });

  it('changes what an old browser asks from a page of ours, and reads without saying from where', async () => {
    const jo = await app.signUp();
    const cookie = cookieIn(await signIn(jo.email));
    const changed = await app.anyone.request('PATCH', '/api/v1/auth/me', {
      body: { name: 'New' },
      headers: { cookie, origin: app.address },
    });
    expect(changed.status).toBe(200);
    const read = await app.anyone.request('GET', '/api/v1/auth/me', { headers: { cookie } });
    expect(read.body).toMatchObject({ name: 'New' });
  });

  it('has no access tokens', async () => {
    const jo = await app.signUpInBrowser();
    const answer = await jo.request('POST', '/api/v1/auth/refresh');
    expect([answer.status, reasonOf(answer)]).toEqual([403, 'session_by_cookie']);
  });

  it.each([
    ['cut off', 'normtrace=abc', 'malformed_token'],
    ['guessed', `normtrace=${'A'.repeat(43)}`, 'revoked_session'],
    ['empty', 'normtrace=', 'malformed_token'],
    ['of somebody else', 'session=abc', 'missing_token'],
  ])('is none with a cookie that is %s', async (_what, cookie, reason) => {
    const answer = await app.anyone.request('GET', '/api/v1/auth/me', { headers: { cookie } });
    expect([answer.status, reasonOf(answer)]).toEqual([401, reason]);
  });

  it('ends with the sign-out, on every process, and its cookie with it', async () => {
    const jo = await app.signUpInBrowser();
    const answer = await jo.request('POST', '/api/v1/auth/sign-out');
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([
      204,
      'normtrace=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict',
    ]);
    expect(reasonOf(await me(jo))).toBe('revoked_session');
  });

  it('is listed and ended with the others', async () => {
    const jo = await app.signUp();
    const browser = app.inBrowser(await signIn(jo.email));
    const list = await browser.request('GET', '/api/v1/auth/sessions');
    const { items } = list.body as { items: { id: string; is_current: boolean }[] };
    expect(items.map(({ is_current }) => is_current)).toEqual([true, false]);
    await jo.request('DELETE', `/api/v1/auth/sessions/${items[0]!.id}`);
    expect(reasonOf(await me(browser))).toBe('revoked_session');
    const second = app.inBrowser(await signIn(jo.email));
    expect((await second.request('DELETE', '/api/v1/auth/sessions')).body).toEqual({ ended: 1 });
    expect(reasonOf(await me(jo))).toBe('revoked_session');
    expect((await me(second)).status).toBe(200);
  });

  it('ends when its browser signs in again, and no other does', async () => {
    const jo = await app.signUp();
    const [first, elsewhere] = [await signIn(jo.email), await signIn(jo.email)];
    await signIn(jo.email, app.inBrowser(first), {});
    await vi.waitFor(async () => expect(reasonOf(await me(app.inBrowser(first)))).toBe('revoked_session'));
    expect((await me(app.inBrowser(elsewhere))).status).toBe(200);
  });

  it('ends with a new password, but for the one that asks', async () => {
    const jo = await app.signUpInBrowser();
    const elsewhere = app.inBrowser(await signIn(jo.email));
    const body = { current_password: PASSWORD, new_password: 'staple battery horse' };
    expect((await jo.request('POST', '/api/v1/auth/password', { body })).status).toBe(204);
    expect((await me(jo)).status).toBe(200);
    expect(reasonOf(await me(elsewhere))).toBe('revoked_session');
  });

  it('goes on with every use, and no longer than is allowed', async () => {
    const jo = await app.signUpInBrowser();
    const age = (used: string, started: string) =>
      database.asOwner(
        `update auth.sessions set last_used_at = now() - $2::interval, started_at = now() - $3::interval,
           expires_at = now() + interval '10 minutes' where user_id = $1`,
        [jo.userId, used, started],
      );
    const minutesLeft = async () => {
      expect((await me(jo)).status).toBe(200);
      return (await sessionsOf(jo.userId))[0]?.minutes;
    };
    await age('10 seconds', '110 minutes');
    await vi.waitFor(async () => expect(await minutesLeft()).toBe(10));
    await age('2 minutes', '110 minutes');
    await vi.waitFor(async () => expect(await minutesLeft()).toBe(120), 15_000);
    await age('2 minutes', '11 hours');
    await vi.waitFor(async () => expect(await minutesLeft()).toBe(60), 15_000);
    await database.asOwner(
      "update auth.sessions set expires_at = now() - interval '1 second' where user_id = $1",
      [jo.userId],
    );
    await vi.waitFor(async () => expect(reasonOf(await me(jo))).toBe('revoked_session'));
  }, 60_000);
});

describe('a stream of a browser', () => {
  it('lives with the session and is no use of it', async () => {
    const jo = await app.signUp();
    const made = await jo.request('POST', '/api/v1/workspaces', { body: { name: randomUUID() } });
    const { id } = made.body as { id: string };
    const answer = await signIn(jo.email);
    await database.asOwner(
      `update auth.sessions set last_used_at = now() - interval '1 hour', expires_at = now() + interval '50 minutes'
       where cookie_hash is not null and user_id = $1`,
      [jo.userId],
    );
    const stream = await watch(app.address, `/api/v1/workspaces/${id}/events`, { cookie: cookieIn(answer) });
    // Opening it was a use; longer than a token lives, and not ended by the use.
    expect((await sessionsOf(jo.userId))[1]?.minutes).toBe(120);
    let isOver = false;
    void stream.ended.then(() => {
      isOver = true;
    });
    expect((await me(app.inBrowser(answer))).status).toBe(200);
    expect(isOver).toBe(false);
    await app.inBrowser(answer).request('POST', '/api/v1/auth/sign-out');
    await stream.ended;
    await expect(
      watch(app.address, `/api/v1/workspaces/${id}/events`, { cookie: cookieIn(answer) }),
    ).rejects.toThrow('401');
  });
});
