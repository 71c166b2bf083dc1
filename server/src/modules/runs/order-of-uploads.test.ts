import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { until, uploadWorkProduct } from '../../testing/upload.js';
import type { StartedAnalysis } from './analyses.schemas.js';

/** Both specifications state SWR-1, each otherwise; what is said of it later follows the first one. */
const DOCUMENTS: Readonly<Record<string, string>> = {
  'Hazard analysis.md': `# Hazard analysis and risk assessment

| ID | Hazardous event | S | E | C | ASIL | Safety goal |
|---|---|---|---|---|---|---|
| HE-1 | The door closes on a hand | S3 | E4 | C3 | ASIL D | SG-1 |
| HE-2 | The door opens while driving | S2 | E3 | C3 | ASIL B | SG-2 |

| ID | Safety goal | ASIL |
|---|---|---|
| SG-1 | The door shall not close on a hand. | ASIL C |
| SG-2 | The door shall stay closed while driving. | ASIL B |
`,
  'Software requirements, body.md': `# Software requirements

| ID | Software requirement | ASIL | Satisfies |
|---|---|---|---|
| SWR-1 | The software shall stop the motor within 100 ms. | ASIL B | SG-1 |
| SWR-2 | The software shall be fast. | ASIL B | SG-2 |
`,
  'Software requirements, access.md': `# Software requirements

| ID | Software requirement | ASIL | Satisfies |
|---|---|---|---|
| SWR-1 | The software shall reverse the motor within 300 ms. | QM | SG-2 |
| SWR-3 | TBD | ASIL A | SG-9 |
`,
  'Test report.md': `# Test report

| Test case | Requirement under test | Verdict |
|---|---|---|
| TC-1 | SWR-1 | failed |
| TC-2 | SWR-3 | passed |
`,
};

let data: TestDatabase;
let app: TestApp;
let owner: Client;
beforeAll(async () => {
  data = await createTestDatabase();
  app = await startTestApp(data, { work: true, environment: { EMBEDDINGS: 'off' } });
  owner = await app.signUp();
}, 60_000);
afterAll(async () => {
  await app?.stop();
  await data?.stop();
});

const post = async <Body>(path: string, body: unknown): Promise<Body> => {
  const answer = await owner.request('POST', `/api/v1${path}`, { body });
  if (answer.status >= 300) throw new Error(`${path} was answered ${answer.status}: ${answer.text}`);
  return answer.body as Body;
};

/** What all analyses say, by the names of documents instead of anything that differs from workspace to workspace. */
async function analysed(names: readonly string[]): Promise<unknown> {
  const workspace_id = (await post<{ id: string }>('/workspaces', { name: 'Door' })).id;
  const known = new Map<string, string>([[workspace_id, 'workspace']]);
  for (const name of names) {
    const file = { name, type: 'text/markdown', bytes: DOCUMENTS[name]! };
    const { id } = (await uploadWorkProduct(owner, workspace_id, file)).body as { id: string };
    known.set(id, name);
    const path = `/api/v1/work-products/${id}`;
    await until(owner, path, (one: { processing_status: string }) => one.processing_status === 'completed');
  }
  const catalog_id = 'iso-26262-3-2018';
  const standard_id = (await post<{ id: string }>('/standards', { workspace_id, catalog_id })).id;
  known.set(standard_id, 'standard');
  const said: Record<string, unknown> = {};
  for (const [path, body] of [
    ['/analysis/gaps', { standard_id }],
    ['/compliance/completeness', {}],
    ['/compliance/checklist', { checklist_id: 'FS-HARA' }],
    ['/traceability/analyze', {}],
  ] as const) {
    const { id } = await post<StartedAnalysis>(path, { workspace_id, ...body });
    await until(
      owner,
      `/api/v1/analysis/analyses/${id}`,
      ({ status }: { status: string }) => status === 'completed',
      60_000,
    );
    const { body: run } = await owner.request('GET', `/api/v1/analysis/analyses/${id}`);
    // The fingerprint of a finding about one document has its id in it.
    const aside = path === '/compliance/completeness' ? ['fingerprint'] : [];
    said[path] = withoutIds(run, known, aside);
  }
  const matrix = await owner.request('GET', `/api/v1/traceability/matrix?workspace_id=${workspace_id}`);
  said.matrix = withoutIds((matrix.body as { matrix: unknown }).matrix, known);
  return said;
}

/** How it went, and lists that tell documents in the order in which they came. */
const OF_THE_RUN = new Set([
  'input_hash',
  'event_sequence',
  'duration_ms',
  'documents',
  'inputs',
  'work_products',
]);
const ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

function withoutIds(
  value: unknown,
  known: ReadonlyMap<string, string>,
  aside: readonly string[] = [],
): unknown {
  if (Array.isArray(value)) return value.map((one) => withoutIds(one, known, aside));
  if (typeof value === 'string') return known.get(value) ?? (ID.test(value) ? 'an id' : value);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !OF_THE_RUN.has(key) && !aside.includes(key) && !key.endsWith('_at'))
      .map(([key, one]) => [key, withoutIds(one, known, aside)]),
  );
}

test('the same documents give the same results in whatever order they were uploaded', async () => {
  const names = Object.keys(DOCUMENTS);
  const one = await analysed(names);
  // What differs with the order is there: an id that two documents state.
  expect(JSON.stringify(one)).toContain('SWR-1');
  expect(await analysed([...names].reverse())).toEqual(one);
  expect(await analysed([names[2]!, names[0]!, names[3]!, names[1]!])).toEqual(one);
}, 240_000);
