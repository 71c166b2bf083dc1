import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { tidyUp } from './housekeeping.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.stop());

it('clears away what has served its time, and nothing else', async () => {
  const { userId } = await database.createUser();
  await database.asOwner(
    `insert into rate_limit_buckets (key, tokens, granted, updated_at)
     values ('old', 1, 1, now() - interval '25 hours'), ('new', 1, 1, now() - interval '23 hours')`,
  );
  await database.asOwner(
    `insert into idempotency_keys (user_id, key, request_hash, created_at)
     values ($1, 'old', '\\x00', now() - interval '25 hours'), ($1, 'new', '\\x00', now() - interval '23 hours')`,
    [userId],
  );
  await database.asOwner(
    `insert into auth.sessions (user_id, started_at, expires_at)
     values ($1, now() - interval '32 days', now() - interval '31 days'),
            ($1, now() - interval '2 days', now() - interval '1 day')`,
    [userId],
  );
  await database.asOwner(
    `insert into local_checkout_sessions (id, plan, success_url, cancel_url, request_hash, expires_at, paid_at)
     select id, 'pro', 'http://x', 'http://x', '\\x00', now() - age, paid_at
     from (values ('old', interval '31 days', null), ('paid', interval '31 days', now()), ('new', interval '29 days', null))
       as session (id, age, paid_at)`,
  );
  await database.asOwner(
    `with w as (insert into workspaces (name, owner_id) values ('W', $1) returning id)
     insert into workspace_events (workspace_id, sequence, type, data, created_at)
     select w.id, e.sequence, e.type, '{}', now() - e.age
     from w, (values (1, 'progress', interval '25 hours'), (2, 'progress', interval '23 hours'),
                     (6, 'report_progress', interval '25 hours'), (7, 'report_progress', interval '23 hours'),
                     (3, 'finding', interval '31 days'), (4, 'finding', interval '29 days'),
                     (5, 'completed', interval '1 year')) as e (sequence, type, age)`,
    [userId],
  );
  await database.asOwner(
    `insert into gap_changes (workspace_id, change, total, status, request_id, created_by, finished_at)
     select w.id, '{}', c.total, 'completed', 'r', $1, now() - c.age
     from workspaces w, (values (1, interval '8 days'), (2, interval '6 days'), (3, null)) as c (total, age)`,
    [userId],
  );
  await database.asOwner(
    `insert into gap_change_items (workspace_id, change_id, position, gap_id) select workspace_id, id, 0, id from gap_changes`,
  );
  await tidyUp(database.database);
  const [left] = await database.asOwner(
    `select (select string_agg(key, ',') from rate_limit_buckets where key in ('old', 'new')) as buckets,
            (select string_agg(key, ',') from idempotency_keys) as keys,
            (select string_agg(id, ',' order by id) from local_checkout_sessions) as checkouts,
            (select count(*)::int from auth.sessions) as sessions,
            (select string_agg(total::text, ',' order by total) from gap_changes) as changes,
            (select count(*)::int from gap_change_items) as items,
            (select string_agg(sequence::text, ',' order by sequence) from workspace_events) as events`,
  );
  expect(left).toEqual({
    buckets: 'new',
    keys: 'new',
    checkouts: 'new,paid',
    sessions: 1,
    changes: '2,3',
    items: 2,
    events: '2,4,5,7',
  });
});
