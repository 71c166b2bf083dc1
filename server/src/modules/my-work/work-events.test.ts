import { afterAll, beforeAll, expect, it } from 'vitest';
import { watch } from '../../testing/event-stream.js';
import { type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';

const SOON = { timeout: 20_000 };
const PATH = '/api/v1/me/events';

let database: TestDatabase;
let app: TestApp;
let owner: Client;
let stranger: Client;
let first: string;
let second: string;
let foreign: string;

beforeAll(async () => {
  database = await createTestDatabase();
  app = await startTestApp(database);
  [owner, stranger] = [await app.signUp(), await app.signUp()];
  [first, second, foreign] = [await made(owner), await made(owner), await made(stranger)];
}, 60_000);
afterAll(async () => {
  await app?.stop();
  await database?.stop();
});

async function made(by: Client): Promise<string> {
  const { body } = await by.request('POST', '/api/v1/workspaces', { body: { name: 'Watched' } });
  return (body as { id: string }).id;
}
const happen = (workspace: string, type = 'gaps_changed') =>
  database.asOwner("select app.add_event($1::uuid, null, $2, '{}'::jsonb)", [workspace, type]);

it('tells of every workspace of a person in one stream, and of no other', async () => {
  const stream = await watch(app.address, PATH, { token: owner.token });
  await happen(foreign);
  await happen(first, 'progress');
  await happen(second);
  await expect.poll(() => stream.events.length, SOON).toBe(1);
  expect(stream.events[0]).toMatchObject({ type: 'work_changed', data: { workspace_ids: [second] } });
  await Promise.all([happen(first), happen(second), happen(second)]);
  const told = () => new Set(stream.events.slice(1).flatMap(({ data }) => data.workspace_ids as string[]));
  await expect.poll(() => [...told()].sort(), SOON).toEqual([first, second].sort());
  const ids = stream.events.map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
  stream.stop();

  // Whoever comes back is told whether something happened meanwhile.
  const last = ids.at(-1) ?? 0;
  const same = await watch(app.address, PATH, { token: owner.token, after: last });
  await happen(second);
  await expect.poll(() => same.events.length, SOON).toBe(1);
  same.stop();
  const behind = await watch(app.address, PATH, { token: owner.token, after: last });
  await expect.poll(() => behind.events.length, SOON).toBe(1);
  behind.stop();
}, 60_000);

it('ends with the session', async () => {
  const person = await app.signUp();
  await made(person);
  const stream = await watch(app.address, PATH, { token: person.token });
  await person.request('POST', '/api/v1/auth/sign-out');
  await stream.ended;
  await expect(watch(app.address, PATH, { token: person.token })).rejects.toThrow('401');
});

it('ends with the time of a guest', async () => {
  const expires_at = new Date(Date.now() + 3_600_000).toISOString();
  const { body } = await owner.request('POST', `/api/v1/workspaces/${first}/guests`, {
    body: { email: 'guest@example.org', scope: 'workspace', expires_at },
  });
  const { id, token } = body as { id: string; token: string };
  const signedUp = await app.anyone.request('POST', '/api/v1/auth/sign-up', {
    body: { email: 'guest@example.org', password: 'staple battery horse', name: 'Jo', invitation: token },
  });
  const { access_token } = signedUp.body as { access_token: string };
  const stream = await watch(app.address, PATH, { token: access_token });
  await happen(first);
  await owner.request('DELETE', `/api/v1/workspaces/${first}/guests/${id}`);
  await stream.ended;
  // What happened in the workspace was not theirs to be told.
  expect(stream.events).toEqual([]);
  await expect(watch(app.address, PATH, { token: access_token })).rejects.toThrow('401');
}, 30_000);
