import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { until, uploadWorkProduct } from '../../testing/upload.js';
import type { StandardCondition } from '../gap-analysis/conditions.schemas.js';
import type { AnalysisSuggestion, BatchPlan, StartedBatch } from './batches.schemas.js';

const HARA = [
  '# Hazard analysis and risk assessment',
  '## Hazardous events',
  '| ID | Hazardous event | S | E | C | ASIL |\n|---|---|---|---|---|---|\n| HE-1 | The door opens | S3 | E4 | C3 | D |',
  '## Safety goals',
  '| ID | Safety goal | ASIL |\n|---|---|---|\n| SG-01 | The door shall not open while the vehicle moves. | D |',
].join('\n\n');

/** Milliseconds that a run may take on a busy machine. */
const A_RUN = 120_000;

describe('analyses that are started together', () => {
  let data: TestDatabase;
  let app: TestApp;
  let owner: Client;
  let workspace: string;
  let standard: string;
  let document: string;
  beforeAll(async () => {
    data = await createTestDatabase();
    app = await startTestApp(data, { work: true, environment: { EMBEDDINGS: 'off' } });
    owner = await app.signUp();
    const made = await owner.request('POST', '/api/v1/workspaces', { body: { name: 'Sliding door' } });
    workspace = (made.body as { id: string }).id;
    const adopted = await owner.request('POST', '/api/v1/standards', {
      body: { workspace_id: workspace, catalog_id: 'iso-26262-3-2018' },
    });
    standard = (adopted.body as { id: string }).id;
    const sent = await uploadWorkProduct(owner, workspace, {
      name: 'hara.md',
      type: 'text/markdown',
      bytes: HARA,
    });
    document = (sent.body as { id: string }).id;
    await until<{ processing_status: string }>(
      owner,
      `/api/v1/work-products/${document}`,
      ({ processing_status }) => processing_status === 'completed',
    );
  }, 120_000);
  afterAll(async () => {
    await app?.stop();
    await data?.stop();
  });

  const body = (more: Record<string, unknown> = {}) => ({
    workspace_id: workspace,
    parts: [{ type: 'gap_analysis', standard_id: standard }, { type: 'completeness' }],
    ...more,
  });
  const plan = async (more: Record<string, unknown> = {}): Promise<BatchPlan> => {
    const answer = await owner.request('POST', '/api/v1/analysis/plans', { body: body(more) });
    expect([answer.status, answer.text]).toEqual([200, answer.text]);
    return answer.body as BatchPlan;
  };
  const conditions = async (): Promise<readonly StandardCondition[]> =>
    (
      (await owner.request('GET', `/api/v1/standards/${standard}/conditions`)).body as {
        conditions: StandardCondition[];
      }
    ).conditions;
  const rows = async (): Promise<number> =>
    (await data.asOwner('select from analyses where workspace_id = $1', [workspace])).length;

  test('say beforehand what they would read, what is missing and what a person may answer', async () => {
    const [gaps, completeness] = (await plan()).parts;
    expect(gaps).toMatchObject({
      type: 'gap_analysis',
      standard_id: standard,
      from_store: false,
      analysis_id: null,
      refused: null,
      work_products: [{ work_product_id: document, version: 1, name: 'hara' }],
      estimated_seconds: null,
    });
    const missing = gaps?.missing_types.map(({ id }) => id) ?? [];
    expect(missing).toContain('functional_safety_concept');
    expect(missing).not.toContain('hara');
    expect(completeness).toMatchObject({ type: 'completeness', missing_types: [] });
    expect(await rows()).toBe(0);
    const asked = await conditions();
    expect(asked.length).toBeGreaterThan(0);
    for (const one of asked) {
      expect(one.asked_by.length).toBeGreaterThan(0);
      expect(one.question.de).toMatch(/\?$/);
      expect([one.open, one.answer]).toEqual([null, null]);
    }
    expect((await plan()).conditions.map(({ id }) => id).sort()).toEqual(
      asked
        .filter((one) => one.default === 'ask')
        .map(({ id }) => id)
        .sort(),
    );
  });

  test('tell of each why it cannot be started, and start none then', async () => {
    const parts = [{ type: 'completeness' }, { type: 'checklist', checklist_id: 'NO-SUCH' }];
    const planned = await plan({ parts });
    expect(planned.parts.map(({ refused }) => refused?.code ?? null)).toEqual([null, 'VALIDATION_ERROR']);
    expect((await owner.request('POST', '/api/v1/analysis/batches', { body: body({ parts }) })).status).toBe(
      422,
    );
    expect(await rows()).toBe(0);
    const wrong = [{ type: 'completeness', standard_id: standard }];
    expect(
      (await owner.request('POST', '/api/v1/analysis/plans', { body: body({ parts: wrong }) })).status,
    ).toBe(422);
    const foreign = [{ type: 'gap_analysis', standard_id: randomUUID() }];
    expect((await plan({ parts: foreign })).parts[0]?.refused?.code).toBe('VALIDATION_ERROR');
  });

  test(
    'are started in one act, and are there the next time',
    async () => {
      const started = await owner.request('POST', '/api/v1/analysis/batches', { body: body() });
      expect(started).toMatchObject({ status: 202, body: { started: 2, from_store: 0 } });
      const ids = (started.body as StartedBatch).analyses.map(({ id }) => id);
      const active = async (wanted: boolean): Promise<readonly string[]> => {
        const path = `/api/v1/analysis/analyses?workspace_id=${workspace}&active=${wanted}`;
        return ((await owner.request('GET', path)).body as { items: { id: string }[] }).items.map(
          ({ id }) => id,
        );
      };
      expect([...(await active(true)), ...(await active(false))].sort()).toEqual([...ids].sort());
      for (const id of ids) {
        await until<{ status: string }>(
          owner,
          `/api/v1/analysis/analyses/${id}`,
          ({ status }) => status === 'completed',
          A_RUN,
        );
      }
      expect(await active(true)).toEqual([]);
      const planned = await plan();
      expect(planned.parts.map((one) => [one.from_store, one.analysis_id, one.estimated_seconds])).toEqual(
        ids.map((id) => [true, id, 0]),
      );
      expect(planned.estimated_seconds).toBe(0);
      expect((await plan({ force: true })).estimated_seconds).toBeGreaterThan(0);
      const again = await owner.request('POST', '/api/v1/analysis/batches', { body: body() });
      expect(again).toMatchObject({ status: 202, body: { started: 0, from_store: 2 } });
      expect(await rows()).toBe(2);
    },
    4 * A_RUN,
  );

  test(
    'ask what the newest run left open, and take the answers to what each standard asks',
    async () => {
      const adopted = await owner.request('POST', '/api/v1/standards', {
        body: { workspace_id: workspace, catalog_id: 'iso-26262-2-2018' },
      });
      const management = (adopted.body as { id: string }).id;
      const parts = [{ type: 'gap_analysis', standard_id: management }];
      const ofManagement = async (): Promise<readonly StandardCondition[]> => {
        const { body: found } = await owner.request('GET', `/api/v1/standards/${management}/conditions`);
        return (found as { conditions: StandardCondition[] }).conditions;
      };
      const before = await plan({ parts });
      expect(before.conditions.map(({ id }) => id)).toContain('organisation_in_scope');
      const analysed = async (
        conditions: Record<string, boolean>,
      ): Promise<StartedBatch['analyses'][number]> => {
        const { status, body: answer } = await owner.request('POST', '/api/v1/analysis/batches', {
          body: body({ parts, conditions }),
        });
        expect(status).toBe(202);
        const [run] = (answer as StartedBatch).analyses;
        await until<{ status: string }>(
          owner,
          `/api/v1/analysis/analyses/${run?.id}`,
          (one) => one.status === 'completed',
          A_RUN,
        );
        return run!;
      };
      await analysed({});
      const open = (await ofManagement()).filter((one) => one.open);
      expect(open.length).toBeGreaterThan(0);
      const [first] = open;
      // Part 2 asks nothing about decompositions.
      const run = await analysed({ [first!.id]: false, decomposition_used: true });
      expect((run.options as { conditions: object }).conditions).toEqual({ [first!.id]: false });
      expect((await ofManagement()).find(({ id }) => id === first!.id)).toMatchObject({
        open: false,
        answer: false,
      });
      expect((await plan({ parts })).conditions.find(({ id }) => id === first!.id)?.answer).toBe(false);
      const unknown = await owner.request('POST', '/api/v1/analysis/batches', {
        body: body({ parts: [{ type: 'completeness' }], conditions: { no_such: true } }),
      });
      expect(unknown.status).toBe(422);
    },
    4 * A_RUN,
  );

  test('what such documents are usually held against is suggested, with what is adopted of it', async () => {
    const answer = await owner.request('GET', `/api/v1/analysis/suggestions?workspace_id=${workspace}`);
    expect(answer.status).toBe(200);
    const { standards, checklists } = answer.body as AnalysisSuggestion;
    expect(standards).toEqual([
      {
        catalog_id: 'iso-26262-3-2018',
        short_name: expect.stringContaining('26262-3'),
        standard_id: standard,
      },
    ]);
    expect(checklists.map(({ checklist_id }) => checklist_id)).toEqual(['FS-HARA']);
    const made = await owner.request('POST', '/api/v1/workspaces', { body: { name: 'Empty' } });
    const { id } = made.body as { id: string };
    const empty = await owner.request('GET', `/api/v1/analysis/suggestions?workspace_id=${id}`);
    expect(empty.body).toEqual({ standards: [], checklists: [] });
  });
});
