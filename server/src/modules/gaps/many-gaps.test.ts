import type { Finding } from '@normtrace/engine';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { finished } from '../../testing/isolation/analysis.rows.js';
import { type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { changeManyGaps } from './change-many-gaps.js';
import type { StartedGapsChange } from './many-gaps.schemas.js';

const CHANGES = '/api/v1/analysis/gap-changes';
const ACCEPT = { status: 'accepted', reason: 'Prototypes on closed roads only.' };

describe('a change of very many gaps', () => {
  let data: TestDatabase;
  let app: TestApp;
  let workspace: string;
  const people: Record<'owner' | 'manager' | 'leaver' | 'engineer', Client> = {} as never;
  const gaps: string[] = [];

  beforeAll(async () => {
    data = await createTestDatabase();
    app = await startTestApp(data);
    for (const name of ['owner', 'manager', 'leaver', 'engineer'] as const) people[name] = await app.signUp();
    workspace = await data.createWorkspace(people.owner);
    const roles = { manager: 'manager', leaver: 'manager', engineer: 'engineer' } as const;
    for (const [name, role] of Object.entries(roles)) {
      await data.asOwner('insert into workspace_members (workspace_id, user_id, role) values ($1, $2, $3)', [
        workspace,
        people[name as keyof typeof roles].userId,
        role,
      ]);
    }
    const grave: Partial<Finding> = { severity: 'critical', asil: 'D' };
    for (const more of [{}, {}, {}, grave]) {
      const place = { workspaceId: workspace, owner: people.owner };
      gaps.push((await finished({ database: data }, place, more)).gapId);
    }
    // Nobody accepts a grave gap that they look after themselves.
    await people.manager.request('PATCH', `/api/v1/analysis/gaps/${gaps[3]}`, {
      body: { assignee: people.manager.userId },
    });
    await people.manager.request('PATCH', `/api/v1/analysis/gaps/${gaps[0]}`, {
      body: { status: 'in_progress', due_date: '2031-05-05' },
    });
  });
  afterAll(async () => {
    await app?.stop();
    await data?.stop();
  });

  const start = async (by: Client, change: object, total = gaps.length) => {
    const body = { workspace_id: workspace, filter: {}, expected_total: total, change };
    return by.request('POST', CHANGES, { body });
  };
  const started = async (by: Client, change: object): Promise<StartedGapsChange> => {
    const answer = await start(by, change);
    expect([answer.status, answer.text.slice(0, 300)]).toEqual([202, expect.any(String)]);
    return answer.body as StartedGapsChange;
  };
  const run = ({ id }: StartedGapsChange): Promise<void> =>
    changeManyGaps(app.dependencies)(
      { workspaceId: workspace, changeId: id },
      { jobId: 'job', signal: new AbortController().signal },
    );
  const read = async (by: Client, { id }: StartedGapsChange): Promise<StartedGapsChange> =>
    (await by.request('GET', `${CHANGES}/${id}`)).body as StartedGapsChange;
  const decided = (): Promise<unknown> =>
    data.asOwner(
      `select id, status, assignee, due_date, resolution, reason, accepted_until from gaps where workspace_id = $1 order by id`,
      [workspace],
    );

  it('is made by a job as whoever asked, without those that cannot be changed, and is taken back', async () => {
    const before = await decided();
    const change = await started(people.manager, ACCEPT);
    expect(change).toMatchObject({ status: 'queued', total: 4, done: 0 });
    await run(change);
    const after = await read(people.manager, change);
    expect(after).toMatchObject({ status: 'completed', done: 4, changed: 3, refused: 1, undone_by: null });
    expect(after.refusal).toMatch(/assignee|look after/i);
    const german = await people.manager.request('GET', `${CHANGES}/${change.id}`, {
      headers: { 'accept-language': 'de' },
    });
    expect((german.body as StartedGapsChange).refusal).toMatch(/zwei Manager/);
    const told = await data.asOwner<{ actor_id: string; request_id: string }>(
      `select actor_id, request_id from audit_events where action = 'gap.status_changed' and target_id = $1 order by sequence desc limit 1`,
      [gaps[0]],
    );
    const [asked] = await data.asOwner<{ request_id: string }>(
      'select request_id from gap_changes where id = $1',
      [change.id],
    );
    expect(told).toEqual([{ actor_id: people.manager.userId, ...asked }]);
    // Delivered twice: nothing happens again.
    await run(change);
    expect(await read(people.manager, change)).toEqual(after);
    const back = await people.manager.request('POST', `${CHANGES}/${change.id}/undo`);
    expect(back.status).toBe(202);
    await run(back.body as StartedGapsChange);
    expect(await decided()).toEqual(before);
    expect((await read(people.manager, change)).undone_by).toBe((back.body as StartedGapsChange).id);
    expect((await people.manager.request('POST', `${CHANGES}/${change.id}/undo`)).status).toBe(409);
  });

  it('ends where whoever asked may not change gaps any more, and changes nothing then', async () => {
    const before = await decided();
    const change = await started(people.leaver, { status: 'resolved' });
    await data.asOwner(`update workspace_members set role = 'viewer' where user_id = $1`, [
      people.leaver.userId,
    ]);
    await run(change);
    const [row] = await data.asOwner('select status, done, error from gap_changes where id = $1', [
      change.id,
    ]);
    expect(row).toEqual({ status: 'failed', done: 0, error: expect.stringContaining('may no longer') });
    expect(await decided()).toEqual(before);
  });

  it('asks of an engineer what it asks for one gap', async () => {
    const change = await started(people.engineer, ACCEPT);
    await run(change);
    expect(await read(people.engineer, change)).toMatchObject({
      status: 'completed',
      changed: 0,
      refused: 4,
    });
  });

  it('is stopped, and begins for what was seen only', async () => {
    const change = await started(people.manager, { status: 'resolved' });
    const stopped = await people.manager.request('POST', `${CHANGES}/${change.id}/stop`);
    expect([stopped.status, (stopped.body as StartedGapsChange).status]).toEqual([200, 'stopped']);
    const before = await decided();
    await run(change);
    expect(await decided()).toEqual(before);
    expect((await people.manager.request('POST', `${CHANGES}/${change.id}/undo`)).status).toBe(409);
    expect((await start(people.manager, { status: 'open' }, 3)).status).toBe(409);
    const stranger = await start(people.manager, { assignee: change.id });
    expect(stranger.status).toBe(422);
    const list = await people.manager.request('GET', `${CHANGES}?workspace_id=${workspace}`);
    expect((list.body as { items: StartedGapsChange[] }).items[0]).toMatchObject({ id: change.id });
  });
});
