import { createHash, randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
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

const post = (client: Client, path: string, body?: unknown) =>
  client.request('POST', `/api/v1/auth/${path}`, { body });
const signIn = (email: string, password = PASSWORD) => post(app.anyone, 'sign-in', { email, password });
const reasonOf = async (client: Client): Promise<unknown> => {
  const { status, body } = await client.request('GET', '/api/v1/auth/me');
  return status === 200
    ? 'accepted'
    : (body as { error: { details: { reason: string } } }).error.details.reason;
};

describe('signing up', () => {
  it('makes a user with a profile and a session', async () => {
    const answer = await post(app.anyone, 'sign-up', {
      email: 'First@Example.org',
      password: PASSWORD,
      name: 'First',
      organization: 'Example Mobility',
    });
    expect([answer.status, answer.body]).toEqual([
      201,
      {
        access_token: expect.any(String),
        token_type: 'bearer',
        expires_in: 1800,
        user_id: expect.any(String),
      },
    ]);
    const { access_token, user_id } = answer.body as { access_token: string; user_id: string };
    const me = await app.withToken(access_token).request('GET', '/api/v1/auth/me');
    expect(me.body).toEqual({
      id: user_id,
      email: 'First@Example.org',
      // Whoever sets an installation up vouches for themselves.
      email_verified: true,
      name: 'First',
      organization: 'Example Mobility',
      role: 'admin',
      created_at: expect.any(String),
      last_login: expect.any(String),
      subscription_status: 'inactive',
      subscription_plan: null,
    });
  });

  it('makes every later user an engineer', async () => {
    const jo = await app.signUp();
    expect((await jo.request('GET', '/api/v1/auth/me')).body).toMatchObject({ role: 'engineer' });
  });

  it('refuses an address that is taken, in any case of letters', async () => {
    const { email } = await app.signUp('taken@example.org');
    const again = await post(app.anyone, 'sign-up', {
      email: email.toUpperCase(),
      password: PASSWORD,
      name: 'x',
    });
    expect([again.status, again.body]).toEqual([
      409,
      { error: expect.objectContaining({ code: 'CONFLICT' }) },
    ]);
  });

  it.each([
    ['a short password', { email: 'a@example.org', password: 'short', name: 'x' }],
    ['no address', { email: 'nobody', password: PASSWORD, name: 'x' }],
    ['a role', { email: 'a@example.org', password: PASSWORD, name: 'x', role: 'admin' }],
  ])('refuses %s', async (_what, body) => {
    expect((await post(app.anyone, 'sign-up', body)).status).toBe(422);
  });

  it('keeps no password, only a slow hash of it', async () => {
    const jo = await app.signUp();
    const [row] = await database.asOwner<{ password_hash: string }>(
      'select password_hash from auth.credentials where user_id = $1',
      [jo.userId],
    );
    expect(row?.password_hash).toMatch(/^scrypt\$32768\$8\$3\$[\w-]{22}\$[\w-]{43}$/);
  });

  it('is limited for each client address, because each costs a password hash', async () => {
    const proxied = await startTestApp(database, {
      environment: { TRUST_PROXY: 'true', RATE_LIMIT_PER_MINUTE: '5' },
    });
    const signUp = (address: string) =>
      proxied.anyone.request('POST', '/api/v1/auth/sign-up', {
        body: { email: 'taken@example.org', password: PASSWORD, name: 'Jo' },
        headers: { 'x-forwarded-for': address },
      });
    await signUp('2001:db8::1');
    await database.asOwner("update rate_limit_buckets set tokens = 1 where key like 'sign-up address 2001%'");
    expect((await signUp('2001:db8::2')).status).toBe(409);
    expect((await signUp('2001:db8::3')).status).toBe(429);
    expect((await signUp('2001:db8:1::3')).status).toBe(409);
    await proxied.stop();
  });
});

describe('signing in', () => {
  it('opens a session of its own', async () => {
    const jo = await app.signUp();
    const answer = await signIn(jo.email.toUpperCase());
    expect(answer.status).toBe(200);
    const { access_token } = answer.body as { access_token: string };
    expect(decodeJwt(access_token).sid).not.toBe(decodeJwt(jo.token ?? '').sid);
    expect(await reasonOf(other.withToken(access_token))).toBe('accepted');
  });

  it('says the same, in about the same time, for an unknown address and a wrong password', async () => {
    const jo = await app.signUp();
    const timed = async (email: string) => {
      const started = performance.now();
      const answer = await signIn(email, 'a wrong password');
      const { timestamp, request_id, ...error } = (answer.body as { error: Record<string, unknown> }).error;
      return { milliseconds: performance.now() - started, status: answer.status, error };
    };
    const wrong = await timed(jo.email);
    const unknown = await timed('nobody@example.org');
    expect([unknown.status, unknown.error]).toEqual([wrong.status, wrong.error]);
    expect(wrong.status).toBe(401);
    expect(unknown.milliseconds).toBeGreaterThan(wrong.milliseconds / 4);
  });

  /** Attempts from client addresses of one's choice. */
  async function proxied() {
    const at = await startTestApp(database, { environment: { TRUST_PROXY: 'true' } });
    return {
      attempt: (from: string, email: string, password: string) =>
        at.anyone.request('POST', '/api/v1/auth/sign-in', {
          body: { email, password },
          headers: { 'x-forwarded-for': from },
        }),
      stop: at.stop,
    };
  }
  /** What is left of the bucket of an account at all networks that it does not know. */
  const leave = (tokens: number, email: string) =>
    database.asOwner(`update rate_limit_buckets set tokens = $1 where key = 'sign-in account ' || $2`, [
      tokens,
      createHash('sha256').update(email).digest('base64url'),
    ]);

  it('is throttled per account and network, and a right password is not counted', async () => {
    const { attempt, stop } = await proxied();
    const jo = await app.signUp();
    for (let n = 0; n < 3; n++) expect((await attempt('192.0.2.1', jo.email, PASSWORD)).status).toBe(200);
    const statuses: number[] = [];
    for (let n = 0; n < 12; n++) statuses.push((await attempt('192.0.2.1', jo.email, 'wrong')).status);
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);
    const refused = await attempt('192.0.2.1', jo.email, PASSWORD);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await attempt('192.0.2.2', jo.email, PASSWORD)).status, 'the person elsewhere').toBe(200);
    await stop();
  }, 60_000);

  it('cannot be prevented by strangers at networks that the account was signed in to from before', async () => {
    const { attempt, stop } = await proxied();
    const jo = await app.signUp();
    expect((await attempt('198.51.100.7', jo.email, PASSWORD)).status).toBe(200);
    // Many strangers at many networks have used up what the account has at networks that it does not know.
    expect((await attempt('192.0.2.1', jo.email, 'wrong')).status).toBe(401);
    await leave(0, jo.email);
    expect((await attempt('192.0.2.2', jo.email, 'wrong')).status).toBe(429);
    expect((await attempt('192.0.2.3', jo.email, PASSWORD)).status, 'a guess of theirs').toBe(429);
    expect((await attempt('198.51.100.7', jo.email, PASSWORD)).status, 'the person').toBe(200);
    // An address that nobody has is limited in the same way.
    const nobody = `${randomUUID()}@example.org`;
    expect((await attempt('192.0.2.4', nobody, 'wrong')).status).toBe(401);
    await leave(0, nobody);
    expect((await attempt('192.0.2.5', nobody, 'wrong')).status).toBe(429);
    await stop();
  }, 60_000);
});

