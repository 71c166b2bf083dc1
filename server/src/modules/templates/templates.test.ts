import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { until, uploadWorkProduct } from '../../testing/upload.js';
import type { WorkProduct } from '../work-products/work-products.schemas.js';
import type { Template, TemplateDetail } from './templates.schemas.js';

const yaml = (type: string, more: readonly string[] = []): string =>
  [
    `id: ${type}`,
    'name: { en: Work plan, de: Arbeitsplan }',
    'aliases: [Work plan]',
    'sections:',
    '  - { key: aims, heading: { en: Aims, de: Ziele }, need: required, severity: medium }',
    ...more,
  ].join('\n');

interface List {
  readonly items: Template[];
  readonly total: number;
  readonly next_cursor: string | null;
}
interface Refused {
  readonly error: {
    readonly details: { readonly issues: { path: string; message: string; line?: number }[] };
  };
}

describe('templates', () => {
  let data: TestDatabase;
  let app: TestApp;
  let owner: Client;
  let workspace: string;
  beforeAll(async () => {
    data = await createTestDatabase();
    app = await startTestApp(data, { work: true });
    owner = await app.signUp();
    const made = await owner.request('POST', '/api/v1/workspaces', { body: { name: 'Plans' } });
    workspace = (made.body as { id: string }).id;
  });
  afterAll(async () => {
    await app?.stop();
    await data?.stop();
  });

  const list = async (query = ''): Promise<List> =>
    (await owner.request('GET', `/api/v1/compliance/templates?${query}`)).body as List;
  const read = (id: string) => owner.request('GET', `/api/v1/compliance/templates/${id}`);
  const create = (body: object) =>
    owner.request('POST', '/api/v1/compliance/templates', { body: { workspace_id: workspace, ...body } });

  test('list the built-in ones by name, page by page', async () => {
    const all = await list('limit=100');
    expect(all.total).toBe(28);
    const names = all.items.map(({ name }) => name.en);
    expect(names).toEqual([...names].sort());
    const pages: Template[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await list(`limit=10&cursor=${encodeURIComponent(cursor)}`);
      pages.push(...page.items);
      cursor = page.next_cursor;
    }
    expect(pages).toEqual(all.items);
    const hara = all.items.find(({ id }) => id === 'hara');
    expect(hara).toMatchObject({ built_in: true, workspace_id: null, type: 'hara', created_at: null });
    expect(hara!.sections.some(({ key, critical }) => key === 'safety_goals' && critical)).toBe(true);
    expect(hara!.tables.length).toBeGreaterThan(0);
    expect((await list('search=safety%20plan')).items.length).toBeGreaterThan(0);
    expect((await list('search=%25')).total).toBe(0);
  });

  test('read back what a built-in one is as YAML', async () => {
    const { body } = await read('hara');
    const { yaml: text, ...hara } = body as TemplateDetail;
    const copied = (await create({ yaml: text })).body as TemplateDetail;
    expect(copied).toMatchObject({ type: 'hara', built_in: false, replaces_built_in: true });
    expect(copied.sections).toEqual(hara.sections);
    expect(copied.tables).toEqual(hara.tables);
    expect((await create({ yaml: text })).body).toMatchObject({
      error: { code: 'CONFLICT', details: { reason: 'type_taken' } },
    });
    expect((await owner.request('DELETE', `/api/v1/compliance/templates/${copied.id}`)).status).toBe(204);
    expect((await read(copied.id)).status).toBe(404);
  });

  test('are made from YAML, changed under their tag, and written into the audit log', async () => {
    const made = await create({ yaml: yaml('work_plan') });
    expect(made).toMatchObject({ status: 201, body: { type: 'work_plan', revision: 1, learned_from: null } });
    const { id } = made.body as TemplateDetail;
    expect(made.headers.get('location')).toBe(`/api/v1/compliance/templates/${id}`);
    expect((await list(`workspace_id=${workspace}&limit=1`)).items[0]).toMatchObject({ id });
    const path = `/api/v1/compliance/templates/${id}`;
    const tag = (await read(id)).headers.get('etag')!;
    const more = ['  - { key: steps, heading: { en: Steps, de: Schritte }, need: optional, severity: low }'];
    const change = (etag: string) =>
      owner.request('PATCH', path, {
        body: { yaml: yaml('work_plan', more) },
        headers: { 'if-match': etag },
      });
    expect(await change(tag)).toMatchObject({ status: 200, body: { revision: 2 } });
    expect((await change(tag)).status).toBe(412);
    expect(((await read(id)).body as TemplateDetail).sections.map(({ key }) => key)).toEqual([
      'aims',
      'steps',
    ]);
    expect((await owner.request('DELETE', path)).status).toBe(204);
    const events = await data.asOwner<{ action: string }>(
      'select action from audit_events where target_id = $1 order by created_at, id',
      [id],
    );
    expect(events.map(({ action }) => action)).toEqual([
      'template.created',
      'template.changed',
      'template.deleted',
    ]);
    expect((await read(randomUUID())).status).toBe(404);
    expect((await read('no_such_type')).status).toBe(404);
  });

  test.each([
    ['an unknown key', yaml('p', ['    colour: red']), undefined],
    ['an unknown key in its line', yaml('plan', ['colour: red']), 6],
    ['broken YAML', 'id: plan\nname: {', 2],
    [
      'a heading twice',
      yaml('plan', ['  - { key: two, heading: { en: Aims, de: Zwei }, need: required, severity: low }']),
      6,
    ],
    ['aliases, which can grow without bound', yaml('plan', ['tables: &t []', 'traps: *t']), undefined],
    ['a zero byte', yaml('plan', ['traps: ["a\\0b"]']), undefined],
    ['nesting without end', '['.repeat(90_000), 1],
  ])('are refused for %s', async (_, text, line) => {
    const { status, body } = await create({ yaml: text });
    expect(status).toBe(422);
    const [issue] = (body as Refused).error.details.issues;
    expect(issue?.path).toMatch(/^body\.yaml/);
    if (line !== undefined) {
      expect(issue?.line).toBe(line);
      expect(issue?.message).toContain(`Line ${line}: `);
    }
  });

  test('are learnt from an empty template document of the workspace', async () => {
    const learn = async (name: string, lines: readonly string[], as: string) => {
      const file = { name, type: 'text/markdown', bytes: lines.join('\n\n') };
      const { id } = (await uploadWorkProduct(owner, workspace, file)).body as WorkProduct;
      await until(owner, `/api/v1/work-products/${id}`, (one: WorkProduct) =>
        ['completed', 'failed'].includes(one.processing_status),
      );
      return { id, answer: await create({ work_product_id: id, name: as }) };
    };
    const lines = [
      '# Work plan',
      '## Aims',
      '<what it is for>',
      '## Steps',
      '| Step | Owner |\n|---|---|\n| | |',
    ];
    const { id, answer } = await learn('work-plan-template.md', lines, 'Work plan');
    expect(answer).toMatchObject({
      status: 201,
      body: { type: 'work_plan', learned_from: { work_product_id: id, version: 1 } },
    });
    const template = answer.body as TemplateDetail;
    expect(template.sections.map(({ heading }) => heading.en)).toEqual(['Aims', 'Steps']);
    expect(template.tables[0]?.columns.map(({ names }) => names[0])).toEqual(['Step', 'Owner']);
    expect(template.yaml).toContain('heading');
    const nothing = await learn('note.md', ['Just a line without any heading.'], 'Note');
    expect(nothing.answer).toMatchObject({
      status: 422,
      body: { error: { details: { issues: [{ path: 'body.work_product_id', code: 'no_template' }] } } },
    });
    expect((await create({ work_product_id: randomUUID(), name: 'Other' })).status).toBe(422);
  });
});
