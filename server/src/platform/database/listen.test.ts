import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.stop());

const LISTENERS = `from pg_stat_activity where datname = current_database() and application_name = 'normtrace listen'`;
const listeners = () => test.asOwner(`select pid ${LISTENERS}`);
const notify = (payload: string) => test.asOwner(`select pg_notify('news', $1)`, [payload]);

it('hears its channel, comes back after a lost connection and says so, and stops', async () => {
  const heard: string[] = [];
  let reconnects = 0;
  const listening = await test.database.listen(
    'news',
    (payload) => heard.push(payload),
    () => reconnects++,
  );
  await notify('one');
  await test.asOwner(`select pg_notify('other', 'not this')`);
  await expect.poll(() => heard).toEqual(['one']);
  expect(reconnects).toBe(0);

  for (const round of [1, 2]) {
    await test.asOwner(`select pg_terminate_backend(pid) ${LISTENERS}`);
    await expect.poll(() => reconnects, { timeout: 10_000 }).toBe(round);
    await notify(`after ${round}`);
    await expect.poll(() => heard.at(-1)).toBe(`after ${round}`);
    expect(await listeners()).toHaveLength(1);
  }

  await listening.stop();
  await expect.poll(listeners).toEqual([]);
  await notify('nobody listens');
  expect(heard).toEqual(['one', 'after 1', 'after 2']);
});