describe('a session', () => {
  it('ends with the sign-out, on every process at once', async () => {
    const jo = await app.signUp();
    const elsewhere = other.withToken(jo.token);
    expect([await reasonOf(jo), await reasonOf(elsewhere)]).toEqual(['accepted', 'accepted']);
    expect((await post(jo, 'sign-out')).status).toBe(204);
    expect(await reasonOf(jo)).toBe('revoked_session');
    await expect.poll(() => reasonOf(elsewhere), { timeout: 2_000 }).toBe('revoked_session');
    const refreshed = await post(jo, 'refresh');
    expect([refreshed.status, refreshed.body]).toEqual([
      401,
      {
        error: expect.objectContaining({
          code: 'AUTHENTICATION_ERROR',
          details: { reason: 'revoked_session' },
        }),
      },
    ]);
  });

  it('goes on with a refreshed token, which ends with it', async () => {
    const jo = await app.signUp();
    const refreshed = await post(jo, 'refresh');
    expect(refreshed.body).toEqual({
      access_token: expect.any(String),
      token_type: 'bearer',
      expires_in: 1800,
    });
    const again = app.withToken((refreshed.body as { access_token: string }).access_token);
    expect(decodeJwt(again.token ?? '').sid).toBe(decodeJwt(jo.token ?? '').sid);
    expect(await reasonOf(again)).toBe('accepted');
    await post(jo, 'sign-out');
    expect(await reasonOf(again)).toBe('revoked_session');
  });

  it('lasts as long as is allowed and no longer', async () => {
    let time = Date.now();
    const timed = await startTestApp(database, {
      environment: { SESSION_MAX_HOURS: '1', ACCESS_TOKEN_EXPIRE_MINUTES: '45' },
      clock: () => new Date(time),
    });
    const jo = await timed.signUp();
    time += 40 * 60_000;
    const refreshed = await post(jo, 'refresh');
    // Not past the end of the session.
    expect(refreshed.body).toMatchObject({ expires_in: 20 * 60 });
    const late = timed.withToken((refreshed.body as { access_token: string }).access_token);
    time += 21 * 60_000;
    expect(await reasonOf(late)).toBe('expired_token');
    expect(await reasonOf(jo)).toBe('expired_token');
    await timed.stop();
  });

  it('is refused for refreshing once its time is over', async () => {
    const jo = await app.signUp();
    await database.asOwner(
      "update auth.sessions set expires_at = now() - interval '1 second' where user_id = $1",
      [jo.userId],
    );
    await expect.poll(async () => (await post(jo, 'refresh')).status, { timeout: 2_000 }).toBe(401);
    expect(await reasonOf(jo)).toBe('revoked_session');
  });

  it('ends when the user is deleted', async () => {
    const jo = await app.signUp();
    expect(await reasonOf(jo)).toBe('accepted');
    await database.asOwner('delete from auth.users where id = $1', [jo.userId]);
    await expect.poll(() => reasonOf(jo), { timeout: 2_000 }).toBe('revoked_session');
  });
});

