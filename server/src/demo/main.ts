import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { stdout } from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { SEVERITIES } from '@normtrace/engine';
import { loadConfiguration } from '../platform/configuration/load.js';
import { type ApiClient, createApiClient } from './api-client.js';
import { printGaps, progressBar, type ShownGap, step } from './print.js';
import { purchase } from './purchase.js';
import { ensureService } from './running-service.js';

const STANDARD = 'iso-26262-3-2018';
const CHECKLIST = 'FS-HARA';
const DOCUMENTS = fileURLToPath(new URL('../../../demo/documents/', import.meta.url));
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  '.pdf': 'application/pdf',
  '.md': 'text/markdown',
};
const NAME = 'Demo';

// All four analyses, a report and a purchase through the API, as a person with a terminal would do it.
const configuration = loadConfiguration(process.env);
const url = configuration.baseUrl;
stdout.write('\nNormtrace demo: five documents of a power sliding door against ISO 26262-3:2018\n\n');

const started = await step(`Service at ${url}`, () => ensureService(configuration, url));
const { client, email, password, userId } = await step('Demo user', () => signUp());
const workspace = await step('Workspace', () =>
  client.post<{ id: string }>('/workspaces', {
    name: 'Power sliding door PSD-4',
    description: 'Invented documents of a concept phase, with known defects',
  }),
);
const standard = await step('Standard adopted from the catalog', () =>
  client.post<{ id: string }>('/standards', { workspace_id: workspace.id, catalog_id: STANDARD }),
);
const names = await step('Documents uploaded and read', () => uploadAll(client, workspace.id));
const analysis = await client.post<{ id: string }>('/analysis/gaps', {
  workspace_id: workspace.id,
  standard_id: standard.id,
});
await follow(client, analysis.id);
const others = await step('Completeness, trace and checklist FS-HARA', () =>
  Promise.all([
    runToEnd(client, '/compliance/completeness'),
    runToEnd(client, '/traceability/analyze'),
    runToEnd(client, '/compliance/checklist', { checklist_id: CHECKLIST }),
  ]),
);
const reports = await step('Report written as HTML and PDF', () =>
  Promise.all((['html', 'pdf'] as const).map((format) => writeReport(client, format))),
);

const plan = await step('Plan bought at the test checkout of the installation', () =>
  purchase(client, url, { id: userId, email, name: NAME }),
);

const gaps = await allGaps(client, analysis.id);
printGaps(gaps, names);
const counts = SEVERITIES.map(
  (severity) => `${gaps.filter((gap) => gap.severity === severity).length} ${severity}`,
);
stdout.write(`
${gaps.length} gaps: ${counts.join(', ')}. Every quote is an exact substring of its document.
${others.map(inBrief).join('\n')}
${plan === undefined ? 'This installation has no test checkout: no plan was bought.' : `The demo user has the plan ${plan}; no money was taken.`}
This is an indicative analysis – not a confirmation measure, audit, assessment or certification.

Where to look next
${reports.map((file) => `  ${file}\n`).join('')}  ${url}/docs   every operation; sign in there with POST /api/v1/auth/sign-in
  user       ${email}
  password   ${password}
  workspace  ${workspace.id}
  GET /api/v1/analysis/standards/${standard.id}/drilldown   the clause tree with verdicts
  GET /api/v1/analysis/evidence?workspace_id=${workspace.id}   clauses and passages, both ways
  demo/README.md   the defects that were put into the documents
`);
if (started !== undefined)
  stdout.write(`\nThe service keeps running in the background (stop it with: kill ${started}).\n`);

async function signUp(): Promise<{ client: ApiClient; email: string; password: string; userId: string }> {
  const name = NAME;
  const email = `demo-${randomBytes(4).toString('hex')}@normtrace.example`;
  const password = randomBytes(12).toString('base64url');
  const account = await createApiClient(url).post<{ access_token: string; user_id: string }>(
    '/auth/sign-up',
    {
      email,
      password,
      name,
    },
  );
  const signedIn = createApiClient(url, account.access_token);
  await signedIn.post('/auth/sync', { id: account.user_id, email, name });
  return { client: signedIn, email, password, userId: account.user_id };
}

