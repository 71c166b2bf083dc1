import { readdir, readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { type TestFile, until, uploadWorkProduct } from '../../testing/upload.js';
import type { Gap } from '../gaps/gaps.schemas.js';
import type { DocumentMarks, DocumentOutline, DocumentView } from './document-view.schemas.js';

const DEMO = fileURLToPath(new URL('../../../../demo/documents/', import.meta.url));
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  '.pdf': 'application/pdf',
  '.md': 'text/markdown',
};

/** The same words several times, letters beyond the first plane, German, an id that stands in three cells. */
const OWN: readonly TestFile[] = [
  {
    name: 'Sicherheitskonzept.md',
    type: 'text/markdown',
    bytes: [
      '# Funktionales Sicherheitskonzept 🚪',
      'Status: Entwurf. TBD.',
      '## Sicherheitsanforderungen',
      '| ID | Anforderung | ASIL | Abgeleitet von | Verifiziert durch |\n|---|---|---|---|---|\n| FSR-91 | Die Tür 🚪 muss geschlossen bleiben. TBD | D | SG-91 | TC-91 |\n| FSR-92 | Die Leuchte soll blinken. TBD | B | SG-99 | TBD |',
      '## Sicherer Zustand 🛑',
      'Der sichere Zustand ist noch festzulegen. TBD',
    ].join('\n\n'),
  },
  {
    name: 'requirements.csv',
    type: 'text/csv',
    bytes:
      'ID,Requirement,ASIL,Derived from,Verified by\nFSR-93,"The lamp shall, ""if needed"", report TBD within 5 ms.",B,SG-91,TC-93\nFSR-94,The door shall close quickly.,D,SG-91,\n',
  },
  {
    name: 'plan.html',
    type: 'text/html',
    bytes:
      '<html><body><h1>Safety plan</h1><p>The safety   plan of the <b>item</b> names &amp; assigns Jo. TBD</p><table><tr><th>ID</th><th>Safety goal</th><th>ASIL</th></tr><tr><td>SG-91</td><td>The door shall not open. TBD</td><td>D</td></tr></table></body></html>',
  },
];

let database: TestDatabase;
let app: TestApp;
let jo: Client;
let workspace: string;
const ids: string[] = [];

const get = async <Body>(path: string, client = jo): Promise<Body> => {
  const answer = await client.request('GET', `/api/v1${path}`);
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.body as Body;
};
const at = (id: string, rest = 'document') => `/work-products/${id}/versions/1/${rest}`;
const isOfGap = ({ about }: { readonly about: string }): boolean => ['gap', 'placeholder'].includes(about);
const textOf = ({ blocks }: DocumentView) => blocks.map(({ text }) => text).join('\n');

beforeAll(async () => {
  database = await createTestDatabase();
  app = await startTestApp(database, { work: true });
  jo = await app.signUp();
  const post = async (path: string, body: object) =>
    (await jo.request('POST', `/api/v1${path}`, { body })).body as { id: string };
  workspace = (await post('/workspaces', { name: 'Marks' })).id;
  const demo = await Promise.all(
    (await readdir(DEMO)).map(
      async (name): Promise<TestFile> => ({
        name,
        type: MEDIA_TYPES[extname(name)]!,
        bytes: new Uint8Array(await readFile(DEMO + name)),
      }),
    ),
  );
  for (const file of [...demo, ...OWN]) {
    ids.push(((await uploadWorkProduct(jo, workspace, file)).body as { id: string }).id);
  }
  for (const id of ids) {
    await until<{ processing_status: string }>(
      jo,
      `/api/v1/work-products/${id}`,
      ({ processing_status }) => processing_status === 'completed',
    );
  }
  await until<{ under_way: boolean; documents: unknown[] }>(
    jo,
    `/api/v1/traceability/extraction?workspace_id=${workspace}`,
    (one) => !one.under_way && one.documents.length === ids.length,
  );
  const standard = await post('/standards', { workspace_id: workspace, catalog_id: 'iso-26262-3-2018' });
  for (const [path, body] of [
    ['/analysis/gaps', { standard_id: standard.id }],
    ['/compliance/completeness', {}],
    ['/traceability/analyze', {}],
    ['/compliance/checklist', { checklist_id: await checklist() }],
  ] as const) {
    const { id } = await post(path, { workspace_id: workspace, ...body });
    await until<{ status: string }>(
      jo,
      `/api/v1/analysis/analyses/${id}`,
      ({ status }) => status === 'completed',
      120_000,
    );
  }
}, 300_000);
afterAll(async () => {
  await app?.stop();
  await database?.stop();
});

