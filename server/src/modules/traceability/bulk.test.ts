import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import type { BulkOutcome } from './bulk.schemas.js';

let database: TestDatabase;
let app: TestApp;
let owner: Client;
let workspace_id: string;

beforeAll(async () => {
  database = await createTestDatabase();
  app = await startTestApp(database);
  owner = await app.signUp();
  const { body } = await owner.request('POST', '/api/v1/workspaces', { body: { name: 'Bulk' } });
  workspace_id = (body as { id: string }).id;
});
afterAll(async () => {
  await app?.stop();
  await database?.stop();
});

async function post(path: string, lines: object, headers: Record<string, string> = {}): Promise<BulkOutcome> {
  const body = { workspace_id, ...lines };
  const answer = await owner.request('POST', `/api/v1/traceability/${path}/bulk`, { body, headers });
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body as BulkOutcome;
}
const total = async (path: string): Promise<number> =>
  (
    (await owner.request('GET', `/api/v1/traceability/${path}workspace_id=${workspace_id}`)).body as {
      total: number;
    }
  ).total;
const told = ({ items }: BulkOutcome) => items.map(({ outcome, code }) => code ?? outcome);

describe('artifacts and links in bulk', () => {
  it('adds what can be added and says of every line what became of it', async () => {
    const goal = { artifact_id: 'SG-1', type: 'safety_goal', text: 'Do not trap.', asil: 'C' };
    const first = await post('artifacts', {
      artifacts: [goal, { artifact_id: 'FSR-1', type: 'design' }, goal],
    });
    expect([first.added, first.refused, told(first)]).toEqual([2, 1, ['added', 'added', 'duplicate']]);
    const again = await post('artifacts', { artifacts: [{ artifact_id: 'FSR-1', type: 'design' }] });
    expect(again.items).toEqual([{ line: 0, outcome: 'refused', id: first.items[1]?.id, code: 'duplicate' }]);
    const one = await owner.request('GET', `/api/v1/traceability/artifacts/${first.items[0]?.id}`);
    expect(one.body).toMatchObject({ ...goal, origin: 'manual', created_by: owner.userId });

    const link = { source_id: 'FSR-1', target_id: 'SG-1', link_type: 'derives_from' };
    const links = await post('links', {
      links: [
        link,
        { ...link, source_id: first.items[1]?.id },
        { ...link, target_id: 'SG-9' },
        { ...link, source_id: 'X' },
        { ...link, target_id: 'FSR-1' },
        { ...link, link_type: 'satisfies' },
      ],
    });
    expect(told(links)).toEqual([
      'added',
      'duplicate',
      'unknown_target',
      'unknown_source',
      'self_link',
      'added',
    ]);
    expect(links.items[1]?.id).toBe(links.items[0]?.id);
    expect([await total('artifacts?'), await total('links?')]).toEqual([2, 2]);
    const { body } = await owner.request(
      'GET',
      `/api/v1/audit-log?workspace_id=${workspace_id}&action=artifact.added`,
    );
    expect(body).toMatchObject({ total: 2 });
  });

  it('refuses a request whose line breaks the schema, names the line, and adds nothing', async () => {
    const artifacts = [
      { artifact_id: 'N-1', type: 'design' },
      { artifact_id: 'N-2', type: 'nonsense' },
    ];
    await expect(post('artifacts', { artifacts })).rejects.toThrow('"path":"body.artifacts.1.type"');
    expect(await total('artifacts?artifact_id=N-1&')).toBe(0);
  });

  it('takes ten thousand lines at once, and the same request again for its key', async () => {
    const artifacts = Array.from({ length: 10_000 }, (_, n) => ({
      artifact_id: `REQ-${n}`,
      type: 'software_requirement',
      text: `The door shall stop within ${n} ms when it meets a hand.`,
    }));
    const key = { 'idempotency-key': 'ten-thousand' };
    const made = await post('artifacts', { artifacts }, key);
    expect([made.added, made.items.length]).toEqual([10_000, 10_000]);
    expect(await post('artifacts', { artifacts }, key)).toEqual(made);
    const links = artifacts.map(({ artifact_id }) => ({
      source_id: artifact_id,
      target_id: 'SG-1',
      link_type: 'derives_from',
    }));
    expect((await post('links', { links })).added).toBe(10_000);
    const listed = await total('artifacts?type=software_requirement&sort=artifact_id&');
    expect([listed, await total('links?target_id=SG-1&')]).toEqual([10_000, 10_002]);
    const more = [...artifacts, { artifact_id: 'REQ-x', type: 'design' }];
    await expect(post('artifacts', { artifacts: more })).rejects.toThrow('At most 10000 entries.');
  }, 60_000);
});