/** Uploads every demo document and waits until all have been read. Names by work product. */
async function uploadAll(api: ApiClient, workspaceId: string): Promise<Map<string, string>> {
  const uploaded = new Map<string, string>();
  for (const filename of (await readdir(DOCUMENTS)).sort()) {
    const content = await readFile(`${DOCUMENTS}${filename}`);
    const session = await api.post<{
      upload_url: string;
      headers: Record<string, string>;
      file_id: string;
    }>('/work-products/uploads/init', {
      workspace_id: workspaceId,
      filename,
      size: content.byteLength,
      content_type: MEDIA_TYPES[extname(filename)],
    });
    await api.send(new URL(session.upload_url, url).href, session.headers, content);
    await api.post(`/work-products/uploads/${session.file_id}/complete`);
    uploaded.set(session.file_id, filename);
  }
  for (const [id, filename] of uploaded) await readingEnds(api, id, filename);
  return uploaded;
}

async function readingEnds(api: ApiClient, id: string, filename: string): Promise<void> {
  for (;;) {
    const document = await api.get<{ processing_status: string; processing_error: string | null }>(
      `/work-products/${id}`,
    );
    if (document.processing_status === 'completed') return;
    if (document.processing_status === 'failed') throw new Error(`${filename}: ${document.processing_error}`);
    await delay(100);
  }
}

interface Run {
  readonly id: string;
  readonly type: string;
  readonly status: string;
  readonly score: number | null;
  readonly summary: Readonly<Record<string, unknown>> | null;
}

async function runToEnd(api: ApiClient, path: string, body: object = {}): Promise<Run> {
  const { id } = await api.post<{ id: string }>(path, { workspace_id: workspace.id, ...body });
  for (;;) {
    const run = await api.get<Run>(`/analysis/analyses/${id}`);
    if (run.status === 'completed') return run;
    if (run.status !== 'queued' && run.status !== 'running')
      throw new Error(`${path} ended as ${run.status}.`);
    await delay(100);
  }
}

/** One line about a run: its score and its counts. */
function inBrief({ type, score, summary }: Run): string {
  const severities = (summary?.severities ?? {}) as Record<string, number>;
  const told = SEVERITIES.map((severity) => `${severities[severity] ?? 0} ${severity}`).join(', ');
  return `${type.replaceAll('_', ' ')}: ${score === null ? '' : `${Math.round(score)} %, `}${told}`;
}

/** Has the report rendered and puts it beside the data of the service; returns the name of the file. */
async function writeReport(api: ApiClient, format: 'html' | 'pdf'): Promise<string> {
  const { id } = await api.post<{ id: string }>('/reports', {
    workspace_id: workspace.id,
    type: 'full',
    analysis_ids: [analysis.id, ...others.map(({ id }) => id)],
    format,
    title: 'Power sliding door PSD-4: review of the concept phase',
  });
  for (;;) {
    const report = await api.get<{ status: string; error: string | null }>(`/reports/${id}`);
    if (report.status === 'completed') break;
    if (report.status === 'failed') throw new Error(`The report failed: ${report.error}`);
    await delay(100);
  }
  const folder = join(configuration.dataDirectory, 'demo');
  await mkdir(folder, { recursive: true });
  const file = join(folder, `report.${format}`);
  await writeFile(file, await api.file(`/reports/${id}/download`));
  return file;
}

async function follow(api: ApiClient, analysisId: string): Promise<void> {
  const bar = progressBar();
  for await (const { event, data } of api.events(`/analysis/analyses/${analysisId}/events`)) {
    if (event === 'progress') {
      const { percent, message } = data as { percent: number; message: string };
      bar.show(percent, message);
    }
    if (event === 'completed') break;
    if (event === 'failed' || event === 'cancelled') throw new Error(`The analysis ended as ${event}.`);
  }
  bar.end();
}

/** All gaps of a run, most severe first. */
async function allGaps(api: ApiClient, analysisId: string): Promise<ShownGap[]> {
  const gaps: ShownGap[] = [];
  let cursor = '';
  do {
    const page = await api.get<{ items: ShownGap[]; next_cursor: string | null }>(
      `/analysis/gaps?analysis_id=${analysisId}&limit=100&cursor=${encodeURIComponent(cursor)}`,
    );
    gaps.push(...page.items);
    cursor = page.next_cursor ?? '';
  } while (cursor !== '');
  return gaps.sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
}
