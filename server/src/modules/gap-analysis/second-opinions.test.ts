import { fakeModel, type Report } from '@normtrace/engine';
import {
  MODEL_SERVER_KEY,
  type ModelServer,
  startModelServer,
  type WireQuestion,
  type WireReply,
} from '@normtrace/engine/testing/model-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isProbe, judgeOnTheWire } from '../../testing/judge-on-the-wire.js';
import { type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { until, uploadWorkProduct } from '../../testing/upload.js';
import type { ChecklistAnalysisDetail } from '../checklists/checklist-analysis.view.js';
import type { AnalysisEstimate } from '../estimates/estimates.schemas.js';
import { sweepRetention } from '../retention/sweep.js';
import type { AnalysisDetail, StartedAnalysis } from '../runs/analyses.schemas.js';
import type { WorkProduct } from '../work-products/work-products.schemas.js';
import type { GapAnalysisDetail } from './gap-analysis.view.js';
import type { Disagreement, ModelCall } from './opinions.schemas.js';

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

const HARA = `# Hazard analysis and risk assessment

Status: reviewed

The hazard analysis was carried out by an interdisciplinary team of vehicle dynamics, software and test.

All operating modes of the item and the operational situations of its use were considered.

Foreseeable misuse by the driver was analysed together with the hazardous events.

## Hazardous events

| ID | Malfunction | Operational situation | Hazardous event | S | Rationale S | E | Rationale E | C | Rationale C | ASIL | Safety goal |
|----|-------------|-----------------------|-----------------|---|-------------|---|-------------|---|-------------|------|-------------|
| HE-01 | Opens | Driving | Load falls out | S3 | Others are hit by it | E4 | Every drive has it | C3 | Nobody can react | D | SG-01 |

## Safety goals

SG-01 (ASIL D): No opening while driving. Safe state: shut. FTTI: 400 ms.
`;

const TESTS = `# Test specification

| Test case | Description | Expected result |
|-----------|-------------|-----------------|
| TST-01 | The control unit keeps the door latched while driving. | The door stays latched. |
`;

const WORKSHOP = `# Rules of the workshop

Glasses are at the entrance and have to be worn.

# Hazards of the controller: analysis and assessment of risk

The operational situations were collected.
`;

const say = judgeOnTheWire();
const blaming = fakeModel(() =>
  JSON.stringify({ because: 'It could be said better.', words: ['w1'], score: '1' }),
);
const agreeing = fakeModel(() => JSON.stringify({ shared: 'the latch', because: 'Both.', answer: 'yes' }));
/** Says of every item of a checklist that nothing treats it. */
const findsNothing = fakeModel(() =>
  JSON.stringify({
    instances: [{ instance: 'a', because: 'Nothing says it.', sentences: [], state: 'missing' }],
    orders: [],
  }),
);

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
      documents.push(await upload(name, bytes));
    }
  }, 120_000);
  afterAll(async () => {
    await app?.stop();
    await data?.stop();
    await server?.stop();
  });

  const upload = async (name: string, bytes: string) => {
    const { body } = await uploadWorkProduct(owner, workspace, { name, type: 'text/markdown', bytes });
    const { id } = body as WorkProduct;
    await until<WorkProduct>(
      owner,
      `/api/v1/work-products/${id}`,
      ({ processing_status }) => processing_status === 'completed',
    );
    return id;
  };
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
    for (const path of ['/compliance/completeness', '/traceability/analyze']) {
      const other = await ask(path, { workspace_id: workspace, mode: 'ai' });
      expect(other.body).toMatchObject({ error: { details: { issues: [{ code: 'not_allowed' }] } } });
    }
  });

  const estimateOf = (body: object) =>
    post<AnalysisEstimate>('/analysis/estimate', { workspace_id: workspace, ...body });
  const callsOf = async (id: string) => {
    const path = `/api/v1/analysis/analyses/${id}/model-calls?limit=100`;
    const calls: ModelCall[] = [];
    let cursor: string | null = null;
    do {
      const { body } = await owner.request('GET', cursor === null ? path : `${path}&cursor=${cursor}`);
      const { items, next_cursor } = body as { items: ModelCall[]; next_cursor: string | null };
      calls.push(...items);
      cursor = next_cursor;
    } while (cursor !== null);
    return calls;
  };
  const inputOf = (calls: readonly ModelCall[]) =>
    calls.reduce((sum, { input_tokens }) => sum + input_tokens, 0);

  let before: AnalysisEstimate;
  test('what a run would ask is told before anything is allowed, and nothing is sent for it', async () => {
    expect(await estimateOf({ standard_id: standard })).toMatchObject({
      because: 'policy',
      host: new URL(server.baseUrl).host,
      place: 'outside',
      sends_standard: false,
    });
    await ask(`/work-products/${documents[1]}`, { ai_excluded: true }, 'PATCH');
    before = await estimateOf({ standard_id: standard });
    expect(before.questions).toBeGreaterThan(10);
    expect(before.documents.map(({ work_product_id }) => work_product_id)).toEqual([documents[0]]);
    expect(before.withheld_work_products).toEqual([documents[1]]);
    // Whether functions are shared with other items, no document says: the model is asked.
    expect(before.tasks.map(({ task }) => task)).toEqual(['judge', 'criticise', 'applies']);
    const sum = before.tasks.reduce((all, one) => all + one.input_tokens, 0);
    expect(sum).toBe(before.input_tokens);
    expect(before.cost).toBeCloseTo((before.input_tokens + 2 * before.output_tokens) / 1e6, 9);
    expect(server.questions).toEqual([]);
    const neither = await ask('/analysis/estimate', { workspace_id: workspace });
    expect(neither.status).toBe(422);
    const unknown = await ask('/analysis/estimate', { workspace_id: workspace, checklist_id: 'NO-SUCH' });
    expect([unknown.status, unknown.text]).toMatchObject([422, /no such checklist/]);
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
    // As estimated before; how many are criticised depends on what the judge says.
    const calls = await callsOf(first.id);
    expect(calls.length).toBe(asked.length);
    const judged = calls.filter(({ task }) => task === 'judge');
    const said = before.tasks.find(({ task }) => task === 'judge')!;
    expect(said.questions).toBe(judged.length);
    expect(Math.abs(said.input_tokens - inputOf(judged)) / inputOf(judged)).toBeLessThan(0.2);
    const after = await estimateOf({ standard_id: standard });
    expect(after).toMatchObject({ because: null, input_tokens: 0, output_tokens: 0, documents: [] });
    expect(after.from_store).toBe(after.questions);
    expect((await estimateOf({ standard_id: standard, fresh_answers: true })).from_store).toBe(0);
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

  test('a checklist asks what rules cannot decide: it lowers or proposes, and nothing passes by it', async () => {
    clear();
    await upload('hara.md', HARA);
    const list = { workspace_id: workspace, checklist_id: 'FS-HARA' };
    const estimate = await estimateOf(list);
    expect(estimate.tasks.map(({ task }) => task)).toEqual(['criticise', 'checklist']);
    expect(server.questions).toEqual([]);
    const check = async (mode: string) => {
      const started = await post<StartedAnalysis>('/compliance/checklist', { ...list, mode });
      return until<ChecklistAnalysisDetail>(
        owner,
        `/api/v1/analysis/analyses/${started.id}`,
        ({ status }) => !['queued', 'running'].includes(status),
        60_000,
      );
    };
    const alone = await check('rules');
    expect(questions()).toEqual([]);
    server.answer(judgeOnTheWire(findsNothing));
    const both = await check('ai');
    expect([both.status, both.mode]).toEqual(['completed', 'ai']);
    const calls = await callsOf(both.id);
    expect(calls.length).toBe(questions().length);
    const asked = calls.filter(({ task }) => task === 'checklist');
    expect(asked.length).toBeGreaterThan(2);
    expect(JSON.stringify(questions().map(({ body }) => body))).not.toMatch(/zebra|aurora|jo\.doe/i);
    const said = estimate.tasks.find(({ task }) => task === 'checklist')!;
    expect(said.questions).toBe(asked.length);
    expect(Math.abs(said.input_tokens - inputOf(asked)) / inputOf(asked)).toBeLessThan(0.2);
    expect(both.summary).toMatchObject({ model: { asked: expect.any(Number), by_rules_because: {} } });
    const byRules = new Map(alone.items.map((item) => [item.item_id, item]));
    for (const item of both.items) {
      const rules = byRules.get(item.item_id)!;
      if (item.verdict === 'pass') expect(rules.verdict).toBe('pass');
      expect([item.fingerprint, item.needs_confirmation]).toEqual([
        rules.fingerprint,
        rules.needs_confirmation,
      ]);
    }
    const differ = await owner.request('GET', `/api/v1/analysis/analyses/${both.id}/disagreements?limit=100`);
    const { items } = differ.body as { items: Disagreement[] };
    expect(items.length).toBe((differ.body as { total: number }).total);
    expect(items.map(({ outcome }) => outcome)).toContain('lowered');
    const decided = await ask(
      `/analysis/analyses/${both.id}/disagreements/${items.find(({ outcome }) => outcome !== 'abstained')!.criterion_id}`,
      { decision: 'rules', reason: 'Looked at it.' },
      'PUT',
    );
    expect(decided.body).toMatchObject({ decision: { decision: 'rules' } });
    // In reports as well, with what the person said.
    const about = `/api/v1/export/checklist?workspace_id=${workspace}&analysis_id=${both.id}`;
    const html = (await owner.request('GET', `${about}&format=html`)).text;
    expect(html).toContain('Where rules and the language model differ');
    expect(html).toContain('the rules are right: Looked at it. (Test User)');
    const german = (await owner.request('GET', `${about}&format=html&language=de`)).text;
    expect(german).toContain('Wo Regeln und Sprachmodell auseinandergehen');
    const json = await owner.request('GET', `${about}&format=json`);
    const [part] = (json.body as Report).parts;
    expect(part!.method.model).toMatchObject({ asked: expect.any(Number) });
    const told = part!.results.filter(({ opinions }) => opinions && opinions.outcome !== 'same');
    expect(told.map(({ id }) => id)).toEqual(items.map(({ criterion_id }) => criterion_id));
    const csv = (await owner.request('GET', `${about}&format=csv`)).text;
    expect(csv.split('\r\n')[0]).toMatch(/by_rules,by_model,outcome,to_confirm,rules_alone_because,decided/);
    expect(csv).toContain('Looked at it.');
  });

  const disagreementsOf = async (id: string, query = '') => {
    const path = `/api/v1/analysis/analyses/${id}/disagreements?limit=100${query}`;
    const { body } = await owner.request('GET', path);
    const { items, total } = body as { items: Disagreement[]; total: number };
    expect(items.length).toBe(total);
    return items;
  };
  const finished = async <Detail extends AnalysisDetail>(path: string, body: object) => {
    const { id } = await post<StartedAnalysis>(path, { workspace_id: workspace, ...body });
    const run = await until<Detail>(
      owner,
      `/api/v1/analysis/analyses/${id}`,
      ({ status }) => !['queued', 'running'].includes(status),
      60_000,
    );
    expect([run.status, run.error]).toEqual(['completed', null]);
    return run;
  };

  test('steps and a summary are written where somebody wants them, in that language, marked and masked', async () => {
    clear();
    const refused = await start({ mode: 'rules', options: { written_in: 'en' } });
    expect([refused.status, refused.text]).toMatchObject([422, /written_in/]);
    const options = { written_in: 'en' };
    const told = await estimateOf({ standard_id: standard, options });
    expect(told.tasks.map(({ task }) => task)).toEqual(expect.arrayContaining(['remedy', 'summary']));
    expect(questions()).toEqual([]);
    await run({});
    const written = await run({ options });
    const severe = written.gaps.filter(({ severity }) => severity !== 'low');
    const [step, review] = ['Write down what is missing.', 'Have it reviewed by a second person.'];
    // The third step names a date that nothing tells.
    const remedies = severe.filter(({ remedy }) => remedy !== null);
    expect(remedies.length).toBeGreaterThan(5);
    for (const { remedy } of remedies)
      expect(remedy).toEqual({ language: 'en', steps: [step, review], effort: 'hours' });
    for (const { severity, remedy } of written.gaps) if (severity === 'low') expect(remedy).toBeNull();
    const { severities, written: texts } = written.summary as unknown as {
      severities: { critical: number };
      written: { language: string; sentences: { text: string }[] };
    };
    expect(texts.language).toBe('en');
    expect(texts.sentences.map(({ text }) => text)).toEqual([
      `There are ${severities.critical} critical findings.`,
    ]);
    const about = `/api/v1/export/gap-analysis?workspace_id=${workspace}&analysis_id=${written.id}&format=html`;
    const html = (await owner.request('GET', about)).text;
    expect(html).toContain(step);
    expect(html).toContain('Written by a language model');
    // Nobody is told English sentences in a German report.
    const german = (await owner.request('GET', `${about}&language=de`)).text;
    expect(german).not.toContain('Von einem Sprachmodell geschrieben');
    // Steps are no change of what was found; what was found before keeps none.
    expect(written.gaps.map(({ change }) => change)).toEqual(written.gaps.map(() => 'unchanged'));
  });

  test('an estimate learns how long the answers of the model are', async () => {
    const calls = await callsOf(first.id);
    const output = calls.reduce((sum, { output_tokens }) => sum + output_tokens, 0);
    expect(before.output_tokens).toBeGreaterThan(3 * output);
    const fresh = await estimateOf({ standard_id: standard, fresh_answers: true });
    const told = fresh.tasks.find(({ task }) => task === 'judge')!;
    const [answered] = await data.asOwner<{ length: number; count: number }>(
      `select avg((usage ->> 'outputTokens')::float8) as length, count(*)::int as count from model_answers where task = 'judge'`,
    );
    expect(answered!.count).toBeGreaterThan(20);
    expect(Math.abs(told.output_tokens - told.questions * answered!.length)).toBeLessThan(1);
  });

  test('completeness asks how requirements are written where somebody wants it: advice that changes nothing', async () => {
    clear();
    server.answer(judgeOnTheWire(blaming));
    const alone = await finished('/compliance/completeness', {});
    expect([alone.mode, questions()]).toEqual(['rules', []]);
    const told = await estimateOf({ type: 'completeness' });
    expect(told.tasks.map(({ task, questions: count }) => [task, count])).toEqual([['requirement', 4]]);
    expect(questions()).toEqual([]);
    const both = await finished('/compliance/completeness', { mode: 'ai' });
    expect([both.mode, questions().length]).toEqual(['ai', 4]);
    expect(Math.abs(told.input_tokens - inputOf(await callsOf(both.id))) / told.input_tokens).toBeLessThan(
      0.2,
    );
    expect([both.score, both.gaps.length]).toEqual([alone.score, alone.gaps.length]);
    expect(both.summary).toMatchObject({
      requirements_looked_at: { requirements: 1, of: 1 },
      model: { asked: 4, answered: 4, by_rules_because: {} },
    });
    const items = await disagreementsOf(both.id);
    expect(items.map(({ criterion_id }) => criterion_id)).toEqual(
      ['unambiguous', 'verifiable', 'single', 'conditions'].map((axis) => `FSR-01 ${axis}`),
    );
    expect(items[0]).toMatchObject({
      by_rules: 'unrated',
      by_model: 'weak',
      settled: 'unrated',
      parts: [{ because: 'It could be said better.', evidence: [{ quote: 'The' }] }],
    });
    const axis = encodeURIComponent(items[0]!.criterion_id);
    const reason = 'Fast enough is stated elsewhere.';
    await ask(`/analysis/analyses/${both.id}/disagreements/${axis}`, { decision: 'rules', reason }, 'PUT');
    const about = `/api/v1/export/completeness?workspace_id=${workspace}&analysis_id=${both.id}`;
    const html = (await owner.request('GET', `${about}&format=html`)).text;
    expect(html).toContain('What a language model advises');
    expect(html).toContain('experts may read it differently');
    expect(html).toContain(`the rules are right: ${reason}`);
    const csv = (await owner.request('GET', `${about}&format=csv`)).text.split('\r\n');
    expect(csv.filter((line) => line.startsWith('advice,'))).toHaveLength(4);
    expect(csv.find((line) => line.includes('unambiguous'))).toContain(reason);
    const without = `/api/v1/export/completeness?workspace_id=${workspace}&analysis_id=${alone.id}`;
    expect((await owner.request('GET', `${without}&format=html`)).text).not.toContain('advises');
  });

  test('a chapter of a document that rules do not know is proposed, and goes with its document', async () => {
    clear();
    const id = await upload('workshop.md', WORKSHOP);
    const told = await estimateOf({ type: 'completeness', work_product_ids: [id] });
    expect(told.tasks.map(({ task }) => task)).toEqual(['sections']);
    const run = await finished('/compliance/completeness', { mode: 'ai', work_product_ids: [id] });
    const [chapter, ...others] = await disagreementsOf(run.id, '&confirm=true');
    expect(others).toEqual([]);
    expect(chapter).toMatchObject({
      clause: 'hara',
      by_rules: 'unrated',
      by_model: 'yes',
      outcome: 'listed',
      parts: [{ evidence: [{ quote: 'Hazards of the controller: analysis and assessment of risk' }] }],
    });
    const about = `/api/v1/export/completeness?workspace_id=${workspace}&analysis_id=${run.id}&format=html`;
    expect((await owner.request('GET', about)).text).toContain('kind of document: hara');
    expect((await owner.request('DELETE', `/api/v1/work-products/${id}`)).status).toBe(204);
    await data.asOwner("update work_products set deleted_at = now() - interval '91 days' where id = $1", [
      id,
    ]);
    await sweepRetention(app.dependencies);
    await expect.poll(() => disagreementsOf(run.id), { timeout: 30_000 }).toEqual([]);
  });

  test('the trace asks about proposed links where somebody wants it, and makes none', async () => {
    clear();
    server.answer(judgeOnTheWire(agreeing));
    await upload('tests.md', TESTS);
    const alone = await finished('/traceability/analyze', {});
    expect([alone.mode, questions()]).toEqual(['rules', []]);
    const told = await estimateOf({ type: 'traceability' });
    expect(questions()).toEqual([]);
    const both = await finished('/traceability/analyze', { mode: 'ai' });
    const asked = questions().length;
    expect(told.tasks).toMatchObject([{ task: 'link', questions: asked }]);
    expect(Math.abs(told.input_tokens - inputOf(await callsOf(both.id))) / told.input_tokens).toBeLessThan(
      0.2,
    );
    expect(asked).toBeGreaterThan(0);
    expect([both.score, both.gaps.length]).toEqual([alone.score, alone.gaps.length]);
    expect(both.summary).toMatchObject({ model: { asked, answered: asked } });
    const items = await disagreementsOf(both.id, '&confirm=true');
    expect(items.map(({ criterion_id }) => criterion_id)).toContain('TST-01 verified_by FSR-01');
    expect(items[0]).toMatchObject({ by_rules: 'proposed', by_model: 'yes', outcome: 'listed' });
    const decided = await ask(
      `/analysis/analyses/${both.id}/disagreements/${encodeURIComponent(items[0]!.criterion_id)}`,
      { decision: 'model', reason: 'The same latch.' },
      'PUT',
    );
    expect(decided.status).toBe(200);
    const about = `/api/v1/export/traceability?workspace_id=${workspace}&analysis_id=${both.id}`;
    const html = (await owner.request('GET', `${about}&format=html&language=de`)).text;
    expect(html).toContain('Wozu ein Sprachmodell rät');
    expect(html).toContain('TST-01 → FSR-01');
    const csv = (await owner.request('GET', `${about}&format=csv`)).text;
    expect(csv).toMatch(/^advice,.*TST-01 → FSR-01.*The same latch\./m);
    const again = await finished('/traceability/analyze', { mode: 'ai', force: true });
    expect(questions().length).toBe(asked);
    expect(await disagreementsOf(again.id, '&confirm=true')).toHaveLength(items.length);
  });

  test('decisions become examples for the judge: balanced, few, and none of a document that is kept out', async () => {
    clear();
    const base = await run({ force: true });
    clear();
    await run({ force: true });
    expect(questions()).toEqual([]);
    const quotesOf = ({ parts }: Disagreement) => [
      ...new Set(parts.flatMap(({ evidence }) => evidence.map(({ quote }) => quote))),
    ];
    const differing = (await disagreementsOf(base.id)).filter(
      (one) =>
        one.by_model !== null &&
        one.by_model !== one.by_rules &&
        quotesOf(one).length > 0 &&
        quotesOf(one).length < 4,
    );
    expect(differing.length).toBeGreaterThan(2);
    const [first, second, third] = differing;
    const put = async (path: string, body: object) => expect((await ask(path, body, 'PUT')).status).toBe(200);
    const decide = (one: Disagreement, decision: string) =>
      put(`/analysis/analyses/${base.id}/disagreements/${one.criterion_id}`, {
        decision,
        reason: 'Walrus looked at it.',
      });
    const judging = () => questions().filter(({ user }) => user.includes('<demand '));
    const examplesIn = ({ user }: WireQuestion) => user.match(/<decided .*?<\/decided>/gs) ?? [];

    // Of one kind they teach to say that kind: the questions stay what they were.
    await decide(first!, 'model');
    await decide(second!, 'model');
    await decide(third!, 'neither');
    await run({ force: true });
    expect((await start()).body).toMatchObject({ from_store: true });
    expect(questions()).toEqual([]);

    await decide(third!, 'rules');
    const told = await estimateOf({ standard_id: standard });
    expect(questions()).toEqual([]);
    await run();
    const asked = judging().filter(({ user }) => user.includes('<part '));
    // What is asked once more in another order is one question of an estimate.
    const demands = new Set(asked.map(({ user }) => /<demand id="([^"]+)"/.exec(user)![1]));
    expect(demands.size).toBe(told.tasks.find(({ task }) => task === 'judge')!.questions);
    const answers: Record<string, string> = { needs_review: 'cannot_tell' };
    const wrong = answers[third!.by_rules] ?? third!.by_rules;
    for (const question of asked) {
      // One where rules were right allows one where the model was.
      const [right, other, ...more] = examplesIn(question);
      expect(more).toEqual([]);
      expect(right).toMatch(/^<decided verdict="(covered|partial|missing)">/);
      expect(other).toContain(`<decided verdict="${wrong}">`);
      expect(question.user).not.toMatch(/zebra|aurora|jo\.doe|walrus/i);
    }
    const ofSecond = asked.find(({ user }) => user.includes(`<demand id="${second!.criterion_id}"`))!;
    // That of the same criterion comes first, else the one that was decided first.
    const others = asked.filter(({ user }) => !user.includes(`<demand id="${second!.criterion_id}"`));
    expect(new Set(others.map((one) => examplesIn(one)[0])).size).toBe(1);
    expect(examplesIn(ofSecond)[0]).not.toBe(examplesIn(others[0]!)[0]);
    clear();
    await run({ force: true });
    expect(questions()).toEqual([]);

    // Kept out since: no question shows anything of it, though another document has the same sentences.
    await upload('hara-2.md', HARA.replaceAll('-01', '-02'));
    const cited = [first!, second!, third!].flatMap(({ parts }) =>
      parts.flatMap(({ evidence }) => evidence.map((one) => one.work_product_id)),
    );
    for (const id of cited) await ask(`/work-products/${id}`, { ai_excluded: true }, 'PATCH');
    await run({ fresh_answers: true });
    expect(questions().length).toBeGreaterThan(0);
    expect(questions().flatMap(examplesIn)).toEqual([]);
    for (const id of cited) await ask(`/work-products/${id}`, { ai_excluded: false }, 'PATCH');
    clear();
    await run({ fresh_answers: true });
    expect(questions().flatMap(examplesIn).length).toBeGreaterThan(0);
    for (const id of new Set(cited)) await owner.request('DELETE', `/api/v1/work-products/${id}`);
    clear();
    await run({ fresh_answers: true });
    expect(questions().flatMap(examplesIn)).toEqual([]);
  });
});
