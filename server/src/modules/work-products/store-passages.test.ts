import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../../platform/database/database.js';
import { type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { uploadWorkProduct } from '../../testing/upload.js';
import { createEngine, type Engine } from '../engine/engine.js';
import type { SearchResult } from '../search/search.schemas.js';
import { extractTrace } from '../traceability/extract-trace.js';
import { readVersion } from './process-document.js';
import { giveUpPassages, storeWantedPassages } from './store-passages.js';
import type { WorkProduct } from './work-products.schemas.js';

let data: TestDatabase;
let app: TestApp;
let owner: Client;
let engine: Engine;
let workspace: string;
beforeAll(async () => {
  data = await createTestDatabase();
  app = await startTestApp(data);
  owner = await app.signUp();
  engine = createEngine({ size: 1 });
});
afterAll(async () => {
  await engine?.close();
  await app?.stop();
  await data?.stop();
});

const context = (signal = new AbortController().signal) => ({ jobId: workspace, signal });
const makeWorkspace = async (): Promise<void> => {
  const { body } = await owner.request('POST', '/api/v1/workspaces', { body: { name: 'Door' } });
  workspace = (body as { id: string }).id;
};
const process = (id: string, version = '1'): Promise<void> =>
  readVersion(app.dependencies, engine)({ workspaceId: workspace, workProductId: id, version }, context());
const send = async (name: string, bytes: string): Promise<string> => {
  const sent = await uploadWorkProduct(owner, workspace, { name, type: 'text/markdown', bytes });
  return (sent.body as WorkProduct).id;
};
const read = async (name: string, bytes: string): Promise<string> => {
  const id = await send(name, bytes);
  await process(id);
  return id;
};
const extract = (): Promise<void> =>
  extractTrace(app.dependencies, engine)({ workspaceId: workspace }, context());
const store = (): Promise<void> =>
  storeWantedPassages(app.dependencies, engine)({ workspaceId: workspace }, context());
const search = async (q: string): Promise<{ readonly found: number; readonly unsearched: number }> => {
  const { body } = await owner.request(
    'GET',
    `/api/v1/search?workspace_id=${workspace}&type=passage&q=${encodeURIComponent(q)}`,
  );
  const { groups, documents_not_searched } = body as SearchResult;
  return { found: groups[0]?.total ?? 0, unsearched: documents_not_searched };
};
const takeJobs = async (): Promise<number> =>
  (
    await data.asOwner(
      "delete from pgboss.job where name = 'documents.passages' and data ->> 'workspaceId' = $1 returning 1",
      [workspace],
    )
  ).length;

it('passages are stored after the trace, by one job for documents that come together', async () => {
  await makeWorkspace();
  const [first, second] = [await send('first.md', '# Wombat\n'), await send('second.md', '# Giraffe\n')];
  await process(first);
  expect(await takeJobs()).toBe(1);
  // The other one is still to be read: nothing is stored, and it is looked again.
  await store();
  expect([await search('wombat'), await takeJobs()]).toEqual([{ found: 0, unsearched: 1 }, 1]);
  await process(second);
  // The job that waits will find it.
  expect(await takeJobs()).toBe(0);
  // The trace comes first.
  await store();
  expect([await search('wombat'), await takeJobs()]).toEqual([{ found: 0, unsearched: 2 }, 1]);
  await extract();
  await store();
  expect([await search('wombat'), await search('giraffe'), await takeJobs()]).toEqual([
    { found: 1, unsearched: 0 },
    { found: 1, unsearched: 0 },
    0,
  ]);
  await store();
  expect(await search('wombat')).toEqual({ found: 1, unsearched: 0 });
});

it('passages are stored after an analysis that was just asked for, and beside one that takes long', async () => {
  await makeWorkspace();
  await read('concept.md', '# Wombat\n');
  await extract();
  await takeJobs();
  const asked = await owner.request('POST', '/api/v1/traceability/analyze', {
    body: { workspace_id: workspace },
  });
  const { id } = asked.body as { id: string };
  await store();
  expect([await search('wombat'), await takeJobs()]).toEqual([{ found: 0, unsearched: 1 }, 1]);
  await data.asOwner("update analyses set created_at = now() - interval '6 minutes' where id = $1", [id]);
  await store();
  expect([await search('wombat'), await takeJobs()]).toEqual([{ found: 1, unsearched: 0 }, 0]);
});

it('of a document with a newer reading nothing is found that it does not say any more', async () => {
  await makeWorkspace();
  const id = await read('concept.md', '# Wombat\n');
  await extract();
  await store();
  await takeJobs();
  await data.asOwner(
    "update work_product_versions set processing_status = 'queued' where work_product_id = $1",
    [id],
  );
  await process(id);
  expect(await search('wombat')).toEqual({ found: 0, unsearched: 1 });
  expect(await takeJobs()).toBe(1);
  await extract();
  await store();
  expect(await search('wombat')).toEqual({ found: 1, unsearched: 0 });
});

it('a job that was stopped is gone on with, and what nobody could store is told', async () => {
  await makeWorkspace();
  for (const word of ['wombat', 'giraffe', 'badger']) await read(`${word}.md`, `# ${word}\n`);
  await extract();
  const stop = new AbortController();
  const { database, storage, queue } = app.dependencies;
  const stopping: Database = {
    ...database,
    withWorkspace: async (id, work) => {
      const result = await database.withWorkspace(id, work);
      if ((await search('wombat')).unsearched === 2) stop.abort(new Error('stopped'));
      return result;
    },
  };
  await expect(
    storeWantedPassages({ database: stopping, storage, queue }, engine)(
      { workspaceId: workspace },
      context(stop.signal),
    ),
  ).rejects.toThrow('stopped');
  expect((await search('wombat')).unsearched).toBe(2);
  await giveUpPassages(app.dependencies)({ workspaceId: workspace }, context());
  await store();
  expect((await search('wombat')).unsearched).toBe(2);
  // Whoever has one processed again has it searched.
  const [waiting] = await data.asOwner<{ id: string }>(
    `update work_product_versions v set processing_status = 'queued'
     where workspace_id = $1 and not exists (select from passages p where p.work_product_id = v.work_product_id)
     returning work_product_id as id`,
    [workspace],
  );
  await process(waiting!.id);
  await data.asOwner("update trace_extractions set status = 'completed' where workspace_id = $1", [
    workspace,
  ]);
  await data.asOwner(
    "update work_product_versions set processing_status = 'completed' where workspace_id = $1",
    [workspace],
  );
  await store();
  expect((await search('wombat')).unsearched).toBe(1);
});
