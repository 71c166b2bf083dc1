import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Watching, watch } from '../../testing/event-stream.js';
import { joinWorkspace } from '../../testing/join-workspace.js';
import { type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { until, uploadStandard, uploadWorkProduct } from '../../testing/upload.js';
import type { WorkProduct } from '../work-products/work-products.schemas.js';
import type { Analysis, StartedAnalysis } from './analyses.schemas.js';
import { WorkspaceEvent } from './events.schemas.js';

const PASSWORD = 'correct horse battery staple';
const SECRET = 'The giraffe decides.';
const CHECKLIST = 'FS-HARA';

describe('whoever watches a workspace is told', () => {
  let data: TestDatabase;
  let app: TestApp;
  let owner: Client;
  let workspace: string;
  let stream: Watching;
  beforeAll(async () => {
    data = await createTestDatabase();
    app = await startTestApp(data, { work: true, environment: { EMBEDDINGS: 'off' } });
    owner = await app.signUp();
    workspace = (await send<{ id: string }>('POST', '/workspaces', { name: 'Watched' })).id;
    stream = await watch(app.address, `/api/v1/workspaces/${workspace}/events`, { token: owner.token });
  });
  afterAll(async () => {
    stream?.stop();
    await app?.stop();
    await data?.stop();
  });

  const send = async <Body>(method: string, path: string, body?: unknown): Promise<Body> => {
    const answer = await owner.request(method, `/api/v1${path}`, body === undefined ? {} : { body });
    if (answer.status >= 300) throw new Error(`${path} was answered ${answer.status}: ${answer.text}`);
    return answer.body as Body;
  };
  /** What is told of a kind once `what` was done, as the description has it; nothing else of the kind comes. */
  const told = async (kind: string, count: number, what: () => Promise<unknown>) => {
    const ofKind = () => stream.events.filter(({ type }) => type === kind);
    const before = ofKind().length;
    await what();
    await expect.poll(() => ofKind().length, { timeout: 10_000 }).toBe(before + count);
    for (const { id, type, data } of ofKind()) {
      expect(WorkspaceEvent.parse({ id: String(id), event: type, data })).toEqual({
        id: String(id),
        event: type,
        data,
      });
      expect(JSON.stringify(data)).not.toContain(SECRET);
    }
    return ofKind()
      .slice(before)
      .map((event) => event.data);
  };

  test('of answers to items of a checklist, one or many, and of one that is taken back', async () => {
    const file = {
      name: 'hara.md',
      type: 'text/markdown',
      bytes: '# Hazard analysis\n\n## Scope\n\nA door.',
    };
    const { id } = (await uploadWorkProduct(owner, workspace, file)).body as WorkProduct;
    await until(
      owner,
      `/api/v1/work-products/${id}`,
      (one: WorkProduct) => one.processing_status === 'completed',
    );
    const run = await send<StartedAnalysis>('POST', '/compliance/checklist', {
      workspace_id: workspace,
      checklist_id: CHECKLIST,
    });
    await until(owner, `/api/v1/analysis/analyses/${run.id}`, (one: Analysis) => one.status === 'completed');
    const path = `/compliance/checklists/${CHECKLIST}`;
    const { items } = await send<{ items: { item_id: string }[] }>(
      'GET',
      `${path}/results?workspace_id=${workspace}`,
    );
    const [first, second] = items.map(({ item_id }) => item_id) as [string, string];
    const answer = { verdict: 'fail', reason: SECRET };
    const ofItem = `${path}/items/${first}/answer`;
    expect(
      await told('checklist_answer', 1, () => send('PUT', ofItem, { workspace_id: workspace, ...answer })),
    ).toEqual([{ checklist_id: CHECKLIST, item_ids: [first] }]);
    const both = [first, second].map((item_id) => ({ item_id, ...answer }));
    expect(
      await told('checklist_answer', 1, () =>
        send('PATCH', `${path}/answers`, { workspace_id: workspace, answers: both }),
      ),
    ).toEqual([{ checklist_id: CHECKLIST, item_ids: [first, second] }]);
    expect(
      await told('checklist_answer', 1, () => send('DELETE', `${ofItem}?workspace_id=${workspace}`)),
    ).toEqual([{ checklist_id: CHECKLIST, item_ids: [first] }]);
  });

  test('of links that are added, confirmed or removed, alone and in bulk', async () => {
    const artifacts = Array.from({ length: 103 }, (_, n) => ({
      artifact_id: `SG-${n}`,
      type: 'safety_goal',
      text: SECRET,
    }));
    await send('POST', '/traceability/artifacts/bulk', { workspace_id: workspace, artifacts });
    const linkTo = (n: number) => ({ source_id: `SG-${n}`, link_type: 'derives_from', target_id: 'SG-0' });
    let id = '';
    const [added] = await told('link', 1, async () => {
      ({ id } = await send<{ id: string }>('POST', '/traceability/links', {
        workspace_id: workspace,
        ...linkTo(1),
      }));
    });
    expect(added).toEqual({ count: 1, link_ids: [id] });
    const one = [{ count: 1, link_ids: [id] }];
    expect(await told('link', 1, () => send('POST', `/traceability/links/${id}/confirm`))).toEqual(one);
    const confirmed = () =>
      send('POST', '/traceability/links/confirm', { workspace_id: workspace, link_ids: [id] });
    expect(await told('link', 1, confirmed)).toEqual(one);
    expect(await told('link', 1, () => send('DELETE', `/traceability/links/${id}`))).toEqual(one);
    const links = Array.from({ length: 101 }, (_, n) => linkTo(n + 2));
    const many = await told('link', 1, () =>
      send('POST', '/traceability/links/bulk', { workspace_id: workspace, links }),
    );
    expect(many.map(({ count, link_ids: ids }) => [count, Array.isArray(ids) && ids.length])).toEqual([
      [101, 100],
    ]);
  });

  test('of members who join in any way, have another role, or are gone', async () => {
    const members = `/workspaces/${workspace}/members`;
    const jo = await app.signUp();
    const gone = { user_id: jo.userId };
    const joins = () => joinWorkspace(app, { by: owner, workspace, member: jo, role: 'viewer' });
    expect(await told('member', 1, joins)).toEqual([gone]);
    const promoted = () => send('PATCH', `${members}/${jo.userId}`, { role: 'engineer' });
    expect(await told('member', 1, promoted)).toEqual([gone]);
    expect(await told('member', 1, () => send('DELETE', `${members}/${jo.userId}`))).toEqual([gone]);

    await data.asOwner("update profiles set role = 'admin' where id = $1", [owner.userId]);
    const invitation = async (email: string): Promise<string> =>
      (
        await send<{ token: string }>('POST', `/workspaces/${workspace}/invitations`, {
          email,
          role: 'viewer',
        })
      ).token;
    const email = `${randomUUID()}@example.org`;
    const enter = async (path: string): Promise<void> => {
      const body = { email, password: PASSWORD, invitation: await invitation(email) };
      const named = path === 'sign-up' ? { ...body, name: 'Kim' } : body;
      const answer = await app.anyone.request('POST', `/api/v1/auth/${path}`, { body: named });
      expect([200, 201], answer.text).toContain(answer.status);
    };
    const [kim] = await told('member', 1, () => enter('sign-up'));
    await told('member', 1, () => send('DELETE', `${members}/${String(kim?.user_id)}`));
    expect(await told('member', 1, () => enter('sign-in'))).toEqual([kim]);
  });

  test('how far an archive of the workspace is, and that it is gone with a text that it had', async () => {
    let id = '';
    const states = await told('export', 3, async () => {
      ({ id } = await send<{ id: string }>('POST', `/workspaces/${workspace}/export`));
    });
    const ofExport = (status: string) => ({ export_id: id, status });
    expect(states).toEqual(['queued', 'running', 'completed'].map(ofExport));
    const standard = await send<{ id: string }>('POST', '/standards', {
      workspace_id: workspace,
      name: 'House rules',
    });
    expect(await told('export', 1, () => send('DELETE', `/standards/${standard.id}`))).toEqual([
      ofExport('deleted'),
    ]);
  });

  test('of standards that are added, sent, attested, read again, without attestation, or deleted', async () => {
    let id = '';
    const [created] = await told('standard', 1, async () => {
      ({ id } = await send<{ id: string }>('POST', '/standards', {
        workspace_id: workspace,
        name: 'House rules',
      }));
    });
    const one = [{ standard_id: id }];
    expect([created]).toEqual(one);
    const path = `/standards/${id}`;
    const rules = {
      name: 'rules.yaml',
      type: 'application/yaml',
      bytes: `standard: { designation: House, title: House, edition: "1" }\ncriteria:\n  - { id: H-1, title: Plan, text: ${SECRET} }\n`,
    };
    const settled = () =>
      until(
        owner,
        `/api/v1${path}`,
        (row: { processing_status: string }) => row.processing_status === 'completed',
      );
    expect(await told('standard', 1, () => uploadStandard(owner, id, rules))).toEqual(one);
    await settled();
    expect(await told('standard', 1, () => send('POST', `${path}/reprocess`))).toEqual(one);
    await settled();
    const licence = {
      licence_type: 'multi_user',
      licence_holder: SECRET,
    };
    expect(await told('standard', 1, () => send('PATCH', `${path}/attest`, licence))).toEqual(one);
    expect(await told('standard', 1, () => send('DELETE', `${path}/attest?reason=Over.`))).toEqual(one);
    expect(await told('standard', 1, () => send('DELETE', path))).toEqual(one);
  });
});
