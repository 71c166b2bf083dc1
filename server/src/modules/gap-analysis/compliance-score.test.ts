import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { GapAnalysis } from '@normtrace/engine';
import { loadStandard } from '@normtrace/engine';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../platform/database/sql.js';
import { type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { until, upload, uploadWorkProduct } from '../../testing/upload.js';
import type { Overview } from '../overview/overview.schemas.js';
import type { StartedAnalysis } from '../runs/analyses.schemas.js';
import type { TakenRun } from '../runs/analysis-kind.js';
import type { WorkProduct } from '../work-products/work-products.schemas.js';
import { gapAnalysis } from './gap-analysis.kind.js';
import type { GapAnalysisDetail } from './gap-analysis.view.js';

const CONCEPT = `# Functional safety concept of the door

| ID | Functional safety requirement | ASIL | Safety goal | Safe state | FTTI |
|----|-------------------------------|------|-------------|------------|------|
| FSR-01 | The control unit shall keep the door latched while driving. | C | SG-01 | latched | 200 ms |
`;

const AGREEMENT = { value: 100, defects: 0, weight: 0, statements: 1 };

describe('the compliance score of a work product', () => {
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
    workspace = (await post<{ id: string }>('/workspaces', { name: 'Door' })).id;
    standard = (
      await post<{ id: string }>('/standards', { workspace_id: workspace, catalog_id: 'iso-26262-3-2018' })
    ).id;
    const made = await uploadWorkProduct(owner, workspace, file(CONCEPT));
    document = (made.body as WorkProduct).id;
    await read();
  });
  afterAll(async () => {
    await app?.stop();
    await data?.stop();
  });

  const file = (bytes: string) => ({ name: 'concept.md', type: 'text/markdown', bytes });
  const post = async <Body>(path: string, body: unknown): Promise<Body> => {
    const answer = await owner.request('POST', `/api/v1${path}`, { body });
    if (answer.status >= 300) throw new Error(`${path} was answered ${answer.status}: ${answer.text}`);
    return answer.body as Body;
  };
  const read = () =>
    until<WorkProduct>(owner, `/api/v1/work-products/${document}`, ({ processing_status }) =>
      ['completed', 'failed'].includes(processing_status),
    );
  const start = (path: string, body: object = {}) =>
    post<StartedAnalysis>(path, { workspace_id: workspace, force: true, ...body });
  const startGaps = () => start('/analysis/gaps', { standard_id: standard });
  const startCompleteness = () => start('/compliance/completeness');
  const ended = async ({ id }: StartedAnalysis) => {
    const run = await until<GapAnalysisDetail>(
      owner,
      `/api/v1/analysis/analyses/${id}`,
      ({ status }) => !['queued', 'running'].includes(status),
    );
    expect(run.status).toBe('completed');
    return run;
  };
  const score = async () => {
    const { compliance_score, assessed } = (await owner.request('GET', `/api/v1/work-products/${document}`))
      .body as WorkProduct;
    return [compliance_score, assessed];
  };
  const overview = async () =>
    (await owner.request('GET', `/api/v1/analysis/overview?workspace_id=${workspace}`)).body as Overview;

  test('is 0 and not assessed before a gap analysis, and a completeness check does not write it', async () => {
    expect(await score()).toEqual([0, false]);
    expect((await overview()).standards).toMatchObject([{ score: 0, assessed: false, analysis_id: null }]);
    expect((await ended(await startCompleteness())).score).not.toBeNull();
    expect(await score()).toEqual([0, false]);
  });

  test('is that of the gap analysis, whichever run ends last', async () => {
    const gaps = await ended(await startGaps());
    expect(await score()).toEqual([gaps.score, true]);
    expect((await overview()).standards).toMatchObject([{ score: gaps.score, assessed: true }]);
    const completeness = await ended(await startCompleteness());
    expect(completeness.score).not.toBe(gaps.score);
    expect(await score()).toEqual([gaps.score, true]);
    await Promise.all([await startGaps(), await startCompleteness(), await startGaps()].map(ended));
    expect(await score()).toEqual([gaps.score, true]);
  });

  test('says nothing about a version that came later, until a gap analysis has read that', async () => {
    await upload(owner, file(`${CONCEPT}\nAnother line.\n`), {
      init: `/api/v1/work-products/${document}/uploads/init`,
      complete: (session) => `/api/v1/work-products/${document}/uploads/${session.upload_id}/complete`,
    });
    await until<WorkProduct>(
      owner,
      `/api/v1/work-products/${document}`,
      ({ version, processing_status }) => version === 2 && processing_status === 'completed',
    );
    expect(await score()).toEqual([0, false]);
    await ended(await startCompleteness());
    expect(await score()).toEqual([0, false]);
    const gaps = await ended(await startGaps());
    expect(await score()).toEqual([gaps.score, true]);
  });

  test('is not written by a run over an older version, and of two at the same time by the one dated later', async () => {
    const iso = await loadStandard('iso-26262-3-2018');
    const store = async (
      value: number,
      version: number,
      meanwhile = async (): Promise<void> => undefined,
    ) => {
      const id = randomUUID();
      const series = `gap_analysis:${standard}`;
      await data.asOwner(
        `with run as (
           insert into analyses (workspace_id, id, type, series, standard_id, status, mode, input_hash, engine_version,
                                 created_by, number)
           select $1, $2::uuid, 'gap_analysis', $3, $4, 'running', 'rules', $2::uuid::text, '1', $5, max(number) + 1
           from analyses where workspace_id = $1 and series = $3)
         insert into analysis_inputs (workspace_id, analysis_id, work_product_id, version) values ($1, $2, $6, $7)`,
        [workspace, id, series, standard, owner.userId, document, version],
      );
      const run: TakenRun = {
        ...{ workspaceId: workspace, id, attempt: 0, type: 'gap_analysis', series, engine_version: '1' },
        ...{
          standard_id: standard,
          options: {},
          milliseconds_left: 0,
          takenAt: 0,
          mode: 'rules',
          fresh_answers: false,
        },
      };
      const result: GapAnalysis = {
        schema: 'normtrace.gap-analysis/1',
        method: {} as GapAnalysis['method'],
        verdicts: [],
        findings: [],
        notDue: [],
        questions: [],
        score: { value, upTo: value, shown: value, agreement: AGREEMENT },
        counts: {
          verdicts: { covered: 0, partial: 0, missing: 0, not_applicable: 0, needs_review: 0 },
          severities: { critical: 0, high: 0, medium: 0, low: 0 },
        },
      };
      const input = { standard: iso, documents: [], conditions: {}, clauses: [], known: [] };
      await data.database.withWorkspace(workspace, async (transaction) => {
        // It has begun when something was answered in it.
        await transaction.many(sql`select 1`);
        await meanwhile();
        await gapAnalysis.store(transaction, run, { input: input as never, result });
      });
    };
    const [before] = await score();
    await store(11, 1);
    expect(await score()).toEqual([before, true]);
    await store(22, 2);
    expect(await score()).toEqual([22, true]);
    // The first begins, the second begins and ends, the first ends.
    await store(33, 2, () => store(44, 2));
    expect(await score()).toEqual([44, true]);
  });

  test('of an earlier version of the service is taken from its runs', async () => {
    const migration = new URL('../../../migrations/0101_scored_version.sql', import.meta.url);
    const [, upgrade] = (await readFile(migration, 'utf8')).split('-- What is there may be of another type');
    const [newest] = (await overview()).standards;
    await data.asOwner(
      'update work_products set compliance_score = 99, scored_version = null, scored_at = null',
    );
    expect(await score()).toEqual([0, false]);
    await data.asOwner(`--${upgrade}`);
    expect(await score()).toEqual([newest!.score, true]);
  });
});
