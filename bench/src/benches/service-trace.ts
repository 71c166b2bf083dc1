import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { analyseTraceability, loadTraceabilityRules } from '@normtrace/engine';
import { generateTrace } from '../generate-trace.js';
import { type Bench, type Figure, median, milliseconds } from '../measure.js';
import { type JobDone, post, type Service, signUp, startService } from '../service.js';
import { writeTrace } from '../write-trace.js';

const ROUNDS = 9;
const PATIENCE_MILLISECONDS = 300_000;

/** The trace in the service: its real jobs, by the time that the worker logs for them. */
export const serviceTrace: Bench = {
  name: 'service-trace',
  about:
    'The same Markdown uploaded to the real service: from the documents to the stored trace, and from the stored trace to committed findings (the whole job of an analysis); the limit is the engine alone on the same trace in memory.',
  async run({ log }) {
    const rules = await loadTraceabilityRules();
    const generated = generateTrace(100_000);
    const expected = analyseTraceability({ ...generated, rules });
    const jobs: JobDone[] = [];
    const service = await startService((job) => jobs.push(job));
    try {
      const { token } = await signUp(service.url);
      const documents = await upload(service, token, generated, log);
      const workspaceId = documents.workspaceId;
      const own: number[] = [];
      const limit: number[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        own.push(await analyse({ service, token, workspaceId, jobs }, expected.totalGaps));
        limit.push(await milliseconds(() => analyseTraceability({ ...generated, rules })));
      }
      const [first, ...warm] = own;
      const time = median(warm);
      const floor = median(limit);
      const extraction = jobs.filter(({ job }) => job === 'traceability.extract').at(-1);
      return [
        {
          name: `stored trace to committed findings: 100 000 artifacts, ${expected.totalLinks.toLocaleString('en')} links`,
          value: `${time.toFixed(0)} ms`,
          peer: `${floor.toFixed(0)} ms for the engine alone`,
          ratio: time / floor,
          goal: '≤ 600 ms',
          note: `fastest ${Math.min(...own).toFixed(0)} ms, first run ${first!.toFixed(0)} ms; ${expected.totalGaps.toLocaleString('en')} gaps`,
        },
        {
          name: `${(documents.bytes / 1e6).toFixed(1)} MB of Markdown, read before, to the stored trace`,
          value: `${((extraction?.milliseconds ?? 0) / 1000).toFixed(1)} s`,
          note: 'loading, extracting, swapping in one transaction; once',
        },
      ] satisfies Figure[];
    } finally {
      await service.stop();
    }
  },
};

async function upload(
  { url }: Service,
  token: string,
  trace: ReturnType<typeof generateTrace>,
  log: (line: string) => void,
): Promise<{ readonly workspaceId: string; readonly bytes: number }> {
  const folder = await mkdtemp(join(tmpdir(), 'normtrace-bench-'));
  try {
    const { paths, bytes } = await writeTrace(trace, folder);
    const workspace = await post<{ id: string }>(`${url}/api/v1/workspaces`, { name: 'Trace' }, token);
    for (const path of paths) {
      const content = await readFile(path);
      const session = await post<{ file_id: string; upload_url: string; headers: Record<string, string> }>(
        `${url}/api/v1/work-products/uploads/init`,
        {
          workspace_id: workspace.id,
          filename: basename(path),
          size: content.length,
          content_type: 'text/markdown',
        },
        token,
      );
      const sent = await fetch(session.upload_url, {
        method: 'PUT',
        headers: session.headers,
        body: content,
      });
      if (!sent.ok) throw new Error(`A file was answered ${sent.status}.`);
      await post(`${url}/api/v1/work-products/uploads/${session.file_id}/complete`, undefined, token);
    }
    log(`${(bytes / 1e6).toFixed(1)} MB in ${paths.length} files uploaded`);
    const state = await until<{ under_way: boolean; documents: unknown[]; artifacts: number }>(
      { url, token },
      `traceability/extraction?workspace_id=${workspace.id}`,
      (one) => !one.under_way && one.documents.length === paths.length,
    );
    log(`${state.artifacts.toLocaleString('en')} artifacts stored`);
    return { workspaceId: workspace.id, bytes };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Milliseconds of the job of one analysis, as the worker logs them. */
async function analyse(
  at: {
    readonly service: Service;
    readonly token: string;
    readonly workspaceId: string;
    readonly jobs: readonly JobDone[];
  },
  gaps: number,
): Promise<number> {
  const { service, token, workspaceId, jobs } = at;
  const body = { workspace_id: workspaceId, force: true };
  const { id } = await post<{ id: string }>(`${service.url}/api/v1/traceability/analyze`, body, token);
  const run = await until<{ status: string; gaps_total: number; error: string | null }>(
    { url: service.url, token },
    `analysis/analyses/${id}`,
    ({ status }) => status !== 'queued' && status !== 'running',
  );
  if (run.status !== 'completed') throw new Error(`The analysis ended ${run.status}: ${run.error}`);
  if (run.gaps_total !== gaps) throw new Error(`${run.gaps_total} gaps instead of ${gaps}.`);
  for (;;) {
    const job = jobs.find(({ analysisId }) => analysisId === id);
    if (job) return job.milliseconds;
    await pause(20);
  }
}

async function until<Body>(
  { url, token }: { readonly url: string; readonly token: string },
  path: string,
  isSo: (body: Body) => boolean,
): Promise<Body> {
  const end = Date.now() + PATIENCE_MILLISECONDS;
  for (;;) {
    const answer = await fetch(`${url}/api/v1/${path}`, { headers: { authorization: `Bearer ${token}` } });
    const body = (await answer.json()) as Body;
    if (answer.ok && isSo(body)) return body;
    if (Date.now() > end)
      throw new Error(`Still ${answer.status} at ${path}: ${JSON.stringify(body).slice(0, 300)}`);
    await pause(250);
  }
}
