import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { createModelLimiter } from './limiter.js';

let data: TestDatabase;
beforeAll(async () => {
  data = await createTestDatabase();
});
afterAll(() => data?.stop());
beforeEach(async () => {
  await data.asOwner('truncate model_leases, rate_limit_buckets');
});

const soon = () => AbortSignal.timeout(400);

test('two processes together never ask more at the same time than is allowed', async () => {
  const processes = [1, 2].map(() => createModelLimiter(data.database, { concurrency: 3 }));
  let now = 0;
  let most = 0;
  await Promise.all(
    Array.from({ length: 14 }, async (_, at) => {
      const leave = await processes[at % 2]!.enter(10, undefined);
      most = Math.max(most, ++now);
      await new Promise((resolve) => setTimeout(resolve, 30));
      now--;
      await leave();
    }),
  );
  expect(most).toBe(3);
  expect(await data.asOwner('select from model_leases')).toEqual([]);
});

test('who waits ends with the signal, and takes no place', async () => {
  const limiter = createModelLimiter(data.database, { concurrency: 1 });
  const leave = await limiter.enter(1, undefined);
  await expect(limiter.enter(1, soon())).rejects.toThrow(/abort|timeout/i);
  await leave();
  await (await limiter.enter(1, soon()))();
});

test('the lease of a process that died is free again', async () => {
  await data.asOwner(
    "insert into model_leases (id, until) values (gen_random_uuid(), now() - interval '1 second'), (gen_random_uuid(), now() + interval '1 minute')",
  );
  const limiter = createModelLimiter(data.database, { concurrency: 2 });
  const leave = await limiter.enter(1, undefined);
  await expect(limiter.enter(1, soon())).rejects.toThrow();
  await leave();
});

test('a quarter of the requests of a minute goes at once, the next has to wait', async () => {
  const limiter = createModelLimiter(data.database, { concurrency: 100, requestsPerMinute: 8 });
  for (let at = 0; at < 2; at++) await (await limiter.enter(1, undefined))();
  await expect(limiter.enter(1, soon())).rejects.toThrow();
  // Ten seconds later there is one more: 6 in a minute, and the 2 that went at once.
  await data.asOwner("update rate_limit_buckets set updated_at = updated_at - interval '10 seconds'");
  await (await limiter.enter(1, undefined))();
  await expect(limiter.enter(1, soon())).rejects.toThrow();
});

test('a question larger than the bucket goes when that is full, and those after it wait longer', async () => {
  const limiter = createModelLimiter(data.database, { concurrency: 100, tokensPerMinute: 4_000 });
  await (await limiter.enter(2_500, undefined))();
  await data.asOwner("update rate_limit_buckets set updated_at = updated_at - interval '30 seconds'");
  await expect(limiter.enter(100, soon())).rejects.toThrow();
  await data.asOwner("update rate_limit_buckets set updated_at = updated_at - interval '3 seconds'");
  await (await limiter.enter(100, undefined))();
});
