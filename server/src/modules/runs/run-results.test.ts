import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FilledApp, startFilledApp } from '../../testing/filled-app.js';
import type { Filled } from '../../testing/filled-workspace.js';
import type { Client } from '../../testing/test-app.js';
import { until } from '../../testing/upload.js';
import type { AnalysisType } from './analysis-type.js';

let app: FilledApp | undefined;
let owner: Client;
let filled: Filled;

beforeAll(async () => {
  app = await startFilledApp({ environment: { EMBEDDINGS: 'off' } });
  ({ owner, filled } = app);
  // The checklist of that workspace has one item.
  const started = await owner.request('POST', '/api/v1/compliance/checklist', {
    body: { workspace_id: filled.workspace, checklist_id: 'FS-HARA' },
  });
  const { id } = started.body as { id: string };
  await until(owner, `/api/v1/analysis/analyses/${id}`, ({ status }: Run) => status === 'completed', 120_000);
}, 300_000);
afterAll(async () => {
  await app?.stop();
});

interface Run {
  readonly id: string;
  readonly status: string;
}
type Item = Readonly<Record<string, unknown>>;
interface Results {
  readonly type: AnalysisType;
  readonly items: readonly Item[];
  readonly total: number;
  readonly next_cursor: string | null;
}
type Detail = Readonly<Record<'verdicts' | 'documents' | 'items' | 'gaps' | 'recommendations', Item[]>>;

async function get<Answer>(path: string): Promise<Answer> {
  const { status, body, text } = await owner.request('GET', `/api/v1${path}`);
  expect([path, status, status === 200 ? '' : text]).toEqual([path, 200, '']);
  return body as Answer;
}
/** The newest one of a type. */
async function runOf(type: AnalysisType): Promise<string> {
  const query = `workspace_id=${filled.workspace}&type=${type}&status=completed`;
  const [run] = (await get<{ items: readonly Run[] }>(`/analysis/analyses?${query}`)).items;
  if (!run) throw new Error(`The workspace has no run of ${type}.`);
  return run.id;
}
async function pagesOf(id: string, query: string): Promise<Item[]> {
  const items: Item[] = [];
  for (let cursor = ''; ; ) {
    const page = await get<Results>(`/analysis/analyses/${id}/results?${query}&cursor=${cursor}`);
    items.push(...page.items);
    if (page.next_cursor === null) {
      expect(page.total).toBe(items.length);
      return items;
    }
    cursor = encodeURIComponent(page.next_cursor);
  }
}

test.each([
  ['gap_analysis', 'verdicts', 7],
  ['completeness', 'documents', 1],
  ['checklist', 'items', 5],
] as const)('pages of a %s are its %s, in both directions', async (type, field, limit) => {
  const id = await runOf(type);
  const detail = await get<Detail>(`/analysis/analyses/${id}`);
  expect(detail[field].length).toBeGreaterThan(limit);
  expect(await pagesOf(id, `limit=${limit}`)).toEqual(detail[field]);
  expect(await pagesOf(id, `limit=${limit}&sort=-ordinal`)).toEqual(detail[field].toReversed());
});

test('of a list of verdicts only some', async () => {
  for (const [type, field] of [
    ['gap_analysis', 'verdicts'],
    ['checklist', 'items'],
  ] as const) {
    const id = await runOf(type);
    const detail = await get<Detail>(`/analysis/analyses/${id}`);
    const missing = detail[field].filter(({ verdict }) => verdict === 'missing');
    expect(missing.length).toBeGreaterThan(0);
    expect(missing.length).toBeLessThan(detail[field].length);
    expect(await pagesOf(id, 'limit=3&verdict=missing')).toEqual(missing);
  }
});

test('a verdict that the type of the run does not have is refused; a trace has no list', async () => {
  for (const [type, verdict] of [
    ['completeness', 'missing'],
    ['gap_analysis', 'pass'],
    ['traceability', 'pass'],
  ] as const) {
    const refused = await owner.request(
      'GET',
      `/api/v1/analysis/analyses/${await runOf(type)}/results?verdict=${verdict}`,
    );
    expect(refused).toMatchObject({
      status: 422,
      body: { error: { details: { issues: [{ code: 'no_such_verdict' }] } } },
    });
  }
  const trace = await get<Results>(`/analysis/analyses/${await runOf('traceability')}/results`);
  expect(trace).toMatchObject({ type: 'traceability', items: [], total: 0, next_cursor: null });
});

test('a run brings its gaps or its result alone', async () => {
  const path = `/analysis/analyses/${await runOf('gap_analysis')}`;
  const detail = await get<Detail>(path);
  expect(await get<Detail>(`${path}?include=gaps`)).toEqual({ ...detail, verdicts: [] });
  expect(await get<Detail>(`${path}?include=results`)).toEqual({ ...detail, gaps: [], recommendations: [] });
});
