import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { joinWorkspace, verifyAddressOf } from '../../testing/join-workspace.js';
import { type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { whileHeld } from '../../testing/waiting.js';

const PASSWORD = 'correct horse battery';

let database: TestDatabase;
let app: TestApp;
let invited: TestApp;
let closed: TestApp;
let admin: Client;

beforeAll(async () => {
  database = await createTestDatabase();
  app = await startTestApp(database);
  invited = await startTestApp(database, { environment: { SIGN_UP: 'invited' } });
  closed = await startTestApp(database, { environment: { SIGN_UP: 'closed' } });
});
afterAll(async () => {
  await closed?.stop();
  await invited?.stop();
  await app?.stop();
  await database?.stop();
});

const newAddress = () => `${randomUUID()}@example.org`;
const signUp = (at: TestApp, email: string, invitation?: string) =>
  at.anyone.request('POST', '/api/v1/auth/sign-up', {
    body: { email, password: PASSWORD, name: 'Jo', ...(invitation === undefined ? {} : { invitation }) },
  });
const signIn = (email: string, invitation: string) =>
  app.anyone.request('POST', '/api/v1/auth/sign-in', { body: { email, password: PASSWORD, invitation } });
async function newWorkspace(owner: Client): Promise<string> {
  const { headers } = await owner.request('POST', '/api/v1/workspaces', { body: { name: 'One' } });
  return headers.get('location') ?? '';
}
const invite = (by: Client, path: string, email: string, role = 'viewer') =>
  by.request('POST', `${path}/invitations`, { body: { email, role } });
const issued = async (by: Client, path: string, email: string, role?: string) =>
  (await invite(by, path, email, role)).body as { id: string; token: string; link: string };
const rolesIn = async (path: string) =>
  (
    await database.asOwner<{ role: string; email: string }>(
      `select m.role, p.email from workspace_members m join profiles p on p.id = m.user_id where m.workspace_id = $1`,
      [path.split('/').at(-1)],
    )
  ).map(({ role, email }) => `${role} ${email}`);

describe('signing up', () => {
  it('is possible for the first person wherever accounts are not open, and then for nobody else', async () => {
    const lock = "select pg_advisory_xact_lock(hashtext('normtrace first profile'))";
    const attempts = await whileHeld(database, { lock, waiters: 2 }, () =>
      Promise.all(Array.from({ length: 8 }, () => signUp(invited, newAddress()))),
    );
    expect(attempts.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(403)]);
    expect((await signUp(closed, newAddress())).body).toMatchObject({
      error: { code: 'AUTHORIZATION_ERROR', details: { sign_up: 'closed' } },
    });
    expect((await signUp(app, newAddress())).status).toBe(201);
    admin = await app.signUp();
    await database.asOwner("update profiles set role = 'admin' where id = $1", [admin.userId]);
  });

  it('with an invitation makes a member, once', async () => {
    const path = await newWorkspace(admin);
    const email = newAddress();
    const { token, link } = await issued(admin, path, email, 'engineer');
    expect(link).toBe(`${app.address}/#invitation=${token}`);
    expect((await signUp(closed, email, token)).status).toBe(403);
    expect((await signUp(invited, email.toUpperCase(), token)).status).toBe(201);
    expect(await rolesIn(path)).toContain(`engineer ${email.toUpperCase()}`);
    expect((await signUp(invited, newAddress(), token)).status, 'used up').toBe(422);
    const listed = await admin.request('GET', `${path}/invitations`);
    expect(listed.body).toMatchObject({ total: 1, items: [{ email, accepted_at: expect.any(String) }] });
    expect(listed.text).not.toContain(token);
  });

  it('sixteen times at once with one invitation makes one account', async () => {
    const path = await newWorkspace(admin);
    const email = newAddress();
    const { token } = await issued(admin, path, email);
    const answers = await Promise.all(Array.from({ length: 16 }, () => signUp(invited, email, token)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201).length).toBe(1);
    expect(statuses.filter((status) => status !== 409 && status !== 422 && status !== 201)).toEqual([]);
  });

  it.each([
    ['of another address', async (path: string) => (await issued(admin, path, newAddress())).token],
    ['that nobody made', async () => 'inv_unknown'],
    [
      'that was replaced by another one',
      async (path: string, email: string) => {
        const { token } = await issued(admin, path, email);
        await issued(admin, path, email.toUpperCase());
        return token;
      },
    ],
    [
      'that was withdrawn',
      async (path: string, email: string) => {
        const { id, token } = await issued(admin, path, email);
        expect((await admin.request('DELETE', `${path}/invitations/${id}`)).status).toBe(204);
        return token;
      },
    ],
    [
      'that is older than a week',
      async (path: string, email: string) => {
        const { token } = await issued(admin, path, email);
        await database.asOwner("update auth.one_time_links set expires_at = now() - interval '1 second'");
        return token;
      },
    ],
  ])('is refused with an invitation %s', async (_name, tokenFor) => {
    const path = await newWorkspace(admin);
    const email = newAddress();
    const answer = await signUp(invited, email, await tokenFor(path, email));
    expect([answer.status, answer.body]).toMatchObject([
      422,
      { error: { details: { issues: [{ path: 'body.invitation' }] } } },
    ]);
    expect(await rolesIn(path)).toHaveLength(1);
  });
});