describe('the own sessions', () => {
  const list = async (client: Client) =>
    (await client.request('GET', '/api/v1/auth/sessions')).body as {
      total: number;
      items: Record<string, unknown>[];
    };
  const opened = async (email: string): Promise<Client> => {
    const answer = await app.anyone.request('POST', '/api/v1/auth/sign-in', {
      body: { email, password: PASSWORD },
      headers: { 'user-agent': `Browser\u00e9 ${'x'.repeat(400)}` },
    });
    return app.withToken((answer.body as { access_token: string }).access_token);
  };

  it('are listed with where they come from, and those of nobody else', async () => {
    const jo = await app.signUp();
    await opened(jo.email);
    const { total, items } = await list(jo);
    expect(total).toBe(2);
    expect(items.map(({ is_current }) => is_current)).toEqual([false, true]);
    expect(items[0]).toEqual({
      id: expect.any(String),
      is_current: false,
      created_at: expect.any(String),
      last_used_at: expect.any(String),
      expires_at: expect.any(String),
      address: '127.0.0.1',
      user_agent: `Browser ${'x'.repeat(192)}`,
    });
  });

  it('are ended one by one or all others at once, and nobody ends another’s', async () => {
    const [jo, kim] = [await app.signUp(), await app.signUp()];
    const [second, third] = [await opened(jo.email), await opened(jo.email)];
    expect([await reasonOf(second), await reasonOf(third)]).toEqual(['accepted', 'accepted']);
    const { items } = await list(second);
    const own = items.find(({ is_current }) => is_current)?.id;
    const end = (client: Client, id: unknown) => client.request('DELETE', `/api/v1/auth/sessions/${id}`);
    expect((await end(kim, own)).status).toBe(404);
    expect(await reasonOf(second)).toBe('accepted');
    expect((await end(jo, own)).status).toBe(204);
    expect((await end(jo, own)).status, 'ended already').toBe(404);
    expect(await reasonOf(second)).toBe('revoked_session');
    expect((await jo.request('DELETE', '/api/v1/auth/sessions')).body).toEqual({ ended: 1 });
    expect([await reasonOf(jo), await reasonOf(third), await reasonOf(kim)]).toEqual([
      'accepted',
      'revoked_session',
      'accepted',
    ]);
    expect(await list(jo)).toMatchObject({ total: 1 });
  });

  it('tell their last use to the minute', async () => {
    const jo = await app.signUp();
    await database.asOwner(
      "update auth.sessions set last_used_at = now() - interval '2 hours' where user_id = $1",
      [jo.userId],
    );
    await jo.request('GET', '/api/v1/auth/me');
    const [{ last_used_at } = {}] = (await list(jo)).items;
    expect(Date.parse(String(last_used_at))).toBeGreaterThan(Date.now() - 60_000);
  });
});

