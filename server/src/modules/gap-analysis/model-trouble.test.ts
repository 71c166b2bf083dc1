import { fakeJudge, type LanguageModel } from '@normtrace/engine';
import {
  MODEL_SERVER_KEY,
  type ModelServer,
  startModelServer,
  type WireQuestion,
  type WireReply,
} from '@normtrace/engine/testing/model-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isProbe, judgeOnTheWire } from '../../testing/judge-on-the-wire.js';
import { type OtlpReceiver, startOtlpReceiver } from '../../testing/otlp-receiver.js';
import { freePort, type ServiceProcess, startService } from '../../testing/service-process.js';
import { type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { until, uploadWorkProduct } from '../../testing/upload.js';
import type { AnalysisEstimate } from '../estimates/estimates.schemas.js';
import type { StartedAnalysis } from '../runs/analyses.schemas.js';
import type { WorkProduct } from '../work-products/work-products.schemas.js';
import type { GapAnalysisDetail } from './gap-analysis.view.js';

/** A word of the documents, and one that only the model says. */
const OF_DOCUMENTS = 'zebra';
const OF_MODEL = 'walrus';
const CONCEPT = `# Functional safety concept of the ${OF_DOCUMENTS} door

| ID | Functional safety requirement | ASIL | Safety goal | Safe state | FTTI |
|----|-------------------------------|------|-------------|------------|------|
| FSR-01 | The control unit of the ${OF_DOCUMENTS} shall keep the door latched while driving. | B | SG-01 | latched | 200 ms |

The item boundary is the door module with its latch. The concept was reviewed together with the customer.

## Safety goals

SG-01 (ASIL B): No opening while driving. Safe state: latched. The ${OF_DOCUMENTS} has one safety goal.
`;

/** Says its own word in everything that it writes. */
function talkative(): LanguageModel {
  const judge = fakeJudge();
  return {
    ...judge,
    ask: async (requests, signal) =>
      (await judge.ask(requests, signal)).map((answer) =>
        'text' in answer
          ? { ...answer, text: answer.text.replaceAll(/"because":"/g, `$&${OF_MODEL} `) }
          : answer,
      ),
  };
}
const say = judgeOnTheWire(talkative());

describe('a language model that gives trouble', () => {
  let data: TestDatabase;
  let app: TestApp;
  let server: ModelServer;
  let collector: OtlpReceiver;
  let owner: Client;
  const workers: ServiceProcess[] = [];
  const metrics: string[] = [];
  beforeAll(async () => {
    server = await startModelServer('openai-compatible', say);
    collector = await startOtlpReceiver();
    data = await createTestDatabase();
    app = await startTestApp(data, {
      environment: {
        EMBEDDINGS: 'off',
        MODEL_PROVIDER: 'openai-compatible',
        MODEL_BASE_URL: server.baseUrl,
        MODEL_NAME: 'small',
        MODEL_API_KEY: MODEL_SERVER_KEY,
        MODEL_TIMEOUT_SECONDS: '120',
      },
    });
    owner = await app.signUp();
  });
  afterAll(async () => {
    for (const { process } of workers) process.kill('SIGKILL');
    await app?.stop();
    await data?.stop();
    await server?.stop();
    collector?.stop();
  });

  const startWorker = async (without?: RegExp): Promise<ServiceProcess> => {
    const port = await freePort();
    const settings = Object.entries(app.environment).filter(([name]) => !without?.test(name));
    const worker = await startService({
      entry: 'worker',
      dataDirectory: app.dependencies.configuration.dataDirectory,
      environment: {
        ...Object.fromEntries(settings),
        LOG_LEVEL: 'trace',
        METRICS_PORT: String(port),
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.address,
      },
    });
    workers.push(worker);
    metrics.push(`http://127.0.0.1:${port}/metrics`);
    await expect.poll(() => worker.output(), { timeout: 30_000 }).toContain('worker ready');
    return worker;
  };
  const post = async <Body>(path: string, body: unknown, method = 'POST'): Promise<Body> => {
    const answer = await owner.request(method, `/api/v1${path}`, { body });
    if (answer.status >= 300) throw new Error(`${path} was answered ${answer.status}: ${answer.text}`);
    return answer.body as Body;
  };
  /** A workspace with the concept, which may send it. */
  const newPlace = async (policy: object | undefined) => {
    const { id: workspace_id } = await post<{ id: string }>('/workspaces', { name: 'Door' });
    const adopted = { workspace_id, catalog_id: 'iso-26262-3-2018' };
    const { id: standard_id } = await post<{ id: string }>('/standards', adopted);
    const file = { name: 'concept.md', type: 'text/markdown', bytes: CONCEPT };
    const { id: document } = (await uploadWorkProduct(owner, workspace_id, file)).body as WorkProduct;
    await until<WorkProduct>(
      owner,
      `/api/v1/work-products/${document}`,
      ({ processing_status }) => processing_status === 'completed',
    );
    if (policy) await post(`/workspaces/${workspace_id}/model-policy`, policy, 'PUT');
    return { workspace_id, standard_id, document };
  };
  type Place = Awaited<ReturnType<typeof newPlace>>;
  const start = async ({ workspace_id, standard_id }: Place, rest: object = {}) =>
    (await post<StartedAnalysis>('/analysis/gaps', { workspace_id, standard_id, ...rest })).id;
  const ended = async (id: string) => {
    const run = await until<GapAnalysisDetail>(
      owner,
      `/api/v1/analysis/analyses/${id}`,
      ({ status }) => !['queued', 'running'].includes(status),
      90_000,
    );
    const said = workers.map((one) => one.output()).join('');
    expect([run.status, run.error], said).toEqual(['completed', null]);
    return run;
  };
  /** What a run says, without ids that belong to one workspace. */
  const saidBy = async ({ id, verdicts, gaps, score }: GapAnalysisDetail, { document }: Place) => {
    const differ = await owner.request('GET', `/api/v1/analysis/analyses/${id}/disagreements?limit=100`);
    const found = gaps.map(({ title, severity, observed }) => [title, severity, observed]);
    const items = (differ.body as { items: unknown[] }).items;
    return JSON.parse(JSON.stringify({ verdicts, found, score, items }).replaceAll(document, 'document'));
  };
  const usedBy = ({ summary }: GapAnalysisDetail) =>
    (summary as { model: { answered: number; by_rules_because: Record<string, number> } }).model;
  const verdictsOf = ({ verdicts }: GapAnalysisDetail) =>
    verdicts.map(({ criterion_id, verdict }) => [criterion_id, verdict]);
  const questions = () => server.questions.filter((one) => !isProbe(one));
  const clear = () => {
    (server.questions as WireQuestion[]).length = 0;
    server.answer(say);
  };

  test('without a model, and without permission, nothing is sent, and both say the same to the byte', async () => {
    const first = await startWorker(/^MODEL_/);
    const place = await newPlace(undefined);
    const without = await ended(await start(place));
    await first.end('SIGTERM');
    await startWorker();
    const withOne = await ended(await start(place, { force: true }));
    expect(server.questions).toEqual([]);
    const bytes = ({ verdicts, score, mode, summary }: GapAnalysisDetail) =>
      JSON.stringify({ verdicts, score, mode, summary: { ...summary, changes: null } });
    expect(bytes(withOne)).toBe(bytes(without));
    expect(withOne.gaps.map(({ id }) => id)).toEqual(without.gaps.map(({ id }) => id));
  });

  let undisturbed: GapAnalysisDetail;
  let quiet: Place;
  test('a worker that is killed asks nothing again that was answered, and the result is the undisturbed one', async () => {
    quiet = await newPlace({ policy: 'allowed' });
    undisturbed = await ended(await start(quiet));
    const whole = questions().length;
    expect(whole).toBeGreaterThan(10);
    clear();

    const place = await newPlace({ policy: 'allowed' });
    const answered: string[] = [];
    const HELD_AFTER = 5;
    server.answer(async (question): Promise<WireReply> => {
      if (isProbe(question)) return say(question);
      if (answered.length >= HELD_AFTER) return 'silent';
      answered.push(question.user);
      return say(question);
    });
    const id = await start(place);
    const kept = async () => {
      const rows = await data.asOwner('select from model_answers where workspace_id = $1', [
        place.workspace_id,
      ]);
      return rows.length;
    };
    await expect.poll(kept, { timeout: 30_000 }).toBe(HELD_AFTER);
    await expect.poll(() => questions().length, { timeout: 10_000 }).toBeGreaterThan(HELD_AFTER);
    workers.at(-1)!.process.kill('SIGKILL');
    server.answer((question) => {
      if (!isProbe(question)) answered.push(question.user);
      return say(question);
    });
    await startWorker();
    const resumed = await ended(id);
    expect(resumed.attempt).toBeGreaterThan(1);
    expect(new Set(answered).size).toBe(answered.length);
    expect(answered.length).toBe(whole);
    expect(await saidBy(resumed, place)).toEqual(await saidBy(undisturbed, quiet));
    const spent = await owner.request('GET', `/api/v1/workspaces/${place.workspace_id}/model-policy`);
    expect(spent.body).toMatchObject({ spent: { calls: whole } });
  }, 180_000);

  test('a budget that ends in the middle leaves the rest to rules; run and report say so', async () => {
    clear();
    const place = await newPlace({ policy: 'allowed' });
    const { workspace_id, standard_id } = place;
    const estimate = await post<AnalysisEstimate>('/analysis/estimate', { workspace_id, standard_id });
    const budget = Math.round((estimate.input_tokens + estimate.output_tokens) / 2);
    await post(
      `/workspaces/${workspace_id}/model-policy`,
      { policy: 'allowed', month_budget: budget },
      'PUT',
    );
    const half = await ended(await start(place));
    const { answered, by_rules_because } = usedBy(half);
    expect(answered).toBeGreaterThan(0);
    expect(answered).toBeLessThan(usedBy(undisturbed).answered);
    expect(by_rules_because.budget_ended).toBeGreaterThan(0);
    const { body } = await owner.request('GET', `/api/v1/workspaces/${workspace_id}/model-policy`);
    expect((body as { spent: { cost: number } }).spent.cost).toBeLessThanOrEqual(budget);
    const report = async (language: string) =>
      (
        await owner.request(
          'GET',
          `/api/v1/export/gap-analysis?workspace_id=${workspace_id}&analysis_id=${half.id}&format=html&language=${language}`,
        )
      ).text;
    expect(await report('en')).toContain(`the tokens were used up: ${by_rules_because.budget_ended}`);
    expect(await report('de')).toContain(`die Token waren aufgebraucht: ${by_rules_because.budget_ended}`);
  });

  test('a policy that is switched off in the middle ends asking: the rest is judged by rules, and nothing is sent any more', async () => {
    clear();
    const place = await newPlace({ policy: 'allowed' });
    let isOff: Promise<unknown> | undefined;
    server.answer(async (question): Promise<WireReply> => {
      if (isProbe(question)) return say(question);
      isOff ??= post(`/workspaces/${place.workspace_id}/model-policy`, { policy: 'off' }, 'PUT');
      // What is under way when it is decided is answered after it.
      await isOff;
      return say(question);
    });
    const run = await ended(await start(place));
    const { answered, by_rules_because } = usedBy(run);
    expect(by_rules_because.policy).toBeGreaterThan(0);
    expect(answered).toBeGreaterThan(0);
    // Questions that went out together, and nothing after them; two orders of a question may be one.
    expect(questions().length).toBeLessThanOrEqual(answered);
    expect(questions().length).toBeLessThanOrEqual(8);
    expect(answered).toBeLessThan(usedBy(undisturbed).answered);
    expect(run.verdicts.length).toBe(undisturbed.verdicts.length);
  });

  test.each([
    ['stops to answer', 'silent'],
    ['is gone', 'break'],
    ['sends without an end', 'flood'],
    ['sends a character now and then', 'trickle'],
    ['begins to answer and stops', 'stall'],
  ] as const)(
    'a server that %s: the run is complete by rules before its time is over',
    async (_, reply) => {
      clear();
      const SECONDS = 12;
      const place = await newPlace({ policy: 'allowed' });
      let left = 3;
      server.answer((question) => (isProbe(question) || left-- > 0 ? say(question) : reply));
      const worker = workers.at(-1)!;
      // Stopped in the middle of a job it would keep others waiting for what it has locked.
      const atWork = "select 1 from pgboss.job where state = 'active'";
      await expect.poll(() => data.asOwner(atWork), { timeout: 60_000 }).toEqual([]);
      worker.process.kill('SIGSTOP');
      const id = await start(place)
        .then(async (started) => {
          const until = `now() + interval '${SECONDS} s'`;
          await data.asOwner(`update analyses set deadline_at = ${until} where id = $1`, [started]);
          return started;
        })
        .finally(() => worker.process.kill('SIGCONT'));
      const run = await ended(id);
      const took = Date.parse(run.finished_at!) - Date.parse(run.started_at!);
      expect(took).toBeLessThan(SECONDS * 1_000);
      const { answered, by_rules_because } = usedBy(run);
      // Some are asked in two orders, which may be one.
      expect(answered).toBeGreaterThanOrEqual(3);
      expect(answered).toBeLessThan(usedBy(undisturbed).answered);
      const { certain: _certain, ...because } = by_rules_because;
      expect(because.time_ended ?? because.breaker_open ?? because.unreachable).toBeGreaterThan(0);
      const byRules = await ended(await start(place, { mode: 'rules' }));
      const differing = verdictsOf(run).filter(
        ([criterion, verdict], at) => verdictsOf(byRules)[at]!.join() !== [criterion, verdict].join(),
      );
      expect(differing.length).toBeLessThanOrEqual(3);
    },
    120_000,
  );

  test('no word of documents, questions or answers, and no key, is in logs, metrics, traces, jobs or the audit log', async () => {
    const differ = await owner.request(
      'GET',
      `/api/v1/analysis/analyses/${undisturbed.id}/disagreements?outcome=same&outcome=raised&limit=100`,
    );
    expect(differ.text).toContain(OF_DOCUMENTS);
    expect(differ.text).toContain(OF_MODEL);
    const logs = workers.map((one) => one.output()).join('');
    expect(logs).toContain('analyses.run');
    const scraped = await (await fetch(metrics.at(-1)!)).text();
    expect(scraped).toContain('normtrace_jobs_total');
    await expect.poll(() => collector.bodies.join(''), { timeout: 20_000 }).toContain('engine analyseGaps');
    const jobs = await data.asOwner('select * from pgboss.job');
    expect(JSON.stringify(jobs)).toContain(undisturbed.id);
    const events = await data.asOwner("select * from audit_events where action = 'model.asked'");
    expect(events.length).toBeGreaterThan(3);
    const calls = await data.asOwner('select * from model_calls');
    const told = { logs, scraped, traces: collector.bodies.join(''), jobs, events, calls };
    for (const [where, what] of Object.entries(told)) {
      const text = JSON.stringify(what);
      for (const word of [OF_DOCUMENTS, OF_MODEL, MODEL_SERVER_KEY, 'You compare one demand'])
        expect(text.includes(word), `${word} in ${where}`).toBe(false);
    }
  });
});
