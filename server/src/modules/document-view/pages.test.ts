import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { readDocumentStatements } from '@normtrace/engine';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { until, uploadWorkProduct } from '../../testing/upload.js';
import { pictureKey, placesKey, shapesKey } from '../documents/page-objects.js';
import { packDocument, unpackDocument } from '../documents/parsed-document.js';
import type { DocumentView } from './document-view.schemas.js';
import type { DocumentPages, PageLines } from './pages.schemas.js';

const PDF = new URL('../../../../demo/documents/04_Safety_Plan.pdf', import.meta.url);

let database: TestDatabase;
let app: TestApp;
let jo: Client;
let workspace: string;

beforeAll(async () => {
  database = await createTestDatabase();
  app = await startTestApp(database, { work: true });
  jo = await app.signUp();
  workspace = (
    (await jo.request('POST', '/api/v1/workspaces', { body: { name: 'Pages' } })).body as { id: string }
  ).id;
});
afterAll(async () => {
  await app?.stop();
  await database?.stop();
});

const objects = () => app.dependencies.storage.within(workspace);

async function upload(file: {
  readonly name: string;
  readonly type: string;
  readonly bytes: string | Uint8Array<ArrayBuffer>;
}) {
  const { id } = (await uploadWorkProduct(jo, workspace, file)).body as { id: string };
  await until<{ processing_status: string }>(
    jo,
    `/api/v1/work-products/${id}`,
    ({ processing_status }) => processing_status === 'completed',
  );
  const [row] = await database.asOwner<{ parsed_key: string }>(
    'select parsed_key from work_product_versions where work_product_id = $1',
    [id],
  );
  return { id, parsedKey: row!.parsed_key };
}
const uploadPdf = async () =>
  upload({ name: 'plan.pdf', type: 'application/pdf', bytes: new Uint8Array(await readFile(PDF)) });

const at = (id: string, rest: string) => `/api/v1/work-products/${id}/versions/1/${rest}`;
const get = async <Body>(path: string): Promise<Body> => {
  const answer = await jo.request('GET', path);
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.body as Body;
};
const linesOf = async (id: string, page: number) =>
  (await get<PageLines>(at(id, `pages/${page}/lines`))).lines;

/** The whole text of the version as it is answered. */
const textOf = async (id: string) =>
  (await get<DocumentView>(at(id, 'document?blocks=2000'))).blocks.map(({ text }) => text).join('\n');