describe('a link of an administrator', () => {
  it('sets a new password once, ends all sessions, and is for administrators', async () => {
    const [jo, kim] = [await app.signUp(), await app.signUp()];
    const admin = await app.signUp();
    await database.asOwner("update profiles set role = 'admin' where id = $1", [admin.userId]);
    const path = `/api/v1/admin/users/${jo.userId}/password-reset`;
    expect((await kim.request('POST', path)).status).toBe(403);
    const made = await admin.request('POST', path);
    const { token, link, expires_at } = made.body as { token: string; link: string; expires_at: string };
    expect([made.status, link]).toEqual([200, `${app.address}/#reset=${token}`]);
    expect(Date.parse(expires_at) - Date.now()).toBeGreaterThan(23 * 3_600_000);
    const kept = await database.asOwner('select l::text as row from auth.one_time_links l');
    expect(JSON.stringify(kept)).not.toContain(token.slice(4));
    const confirm = (new_password: string) =>
      post(app.anyone, 'password-reset/confirm', { token, new_password });
    expect(await reasonOf(jo)).toBe('accepted');
    expect((await confirm('normtrace2026')).status, 'a common one').toBe(422);
    expect((await confirm('staple battery horse')).status).toBe(204);
    expect((await confirm('another battery horse')).status, 'used up').toBe(422);
    expect(await reasonOf(jo)).toBe('revoked_session');
    expect((await signIn(jo.email)).status).toBe(401);
    expect((await signIn(jo.email, 'staple battery horse')).status).toBe(200);
    const [user] = await database.asOwner('select email_verified from profiles where id = $1', [jo.userId]);
    expect(user, 'an administrator vouches by saying so').toEqual({ email_verified: false });
    const trail = await database.asOwner(
      "select action from audit_events where target_id = $1 and action like 'user.%reset%' order by sequence",
      [jo.userId],
    );
    expect(trail).toEqual([{ action: 'user.reset_link_made' }, { action: 'user.password_reset' }]);
    // Without a mail server nobody else makes such links, and the answer says who does.
    expect((await post(app.anyone, 'password-reset', { email: jo.email })).body).toMatchObject({
      error: { code: 'CONFLICT', details: { reason: 'no_mail' } },
    });
  });

  it('makes an account with a verified address', async () => {
    const admin = await app.signUp();
    await database.asOwner("update profiles set role = 'admin' where id = $1", [admin.userId]);
    const email = `${randomUUID()}@example.org`;
    const link = (address: string) =>
      admin.request('POST', '/api/v1/admin/sign-up-links', { body: { email: address } });
    const { token } = (await link(email)).body as { token: string };
    const signUp = (address: string) =>
      post(app.anyone, 'sign-up', { email: address, password: PASSWORD, name: 'Jo', invitation: token });
    expect((await signUp(`${randomUUID()}@example.org`)).status, 'another address').toBe(422);
    const made = await signUp(email);
    const { access_token } = made.body as { access_token: string };
    const profile = await app.withToken(access_token).request('GET', '/api/v1/auth/me');
    expect([made.status, profile.body]).toMatchObject([201, { email, email_verified: true }]);
    expect((await link(email)).status, 'has an account').toBe(409);
  });
});

describe('a new password', () => {
  it('replaces the old one and ends all other sessions', async () => {
    const jo = await app.signUp();
    const second = await signIn(jo.email);
    const elsewhere = app.withToken((second.body as { access_token: string }).access_token);
    const change = (current_password: string) =>
      post(jo, 'password', { current_password, new_password: 'staple battery horse' });
    expect((await change('not the password')).status).toBe(422);
    expect((await change(PASSWORD)).status).toBe(204);
    expect([await reasonOf(jo), await reasonOf(elsewhere)]).toEqual(['accepted', 'revoked_session']);
    expect((await signIn(jo.email)).status).toBe(401);
    expect((await signIn(jo.email, 'staple battery horse')).status).toBe(200);
  });
});