describe('an invitation', () => {
  const own = async (client: Client) =>
    (await client.request('GET', '/api/v1/auth/me/invitations')).body as {
      total: number;
      items: { id: string; workspace_name: string; role: string; invited_by: object }[];
    };
  const answer = (client: Client, id: string, how: 'accept' | 'decline') =>
    client.request('POST', `/api/v1/auth/me/invitations/${id}/${how}`);

  it('shows its token to nobody who cannot vouch for the address: not to owners, nor to managers', async () => {
    const owner = await app.signUp();
    const manager = await app.signUp();
    await database.asOwner("update profiles set role = 'manager' where id = $1", [manager.userId]);
    for (const inviter of [owner, manager]) {
      const path = await newWorkspace(inviter);
      const made = await invite(inviter, path, newAddress());
      expect([made.status, made.body]).toMatchObject([201, { token: null, link: null, mailed: false }]);
      const members = await inviter.request('POST', `${path}/members`, {
        body: { email: newAddress(), role: 'viewer' },
      });
      expect(members.body).toMatchObject({ token: null, link: null });
    }
    const kept = await database.asOwner('select from auth.one_time_links where made_by = any ($1)', [
      [owner.userId, manager.userId],
    ]);
    expect(kept).toEqual([]);
  });

  it('is no membership for whoever signed up first with the address of somebody else', async () => {
    const owner = await app.signUp();
    const path = await newWorkspace(owner);
    // The address of somebody else, invited into a workspace of one's own and signed up with.
    const email = newAddress();
    const squatter = await app.signUp(email);
    const byAddress = await issued(owner, path, email);
    const byId = (
      await owner.request('POST', `${path}/members`, { body: { user_id: squatter.userId, role: 'viewer' } })
    ).body as { id: string };
    expect(await own(squatter)).toMatchObject({ total: 0, items: [] });
    for (const { id } of [byAddress, byId]) {
      const accepted = await answer(squatter, id, 'accept');
      expect([accepted.status, accepted.body]).toMatchObject([
        403,
        { error: { details: { reason: 'address_not_verified' } } },
      ]);
    }
    expect(await rolesIn(path)).toHaveLength(1);
    expect((await squatter.request('GET', path.replace(/.*\/api/, '/api'))).status).toBe(404);
  });

  it('waits for a person whose address is verified, who accepts or declines it', async () => {
    const owner = await app.signUp();
    const [path, other] = [await newWorkspace(owner), await newWorkspace(owner)];
    const jo = await app.signUp();
    await verifyAddressOf(app, jo);
    await invite(owner, path, jo.email.toUpperCase(), 'engineer');
    await owner.request('POST', `${other}/members`, { body: { user_id: jo.userId, role: 'viewer' } });
    const { total, items } = await own(jo);
    expect(total).toBe(2);
    expect(items[1]).toMatchObject({
      workspace_name: 'One',
      role: 'engineer',
      invited_by: { email: owner.email },
    });
    const [declined, accepted] = items.map(({ id }) => id) as [string, string];
    const kim = await app.signUp();
    await verifyAddressOf(app, kim);
    expect((await answer(kim, accepted, 'accept')).status, 'of somebody else').toBe(404);
    expect((await answer(kim, randomUUID(), 'accept')).status).toBe(404);
    expect((await answer(jo, accepted, 'accept')).body).toEqual({
      workspace_id: path.split('/').at(-1),
      role: 'engineer',
      guest_id: null,
    });
    expect((await answer(jo, declined, 'decline')).status).toBe(204);
    expect((await answer(jo, declined, 'accept')).status).toBe(404);
    expect((await answer(jo, accepted, 'accept')).status).toBe(404);
    expect(await rolesIn(path)).toContain(`engineer ${jo.email}`);
    expect(await rolesIn(other)).toHaveLength(1);
    expect((await owner.request('GET', `${other}/invitations`)).body).toMatchObject({
      items: [{ accepted_at: null, declined_at: expect.any(String) }],
    });
    expect(await own(jo)).toMatchObject({ total: 0 });
    // Declined is not for ever.
    expect((await invite(owner, other, jo.email)).status).toBe(201);
    expect(await own(jo)).toMatchObject({ total: 1 });
  });

  it('sixteen times accepted at once makes one member', async () => {
    const owner = await app.signUp();
    const path = await newWorkspace(owner);
    const jo = await app.signUp();
    await verifyAddressOf(app, jo);
    const { id } = await issued(owner, path, jo.email);
    const answers = await Promise.all(Array.from({ length: 16 }, () => answer(jo, id, 'accept')));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(15).fill(404)]);
    expect(await rolesIn(path)).toHaveLength(2);
  });

  it('of an administrator is accepted by signing in as well, and never changes the role of a member', async () => {
    const path = await newWorkspace(admin);
    const jo = await app.signUp();
    const { token } = await issued(admin, path, jo.email, 'viewer');
    const workspace = path.split('/').at(-1) ?? '';
    await joinWorkspace(app, { by: admin, workspace, member: jo, role: 'manager' });
    expect((await signIn(jo.email, token)).status).toBe(200);
    expect(await rolesIn(path)).toContain(`manager ${jo.email}`);
    expect((await invite(admin, path, jo.email)).status, 'a member already').toBe(409);
    expect((await signIn(jo.email, token)).status).toBe(422);
  });

  it('of an administrator verifies the address of whoever opens its link, signed in or signing up', async () => {
    const path = await newWorkspace(admin);
    const email = newAddress();
    await database.asOwner("insert into pending_subscriptions (email, plan) values ($1, 'pro')", [email]);
    const { token } = await issued(admin, path, email);
    const { user_id, access_token } = (await signUp(invited, email, token)).body as {
      user_id: string;
      access_token: string;
    };
    const synced = await app.withToken(access_token).request('POST', '/api/v1/auth/sync', {
      body: { id: user_id, email, name: 'Jo' },
    });
    expect(synced.body).toMatchObject({ subscription_migrated: true });

    const redeem = (client: Client, body: object) =>
      client.request('POST', '/api/v1/auth/me/invitations/accept', { body });
    const [jo, kim] = [await app.signUp(), await app.signUp()];
    const forJo = await issued(admin, path, jo.email);
    expect((await redeem(kim, { token: forJo.token })).status, 'another address').toBe(422);
    expect((await redeem(jo, { token: forJo.token })).body).toMatchObject({ role: 'viewer' });
    expect((await jo.request('GET', '/api/v1/auth/me')).body).toMatchObject({ email_verified: true });
    expect((await redeem(jo, { token: forJo.token })).status, 'used up').toBe(422);
  });

  it('of a manager is for viewers and engineers', async () => {
    const path = await newWorkspace(admin);
    const kim = await app.signUp();
    const workspace = path.split('/').at(-1) ?? '';
    await joinWorkspace(app, { by: admin, workspace, member: kim, role: 'manager' });
    expect((await invite(kim, path, newAddress(), 'engineer')).status).toBe(201);
    expect((await invite(kim, path, newAddress(), 'admin')).status).toBe(403);
    const { id } = await issued(admin, path, newAddress(), 'admin');
    expect((await kim.request('DELETE', `${path}/invitations/${id}`)).status).toBe(403);
    const listed = await kim.request('GET', `${path}/invitations`);
    expect(listed.body).toMatchObject({ total: 3 });
  });

  it('is kept as a hash only', async () => {
    const path = await newWorkspace(admin);
    const { token } = await issued(admin, path, newAddress());
    const rows = await database.asOwner('select l::text as row from auth.one_time_links l');
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(token.slice(4));
  });
});
