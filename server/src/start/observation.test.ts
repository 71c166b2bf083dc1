import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { jobDefinitions } from '../jobs.js';
import type { WorkProduct } from '../modules/work-products/work-products.schemas.js';
import { loadConfiguration } from '../platform/configuration/load.js';
import { routes } from '../routes.js';
import { watch } from '../testing/event-stream.js';
import { type OtlpReceiver, startOtlpReceiver } from '../testing/otlp-receiver.js';
import { freePort } from '../testing/service-process.js';
import { type Client, clientAt } from '../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.js';
import { type UploadSession, until, uploadWorkProduct } from '../testing/upload.js';
import { createLog } from './create-log.js';
import { openDependencies } from './open-dependencies.js';
import { serve } from './serve.js';
import { createShutdown, type Shutdown } from './shutdown.js';
import { work } from './work.js';

const CONTENT = 'Quittenbrot-4711';
const EMAIL = 'marked.person.0815@example.org';
const PASSWORD = 'correct horse Quittenbrot-4712';
const GARBAGE_TOKEN = 'garbage-token-4713';
const COLLECTOR_KEY = 'collector-key-4714';
const CALLERS_TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLERS_SPAN = '00f067aa0ba902b7';
const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

interface Line extends Record<string, unknown> {
  readonly msg: string;
}

