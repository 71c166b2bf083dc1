import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { guardOf } from '../../platform/http/route.js';
import { routes } from '../../routes.js';
import { type FilledApp, startFilledApp } from '../../testing/filled-app.js';
import type { Filled } from '../../testing/filled-workspace.js';
import { joinWorkspace } from '../../testing/join-workspace.js';
import type { Client, TestApp } from '../../testing/test-app.js';
import type { TestDatabase } from '../../testing/test-database.js';

let database: TestDatabase;
let started: FilledApp | undefined;
let app: TestApp;
let owner: Client;
let manager: Client;
let engineer: Client;
let filled: Filled;
const now = () => new Date();

beforeAll(async () => {
  started = await startFilledApp({ clock: () => now() });
  ({ database, app, owner, engineer, manager, filled } = started);
}, 240_000);
afterAll(async () => {
  await started?.stop();
});

const PASSWORD = 'staple battery horse';
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
const addressOf = () => `${randomUUID()}@assessors.example.org`;

interface Issued {
  readonly id: string;
  readonly token: string;
  readonly link: string;
}

const invite = (
  about: Readonly<Record<string, unknown>> = {},
  { by = manager, key }: { readonly by?: Client; readonly key?: string } = {},
) =>
  by.request('POST', `/api/v1/workspaces/${filled.workspace}/guests`, {
    body: { email: addressOf(), scope: 'workspace', expires_at: inHours(1), ...about },
    headers: key ? { 'idempotency-key': key } : {},
  });

/** Invites somebody new, who signs up with the link. */
async function guest(about: Readonly<Record<string, unknown>> = {}) {
  const email = addressOf();
  const answer = await invite({ email, ...about });
  expect([answer.status, answer.text]).toEqual([201, answer.text]);
  const { id, token } = answer.body as Issued;
  const signedUp = await app.anyone.request('POST', '/api/v1/auth/sign-up', {
    body: { email, password: PASSWORD, name: 'Jo Assessor', invitation: token },
  });
  expect([signedUp.status, signedUp.text]).toEqual([201, signedUp.text]);
  const { access_token, user_id } = signedUp.body as { access_token: string; user_id: string };
  return { id, email, token, client: app.withToken(access_token, { userId: user_id, email }) };
}
const end = (id: string, by = manager) =>
  by.request('DELETE', `/api/v1/workspaces/${filled.workspace}/guests/${id}`);
const got = async (client: Client, path: string) => (await client.request('GET', `/api/v1${path}`)).status;
const trailOf = (id: string) =>
  database.asOwner<{ action: string; actor_id: string }>(
    'select action, actor_id from audit_events where target_id = $1 order by created_at, sequence',
    [id],
  );

/** Every reading operation, filled with ids of the workspace as far as there are any. */
function everyRead(): readonly {
  readonly operation: string;
  readonly path: string;
  readonly open: boolean;
}[] {
  const { workspace, documents, standard, analyses, reports } = filled;
  const ids = [workspace, documents.marked, standard, analyses[0], analyses[1], reports[0]];
  return routes
    .filter(({ method, kind, path }) => method === 'GET' && (kind !== 'plain' || !path.includes('events')))
    .filter((route) => guardOf(route) && guardOf(route)?.within !== 'installation')
    .flatMap((route) =>
      (route.path.includes(':') ? ids : ['']).map((id) => ({
        operation: route.operation,
        open: guardOf(route)?.guest !== undefined,
        path: `${route.path
          .replace(':version', '1')
          .replace(':page', '1')
          .replace(/:\w+/, id ?? '')
          .replaceAll(/:\w+/g, randomUUID())}?${new URLSearchParams(
          route.query && 'workspace_id' in ((route.query as { shape?: object }).shape ?? {})
            ? { workspace_id: workspace }
            : {},
        )}`,
      })),
    );
}