const checklist = async () =>
  (await get<{ items: { id: string }[] }>(`/compliance/checklists?workspace_id=${workspace}&limit=1`))
    .items[0]!.id;

/** The whole text of every document, asked for in small parts. */
const wholeTexts = async (): Promise<ReadonlyMap<string, string>> => {
  const texts = new Map<string, string>();
  for (const id of ids) {
    const parts: string[] = [];
    for (let from: number | null = 0; from !== null; ) {
      const view: DocumentView = await get(`${at(id)}?from_block=${from}&blocks=7`);
      parts.push(textOf(view));
      from = view.next_block;
    }
    texts.set(id, parts.join('\n'));
  }
  return texts;
};

describe('a document as it was read', () => {
  it('is whole over its parts, and each block and cell stands where it says', async () => {
    const texts = await wholeTexts();
    for (const id of ids) {
      const view = await get<DocumentView>(`${at(id)}?blocks=2000`);
      const text = texts.get(id)!;
      expect([view.block_count, view.text_length, view.next_block]).toEqual([
        view.blocks.length,
        text.length,
        null,
      ]);
      for (const block of view.blocks) {
        expect(text.slice(block.start, block.end)).toBe(block.text);
        for (const cell of block.cells ?? []) expect(text.slice(cell.start, cell.end)).toBe(cell.text);
      }
    }
  });

  it('is shown around a position', async () => {
    for (const id of ids) {
      const { text_length, block_count } = await get<DocumentView>(`${at(id)}?blocks=1`);
      for (const position of [0, Math.floor(text_length / 2), text_length]) {
        const view = await get<DocumentView>(`${at(id)}?around=${position}&blocks=3`);
        expect(view.blocks.length).toBeLessThanOrEqual(3);
        expect(view.blocks.some(({ start, end }) => start <= position && position <= end)).toBe(true);
      }
      const beyond = await get<DocumentView>(`${at(id)}?from_block=${block_count}`);
      expect([beyond.blocks, beyond.next_block]).toEqual([[], null]);
    }
  });

  it('has an outline that leads to its headings and sheets', async () => {
    for (const id of ids) {
      const outline = await get<DocumentOutline>(at(id, 'outline'));
      const { blocks } = await get<DocumentView>(`${at(id)}?blocks=2000`);
      expect(outline.total).toBe(outline.headings.length);
      for (const { block, title, sheet, start } of outline.headings) {
        expect(start).toBe(blocks[block]?.start);
        expect([blocks[block]?.text, sheet]).toContain(title);
      }
    }
    const [workbook] = await Promise.all(
      (await get<{ items: { id: string; name: string }[] }>(`/work-products?workspace_id=${workspace}`)).items
        .filter(({ name }) => name.includes('HARA'))
        .map(({ id }) => get<DocumentOutline>(at(id, 'outline'))),
    );
    expect(workbook?.headings.filter(({ level }) => level === 1).length).toBeGreaterThan(0);
  });

  it('is known again by its tag', async () => {
    const first = await jo.request('GET', `/api/v1${at(ids[0]!)}`);
    const again = await jo.request('GET', `/api/v1${at(ids[0]!)}`, {
      headers: { 'if-none-match': first.headers.get('etag')! },
    });
    expect(again.status).toBe(304);
  });

  it('is nobody else’s, and no version that is not there', async () => {
    const kim = await app.signUp();
    for (const rest of ['document', 'outline', 'marks']) {
      expect((await kim.request('GET', `/api/v1${at(ids[0]!, rest)}`)).status).toBe(404);
      const other = `/api/v1/work-products/${ids[0]}/versions/2/${rest}`;
      expect((await jo.request('GET', other)).status).toBe(404);
    }
    const both = await jo.request('GET', `/api/v1${at(ids[0]!)}?from_block=1&around=1`);
    expect(both.status).toBe(422);
  });
});

