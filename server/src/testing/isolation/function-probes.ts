import { answer, expectAnswer, OWN, type Probe, type Scope, scoped } from './probe.js';
import { type Ground, idOf, literal } from './sample-rows.js';

const workspace = (place: 'own' | 'joined' | 'foreign') => idOf('workspaces', place);
const user = (place: 'own' | 'joined' | 'foreign') => idOf('auth.users', place);
const REFUSED = 'refused by a trigger';
const INSTALLATION = '00000000-0000-0000-0000-000000000000';

async function value(ground: Ground, text: string): Promise<unknown> {
  const { rows } = await ground.client.query<{ value: unknown }>(text);
  return rows[0]?.value;
}

async function expectValue(ground: Ground, text: string, wanted: unknown): Promise<void> {
  const got = JSON.stringify(await value(ground, text));
  if (got !== JSON.stringify(wanted)) throw new Error(`${text} is ${got}, not ${JSON.stringify(wanted)}.`);
}

/** As the application role in a scope, for the rest of the probe. */
const enter = (ground: Ground, scope: Scope, role = 'app') =>
  ground.client.query(`${scoped(scope)}; set local role normtrace_${role}`);

/** Schema before everything else on the search path, whose operators and functions lie: what anybody could bring along. */
const EVIL = `create schema evil;
  create function evil.always(uuid, uuid) returns boolean language sql as 'select true';
  create operator evil.= (leftarg = uuid, rightarg = uuid, function = evil.always);
  create function evil.hashtext(text) returns integer language plpgsql as 'begin raise exception ''evil''; end';
  create function evil.pg_notify(text, text) returns void language plpgsql as 'begin raise exception ''evil''; end';
  grant usage on schema evil to public; set local search_path = evil, pg_catalog, public`;

const SCOPES: readonly (readonly [string, Scope, readonly string[]])[] = [
  ['of a user', OWN, [workspace('own'), workspace('joined')]],
  ['of a user in one workspace', { ...OWN, workspace: workspace('joined') }, [workspace('joined')]],
  ['of a user in another’s workspace', { ...OWN, workspace: workspace('foreign') }, []],
  ['of a job', { workspace: workspace('foreign') }, [workspace('foreign')]],
  ['of nobody', {}, []],
];

const scopeProbes: readonly Probe[] = [
  ...SCOPES.map(
    ([name, scope, wanted]): Probe => ({
      about: 'app.visible_workspaces',
      name,
      run: async (ground) => {
        await enter(ground, scope);
        await expectValue(
          ground,
          "select coalesce(jsonb_agg(id order by id), '[]') as value from workspaces",
          [...wanted].sort(),
        );
        await expectValue(
          ground,
          "select coalesce(jsonb_agg(workspace_id order by workspace_id), '[]') as value from work_products",
          [...wanted].sort(),
        );
      },
    }),
  ),
  {
    about: 'app.visible_workspaces',
    name: 'whatever the search path',
    run: async (ground) => {
      await ground.client.query(EVIL);
      await enter(ground, OWN);
      await expectValue(ground, 'select cardinality(app.visible_workspaces()) as value', 2);
    },
  },
];

