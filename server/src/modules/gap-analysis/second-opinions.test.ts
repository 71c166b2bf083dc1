import { fakeJudge, type ModelRequest } from '@normtrace/engine';
import {
  MODEL_SERVER_KEY,
  type ModelServer,
  startModelServer,
  type WireQuestion,
  type WireReply,
} from '@normtrace/engine/testing/model-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { until, uploadWorkProduct } from '../../testing/upload.js';
import type { StartedAnalysis } from '../runs/analyses.schemas.js';
import type { WorkProduct } from '../work-products/work-products.schemas.js';
import type { GapAnalysisDetail } from './gap-analysis.view.js';

const CONCEPT = `# Functional safety concept of the Aurora door

Written by jo.doe@example.org.

| ID | Functional safety requirement | ASIL | Safety goal | Safe state | FTTI |
|----|-------------------------------|------|-------------|------------|------|
| FSR-01 | The control unit of Aurora shall keep the door latched while driving. | B | SG-01 | latched | 200 ms |

The item boundary is the door module with its latch. The concept was reviewed together with the customer.
`;
const SECRET = `# Supplier notes

The zebra latch supplier reports a confidential failure rate, which is part of the functional safety concept.
`;

/** A judge behind the wire: what a question holds is all that it knows. */
const judge = fakeJudge();
async function say({ user, system, body }: WireQuestion): Promise<WireReply> {
  if (user.includes('Which are the two?')) {
    const word = (which: string) => new RegExp(`${which} code word: (\\S+)\\.`).exec(user)?.[1] ?? '';
    return JSON.stringify({ first: word('First'), last: word('Last') });
  }
  if (user === 'Write it now.') return '{"ok":"yes"}';
  const format = body.response_format as { json_schema: { name: ModelRequest['task'] } };
  const task = format.json_schema.name;
  if (task !== 'judge' && task !== 'criticise' && task !== 'applies') return { status: 400 };
  const [answer] = await judge.ask([{ task, fixed: system, variable: user } as ModelRequest]);
  return 'text' in answer! ? answer.text : { status: 500 };
}
const isProbe = ({ user }: WireQuestion) => user === 'Write it now.' || user.includes('Which are the two?');

