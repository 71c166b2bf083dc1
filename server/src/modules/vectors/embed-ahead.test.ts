import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../platform/database/database.js';
import { type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { until, uploadWorkProduct } from '../../testing/upload.js';
import { createEngine, type Engine } from '../engine/engine.js';
import { gapAnalysis } from '../gap-analysis/gap-analysis.kind.js';
import type { GapAnalysisDetail } from '../gap-analysis/gap-analysis.view.js';
import type { StartedAnalysis } from '../runs/analyses.schemas.js';
import { runAnalysis } from '../runs/run-analysis.js';
import { extractTrace } from '../traceability/extract-trace.js';
import { readVersion } from '../work-products/process-document.js';
import type { WorkProduct } from '../work-products/work-products.schemas.js';
import { embedAhead } from './embed-ahead.js';

const PARAGRAPHS = Array.from(
  { length: 20 },
  (_, n) => `The door shall stay latched while the vehicle moves faster than ${n + 1} km/h.`,
);
const CONCEPT = `# Functional safety concept of the Aurora door\n\n${PARAGRAPHS.join('\n\n')}\n`;
const GERMAN = `# Sicherheitskonzept der Tür\n\n${PARAGRAPHS.map(
  (_, n) => `Die Tür muss bei mehr als ${n + 1} km/h verriegelt bleiben, solange das Fahrzeug fährt.`,
).join('\n\n')}\n`;

// What runs behind everything else takes its time on a machine that has much else to do.
describe('vectors of documents that were read', { timeout: 300_000 }, () => {
  let data: TestDatabase;
  let app: TestApp;
  let owner: Client;
  let engine: Engine;
  let workspace: string;
  beforeAll(async () => {
    data = await createTestDatabase();
    app = await startTestApp(data, { environment: { EMBEDDINGS: 'builtin' } });
    owner = await app.signUp();
    engine = createEngine({ size: 1 });
    workspace = (await post<{ id: string }>('/workspaces', { name: 'Door' })).id;
  });
  afterAll(async () => {
    await engine?.close();
    await app?.stop();
    await data?.stop();
  });

  const post = async <Body>(path: string, body: unknown): Promise<Body> => {
    const answer = await owner.request('POST', `/api/v1${path}`, { body });
    if (answer.status >= 300) throw new Error(`${path} was answered ${answer.status}: ${answer.text}`);
    return answer.body as Body;
  };
  const context = (signal = new AbortController().signal) => ({ jobId: workspace, signal });
  /** Uploads and reads, as the queue would have it done. */
  const read = async (name: string, bytes: string): Promise<string> => {
    const sent = await uploadWorkProduct(owner, workspace, { name, type: 'text/markdown', bytes });
    const { id } = sent.body as WorkProduct;
    const payload = { workspaceId: workspace, workProductId: id, version: '1' };
    await readVersion(app.dependencies, engine)(payload, context());
    return id;
  };
  /** No job of this test takes the trace out of what was read; vectors would wait for it. */
  const endExtraction = () =>
    data.asOwner("update trace_extractions set status = 'completed', taken = requested");
  const embed = async (): Promise<void> => {
    await endExtraction();
    await embedAhead(app.dependencies, engine)({ workspaceId: workspace }, context());
  };
  const kept = async (): Promise<readonly string[]> =>
    (
      await data.asOwner<{ key: string; vector: string }>(
        `select encode(key, 'hex') as key, md5(vector) as vector from embeddings order by key`,
      )
    ).map(({ key, vector }) => `${key} ${vector}`);
  const waiting = async (): Promise<number> =>
    (await data.asOwner('select from work_product_versions where vectors_wanted')).length;

  test('are made by a job, which goes on where one before it was stopped', async () => {
    await read('concept.md', CONCEPT);
    expect(await waiting()).toBe(1);
    const [job] = await data.asOwner(
      "select data from pgboss.job where name = 'vectors.ahead' and data ->> 'workspaceId' = $1",
      [workspace],
    );
    expect(job).toBeDefined();

    // Stopped as soon as the first vectors are kept.
    await endExtraction();
    const stop = new AbortController();
    const { database, storage, queue } = app.dependencies;
    const stopping: Database = {
      ...database,
      withWorkspace: async (id, work) => {
        const result = await database.withWorkspace(id, work);
        if ((await kept()).length > 0) stop.abort(new Error('stopped'));
        return result;
      },
    };
    const stopped = embedAhead({ database: stopping, storage, queue }, engine)(
      { workspaceId: workspace },
      context(stop.signal),
    );
    await expect(stopped).rejects.toThrow('stopped');
    const before = await kept();
    expect(await waiting()).toBe(1);
    await embed();
    const all = await kept();
    // A passage each.
    expect(all).toHaveLength(PARAGRAPHS.length);
    expect(before.length).toBeLessThan(PARAGRAPHS.length);
    expect(all).toEqual(expect.arrayContaining([...before]));
    expect(await waiting()).toBe(0);
    await embed();
    expect(await kept()).toEqual(all);
  });

  test('are those that an analysis would compute, to the byte', async () => {
    const ahead = await kept();
    const adopted = { workspace_id: workspace, catalog_id: 'iso-26262-3-2018' };
    const { id: standard_id } = await post<{ id: string }>('/standards', adopted);
    const analyse = runAnalysis(app.dependencies, engine, [gapAnalysis]);
    const run = async (): Promise<GapAnalysisDetail> => {
      const asked = { workspace_id: workspace, standard_id, force: true };
      const { id } = await post<StartedAnalysis>('/analysis/gaps', asked);
      await analyse({ workspaceId: workspace, analysisId: id }, context());
      return (await owner.request('GET', `/api/v1/analysis/analyses/${id}`)).body as GapAnalysisDetail;
    };
    const first = await run();
    expect(first).toMatchObject({ error: null, status: 'completed' });
    const withCriteria = await kept();
    expect(withCriteria).toEqual(expect.arrayContaining([...ahead]));
    // Without any: the same vectors, the same verdicts.
    await data.asOwner('delete from embeddings');
    const second = await run();
    expect(await kept()).toEqual(withCriteria);
    expect(second.verdicts).toEqual(first.verdicts);
    expect(second.score).toEqual(first.score);
  });

  test('of what nobody says any more are not kept for ever', async () => {
    const before = await kept();
    await data.asOwner("update embeddings set created_at = now() - interval '89 days'");
    await embed();
    expect(await kept()).toEqual(before);
    await data.asOwner("update embeddings set created_at = now() - interval '91 days'");
    await data.asOwner("insert into embeddings (workspace_id, key, vector) values ($1, '\\x00', '\\x00')", [
      workspace,
    ]);
    await embed();
    // Those of the criteria are an analysis's to make.
    const after = await kept();
    expect(after.filter((one) => !one.startsWith('00 '))).toHaveLength(PARAGRAPHS.length);
    expect(before).toEqual(expect.arrayContaining(after.filter((one) => !one.startsWith('00 '))));
    expect(await waiting()).toBe(0);
  });

  test('of proposals of links are kept as well', async () => {
    const rows = (id: string, parent: string) =>
      [`## ${id}`, '', `The door controller shall latch the door of row ${id}.`, '', parent, ''].join('\n');
    const text = `# Software requirements\n\n${['SWR-001', 'SWR-002'].map((id) => rows(id, '')).join('\n')}`;
    const parents = `# System requirements\n\n${rows('SYS-001', '')}\n${rows('SYS-002', '')}`;
    await read('software.md', text);
    await read('system.md', parents);
    await extractTrace(app.dependencies, engine)({ workspaceId: workspace }, context());
    const before = await kept();
    const suggest = () =>
      owner.request('GET', `/api/v1/traceability/suggestions?workspace_id=${workspace}&limit=10`);
    const first = await suggest();
    expect(first.status).toBe(200);
    expect((first.body as { total: number }).total).toBeGreaterThan(0);
    expect((await kept()).length).toBeGreaterThan(before.length);
  });

  test('are not made of a language that the model does not know, nor of what was deleted', async () => {
    const before = await kept();
    await read('konzept.md', GERMAN);
    await embed();
    expect(await waiting()).toBe(0);
    expect(await kept()).toEqual(before);

    const gone = await read('gone.md', CONCEPT.replaceAll('door', 'gate'));
    const answer = await owner.request('DELETE', `/api/v1/work-products/${gone}`);
    expect(answer.status).toBe(204);
    await embed();
    expect(await kept()).toEqual(before);
  });

  test('wait as long as documents are being read: somebody waits for these', async () => {
    const before = await kept();
    const id = await read('second.md', CONCEPT.replaceAll('latched', 'locked'));
    const jobs = async (): Promise<number> =>
      (await data.asOwner("select from pgboss.job where name = 'vectors.ahead' and state = 'created'"))
        .length;
    const set = (status: string) =>
      data.asOwner('update work_product_versions set processing_status = $2 where work_product_id = $1', [
        id,
        status,
      ]);
    await data.asOwner("delete from pgboss.job where name = 'vectors.ahead'");
    await set('running');
    await embed();
    expect([await kept(), await waiting(), await jobs()]).toEqual([before, expect.any(Number), 1]);
    await set('completed');

    // One that comes while they are made ends it, and it is tried again.
    await data.asOwner("delete from pgboss.job where name = 'vectors.ahead'");
    const under = embed();
    await set('running');
    await under;
    expect(await jobs()).toBe(1);
    expect(
      (
        await data.asOwner(
          'select from work_product_versions where work_product_id = $1 and vectors_wanted',
          [id],
        )
      ).length,
    ).toBe(1);
    await set('completed');
  });

  test('wait as long as an analysis is under way that was just asked for', async () => {
    const before = await kept();
    await read('third.md', CONCEPT.replaceAll('latched', 'bolted'));
    const jobs = async (): Promise<number> =>
      (await data.asOwner("select from pgboss.job where name = 'vectors.ahead' and state = 'created'"))
        .length;
    await data.asOwner("delete from pgboss.job where name = 'vectors.ahead'");
    const { id } = await post<StartedAnalysis>('/compliance/completeness', { workspace_id: workspace });
    await embed();
    expect([await kept(), await jobs()]).toEqual([before, 1]);
    // One that takes this long holds nothing up.
    await data.asOwner("update analyses set created_at = now() - interval '6 minutes' where id = $1", [id]);
    await embed();
    expect((await kept()).length).toBeGreaterThan(before.length);
  });
});

test('nothing is made where embeddings are off', async () => {
  const data = await createTestDatabase();
  const app = await startTestApp(data, { work: true, environment: { EMBEDDINGS: 'off' } });
  try {
    const owner = await app.signUp();
    const made = await owner.request('POST', '/api/v1/workspaces', { body: { name: 'Door' } });
    const { id } = made.body as { id: string };
    const sent = await uploadWorkProduct(owner, id, {
      name: 'concept.md',
      type: 'text/markdown',
      bytes: CONCEPT,
    });
    await until<WorkProduct>(
      owner,
      `/api/v1/work-products/${(sent.body as WorkProduct).id}`,
      ({ processing_status }) => processing_status === 'completed',
    );
    expect(await data.asOwner('select from work_product_versions where vectors_wanted')).toEqual([]);
    expect(await data.asOwner("select from pgboss.job where name = 'vectors.ahead'")).toEqual([]);
  } finally {
    await app.stop();
    await data.stop();
  }
});
