import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';

const SECRET = 'a shared secret of at least thirty-two bytes';

let database: TestDatabase;
let app: TestApp;

beforeAll(async () => {
  database = await createTestDatabase();
  app = await startTestApp(database, {
    environment: { AUTH_JWT_SECRET: SECRET, AUTH_ISSUER: 'https://issuer.example', SESSION_MAX_HOURS: '2' },
  });
  // The first user of an installation administers it; the others of these tests do not.
  await newUser().then((client) => client.request('GET', '/api/v1/auth/me'));
});
afterAll(async () => {
  await app?.stop();
  await database?.stop();
});

/** A user as the issuer vouches for them. */
async function newUser(
  claims: Readonly<Record<string, unknown>> = {},
  issuer = 'https://issuer.example',
): Promise<Client> {
  const { sub: userId = randomUUID() } = claims as { sub?: string };
  const email = `${userId}@example.org`;
  const token = await new SignJWT({ email, email_verified: true, name: 'Jo', ...claims })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer(issuer)
    .setSubject(userId)
    .setIssuedAt()
    .setExpirationTime('30m')
    .sign(new TextEncoder().encode(SECRET));
  return app.withToken(token, { userId, email });
}

const sync = (client: Client, changes: object = {}) =>
  client.request('POST', '/api/v1/auth/sync', {
    body: { id: client.userId, email: client.email, name: 'Jo', ...changes },
  });
const addPending = (email: string, plan = 'pro') =>
  database.asOwner('insert into pending_subscriptions (email, plan) values ($1, $2)', [email, plan]);
const pendingOf = async (email: string): Promise<number> =>
  (await database.asOwner('select from pending_subscriptions where lower(email) = lower($1)', [email]))
    .length;
const me = async (client: Client) => (await client.request('GET', '/api/v1/auth/me')).body;

describe('with an external issuer', () => {
  it('the first token of a user makes the profile', async () => {
    const jo = await newUser();
    expect(await me(jo)).toMatchObject({
      id: jo.userId,
      email: jo.email,
      name: 'Jo',
      role: 'engineer',
      subscription_status: 'inactive',
    });
  });

  it('sixteen first requests at once make one profile', async () => {
    const jo = await newUser();
    const answers = await Promise.all(Array.from({ length: 16 }, () => jo.request('GET', '/api/v1/auth/me')));
    expect(answers.map(({ status }) => status)).toEqual(Array(16).fill(200));
  });

  it.each(['sign-up', 'sign-in'])('there is no %s', async (path) => {
    const body = {
      email: 'a@example.org',
      password: 'correct horse battery',
      ...(path === 'sign-up' ? { name: 'A' } : {}),
    };
    expect((await app.anyone.request('POST', `/api/v1/auth/${path}`, { body })).status).toBe(404);
  });

  it('there is no password', async () => {
    const jo = await newUser();
    const body = { current_password: 'a', new_password: 'correct horse battery' };
    expect((await jo.request('POST', '/api/v1/auth/password', { body })).status).toBe(404);
  });

  it('a refreshed token is accepted and belongs to the session of the issuer', async () => {
    const jo = await newUser({ sid: 'session-1', auth_time: Math.floor(Date.now() / 1000) - 6600 });
    const refreshed = await jo.request('POST', '/api/v1/auth/refresh');
    const { access_token, expires_in } = refreshed.body as { access_token: string; expires_in: number };
    // Ten minutes of the two hours are left.
    expect(expires_in).toBeGreaterThan(590);
    expect(expires_in).toBeLessThanOrEqual(600);
    expect(await me(app.withToken(access_token))).toMatchObject({ id: jo.userId });
  });

  it('a session that is too old is not refreshed', async () => {
    const jo = await newUser({ auth_time: Math.floor(Date.now() / 1000) - 7201 });
    const refreshed = await jo.request('POST', '/api/v1/auth/refresh');
    expect([refreshed.status, refreshed.body]).toMatchObject([
      401,
      { error: { details: { reason: 'revoked_session' } } },
    ]);
  });
});