describe('a gap analysis with a language model', () => {
  let data: TestDatabase;
  let app: TestApp;
  let server: ModelServer;
  let owner: Client;
  let workspace: string;
  let standard: string;
  let documents: string[];
  beforeAll(async () => {
    server = await startModelServer('openai-compatible', say);
    data = await createTestDatabase();
    app = await startTestApp(data, {
      work: true,
      environment: {
        EMBEDDINGS: 'off',
        MODEL_PROVIDER: 'openai-compatible',
        MODEL_BASE_URL: server.baseUrl,
        MODEL_NAME: 'small',
        MODEL_API_KEY: MODEL_SERVER_KEY,
        MODEL_PRICE_INPUT: '1',
        MODEL_PRICE_OUTPUT: '2',
        MODEL_PRICE_CURRENCY: 'EUR',
      },
    });
    owner = await app.signUp();
    workspace = (await post<{ id: string }>('/workspaces', { name: 'Door' })).id;
    standard = (
      await post<{ id: string }>('/standards', { workspace_id: workspace, catalog_id: 'iso-26262-3-2018' })
    ).id;
    documents = [];
    for (const [name, bytes] of [
      ['concept.md', CONCEPT],
      ['supplier.md', SECRET],
    ] as const) {
      const { body } = await uploadWorkProduct(owner, workspace, { name, type: 'text/markdown', bytes });
      const { id } = body as WorkProduct;
      documents.push(id);
      await until<WorkProduct>(
        owner,
        `/api/v1/work-products/${id}`,
        ({ processing_status }) => processing_status === 'completed',
      );
    }
  }, 120_000);
  afterAll(async () => {
    await app?.stop();
    await data?.stop();
    await server?.stop();
  });

  const ask = (path: string, body: unknown, method = 'POST') =>
    owner.request(method, `/api/v1${path}`, { body });
  const post = async <Body>(path: string, body: unknown): Promise<Body> => {
    const answer = await ask(path, body);
    if (answer.status >= 300) throw new Error(`${path} was answered ${answer.status}: ${answer.text}`);
    return answer.body as Body;
  };
  const start = (body: object = {}) =>
    ask('/analysis/gaps', { workspace_id: workspace, standard_id: standard, ...body });
  const ended = async (id: string) => {
    const run = await until<GapAnalysisDetail>(
      owner,
      `/api/v1/analysis/analyses/${id}`,
      ({ status }) => !['queued', 'running'].includes(status),
      60_000,
    );
    expect([run.status, run.error]).toEqual(['completed', null]);
    return run;
  };
  const run = async (body: object = {}) => {
    const started = await start(body);
    expect([started.status, started.text]).toEqual([202, started.text]);
    return ended((started.body as StartedAnalysis).id);
  };
  const policy = (body: object) => ask(`/workspaces/${workspace}/model-policy`, body, 'PUT');
  const questions = () => server.questions.filter((one) => !isProbe(one));
  const clear = () => {
    (server.questions as WireQuestion[]).length = 0;
    server.answer(say);
  };
  const usedOf = ({ summary }: GapAnalysisDetail) => (summary as { model?: Record<string, unknown> }).model;
  const judged = ({ verdicts, gaps, score }: GapAnalysisDetail) => ({ verdicts, score, gaps: gaps.length });

  let byRules: GapAnalysisDetail;
  test('sends nothing until the workspace allows it: `ai` is refused with a sentence, `auto` is rules', async () => {
    const refused = await start({ mode: 'ai' });
    expect([refused.status, refused.body]).toMatchObject([
      422,
      { error: { details: { issues: [{ path: 'body.mode', code: 'not_allowed' }] } } },
    ]);
    expect(refused.text).toMatch(/A manager or administrator decides that/);
    await policy({ policy: 'inside' });
    expect((await start({ mode: 'ai' })).status).toBe(422);
    byRules = await run();
    expect(byRules.mode).toBe('rules');
    expect(usedOf(byRules)).toBeUndefined();
    expect(server.questions).toEqual([]);
    const completeness = await ask('/compliance/completeness', { workspace_id: workspace, mode: 'ai' });
    expect(completeness.body).toMatchObject({ error: { details: { issues: [{ code: 'not_supported' }] } } });
  });

  let first: GapAnalysisDetail;
  test('asks about what rules are not sure of, without what is kept out and replaced', async () => {
    expect((await ask(`/work-products/${documents[1]}`, { ai_excluded: true }, 'PATCH')).status).toBe(200);
    expect((await policy({ policy: 'allowed', redacted_words: ['Aurora'] })).status).toBe(200);
    first = await run();
    expect(first.mode).toBe('ai');
    const asked = questions();
    expect(asked.length).toBeGreaterThan(10);
    const sent = JSON.stringify(asked.map(({ body }) => body));
    expect(sent).toContain('keep the door latched');
    expect(sent).not.toMatch(/zebra|confidential failure|aurora|jo\.doe/i);
    expect(sent).toMatch(/\[name-[0-9a-f]{6}\]/);
    const used = usedOf(first)!;
    expect(used).toMatchObject({
      asked: expect.any(Number),
      from_store: 0,
      by_rules_because: expect.any(Object),
    });
    expect(used.asked).toBeGreaterThan(10);
    // Quotes are cut out of the documents: no placeholder is in them.
    expect(JSON.stringify(first.verdicts.map(({ evidence }) => evidence))).not.toContain('[name-');
  });

  test('the same again is answered from what is kept, and is the same', async () => {
    clear();
    const again = await run({ force: true });
    expect(questions()).toEqual([]);
    expect(judged(again)).toEqual(judged(first));
    expect(usedOf(again)).toMatchObject({
      from_store: expect.any(Number),
      answered: usedOf(first)!.answered,
    });
    const same = await start({});
    expect(same.body).toMatchObject({ id: again.id, from_store: true });
  });

  test('fresh answers are asked for anew', async () => {
    clear();
    const fresh = await run({ fresh_answers: true });
    expect(fresh).toMatchObject({ mode: 'ai', fresh_answers: true });
    expect(questions().length).toBeGreaterThan(10);
    expect(judged(fresh)).toEqual(judged(first));
  });

  test('a refused key and nonsense end in the verdicts of the rules', async () => {
    for (const reply of [{ status: 401 }, 'nonsense'] as WireReply[]) {
      clear();
      server.answer((question) => (isProbe(question) ? say(question) : reply));
      const without = await run({ fresh_answers: true });
      const verdictsOf = ({ verdicts }: GapAnalysisDetail) =>
        verdicts.map(({ criterion_id, verdict }) => [criterion_id, verdict]);
      expect(verdictsOf(without)).toEqual(verdictsOf(byRules));
      expect(without.score).toBe(byRules.score);
      const because = usedOf(without)!.by_rules_because as Record<string, number>;
      expect(Object.keys(because)).toContain(typeof reply === 'string' ? 'unreadable' : 'unauthorised');
    }
  });
});
