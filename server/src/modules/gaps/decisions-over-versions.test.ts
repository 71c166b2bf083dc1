import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { until, upload, uploadWorkProduct } from '../../testing/upload.js';
import type { GapAnalysisDetail } from '../gap-analysis/gap-analysis.view.js';
import type { StartedAnalysis } from '../runs/analyses.schemas.js';
import type { WorkProduct } from '../work-products/work-products.schemas.js';
import type { HistoryEntry } from './gap-history.schemas.js';
import type { Gap } from './gaps.schemas.js';

const concept = (
  first: string,
  { before = '', item = 'door' } = {},
): string => `# Functional safety concept of the ${item}

Version 0.4, status: draft
${before}
## 1 Functional safety requirements

| ID | Functional safety requirement | ASIL | Safety goal | Safe state | FTTI |
|----|-------------------------------|------|-------------|------------|------|
| FSR-01 | The control unit shall keep the door latched while driving. | C | SG-01 | latched | ${first} |
| FSR-02 | The control unit shall limit the force of the drive. | C | SG-01 | stopped | TBD |
| FSR-03 | The control unit shall report a failed latch. | C | SG-01 | stopped | 100 ms |
`;
const FIRST = concept('200 ms');
/** Other places, other spaces, the same facts. */
const MOVED = concept('200 ms', {
  before: '\n## 0 About this document\n\nIt was given a section more.\n',
}).replace('while driving', 'while  driving');
/** The open time of the first requirement is another defect of the same gap. */
const WORSE = concept('TBD');

const KINDS = [
  'accepted',
  'false_positive',
  'severity',
  'proposal',
  'first',
  'bulk',
  'raised',
  'working',
] as const;
type Kind = (typeof KINDS)[number];