describe('synchronising', () => {
  it('activates the free plan, and again changes nothing', async () => {
    const jo = await newUser();
    const first = await sync(jo);
    expect([first.status, first.body]).toEqual([
      200,
      {
        success: true,
        message: expect.any(String),
        user_id: jo.userId,
        email: jo.email,
        subscription_migrated: false,
        subscription_waiting: false,
        subscription_plan: 'free',
      },
    ]);
    expect(await me(jo)).toMatchObject({ subscription_status: 'active', subscription_plan: 'free' });
    expect((await sync(jo)).body).toMatchObject({ subscription_migrated: false, subscription_plan: 'free' });
  });

  it('moves a pending subscription into the profile, in whatever case its address is written', async () => {
    const jo = await newUser();
    await addPending(jo.email.toUpperCase(), 'consultant');
    expect((await sync(jo)).body).toMatchObject({
      subscription_migrated: true,
      subscription_plan: 'consultant',
    });
    expect(await me(jo)).toMatchObject({ subscription_status: 'active', subscription_plan: 'consultant' });
    expect(await pendingOf(jo.email)).toBe(0);
    expect((await sync(jo)).body).toMatchObject({
      subscription_migrated: false,
      subscription_plan: 'consultant',
    });
  });

  it('lets sixteen at once claim a pending subscription exactly once', async () => {
    const jo = await newUser();
    await addPending(jo.email);
    const answers = await Promise.all(Array.from({ length: 16 }, () => sync(jo)));
    const bodies = answers.map(
      ({ body }) => body as { subscription_migrated: boolean; subscription_plan: string },
    );
    expect(bodies.filter(({ subscription_migrated }) => subscription_migrated).length).toBe(1);
    expect(new Set(bodies.map(({ subscription_plan }) => subscription_plan))).toEqual(new Set(['pro']));
    const trail = await database.asOwner(
      "select from audit_events where target_id = $1 and action = 'subscription.activated'",
      [jo.userId],
    );
    expect(trail.length).toBe(1);
  });

  it('gives a pending subscription to nobody whose address is not verified', async () => {
    const jo = await newUser({ email_verified: false });
    await addPending(jo.email);
    expect((await sync(jo)).body).toMatchObject({ subscription_migrated: false, subscription_plan: 'free' });
    expect(await pendingOf(jo.email)).toBe(1);
  });

  it('leaves a paid plan and a second payment alone', async () => {
    const jo = await newUser();
    await addPending(jo.email, 'pro');
    await sync(jo);
    await addPending(jo.email, 'consultant');
    expect((await sync(jo)).body).toMatchObject({ subscription_migrated: false, subscription_plan: 'pro' });
    expect(await pendingOf(jo.email)).toBe(1);
  });

  it('is refused for another id or address', async () => {
    const [jo, kim] = [await newUser(), await newUser()];
    await addPending(kim.email);
    for (const changes of [{ id: kim.userId }, { email: kim.email }]) {
      const answer = await sync(jo, changes);
      expect([answer.status, answer.body]).toMatchObject([403, { error: { code: 'AUTHORIZATION_ERROR' } }]);
    }
    expect(await pendingOf(kim.email)).toBe(1);
  });
});

describe('the same subject of another issuer', () => {
  it('is another user, also after AUTH_ISSUER was changed', async () => {
    const jo = await newUser();
    const { id } = (await jo.request('POST', '/api/v1/workspaces', { body: { name: 'One' } })).body as {
      id: string;
    };
    const moved = await startTestApp(database, {
      environment: { AUTH_JWT_SECRET: SECRET, AUTH_ISSUER: 'https://another.example' },
    });
    const other = await newUser({ sub: jo.userId, email: jo.email }, 'https://another.example');
    const there = moved.withToken(other.token, { email: jo.email });
    const profile = (await me(there)) as { id: string; role: string };
    expect(profile).toMatchObject({ email: jo.email, role: 'engineer' });
    expect(profile.id).not.toBe(jo.userId);
    expect((await there.request('GET', `/api/v1/workspaces/${id}`)).status).toBe(404);
    const users = await database.asOwner('select issuer from auth.users where subject = $1 order by 1', [
      jo.userId,
    ]);
    expect(users).toEqual([{ issuer: 'https://another.example' }, { issuer: 'https://issuer.example' }]);
    // Its client still says what its token says, or what the profile does.
    for (const said of [jo.userId, profile.id]) {
      const synced = await there.request('POST', '/api/v1/auth/sync', {
        body: { id: said, email: jo.email, name: 'Jo' },
      });
      expect([synced.status, synced.body]).toMatchObject([200, { user_id: profile.id }]);
    }
    await moved.stop();
  });
});

