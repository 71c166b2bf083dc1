import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DocumentMarks } from '../../modules/document-view/document-view.schemas.js';
import { type Client, startTestApp, type TestApp } from '../test-app.js';
import { createTestDatabase, type TestDatabase } from '../test-database.js';
import { until, uploadWorkProduct } from '../upload.js';
import { findChromium, type OpenPage, openBrowser } from './open-browser.js';
import { signInBrowser } from './sign-in-browser.js';

// Every mark of every document, in every way that the document is shown: the words that are highlighted are the words that were
// quoted. Of the sample documents; of the files below other folders, each one a project, where BROWSER_DOCUMENTS names them
// (joined by commas).

const DEMO = fileURLToPath(new URL('../../../../demo/documents/', import.meta.url));
const PROJECTS = process.env.BROWSER_DOCUMENTS?.split(',') ?? [DEMO];
const STANDARDS = ['iso-26262-3-2018', 'iso-26262-6-2018'];
/** What is no document: pictures, programs, licences. */
const NOT_READ = /\.(jpe?g|png|gif|svg|py|itest|bat|css|toml)$|\/(LICENSE|NOTICE|Makefile)$/;
/** A page on a busy machine takes its time. */
const SOON = { timeout: 60_000 };
const READ_MILLISECONDS = 600_000;

interface Seen {
  readonly document: string;
  readonly mode: string;
  readonly marks: number;
  readonly places: number;
  readonly without: number;
}

let database: TestDatabase;
let app: TestApp;
let owner: Client;
let browser: Awaited<ReturnType<typeof openBrowser>>;
let opened: OpenPage;
const seen: Seen[] = [];

describe.skipIf(findChromium() === undefined)('quotes where they stand', () => {
  beforeAll(async () => {
    database = await createTestDatabase();
    app = await startTestApp(database, {
      work: true,
      environment: {
        RATE_LIMIT_BROWSER_PER_MINUTE: '60000',
        RATE_LIMIT_BROWSER_BURST: '10000',
        ACCESS_TOKEN_EXPIRE_MINUTES: '1440',
      },
    });
    owner = await app.signUp('kim@example.org');
    browser = await openBrowser(app.address);
    opened = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await signInBrowser(opened.page, app, owner);
  });
  afterAll(async () => {
    if (process.env.BROWSER_DOCUMENTS) tell(seen);
    await browser?.close();
    await app?.stop();
    await database?.stop();
  });

  it.each(PROJECTS)(
    'are what is highlighted: %s',
    async (folder) => {
      const { workspace, documents } = await analysed(folder);
      const wrong: unknown[] = [];
      for (const [name, id] of documents) {
        const marks = await send<DocumentMarks>('GET', `/work-products/${id}/versions/1/marks`);
        const without = marks.without_place.length;
        if (marks.marks.length === 0) {
          seen.push({ document: name, mode: '–', marks: 0, places: 0, without });
          continue;
        }
        const quotes = await quotesOf(id);
        const of = `${app.address}/w/${workspace}/documents/${id}?show=everything`;
        for (const mode of await modesOf(opened.page, of)) {
          await opened.page.goto(`${of}&mode=${mode}`);
          // Marks come by themselves; what is in sight at first is looked at first.
          await opened.page.locator('.margin-card').first().waitFor(SOON);
          const shown = await HIGHLIGHTED[mode](opened.page, pagesOf(marks));
          const places = new Set<string>();
          for (const { about, start, end, role, ref } of marks.marks) {
            const place = `${start}-${end}`;
            const words = shown.get(`${about}:${ref.id}:${role}:${place}`);
            if (words !== undefined) places.add(place);
            const quote = quotes.get(place);
            if (words === undefined || quote === undefined || folded(words) !== folded(quote)) {
              wrong.push({ name, mode, place, words, quote });
            }
          }
          seen.push({ document: name, mode, marks: marks.marks.length, places: places.size, without });
        }
      }
      expect(seen.reduce((sum, { places }) => sum + places, 0)).toBeGreaterThan(100);
      expect(wrong).toEqual([]);
      expect(opened.faults).toEqual([]);
    },
    3_600_000,
  );
});

const folded = (text: string): string => text.replace(/\s+/g, '');