describe('decisions of people over the versions of documents', () => {
  let data: TestDatabase;
  let app: TestApp;
  let workspace: string;
  let standard: string;
  const people: Record<'owner' | 'manager' | 'engineer', Client> = {} as never;
  const documents = new Map<Kind, string>();
  const gaps = new Map<Kind, string>();
  beforeAll(async () => {
    data = await createTestDatabase();
    app = await startTestApp(data, {
      work: true,
      environment: { EMBEDDINGS: 'off', RATE_LIMIT_BURST: '10000' },
    });
    for (const name of ['owner', 'manager', 'engineer'] as const) people[name] = await app.signUp();
    workspace = (await send<{ id: string }>('POST', '/workspaces', { name: 'Door' })).id;
    for (const role of ['manager', 'engineer'] as const) {
      await data.asOwner('insert into workspace_members (workspace_id, user_id, role) values ($1, $2, $3)', [
        workspace,
        people[role].userId,
        role,
      ]);
    }
    const adopted = { workspace_id: workspace, catalog_id: 'iso-26262-3-2018' };
    standard = (await send<{ id: string }>('POST', '/standards', adopted)).id;
    await Promise.all(KINDS.map(async (kind) => documents.set(kind, await add(`concept-${kind}.md`, FIRST))));
  });
  afterAll(async () => {
    await app?.stop();
    await data?.stop();
  });

  const send = async <Body>(
    method: string,
    path: string,
    body?: unknown,
    by = people.owner,
  ): Promise<Body> => {
    const answer = await by.request(method, `/api/v1${path}`, body === undefined ? {} : { body });
    if (answer.status >= 300) throw new Error(`${path} was answered ${answer.status}: ${answer.text}`);
    return answer.body as Body;
  };
  const read = (id: string) =>
    until(people.owner, `/api/v1/work-products/${id}`, ({ processing_status }: WorkProduct) =>
      ['completed', 'failed'].includes(processing_status),
    );
  const fileOf = (name: string, bytes: string) => ({ name, type: 'text/markdown', bytes });
  const add = async (name: string, bytes: string): Promise<string> => {
    const { id } = (await uploadWorkProduct(people.owner, workspace, fileOf(name, bytes)))
      .body as WorkProduct;
    await read(id);
    return id;
  };
  const replaceAll = async (bytes: string, kinds: readonly Kind[] = KINDS): Promise<void> => {
    const replace = async (id: string): Promise<void> => {
      const done = await upload(people.owner, fileOf('concept.md', bytes), {
        init: `/api/v1/work-products/${id}/uploads/init`,
        complete: (session) => `/api/v1/work-products/${id}/uploads/${session.upload_id}/complete`,
      });
      expect(done.status).toBeLessThan(300);
      await read(id);
    };
    await Promise.all(kinds.map((kind) => replace(documents.get(kind)!)));
  };
  const analyse = async (path: string, body: object = {}): Promise<GapAnalysisDetail> => {
    const { id } = await send<StartedAnalysis>('POST', path, { workspace_id: workspace, ...body });
    const ended = await until<GapAnalysisDetail>(
      people.owner,
      `/api/v1/analysis/analyses/${id}`,
      ({ status }) => !['queued', 'running'].includes(status),
    );
    expect(ended).toMatchObject({ status: 'completed', error: null });
    return ended;
  };
  const gapOf = (kind: Kind) => send<Gap>('GET', `/analysis/gaps/${gaps.get(kind)}`);
  const change = (kind: Kind, body: object, by: Client) =>
    send<Gap>('PATCH', `/analysis/gaps/${gaps.get(kind)}`, body, by);
  const state = async () =>
    Object.fromEntries(
      await Promise.all(
        KINDS.map(async (kind) => {
          const gap = await gapOf(kind);
          return [
            kind,
            [gap.status, gap.severity, gap.proposals.map((one) => one.kind).join()].join(' ').trim(),
          ];
        }),
      ),
    );

  let severity: Gap['severity'];
  let decided: Record<string, string>;
  test('are made about what was found', async () => {
    await analyse('/compliance/completeness');
    const { items } = await send<{ items: Gap[] }>(
      'GET',
      `/analysis/gaps?workspace_id=${workspace}&type=placeholder&limit=100`,
    );
    for (const [kind, document] of documents) {
      const [own, ...more] = items.filter(({ work_product_id }) => work_product_id === document);
      expect([own?.affected_items, more]).toEqual([['FSR-02'], []]);
      gaps.set(kind, own!.id);
      severity = own!.severity;
    }
    const reason = 'The drive is tested with FSR-02 open.';
    const falsePositive = { status: 'resolved', resolution: 'false_positive', reason };
    await change('accepted', { status: 'accepted', reason }, people.manager);
    await change('false_positive', falsePositive, people.manager);
    const setTo = (kind: Kind, to: string) =>
      send('PUT', `/analysis/gaps/${gaps.get(kind)}/severity`, { severity: to, reason }, people.manager);
    await setTo('severity', 'low');
    await setTo('raised', 'critical');
    await change('proposal', falsePositive, people.engineer);
    // As for a grave gap: the first of two managers.
    await data.asOwner(
      `update gaps set finding = finding || '{"severity": "critical", "asil": "C"}', severity = 'critical' where id = $1`,
      [gaps.get('first')],
    );
    await change('first', { status: 'accepted', reason }, people.manager);
    await send(
      'PATCH',
      '/analysis/gaps',
      { workspace_id: workspace, ids: [gaps.get('bulk')], change: { status: 'accepted', reason } },
      people.manager,
    );
    await change('working', { status: 'in_progress', assignee: people.engineer.userId }, people.engineer);
    decided = await state();
    expect(decided).toMatchObject({
      accepted: `accepted ${severity}`,
      false_positive: `resolved ${severity}`,
      severity: 'open low',
      proposal: `open ${severity} false_positive`,
      first: 'open critical acceptance',
      bulk: `accepted ${severity}`,
      raised: 'open critical',
      working: `in_progress ${severity}`,
    });
  });

  test('hold while the facts are the same, wherever they stand', async () => {
    await replaceAll(MOVED);
    await analyse('/compliance/completeness');
    expect(await state()).toEqual({ ...decided, first: `open ${severity} acceptance` });
    expect((await gapOf('accepted')).previous_decisions).toEqual([]);
  });

  test('end when the same gap is about something else, with a note, an event and the decision that was', async () => {
    await data.asOwner(
      `insert into webhooks (workspace_id, url, events, secret, created_by)
       values ($1, 'https://hooks.example.org/', '{gap.status_changed}', 'secret', $2)`,
      [workspace, people.owner.userId],
    );
    await replaceAll(WORSE);
    const run = await analyse('/compliance/completeness');
    expect(await state()).toEqual({
      accepted: `open ${severity}`,
      false_positive: `open ${severity}`,
      severity: `open ${severity}`,
      proposal: `open ${severity}`,
      first: `open ${severity}`,
      bulk: `open ${severity}`,
      raised: 'open critical',
      working: `in_progress ${severity}`,
    });
    const gap = await gapOf('accepted');
    expect(gap).toMatchObject({
      affected_items: ['FSR-01', 'FSR-02'],
      waiver: null,
      reason: null,
      note: 'The acceptance does not cover what was found since: it is now also about FSR-01; new: timing: FSR-01.',
      previous_decisions: [
        {
          decision: 'accepted',
          reason: 'The drive is tested with FSR-02 open.',
          decided_by: [people.manager.userId],
          analysis_id: run.id,
          changed: ['items', 'defects'],
        },
      ],
    });
    expect((await gapOf('false_positive')).previous_decisions).toMatchObject([
      { decision: 'false_positive', decided_by: [people.manager.userId] },
    ]);
    expect((await gapOf('severity')).previous_decisions).toMatchObject([
      { decision: 'severity', severity: 'low' },
    ]);
    expect((await gapOf('proposal')).previous_decisions).toMatchObject([
      { decision: 'proposal', decided_by: [people.engineer.userId] },
    ]);
    const { items } = await send<{ items: HistoryEntry[] }>(
      'GET',
      `/analysis/gaps/${gap.id}/history?type=change`,
    );
    expect(items[0]).toMatchObject({ action: 'gap.reopened', actor: null, analysis_id: run.id });
    const told = await data.asOwner(
      `select from workspace_events where workspace_id = $1 and type = 'gaps_changed' and data -> 'gap_ids' ? $2
         and data -> 'actions' ? 'gap.reopened'`,
      [workspace, gap.id],
    );
    expect(told).toHaveLength(1);
    const deliveries = await data.asOwner<{ data: { gap_id: string } }>(
      "select data from webhook_deliveries where event = 'gap.status_changed'",
    );
    const sent = new Map(deliveries.map((one) => [one.data.gap_id, one.data]));
    expect(sent.get(gap.id)).toMatchObject({ analysis_id: run.id, from: 'accepted', to: 'open' });
    expect(new Set(sent.keys())).toEqual(
      new Set((['accepted', 'false_positive', 'bulk'] as const).map((kind) => gaps.get(kind))),
    );
    // A second manager cannot agree to what is not there any more.
    expect((await gapOf('first')).acceptance_pending).toBe(false);
  });

  test('made again, cover what is left when a part is mended, and nothing else that opens', async () => {
    const reason = 'Both are tested.';
    const accepted = await change('accepted', { status: 'accepted', reason }, people.manager);
    expect(accepted.previous_decisions).toEqual([]);
    await replaceAll(FIRST, ['accepted']);
    await analyse('/compliance/completeness');
    expect(await gapOf('accepted')).toMatchObject({ status: 'accepted', affected_items: ['FSR-02'] });
    await replaceAll(WORSE.replace('| latched |', '| TBD |'), ['accepted']);
    await analyse('/compliance/completeness');
    expect(await gapOf('accepted')).toMatchObject({
      status: 'open',
      note: expect.stringContaining('new: safe_state: FSR-01'),
    });
  });

  test('about gaps of a standard end alike', async () => {
    await replaceAll(FIRST, ['accepted']);
    await analyse('/analysis/gaps', { standard_id: standard, work_product_ids: [documents.get('accepted')] });
    const list = await send<{ items: Gap[] }>(
      'GET',
      `/analysis/gaps?workspace_id=${workspace}&analysis_type=gap_analysis&change=new&limit=100`,
    );
    const about = list.items.filter(({ observed }) => observed.includes('FSR-02'));
    expect(about.map(({ type }) => type)).toContain('partial_content');
    for (const { id } of about) {
      await send(
        'PATCH',
        `/analysis/gaps/${id}`,
        { status: 'accepted', reason: 'For FSR-02 only.' },
        people.manager,
      );
    }
    const statuses = async () =>
      Promise.all(about.map(async ({ id }) => (await send<Gap>('GET', `/analysis/gaps/${id}`)).status));
    for (const [text, status] of [
      [MOVED, 'accepted'],
      [WORSE, 'open'],
    ] as const) {
      await replaceAll(text, ['accepted']);
      await analyse('/analysis/gaps', {
        standard_id: standard,
        work_product_ids: [documents.get('accepted')],
      });
      expect(await statuses()).toEqual(about.map(() => status));
    }
  });
});