const AS_GUEST: Scope = { ...OWN, guest: idOf('guests', 'foreign') };
/** The one who asks is a guest of the foreign workspace. */
const LET_IN = `update guests set user_id = ${literal(user('own'))}, entered_at = now() where id = ${literal(idOf('guests', 'foreign'))}`;
const GUESTS: readonly (readonly [string, string, Scope, string])[] = [
  ['let in', LET_IN, AS_GUEST, '1 rows'],
  ['let in elsewhere too', LET_IN.replace(/ where .*/, ''), AS_GUEST, '1 rows'],
  ['not as a guest', LET_IN, OWN, '0 rows'],
  ['of a workspace in place of a guest', LET_IN, { ...OWN, workspace: workspace('foreign') }, '0 rows'],
  ['as somebody else', LET_IN, { ...AS_GUEST, user: user('joined') }, '0 rows'],
  ['before they have come', 'select', AS_GUEST, '0 rows'],
  ['ended', `${LET_IN}; update guests set ended_at = now()`, AS_GUEST, '0 rows'],
  [
    'after its moment',
    `${LET_IN}; update guests set expires_at = now() - interval '1 minute'`,
    AS_GUEST,
    '0 rows',
  ],
];
const HIDDEN_FROM_GUESTS = [
  'workspace_members',
  'workspace_invitations',
  'guests',
  'comments',
  'audit_events',
  'attestations',
  'webhooks',
];
const guestProbes: readonly Probe[] = [
  ...GUESTS.map(
    ([name, before, scope, wanted]): Probe => ({
      about: 'app.visible_workspaces',
      name: `of a guest: ${name}`,
      run: async (ground) => {
        const foreign = `workspace_id = ${literal(workspace('foreign'))}`;
        const select = `select from work_products where ${foreign}`;
        expectAnswer(await answer(ground, { role: 'app', scope, before }, select), wanted);
        const both = 'select from work_products';
        const elsewhere = scope.guest && wanted === '1 rows' ? '1 rows' : undefined;
        if (elsewhere) expectAnswer(await answer(ground, { role: 'app', scope, before }, both), elsewhere);
      },
    }),
  ),
  ...HIDDEN_FROM_GUESTS.map(
    (table): Probe => ({
      about: table,
      name: 'is not for guests',
      run: async (ground) =>
        expectAnswer(
          await answer(ground, { role: 'app', scope: AS_GUEST, before: LET_IN }, `select from ${table}`),
          '0 rows',
        ),
    }),
  ),
  {
    about: 'profiles',
    name: 'of others are not for guests',
    run: async (ground) =>
      expectAnswer(
        await answer(ground, { role: 'app', scope: AS_GUEST, before: LET_IN }, 'select from profiles'),
        '1 rows',
      ),
  },
];

const WHO_MAY_CALL: Readonly<Record<string, readonly ('app' | 'system')[]>> = {
  'app.visible_workspaces()': ['app', 'system'],
  [`app.create_workspace('${idOf('workspaces', 'own').replace(/^./, '0')}', 'New', '', 'engineer')`]: ['app'],
  "app.isolate('gaps', 'select')": [],
  [`app.find_words('passages', '${workspace('own')}', 'text of', 9)`]: ['app'],
};

const searchProbes: readonly Probe[] = SCOPES.flatMap(([name, scope, wanted]) =>
  ['artifacts', 'gaps', 'passages'].map((target) => ({
    about: 'app.find_words',
    name: `finds ${target} in the workspaces ${name} alone, whatever the search path`,
    run: async (ground: Ground) => {
      await ground.client.query(EVIL);
      await enter(ground, scope);
      await expectValue(
        ground,
        `select coalesce(jsonb_agg(w order by w), '[]') as value
         from unnest(array['${workspace('own')}', '${workspace('joined')}', '${workspace('foreign')}']::uuid[]) w
         where exists (select from app.find_words('${target}', w, 'text of', 9))`,
        [...wanted].sort(),
      );
    },
  })),
);