async function send<Body>(method: string, path: string, body?: unknown): Promise<Body> {
  const answer = await owner.request(method, `/api/v1${path}`, body === undefined ? {} : { body });
  if (answer.status >= 300) throw new Error(`${path} was answered ${answer.status}: ${answer.text}`);
  return answer.body as Body;
}

/** The files below a folder as a workspace that was analysed; names and ids of the documents that could be read. */
async function analysed(
  folder: string,
): Promise<{ readonly workspace: string; readonly documents: ReadonlyMap<string, string> }> {
  const { id: workspace } = await send<{ id: string }>('POST', '/workspaces', { name: basename(folder) });
  const files = (await readdir(folder, { withFileTypes: true, recursive: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !NOT_READ.test(file))
    .sort();
  const ids = new Map<string, string>();
  for (const file of files) {
    const bytes = Uint8Array.from(await readFile(file));
    const { status, body } = await uploadWorkProduct(owner, workspace, {
      name: basename(file),
      type: 'application/octet-stream',
      bytes,
    });
    if (status < 300) ids.set(file.slice(folder.length), (body as { id: string }).id);
  }
  const documents = new Map<string, string>();
  for (const [name, id] of ids) {
    const { processing_status: state } = await until<{ processing_status: string }>(
      owner,
      `/api/v1/work-products/${id}`,
      ({ processing_status }) => !['queued', 'running'].includes(processing_status),
      READ_MILLISECONDS,
    );
    if (state === 'completed') documents.set(name, id);
  }
  const run = async (path: string, body: object): Promise<void> => {
    const { id } = await send<{ id: string }>('POST', path, { workspace_id: workspace, ...body });
    await until<{ status: string }>(
      owner,
      `/api/v1/analysis/analyses/${id}`,
      ({ status }) => status === 'completed',
      READ_MILLISECONDS,
    );
  };
  for (const catalog_id of STANDARDS) {
    const { id } = await send<{ id: string }>('POST', '/standards', { workspace_id: workspace, catalog_id });
    await run('/analysis/gaps', { standard_id: id });
  }
  await run('/compliance/completeness', {});
  await run('/traceability/analyze', {});
  return { workspace, documents };
}

/** What was quoted from each place of a document, as the analyses wrote it down. */
async function quotesOf(id: string): Promise<ReadonlyMap<string, string>> {
  const rows = await database.asOwner<{ place: string; quote: string }>(
    `select start_offset || '-' || end_offset as place, quote from (
       select work_product_id, start_offset, end_offset, quote from analysis_evidence
       union select work_product_id, start_offset, end_offset, quote from artifacts
       union select work_product_id, start_offset, end_offset, quote from trace_links
     ) quoted where work_product_id = $1 and start_offset is not null`,
    [id],
  );
  return new Map(rows.map(({ place, quote }) => [place, quote]));
}

type Mode = keyof typeof HIGHLIGHTED;

async function modesOf(page: Page, address: string): Promise<readonly Mode[]> {
  await page.goto(address);
  await page.locator('.sheet, .viewer-text .block, [role="grid"]').first().waitFor(SOON);
  if ((await page.locator('.sheet').count()) > 0) return ['page', 'text'];
  return (await page.locator('[role="grid"]').count()) > 0 ? ['grid', 'text'] : ['text'];
}

/** The pages that marks stand on, and those behind: a quote may reach over to the next page. */
const pagesOf = ({ marks }: DocumentMarks): readonly number[] =>
  [...new Set(marks.flatMap(({ location: { page } }) => (page ? [page, page + 1] : [])))].toSorted(
    (a, b) => a - b,
  );

/** The highlighted words of each mark, by the mark. */
const HIGHLIGHTED = {
  text: async (page: Page) => {
    await page.locator('.viewer-text .block').first().waitFor(SOON);
    return gathered(await page.evaluate<Piece[]>(SCROLLED('.viewer-text', '.viewer-text')));
  },
  grid: async (page: Page) => {
    await page.getByRole('grid').waitFor(SOON);
    const pieces: Piece[] = [];
    const sheets = page.locator('.grid-sheets button');
    const count = await sheets.count();
    for (let at = 0; at < Math.max(count, 1); at++) {
      if (count > 0) await sheets.nth(at).click();
      pieces.push(...(await page.evaluate<Piece[]>(SCROLLED('.grid-mode', '.grid-scroller'))));
    }
    return gathered(pieces);
  },
  page: async (page: Page, pages: readonly number[]) => {
    const pieces: Piece[] = [];
    await page.locator('.sheet').first().waitFor(SOON);
    const last = Number(/\d+/.exec((await page.locator('.page-number span').textContent()) ?? '')?.[0]);
    for (const at of pages.filter((one) => one <= last)) {
      await page.getByLabel('Page', { exact: true }).fill(String(at));
      await page.keyboard.press('Enter');
      // A page without words has none to wait for.
      await page
        .locator(`article[aria-label="Page ${at}"] svg text`)
        .first()
        .waitFor({ state: 'attached', timeout: 10_000 })
        .catch(() => undefined);
      pieces.push(...(await page.evaluate<Piece[]>(UNDER_BOXES(at))));
    }
    return gathered(pieces);
  },
} as const;

/** A mark, a number that orders its pieces, and the words of one. */
type Piece = readonly [mark: string, order: number, words: string];

function gathered(pieces: readonly Piece[]): ReadonlyMap<string, string> {
  const found = new Map<string, Map<number, string>>();
  for (const [mark, order, words] of pieces) {
    const of = found.get(mark) ?? new Map<number, string>();
    found.set(mark, of);
    of.set(order, words);
  }
  return new Map(
    [...found].map(([mark, of]) => [
      mark,
      [...of]
        .toSorted(([a], [b]) => a - b)
        .map(([, words]) => words)
        .join(''),
    ]),
  );
}

/** In the page: all highlighted words of a part that draws only what is in sight, from its top to its end. */
const SCROLLED = (around: string, scrolled: string): string => `(async () => {
  const part = document.querySelector(${JSON.stringify(around)});
  const pane = document.querySelector(${JSON.stringify(scrolled)});
  const found = new Map();
  const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 20)));
  pane.scrollTo(0, 0);
  for (let still = 0; still < 3; ) {
    await painted();
    for (const one of part.querySelectorAll('mark[data-marks]')) {
      for (const id of one.dataset.marks.split(' ')) {
        found.set(id + ' ' + one.dataset.start, [id, Number(one.dataset.start), one.textContent]);
      }
    }
    const before = pane.scrollTop;
    pane.scrollTo(0, before + pane.clientHeight * 0.8);
    await painted();
    still = pane.scrollTop <= before + 1 ? still + 1 : 0;
  }
  return [...found.values()];
})()`;

/** In the page: of each mark on a page, the letters laid over the picture whose middle lies in one of its boxes. */
const UNDER_BOXES = (page: number): string => `(() => {
  const svg = document.querySelector('article[aria-label="Page ${page}"] .sheet-paper svg');
  if (!svg) return [];
  const letters = [...svg.querySelectorAll('text')].flatMap((one) => {
    const matrix = one.getScreenCTM();
    return [...one.textContent].map((letter, at) => {
      const { x, y, width, height } = one.getExtentOfChar(at);
      const middle = new DOMPoint(x + width / 2, y + height / 2).matrixTransform(matrix);
      return { letter, x: middle.x, y: middle.y };
    });
  });
  return [...svg.querySelectorAll('.box')].map((box) => {
    const boxes = [...box.querySelectorAll('rect')].map((rect) => rect.getBoundingClientRect());
    const under = letters.filter(({ x, y }) => boxes.some((one) =>
      x >= one.left && x <= one.right && y >= one.top && y <= one.bottom));
    return [box.dataset.mark, ${page}, under.map(({ letter }) => letter).join('')];
  });
})()`;

/** As a table of docs/benchmarks.md. */
function tell(rows: readonly Seen[]): void {
  const line = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;
  console.log(
    [
      line(['Document', 'shown as', 'marks', 'places', 'gaps without a place']),
      line(Array.from({ length: 5 }, () => '---')),
      ...rows.map(({ document, mode, marks, places, without }) =>
        line([document, mode, marks, places, without]),
      ),
    ].join('\n'),
  );
}