describe('the address', () => {
  it('follows the issuer, and is as verified as the issuer says', async () => {
    const jo = await newUser({ email_verified: false });
    expect(await me(jo)).toMatchObject({ email_verified: false });
    const verified = await newUser({ sub: jo.userId });
    expect(await me(verified)).toMatchObject({ email_verified: true });
    const renamed = await newUser({ sub: jo.userId, email: 'new@example.org', email_verified: false });
    expect(await me(renamed)).toMatchObject({ email: 'new@example.org', email_verified: false });
  });

  it('that the token does not have locks nobody out', async () => {
    const billed = await startTestApp(database, {
      environment: {
        AUTH_JWT_SECRET: SECRET,
        AUTH_ISSUER: 'https://issuer.example',
        BILLING: 'on',
        PAYMENT_WEBHOOK_SECRET: 'secret',
      },
    });
    const { token, userId } = await newUser({ email: undefined, email_verified: undefined });
    const jo = billed.withToken(token, { userId });
    const refused = await jo.request('POST', '/api/v1/auth/sync', {
      body: { id: userId, email: 'mine@example.org', name: 'Jo' },
    });
    expect([refused.status, refused.body]).toMatchObject([
      403,
      { error: { details: { reason: 'address_missing', setting: 'AUTH_EMAIL_CLAIM' } } },
    ]);
    expect((await jo.request('GET', '/api/v1/workspaces')).status).toBe(402);
    const synced = await jo.request('POST', '/api/v1/auth/sync', { body: { id: userId, name: 'Jo' } });
    expect([synced.status, synced.body]).toMatchObject([200, { email: '', subscription_plan: 'free' }]);
    expect((await jo.request('GET', '/api/v1/workspaces')).status).toBe(200);
    await billed.stop();
  });

  it('that waits for its proof is told of with the payment', async () => {
    const jo = await newUser({ email_verified: false });
    await addPending(jo.email);
    expect((await sync(jo)).body).toMatchObject({
      subscription_migrated: false,
      subscription_waiting: true,
      message: expect.stringContaining('/auth/me/verification'),
    });
  });
});

describe('a session of the issuer', () => {
  const status = async (client: Client) => (await client.request('GET', '/api/v1/auth/me')).status;
  const sessionsOf = async (client: Client) =>
    (await client.request('GET', '/api/v1/auth/sessions')).body as {
      items: { id: string; is_current: boolean }[];
    };

  it('ends here with the sign-out, with every token of it, on every process', async () => {
    const jo = await newUser({ sid: 'one' });
    const same = await newUser({ sub: jo.userId, sid: 'one', jti: 'another token' });
    const other = await newUser({ sub: jo.userId, sid: 'two' });
    expect([await status(jo), await status(same), await status(other)]).toEqual([200, 200, 200]);
    const refreshed = await jo.request('POST', '/api/v1/auth/refresh');
    const own = app.withToken((refreshed.body as { access_token: string }).access_token);
    expect(await status(own)).toBe(200);
    expect((await jo.request('POST', '/api/v1/auth/sign-out')).status).toBe(204);
    expect([await status(jo), await status(same), await status(own)]).toEqual([401, 401, 401]);
    expect(await status(other)).toBe(200);
    const elsewhere = await startTestApp(database, {
      environment: { AUTH_JWT_SECRET: SECRET, AUTH_ISSUER: 'https://issuer.example' },
    });
    expect(await status(elsewhere.withToken(jo.token))).toBe(401);
    await elsewhere.stop();
  });

  it('without a name is that of its token alone', async () => {
    const jo = await newUser({ jti: 'a' });
    const second = await newUser({ sub: jo.userId, jti: 'b' });
    expect([await status(jo), await status(second)]).toEqual([200, 200]);
    await jo.request('POST', '/api/v1/auth/sign-out');
    expect([await status(jo), await status(second)]).toEqual([401, 200]);
  });

  it('that was not used here yet ends with all others', async () => {
    const began = Math.floor(Date.now() / 1000) - 60;
    const jo = await newUser({ sid: 'here', auth_time: began });
    const stolen = await newUser({ sub: jo.userId, sid: 'stolen', auth_time: began });
    expect(await status(jo)).toBe(200);
    expect((await sessionsOf(jo)).items).toMatchObject([{ is_current: true }]);
    expect((await jo.request('DELETE', '/api/v1/auth/sessions')).body).toEqual({ ended: 0 });
    expect([await status(jo), await status(stolen)]).toEqual([200, 401]);
    const later = await newUser({ sub: jo.userId, sid: 'later', auth_time: began + 120 - 30 });
    expect(await status(later)).toBe(200);
  });
});