describe('places are exact', () => {
  it('of every quote of every gap', async () => {
    const texts = await wholeTexts();
    let quotes = 0;
    let cursor = '';
    do {
      const page = await get<{ items: Gap[]; next_cursor: string | null }>(
        `/analysis/gaps?workspace_id=${workspace}&limit=100&cursor=${cursor}`,
      );
      for (const { evidence } of page.items) {
        for (const { work_product_id, quote, range } of evidence) {
          quotes++;
          expect(texts.get(work_product_id)!.slice(range!.start, range!.end)).toBe(quote);
        }
      }
      cursor = page.next_cursor ?? '';
    } while (cursor);
    expect(quotes).toBeGreaterThan(50);
  });

  it.each(['artifacts', 'links'])('of all %s', async (kind) => {
    const texts = await wholeTexts();
    const { items } = await get<{
      items: { work_product_id: string; quote: string; range: { start: number; end: number } }[];
    }>(`/traceability/${kind}?workspace_id=${workspace}&limit=100`);
    expect(items.length).toBeGreaterThan(5);
    for (const { work_product_id, quote, range } of items) {
      expect(texts.get(work_product_id)!.slice(range.start, range.end)).toBe(quote);
    }
  });

  it('of all evidence of answers', async () => {
    const texts = await wholeTexts();
    const map = await get<{
      passages: { work_product_id: string; quote: string; range: { start: number; end: number } }[];
    }>(`/analysis/evidence?workspace_id=${workspace}`);
    expect(map.passages.length).toBeGreaterThan(100);
    for (const { work_product_id, quote, range } of map.passages) {
      expect(texts.get(work_product_id)!.slice(range.start, range.end)).toBe(quote);
    }
  });
});