describe('a guest', () => {
  it('of a workspace reads documents, runs and reports, and finds nothing else there', async () => {
    const { client } = await guest();
    const { workspace, documents, analyses, reports } = filled;
    const open = [
      `/workspaces/${workspace}`,
      `/work-products?workspace_id=${workspace}`,
      `/work-products/${documents.marked}`,
      `/work-products/${documents.marked}/versions/1/document`,
      `/analysis/analyses?workspace_id=${workspace}`,
      `/analysis/analyses/${analyses[0]}`,
      `/reports?workspace_id=${workspace}`,
      `/reports/${reports[0]}`,
      `/reports/${reports[0]}/preview`,
      `/reports/${reports[0]}/download`,
    ];
    expect(await Promise.all(open.map((path) => got(client, path)))).toEqual(open.map(() => 200));
    const { body: runs } = await client.request(
      'GET',
      `/api/v1/analysis/analyses?workspace_id=${workspace}&limit=100&refs=true`,
    );
    const { refs } = runs as { refs: { people: object; standards: object } };
    expect([refs.people, Object.keys(refs.standards).length > 0]).toEqual([{}, true]);
    const closed = [
      `/workspaces/${workspace}/members`,
      `/workspaces/${workspace}/members/${manager.userId}`,
      `/workspaces/${workspace}/activity`,
      `/workspaces/${workspace}/guests`,
      `/workspaces/${workspace}/invitations`,
      `/workspaces/${workspace}/events`,
      `/workspaces/${workspace}/permissions`,
      `/workspaces/${workspace}/webhooks`,
      `/work-products/${documents.marked}/content`,
      `/standards/${filled.standard}`,
      `/standards/${filled.standard}/criteria`,
      `/search?workspace_id=${workspace}&q=wombat`,
      `/audit-log?workspace_id=${workspace}`,
      `/export/gap-analysis?workspace_id=${workspace}&analysis_id=${analyses[0]}&format=json`,
      `/analysis/analyses/${analyses[0]}/events`,
      `/analysis/analyses/${analyses[0]}/model-calls`,
    ];
    expect(await Promise.all(closed.map((path) => got(client, path)))).toEqual(closed.map(() => 404));
  });

  it('is told what they may see, and no address of anybody, in all that is open to them', async () => {
    const { client, email, id } = await guest();
    const own = await client.request('GET', '/api/v1/auth/me/guest-accesses');
    expect(own.body).toMatchObject({
      total: 1,
      items: [
        { id, workspace_id: filled.workspace, workspace_name: 'Filled', scope: 'workspace', target_id: null },
      ],
    });
    const people = [owner, manager, engineer];
    for (const { path } of everyRead()) {
      const { status, text } = await client.request('GET', `/api/v1${path}`);
      expect([path, status < 500]).toEqual([path, true]);
      for (const person of people) expect([path, text.includes(person.email)]).toEqual([path, false]);
      // Words of the standard that its licence holder attested for the workspace, and what people said to each other.
      for (const secret of ['Giraffe review', 'Jo looks at it.']) {
        expect([path, text.includes(secret)]).toEqual([path, false]);
      }
      expect([path, text.includes(email)]).toEqual([path, false]);
    }
  }, 120_000);

  it('of one analysis or report sees of the workspace its name, and nothing beyond that one', async () => {
    const { workspace, documents, analyses, reports } = filled;
    const stranger = await app.enter();
    const toStrangers = new Map<string, string>();
    const toldTo = async (client: Client, path: string) => {
      const { status, text } = await client.request('GET', `/api/v1${path}`);
      // Cursors are made for their person.
      return JSON.stringify([status, status >= 400 ? '' : text.replace(/"next_cursor":"[^"]*"/, '')]);
    };
    /** What is answered otherwise than to somebody who has nothing to do with the workspace. */
    const seenBy = async (client: Client) => {
      const seen: string[] = [];
      for (const { path } of everyRead()) {
        const nothing = toStrangers.get(path) ?? (await toldTo(stranger, path));
        toStrangers.set(path, nothing);
        if ((await toldTo(client, path)) !== nothing) seen.push(path.replace(/\?$/, ''));
      }
      return seen.sort();
    };
    const { client: ofAnalysis } = await guest({ scope: 'analysis', target_id: analyses[1] });
    const versions = `/work-products/${documents.marked}/versions/1`;
    const seen = await seenBy(ofAnalysis);
    expect(seen.filter((path) => !path.startsWith(`${versions}/pages`))).toEqual(
      [
        `/workspaces/${workspace}`,
        `/analysis/analyses/${analyses[1]}`,
        `/analysis/analyses/${analyses[1]}/results`,
        `${versions}/document`,
        `${versions}/outline`,
      ].sort(),
    );
    const { client: ofReport } = await guest({ scope: 'report', target_id: reports[0] });
    expect(await seenBy(ofReport)).toEqual(
      [
        `/workspaces/${workspace}`,
        `/reports/${reports[0]}`,
        `/reports/${reports[0]}/download`,
        `/reports/${reports[0]}/preview`,
      ].sort(),
    );
  }, 120_000);

  it('changes nothing, invites nobody and makes nothing, whatever they try', async () => {
    const { client, id } = await guest();
    const { workspace, documents, analyses, reports } = filled;
    const before = await database.asOwner('select count(*) from audit_events where workspace_id = $1', [
      workspace,
    ]);
    const attempts: readonly (readonly [string, string, unknown?])[] = [
      [
        'POST',
        `/workspaces/${workspace}/guests`,
        { email: addressOf(), scope: 'workspace', expires_at: inHours(1) },
      ],
      ['POST', `/workspaces/${workspace}/invitations`, { email: addressOf(), role: 'viewer' }],
      ['DELETE', `/workspaces/${workspace}/guests/${id}`],
      ['PATCH', `/workspaces/${workspace}`, { name: 'Mine' }],
      ['DELETE', `/workspaces/${workspace}`],
      ['POST', `/workspaces/${workspace}/export`, {}],
      [
        'POST',
        '/reports',
        { workspace_id: workspace, type: 'gap_analysis', analysis_ids: [analyses[0]], format: 'json' },
      ],
      ['DELETE', `/reports/${reports[0]}`],
      ['DELETE', `/work-products/${documents.marked}`],
      ['POST', `/analysis/analyses/${analyses[0]}/retry`],
      ['POST', '/analysis/gaps', { workspace_id: workspace, standard_id: filled.standard }],
    ];
    for (const [method, path, body] of attempts) {
      const { status } = await client.request(method, `/api/v1${path}`, body === undefined ? {} : { body });
      expect([method, path, status]).toEqual([method, path, 404]);
    }
    expect((await client.request('POST', '/api/v1/workspaces', { body: { name: 'Own' } })).status).toBe(403);
    const after = await database.asOwner('select count(*) from audit_events where workspace_id = $1', [
      workspace,
    ]);
    expect(after).toEqual(before);
  });

  it('has nothing through an API token', async () => {
    const { client } = await guest();
    const made = await client.request('POST', '/api/v1/auth/tokens', {
      body: { name: 'Beyond', access: 'read', expires_at: inHours(48), workspace_id: filled.workspace },
    });
    const token = (made.body as { token?: string } | undefined)?.token;
    if (token) expect(await got(app.withToken(token), `/workspaces/${filled.workspace}`)).toBe(404);
    const whole = await client.request('POST', '/api/v1/auth/tokens', {
      body: { name: 'Beyond', access: 'read', expires_at: inHours(48) },
    });
    expect(whole.status).toBe(201);
    const open = app.withToken((whole.body as { token: string }).token);
    expect(await got(open, `/workspaces/${filled.workspace}`)).toBe(404);
    expect(await got(open, '/auth/permissions')).toBe(200);
  });
});

describe('the time of a guest', () => {
  it('ends at its moment: sessions, cookies, tokens and streams', async () => {
    const { client, email, id } = await guest({ expires_at: inHours(2) });
    const { body: made } = await client.request('POST', '/api/v1/auth/tokens', {
      body: { name: 'Longer', access: 'read', expires_at: inHours(48) },
    });
    const token = app.withToken((made as { token: string }).token);
    const browser = app.inBrowser(
      await app.anyone.request('POST', '/api/v1/auth/browser/sign-in', {
        body: { email, password: PASSWORD },
        headers: { origin: app.address, 'sec-fetch-site': 'same-origin' },
      }),
    );
    const workspace = `/workspaces/${filled.workspace}`;
    expect([
      await got(client, workspace),
      await got(browser, workspace),
      await got(token, '/auth/me'),
    ]).toEqual([200, 200, 200]);
    await database.asOwner("update guests set expires_at = now() + interval '1 second' where id = $1", [id]);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    for (const one of [client, browser, token]) {
      const { status, text } = await one.request('GET', `/api/v1${workspace}`);
      expect([status, text]).toEqual([401, expect.stringContaining('Your time as a guest has ended.')]);
    }
    const again = await app.anyone.request('POST', '/api/v1/auth/sign-in', {
      body: { email, password: PASSWORD },
    });
    expect([again.status, again.text]).toEqual([403, expect.stringContaining('guest_ended')]);
  });

  it('ends at once when somebody ends it, also before they came', async () => {
    const { client, id } = await guest();
    expect(await got(client, `/workspaces/${filled.workspace}`)).toBe(200);
    expect((await end(id, engineer)).status).toBe(403);
    expect((await end(id)).status).toBe(204);
    expect(await got(client, `/workspaces/${filled.workspace}`)).toBe(401);
    expect((await end(id)).status).toBe(404);
    const { email, ...invited } = (await invite()).body as Issued & { email: string };
    await end(invited.id);
    const late = await app.anyone.request('POST', '/api/v1/auth/sign-up', {
      body: { email, password: PASSWORD, name: 'Late', invitation: invited.token },
    });
    expect([late.status, late.text]).toEqual([422, expect.stringContaining('no_invitation')]);
    expect((await trailOf(id)).map(({ action, actor_id }) => [action, actor_id])).toEqual([
      ['guest.invited', manager.userId],
      ['guest.entered', client.userId],
      ['guest.ended', manager.userId],
    ]);
  });

  it('ends with the analysis or report, and when they become a member', async () => {
    const { client, id } = await guest();
    await joinWorkspace(app, { by: owner, workspace: filled.workspace, member: client, role: 'engineer' });
    expect(await got(client, `/workspaces/${filled.workspace}/members`)).toBe(200);
    const [row] = await database.asOwner<{ ended: boolean; is_guest: boolean }>(
      `select g.ended_at is not null as ended, p.is_guest from guests g join profiles p on p.id = g.user_id where g.id = $1`,
      [id],
    );
    expect(row).toEqual({ ended: true, is_guest: false });
    const { client: gone } = await guest({ scope: 'report', target_id: filled.reports[2] });
    expect(await got(gone, `/reports/${filled.reports[2]}`)).toBe(200);
    await owner.request('DELETE', `/api/v1/reports/${filled.reports[2]}`);
    expect(await got(gone, `/reports/${filled.reports[2]}`)).toBe(404);
  });
});

describe('an invitation of a guest', () => {
  it('is shown once, is taken once, and by the address alone', async () => {
    const key = randomUUID();
    const email = addressOf();
    const first = await invite({ email }, { key });
    const { token, link } = first.body as Issued;
    expect(link).toMatch(new RegExp(`/#guest=${token}$`));
    const body = { email, scope: 'workspace', expires_at: (first.body as { expires_at: string }).expires_at };
    expect(
      JSON.stringify(
        (await manager.request('GET', `/api/v1/workspaces/${filled.workspace}/guests?limit=100`)).body,
      ),
    ).not.toContain(token);
    const other = await app.anyone.request('POST', '/api/v1/auth/sign-up', {
      body: { email: addressOf(), password: PASSWORD, name: 'Other', invitation: token },
    });
    expect(other.status).toBe(422);
    const stranger = await app.enter();
    const redeemed = await stranger.request('POST', '/api/v1/auth/me/invitations/accept', {
      body: { token },
    });
    expect(redeemed.status).toBe(422);
    const sign = () =>
      app.anyone.request('POST', '/api/v1/auth/sign-up', {
        body: { email: body.email, password: PASSWORD, name: 'Jo', invitation: token },
      });
    expect((await sign()).status).toBe(201);
    expect([409, 422]).toContain((await sign()).status);
    // Proves nothing about the address.
    const [row] = await database.asOwner('select email_verified from profiles where email = $1', [email]);
    expect(row).toEqual({ email_verified: false });
  });

  it('lets an account that there is in beside what is its own, and keeps both apart', async () => {
    const person = await app.signUp();
    const { headers } = await person.request('POST', '/api/v1/workspaces', { body: { name: 'Own' } });
    const own = headers.get('location')?.split('/').at(-1) ?? '';
    const { id, token } = (await invite({ email: person.email })).body as Issued;
    const accepted = await person.request('POST', '/api/v1/auth/me/invitations/accept', { body: { token } });
    expect(accepted.body).toEqual({ workspace_id: filled.workspace, role: 'viewer', guest_id: id });
    expect(await got(person, `/workspaces/${own}/members`)).toBe(200);
    expect(await got(person, `/workspaces/${filled.workspace}`)).toBe(200);
    expect(await got(person, `/workspaces/${filled.workspace}/members`)).toBe(404);
    const listed = await person.request('GET', '/api/v1/workspaces');
    expect((listed.body as { items: { id: string }[] }).items.map((one) => one.id)).toEqual([own]);
    await end(id);
    expect(await got(person, `/workspaces/${filled.workspace}`)).toBe(404);
    expect(await got(person, `/workspaces/${own}`)).toBe(200);
  });

  it('is refused for members, other ends and what is not there', async () => {
    const statuses = async (about: Readonly<Record<string, unknown>>) => (await invite(about)).status;
    expect(await statuses({ email: engineer.email })).toBe(409);
    expect(await statuses({ expires_at: inHours(-1) })).toBe(422);
    expect(await statuses({ expires_at: inHours(24 * 400) })).toBe(422);
    expect(await statuses({ scope: 'analysis' })).toBe(422);
    expect(await statuses({ scope: 'workspace', target_id: filled.analyses[0] })).toBe(422);
    expect(await statuses({ scope: 'report', target_id: filled.analyses[0] })).toBe(422);
    expect(await statuses({ scope: 'analysis', target_id: randomUUID() })).toBe(422);
  });
});