const callProbes: readonly Probe[] = Object.entries(WHO_MAY_CALL).flatMap(([call, roles]) =>
  (['app', 'system', 'stranger'] as const).map((role) => ({
    about: call.replace(/\(.*/s, ''),
    name: `${role} ${roles.some((one) => one === role) ? 'may' : 'may not'} call it`,
    run: async (ground) => {
      await ground.client.query(
        'create role normtrace_stranger; grant usage on schema app to normtrace_stranger',
      );
      await enter(ground, OWN, role);
      expectAnswer(
        await answer(ground, {}, `select ${call}`),
        roles.some((one) => one === role) ? '1 rows' : 'refused by the grant',
      );
    },
  })),
);

/** Trigger functions of the owner are called by nobody. */
const TRIGGER_FUNCTIONS = ['chain_audit_event', 'follow_address', 'make_profile', 'notify_identity_changed'];
const triggerCallProbes: readonly Probe[] = TRIGGER_FUNCTIONS.map((name) => ({
  about: `app.${name}`,
  name: 'is for no trigger of a stranger',
  run: async (ground) => {
    await ground.client.query(
      'create role normtrace_stranger; grant usage on schema app to normtrace_stranger; create temp table bait (id uuid); grant all on bait to normtrace_stranger; set local role normtrace_stranger',
    );
    expectAnswer(
      await answer(
        ground,
        {},
        `create trigger t before insert on bait for each row execute function app.${name}()`,
      ),
      'refused by the grant',
    );
  },
}));

const auditProbes: readonly Probe[] = [
  ...(
    [
      ['own workspace, oneself', OWN, workspace('own'), user('own'), '1 rows'],
      ['own workspace, as another', OWN, workspace('own'), user('foreign'), 'refused by a policy'],
      ['own workspace, as nobody', OWN, workspace('own'), undefined, 'refused by a policy'],
      ['another’s workspace', OWN, workspace('foreign'), user('own'), 'refused by a policy'],
      ['installation, oneself', OWN, INSTALLATION, user('own'), '1 rows'],
      ['installation, as another', OWN, INSTALLATION, user('foreign'), 'refused by a policy'],
      ['installation, by nobody', {}, INSTALLATION, undefined, 'refused by a policy'],
      ['a job in its workspace', { workspace: workspace('own') }, workspace('own'), undefined, '1 rows'],
    ] as const
  ).map(
    ([name, scope, where, actor, wanted]): Probe => ({
      about: 'audit_events',
      name: `writes: ${name}`,
      run: async (ground) =>
        expectAnswer(
          await answer(
            ground,
            { role: 'app', scope },
            `insert into audit_events (workspace_id, actor_id, action, target_type, target_id)
             values (${literal(where)}, ${literal(actor ?? null)}, 'tested', 'test', 'test')`,
          ),
          wanted,
        ),
    }),
  ),
  {
    about: 'audit_events',
    name: 'of the installation are read by oneself alone, and in no workspace',
    run: async (ground) => {
      await ground.client.query(
        `insert into audit_events (workspace_id, actor_id, action, target_type, target_id)
         select '${INSTALLATION}', a, 'tested', 'test', 'test'
         from unnest(array[${literal(user('own'))}, ${literal(user('foreign'))}, null]::uuid[]) a;
         insert into audit_events (workspace_id, actor_id, action, target_type, target_id)
         values (${literal(workspace('foreign'))}, ${literal(user('own'))}, 'tested', 'test', 'test')`,
      );
      const seen = `select from audit_events where action = 'tested'`;
      expectAnswer(await answer(ground, { role: 'app' }, seen), '1 rows');
      const narrowed = { ...OWN, workspace: workspace('own') };
      expectAnswer(await answer(ground, { role: 'app', scope: narrowed }, seen), '0 rows');
    },
  },
  {
    about: 'app.chain_audit_event',
    name: 'dates, names the token, counts and chains',
    run: async (ground) => {
      const token = idOf('api_tokens', 'own');
      const { client } = ground;
      const others = `select jsonb_agg(to_jsonb(c) order by workspace_id) as value from audit_chains c
        where workspace_id <> ${literal(workspace('own'))}`;
      const before = await value(ground, others);
      await client.query(`${EVIL}; ${scoped(OWN)}; select set_config('app.token_id', '${token}', true);
        set local role normtrace_app`);
      await client.query(
        `insert into public.audit_events (workspace_id, actor_id, action, target_type, target_id, created_at)
         values (${literal(workspace('own'))}, ${literal(user('own'))}, 'tested', 'test', 'test', '2001-01-01')`,
      );
      await client.query('reset role; set local search_path = public, pg_catalog');
      await expectValue(
        ground,
        `select jsonb_build_array(e.sequence, e.token_id, e.created_at = now()::timestamptz(3), e.hash = c.last_hash,
           e.hash = app.audit_hash((select last_hash from audit_chains limit 0), e) is null) as value
         from audit_events e join audit_chains c using (workspace_id) where action = 'tested'`,
        [2, token, true, true, true],
      );
      await expectValue(ground, others, before);
    },
  },
];

const eventProbes: readonly Probe[] = (['add_event', 'add_events'] as const).map((name) => ({
  about: `app.${name}`,
  name: 'counts in this workspace and this analysis alone',
  run: async (ground) => {
    const analysis = idOf('analyses', 'own');
    await ground.client.query(
      `set local session_replication_role = replica;
       update analyses set id = '${analysis}' where workspace_id = '${workspace('joined')}';
       insert into analyses (workspace_id, id, type, mode, standard_id, input_hash, engine_version, created_by, series)
       select workspace_id, gen_random_uuid(), type, mode, standard_id, input_hash, engine_version, created_by, 'other'
       from analyses where workspace_id = '${workspace('own')}';
       update workspace_events set analysis_sequence = 0;
       set local session_replication_role = origin`,
    );
    await enter(ground, OWN);
    const data = name === 'add_event' ? `'{}'` : `'[{}, {}]'`;
    await ground.client.query(
      `select app.${name}('${workspace('own')}', '${analysis}', 'gap_created', ${data})`,
    );
    const added = name === 'add_event' ? 1 : 2;
    await expectValue(
      ground,
      `select jsonb_agg(event_sequence order by event_sequence desc) as value from analyses`,
      [added, 0, 0],
    );
    await expectValue(
      ground,
      `select jsonb_agg(last order by last desc) as value from workspace_event_counters`,
      [1 + added, 1],
    );
    await expectValue(
      ground,
      `select count(*)::integer as value from workspace_events where workspace_id = '${workspace('own')}'`,
      1 + added,
    );
  },
}));

const workspaceProbes: readonly Probe[] = [
  {
    about: 'app.create_workspace',
    name: 'belongs to the one who asks',
    run: async (ground) => {
      const id = idOf('workspaces', 'own').replace(/^./, '0');
      const create = `select app.create_workspace('${id}', 'New', '', 'engineer')`;
      expectAnswer(await answer(ground, { role: 'app', scope: {} }, create), REFUSED);
      await enter(ground, OWN);
      await ground.client.query(create);
      await expectValue(
        ground,
        `select jsonb_build_array(w.owner_id, m.user_id, m.role) as value from workspaces w
         join workspace_members m on m.workspace_id = w.id where w.id = '${id}'`,
        [user('own'), user('own'), 'engineer'],
      );
    },
  },
];

/** What the roles may not do at all. */
const roleProbes: readonly Probe[] = (['app', 'system'] as const).flatMap((role) =>
  [
    'create table public.own (id integer)',
    'create table app.own (id integer)',
    'create table auth.own (id integer)',
    'create role other',
    'set role normtrace_owner',
    role === 'app' ? 'set role normtrace_system' : 'set role normtrace_app',
    'alter table gaps disable row level security',
    ...(role === 'app' ? ['select from auth.users'] : []),
  ].map((statement) => ({
    about: 'roles',
    name: `${role} does not ${statement}`,
    run: async (ground: Ground) => {
      // Only as the session's user does a role count its own memberships.
      await ground.client.query(`set local session authorization normtrace_${role}`);
      const got = await answer(ground, {}, statement);
      if (!/^refused (by|with 42501)/.test(got)) throw new Error(`${statement}: ${got}`);
      if (statement.includes('auth.') && got !== 'refused by the grant') throw new Error(got);
    },
  })),
);

const schemaProbe: Probe = {
  about: 'roles',
  name: 'app has nothing to do with the schema auth',
  run: async (ground) => {
    await ground.client.query('grant select on auth.users to normtrace_app');
    expectAnswer(await answer(ground, { role: 'app' }, 'select from auth.users'), 'refused by the grant');
  },
};

/** Functions, policies of several conditions and roles, tried one by one. */
export const functionProbes: readonly Probe[] = [
  ...scopeProbes,
  ...guestProbes,
  ...callProbes,
  ...searchProbes,
  ...triggerCallProbes,
  ...auditProbes,
  ...eventProbes,
  ...workspaceProbes,
  ...roleProbes,
  schemaProbe,
];
export { EVIL };
