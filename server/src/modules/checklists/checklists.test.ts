import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { until, uploadWorkProduct } from '../../testing/upload.js';
import type { WorkProduct } from '../work-products/work-products.schemas.js';
import type { Checklist, ChecklistDetail } from './checklists.schemas.js';

const yaml = (...items: readonly string[]): string =>
  ['checklist: { title: House review }', 'items:', ...items.map((item) => `  - ${item}`)].join('\n');

const longForm = (type: string, title: string): string =>
  [
    'id: USR-PLAN',
    `title: { en: ${title}, de: Eigene Liste }`,
    'domain: own',
    `about: { document_types: [${type}], names: { en: [safety plan], de: [Sicherheitsplan] } }`,
    'items:',
    '  - id: USR-PLAN-01',
    '    text: { en: A manager is named, de: Ein Manager ist benannt }',
    '    pass: { en: A name, de: Ein Name }',
    '    fail: { en: A role only, de: Nur eine Rolle }',
    '    severity: high',
    '    auto: full',
  ].join('\n');

interface List {
  readonly items: Checklist[];
  readonly total: number;
  readonly next_cursor: string | null;
}
interface Refused {
  readonly error: {
    readonly details: {
      readonly hint?: string;
      readonly issues: {
        readonly path: string;
        readonly message: string;
        readonly line?: number;
        readonly row?: number;
        readonly column?: string;
      }[];
    };
  };
}

