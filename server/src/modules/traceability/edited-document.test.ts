import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { until, upload, uploadWorkProduct } from '../../testing/upload.js';
import type { WorkProduct } from '../work-products/work-products.schemas.js';
import * as repository from './extraction.repository.js';

const GOALS = '| ID | Safety goal | ASIL |\n|---|---|---|\n| SG-1 | Stop. | D |\n';
const REQUIREMENTS =
  '# Requirements\n\n| ID | Requirement | Derived from | Verified by |\n|---|---|---|---|\n| FSR-1 | It shall stop. | SG-1, SG-9 | TC-1 |\n| FSR-2 | It shall stay. | SG-1 | |\n';
const TESTS = '## TC-1: Brake\n\nBrake the car.\n\nVerifies: FSR-1\n';

/** An artifact or a link, as the API answers it. */
interface Stated {
  readonly artifact_id?: string;
  readonly work_product_id: string;
  readonly version: number;
  readonly updated_at: string;
}

describe('a document that is edited', () => {
  let data: TestDatabase;
  let app: TestApp;
  let owner: Client;
  let workspace: string;

  beforeAll(async () => {
    data = await createTestDatabase();
    app = await startTestApp(data, { work: true, environment: { EMBEDDINGS: 'off' } });
    owner = await app.signUp();
    const made = await owner.request('POST', '/api/v1/workspaces', { body: { name: 'Edited' } });
    workspace = (made.body as { id: string }).id;
  });
  afterAll(async () => {
    await app?.stop();
    await data?.stop();
  });

  const file = (name: string, bytes: string) => ({ name, type: 'text/markdown', bytes });
  const settled = (versions: readonly number[]) =>
    until<{ under_way: boolean; documents: readonly { version: number }[] }>(
      owner,
      `/api/v1/traceability/extraction?workspace_id=${workspace}`,
      ({ under_way, documents }) =>
        !under_way && documents.map(({ version }) => version).join() === versions.join(),
      90_000,
    );
  const change = (id: string, bytes: string) =>
    upload(owner, file('requirements.md', bytes), {
      init: `/api/v1/work-products/${id}/uploads/init`,
      complete: ({ file_id }) => `/api/v1/work-products/uploads/${file_id}/complete`,
    });
  /** All rows of the trace; `xmin` tells who wrote them. */
  const rows = async () => {
    const of = (table: string) =>
      data.asOwner<{ xmin: string; id: string; artifact_id?: string; work_product_id: string; said: Buffer }>(
        `select xmin, * from ${table} where workspace_id = $1 order by ordinal`,
        [workspace],
      );
    return [...(await of('artifacts')), ...(await of('trace_links'))];
  };
  /** Of the documents, in the order in which they were uploaded. */
  const versions = async () =>
    (
      await data.asOwner<{ version: number }>(
        `select t.version from traced_documents t join work_products p on p.id = t.work_product_id
         where t.workspace_id = $1 order by p.created_at`,
        [workspace],
      )
    ).map(({ version }) => version);
  const without = (all: Awaited<ReturnType<typeof rows>>, id: string) =>
    all.filter((row) => row.work_product_id !== id);

  test('is stored without a look at the others while it says the same to them, as a whole extraction stores it', async () => {
    const ids: string[] = [];
    for (const [name, text] of [
      ['goals.md', GOALS],
      ['requirements.md', REQUIREMENTS],
      ['tests.md', TESTS],
    ] as const) {
      ids.push(((await uploadWorkProduct(owner, workspace, file(name, text))).body as WorkProduct).id);
      await settled(ids.map(() => 1));
    }
    const id = ids[1]!;
    const first = await rows();

    // The readings of the others are away: whoever needs them fails.
    const others = await data.asOwner<{ parsed_key: string }>(
      'select parsed_key from work_product_versions where workspace_id = $1 and work_product_id <> $2',
      [workspace, id],
    );
    const objects = app.dependencies.storage.within(workspace);
    for (const { parsed_key } of others) await objects.copy(parsed_key, `${parsed_key}.kept`);
    for (const { parsed_key } of others) await objects.delete(parsed_key);
    await change(id, REQUIREMENTS.replace('shall stop', 'shall stop at once'));
    await settled([1, 2, 1]);
    const edited = await rows();
    expect(without(edited, id)).toEqual(without(first, id));
    expect(await versions()).toEqual([1, 2, 1]);
    expect(JSON.stringify(edited)).toContain('It shall stop at once.');

    for (const { parsed_key } of others) await objects.copy(`${parsed_key}.kept`, parsed_key);
    // Everything once more, but for how it is numbered.
    await data.asOwner(
      `update trace_extractions set said = (said - 'readings') || '{"artifacts": {}, "links": {}}' where workspace_id = $1`,
      [workspace],
    );
    await data.database.withWorkspace(workspace, (transaction) =>
      repository.requestExtraction(transaction, app.dependencies.queue, workspace),
    );
    await settled([1, 2, 1]);
    const again = await data.asOwner<{ said: unknown }>(
      'select said from trace_extractions where workspace_id = $1',
      [workspace],
    );
    expect(again[0]!.said).not.toBeNull();
    expect(await rows()).toEqual(edited);

    // As long as before: one row says something else. The others are answered with the new version all the same, as changed by it.
    const list = async (kind: string) =>
      (
        (await owner.request('GET', `/api/v1/traceability/${kind}?workspace_id=${workspace}&limit=100`))
          .body as { items: Stated[] }
      ).items.filter((one) => one.work_product_id === id);
    const before = [...(await list('artifacts')), ...(await list('links'))];
    await change(id, REQUIREMENTS.replace('shall stop', 'shall halt at once'));
    await settled([1, 3, 1]);
    const kept = edited.map((row) => `${row.xmin} ${row.id}`);
    const written = (await rows()).filter((row) => !kept.includes(`${row.xmin} ${row.id}`));
    expect(written.map((row) => row.artifact_id)).toEqual(['FSR-1']);
    const after = [...(await list('artifacts')), ...(await list('links'))];
    const unedited = (all: readonly Stated[]) =>
      all.filter((one) => one.artifact_id !== 'FSR-1').map(({ updated_at: _, ...one }) => one);
    expect(unedited(after)).toEqual(unedited(before).map((one) => ({ ...one, version: 3 })));
    const newest = before
      .map((one) => one.updated_at)
      .sort()
      .at(-1)!;
    expect(after.every((one) => one.version === 3 && one.updated_at > newest)).toBe(true);

    // Another link: all are joined.
    await change(id, REQUIREMENTS.replace('SG-9', 'SG-8'));
    await settled([1, 4, 1]);
    const links = await data.asOwner<{ target_id: string }>(
      `select target_id from trace_links where workspace_id = $1 and target_id like 'SG-%' order by ordinal`,
      [workspace],
    );
    expect(links.map(({ target_id }) => target_id)).toEqual(['SG-1', 'SG-8', 'SG-1']);
  });
});
