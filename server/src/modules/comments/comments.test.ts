import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { joinWorkspace, verifyAddressOf } from '../../testing/join-workspace.js';
import { type MailServer, startMailServer } from '../../testing/mail-server.js';
import { type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { until, uploadWorkProduct } from '../../testing/upload.js';
import type { Work } from '../my-work/my-work.schemas.js';
import type { Comment } from './comments.schemas.js';

const WORDS = 'The safe state of the door is TBD.';

let mails: MailServer;
let database: TestDatabase;
let app: TestApp;
let owner: Client;
let engineer: Client;
let manager: Client;
let viewer: Client;
let workspace: string;
let document: string;
let standard: string;
let knownCriterion: string;
let now = () => new Date();

beforeAll(async () => {
  mails = await startMailServer();
  database = await createTestDatabase();
  app = await startTestApp(database, {
    work: true,
    clock: () => now(),
    environment: { SMTP_URL: mails.url, MAIL_FROM: 'Normtrace <normtrace@example.org>' },
  });
  [owner, engineer, manager, viewer] = [
    await app.signUp(),
    await app.signUp(),
    await app.signUp(),
    await app.signUp(),
  ];
  const made = await owner.request('POST', '/api/v1/workspaces', { body: { name: 'Secret door' } });
  workspace = (made.body as { id: string }).id;
  for (const [role, member] of Object.entries({ engineer, manager, viewer })) {
    await joinWorkspace(app, { by: owner, workspace, member, role });
  }
  const { body } = await uploadWorkProduct(owner, workspace, {
    name: 'concept.md',
    type: 'text/markdown',
    bytes: `# Functional safety concept\n\n## Safe state\n\n${WORDS}\n`,
  });
  document = (body as { id: string }).id;
  await until<{ processing_status: string }>(
    owner,
    `/api/v1/work-products/${document}`,
    ({ processing_status }) => processing_status === 'completed',
    90_000,
  );
  const adopted = await owner.request('POST', '/api/v1/standards', {
    body: { workspace_id: workspace, catalog_id: 'iso-26262-3-2018' },
  });
  standard = (adopted.body as { id: string }).id;
  const criteria = await owner.request('GET', `/api/v1/standards/${standard}/criteria?limit=1`);
  knownCriterion = (criteria.body as { items: { id: string }[] }).items[0]?.id ?? '';
}, 180_000);
afterAll(async () => {
  await app?.stop();
  await database?.stop();
  await mails?.stop();
});

const add = (by: Client, body: object) =>
  by.request('POST', '/api/v1/comments', { body: { workspace_id: workspace, ...body } });
const added = async (by: Client, body: object): Promise<Comment> => {
  const answer = await add(by, body);
  expect([answer.status, answer.text]).toEqual([201, answer.text]);
  return answer.body as Comment;
};
const change = (by: Client, id: string, body: object) =>
  by.request('PATCH', `/api/v1/comments/${id}`, { body });
const listed = async (by: Client, query: Readonly<Record<string, string>>) => {
  const answer = await by.request(
    'GET',
    `/api/v1/comments?${new URLSearchParams({ workspace_id: workspace, ...query })}`,
  );
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  return (answer.body as { items: Comment[] }).items;
};
const ofDocument = (range?: { start: number; end: number }) => ({
  about: 'document',
  work_product_id: document,
  version: 1,
  ...(range && { range }),
});
const criterion = () => ({ about: 'criterion', standard_id: standard, criterion_id: knownCriterion });
async function rangeOf(words: string) {
  const { body } = await owner.request('GET', `/api/v1/work-products/${document}/versions/1/document`);
  const block = (body as { blocks: { start: number; text: string }[] }).blocks.find(({ text }) =>
    text?.includes(words),
  );
  const start = (block?.start ?? 0) + (block?.text.indexOf(words) ?? 0);
  return { start, end: start + words.length };
}
const mentionsOf = async (client: Client) => {
  const { body } = await client.request('GET', '/api/v1/me/work');
  const { counts, waiting } = body as Work;
  const items = waiting.filter(({ kind }) => kind === 'mention');
  expect(counts.mention).toBe(items.length);
  return items;
};

describe('a comment', () => {
  it('about a range of a document has its words as they were read', async () => {
    const range = await rangeOf('safe state of the door');
    const comment = await added(engineer, { ...ofDocument(range), text: 'Since when?', quote: undefined });
    expect(comment).toMatchObject({
      range,
      quote: 'safe state of the door',
      text: 'Since when?',
      version: 1,
    });
    expect(await listed(viewer, { about: 'document', work_product_id: document })).toMatchObject([
      { id: comment.id },
    ]);
    expect(await listed(viewer, { about: 'document', work_product_id: document, version: '2' })).toEqual([]);
    const beyond = { start: 100_000, end: 100_010 };
    expect((await add(engineer, { ...ofDocument(beyond), text: 'x' })).status).toBe(422);
    expect((await add(engineer, { ...ofDocument({ start: 5, end: 5 }), text: 'x' })).status).toBe(422);
    expect((await add(engineer, { ...ofDocument(), version: 7, text: 'x' })).status).toBe(404);
    expect((await add(engineer, { ...ofDocument(), work_product_id: randomUUID(), text: 'x' })).status).toBe(
      404,
    );
  });

  it('is about one thing, which is there', async () => {
    expect((await added(engineer, { ...criterion(), text: 'Hard to say.' })).criterion_id).toBe(
      knownCriterion,
    );
    expect(
      await listed(viewer, { about: 'criterion', standard_id: standard, criterion_id: 'other' }),
    ).toEqual([]);
    for (const wrong of [
      { about: 'gap' },
      { about: 'criterion', standard_id: standard },
      { about: 'document', work_product_id: document },
      { ...criterion(), gap_id: randomUUID() },
      { ...criterion(), range: { start: 1, end: 2 } },
      { about: 'weather' },
    ]) {
      expect((await add(engineer, { ...wrong, text: 'x' })).status).toBe(422);
    }
    for (const absent of [
      { about: 'gap', gap_id: randomUUID() },
      { about: 'criterion', standard_id: randomUUID(), criterion_id: knownCriterion },
      { ...criterion(), criterion_id: 'nothing' },
      { about: 'artifact', artifact_id: 'SG-99' },
      { about: 'checklist_item', checklist_id: 'nothing', item_id: 'A' },
      { about: 'checklist_item', checklist_id: 'FS-HARA', item_id: 'nothing' },
    ]) {
      expect([absent, (await add(engineer, { ...absent, text: 'x' })).status]).toEqual([absent, 404]);
    }
  });

  it('is edited by its author for five minutes, and then never', async () => {
    const { id } = await added(engineer, { ...criterion(), text: 'Frist' });
    const edited = await change(engineer, id, { text: 'First' });
    expect(edited.body).toMatchObject({ text: 'First', edited_at: expect.any(String) });
    expect((await change(manager, id, { text: 'Other' })).status).toBe(403);
    expect((await change(viewer, id, { text: 'Other' })).status).toBe(403);
    const real = now;
    now = () => new Date(Date.now() + 5 * 60_000 + 1_000);
    expect((await change(engineer, id, { text: 'Late' })).status).toBe(409);
    now = real;
    // The database itself keeps what is old.
    await database.asOwner(
      "update comments set created_at = created_at - interval '6 minutes' where id = $1",
      [id],
    );
    await expect(database.asOwner("update comments set text = 'Late' where id = $1", [id])).rejects.toThrow(
      'not edited',
    );
  });

  it('is resolved by whoever may comment, opened again, and taken back by its author', async () => {
    const { id } = await added(engineer, { ...criterion(), text: 'Open point' });
    expect((await change(viewer, id, { resolved: true })).status).toBe(403);
    expect((await change(manager, id, { resolved: true })).body).toMatchObject({
      resolved_by: manager.userId,
    });
    const open = (await listed(viewer, { ...criterion(), resolved: 'false' })).map((one) => one.id);
    expect(open).not.toContain(id);
    expect((await change(engineer, id, { resolved: false })).body).toMatchObject({
      resolved_at: null,
      resolved_by: null,
    });
    expect((await manager.request('DELETE', `/api/v1/comments/${id}`)).status).toBe(403);
    expect((await engineer.request('DELETE', `/api/v1/comments/${id}`)).status).toBe(204);
    expect((await change(engineer, id, { text: 'Back' })).status).toBe(404);
    const [kept] = (await listed(viewer, criterion())).filter((one) => one.id === id);
    expect(kept).toMatchObject({ text: null, deleted_at: expect.any(String) });
    const trail = await database.asOwner<{ action: string }>(
      "select action from audit_events where after ->> 'comment_id' = $1 order by created_at, sequence",
      [id],
    );
    expect(trail.map(({ action }) => action)).toEqual([
      'criterion.commented',
      'criterion.comment_resolved',
      'criterion.comment_reopened',
      'criterion.comment_deleted',
    ]);
    expect(JSON.stringify(await database.asOwner('select after from audit_events'))).not.toContain(
      'Open point',
    );
  });

  it('keeps hostile text as text', async () => {
    const text = '<img src=x onerror=alert(1)> \u202Eevil\u202C {{7*7}} @everyone %00 \u{1F600}';
    const { id } = await added(engineer, { ...criterion(), text });
    const answer = await viewer.request(
      'GET',
      `/api/v1/comments?${new URLSearchParams({ workspace_id: workspace, ...criterion() })}`,
    );
    expect(answer.headers.get('content-type')).toContain('application/json');
    expect((answer.body as { items: Comment[] }).items.find((one) => one.id === id)?.text).toBe(text);
    expect((await add(engineer, { ...criterion(), text: 'a\u0000b' })).status).toBe(422);
    expect((await add(engineer, { ...criterion(), text: 'x'.repeat(4001) })).status).toBe(422);
  });
});

describe('a mention', () => {
  it('waits in the work of the person until they answer or it is resolved, and is mailed without a word of it', async () => {
    await verifyAddressOf(app, manager);
    const range = await rangeOf('safe state of the door');
    const comment = await added(engineer, {
      ...ofDocument(range),
      text: 'Please look at the giraffe.',
      mentions: [manager.userId, viewer.userId],
    });
    expect(await mentionsOf(manager)).toMatchObject([
      {
        id: comment.id,
        text: 'Please look at the giraffe.',
        place: { about: 'document', work_product_id: document, range },
      },
    ]);
    expect(await mentionsOf(engineer)).toEqual([]);
    const mail = () =>
      mails.mails.find(
        ({ to, headers }) =>
          to.includes(manager.email) && headers.get('subject') === 'A comment mentions you',
      );
    await expect.poll(mail, { timeout: 20_000 }).toBeTruthy();
    expect(mail()?.text).toContain(`${app.address}/`);
    expect(mail()?.text).not.toMatch(/giraffe|Secret door/);
    await added(manager, { ...ofDocument(), text: 'Looked at.' });
    expect(await mentionsOf(manager)).toEqual([]);
    expect(await mentionsOf(viewer)).toHaveLength(1);
    await change(engineer, comment.id, { resolved: true });
    expect(await mentionsOf(viewer)).toEqual([]);
  });

  it('is of members alone', async () => {
    const stranger = await app.signUp();
    const refused = await add(engineer, { ...criterion(), text: 'Hello', mentions: [stranger.userId] });
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('Only members')]);
    const { id } = await added(engineer, { ...criterion(), text: 'Hello' });
    expect((await change(engineer, id, { mentions: [stranger.userId] })).status).toBe(422);
    expect((await change(engineer, id, { mentions: [manager.userId] })).status).toBe(200);
    expect((await mentionsOf(manager)).map((one) => one.id)).toContain(id);
    await manager.request('DELETE', `/api/v1/workspaces/${workspace}/members/${manager.userId}`);
    expect(await mentionsOf(manager)).toEqual([]);
    await joinWorkspace(app, { by: owner, workspace, member: manager, role: 'manager' });
  });
});
