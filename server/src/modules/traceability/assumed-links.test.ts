import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { type TestFile, until, uploadWorkProduct } from '../../testing/upload.js';
import type { WorkProduct } from '../work-products/work-products.schemas.js';
import type { TraceLink } from './links.schemas.js';

const markdown = (name: string, text: string): TestFile => ({ name, type: 'text/markdown', bytes: text });
/** Requirements are numbered after their goals, and nothing else links them. */
const concept = markdown(
  'Functional_Safety_Concept.md',
  `# Functional safety concept

## Safety goals

| ID | Safety goal | ASIL |
|---|---|---|
| SG-01 | The window shall not trap a hand. | B |
| SG-02 | The window shall not open by itself. | A |

## Functional safety requirements

| ID | Functional safety requirement | ASIL | Allocated to |
|---|---|---|---|
| FSR 01-01 | The controller shall stop the motor at a block. | B | EL-01 |
| FSR 01-02 | The controller shall reverse after a stop. | B | EL-01 |
| FSR 02-01 | The controller shall ask for a key press. | A | EL-01 |
`,
);

describe('links that nothing states', () => {
  let data: TestDatabase;
  let app: TestApp;
  let owner: Client;
  let workspace: string;
  const path = (rest: string) => `/api/v1/traceability/${rest}`;
  const links = async (filter: string) => {
    const { body } = await owner.request('GET', path(`links?workspace_id=${workspace}&${filter}`));
    return (body as { items: readonly TraceLink[] }).items;
  };
  const assumedBetween = async () => {
    const { body } = await owner.request('GET', path(`levels?workspace_id=${workspace}`));
    const { paths } = body as {
      paths: readonly { from: string; to: string; links: number; assumed: number }[];
    };
    return paths.map(({ from, to, links, assumed }) => [from, to, links, assumed]);
  };

  beforeAll(async () => {
    data = await createTestDatabase();
    app = await startTestApp(data, { work: true, environment: { EMBEDDINGS: 'off' } });
    owner = await app.signUp();
    workspace = (
      (await owner.request('POST', '/api/v1/workspaces', { body: { name: 'Window' } })).body as { id: string }
    ).id;
    const uploaded = (await uploadWorkProduct(owner, workspace, concept)).body as WorkProduct;
    await until<{ under_way: boolean; documents: readonly { work_product_id: string }[] }>(
      owner,
      path(`extraction?workspace_id=${workspace}`),
      ({ under_way, documents }) =>
        !under_way && documents.some(({ work_product_id }) => work_product_id === uploaded.id),
    );
  });
  afterAll(async () => {
    await app?.stop();
    await data?.stop();
  });

  test('count like the others, and say why they are taken to be meant', async () => {
    const assumed = await links('assumed=true');
    expect(assumed.map(({ source_id, target_id, assumed }) => [source_id, target_id, assumed])).toEqual(
      expect.arrayContaining([
        ['FSR 01-01', 'SG-01', 'number'],
        ['FSR 01-02', 'SG-01', 'number'],
        ['FSR 02-01', 'SG-02', 'number'],
      ]),
    );
    expect(assumed).toHaveLength(3);
    const stated = await links('assumed=false');
    expect(stated.map((one) => [one.link_type, one.assumed])).toEqual([
      ['allocated_to', null],
      ['allocated_to', null],
      ['allocated_to', null],
    ]);
    expect(await assumedBetween()).toContainEqual(['functional_safety_requirement', 'safety_goal', 3, 3]);
    const { body } = await owner.request('GET', path(`gaps?workspace_id=${workspace}`));
    const kinds = (body as { gaps: readonly { kind: string }[] }).gaps.map(({ kind }) => kind);
    expect(kinds).not.toContain('no_parent');
  });

  test('are confirmed or refused one by one, and the rest at once', async () => {
    const one = async (source: string) => (await links(`assumed=true&source_id=${source}`))[0]!;
    const [first, second] = [await one('FSR%2001-01'), await one('FSR%2001-02')];
    const confirmed = await owner.request('POST', path(`links/${first.id}/confirm`));
    expect(confirmed.body).toMatchObject({ assumed: null, confirmed_by: owner.userId });
    expect((await owner.request('DELETE', path(`links/${second.id}`))).status).toBe(204);
    expect((await links('assumed=true')).map(({ source_id }) => source_id)).toEqual(['FSR 02-01']);
    const send = (body: object) =>
      owner.request('POST', path('links/confirm'), { body: { workspace_id: workspace, ...body } });
    // Neither a list nor all of them, and both.
    expect((await send({})).status).toBe(422);
    expect((await send({ assumed: true, link_ids: [first.id] })).status).toBe(422);
    expect((await send({ assumed: true })).body).toEqual({ confirmed: 1 });
    expect((await send({ assumed: true })).body).toEqual({ confirmed: 0 });
    expect(await links('assumed=true')).toEqual([]);
    expect(await assumedBetween()).toContainEqual(['functional_safety_requirement', 'safety_goal', 2, 0]);
  });
});
