import { EVIL } from './function-probes.js';
import { answer, expectAnswer, type Probe } from './probe.js';
import { type Ground, idOf, literal } from './sample-rows.js';

const REFUSED = 'refused by a trigger';
const at = (ground: Ground, table: string) => `ctid = ${literal(ground.sample(table, 'own').ctid)}`;
/** The tables whose rows say when they were changed. */
export const TOUCHED: readonly string[] =
  'analyses artifacts auth.credentials auth.users checklists gaps model_policies pending_subscriptions preferences profiles reports saved_views standards templates trace_links traced_documents webhooks work_products workspace_members workspaces'.split(
    ' ',
  );

const touchProbes: readonly Probe[] = TOUCHED.map((table) => ({
  about: table,
  name: 'says when it was changed',
  run: async ({ client }) => {
    const { rows } = await client.query(
      `update ${table} set updated_at = '2001-01-01' where updated_at is not null
       returning updated_at = now()::timestamptz(3) as now`,
    );
    if (rows.length === 0 || rows.some(({ now }) => !now)) throw new Error('It does not say now.');
  },
}));

const appendOnlyProbes: readonly Probe[] = ['audit_events', 'attestations'].flatMap((table) =>
  [`update ${table} set id = id`, `delete from ${table}`, `truncate ${table}`].map((statement) => ({
    about: table,
    name: `even a superuser does not ${statement}`,
    run: async (ground: Ground) => expectAnswer(await answer(ground, {}, statement), REFUSED),
  })),
);

/** [table, name, statement, answer], as the superuser. */
const CHANGES: readonly (readonly [string, string, string, string])[] = [
  ...[
    "file_name = 'other'",
    'file_size = 2',
    "file_type = 'other'",
    "sha256 = 'other'",
    "object_key = object_key || 'other'",
    'uploaded_by = gen_random_uuid()',
    "uploaded_at = '2001-01-01'",
  ].map((change) => ['work_product_versions', `no ${change}`, `set ${change}`, REFUSED] as const),
  ['work_product_versions', 'is read again', 'set attempt = 7', '3 rows'],
  ['comments', 'is not edited later', "set text = 'Other'", REFUSED],
  ['comments', 'mentions nobody else later', 'set mentions = array[gen_random_uuid()]', REFUSED],
  ['comments', 'is resolved', 'set resolved_at = now(), resolved_by = author_id', '3 rows'],
  ['comments', 'is deleted', 'set text = null, deleted_at = now()', '3 rows'],
  ['gap_proposals', 'is decided', "set outcome = 'approved', decided_at = now()", '3 rows'],
];
const changeProbes: readonly Probe[] = CHANGES.map(([table, name, change, wanted]) => ({
  about: table,
  name,
  run: async (ground) => expectAnswer(await answer(ground, {}, `update ${table} ${change}`), wanted),
}));

const otherProbes: readonly Probe[] = [
  {
    about: 'gap_proposals',
    name: 'is decided once',
    run: async (ground) =>
      expectAnswer(
        await answer(
          ground,
          { before: "update gap_proposals set outcome = 'approved', decided_at = now()" },
          "update gap_proposals set outcome = 'rejected'",
        ),
        REFUSED,
      ),
  },
  {
    about: 'webhooks',
    name: 'keeps the secret before for a day',
    run: async (ground) => {
      const { rows } = await ground.client.query(
        `update webhooks set secret = 'new' where ${at(ground, 'webhooks')}
         returning previous_secret = 'own' and previous_secret_until = (now() + interval '1 day')::timestamptz(3) as kept`,
      );
      if (!rows[0]?.kept) throw new Error('It is lost.');
    },
  },
  {
    about: 'auth.users',
    name: 'a profile follows its account, and only its own; the first is the administrator',
    run: async ({ client }) => {
      const [first, second] = [idOf('people', 'own'), idOf('people', 'joined')];
      await client.query(`set local session_replication_role = replica; delete from profiles; delete from auth.users;
        set local session_replication_role = origin; ${EVIL}; set local role normtrace_system`);
      for (const id of [first, second]) {
        await client.query(`insert into auth.users (id, email) values ('${id}', '${id}@example.org')`);
      }
      // The caller's operators are evil, the trigger's must not be: hence by name, not by id.
      await client.query(
        `update auth.users set email = 'moved@example.org' where email = '${first}@example.org'`,
      );
      await client.query('reset role; set local search_path = public, pg_catalog');
      const { rows } = await client.query<{ told: string }>(
        `select string_agg(role || ' ' || email, ', ' order by role) as told from profiles`,
      );
      expectAnswer(rows[0]?.told ?? '', `admin moved@example.org, engineer ${second}@example.org`);
    },
  },
];

/** [table, what changes, statement]: the processes that keep what an identity may do are told. */
const TELLING: readonly (readonly [string, string, string])[] = [
  ['profiles', 'role', "update profiles set role = 'viewer' where @"],
  ['profiles', 'plan', "update profiles set subscription_plan = 'pro' where @"],
  ['profiles', 'status', "update profiles set subscription_status = 'active' where @"],
  ['profiles', 'address', "update profiles set email = 'other@example.org' where @"],
  ['profiles', 'proof of the address', 'update profiles set email_verified = not email_verified where @'],
  ['profiles', 'deactivation', 'update profiles set deactivated_at = now() where @'],
  [
    'profiles',
    'removal',
    "insert into auth.users (id, email) values ('0d000000-0000-4000-8000-000000000000', 'x@example.org'); delete from profiles where email = 'x@example.org'",
  ],
  ['auth.sessions', 'end', 'update auth.sessions set ended_at = now() where @'],
  ['auth.sessions', 'life', 'update auth.sessions set expires_at = now() where @'],
  ['auth.sessions', 'removal', 'delete from auth.sessions where @'],
  ['api_tokens', 'withdrawal', 'update api_tokens set revoked_at = now() where @'],
  ['api_tokens', 'removal', 'delete from api_tokens where @'],
  ['guests', 'end', 'update guests set ended_at = now() where @'],
  ['guests', 'life', "update guests set expires_at = now() + interval '1 hour' where @"],
  ['guests', 'removal', 'delete from guests where @'],
];

/** How often this transaction told of an identity: what is told is heard only after a commit. */
async function told({ client }: Ground): Promise<number> {
  const { rows } = await client.query<{ calls: string }>(
    "select coalesce(pg_stat_get_xact_function_calls('app.notify_identity_changed'::regproc), 0) as calls",
  );
  return Number(rows[0]?.calls);
}

const tellingProbes: readonly Probe[] = TELLING.map(([table, what, statement]) => ({
  about: table,
  name: `tells of a changed ${what}`,
  run: async (ground) => {
    await ground.client.query("set local track_functions = 'all'");
    const before = await told(ground);
    await ground.client.query(statement.replace(/@$/, at(ground, table)));
    expectAnswer(`${(await told(ground)) - before} times`, '1 times');
  },
}));

/** What the triggers do. */
export const triggerProbes: readonly Probe[] = [
  ...touchProbes,
  ...appendOnlyProbes,
  ...changeProbes,
  ...otherProbes,
  ...tellingProbes,
];
