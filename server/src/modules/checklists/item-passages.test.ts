import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { z } from 'zod';
import { type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { until, uploadWorkProduct } from '../../testing/upload.js';
import type { ChecklistState, ItemPassages } from './checklist-answers.schemas.js';
import { beginningsOf } from './item-passages.js';

const FILLER = Array.from(
  { length: 60 },
  (_, at) =>
    `## Part ${at}\n\nThe shelf number ${at} holds boxes with the event of the week and all other papers.`,
).join('\n\n');

let data: TestDatabase;
let app: TestApp;
let owner: Client;
let workspace: string;
let document: string;
/** An item, and a statement in its words. */
let item: string;
let meant: string;

beforeAll(async () => {
  data = await createTestDatabase();
  app = await startTestApp(data, { work: true, environment: { EMBEDDINGS: 'off' } });
  owner = await app.signUp();
  workspace = (
    (await owner.request('POST', '/api/v1/workspaces', { body: { name: 'Door' } })).body as { id: string }
  ).id;
  const results = `/api/v1/compliance/checklists/FS-HARA/results?workspace_id=${workspace}`;
  const { items } = (await owner.request('GET', results)).body as z.output<typeof ChecklistState>;
  item = items[0]!.item_id;
  meant = `Yes: ${items[0]!.item.text.en.replace('?', '.')}`;
  const uploaded = await uploadWorkProduct(owner, workspace, {
    name: 'hara.md',
    type: 'text/markdown',
    bytes: `# Hazard analysis\n\n${FILLER}\n\n## Ratings\n\nSome words.\n\n${meant}\n`,
  });
  document = (uploaded.body as { id: string }).id;
  await vi.waitFor(
    async () => {
      const [row] = await data.asOwner<{ count: number }>(
        'select count(*)::integer as count from passages where work_product_id = $1',
        [document],
      );
      expect(row?.count).toBeGreaterThan(50);
    },
    { timeout: 60_000, interval: 200 },
  );
}, 120_000);
afterAll(async () => {
  await app?.stop();
  await data?.stop();
});

test('words are looked for by their beginnings, each once, short ones not', () => {
  expect(beginningsOf('Are all hazards rated? Hazards!', 'Sind alle bewertet?', null)).toEqual([
    'hazar',
    'rated',
    'sind',
    'alle',
    'bewert',
  ]);
});

test('the nearest passage comes first, with the paragraph that an answer can quote', async () => {
  const id = 'FS-HARA';
  const path = `/api/v1/compliance/checklists/${id}/items/${item}`;
  const asked = await owner.request('GET', `${path}/passages?workspace_id=${workspace}&limit=2`);
  expect([asked.status, asked.text]).toEqual([200, asked.text]);
  const { passages } = asked.body as z.output<typeof ItemPassages>;
  expect(passages.length).toBeLessThanOrEqual(2);
  expect(passages[0]).toMatchObject({ work_product_id: document, version: 1, quote: meant });
  const { quote, range, highlights } = passages[0]!;
  const words = highlights.map(({ start, end }) => quote.slice(start, end).toLowerCase());
  expect(beginningsOf(meant).filter((one) => !words.some((word) => word.startsWith(one)))).toEqual([]);
  const { body: view } = await owner.request(
    'GET',
    `/api/v1/work-products/${document}/versions/1/document?around=${range.start}&blocks=1`,
  );
  const [block] = (view as { blocks: { start: number; text: string }[] }).blocks;
  expect(block?.text.slice(range.start - block.start, range.end - block.start)).toBe(quote);
  // It is what an answer takes as evidence.
  const run = await owner.request('POST', '/api/v1/compliance/checklist', {
    body: { workspace_id: workspace, checklist_id: id },
  });
  await until<{ status: string }>(
    owner,
    `/api/v1/analysis/analyses/${(run.body as { id: string }).id}`,
    ({ status }) => status === 'completed',
  );
  const answered = await owner.request('PUT', `${path}/answer`, {
    body: {
      workspace_id: workspace,
      verdict: 'pass',
      reason: 'It stands there.',
      evidence: [{ work_product_id: document, quote }],
    },
  });
  expect(answered).toMatchObject({ status: 200, body: { answer: { evidence: [{ quote, range }] } } });
  const none = await owner.request(
    'GET',
    `/api/v1/compliance/checklists/${id}/items/NOWHERE/passages?workspace_id=${workspace}`,
  );
  expect(none.status).toBe(404);
}, 120_000);
