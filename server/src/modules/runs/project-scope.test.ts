import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { until, uploadWorkProduct } from '../../testing/upload.js';
import type { GapAnalysisDetail } from '../gap-analysis/gap-analysis.view.js';
import type { Standard } from '../standards/standards.schemas.js';
import type { Workspace } from '../workspaces/workspaces.schemas.js';
import type { AnalysisDetail, StartedAnalysis } from './analyses.schemas.js';

const CONCEPT = [
  '# Technical safety concept of the window lifter',
  '## Technical safety requirements',
  '| ID | Technical safety requirement | ASIL | Allocated to |\n|---|---|---|---|\n| TSR-01 | The controller shall open the relay within 50 ms when the current exceeds 12 A. | B | Controller |',
].join('\n\n');

let data: TestDatabase;
let app: TestApp;
let owner: Client;
let workspace: string;
let standard: string;
beforeAll(async () => {
  data = await createTestDatabase();
  app = await startTestApp(data, { work: true, environment: { EMBEDDINGS: 'off' } });
  owner = await app.signUp();
  workspace = (await post<Workspace>('/workspaces', { name: 'Window lifter' })).id;
  const file = { name: 'Technical safety concept.md', type: 'text/markdown', bytes: CONCEPT };
  const { id } = (await uploadWorkProduct(owner, workspace, file)).body as { id: string };
  await until(
    owner,
    `/api/v1/work-products/${id}`,
    (one: { processing_status: string }) => one.processing_status === 'completed',
  );
  const adopted = { workspace_id: workspace, catalog_id: 'iso-26262-4-2018' };
  standard = (await post<Standard>('/standards', adopted)).id;
}, 120_000);
afterAll(async () => {
  await app?.stop();
  await data?.stop();
});

const post = async <Body>(path: string, body: unknown): Promise<Body> => {
  const answer = await owner.request('POST', `/api/v1${path}`, { body });
  if (answer.status >= 300) throw new Error(`${path} was answered ${answer.status}: ${answer.text}`);
  return answer.body as Body;
};
const ended = async <Detail extends AnalysisDetail>({ id }: StartedAnalysis): Promise<Detail> => {
  await until(
    owner,
    `/api/v1/analysis/analyses/${id}`,
    (one: { status: string }) => one.status === 'completed',
    60_000,
  );
  return (await owner.request('GET', `/api/v1/analysis/analyses/${id}`)).body as Detail;
};
const analysed = async (options: object = {}) =>
  ended<GapAnalysisDetail>(
    await post('/analysis/gaps', { workspace_id: workspace, standard_id: standard, options }),
  );
const stateOf = ({ verdicts }: GapAnalysisDetail, id: string) =>
  verdicts.find(({ criterion_id }) => criterion_id === id)!;

test('the phase is asked for once, told in a run, remembered, and holds for every type of analysis', async () => {
  const asked = await analysed();
  expect(asked.not_due).toEqual([]);
  expect(asked.summary).toMatchObject({ questions: [{ question: 'In which phase is the project?' }] });
  expect(stateOf(asked, '26262-4:7.5.1')).toMatchObject({ verdict: 'missing' });

  const told = await analysed({
    phase: 'system',
    tailored_out: [{ area: '26262-4:6.5.4', reason: 'The supplier writes it.' }],
  });
  expect(told.options).toMatchObject({ phase: 'system' });
  expect(told.summary).toMatchObject({ questions: [] });
  const ofTests = stateOf(told, '26262-4:7.5.1');
  expect(ofTests).toMatchObject({ verdict: 'not_applicable', rules: ['not-due-in-this-phase'] });
  expect(told.not_due.map(({ because }) => because)).toEqual(['person', 'phase', 'phase']);
  expect(told.not_due.flatMap(({ items }) => items)).toContain('26262-4:7.5.1');
  expect(told.not_due[0]!.reason).toContain('The supplier writes it.');
  expect(told.gaps_total).toBeLessThan(asked.gaps_total);
  const counted = Object.values(told.summary!.verdicts as Record<string, number>).reduce((a, b) => a + b);
  const left = told.not_due.flatMap(({ items }) => items).length;
  expect(counted + left).toBe(told.verdicts.length);

  const known = await owner.request('GET', `/api/v1/workspaces/${workspace}`);
  expect(known.body).toMatchObject({
    phase: 'system',
    tailored_out: [{ area: '26262-4:6.5.4', reason: 'The supplier writes it.' }],
  });
  // The same without being told is the same run.
  const same = await post<StartedAnalysis>('/analysis/gaps', {
    workspace_id: workspace,
    standard_id: standard,
  });
  expect(same).toMatchObject({ id: told.id, from_store: true });

  const german = await owner.request('GET', `/api/v1/analysis/analyses/${told.id}`, {
    headers: { 'accept-language': 'de' },
  });
  expect((german.body as GapAnalysisDetail).not_due[1]!.reason).toContain('fällig in der Phase');

  const trace = await ended(
    await post<StartedAnalysis>('/traceability/analyze', { workspace_id: workspace }),
  );
  expect(trace.options).toMatchObject({ phase: 'system' });
  expect(trace.not_due.flatMap(({ items }) => items)).toContain('TSR-01');
});

test('all of it is due again when somebody says so; what nobody knows is refused', async () => {
  const all = await analysed({ phase: null, tailored_out: [] });
  expect(all.not_due).toEqual([]);
  expect((await owner.request('GET', `/api/v1/workspaces/${workspace}`)).body).toMatchObject({
    phase: null,
    tailored_out: [],
  });
  for (const options of [
    { phase: 'someday' },
    { tailored_out: [{ area: 'moon', reason: 'Nobody goes there.' }] },
    { tailored_out: [{ area: 'hardware', reason: '' }] },
  ]) {
    const body = { workspace_id: workspace, standard_id: standard, options };
    expect((await owner.request('POST', '/api/v1/analysis/gaps', { body })).status).toBe(422);
  }
});

test.each([
  ['Safety plan.md', '# Safety plan', 'Verification specifications are out of scope of this plan.'],
  ['Sicherheitsplan.md', '# Sicherheitsplan', 'Testspezifikationen sind nicht im Projektumfang.'],
])('what %s leaves out is not due in the trace either', async (name, title, sentence) => {
  const own = (await post<Workspace>('/workspaces', { name })).id;
  const upload = async (file: string, text: string) => {
    const { id } = (await uploadWorkProduct(owner, own, { name: file, type: 'text/markdown', bytes: text }))
      .body as { id: string };
    await until(
      owner,
      `/api/v1/work-products/${id}`,
      (one: { processing_status: string }) => one.processing_status === 'completed',
    );
  };
  const trace = async () =>
    ended(await post<StartedAnalysis>('/traceability/analyze', { workspace_id: own }));
  await upload('Technical safety concept.md', CONCEPT);
  expect((await trace()).not_due).toEqual([]);
  await upload(name, [title, '## Scope', sentence].join('\n\n'));
  const { not_due } = await trace();
  expect(not_due).toMatchObject([{ because: 'plan', items: ['TSR-01'] }]);
  expect(not_due[0]!.reason).toContain(sentence.split(' ')[0]);
});
