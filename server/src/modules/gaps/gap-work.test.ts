import { randomUUID } from 'node:crypto';
import type { Finding } from '@normtrace/engine';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { finished } from '../../testing/isolation/analysis.rows.js';
import { type Answer, type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import type { Overview } from '../overview/overview.schemas.js';
import { endAcceptances } from './end-acceptances.js';
import type { HistoryEntry } from './gap-history.schemas.js';
import type { Gap } from './gaps.schemas.js';

const GRAVE: Partial<Finding> = { severity: 'critical', asil: 'D' };
const HOUR = 3_600_000;

describe('work on gaps', () => {
  let data: TestDatabase;
  let app: TestApp;
  let workspace: string;
  /** The service's clock: as long before or after the real one. */
  let shift = 0;
  const clock = () => new Date(Date.now() + shift);
  const people: Record<'owner' | 'first' | 'second' | 'engineer' | 'viewer' | 'stranger', Client> =
    {} as never;

  beforeAll(async () => {
    data = await createTestDatabase();
    app = await startTestApp(data, { clock, environment: { ACCESS_TOKEN_EXPIRE_MINUTES: '1440' } });
    for (const name of ['owner', 'first', 'second', 'engineer', 'viewer', 'stranger'] as const) {
      people[name] = await app.signUp();
    }
    workspace = await data.createWorkspace(people.owner);
    const roles = { first: 'manager', second: 'manager', engineer: 'engineer', viewer: 'viewer' } as const;
    for (const [name, role] of Object.entries(roles)) {
      await data.asOwner('insert into workspace_members (workspace_id, user_id, role) values ($1, $2, $3)', [
        workspace,
        people[name as keyof typeof roles].userId,
        role,
      ]);
    }
  });
  afterAll(async () => {
    await app?.stop();
    await data?.stop();
  });
  beforeEach(() => {
    shift = 0;
  });

  const make = async (more: Partial<Finding> = {}) =>
    finished({ database: data }, { workspaceId: workspace, owner: people.owner }, more);
  const pathOf = (gapId: string) => `/api/v1/analysis/gaps/${gapId}`;
  const read = async (gapId: string): Promise<Gap> =>
    (await people.viewer.request('GET', pathOf(gapId))).body as Gap;
  const change = (by: Client, gapId: string, body: object, headers = {}): Promise<Answer> =>
    by.request('PATCH', pathOf(gapId), { body, headers });
  const list = async (query: string, by = people.viewer): Promise<string[]> => {
    const answer = await by.request(
      'GET',
      `/api/v1/analysis/gaps?workspace_id=${workspace}&limit=100&${query}`,
    );
    if (answer.status !== 200) throw new Error(answer.text);
    return (answer.body as { items: Gap[] }).items.map(({ id }) => id);
  };
  const historyOf = async (gapId: string): Promise<HistoryEntry[]> =>
    (
      (await people.viewer.request('GET', `${pathOf(gapId)}/history?limit=100`)).body as {
        items: HistoryEntry[];
      }
    ).items;
  const errorOf = ({ status, body }: Answer) => {
    const { error } = body as { error: { code: string; details: Record<string, unknown> } };
    return [status, error.code, error.details];
  };
  const accept = { status: 'accepted', reason: 'Prototypes on closed roads only.' };

  test('who may do what follows the roles, and strangers see nothing', async () => {
    const { gapId } = await make();
    const falsePositive = { status: 'resolved', resolution: 'false_positive', reason: 'No such part.' };
    const answers = async (body: object) =>
      Promise.all(
        [people.viewer, people.engineer, people.stranger].map(
          async (by) => (await change(by, gapId, body)).status,
        ),
      );
    expect(await answers(accept)).toEqual([403, 403, 404]);
    expect(await answers({ due_date: '2026-12-24' })).toEqual([403, 200, 404]);
    expect(await answers(falsePositive)).toEqual([403, 200, 404]);
    expect(await read(gapId)).toMatchObject({
      status: 'open',
      due_date: '2026-12-24',
      proposals: [{ kind: 'false_positive', proposed_by: people.engineer.userId }],
    });
    const severity = (by: Client) =>
      by.request('PUT', `${pathOf(gapId)}/severity`, { body: { severity: 'high', reason: 'Worse here.' } });
    expect((await severity(people.viewer)).status).toBe(403);
    expect((await severity(people.engineer)).body).toMatchObject({
      severity: 'low',
      severity_override: null,
    });
    expect(await list('proposal=severity')).toContain(gapId);
    expect((await severity(people.first)).body).toMatchObject({
      severity: 'high',
      severity_original: 'low',
      severity_override: { reason: 'Worse here.', overridden_by: people.first.userId },
    });
    const comment = (by: Client) =>
      by.request('POST', `${pathOf(gapId)}/comments`, { body: { text: 'Seen.' } });
    expect(
      (await Promise.all([people.viewer, people.stranger].map(comment))).map(({ status }) => status),
    ).toEqual([403, 404]);
    expect((await people.stranger.request('GET', `${pathOf(gapId)}/history`)).status).toBe(404);
  });

  test('two managers accept what is critical on ASIL D, one after the other, neither of them the assignee', async () => {
    const { gapId } = await make(GRAVE);
    await change(people.engineer, gapId, { assignee: people.first.userId });
    expect(errorOf(await change(people.first, gapId, accept))).toEqual([
      403,
      'AUTHORIZATION_ERROR',
      { reason: 'is_assignee' },
    ]);
    await change(people.engineer, gapId, { assignee: people.engineer.userId });
    const terms = { ...accept, owner: people.engineer.userId, accepted_until: '2098-01-01T00:00:00Z' };
    const once = (await change(people.first, gapId, terms)).body as Gap;
    expect(once).toMatchObject({ status: 'open', acceptance_pending: true, waiver: null });
    const proposal = `${pathOf(gapId)}/proposals/${once.proposals[0]?.id}`;
    const approve = (by: Client) => by.request('PATCH', proposal, { body: { decision: 'approve' } });
    expect(errorOf(await approve(people.first))).toEqual([
      403,
      'AUTHORIZATION_ERROR',
      { reason: 'second_person_required' },
    ]);
    expect((await approve(people.engineer)).status).toBe(403);
    expect((await approve(people.second)).body).toMatchObject({
      status: 'accepted',
      acceptance_pending: false,
      reason: accept.reason,
      accepted_until: '2098-01-01T00:00:00.000Z',
      waiver: { owner: people.engineer.userId, accepted_by: [people.first.userId, people.second.userId] },
    });
    expect(errorOf(await approve(people.second))).toEqual([409, 'CONFLICT', { outcome: 'approved' }]);
    expect(await list('waived=true')).toContain(gapId);
  });

  test('of many managers at once exactly two accept, in either order', async () => {
    const { gapId } = await make(GRAVE);
    const answers = await Promise.all(
      [people.first, people.second, people.first, people.second].map((by) => change(by, gapId, accept)),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const { status, waiver, proposals } = await read(gapId);
    expect(status).toBe('accepted');
    expect([...(waiver?.accepted_by ?? [])].sort()).toEqual(
      [people.first.userId, people.second.userId].sort(),
    );
    expect(proposals.length).toBeLessThanOrEqual(1);
  });

  test('of many changes that were read together only the first one happens', async () => {
    const { gapId } = await make();
    const etag = (await people.engineer.request('GET', pathOf(gapId))).headers.get('etag') ?? '';
    const answers = await Promise.all(
      [people.first, people.second, people.engineer].map((by) =>
        change(by, gapId, { status: 'in_progress', assignee: by.userId }, { 'if-match': etag }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412]);
    const winner = answers.find(({ status }) => status === 200);
    const fresh = await people.viewer.request('GET', pathOf(gapId));
    expect([fresh.headers.get('etag'), fresh.body]).toEqual([winner?.headers.get('etag'), winner?.body]);
  });

  test('an acceptance ends by the clock: for readers at once, and written down by the service', async () => {
    const { gapId } = await make();
    const until = new Date(Date.now() + HOUR).toISOString();
    await change(people.first, gapId, { ...accept, accepted_until: until });
    expect(await list('status=accepted')).toContain(gapId);
    shift = 2 * HOUR;
    const note = `The acceptance ended on ${until.slice(0, 10)}.`;
    const open = { status: 'open', note, reason: null, accepted_until: null, waiver: null };
    expect(await read(gapId)).toMatchObject(open);
    expect([await list('status=accepted'), await list('waived=true')].flat()).not.toContain(gapId);
    expect(await list('status=open')).toContain(gapId);
    const stored = () => data.asOwner<{ status: string }>('select status from gaps where id = $1', [gapId]);
    expect(await stored()).toEqual([{ status: 'accepted' }]);

    const handle = endAcceptances(app.dependencies);
    const context = { jobId: 'test', signal: new AbortController().signal };
    shift = 0;
    await handle({ workspaceId: workspace, until }, context);
    expect(await stored()).toEqual([{ status: 'accepted' }]);
    shift = 2 * HOUR;
    await handle({ workspaceId: workspace, until }, context);
    await handle({ workspaceId: workspace, until }, context);
    expect(await stored()).toEqual([{ status: 'open' }]);
    expect(await read(gapId)).toMatchObject(open);
    const reopened = (await historyOf(gapId)).filter(({ action }) => action === 'gap.reopened');
    expect(reopened).toMatchObject([
      { actor: null, before: { status: 'accepted' }, after: { status: 'open' } },
    ]);
    const events = await data.asOwner(
      `select from workspace_events where workspace_id = $1 and type = 'gaps_changed' and data -> 'gap_ids' ? $2
         and data -> 'actions' ? 'gap.reopened'`,
      [workspace, gapId],
    );
    expect(events).toHaveLength(1);
  });

  test('the queue is asked to look when the acceptance ends, and on the way there', async () => {
    const waiting = (gapId: string) =>
      data.asOwner<{ days: number }>(
        `select round(extract(epoch from j.start_after - j.created_on) / 86400)::int as days
         from pgboss.job j join gaps g on g.id = $1 and g.accepted_until = (j.data ->> 'until')::timestamptz
         where j.name = 'gaps.end-acceptances'`,
        [gapId],
      );
    const until = (days: number) => new Date(Date.now() + days * 24 * HOUR).toISOString();
    const near = await make();
    await change(people.first, near.gapId, { ...accept, accepted_until: until(3) });
    await change(people.engineer, near.gapId, { due_date: '2026-12-24' });
    expect(await waiting(near.gapId)).toEqual([{ days: 3 }]);
    const far = await make();
    await change(people.first, far.gapId, { ...accept, accepted_until: until(900) });
    expect(await waiting(far.gapId)).toEqual([{ days: 7 }]);
  });

  test('a worker opens it by itself, without a run', async () => {
    const working = await startTestApp(data, { work: true });
    try {
      const { gapId } = await make();
      const until = new Date(Date.now() + 1500).toISOString();
      await change(people.first, gapId, { ...accept, accepted_until: until });
      const stored = () => data.asOwner<{ status: string }>('select status from gaps where id = $1', [gapId]);
      expect(await stored()).toEqual([{ status: 'accepted' }]);
      await expect.poll(stored, { timeout: 30_000 }).toEqual([{ status: 'open' }]);
    } finally {
      await working.stop();
    }
  });

  test('filters: due, overdue, mine, of nobody, by the severity that counts and the original', async () => {
    const { gapId } = await make();
    const other = await make();
    const [today, yesterday] = [0, 24].map((hours) =>
      new Date(Date.now() - hours * HOUR).toISOString().slice(0, 10),
    );
    await change(people.engineer, gapId, { assignee: people.engineer.userId, due_date: today });
    expect(await list('overdue=true')).not.toContain(gapId);
    await change(people.engineer, gapId, { due_date: yesterday });
    expect((await read(gapId)).overdue).toBe(true);
    const overview = async () => {
      const answer = await people.viewer.request(
        'GET',
        `/api/v1/analysis/overview?workspace_id=${workspace}`,
      );
      expect([answer.status, answer.text]).toEqual([200, answer.text]);
      return answer.body as Overview;
    };
    const before = await overview();
    expect(before.gaps.overdue).toBeGreaterThan(0);
    for (const [query, found, by] of [
      ['overdue=true', true, people.viewer],
      ['overdue=false', false, people.viewer],
      ['assignee=me', true, people.engineer],
      ['assignee=me', false, people.viewer],
      [`assignee=${people.engineer.userId}`, true, people.viewer],
      ['assignee=none', false, people.viewer],
      [`due_from=${yesterday}&due_to=${yesterday}`, true, people.viewer],
      ['due_to=2020-01-01', false, people.viewer],
    ] as const) {
      const ids = await list(query, by);
      expect([query, ids.includes(gapId)]).toEqual([query, found]);
    }
    expect(await list('assignee=none')).toContain(other.gapId);
    const body = { severity: 'critical', reason: 'Worse here.' };
    await people.first.request('PUT', `${pathOf(gapId)}/severity`, { body });
    expect(await list('severity=critical')).toContain(gapId);
    expect(await list('severity=low')).not.toContain(gapId);
    expect(await list('severity_original=low')).toContain(gapId);
    const after = await overview();
    expect((after.gaps.by_severity.critical ?? 0) - (before.gaps.by_severity.critical ?? 0)).toBe(1);
    await change(people.engineer, gapId, { status: 'resolved' });
    expect(await list('overdue=true')).not.toContain(gapId);
    expect(await list('resolution=fixed')).toContain(gapId);
  });

  test('the history has everything, newest first, and the database lets nobody change it', async () => {
    const { gapId, id } = await make();
    await change(people.engineer, gapId, { status: 'in_progress' });
    const comment = await people.engineer.request('POST', `${pathOf(gapId)}/comments`, {
      body: { text: 'Seen.' },
    });
    const commentId = (comment.body as { id: string }).id;
    await people.engineer.request('PUT', `${pathOf(gapId)}/severity`, {
      body: { severity: 'high', reason: 'Worse.' },
    });
    const [proposal] = (await read(gapId)).proposals;
    await people.first.request('PATCH', `${pathOf(gapId)}/proposals/${proposal?.id}`, {
      body: { decision: 'reject', reason: 'It is not.' },
    });
    const back = (by: Client) => by.request('DELETE', `${pathOf(gapId)}/comments/${commentId}`);
    expect([(await back(people.first)).status, (await back(people.engineer)).status]).toEqual([403, 204]);
    expect((await back(people.engineer)).status).toBe(404);
    const history = await historyOf(gapId);
    expect(history.map(({ type, action, change: of, text }) => [type, action ?? of ?? text])).toEqual([
      ['change', 'gap.comment_deleted'],
      ['change', 'gap.proposal_rejected'],
      ['change', 'gap.severity_proposed'],
      ['comment', null],
      ['change', 'gap.status_changed'],
      ['run', 'new'],
    ]);
    expect(history).toMatchObject([
      { actor: people.engineer.userId, after: { comment_id: commentId } },
      { actor: people.first.userId, reason: 'It is not.' },
      {
        actor: people.engineer.userId,
        reason: 'Worse.',
        after: { severity: 'low', proposal: { severity: 'high' } },
      },
      { id: commentId, actor: people.engineer.userId },
      { before: { status: 'open' }, after: { status: 'in_progress' } },
      { analysis_id: id, severity: 'low' },
    ]);
    const refused = (statement: string, ...values: string[]) =>
      expect(data.asOwner(statement, values)).rejects.toThrow(/append-only|not edited|decided once/);
    await refused("update comments set text = 'Other.', deleted_at = null where id = $1", commentId);
    await refused('update gap_proposals set outcome = null where id = $1', proposal?.id ?? '');
    await refused('delete from audit_events where target_id = $1', gapId);
  });

  describe('many at once', () => {
    const changeMany = (by: Client, body: object): Promise<Answer> =>
      by.request('PATCH', '/api/v1/analysis/gaps', { body: { workspace_id: workspace, ...body } });

    test('all are changed, each with its audit event, and those that need a second manager wait', async () => {
      const [small, grave] = [await make(), await make(GRAVE)];
      const ids = [grave.gapId, small.gapId];
      const answer = await changeMany(people.first, { ids, change: accept });
      const nothing = {
        resolution: null,
        assignee: null,
        due_date: null,
        reason: null,
        accepted_until: null,
      };
      const before = { status: 'open', ...nothing };
      expect(answer.body).toEqual({
        changed: 2,
        proposed: 1,
        items: [
          { id: grave.gapId, status: 'open', severity: 'critical', acceptance_pending: true, before },
          { id: small.gapId, status: 'accepted', severity: 'low', acceptance_pending: false, before },
        ],
      });
      const events = await data.asOwner<{ target_id: string; action: string }>(
        'select target_id, action from audit_events where request_id = $1 order by action',
        [answer.headers.get('x-request-id')],
      );
      expect(events).toEqual([
        { target_id: grave.gapId, action: 'gap.acceptance_proposed' },
        { target_id: small.gapId, action: 'gap.status_changed' },
      ]);
    });

    test('none is changed when one cannot be, and each error is told', async () => {
      const [free, mine] = [await make(GRAVE), await make(GRAVE)];
      await change(people.engineer, mine.gapId, { assignee: people.first.userId });
      const absent = randomUUID();
      const elsewhere = await data.createWorkspace(people.stranger);
      const foreign = await finished({ database: data }, { workspaceId: elsewhere, owner: people.stranger });
      const ids = [free.gapId, mine.gapId, absent, foreign.gapId];
      const [status, code, details] = errorOf(await changeMany(people.first, { ids, change: accept }));
      expect([status, code]).toEqual([422, 'VALIDATION_ERROR']);
      expect(details).toMatchObject({
        items: [
          { id: mine.gapId, code: 'AUTHORIZATION_ERROR' },
          { id: absent, code: 'NOT_FOUND', message: 'No such gap.' },
          { id: foreign.gapId, code: 'NOT_FOUND', message: 'No such gap.' },
        ],
      });
      expect((await read(free.gapId)).acceptance_pending).toBe(false);
      const refused = errorOf(
        await changeMany(people.engineer, { ids: [free.gapId, mine.gapId], change: accept }),
      );
      expect(refused[0]).toBe(403);
    });

    test('what was changed after it was read is not changed', async () => {
      const [one, other] = [await make(), await make()];
      const unchanged_since = new Date().toISOString();
      await change(people.engineer, other.gapId, { status: 'in_progress' });
      const body = { ids: [one.gapId, other.gapId], unchanged_since, change: { status: 'resolved' } };
      const [status, , details] = errorOf(await changeMany(people.engineer, body));
      expect([status, details]).toMatchObject([412, { items: [{ id: other.gapId }] }]);
      expect((await read(one.gapId)).status).toBe('open');
    });

    test('a filter means what the caller saw, and thousands are changed at once', async () => {
      const run = await make();
      const found = { ...GRAVE, severity: 'medium', title: 'One of a thousand' };
      await data.asOwner(
        `with made as (
         insert into gaps (workspace_id, analysis_type, series, standard_id, fingerprint, change, kind, criterion_id,
                           clause, title, severity, confidence, finding)
         select $1, 'gap_analysis', 'gap_analysis:' || $2, $2::uuid, n::text, 'new', 'missing', 'C', '1', 'One of a thousand',
                'medium', 'low', $4::jsonb || jsonb_build_object('fingerprint', n::text, 'kind', 'missing')
         from generate_series(1, 5000) n returning id)
         insert into gap_sightings (workspace_id, gap_id, analysis_id) select $1, id, $3 from made`,
        [
          workspace,
          run.standardId,
          run.id,
          JSON.stringify({ ...found, observed: '', severityReasons: [], affectedItems: [] }),
        ],
      );
      const filter = { search: 'one of a thousand', standard_id: run.standardId };
      const wanted = { filter, change: { ...accept, accepted_until: '2098-01-01T00:00:00Z' } };
      expect((await changeMany(people.first, { ...wanted, expected_total: 4999 })).status).toBe(409);
      const started = performance.now();
      const answer = await changeMany(people.first, { ...wanted, expected_total: 5000 });
      expect([answer.status, (answer.body as { changed: number }).changed]).toEqual([200, 5000]);
      // Some seconds: not a statement for each.
      expect(performance.now() - started).toBeLessThan(45_000);
      const [{ count }] = (await data.asOwner<{ count: number }>(
        'select count(*)::int from audit_events where request_id = $1',
        [answer.headers.get('x-request-id')],
      )) as [{ count: number }];
      expect(count).toBe(5000);
      expect((await changeMany(people.first, { filter, change: accept })).status).toBe(422);
      const tooMany = await changeMany(people.first, { ...wanted, expected_total: 5001 });
      expect([tooMany.status, tooMany.text]).toEqual([
        422,
        expect.stringContaining('POST /analysis/gap-changes'),
      ]);
    });
  });
});
