import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JobHandler } from '../../platform/queue/queue.js';
import { type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { until, uploadWorkProduct } from '../../testing/upload.js';
import { completeness } from '../completeness/completeness.kind.js';
import { runAnalysis } from '../runs/run-analysis.js';
import { extractTrace } from '../traceability/extract-trace.js';
import { readVersion } from '../work-products/process-document.js';
import type { WorkProduct } from '../work-products/work-products.schemas.js';
import { createEngine, type Engine } from './engine.js';

const FILE = {
  name: 'plan.md',
  type: 'text/markdown',
  bytes: '# Plan\n\nREQ-1: The door shall open.\n',
};

describe('work under which processes die', () => {
  let data: TestDatabase;
  let app: TestApp;
  let owner: Client;
  let workspace: string;
  let document: WorkProduct;
  /** Its processes have so little memory that each dies at once. */
  let dying: Engine;
  let working: Engine;
  beforeAll(async () => {
    data = await createTestDatabase();
    app = await startTestApp(data);
    owner = await app.signUp();
    dying = createEngine({
      size: 1,
      maxMemoryMegabytes: 4,
    });
    working = createEngine({ size: 1 });
    const made = await owner.request('POST', '/api/v1/workspaces', { body: { name: 'Parked' } });
    workspace = (made.body as { id: string }).id;
    document = (await uploadWorkProduct(owner, workspace, FILE)).body as WorkProduct;
  });
  afterAll(async () => {
    await dying?.close();
    await working?.close();
    await app?.stop();
    await data?.stop();
  });

  const attempt = <Payload>(handler: JobHandler<Payload>, payload: Payload): Promise<void> =>
    handler(payload, { jobId: workspace, signal: new AbortController().signal });
  const version = () => ({ workspaceId: workspace, workProductId: document.id, version: '1' });
  const get = async <Body>(path: string): Promise<Body> =>
    (await owner.request('GET', `/api/v1${path}`)).body as Body;
  const sentence = (what: string): RegExp =>
    new RegExp(`^${what} was ended twice because .* not tried again by itself\\. [A-Z].*\\.$`);

  test('is tried once more, then parked with a reason, and can be begun anew', async () => {
    const read = readVersion(app.dependencies, dying);
    await expect(attempt(read, version())).rejects.toThrow('process of the task ended');
    expect(await get(`/work-products/${document.id}`)).toMatchObject({ processing_status: 'running' });
    await attempt(read, version());
    const parked = await get<WorkProduct>(`/work-products/${document.id}`);
    expect(parked).toMatchObject({ processing_status: 'failed' });
    expect(parked.processing_error).toMatch(sentence('Reading the file'));
    await attempt(read, version());
    const [row] = await data.asOwner<{ attempt: number; processing_error_code: string }>(
      'select attempt, processing_error_code from work_product_versions where work_product_id = $1',
      [document.id],
    );
    expect(row).toEqual({ attempt: 2, processing_error_code: 'out_of_memory' });

    await owner.request('POST', `/api/v1/work-products/${document.id}/reprocess`);
    await attempt(readVersion(app.dependencies, working), version());
    expect(await get(`/work-products/${document.id}`)).toMatchObject({ processing_status: 'completed' });
  });

  test('is a run of an analysis or an extraction as well', async () => {
    const started = await owner.request('POST', '/api/v1/compliance/completeness', {
      body: { workspace_id: workspace },
    });
    const { id } = started.body as { id: string };
    const run = runAnalysis(app.dependencies, dying, [completeness]);
    const job = { workspaceId: workspace, analysisId: id };
    await expect(attempt(run, job)).rejects.toThrow('process of the task ended');
    await attempt(run, job);
    const ended = await until<{ status: string; error: string }>(
      owner,
      `/api/v1/analysis/analyses/${id}`,
      ({ status }) => status !== 'running',
    );
    expect(ended).toMatchObject({ status: 'failed', error: expect.stringMatching(sentence('The analysis')) });

    const extract = extractTrace(app.dependencies, dying);
    await expect(attempt(extract, { workspaceId: workspace })).rejects.toThrow('process of the task ended');
    await attempt(extract, { workspaceId: workspace });
    const [extraction] = await data.asOwner<{ status: string; error: string }>(
      'select status, error from trace_extractions where workspace_id = $1',
      [workspace],
    );
    expect(extraction?.status).toBe('failed');
    expect(extraction?.error).toMatch(sentence('Taking the trace out of the documents'));
  });
});
