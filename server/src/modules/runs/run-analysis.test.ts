import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { watch } from '../../testing/event-stream.js';
import { type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { until, uploadStandard, uploadWorkProduct } from '../../testing/upload.js';
import type { GapAnalysisDetail } from '../gap-analysis/gap-analysis.view.js';
import type { WorkProduct } from '../work-products/work-products.schemas.js';
import type { StartedAnalysis } from './analyses.schemas.js';
import { createProgressReporter } from './progress-reporter.js';

const RULES = {
  name: 'rules.md',
  type: 'text/markdown',
  bytes:
    '# Rules\n\n## 1 Torque\n\nThe steering torque shall be limited.\n\n## 2 Lamp\n\nA warning lamp shall be lit after a fault.\n',
};
const CONCEPT = {
  name: 'concept.md',
  type: 'text/markdown',
  bytes:
    '# Concept\n\nThe torque at the wheel is limited to what the driver can hold.\n\nThe display shows a message.\n',
};

describe('running an analysis', () => {
  let data: TestDatabase;
  /** Takes requests and works on no job. */
  let api: TestApp;
  let owner: Client;
  let workspace: string;
  let standard: string;
  let document: string;
  const started: TestApp[] = [];
  const startWorker = async (
    environment: Record<string, string> = { EMBEDDINGS: 'off' },
  ): Promise<TestApp> => {
    const { dataDirectory } = api.dependencies.configuration;
    const worker = await startTestApp(data, {
      work: true,
      environment: { DATA_DIR: dataDirectory, ...environment },
    });
    started.push(worker);
    return worker;
  };
  beforeAll(async () => {
    data = await createTestDatabase();
    api = await startTestApp(data, { environment: { EMBEDDINGS: 'builtin' } });
    owner = await api.signUp();
    workspace = (await post<{ id: string }>('/workspaces', { name: 'Runs' })).id;
    standard = (await post<{ id: string }>('/standards', { workspace_id: workspace, name: 'Rules' })).id;
    await uploadStandard(owner, standard, RULES);
    document = ((await uploadWorkProduct(owner, workspace, CONCEPT)).body as WorkProduct).id;
    const worker = await startWorker();
    const ready = (path: string) =>
      until(owner, path, (one: WorkProduct) => one.processing_status === 'completed');
    await ready(`/api/v1/standards/${standard}`);
    await ready(`/api/v1/work-products/${document}`);
    await worker.stop();
    started.pop();
  });
  afterAll(async () => {
    for (const app of started) await app.stop();
    await api?.stop();
    await data?.stop();
  });

  const post = async <Body>(path: string, body: unknown): Promise<Body> => {
    const answer = await owner.request('POST', `/api/v1${path}`, { body });
    if (answer.status >= 300) throw new Error(`${path} was answered ${answer.status}: ${answer.text}`);
    return answer.body as Body;
  };
  const start = (more = {}): Promise<StartedAnalysis> =>
    post('/analysis/gaps', { workspace_id: workspace, standard_id: standard, force: true, ...more });
  const ended = (id: string): Promise<GapAnalysisDetail> =>
    until<GapAnalysisDetail>(
      owner,
      `/api/v1/analysis/analyses/${id}`,
      ({ status }) => !['queued', 'running'].includes(status),
      60_000,
    );
  const working = async <T>(work: () => Promise<T>, environment?: Record<string, string>): Promise<T> => {
    const worker = await startWorker(environment);
    try {
      return await work();
    } finally {
      await worker.stop();
      started.pop();
    }
  };

  test('ends one that takes too long, and says so', async () => {
    const { id } = await start();
    await data.asOwner("update analyses set deadline_at = now() - interval '1 second' where id = $1", [id]);
    const late = await working(() => ended(id));
    expect(late).toMatchObject({ status: 'timed_out', gaps: [], verdicts: [], score: null });
    expect(late.error).toMatch(/longer than 30 minutes/);
    const stream = await watch(api.address, `/api/v1/analysis/analyses/${id}/events`, { token: owner.token });
    await stream.ended;
    expect(stream.events.at(-1)).toMatchObject({
      type: 'failed',
      data: { status: 'timed_out', error: late.error },
    });
  });

  test('fails one whose document was deleted meanwhile', async () => {
    const spare = (
      (await uploadWorkProduct(owner, workspace, { ...CONCEPT, name: 'spare.md' })).body as WorkProduct
    ).id;
    await working(() =>
      until(
        owner,
        `/api/v1/work-products/${spare}`,
        (one: WorkProduct) => one.processing_status === 'completed',
      ),
    );
    const { id } = await start({ work_product_ids: [spare] });
    await owner.request('DELETE', `/api/v1/work-products/${spare}`);
    const failed = await working(() => ended(id));
    expect(failed).toMatchObject({ status: 'failed', attempt: 1 });
    expect(failed.error).toMatch(/was deleted/);
  });

  test('gives up one that no worker can finish, with a sentence', async () => {
    const { id } = await start();
    const [{ parsed_key = '' } = {}] = await data.asOwner<{ parsed_key: string }>(
      'select parsed_key from work_product_versions where work_product_id = $1',
      [document],
    );
    const storage = api.dependencies.storage.within(workspace);
    await storage.copy(parsed_key, `${workspace}/kept/parsed`);
    await storage.write(parsed_key, Buffer.from('no archive'), 'application/gzip');
    await data.asOwner(
      "update pgboss.job set retry_limit = 1 where name = 'analyses.run' and state = 'created'",
    );
    const failed = await working(() => ended(id));
    expect(failed.status).toBe('failed');
    expect(failed.error).toMatch(/error on our side/);
    expect(failed.attempt).toBe(2);
    await storage.copy(`${workspace}/kept/parsed`, parsed_key);
    await owner.request('POST', `/api/v1/analysis/analyses/${id}/retry`);
    expect(await working(() => ended(id))).toMatchObject({ status: 'completed', error: null });
  });

  test('writes nothing for a run that another worker has taken over', async () => {
    const { id } = await start();
    await data.asOwner(
      `create function take_over() returns trigger language plpgsql as $$
       begin new.attempt := new.attempt + 1; return new; end $$`,
    );
    await data.asOwner(
      `create trigger take_over before update on analyses for each row
       when (old.attempt = 1 and new.attempt = 1 and new.percent > old.percent) execute function take_over()`,
    );
    await working(async () => {
      await expect
        .poll(
          async () =>
            (
              await data.asOwner<{ state: string }>(
                "select state::text from pgboss.job where data ->> 'analysisId' = $1",
                [id],
              )
            )[0]?.state,
          { timeout: 20_000 },
        )
        .toBe('completed');
    });
    await data.asOwner('drop trigger take_over on analyses');
    expect(await data.asOwner('select from analysis_verdicts where analysis_id = $1', [id])).toEqual([]);
    const answer = await owner.request('GET', `/api/v1/analysis/analyses/${id}`);
    expect(answer.body).toMatchObject({ status: 'running', attempt: 2, gaps: [] });
    await owner.request('POST', `/api/v1/analysis/analyses/${id}/cancel`);
  });

  test('keeps verdicts of a long run, and goes on from them', async () => {
    const plain = await working(async () => ended((await start()).id));
    const { id } = await start();
    const [run] = await data.asOwner<{ engine_version: string }>(
      "update analyses set status = 'running', attempt = 1 where id = $1 returning engine_version",
      [id],
    );
    let now = 0;
    const taken = { workspaceId: workspace, id, attempt: 1, engine_version: run?.engine_version ?? '' };
    const reporter = createProgressReporter(api.dependencies, taken, {
      now: () => now,
      stages: {},
      lost: () => undefined,
    });
    const verdicts = plain.verdicts.map(({ criterion_id, verdict, confidence, rules }) => ({
      criterionId: criterion_id,
      verdict,
      confidence,
      rules,
      reason: `kept for ${criterion_id}`,
      evidence: [],
    }));
    const kept = () =>
      data.asOwner<{ units: unknown }>(
        'select units from analysis_checkpoints where analysis_id = $1 order by id',
        [id],
      );
    const progress = { stage: 'judgement', percent: 70, done: 1, total: 2 };
    for (const verdict of verdicts.slice(0, 1)) reporter.report({ kind: 'unit', unit: verdict });
    reporter.report({ kind: 'progress', progress });
    await reporter.finish();
    expect(await kept()).toEqual([]);
    now += 11_000;
    reporter.report({ kind: 'progress', progress });
    await reporter.finish();
    expect(await kept()).toEqual([{ units: verdicts.slice(0, 1) }]);
    // An attempt after the first keeps at once what it has.
    await data.asOwner('update analyses set attempt = 2 where id = $1', [id]);
    const second = createProgressReporter(
      api.dependencies,
      { ...taken, attempt: 2 },
      { now: () => now, stages: {}, lost: () => undefined },
    );
    for (const verdict of verdicts.slice(1, 2)) second.report({ kind: 'unit', unit: verdict });
    second.report({ kind: 'progress', progress });
    await second.finish();
    expect((await kept()).slice(1)).toEqual([{ units: verdicts.slice(1, 2) }]);
    await data.asOwner(
      `insert into analysis_checkpoints (workspace_id, analysis_id, engine_version, units)
       values ($1, $2, 'another engine', $3)`,
      [
        workspace,
        id,
        JSON.stringify(verdicts.slice(2).map((one) => ({ ...one, reason: 'of another engine' }))),
      ],
    );
    // Somebody else goes on with it, and begins with what was kept by the same engine.
    const resumed = await working(() => ended(id));
    expect([resumed.status, resumed.error, resumed.attempt]).toEqual(['completed', null, 3]);
    expect(resumed.verdicts.map(({ reason }) => reason)).toEqual(
      plain.verdicts.map(({ reason }, index) => (index < 2 ? verdicts[index]?.reason : reason)),
    );
    expect(await kept()).toEqual([]);
  });

  test('uses the built-in model, keeps its vectors, and repeats itself to the byte', async () => {
    const builtin = { EMBEDDINGS: 'builtin' };
    const [first, second, words] = await working(async () => {
      const one = await ended((await start()).id);
      const kept = await data.asOwner('select from embeddings');
      expect(kept.length).toBeGreaterThan(0);
      const two = await ended((await start()).id);
      expect(await data.asOwner('select from embeddings')).toHaveLength(kept.length);
      return [one, two, await ended((await start({ options: { embeddings: false } })).id)];
    }, builtin);
    expect(first.status).toBe('completed');
    expect(second.verdicts).toEqual(first.verdicts);
    const methodOf = ({ summary }: GapAnalysisDetail) =>
      (summary as { method: { embedding: object } }).method;
    expect(methodOf(first)).toEqual(methodOf(second));
    expect(methodOf(first).embedding).toHaveProperty('model');
    expect(methodOf(words).embedding).toHaveProperty('lexicalOnly');
  });
});