describe('checklists', () => {
  let data: TestDatabase;
  let app: TestApp;
  let owner: Client;
  let workspace: string;
  beforeAll(async () => {
    data = await createTestDatabase();
    app = await startTestApp(data, { work: true });
    owner = await app.signUp();
    const made = await owner.request('POST', '/api/v1/workspaces', { body: { name: 'Reviews' } });
    workspace = (made.body as { id: string }).id;
  });
  afterAll(async () => {
    await app?.stop();
    await data?.stop();
  });

  const path = (id: string) => `/api/v1/compliance/checklists/${id}`;
  const read = (id: string) => owner.request('GET', path(id));
  const list = async (query = ''): Promise<List> =>
    (await owner.request('GET', `/api/v1/compliance/checklists?${query}`)).body as List;
  const create = (body: object) =>
    owner.request('POST', '/api/v1/compliance/checklists', { body: { workspace_id: workspace, ...body } });
  const uploaded = async (name: string, type: string, bytes: string): Promise<string> => {
    const { id } = (await uploadWorkProduct(owner, workspace, { name, type, bytes })).body as WorkProduct;
    await until(owner, `/api/v1/work-products/${id}`, (one: WorkProduct) =>
      ['completed', 'failed'].includes(one.processing_status),
    );
    return id;
  };

  test('list the built-in ones by id, by group and by language, page by page', async () => {
    const all = await list('limit=100');
    expect(all.total).toBe(21);
    const ids = all.items.map(({ id }) => id);
    expect(ids).toEqual([...ids].sort());
    expect(all.items.reduce((sum, { item_count }) => sum + item_count, 0)).toBe(223);
    expect(all.items.every(({ built_in, languages }) => built_in && languages.length === 2)).toBe(true);
    const first = await list('limit=13');
    const second = await list(`limit=13&cursor=${encodeURIComponent(first.next_cursor!)}`);
    expect([...first.items, ...second.items]).toEqual(all.items);
    const safety = await list('group=functional_safety&limit=100');
    expect(safety.items.every(({ id }) => id.startsWith('FS-'))).toBe(true);
    expect(safety.total).toBe(6);
    expect((await list('search=FS-HARA')).total).toBe(1);
    expect((await list('search=%25')).total).toBe(0);

    const hara = await read('fs-hara');
    expect(hara).toMatchObject({ status: 200, body: { id: 'FS-HARA', yaml: null, created_at: null } });
    const [item] = (hara.body as ChecklistDetail).items;
    expect(item).toMatchObject({ id: 'FS-HARA-01', status: 'active', revision: 1 });
    expect(item!.text.de).not.toBe(item!.text.en);
    for (const id of ['NO-SUCH', randomUUID()]) expect((await read(id)).status).toBe(404);
    expect((await read('a.b')).status).toBe(422);
  });

  test('are made from YAML, changed under their tag, and written into the audit log', async () => {
    const made = await create({
      yaml: yaml(
        '{ id: A, text: Is there a plan?, result: "yes", remark: fine }',
        '{ id: B, text: Is it approved? }',
      ),
    });
    expect(made).toMatchObject({
      status: 201,
      body: { key: 'USR-HOUSE-REVIEW', group: 'own', languages: ['en'], item_count: 2, revision: 1 },
    });
    const { id, items } = made.body as ChecklistDetail;
    expect(items[0]).toMatchObject({ id: 'USR-A', claimed: { result: 'pass', remark: 'fine' } });
    expect(made.headers.get('location')).toBe(path(id));
    expect((await list(`workspace_id=${workspace}&limit=1`)).items).toMatchObject([{ id, built_in: false }]);
    expect((await list('language=de&built_in=false')).total).toBe(0);
    expect((await create({ yaml: yaml('{ id: A, text: Other words? }') })).body).toMatchObject({
      error: { code: 'CONFLICT', details: { reason: 'key_taken', key: 'USR-HOUSE-REVIEW' } },
    });

    const tag = (await read(id)).headers.get('etag')!;
    const change = (text: string, etag?: string) =>
      owner.request('PATCH', path(id), {
        body: { yaml: text },
        ...(etag === undefined ? {} : { headers: { 'if-match': etag } }),
      });
    const other = yaml(
      '{ id: A, text: Is there a plan?, result: "yes", remark: fine }',
      '{ id: C, text: Is it tested? }',
    );
    const changed = await change(other, tag);
    expect(changed).toMatchObject({ status: 200, body: { revision: 2, item_count: 2 } });
    const told = (answer: { readonly body: unknown }) =>
      (answer.body as ChecklistDetail).items.map((one) => `${one.id} ${one.revision} ${one.status}`);
    expect(told(changed)).toEqual(['USR-A 1 active', 'USR-C 1 active', 'USR-B 1 withdrawn']);
    expect((await change(other, tag)).status).toBe(412);
    const back = yaml('{ id: A, text: Is there a work plan? }', '{ id: B, text: Is it approved? }');
    expect(told(await change(back))).toEqual(['USR-A 2 active', 'USR-B 2 active', 'USR-C 1 withdrawn']);
    expect((await owner.request('DELETE', path(id))).status).toBe(204);
    expect((await read(id)).status).toBe(404);
    const events = await data.asOwner<{ action: string }>(
      'select action from audit_events where target_id = $1 order by created_at, id',
      [id],
    );
    expect(events.map(({ action }) => action)).toEqual([
      'checklist.created',
      'checklist.changed',
      'checklist.changed',
      'checklist.deleted',
    ]);
    expect((await owner.request('DELETE', path('FS-HARA'))).status).toBe(422);
  });

  test.each([
    ['an unknown key', yaml('{ id: A, text: Plan there? }', '{ id: B, text: x y, colour: red }'), 4],
    ['an id that is there twice', yaml('{ id: A, text: Plan? }', '{ id: A, text: Again? }'), 4],
    ['an answer that nobody knows', yaml('{ id: A, text: Plan there?, result: perhaps }'), 3],
    ['broken YAML', 'checklist: {', undefined],
    ['two documents', `${yaml('{ id: A, text: Plan? }')}\n---\nb: 1`, undefined],
    ['ids of built-in lists', 'id: FS-OWN\nabout: {}', undefined],
    ['aliases', yaml('{ id: A, text: &t Plan? }', '{ id: B, text: *t }'), 4],
    ['a zero byte', longForm('safety_plan', '"Own\\0list"'), undefined],
    ['a document type that nobody knows', longForm('safety_plain', 'Own list'), 4],
    ['nesting without end', '['.repeat(90_000), undefined],
  ])('are refused for %s', async (_, text, line) => {
    const { status, body } = await create({ yaml: text });
    expect([status, body]).toEqual([422, body]);
    const [issue] = (body as Refused).error.details.issues;
    if (line !== undefined) {
      expect(issue?.line).toBe(line);
      expect(issue?.message).toContain(`Line ${line}`);
    }
  });

  test('are read from tables that were uploaded, and name row and column of what is wrong', async () => {
    const rows = [
      'ID;Prüffrage;Priorität;Ergebnis;Bemerkung',
      'R1;Sind alle Rollen benannt?;hoch;ja;siehe Plan',
      'R2;Ist die Planung von jemandem freigegeben?;;;',
    ];
    const id = await uploaded('Prüfung.csv', 'text/csv', rows.join('\n'));
    const made = await create({ work_product_id: id, name: 'Hausprüfung' });
    expect(made).toMatchObject({
      status: 201,
      body: {
        title: { en: 'Hausprüfung', de: null },
        languages: ['de'],
        taken_from: { work_product_id: id, version: 1 },
      },
    });
    const detail = made.body as ChecklistDetail;
    expect(detail.items.map((one) => [one.id, one.severity, one.claimed?.result])).toEqual([
      ['USR-R1', 'high', 'pass'],
      ['USR-R2', 'medium', undefined],
    ]);
    // What is shown for correction says the same.
    const again = await owner.request('PATCH', path(detail.id), { body: { yaml: detail.yaml! } });
    expect((again.body as ChecklistDetail).items).toEqual(detail.items);

    const bad = await uploaded(
      'bad.csv',
      'text/csv',
      [...rows, 'R1;Noch einmal?;;;', 'R4;Dringend?;sofort;;'].join('\n'),
    );
    const refused = await create({ work_product_id: bad, name: 'Hausprüfung zwei' });
    expect(refused.status).toBe(422);
    const { issues, hint } = (refused.body as Refused).error.details;
    expect(issues.map((one) => [one.path, one.row, one.column])).toEqual([
      ['body.work_product_id', 4, 'ID'],
      ['body.work_product_id', 5, 'Priorität'],
    ]);
    expect(issues[1]!.message).toMatch(/^Row 5, column "Priorität": Severity is one of critical/);
    expect(hint).toBe('Correct the rows and read the file again.');

    const list = await uploaded('list.yaml', 'application/yaml', yaml('{ id: Y, text: Is it there? }'));
    expect(await create({ work_product_id: list, name: 'From a file' })).toMatchObject({
      status: 201,
      body: { title: { en: 'From a file' }, key: 'USR-HOUSE-REVIEW', items: [{ id: 'USR-Y' }] },
    });
    const note = await uploaded('note.md', 'text/markdown', '# Note\n\nJust words.');
    for (const one of [note, randomUUID()]) {
      expect((await create({ work_product_id: one, name: 'Other' })).status).toBe(422);
    }
  });
});
