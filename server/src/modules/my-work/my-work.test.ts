import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FilledApp, startFilledApp } from '../../testing/filled-app.js';
import type { Client, TestApp } from '../../testing/test-app.js';
import { upload } from '../../testing/upload.js';
import type { Activity } from '../activity/activity.schemas.js';
import type { Gap } from '../gaps/gaps.schemas.js';
import type { ListedWorkspace } from '../workspaces/workspaces.schemas.js';
import type { Work, WorkItem } from './my-work.schemas.js';

let started: FilledApp | undefined;
let app: TestApp;
let owner: Client;
let engineer: Client;
let manager: Client;
let stranger: Client;
let workspace: string;
let documents: { readonly marked: string; readonly other: string };

beforeAll(async () => {
  started = await startFilledApp();
  ({ app, owner, engineer, manager } = started);
  ({ workspace, documents } = started.filled);
  stranger = await app.enter();
}, 300_000);
afterAll(async () => {
  await started?.stop();
});

async function get<Body>(client: Client, path: string, headers = {}): Promise<Body> {
  const { status, text, body } = await client.request('GET', `/api/v1${path}`, { headers });
  expect([path, status, status === 200 ? '' : text]).toEqual([path, 200, '']);
  return body as Body;
}
async function send(client: Client, method: string, path: string, body: unknown): Promise<void> {
  const { status, text } = await client.request(method, `/api/v1${path}`, { body });
  expect([path, status < 300 ? '' : text]).toEqual([path, '']);
}
const workOf = (client: Client): Promise<Work> => get<Work>(client, '/me/work');
const ofKind = ({ waiting }: Work, kind: string): readonly WorkItem[] =>
  waiting.filter((one) => one.kind === kind);
const assigned = async (): Promise<WorkItem> => ofKind(await workOf(engineer), 'assigned')[0]!;

describe('what waits for a person', () => {
  it('is nothing for somebody who is in no workspace', async () => {
    const { waiting, counts } = await workOf(stranger);
    expect([waiting, Object.values(counts).every((count) => count === 0)]).toEqual([[], true]);
  });

  it('is a gap that was assigned, overdue once its day is over, gone once it is done', async () => {
    const { id, ...rest } = await assigned();
    expect(rest).toMatchObject({
      workspace_id: workspace,
      workspace_name: 'Filled',
      due_date: null,
      overdue: false,
    });
    expect((await workOf(manager)).counts.assigned).toBe(0);
    await send(manager, 'PATCH', `/analysis/gaps/${id}`, { due_date: '2020-02-29' });
    expect(await assigned()).toMatchObject({ due_date: '2020-02-29', overdue: true });
    expect((await workOf(engineer)).counts).toMatchObject({ assigned: 1, overdue: 1 });
    await send(engineer, 'PATCH', `/analysis/gaps/${id}`, { status: 'resolved' });
    expect((await workOf(engineer)).counts).toMatchObject({ assigned: 0, overdue: 0 });
    await send(engineer, 'PATCH', `/analysis/gaps/${id}`, { status: 'in_progress' });
  });

  it('is what somebody else proposed, for whoever may decide it', async () => {
    const { id } = await assigned();
    await send(engineer, 'PUT', `/analysis/gaps/${id}/severity`, { severity: 'low', reason: 'No harm.' });
    expect(ofKind(await workOf(manager), 'proposal').map((one) => one.id)).toEqual([id]);
    expect(ofKind(await workOf(owner), 'proposal').map((one) => one.id)).toEqual([id]);
    expect((await workOf(engineer)).counts.proposal).toBe(0);
    await send(manager, 'PUT', `/analysis/gaps/${id}/severity`, { severity: null, reason: 'It stays.' });
    expect((await workOf(manager)).counts.proposal).toBe(0);
  });

  it('is an acceptance that ends within thirty days, and none that ends later', async () => {
    const { items } = await get<{ items: Gap[] }>(
      owner,
      `/analysis/gaps?workspace_id=${workspace}&severity=low,medium&limit=2`,
    );
    const until = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();
    for (const [at, days] of [5, 90].entries()) {
      await send(manager, 'PATCH', `/analysis/gaps/${items[at]!.id}`, {
        status: 'accepted',
        reason: 'Known.',
        accepted_until: until(days),
        owner: engineer.userId,
      });
    }
    for (const client of [manager, engineer]) {
      const ending = ofKind(await workOf(client), 'acceptance_ending');
      expect(ending.map(({ id, due_date }) => [id, due_date])).toEqual([
        [items[0]!.id, until(5).slice(0, 10)],
      ]);
    }
    expect((await workOf(owner)).counts.acceptance_ending).toBe(0);
  });

  it('is an answer about a document that says something else by now', async () => {
    expect((await workOf(owner)).counts.checklist_review).toBe(0);
    const path = `/api/v1/work-products/${documents.marked}/uploads`;
    const { status } = await upload(
      owner,
      { name: 'wombat concept.md', type: 'text/markdown', bytes: '# Functional safety concept\n\nNothing.' },
      { init: `${path}/init`, complete: ({ upload_id }) => `${path}/${upload_id}/complete` },
    );
    expect(status).toBeLessThan(300);
    const [item] = ofKind(await workOf(owner), 'checklist_review');
    expect(item).toMatchObject({ label: 'USR-A', workspace_id: workspace });
    expect((await workOf(engineer)).counts.checklist_review).toBe(0);
  });

  it('tells somebody who may not read a standard nothing of its words', async () => {
    const { items } = await get<{ items: { id: string; name: string }[] }>(
      owner,
      `/standards?workspace_id=${workspace}`,
    );
    const house = items.find(({ name }) => name === 'House rules')!;
    const { items: gaps } = await get<{ items: Gap[] }>(owner, `/analysis/gaps?standard_id=${house.id}`);
    const secret = gaps.find(({ status }) => status === 'open' || status === 'in_progress')!;
    await send(manager, 'PATCH', `/analysis/gaps/${secret.id}`, { assignee: engineer.userId });
    const seen = async () =>
      ofKind(await workOf(engineer), 'assigned').find(({ id }) => id === secret.id)!.text;
    expect(await seen()).toBe(secret.title);
    await send(owner, 'PATCH', `/standards/${house.id}/attest`, {
      licence_type: 'own_document',
      licence_holder: 'Me',
      allows_workspace_sharing: false,
    });
    expect(await seen()).not.toContain(secret.title);
    expect((await app.anyone.request('GET', '/api/v1/me/work')).status).toBe(401);
    const told = await get<{ items: Activity[] }>(
      engineer,
      `/workspaces/${workspace}/activity?type=gap&limit=100`,
    );
    expect(JSON.stringify(told)).not.toContain(secret.title);
  });
});

