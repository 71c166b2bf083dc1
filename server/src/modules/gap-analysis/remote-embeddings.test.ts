import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { until, uploadWorkProduct } from '../../testing/upload.js';
import type { StartedAnalysis } from '../runs/analyses.schemas.js';
import type { WorkProduct } from '../work-products/work-products.schemas.js';
import type { GapAnalysisDetail } from './gap-analysis.view.js';

const CONCEPT = `# Functional safety concept of the Aurora door

The safe state of the door is latched. Written by jo.doe@example.org, who knows the zebra latch.
`;

describe('a server of embeddings', () => {
  let data: TestDatabase;
  let app: TestApp;
  let server: Server;
  let owner: Client;
  let place: { workspace_id: string; standard_id: string };
  let document: string;
  /** Every text that came. */
  const texts: string[] = [];
  let isBroken = false;
  beforeAll(async () => {
    server = createServer(async (request, response) => {
      const { input, model } = (await json(request)) as { input: string[]; model: string };
      texts.push(...input);
      if (isBroken) return void response.writeHead(401).end('{}');
      const data = input.map((text, index) => ({
        object: 'embedding',
        index,
        embedding: [text.length, 1, text.split(' ').length],
      }));
      response.end(JSON.stringify({ object: 'list', model, data }));
    });
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    const { port } = server.address() as AddressInfo;
    data = await createTestDatabase();
    app = await startTestApp(data, {
      work: true,
      environment: {
        EMBEDDINGS: 'openai-compatible',
        EMBEDDINGS_BASE_URL: `http://127.0.0.1:${port}/v1`,
        EMBEDDINGS_NAME: 'small',
        EMBEDDINGS_DIMENSIONS: '3',
      },
    });
    owner = await app.signUp();
    const { id: workspace_id } = await post<{ id: string }>('/workspaces', { name: 'Door' });
    const adopted = { workspace_id, catalog_id: 'iso-26262-3-2018' };
    place = { workspace_id, standard_id: (await post<{ id: string }>('/standards', adopted)).id };
    const file = { name: 'concept.md', type: 'text/markdown', bytes: CONCEPT };
    document = ((await uploadWorkProduct(owner, workspace_id, file)).body as WorkProduct).id;
    await until<WorkProduct>(
      owner,
      `/api/v1/work-products/${document}`,
      ({ processing_status }) => processing_status === 'completed',
    );
  });
  afterAll(async () => {
    await app?.stop();
    await data?.stop();
    server?.closeAllConnections();
    server?.close();
  });

  const post = async <Body>(path: string, body: unknown, method = 'POST'): Promise<Body> => {
    const answer = await owner.request(method, `/api/v1${path}`, { body });
    if (answer.status >= 300) throw new Error(`${path} was answered ${answer.status}: ${answer.text}`);
    return answer.body as Body;
  };
  const run = async (): Promise<GapAnalysisDetail> => {
    const { id } = await post<StartedAnalysis>('/analysis/gaps', { ...place, force: true });
    return until<GapAnalysisDetail>(
      owner,
      `/api/v1/analysis/analyses/${id}`,
      ({ status }) => !['queued', 'running'].includes(status),
      60_000,
    );
  };
  const policy = (body: object) => post(`/workspaces/${place.workspace_id}/model-policy`, body, 'PUT');
  const exclude = (ai_excluded: boolean) => post(`/work-products/${document}`, { ai_excluded }, 'PATCH');
  const nearBy = ({ summary }: GapAnalysisDetail) =>
    (summary as { method: { embedding: object } }).method.embedding;

  test('gets nothing until the workspace allows it, and nothing of a document that is kept out', async () => {
    expect(nearBy(await run())).toHaveProperty('lexicalOnly');
    await policy({ policy: 'inside' });
    expect(nearBy(await run())).toHaveProperty('lexicalOnly');
    await policy({ policy: 'allowed' });
    await exclude(true);
    expect(nearBy(await run())).toHaveProperty('lexicalOnly');
    expect(texts).toEqual([]);
  });

  test('gets passages without names and addresses where it is allowed, and the audit log says how many', async () => {
    await exclude(false);
    await policy({ policy: 'allowed', redacted_words: ['Aurora'] });
    const near = await run();
    expect([near.status, near.error]).toEqual(['completed', null]);
    expect(nearBy(near)).toHaveProperty('model');
    const sent = texts.join('\n');
    expect(sent).toContain('zebra latch');
    expect(sent).not.toMatch(/aurora|jo\.doe/i);
    const [event] = await data.asOwner<{ after: object }>(
      "select after from audit_events where action = 'embeddings.asked'",
    );
    expect(event!.after).toMatchObject({ model: 'small', place: 'outside', texts: texts.length });
    const count = texts.length;
    expect(nearBy(await run())).toHaveProperty('model');
    expect(texts.length, 'vectors are kept').toBe(count);
  });

  test('that refuses ends a run that needs it with a sentence; without it words decide', async () => {
    isBroken = true;
    const file = {
      name: 'other.md',
      type: 'text/markdown',
      bytes: '# Safety plan\n\nA sentence of its own.\n',
    };
    const other = ((await uploadWorkProduct(owner, place.workspace_id, file)).body as WorkProduct).id;
    await until<WorkProduct>(
      owner,
      `/api/v1/work-products/${other}`,
      ({ processing_status }) => processing_status === 'completed',
    );
    const failed = await run();
    expect([failed.status, failed.error]).toEqual([
      'failed',
      'The server of embeddings did not answer. Start the analysis again, or with `embeddings: false`.',
    ]);
  });
});