describe('the service, watched while people and jobs use it and run into errors', () => {
  let directory: string;
  let data: TestDatabase;
  let collector: OtlpReceiver;
  let shutdown: Shutdown;
  let address: string;
  let metricsAddress: string;
  let person: Client;
  let workspace: string;
  let analysis: string;
  let good: string;
  let beforeWork: string;
  let atTheEnd: string;
  const written: string[] = [];
  const answered: (string | null)[] = [];

  const lines = (): Line[] => written.map((line) => JSON.parse(line) as Line);
  const scrape = async (): Promise<string> => (await fetch(`${metricsAddress}/metrics`)).text();
  const ask = async (client: Client, ...request: Parameters<Client['request']>) => {
    const answer = await client.request(...request);
    answered.push(answer.headers.get('x-request-id'));
    return answer;
  };
  const add = async (name: string, bytes: string, type = 'text/markdown'): Promise<string> => {
    const answer = await uploadWorkProduct(person, workspace, { name, type, bytes });
    expect(answer.status, answer.text).toBe(200);
    return (answer.body as WorkProduct).id;
  };
  const become = (id: string, status: string): Promise<WorkProduct> =>
    until(person, `/api/v1/work-products/${id}`, (one: WorkProduct) => one.processing_status === status);

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'normtrace-watched-'));
    data = await createTestDatabase();
    collector = await startOtlpReceiver();
    const [port, metricsPort] = [await freePort(), await freePort()];
    metricsAddress = `http://127.0.0.1:${metricsPort}`;
    const configuration = loadConfiguration({
      DATA_DIR: directory,
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.address,
      OTEL_EXPORTER_OTLP_HEADERS: `x-key=${COLLECTOR_KEY}`,
      RATE_LIMIT_BURST: '100000',
    });
    const log = createLog('trace', { write: (line) => void written.push(line) });
    shutdown = createShutdown(log);
    const process = { configuration, log, shutdown };
    const opened = await openDependencies(process, data.connections);
    address = await serve(process, opened);
    await useAsPeopleDo();
    beforeWork = await scrape();
    await work(process, opened);
    await letJobsRun();
    const stream = await watch(address, `/api/v1/workspaces/${workspace}/events`, { token: person.token });
    atTheEnd = await scrape();
    stream.stop();
    await stream.ended;
  }, 180_000);
  afterAll(async () => {
    await shutdown?.run();
    collector?.stop();
    await data?.stop();
    await rm(directory, { recursive: true, force: true });
  });

  /** Everything that a person sends is marked; much of it is wrong. */
  async function useAsPeopleDo(): Promise<void> {
    const anyone = clientAt(address, undefined);
    const account = { email: EMAIL, password: PASSWORD, name: CONTENT };
    const signedUp = await ask(anyone, 'POST', '/api/v1/auth/sign-up', { body: account });
    person = clientAt(address, (signedUp.body as { access_token: string }).access_token);
    const wrong = { email: EMAIL, password: `${PASSWORD}!` };
    expect((await ask(anyone, 'POST', '/api/v1/auth/sign-in', { body: wrong })).status).toBe(401);
    expect((await ask(clientAt(address, GARBAGE_TOKEN), 'GET', '/api/v1/auth/me')).status).toBe(401);
    const made = await ask(person, 'POST', '/api/v1/workspaces', {
      body: { name: CONTENT, description: CONTENT },
      headers: { traceparent: `00-${CALLERS_TRACE}-${CALLERS_SPAN}-01` },
    });
    workspace = (made.body as { id: string }).id;
    const badly = async (status: number, path: string, body: unknown): Promise<void> => {
      const answer = await ask(person, 'POST', `/api/v1${path}`, { body });
      expect(answer.status, answer.text).toBe(status);
    };
    await badly(400, '/workspaces', `{"name": "${CONTENT}`);
    await badly(422, '/workspaces', { name: [CONTENT], [CONTENT]: CONTENT });
    await badly(404, `/${CONTENT}?search=${CONTENT}`, {});
    await data.asOwner(
      `alter table workspaces add constraint broken check (name not like 'breaks %') not valid`,
    );
    await badly(500, '/workspaces', { name: `breaks ${CONTENT}`, description: CONTENT });
    expect((await ask(person, 'GET', `/api/v1/workspaces?search=${CONTENT}`)).status).toBe(200);
    expect((await ask(anyone, 'GET', '/metrics')).status).toBe(404);
    good = await add(`${CONTENT}.md`, `# Plan ${CONTENT}\n\n## Scope\n\nThe ${CONTENT} shall be TBD.\n`);
  }

  /** One file that is read, one that cannot be, one that the database refuses, one that is lost; then a check. */
  async function letJobsRun(): Promise<void> {
    await data.asOwner(`alter table work_product_versions add constraint broken
      check (processing_status <> 'completed' or file_name not like 'breaks%') not valid`);
    const corrupt = await add(`${CONTENT}.pdf`, `%PDF-1.7\n${CONTENT}`, 'application/pdf');
    await add(`breaks-${CONTENT}.md`, `# Other ${CONTENT}\n`);
    await become(good, 'completed');
    await become(corrupt, 'failed');
    await vi.waitUntil(() => jobsThatFailed().length > 0, { timeout: 30_000 });
    const started = await ask(person, 'POST', '/api/v1/compliance/completeness', {
      body: { workspace_id: workspace, work_product_ids: [good] },
    });
    expect(started.status, started.text).toBe(202);
    analysis = (started.body as { id: string }).id;
    const path = `/api/v1/analysis/analyses/${analysis}`;
    await until(person, path, ({ status }: { status: string }) => status === 'completed', 60_000);
    await vi.waitUntil(() => lines().some((line) => line.job === 'analyses.run'), { timeout: 10_000 });
    await loseTheStorage();
  }

  async function loseTheStorage(): Promise<void> {
    const form = new FormData();
    const file = { filename: 'lost.md', size: '6', content_type: 'text/markdown', workspace_id: workspace };
    for (const [name, value] of Object.entries(file)) form.set(name, value);
    const init = await ask(person, 'POST', '/api/v1/work-products/uploads/init', { form });
    const { file_id: lost, upload_url: url, headers } = init.body as UploadSession;
    expect((await fetch(url, { method: 'PUT', headers, body: '# Lost' })).status).toBe(200);
    const unfinished = join(directory, 'objects', 'unfinished');
    await rm(unfinished, { recursive: true });
    await writeFile(unfinished, 'where a folder should be');
    const completed = await ask(person, 'POST', `/api/v1/work-products/uploads/${lost}/complete`);
    expect(completed.status, completed.text).toBe(500);
  }

  const jobsThatFailed = (): Line[] => lines().filter(({ msg }) => msg === 'job failed');

  describe('metrics', () => {
    test('count and time requests by operation and status', () => {
      expect(valueIn(atTheEnd, 'normtrace_requests_total{operation="createWorkspace",status="201"}')).toBe(1);
      expect(valueIn(atTheEnd, 'normtrace_requests_total{operation="createWorkspace",status="400"}')).toBe(1);
      expect(valueIn(atTheEnd, 'normtrace_requests_total{operation="createWorkspace",status="500"}')).toBe(1);
      expect(valueIn(atTheEnd, 'normtrace_requests_total{operation="unknown",status="404"}')).toBe(2);
      expect(valueIn(atTheEnd, 'normtrace_request_duration_seconds_count{operation="createWorkspace"}')).toBe(
        4,
      );
    });

    test('tell jobs by outcome, and what waits in the queue', () => {
      const job = 'job="documents.process"';
      expect(valueIn(atTheEnd, `normtrace_jobs_total{${job},outcome="done"}`)).toBe(2);
      expect(valueIn(atTheEnd, `normtrace_jobs_total{${job},outcome="failed"}`)).toBeGreaterThan(0);
      expect(valueIn(atTheEnd, 'normtrace_job_duration_seconds_count{job="analyses.run"}')).toBe(1);
      for (const { name } of jobDefinitions) {
        const waiting = name === 'documents.process' ? 1 : 0;
        expect(valueIn(beforeWork, `normtrace_queue_jobs{job="${name}",state="waiting"}`), name).toBe(
          waiting,
        );
        expect(valueIn(beforeWork, `normtrace_queue_jobs{job="${name}",state="running"}`), name).toBe(0);
        expect(valueIn(beforeWork, `normtrace_queue_oldest_seconds{job="${name}"}`) > 0, name).toBe(
          waiting === 1,
        );
      }
    });

    test('tell streams, connections, threads, the event loop and errors of the storage', () => {
      expect(valueIn(atTheEnd, 'normtrace_event_streams')).toBe(1);
      expect(valueIn(beforeWork, 'normtrace_event_streams')).toBe(0);
      expect(valueIn(atTheEnd, 'normtrace_database_connections_most{pool="application"}')).toBe(12);
      expect(
        valueIn(atTheEnd, 'normtrace_database_connections{pool="application",state="idle"}'),
      ).toBeGreaterThan(0);
      expect(valueIn(atTheEnd, 'normtrace_engine_tasks{pool="jobs",state="running"}')).toBeLessThanOrEqual(2);
      expect(valueIn(atTheEnd, 'normtrace_engine_tasks{pool="answers",state="waiting"}')).toBe(0);
      expect(valueIn(atTheEnd, 'nodejs_eventloop_lag_seconds')).toBeGreaterThanOrEqual(0);
      expect(valueIn(atTheEnd, 'normtrace_storage_errors_total{action="copy"}')).toBe(1);
    });

    test('have labels from closed lists, and no ids', () => {
      const operations = new Set([...routes.map(({ operation }) => operation), 'page', 'unknown']);
      const told = [...atTheEnd.matchAll(/operation="([^"]*)"/g)].map(([, name]) => name!);
      expect(told.filter((name) => !operations.has(name))).toEqual([]);
      expect(atTheEnd).not.toMatch(UUID);
    });

    test('are at the internal address only, and nothing else is there', async () => {
      expect((await fetch(`${metricsAddress}/`)).status).toBe(404);
      expect((await fetch(`${metricsAddress}/metrics`, { method: 'POST' })).status).toBe(404);
      expect((await fetch(`${address}/api/v1/metrics`)).status).toBe(404);
      const port = Number(new URL(metricsAddress).port);
      const again = openDependencies(
        {
          configuration: loadConfiguration({ METRICS_PORT: String(port) }),
          log: createLog('silent'),
          shutdown,
        },
        data.connections,
      );
      await expect(again).rejects.toThrow(`METRICS_PORT ${port} cannot be opened on 127.0.0.1 (EADDRINUSE).`);
      expect(
        valueIn(await scrape(), 'normtrace_requests_total{operation="getMetrics",status="200"}'),
      ).toBeNaN();
    });
  });

  describe('traces', () => {
    const spanOf = async (name: string, attributes: Record<string, unknown> = {}) => {
      const find = () =>
        collector.spans.find(
          (span) =>
            span.name === name &&
            Object.entries(attributes).every(([key, value]) => span.attributes[key] === value),
        );
      await expect.poll(find, { timeout: 20_000 }).toBeDefined();
      return find()!;
    };

    test('join a request, the job that it made and the task of the engine', async () => {
      const job = await spanOf('job analyses.run', { 'normtrace.analysisId': analysis });
      const request = await spanOf('startCompleteness');
      const taskOfJob = () => collector.spans.find(({ parentSpanId }) => parentSpanId === job.spanId);
      await expect.poll(() => taskOfJob()?.name).toMatch(/^engine /);
      expect(taskOfJob()?.traceId).toBe(job.traceId);
      expect(job).toMatchObject({ traceId: request.traceId, parentSpanId: request.spanId, kind: 5 });
      expect(request).toMatchObject({
        kind: 2,
        attributes: {
          'http.request.method': 'POST',
          'http.route': '/api/v1/compliance/completeness',
          'http.response.status_code': 202,
        },
      });
    });

    test('go on through jobs that jobs make, and with the trace of the caller', async () => {
      const reading = await spanOf('job documents.process', { 'normtrace.workProductId': good });
      const next = await spanOf('job traceability.extract');
      const requests = collector.spans.filter(({ name }) => name === 'completeWorkProductUpload');
      expect(requests.map(({ spanId }) => spanId)).toContain(reading.parentSpanId);
      expect(
        collector.spans.some(({ spanId, name }) => spanId === next.parentSpanId && name.startsWith('job ')),
      ).toBe(true);
      const called = collector.spans.filter(({ traceId }) => traceId === CALLERS_TRACE);
      expect(called).toMatchObject([{ name: 'createWorkspace', parentSpanId: CALLERS_SPAN }]);
    });

    test('say what failed by the kind of the error', async () => {
      const failed = await spanOf('createWorkspace', { 'http.response.status_code': 500 });
      expect(failed).toMatchObject({ status: { code: 2 }, attributes: { 'error.type': '500' } });
      const job = await spanOf('job documents.process', {
        'normtrace.attempt': 1,
        'error.type': 'CheckViolation',
      });
      expect(job.status.code).toBe(2);
    });

    test('come with the headers of the settings and the name of the service', () => {
      expect(collector.headers[0]).toMatchObject({ 'x-key': COLLECTOR_KEY });
      expect(collector.resources[0]).toMatchObject({ 'service.name': 'normtrace' });
    });

    test('are missed in the log once when nobody takes them', async () => {
      const told = () =>
        lines()
          .filter(({ msg }) => msg.startsWith('traces '))
          .map(({ msg }) => msg);
      collector.answerWith(400);
      await person.request('GET', '/api/v1/auth/me');
      await expect.poll(told, { timeout: 20_000 }).toEqual(['traces cannot be sent']);
      collector.answerWith(200);
      await person.request('GET', '/api/v1/auth/me');
      await expect
        .poll(told, { timeout: 20_000 })
        .toEqual(['traces cannot be sent', 'traces are sent again']);
    });
  });

  describe('logs', () => {
    test('hold nothing that people sent, and neither do metrics and traces', () => {
      const marks = [
        CONTENT,
        EMAIL,
        PASSWORD,
        GARBAGE_TOKEN,
        COLLECTOR_KEY,
        person.token!,
        person.token!.split('.')[2]!,
      ];
      const everything = { logs: written.join(''), metrics: atTheEnd, traces: collector.bodies.join('') };
      for (const [where, text] of Object.entries(everything)) {
        expect(text.length, where).toBeGreaterThan(1_000);
        for (const mark of marks) expect(text.includes(mark), `${mark} in ${where}`).toBe(false);
      }
    });

    test('name the request in each line of one', () => {
      const requests = lines().filter(({ msg }) => msg === 'request');
      expect(requests.filter((line) => typeof line.request_id !== 'string')).toEqual([]);
      expect(new Set(requests.map((line) => line.request_id)).size).toBe(requests.length);
      expect(requests.map((line) => line.request_id)).toEqual(expect.arrayContaining(answered));
      const unexpected = lines().filter(({ msg }) => msg === 'unexpected error');
      expect(unexpected).toHaveLength(2);
      expect(unexpected).toMatchObject([
        { error: { type: 'CheckViolation', cause: { code: '23514' } } },
        { error: { code: 'ENOTDIR' } },
      ]);
      for (const line of unexpected) expect(answered).toContain(line.request_id);
    });

    test('name job and ids in each line of a job', () => {
      const jobs = lines().filter(({ msg }) => /^job (done|failed|stopped)$/.test(msg));
      expect(jobs.length).toBeGreaterThan(3);
      const ids = { job: expect.any(String), jobId: expect.stringMatching(UUID), workspaceId: workspace };
      for (const line of jobs) expect(line).toMatchObject(ids);
      expect(jobsThatFailed()[0]).toMatchObject({
        job: 'documents.process',
        error: { type: 'CheckViolation' },
      });
    });

    test('leave no line without one of them but those of the process itself', () => {
      const others = lines().filter((line) => !line.request_id && !line.jobId);
      const allowed = /^(acting as the system|Server listening at|incoming request|traces )/;
      expect(others.filter(({ msg }) => !allowed.test(msg))).toEqual([]);
    });
  });
});

test('nothing of metrics and traces is loaded when the settings do not ask for them', () => {
  const entry = fileURLToPath(new URL('./open-dependencies.js', import.meta.url));
  const app = fileURLToPath(new URL('../app.js', import.meta.url));
  const program = `
    await import(${JSON.stringify(entry)});
    await import(${JSON.stringify(app)});
    const { createRequire } = await import('node:module');
    const loaded = Object.keys(createRequire(${JSON.stringify(entry)}).cache);
    console.log(loaded.length > 50, loaded.filter((path) => /prom-client|opentelemetry/.test(path)).length);`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
  });
  expect(stdout, stderr).toBe('true 0\n');
});

/** NaN where there is no such series. */
function valueIn(text: string, series: string): number {
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  return Number(line?.slice(series.length + 1) ?? Number.NaN);
}