describe('the pages of a PDF', () => {
  test('have sizes, and lines that are ranges of the text on their page', async () => {
    const { id, parsedKey } = await uploadPdf();
    expect(await objects().size(placesKey(parsedKey))).toBeGreaterThan(1000);
    const pages = await get<DocumentPages>(at(id, 'pages'));
    expect([pages.total, pages.pages.length, pages.places]).toEqual([3, 3, 'exact']);
    const { blocks } = await get<DocumentView>(at(id, 'document?blocks=2000'));
    const text = await textOf(id);
    let placed = 0;
    for (const { page } of pages.pages) {
      for (const line of await linesOf(id, page)) {
        const block = blocks[line.block]!;
        expect(block.start <= line.start && line.end <= block.end).toBe(true);
        expect(block.location.page).toBe(page);
        expect(text.slice(line.start, line.end)).toBe(text.slice(line.start, line.end).trim());
        for (const share of [line.x, line.y, line.x + line.width, line.y + line.height]) {
          expect(share >= 0 && share <= 1).toBe(true);
        }
        expect(line.lefts?.length ?? 0).toBe(line.end - line.start);
        placed += line.end - line.start;
      }
    }
    expect(placed).toBeGreaterThan(0.9 * text.length);
  });

  test('have pictures, which are kept and known by their tags', async () => {
    const { id, parsedKey } = await uploadPdf();
    const picture = async (path: string, headers = {}) =>
      fetch(`${app.address}${at(id, path)}`, {
        headers: { authorization: `Bearer ${jo.token}`, ...headers },
      });
    const first = await picture('pages/2/image?width=400');
    expect([first.status, first.headers.get('content-type'), first.headers.get('cache-control')]).toEqual([
      200,
      'image/png',
      'no-store',
    ]);
    const bytes = Buffer.from(await first.arrayBuffer());
    expect([bytes.toString('latin1', 1, 4), bytes.readUInt32BE(16)]).toEqual(['PNG', 400]);
    const kept = await buffer(await objects().read(pictureKey(parsedKey, 2, 400)));
    expect(kept.equals(bytes)).toBe(true);
    const again = await picture('pages/2/image?width=400', { 'if-none-match': first.headers.get('etag')! });
    expect([again.status, (await again.arrayBuffer()).byteLength]).toEqual([304, 0]);
    const tags = await Promise.all(
      ['pages/1/image?width=400', 'pages/2/image', 'pages/2/image?width=800'].map(async (path) =>
        (await picture(path)).headers.get('etag'),
      ),
    );
    expect(new Set([...tags, first.headers.get('etag')]).size).toBe(3);
  });

  test.each([
    ['pages/4/lines', 404],
    ['pages/4/image', 404],
    ['pages/0/lines', 422],
    ['pages/1/image?width=5000', 422],
    ['pages/1/image?width=801', 422],
  ])('%s is answered with %i', async (path, status) => {
    const { id } = await uploadPdf();
    expect((await jo.request('GET', at(id, path))).status).toBe(status);
  });

  test('are placed when they are first asked for, where the version was read before places were kept', async () => {
    const [{ id }, old] = [await uploadPdf(), await uploadPdf()];
    await objects().deletePrefix(`${old.parsedKey}.pages/`);
    expect(await get<DocumentPages>(at(old.id, 'pages'))).toMatchObject({ total: 3, places: 'exact' });
    expect(await linesOf(old.id, 2)).toEqual(await linesOf(id, 2));
    expect(await objects().size(placesKey(old.parsedKey))).toBeGreaterThan(1000);
  });

  test('have no places of a text that the reader finds no more, and say so', async () => {
    const { id, parsedKey } = await uploadPdf();
    const packed = new Uint8Array(await buffer(await objects().read(parsedKey)));
    const document = await unpackDocument(packed);
    const statements = readDocumentStatements({ id: '', document });
    const changed = await packDocument(
      { ...document, text: document.text.replace('Safety', 'Sefaty') },
      { engine: '', documentType: null, statements },
    );
    await objects().write(parsedKey, Buffer.from(changed), 'application/gzip');
    await objects().deletePrefix(`${parsedKey}.pages/`);
    expect(await get<DocumentPages>(at(id, 'pages'))).toMatchObject({ total: 3, places: 'unknown' });
    expect(await linesOf(id, 1)).toEqual([]);
    expect((await jo.request('GET', at(id, 'pages/1/image'))).status).toBe(200);
    expect(await objects().size(placesKey(parsedKey))).toBeUndefined();
    expect(await objects().size(shapesKey(parsedKey))).toBeGreaterThan(10);
  });

  test('go with the document', async () => {
    const { id, parsedKey } = await uploadPdf();
    await get(at(id, 'pages/1/image'));
    const ofIt = async () => (await objects().list(`${workspace}/`)).filter(({ key }) => key.includes(id));
    expect((await ofIt()).map(({ key }) => key)).toContain(pictureKey(parsedKey, 1, 800));
    expect((await jo.request('DELETE', `/api/v1/work-products/${id}`)).status).toBe(204);
    await expect.poll(ofIt, { timeout: 20_000 }).toEqual([]);
    expect((await jo.request('GET', at(id, 'pages/1/image'))).status).toBe(404);
  });
});

test('a document without pages of its own says so', async () => {
  const { id } = await upload({ name: 'plan.md', type: 'text/markdown', bytes: '# Plan\n\nThe plan.' });
  expect(await get<DocumentPages>(at(id, 'pages'))).toMatchObject({ total: 0, places: 'none', pages: [] });
  for (const rest of ['pages/1/lines', 'pages/1/image']) {
    expect((await jo.request('GET', at(id, rest))).status).toBe(404);
  }
});