describe('what was done in a workspace', () => {
  const activity = (client: Client, more = ''): Promise<{ items: Activity[]; total: number }> =>
    get(client, `/workspaces/${workspace}/activity?limit=100${more}`);

  it('names who did what to which thing, newest first', async () => {
    const { items } = await activity(engineer);
    const [first, second] = items;
    expect(first!.created_at >= second!.created_at).toBe(true);
    const uploaded = items.find(({ action, version }) => action === 'work_product.uploaded' && version === 2);
    expect(uploaded).toMatchObject({
      label: 'wombat concept',
      object_id: documents.marked,
      actor: { id: owner.userId },
    });
    const types = new Set(items.map(({ type }) => type));
    expect([...types].sort()).toEqual(
      expect.arrayContaining([
        'analysis',
        'checklist',
        'gap',
        'member',
        'report',
        'standard',
        'trace',
        'work_product',
      ]),
    );
    expect(items.find(({ action }) => action === 'checklist.answered')).toMatchObject({ label: 'USR-A' });
    expect(items.filter(({ actor }) => actor === null)).toEqual([]);
    expect(JSON.stringify(items)).not.toContain('No harm.');
  });

  it('is filtered by type and person, and goes on from page to page without a gap', async () => {
    const { items: gaps } = await activity(owner, '&type=gap');
    expect(new Set(gaps.map(({ type }) => type))).toEqual(new Set(['gap']));
    const { items: mine } = await activity(owner, `&actor_id=${engineer.userId}`);
    expect(new Set(mine.map(({ actor }) => actor!.id))).toEqual(new Set([engineer.userId]));
    const all = (await activity(owner)).items.map(({ id }) => id);
    const read: string[] = [];
    for (let cursor = ''; cursor !== 'end'; ) {
      const page = await get<{ items: Activity[]; next_cursor: string | null }>(
        owner,
        `/workspaces/${workspace}/activity?limit=7${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
      );
      read.push(...page.items.map(({ id }) => id));
      cursor = page.next_cursor ?? 'end';
    }
    expect(read.slice(0, all.length)).toEqual(all);
    expect(new Set(read).size).toBe(read.length);
  });

  it('is hidden from everybody else', async () => {
    const { status } = await stranger.request('GET', `/api/v1/workspaces/${workspace}/activity`);
    expect(status).toBe(404);
  });
});

describe('how workspaces stand', () => {
  it('comes with their list where it is asked for, and says what the overview says', async () => {
    const { items } = await get<{ items: ListedWorkspace[] }>(engineer, '/workspaces?include=summary');
    const { summary } = items.find(({ id }) => id === workspace)!;
    const facets = await get<{ items: Gap[]; total: number }>(
      engineer,
      `/analysis/gaps?workspace_id=${workspace}&severity=high&status=open,in_progress&change=new,unchanged,updated`,
    );
    expect(summary!.gaps.high).toBe(facets.total);
    expect(summary).toMatchObject({ members: 3, work_products: 2, running: 0, overdue: 1 });
    expect(summary!.standards.map(({ name, score }) => [name, typeof score])).toContainEqual([
      expect.stringContaining('26262-3'),
      'number',
    ]);
    const [plain] = (await get<{ items: ListedWorkspace[] }>(engineer, '/workspaces')).items;
    expect(plain!.summary).toBeUndefined();
  });
});
