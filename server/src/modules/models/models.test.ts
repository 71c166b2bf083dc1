import { MODEL_SERVER_KEY, type ModelServer, startModelServer } from '@normtrace/engine/testing/model-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { joinWorkspace } from '../../testing/join-workspace.js';
import { type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import type { ModelPolicy, ModelProbe, ModelStatus } from './models.schemas.js';

describe('a language model', () => {
  let data: TestDatabase;
  let server: ModelServer;
  let app: TestApp;
  let admin: Client;
  let owner: Client;
  let manager: Client;
  let engineer: Client;
  let workspace: string;
  beforeAll(async () => {
    server = await startModelServer('openai-compatible', ({ user }) => {
      const word = (which: string) => new RegExp(`${which} code word: (\\S+)\\.`).exec(user)?.[1] ?? '';
      return user.includes('Which are the two?')
        ? JSON.stringify({ first: word('First'), last: word('Last') })
        : '{"ok":"yes"}';
    });
    data = await createTestDatabase();
    app = await startTestApp(data, {
      environment: {
        MODEL_PROVIDER: 'openai-compatible',
        MODEL_BASE_URL: server.baseUrl,
        MODEL_NAME: 'small',
        MODEL_API_KEY: MODEL_SERVER_KEY,
        MODEL_PLACE: 'inside',
        MODEL_PRICE_INPUT: '0.5',
        MODEL_PRICE_OUTPUT: '2',
        MODEL_PRICE_CURRENCY: 'EUR',
      },
    });
    admin = await app.signUp();
    [owner, manager, engineer] = [await app.enter(), await app.enter(), await app.enter()];
    workspace = (
      (await owner.request('POST', '/api/v1/workspaces', { body: { name: 'Door' } })).body as { id: string }
    ).id;
    for (const [role, member] of Object.entries({ manager, engineer })) {
      await joinWorkspace(app, { by: owner, workspace, member, role });
    }
  });
  afterAll(async () => {
    await app?.stop();
    await data?.stop();
    await server?.stop();
  });

  const policyOf = (client: Client) => client.request('GET', `/api/v1/workspaces/${workspace}/model-policy`);
  const decide = (client: Client, body: object) =>
    client.request('PUT', `/api/v1/workspaces/${workspace}/model-policy`, { body });

  test('is told to everybody, without its key, and asked nothing by that', async () => {
    const { body, text } = await engineer.request('GET', '/api/v1/models');
    expect(body as ModelStatus).toMatchObject({
      configured: true,
      provider: 'openai-compatible',
      model: 'small',
      critic: 'small',
      host: new URL(server.baseUrl).host,
      place: 'inside',
      context_tokens: 8192,
      currency: 'EUR',
      probe: null,
      embeddings: { kind: 'builtin', host: null, place: null },
    });
    expect(text).not.toContain(MODEL_SERVER_KEY);
    expect(server.questions).toEqual([]);
  });

  test('is looked at by administrators of the installation, and what was found is kept', async () => {
    expect((await owner.request('POST', '/api/v1/models/probe')).status).toBe(403);
    expect(server.questions).toEqual([]);
    const probed = await admin.request('POST', '/api/v1/models/probe');
    expect([probed.status, probed.body]).toMatchObject([200, { usable: true, structured: 'json_schema' }]);
    expect((probed.body as ModelProbe).points.map(({ state }) => state)).not.toContain('failed');
    const { body } = await engineer.request('GET', '/api/v1/models');
    expect((body as ModelStatus).probe).toEqual(probed.body);
    const other = { ...app.dependencies.configuration.model!, apiKey: 'another' };
    const { findProbe } = await import('./probes.repository.js');
    expect(await findProbe(app.dependencies.database, other)).toBeUndefined();
  });

  test('is sent nothing until somebody decides, with two sentences that say what leaves', async () => {
    const { body } = await policyOf(engineer);
    expect(body as ModelPolicy).toMatchObject({ policy: 'off', changed_by: null, month_budget: null });
    expect((body as ModelPolicy).says).toEqual([
      'Nothing of this workspace is sent to a language model; everything is judged by rules.',
      `The operator has set small at ${new URL(server.baseUrl).host}, a server of their own.`,
    ]);
    expect((await decide(engineer, { policy: 'allowed' })).status).toBe(403);
    const decided = await decide(manager, { policy: 'inside', redacted_words: ['Aurora', 'Nova Motors'] });
    expect([decided.status, decided.body]).toMatchObject([
      200,
      {
        policy: 'inside',
        redact_addresses: true,
        changed_by: manager.userId,
        spent: { calls: 0, currency: 'EUR' },
      },
    ]);
    expect((decided.body as ModelPolicy).says[1]).toMatch(/^Only to a server of the operator’s own\./);
    expect((await policyOf(owner)).body).toEqual(decided.body);
  });

  test('decisions are in the audit log, names that are replaced are not', async () => {
    const { body, text } = await owner.request(
      'GET',
      `/api/v1/audit-log?workspace_id=${workspace}&action=model_policy.changed`,
    );
    expect(body).toMatchObject({
      items: [
        {
          actor_id: manager.userId,
          before: { policy: 'off', redacted_words: 0 },
          after: { policy: 'inside', redacted_words: 2, says: [expect.any(String), expect.any(String)] },
        },
      ],
    });
    expect(text).not.toContain('Aurora');
  });

  test('documents can be kept out of it', async () => {
    const { uploadWorkProduct } = await import('../../testing/upload.js');
    const made = await uploadWorkProduct(owner, workspace, {
      name: 'a.md',
      type: 'text/markdown',
      bytes: '# A',
    });
    const { id } = made.body as { id: string };
    expect(made.body).toMatchObject({ ai_excluded: false });
    const changed = await engineer.request('PATCH', `/api/v1/work-products/${id}`, {
      body: { ai_excluded: true },
    });
    expect(changed.body).toMatchObject({ ai_excluded: true, name: 'a' });
    const renamed = await engineer.request('PATCH', `/api/v1/work-products/${id}`, { body: { name: 'B' } });
    expect(renamed.body).toMatchObject({ ai_excluded: true, name: 'B' });
  });
});