describe('the marks of a document', () => {
  it('are all quotes of it and nothing else, in its order', async () => {
    const { items: gaps } = await get<{ items: Gap[] }>(`/analysis/gaps?workspace_id=${workspace}&limit=100`);
    const severities = new Map(gaps.map((gap) => [gap.id, gap]));
    for (const id of ids) {
      const marks = await get<DocumentMarks>(at(id, 'marks'));
      expect(marks.newest_marked_version).toBe(1);
      expect(marks.total).toBe(marks.marks.length);
      expect(Object.values(marks.by_about).reduce((sum, count) => sum + (count ?? 0), 0)).toBe(marks.total);
      const starts = marks.marks.map(({ start }) => start);
      expect(starts).toEqual([...starts].sort((a, b) => a - b));
      const quoted = (
        await get<{ items: Gap[]; total: number }>(
          `/analysis/gaps?workspace_id=${workspace}&work_product_id=${id}&limit=100`,
        )
      ).items;
      const places = quoted.flatMap((gap) =>
        gap.evidence
          .filter(({ work_product_id }) => work_product_id === id)
          .map(({ range }) => `${gap.id} ${range!.start} ${range!.end}`),
      );
      const told = marks.marks.filter(isOfGap).map(({ ref, start, end }) => `${ref.id} ${start} ${end}`);
      for (const place of places) expect(told).toContain(place);
      // No more than a page of gaps was asked for: with all of them there, nothing else is marked.
      if (quoted.length < 100) expect([...told].sort()).toEqual([...places].sort());
      for (const { about, ref, severity, status } of marks.marks) {
        const gap = severities.get(ref.id);
        if (!gap) continue;
        expect([severity, status]).toEqual([gap.severity, gap.status]);
        expect(about).toBe(gap.type === 'placeholder' ? 'placeholder' : 'gap');
      }
      const withPlace = new Set(told.map((one) => one.split(' ')[0]));
      for (const { ref } of marks.without_place) expect(withPlace.has(ref.id)).toBe(false);
    }
  });

  it('tell open points apart from other gaps', async () => {
    let open = 0;
    for (const id of ids) {
      const all = await get<DocumentMarks>(at(id, 'marks'));
      const points = await get<DocumentMarks>(at(id, 'marks?about=placeholder'));
      expect(points.marks).toEqual(all.marks.filter(({ about }) => about === 'placeholder'));
      const { blocks } = await get<DocumentView>(at(id, 'document'));
      for (const { start, end } of points.marks) {
        const block = blocks.find((one) => one.start <= start && end <= one.end)!;
        open += /TBD|TBC|\?\?|to be/i.test(block.text.slice(start - block.start, end - block.start)) ? 1 : 0;
      }
    }
    expect(open).toBeGreaterThan(0);
  });

  it('are told by kind, status and language', async () => {
    const hara = ids[1]!;
    const all = await get<DocumentMarks>(at(hara, 'marks'));
    expect(Object.keys(all.by_about).sort()).toEqual(
      expect.arrayContaining(['artifact', 'criterion', 'gap', 'section']),
    );
    const some = await get<DocumentMarks>(at(hara, 'marks?about=gap,artifact'));
    expect(some.by_about).toEqual({ gap: all.by_about.gap, artifact: all.by_about.artifact });
    const [first] = some.marks.filter(({ about }) => about === 'gap');
    await jo.request('PATCH', `/api/v1/analysis/gaps/${first!.ref.id}`, { body: { status: 'in_progress' } });
    const begun = await get<DocumentMarks>(at(hara, 'marks?about=gap&status=in_progress'));
    expect(new Set(begun.marks.map(({ ref }) => ref.id))).toEqual(new Set([first!.ref.id]));
    const german = await jo.request('GET', `/api/v1${at(hara, 'marks?about=gap')}`, {
      headers: { 'accept-language': 'de' },
    });
    const titles = (body: unknown) => (body as DocumentMarks).marks.map(({ title }) => title);
    expect(titles(german.body)).not.toEqual(titles(await get(at(hara, 'marks?about=gap'))));
  });

  it('are those of one run where one is named, also after another one found less', async () => {
    const hara = ids[1]!;
    const { items: runs } = await get<{ items: { id: string; type: string }[] }>(
      `/analysis/analyses?workspace_id=${workspace}&status=completed&limit=100`,
    );
    const gapRun = runs.find(({ type }) => type === 'gap_analysis')!;
    const [now, then] = [
      await get<DocumentMarks>(at(hara, 'marks')),
      await get<DocumentMarks>(at(hara, `marks?analysis_id=${gapRun.id}`)),
    ];
    expect(then.by_about.criterion).toBe(now.by_about.criterion);
    expect(then.by_about.section).toBeUndefined();
    expect(then.by_about.artifact).toBe(now.by_about.artifact);
    const { items: found } = await get<{ items: Gap[] }>(
      `/analysis/gaps?workspace_id=${workspace}&analysis_id=${gapRun.id}&limit=100`,
    );
    const its = new Set(found.map(({ id }) => id));
    const gaps = then.marks.filter(({ about }) => about === 'gap');
    expect(gaps.length).toBeGreaterThan(0);
    for (const { ref } of [...then.marks.filter(isOfGap), ...then.without_place])
      expect(its.has(ref.id)).toBe(true);
    expect(gaps.length).toBeLessThan(now.by_about.gap!);
    const absent = gaps[0]!.ref.id;
    await database.asOwner(`update gaps set change = 'absent' where id = $1`, [absent]);
    const isThere = async (query: string) =>
      (await get<DocumentMarks>(at(hara, `marks${query}`))).marks.some(({ ref }) => ref.id === absent);
    expect([await isThere(''), await isThere(`?analysis_id=${gapRun.id}`)]).toEqual([false, true]);
    await database.asOwner(`update gaps set change = 'new' where id = $1`, [absent]);
  });

  it('of answers say in words what was answered, in the language of the reader', async () => {
    const { marks } = await get<DocumentMarks>(at(ids[1]!, 'marks?about=section,criterion'));
    for (const { ref, title } of marks) {
      // What rules about whole documents found has no name of its own.
      if (!/^document\.(?!metadata)/.test(ref.id)) expect([ref, typeof title]).toEqual([ref, 'string']);
    }
    expect(marks.find(({ ref }) => ref.id === 'document.metadata.title')?.title).toBe('Title');
    const german = await jo.request('GET', `/api/v1${at(ids[1]!, 'marks?about=section')}`, {
      headers: { 'accept-language': 'de' },
    });
    const field = (german.body as DocumentMarks).marks.find(
      ({ ref }) => ref.id === 'document.metadata.title',
    );
    expect(field?.title).toBe('Titel');
  });
});
