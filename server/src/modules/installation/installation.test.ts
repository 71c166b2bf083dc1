import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { holdingsOf, loadPermissionTable, ROLES } from '../../platform/identity/permissions.js';
import { apiTokenOf, groupOf, placeOf } from '../../testing/isolation/place.js';
import { type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { uploadWorkProduct } from '../../testing/upload.js';
import type { InstallationState } from './installation.schemas.js';

let database: TestDatabase;
let app: TestApp;
beforeAll(async () => {
  database = await createTestDatabase();
  app = await startTestApp(database, { environment: { MAX_UPLOAD_BYTES: '1048576' } });
});
afterAll(async () => {
  await app?.stop();
  await database?.stop();
});

const installation = async (from = app) => {
  const answer = await from.anyone.request('GET', '/api/v1/installation');
  const { identity } = answer.body as { identity: { has_accounts: boolean } };
  // Without accounts the next answer may be another one at any time.
  const kept = identity.has_accounts ? 'public, max-age=60' : 'no-store';
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, kept]);
  return answer.body as Record<string, unknown>;
};

describe('the installation', () => {
  it('says how to sign in and what it takes, to everybody', async () => {
    expect(await installation()).toMatchObject({
      name: 'Normtrace',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      languages: ['en', 'de'],
      identity: { kind: 'embedded', issuer: null, sign_up: 'open', has_accounts: false, mails: false },
      billing: false,
      uploads: { max_bytes: 1_048_576 },
    });
    const closed = await startTestApp(database, { environment: { SIGN_UP: 'closed' } });
    expect(await installation(closed)).toMatchObject({ identity: { sign_up: 'open', has_accounts: false } });
    await app.signUp();
    expect(await installation(closed)).toMatchObject({ identity: { sign_up: 'closed', has_accounts: true } });
    await closed.stop();
  });

  it('tells its administrators how it is, and nobody else', async () => {
    const [admin, user] = [await app.signUp(), await app.signUp()];
    await database.asOwner("update profiles set role = 'admin' where id = $1", [admin.userId]);
    const path = '/api/v1/admin/installation';
    expect((await user.request('GET', path)).status).toBe(403);
    expect((await app.anyone.request('GET', path)).status).toBe(401);
    const made = await user.request('POST', '/api/v1/workspaces', { body: { name: 'Door' } });
    const { id } = made.body as { id: string };
    await uploadWorkProduct(user, id, { name: 'a.md', type: 'text/markdown', bytes: '# Item\n' });
    const answer = await admin.request('GET', path);
    expect([answer.status, answer.text]).toEqual([200, answer.text]);
    const state = answer.body as z.output<typeof InstallationState>;
    expect(state).toMatchObject({
      node_version: process.versions.node,
      storage: { kind: 'disk', free_bytes: expect.any(Number) },
    });
    expect(state.users.total).toBeGreaterThanOrEqual(2);
    expect(state.database.bytes).toBeGreaterThan(1_000_000);
    // Nobody works here: the document that was sent waits.
    expect(state.jobs.reduce((sum, { waiting }) => sum + waiting, 0)).toBeGreaterThan(0);
    expect(Date.parse(state.started_at)).toBeLessThan(Date.now());
    await database.asOwner('update profiles set deactivated_at = now() where id = $1', [user.userId]);
    const after = (await admin.request('GET', path)).body as z.output<typeof InstallationState>;
    expect(after.users).toEqual({ total: state.users.total, active: state.users.active - 1 });
  });

  it('takes what it says that it takes', async () => {
    const { uploads } = (await installation()) as {
      uploads: { formats: { format: string; endings: string[]; label: { en: string; de: string } }[] };
    };
    const endings = uploads.formats.flatMap((format) => format.endings);
    const labels = uploads.formats.map(({ format, label }) => [format, label.en, label.de]);
    expect(labels).toContainEqual(['xlsx', 'Excel workbook', 'Excel-Arbeitsmappe']);
    for (const language of [1, 2]) {
      expect(new Set(labels.map((label) => label[language])).size, 'names twice').toBe(labels.length);
    }
    expect(endings).toEqual(expect.arrayContaining(['pdf', 'docx', 'xlsx', 'md', 'reqif', 'reqifz']));
  });

  it('says what plans cost, in the words of who operates it', async () => {
    const priced = await startTestApp(database, {
      environment: { PLAN_PRICE_PRO: ' 49 € / month ', PLAN_PRICE_CONSULTANT: '' },
    });
    const labels = async (of: TestApp) =>
      ((await installation(of)).plans as { id: string; price_label: string | null }[]).map(
        ({ id, price_label }) => [id, price_label],
      );
    expect(await labels(priced)).toEqual([
      ['free', null],
      ['pro', '49 € / month'],
      ['consultant', null],
    ]);
    expect(await labels(app)).toEqual([
      ['free', null],
      ['pro', null],
      ['consultant', null],
    ]);
    await priced.stop();
  });

  it('says that there are sample documents where their list is served', async () => {
    const { features } = (await installation()) as { features: { demo_workspace: boolean } };
    const list = await app.anyone.request('GET', '/samples/index.json');
    expect([features.demo_workspace, list.status]).toEqual([true, 200]);
    expect(list.body).toContain('02_HARA.xlsx');
  });

  it('says whether a language model and embeddings are there', async () => {
    expect(await installation()).toMatchObject({ features: { ai: false, embeddings: true } });
    const other = await startTestApp(database, {
      environment: {
        EMBEDDINGS: 'off',
        MODEL_PROVIDER: 'openai-compatible',
        MODEL_BASE_URL: 'http://models.invalid/v1',
        MODEL_NAME: 'small',
      },
    });
    expect(await installation(other)).toMatchObject({ features: { ai: true, embeddings: false } });
    await other.stop();
  });

  it('names the issuer outside', async () => {
    const issuer = 'https://issuer.example';
    const outside = await startTestApp(database, {
      environment: { AUTH_JWT_SECRET: 'x'.repeat(40), AUTH_ISSUER: issuer },
    });
    expect(await installation(outside)).toMatchObject({
      identity: { kind: 'external', issuer, sign_up: null },
    });
    await outside.stop();
  });
});

