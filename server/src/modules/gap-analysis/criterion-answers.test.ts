import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { joinWorkspace } from '../../testing/join-workspace.js';
import { type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { until, upload, uploadWorkProduct } from '../../testing/upload.js';
import type { Gap } from '../gaps/gaps.schemas.js';
import type { ClauseNode } from '../overview/overview.schemas.js';
import type { StartedAnalysis } from '../runs/analyses.schemas.js';
import type { WorkProduct } from '../work-products/work-products.schemas.js';
import type { ReviewedCriterion, StandardReview } from './criterion-answers.schemas.js';

const CONCEPT = `# Functional safety concept of the door

| ID | Functional safety requirement | ASIL | Safety goal |
|----|-------------------------------|------|-------------|
| FSR-01 | The control unit shall keep the door latched while driving. | B | SG-01 |

The safe state of the door is: latched. Reviewed together with the customer.
`;

let database: TestDatabase;
let app: TestApp;
let owner: Client;
let engineer: Client;
let manager: Client;
let workspace: string;
let standard: string;
let document: string;

beforeAll(async () => {
  database = await createTestDatabase();
  app = await startTestApp(database, { work: true, environment: { EMBEDDINGS: 'off' } });
  [owner, engineer, manager] = [await app.signUp(), await app.signUp(), await app.signUp()];
  workspace = (await send<{ id: string }>('POST', '/workspaces', { name: 'Door' })).id;
  await joinWorkspace(app, { by: owner, workspace, member: engineer, role: 'engineer' });
  await joinWorkspace(app, { by: owner, workspace, member: manager, role: 'manager' });
  standard = (
    await send<{ id: string }>('POST', '/standards', {
      workspace_id: workspace,
      catalog_id: 'iso-26262-3-2018',
    })
  ).id;
  document = await uploaded('concept.md', CONCEPT);
}, 120_000);
afterAll(async () => {
  await app?.stop();
  await database?.stop();
});

async function send<Body>(method: string, path: string, body?: unknown, who = owner): Promise<Body> {
  const answer = await who.request(method, `/api/v1${path}`, body === undefined ? {} : { body });
  if (answer.status >= 300) throw new Error(`${path} was answered ${answer.status}: ${answer.text}`);
  return answer.body as Body;
}

async function uploaded(name: string, bytes: string): Promise<string> {
  const { body } = await uploadWorkProduct(owner, workspace, { name, type: 'text/markdown', bytes });
  const { id } = body as WorkProduct;
  const isRead = ({ processing_status }: WorkProduct) => processing_status === 'completed';
  await until<WorkProduct>(owner, `/api/v1/work-products/${id}`, isRead);
  return id;
}

async function run(body: object = {}): Promise<string> {
  const started = await send<StartedAnalysis>('POST', '/analysis/gaps', {
    ...{ workspace_id: workspace, standard_id: standard, force: true },
    ...body,
  });
  const ended = await until<{ status: string; error: unknown }>(
    owner,
    `/api/v1/analysis/analyses/${started.id}`,
    ({ status }) => !['queued', 'running'].includes(status),
    60_000,
  );
  expect([ended.status, ended.error]).toEqual(['completed', null]);
  return started.id;
}

const review = () => send<StandardReview>('GET', `/analysis/standards/${standard}/review`);
const criterionPath = (id: string) => `/analysis/standards/${standard}/criteria/${encodeURIComponent(id)}`;
const read = (id: string) => send<ReviewedCriterion>('GET', criterionPath(id));
const answer = (id: string, body: object, who = engineer) =>
  who.request('PUT', `/api/v1${criterionPath(id)}/answer`, { body });
const nodes = async () => {
  const { clauses } = await send<{ clauses: ClauseNode[] }>(
    'GET',
    `/analysis/standards/${standard}/drilldown`,
  );
  const flat = (list: readonly ClauseNode[]): ClauseNode[] =>
    list.flatMap((node) => [node, ...flat(node.children ?? [])]);
  return flat(clauses);
};
const gap = (id: string) => send<Gap>('GET', `/analysis/gaps/${id}`);

describe('what a person says of a criterion', () => {
  let criterion: string;
  let gapId: string;
  const clauseOf = (id: string) => id.split(':')[1]!.split('.')[0];
  const quote = 'The safe state of the door is: latched.';
  const reason = 'Stated below the table.';

  test('is refused before a run has judged it', async () => {
    const refused = await answer('26262-3:6.5.1', { verdict: 'covered', reason });
    expect([refused.status, refused.body]).toMatchObject([
      409,
      { error: { details: { reason: 'not_judged' } } },
    ]);
    expect((await review()).analysis).toBeNull();
  });

  test('is the verdict and the score of the run as long as nobody said anything', async () => {
    await run();
    const { score, counts, criteria } = await review();
    expect(score.effective).toBe(score.machine);
    expect(score.machine).not.toBeNull();
    expect(counts.effective).toEqual(counts.machine);
    expect(criteria.length).toBeGreaterThan(10);
    for (const one of criteria) {
      expect([one.criterion_id, one.effective_verdict]).toEqual([one.criterion_id, one.machine_verdict]);
    }
    const all = await nodes();
    expect(all.every((node) => node.effective_score === node.score)).toBe(true);
    // A criterion with a gap of its own.
    const { items } = await send<{ items: Gap[] }>(
      'GET',
      `/analysis/gaps?workspace_id=${workspace}&limit=100`,
    );
    const found = await Promise.all(
      items
        .filter(({ type }) => /content|work_product/.test(type))
        .map(async (one) => ({ one, all: (await send<Gap>('GET', `/analysis/gaps/${one.id}`)).affected })),
    );
    const single = found.find(
      ({ one, all: affected }) => (affected?.count ?? 0) < 2 && one.status === 'open',
    )!;
    gapId = single.one.id;
    criterion = single.all?.items[0]?.id ?? single.one.criterion_id;
  });

  test('refuses words that are not there, a range with other words, and the verdict of nobody', async () => {
    for (const evidence of [
      { work_product_id: document, quote: 'The safe state is unlatched.' },
      { work_product_id: document, quote, range: { start: 0, end: quote.length } },
      { work_product_id: workspace, quote },
    ]) {
      const refused = await answer(criterion, { verdict: 'covered', reason, evidence: [evidence] });
      expect(refused.status).toBe(422);
    }
    expect((await answer(criterion, { verdict: 'needs_review', reason })).status).toBe(422);
    expect((await answer(criterion, { verdict: 'covered', reason, rating: 'F' })).status).toBe(422);
    expect((await answer(criterion, { verdict: 'covered', reason, basis: 'other' })).status).toBe(409);
    expect((await answer('26262-3:no', { verdict: 'covered', reason })).status).toBe(404);
  });

  test('counts beside the verdict of the run, raises the score and resolves the gap', async () => {
    const before = await review();
    const { basis, machine } = await read(criterion);
    const answered = await answer(criterion, {
      ...{ verdict: 'covered', reason, basis },
      evidence: [{ work_product_id: document, quote }],
    });
    expect([answered.status, answered.text]).toEqual([200, answered.text]);
    expect(answered.body).toMatchObject({
      machine: { verdict: machine!.verdict },
      effective_verdict: 'covered',
      review_status: 'overridden',
      answer: { reason, answered_by: engineer.userId, evidence: [{ quote, work_product_id: document }] },
      history: [{ verdict: 'covered', machine_verdict: machine!.verdict }],
    });
    const after = await review();
    expect(after.score.machine).toBe(before.score.machine);
    expect(after.score.effective).toBeGreaterThan(before.score.effective!);
    expect(after.review).toMatchObject({ statuses: { overridden: 1 } });
    const node = (await nodes()).find(({ criterion_id }) => criterion_id === criterion)!;
    expect([node.verdict, node.effective_verdict]).toEqual([machine!.verdict, 'covered']);
    expect(await gap(gapId)).toMatchObject({ status: 'resolved', reason });
    const history = await send<{ items: { action: string | null; actor: string | null }[] }>(
      'GET',
      `/analysis/gaps/${gapId}/history?type=change`,
    );
    expect(history.items).toMatchObject([{ action: 'gap.status_changed' }]);
  });

  test('survives the next run, and a run over one clause', async () => {
    await run();
    expect(await read(criterion)).toMatchObject({
      effective_verdict: 'covered',
      review_status: 'overridden',
    });
    expect(await gap(gapId)).toMatchObject({ status: 'resolved', reason });
    const history = await send<{ items: unknown[] }>('GET', `/analysis/gaps/${gapId}/history?type=change`);
    expect(history.items.length).toBe(1);
    // Over less than what was answered: it says nothing about the answer.
    const other = (await review()).criteria.find(
      ({ clause }) => clause.split('.')[0] !== clauseOf(criterion),
    )!;
    await run({ options: { clauses: [other.clause.split('.')[0]] } });
    expect((await gap(gapId)).status).toBe('resolved');
    await run();
  });

  test('taken back, the verdict of the run counts and the gap is open', async () => {
    const gone = await engineer.request('DELETE', `/api/v1${criterionPath(criterion)}/answer`);
    expect(gone.status).toBe(204);
    const now = await read(criterion);
    expect(now).toMatchObject({ effective_verdict: now.machine!.verdict, answer: null });
    expect(now.history.map(({ verdict }) => verdict)).toEqual([null, 'covered']);
    expect((await gap(gapId)).status).toBe('open');
    expect((await engineer.request('DELETE', `/api/v1${criterionPath(criterion)}/answer`)).status).toBe(404);
  });

  test('a new version of what was quoted asks again, and the next run opens the gap', async () => {
    const evidence = [{ work_product_id: document, quote }];
    expect((await answer(criterion, { verdict: 'covered', reason, evidence })).status).toBe(200);
    const file = { name: 'concept.md', type: 'text/markdown', bytes: `${CONCEPT}\nOne sentence more.\n` };
    const sent = await upload(owner, file, {
      init: `/api/v1/work-products/${document}/uploads/init`,
      complete: (session) => `/api/v1/work-products/${document}/uploads/${session.upload_id}/complete`,
    });
    expect(sent.status).toBeLessThan(300);
    await until<WorkProduct>(
      owner,
      `/api/v1/work-products/${document}`,
      (one) => one.version === 2 && one.processing_status === 'completed',
    );
    const now = await read(criterion);
    expect(now).toMatchObject({ effective_verdict: 'needs_review', review_status: 'to_be_reviewed' });
    expect(now.review_reason).toMatch(/version 1 was reviewed, version 2 is there now/);
    const refused = await answer(criterion, { verdict: 'covered', reason, evidence });
    expect(refused.body).toMatchObject({ error: { details: { reason: 'documents_changed' } } });
    await run();
    expect((await gap(gapId)).status).toBe('open');
    expect((await answer(criterion, { verdict: 'covered', reason, evidence })).status).toBe(200);
    expect((await gap(gapId)).status).toBe('resolved');
  });

  test('a run that finds something else asks again', async () => {
    const hara = '26262-3:6.5.1';
    expect((await read(hara)).machine!.verdict).toBe('missing');
    const body = { verdict: 'not_applicable', reason: 'Another supplier has it.' };
    expect((await answer(hara, body)).status).toBe(200);
    expect((await read(hara)).review_status).toBe('overridden');
    await uploaded(
      'hara.md',
      [
        '# Hazard analysis and risk assessment',
        '## Hazardous events',
        '| ID | Hazardous event | S | E | C | ASIL |\n|---|---|---|---|---|---|\n| HE-1 | The door opens while the vehicle moves | S3 | E4 | C3 | D |',
        '## Safety goals',
        '| ID | Safety goal | ASIL |\n|---|---|---|\n| SG-01 | The door shall not open while the vehicle moves. | D |',
      ].join('\n\n'),
    );
    await run();
    const now = await read(hara);
    expect(now.machine!.verdict).not.toBe('missing');
    expect(now).toMatchObject({ effective_verdict: 'needs_review', review_status: 'to_be_reviewed' });
    expect(now.review_reason).toMatch(/found has changed/);
  });
});

describe('the approval of a standard', () => {
  test('waits until nothing is left to review, and is not the author’s', async () => {
    const path = `/api/v1/analysis/standards/${standard}/releases`;
    const open = (await review()).criteria.filter(({ review_status }) => review_status === 'to_be_reviewed');
    if (open.length > 0) {
      const early = await manager.request('POST', path, { body: {} });
      expect(early.body).toMatchObject({ error: { details: { reason: 'to_be_reviewed' } } });
    }
    for (const { criterion_id } of open) {
      expect((await answer(criterion_id, { verdict: 'partial', reason: 'Seen.' })).status).toBe(200);
    }
    const [first] = (await review()).criteria.filter(({ answer: none }) => none === null);
    expect((await answer(first!.criterion_id, { verdict: 'partial', reason: 'Seen.' }, manager)).status).toBe(
      200,
    );
    const own = await manager.request('POST', path, { body: {} });
    expect([own.status, own.body]).toMatchObject([403, { error: { details: { reason: 'author' } } }]);
    expect((await answer(first!.criterion_id, { verdict: 'partial', reason: 'Seen, too.' })).status).toBe(
      200,
    );
    const released = await manager.request('POST', path, { body: { comment: 'Fine.' } });
    expect([released.status, released.body]).toMatchObject([
      201,
      { releases: [{ current: true, comment: 'Fine.' }] },
    ]);
    expect((await answer(first!.criterion_id, { verdict: 'missing', reason: 'No.' })).status).toBe(200);
    expect((await review()).releases).toMatchObject([{ current: false }]);
  });
});
