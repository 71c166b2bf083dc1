import { hash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { DocumentError, type DocumentReader, openPages, type PackedPages } from '@normtrace/engine';
import { ApiError, notFound } from '../../platform/http/api-error.js';
import type { Objects } from '../../platform/storage/storage.js';
import { keepValues } from '../documents/keep-values.js';
import { readKept } from '../documents/kept-documents.js';
import { pictureKey, placesKey, shapesKey } from '../documents/page-objects.js';
import { type Engine, explainFailure } from '../engine/engine.js';
import type { ReadVersionRow } from './document-view.repository.js';
import { parsedKeyOf } from './document-view.service.js';
import type { DocumentPages, PageLines } from './pages.schemas.js';
import { placePagesTask, readingOf } from './place-pages-task.js';

/** The format that has pages of its own. */
const PAGED = 'pdf';
/** Reading a long document once more takes its time. */
const READING_MILLISECONDS = 120_000;
const DRAWING_MILLISECONDS = 60_000;
/** Bytes of places that one process keeps: a document of 200 pages has about one megabyte. */
const MOST_BYTES = 100_000_000;
/** Raised when the same page is drawn into another picture. */
const DRAWING = 1;

interface KeptPages {
  readonly places: DocumentPages['places'];
  readonly packed: PackedPages;
  readonly bytes: number;
}

export interface PageTools {
  readonly objects: Objects;
  readonly engine: Engine;
  /** Draws pages in limited processes. */
  readonly drawer: DocumentReader;
}

const kept = keepValues<KeptPages>({ most: MOST_BYTES, weightOf: ({ bytes }) => bytes });

/** The pages of a version. Throws 409 for one that was not read, or cannot be read any more. */
export async function toDocumentPages(version: ReadVersionRow, tools: PageTools): Promise<DocumentPages> {
  const { work_product_id, version: number, sha256 } = version;
  // Whoever asks for the pages asks for the picture of one next.
  if (version.format === PAGED) tools.drawer.warmUp();
  const found = await pagesOf(version, tools);
  const pages = (found?.packed.pages ?? []).map(({ width, height }, index) => ({
    page: index + 1,
    width: hundredths(width),
    height: hundredths(height),
  }));
  return {
    work_product_id,
    version: number,
    sha256,
    total: pages.length,
    places: found?.places ?? 'none',
    pages,
  };
}

const hundredths = (points: number): number => Math.round(points * 100) / 100;

/** Where the lines of a page stand. Throws 404 for a page that is not there. */
export async function toPageLines(
  version: ReadVersionRow,
  page: number,
  tools: PageTools,
): Promise<PageLines> {
  const { packed } = await withPage(version, page, tools);
  const lines = packed.linesOf(page).map(({ lefts, ...line }) => ({
    ...line,
    ...(lefts ? { lefts: [...lefts] } : {}),
  }));
  return { page, total: lines.length, lines };
}

/** What a picture is made of: the same tag is the same picture. */
export const pictureTag = (
  { sha256 }: ReadVersionRow,
  { page, width, turn }: { readonly page: number; readonly width: number; readonly turn: number },
): string => `"${hash('sha256', `${DRAWING} ${sha256} ${page} ${width} ${turn}`, 'base64url').slice(0, 22)}"`;

/** Which way up a page is drawn. Throws 404 for a page that is not there. */
export async function turnOfPage(
  version: ReadVersionRow,
  page: number,
  tools: PageTools,
): Promise<0 | 1 | 2 | 3> {
  const { packed } = await withPage(version, page, tools);
  return packed.pages[page - 1]!.turn;
}

/** The picture of a page: as it was drawn once, else drawn now and kept. Throws 409 for a page that cannot be drawn. */
export async function pictureOf(
  version: ReadVersionRow,
  { page, width, turn }: { readonly page: number; readonly width: number; readonly turn: 0 | 1 | 2 | 3 },
  { objects, drawer }: PageTools,
): Promise<Buffer> {
  const key = pictureKey(parsedKeyOf(version), page, width);
  if ((await objects.size(key)) !== undefined) return buffer(await objects.read(key));
  const bytes = new Uint8Array(await buffer(await objects.read(version.object_key)));
  const signal = AbortSignal.timeout(DRAWING_MILLISECONDS);
  const drawn = await drawer.drawPage(bytes, { page, width, turn, signal }).catch((error: unknown) => {
    if (error instanceof DocumentError) throw cannot(error.message);
    throw error;
  });
  const picture = Buffer.from(drawn.buffer, drawn.byteOffset, drawn.byteLength);
  await objects.write(key, picture, 'image/png');
  return picture;
}

const cannot = (message: string): ApiError => new ApiError('CONFLICT', message, { reason: 'not_readable' });

async function withPage(version: ReadVersionRow, page: number, tools: PageTools): Promise<KeptPages> {
  const found = await pagesOf(version, tools);
  if (!found || page > found.packed.pages.length) throw notFound('page of this version');
  return found;
}

/** Undefined for a format without pages. */
async function pagesOf(version: ReadVersionRow, tools: PageTools): Promise<KeptPages | undefined> {
  const parsedKey = parsedKeyOf(version);
  if (version.format !== PAGED) return undefined;
  return kept(
    parsedKey,
    async () => (await readPages(tools.objects, parsedKey)) ?? placePages(version, tools),
  );
}

async function readPages(objects: Objects, parsedKey: string): Promise<KeptPages | undefined> {
  for (const [places, key] of [
    ['exact', placesKey(parsedKey)],
    ['unknown', shapesKey(parsedKey)],
  ] as const) {
    if ((await objects.size(key)) === undefined) continue;
    const object = new Uint8Array(await buffer(await objects.read(key)));
    const packed = openPages(object);
    if (packed) return { places, packed, bytes: object.length };
  }
  return undefined;
}

/** Of a document that was read before places were kept. */
async function placePages(version: ReadVersionRow, { objects, engine }: PageTools): Promise<KeptPages> {
  const parsedKey = parsedKeyOf(version);
  const document = await readKept(objects, parsedKey);
  const { pages, isSameReading } = await engine
    .run(
      placePagesTask,
      {
        bytes: new Uint8Array(await buffer(await objects.read(version.object_key))),
        fileName: version.file_name,
        reading: readingOf(document),
      },
      { signal: AbortSignal.timeout(READING_MILLISECONDS), group: version.workspace_id },
    )
    .catch((error: unknown) => {
      const failure = explainFailure(error);
      throw failure ? cannot(failure.text) : error;
    });
  const packed = pages && openPages(pages);
  if (!pages || !packed) throw cannot('The file is not read as a document with pages any more.');
  const key = isSameReading ? placesKey(parsedKey) : shapesKey(parsedKey);
  await objects.write(key, Buffer.from(pages), 'application/octet-stream');
  return { places: isSameReading ? 'exact' : 'unknown', packed, bytes: pages.length };
}