describe('what one may do', () => {
  const table = loadPermissionTable();
  const held = async (client: Client, path: string) =>
    (await client.request('GET', `/api/v1${path}`)).body as {
      role: string;
      is_owner?: boolean;
      permissions: Record<string, string>;
    };

  it('is what the table says for the role, for every permission of the place', async () => {
    const people = await groupOf(app);
    const { workspaceId } = await placeOf(database, people);
    for (const role of ROLES) {
      const told = await held(people[role], `/workspaces/${workspaceId}/permissions`);
      expect(told).toEqual({
        role,
        is_owner: false,
        permissions: holdingsOf(table, 'workspace', { roles: [role] }),
      });
    }
    const { permissions, is_owner } = await held(people.owner, `/workspaces/${workspaceId}/permissions`);
    expect([is_owner, permissions['workspaces.delete'], permissions['work-products.write']]).toEqual([
      true,
      'allowed',
      'allowed',
    ]);
    const engineer = await held(people.engineer, `/workspaces/${workspaceId}/permissions`);
    expect(engineer.permissions).toMatchObject({
      'findings.status': 'not_accepted',
      'standards.delete': 'own',
      'members.manage': 'denied',
    });
    expect(Object.keys(engineer.permissions)).not.toContain('models.probe');
  });

  it('is less for who is a viewer of the installation, and through an API token', async () => {
    const people = await groupOf(app);
    const { workspaceId } = await placeOf(database, people);
    const token = await apiTokenOf({ database, app }, people.admin, { access: 'write' });
    const through = await held(token, `/workspaces/${workspaceId}/permissions`);
    expect([through.permissions['workspaces.manage'], through.permissions['workspaces.delete']]).toEqual([
      'allowed',
      'denied',
    ]);
    expect(await held(people.manager, '/auth/permissions')).toEqual({
      role: 'engineer',
      permissions: holdingsOf(table, 'installation', { roles: ['engineer'] }),
    });
    await database.asOwner("update profiles set role = 'viewer' where id = $1", [people.manager.userId]);
    await expect
      .poll(async () => (await held(people.manager, `/workspaces/${workspaceId}/permissions`)).permissions, {
        timeout: 8_000,
      })
      .toMatchObject({ 'work-products.write': 'denied' });
  });
});
