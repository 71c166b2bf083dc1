// A round through the service with a client generated from its description. Prints what it found as JSON.
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import createClient from 'openapi-fetch';
import type { components, paths } from './api.js';

type GapAnalysis = components['schemas']['GapAnalysisDetail'];

const [service = '', file = '', email = ''] = process.argv.slice(2);
const baseUrl = `${service}/api/v1`;

const signedUp = await createClient<paths>({ baseUrl }).POST('/auth/sign-up', {
  body: { email, password: 'correct horse battery', name: 'TypeScript' },
});
const authorization = `Bearer ${given(signedUp).access_token}`;
const client = createClient<paths>({ baseUrl, headers: { authorization } });

const { id: workspace_id } = given(await client.POST('/workspaces', { body: { name: 'TypeScript' } }));
const standard = given(
  await client.POST('/standards', { body: { workspace_id, catalog_id: 'iso-26262-3-2018' } }),
);

const bytes = await readFile(file);
const session = given(
  await client.POST('/work-products/uploads/init', {
    body: { workspace_id, filename: 'document.md', content_type: 'text/markdown', size: bytes.length },
  }),
);
await fetch(session.upload_url, { method: 'PUT', headers: session.headers, body: bytes });
given(
  await client.POST('/work-products/uploads/{file_id}/complete', {
    params: { path: { file_id: session.file_id } },
  }),
);
const byId = { params: { path: { id: session.file_id } } };
while (given(await client.GET('/work-products/{id}', byId)).processing_status !== 'completed')
  await delay(100);

const started = given(
  await client.POST('/analysis/gaps', { body: { workspace_id, standard_id: standard.id } }),
);
const analysis = await result(started.id);

let [pages, listed] = [0, 0];
for (let cursor: string | null = ''; cursor !== null; pages += 1) {
  const query = { workspace_id, limit: 2, cursor };
  const page: components['schemas']['GapList'] = given(
    await client.GET('/analysis/gaps', { params: { query } }),
  );
  listed += page.items.length;
  cursor = page.next_cursor;
}
const verdicts = analysis.verdicts.length;
console.log(JSON.stringify({ type: analysis.type, gaps: analysis.gaps_total, listed, pages, verdicts }));

/** The run with its result, when it has ended: the shape follows from its type. */
async function result(id: string): Promise<GapAnalysis> {
  for (;;) {
    const one = given(await client.GET('/analysis/analyses/{id}', { params: { path: { id } } }));
    if (one.type !== 'gap_analysis') throw new Error(`The run is of another type: ${one.type}`);
    if (one.status === 'completed') return one;
    if (one.status !== 'queued' && one.status !== 'running') throw new Error(one.error ?? one.status);
    await delay(100);
  }
}

function given<Data>({ data, response }: { data?: Data; response: Response }): Data {
  if (data === undefined) throw new Error(`${response.url} answered ${response.status}`);
  return data;
}
