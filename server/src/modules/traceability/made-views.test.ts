import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fillTrace } from '../../testing/browser/many-rows.js';
import { type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { eraseWorkProduct } from '../retention/erase-work-product.js';

let database: TestDatabase;
let app: TestApp;
let owner: Client;
let workspace: string;

beforeAll(async () => {
  database = await createTestDatabase();
  app = await startTestApp(database, { work: true, environment: { EMBEDDINGS: 'off' } });
  owner = await app.signUp();
  workspace = await newWorkspace();
  await change();
  // Together with their links more than 20 000.
  await fillTrace(database, { workspace, rows: 6_000 });
  await database.asOwner(`
    create table claims_of_test (claim uuid);
    grant insert on claims_of_test to public;
    create function note_claim_of_test() returns trigger language plpgsql as
      'begin insert into claims_of_test values (new.claim); return null; end';
    create trigger note_claim_of_test after insert or update on trace_views for each row
      when (new.claim is not null and new.making_until > now() + interval '14 seconds')
      execute function note_claim_of_test()`);
}, 120_000);
afterAll(async () => {
  await app?.stop();
  await database?.stop();
});

const newWorkspace = async (): Promise<string> => {
  const { body } = await owner.request('POST', '/api/v1/workspaces', { body: { name: 'Views' } });
  return (body as { id: string }).id;
};
let added = 0;
/** A change of a person; each one adds an artifact. */
const change = async (): Promise<void> => {
  const { status, text } = await owner.request('POST', '/api/v1/traceability/artifacts', {
    body: { workspace_id: workspace, artifact_id: `SG-9${added++}`, type: 'safety_goal', text: 'Hold.' },
  });
  if (status !== 201) throw new Error(text);
};

const SCREENS = ['completeness?limit=50', 'levels', 'obligations', 'matrix?limit=100'] as const;
const look = async (view: string, language = 'en', client = owner): Promise<unknown> => {
  const { status, body, text } = await client.request(
    'GET',
    `/api/v1/traceability/${view}${view.includes('?') ? '&' : '?'}workspace_id=${workspace}`,
    { headers: { 'accept-language': language } },
  );
  if (status !== 200) throw new Error(text);
  // Signed with the options.
  return { ...(body as object), next_cursor: undefined };
};
/** As seen through a process that has nothing in memory. */
const lookAnew = async <Answer>(work: (client: Client) => Promise<Answer>): Promise<Answer> => {
  const fresh = await startTestApp(database, { alone: true, environment: { EMBEDDINGS: 'off' } });
  try {
    return await work(fresh.withToken(owner.token));
  } finally {
    await fresh.stop();
  }
};

const one = async <Row extends object>(text: string): Promise<Row | undefined> =>
  (await database.asOwner<Row>(text, [workspace]))[0];
const stored = () =>
  one<{ revision: number | null; claim: string | null }>(
    'select revision::integer, claim from trace_views where workspace_id = $1',
  );
const isNew = async (): Promise<boolean> =>
  (await one(`select from trace_views v join trace_extractions e using (workspace_id)
              where workspace_id = $1 and v.revision = e.revision and v.claim is null`)) !== undefined;
/** How often views were made. */
const timesMade = async (): Promise<number> =>
  (
    await database.asOwner<{ times: number }>(
      'select count(distinct claim)::integer as times from claims_of_test',
    )
  )[0]!.times;

describe('the views of a large trace', () => {
  it('are made once for all screens that ask at the same time, and say what is made without them', async () => {
    const answers = await Promise.all(SCREENS.map((screen) => look(screen)));
    expect(await timesMade()).toBe(1);
    expect(await isNew()).toBe(true);
    const german = await look('completeness?limit=50', 'de');
    expect(german).not.toEqual(answers[0]);

    // A prefix that no id has is another option, for which nothing is stored.
    const own = (screen: string) =>
      screen === 'levels' ? screen : `${screen.replace('?', '?external_prefixes=NONE-&')}`;
    for (const [at, screen] of SCREENS.entries()) expect(await look(own(screen))).toEqual(answers[at]);
    expect(await look(own('completeness?limit=50'), 'de')).toEqual(german);
    expect(await timesMade()).toBe(1);
  });

  it('are what other processes answer from', async () => {
    await database.asOwner('update trace_views set gaps_en = gaps_de where workspace_id = $1', [workspace]);
    const [german, swapped] = await lookAnew((client) =>
      Promise.all([look(SCREENS[0], 'de'), look(SCREENS[0], 'en', client)]),
    );
    expect(swapped).toEqual(german);
  });

  it('are made behind a change of a person, before anybody looks', async () => {
    const before = await timesMade();
    await change();
    await expect.poll(isNew, { timeout: 100_000 }).toBe(true);
    await lookAnew(async (client) => {
      for (const screen of SCREENS) await look(screen, 'en', client);
    });
    expect(await timesMade()).toBe(before + 1);
  });

  it('are waited for while somebody makes them, and made by who asks when nobody does any more', async () => {
    const claim = (seconds: number) =>
      database.asOwner(
        `update trace_views set revision = 0, claim = gen_random_uuid(), making_until = now() + make_interval(secs => $2),
           making = (select revision from trace_extractions where workspace_id = $1)
         where workspace_id = $1`,
        [workspace, seconds],
      );
    const before = await timesMade();
    await lookAnew(async (client) => {
      // Of a worker that was killed.
      await claim(2);
      const asked = performance.now();
      await look('obligations', 'en', client);
      expect(performance.now() - asked).toBeGreaterThan(1_000);
    });
    expect(await timesMade()).toBe(before + 1);

    await lookAnew(async (client) => {
      await claim(13);
      const waiting = look('obligations', 'en', client);
      await pause(500);
      await database.asOwner(
        `update trace_views set claim = null, making = null, making_until = null,
           revision = (select revision from trace_extractions where workspace_id = $1)
         where workspace_id = $1`,
        [workspace],
      );
      await waiting;
    });
    expect(await timesMade()).toBe(before + 1);
  });

  it('go when a document is erased', async () => {
    expect(await stored()).toBeDefined();
    await database.database.withWorkspace(workspace, (transaction) =>
      eraseWorkProduct(app.dependencies.queue, transaction, {
        workspaceId: workspace,
        id: '5b0c3f4e-8a51-4f0e-9d0f-2f6f3f0f9a11',
      }),
    );
    expect(await stored()).toBeUndefined();
  });

  it('are not stored of a small one', async () => {
    workspace = await newWorkspace();
    await change();
    for (const screen of SCREENS) await look(screen);
    expect(await stored()).toBeUndefined();
  });
});
