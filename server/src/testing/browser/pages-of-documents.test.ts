import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DocumentMarks, DocumentView } from '../../modules/document-view/document-view.schemas.js';
import { longPdf } from '../long-pdf.js';
import { type Client, startTestApp, type TestApp } from '../test-app.js';
import { createTestDatabase, type TestDatabase } from '../test-database.js';
import { type TestFile, until, uploadWorkProduct } from '../upload.js';
import { accessibilityProblems, findChromium, type OpenPage, openBrowser } from './open-browser.js';
import { signInBrowser } from './sign-in-browser.js';

const PLAN = new URL('../../../../demo/documents/04_Safety_Plan.pdf', import.meta.url);
const HARA = new URL('../../../../demo/documents/02_HARA.xlsx', import.meta.url);
const LONG_PAGES = 350;
/** A page on a busy machine takes its time. */
const SOON = { timeout: 20_000 };

let database: TestDatabase;
let app: TestApp;
let owner: Client;
let browser: Awaited<ReturnType<typeof openBrowser>>;
let opened: OpenPage;
let page: Page;
let workspace: string;
let plan: string;
let long: string;
let hara: string;

describe.skipIf(findChromium() === undefined)('pages of documents in Chromium', () => {
  beforeAll(async () => {
    database = await createTestDatabase();
    app = await startTestApp(database, { work: true });
    owner = await app.signUp('kim@example.org');
    workspace = (await send<{ id: string }>('POST', '/workspaces', { name: 'Pages' })).id;
    plan = await upload({
      name: 'Safety_Plan.pdf',
      type: 'application/pdf',
      bytes: new Uint8Array(await readFile(PLAN)),
    });
    long = await upload({
      name: 'Long.pdf',
      type: 'application/pdf',
      bytes: longPdf(LONG_PAGES, (at) =>
        Array.from(
          { length: 30 },
          (_, line) => `Page ${at} line ${line} tells about the door of vehicle ${at * line}.`,
        ),
      ),
    });
    hara = await upload({
      name: 'HARA.xlsx',
      type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      bytes: new Uint8Array(await readFile(HARA)),
    });
    const { id } = await send<{ id: string }>('POST', '/compliance/completeness', {
      workspace_id: workspace,
    });
    await until<{ status: string }>(
      owner,
      `/api/v1/analysis/analyses/${id}`,
      ({ status }) => status === 'completed',
      120_000,
    );
    browser = await openBrowser(app.address);
    opened = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    page = opened.page;
    await signInBrowser(page, app, owner);
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
    await database?.stop();
  });

  it('shows the pages of a PDF with what is said about them', async () => {
    await open(plan, 'show=everything');
    await expect.poll(() => drawn('.sheet-paper > img'), SOON).toBeGreaterThan(0);
    await expect.poll(() => page.locator('.thumbnail').count(), SOON).toBe(3);
    await expect.poll(() => drawn('.thumbnail img'), SOON).toBe(3);
    expect(await page.locator('.sheet .box').count()).toBeGreaterThan(5);
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  it('has the words of each quote under its boxes', async () => {
    const marks = await send<DocumentMarks>('GET', `/work-products/${plan}/versions/1/marks`);
    const text = await textOf(plan);
    await open(plan, 'show=everything');
    const found = new Map<string, string>();
    for (const at of [1, 2, 3]) {
      await page.getByLabel('Page', { exact: true }).fill(String(at));
      await page.keyboard.press('Enter');
      await expect
        .poll(() => page.locator(`article[aria-label="Page ${at}"] .box`).count(), SOON)
        .toBeGreaterThan(0);
      for (const [mark, words] of await wordsUnderBoxes(page)) found.set(mark, words);
    }
    const withoutSpaces = (words: string): string => words.replace(/\s/g, '');
    expect(found.size).toBeGreaterThan(20);
    for (const [mark, words] of found) {
      const [, start, end] = /:(\d+)-(\d+)$/.exec(mark)!.map(Number);
      expect([mark, withoutSpaces(words)]).toEqual([mark, withoutSpaces(text.slice(start, end))]);
    }
    const placed = new Set([...found.keys()].map((mark) => mark.split(':').at(-1)));
    expect(marks.marks.filter(({ start, end }) => !placed.has(`${start}-${end}`))).toEqual([]);
  });

  it('leads from the page to the finding and back', async () => {
    await open(plan, 'show=everything');
    const box = page.locator('article[aria-label="Page 1"] .box rect').nth(2);
    await box.waitFor(SOON);
    const place = (await box.boundingBox())!;
    await page.mouse.move(place.x + place.width / 2, place.y + place.height / 2);
    await expect.poll(() => page.locator('.margin-card[data-hovered]').count(), SOON).toBeGreaterThan(0);
    await page.mouse.click(place.x + place.width / 2, place.y + place.height / 2);
    await expect.poll(() => page.locator('.margin-card[aria-current]').count(), SOON).toBe(1);
    expect(new URL(page.url()).searchParams.get('at')).toMatch(/^\d+-\d+$/);

    await page.locator('.margin-choose').last().click();
    const chosen = page.locator('.box[data-chosen] rect').first();
    await chosen.waitFor(SOON);
    await expect.poll(() => isInSight(page, '.box[data-chosen] rect'), SOON).toBe(true);
    const hovered = async (): Promise<number> => {
      // The list may still be scrolling under the pointer.
      await page.mouse.move(0, 0);
      await page.locator('.margin-card[aria-current] .margin-choose').hover();
      return page.locator('.box[data-hovered]').count();
    };
    await expect.poll(hovered, SOON).toBeGreaterThan(0);
  });

  it('is worked with keys: marks, modes, size, page', async () => {
    await open(plan, 'show=everything');
    await page.locator('.sheet .box').first().waitFor(SOON);
    await page.keyboard.press('n');
    await page.locator('.box[data-chosen]').waitFor(SOON);
    await page.keyboard.press('v');
    await page.locator('mark[data-chosen]').first().waitFor(SOON);
    await page.keyboard.press('v');
    await page.locator('.box[data-chosen]').waitFor(SOON);
    const paper = page.locator('.sheet-paper').first();
    const before = (await paper.boundingBox())!.width;
    await page.keyboard.press('+');
    await expect.poll(async () => (await paper.boundingBox())?.width, SOON).toBe(Math.round(before * 1.25));
    await page.keyboard.press('0');
    await expect.poll(async () => (await paper.boundingBox())?.width, SOON).toBe(before);
    await page.keyboard.press('?');
    await expect.poll(() => page.getByRole('dialog').textContent(), SOON).toContain('Page or grid, text');
    await page.keyboard.press('Escape');
  });

  it('has the words of a page for those who do not see its picture, and to be selected', async () => {
    await open(plan, '');
    const first = page.locator('article[aria-label="Page 1"]');
    await expect.poll(() => first.locator('.visually-hidden').textContent(), SOON).toContain('PSD4-SP-004');
    const selected = await page.evaluate<string>(`
      getSelection().selectAllChildren(document.querySelector('.sheet-paper text'));
      getSelection().toString()`);
    expect(selected).toContain('Safety Plan');
  });

  it('takes comments on what is selected on a page or in a cell, and shows where they stand', async () => {
    const commented = async (element: string, mark: string): Promise<void> => {
      await page.locator(element).first().waitFor(SOON);
      const words = await page.evaluate<string>(`
        getSelection().selectAllChildren(document.querySelector('${element}'));
        getSelection().toString().trim()`);
      await page
        .getByRole('toolbar', { name: 'What is selected' })
        .getByRole('button', { name: 'Comment' })
        .click();
      await page.getByText(`About: “${words}”`).waitFor(SOON);
      await page.getByRole('textbox', { name: 'Comment' }).fill(`On ${element}`);
      await page.getByRole('button', { name: 'Add the comment' }).click();
      const said = page.locator('.comments li[aria-current]', { hasText: `On ${element}` });
      await said.getByText(words, { exact: true }).waitFor(SOON);
      await page.locator(mark).first().waitFor(SOON);
    };
    await open(plan, '');
    await commented('.sheet-paper text', '.box[data-role="comment"][data-chosen] rect');
    expect([...(await wordsUnderBoxes(page)).keys()].some((key) => key.startsWith('comment:'))).toBe(true);
    await page.goto(`${app.address}/w/${workspace}/documents/${hara}`);
    await commented('[role=gridcell][data-text-start]', '[role=gridcell] mark[data-role=comment]');
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  it('asks for the pages near the window only, and opens page 200 of a long document', async () => {
    const text = await textOf(long);
    const quote = 'Page 200 line 7 tells about';
    const start = text.indexOf(quote);
    const asked: string[] = [];
    page.on('request', (request) => {
      if (/\/pages\/\d+\/image/.test(request.url())) asked.push(request.url());
    });
    await open(long, `at=${start}-${start + quote.length}`);
    const box = page.locator('article[aria-label="Page 200"] .box[data-chosen] rect');
    await box.waitFor(SOON);
    await expect.poll(() => isInSight(page, '.box[data-chosen] rect'), SOON).toBe(true);
    await expect.poll(() => drawn('article[aria-label="Page 200"] img'), SOON).toBe(1);
    // The words of a page may come after its picture.
    await expect
      .poll(async () => [...(await wordsUnderBoxes(page)).values()].map((words) => words.trim()), SOON)
      .toContain(quote);
    await expect
      .poll(() => page.getByLabel('Page', { exact: true }).inputValue(), SOON)
      .toMatch(/^(199|200)$/);
    expect(new Set(asked).size).toBeLessThan(30);
  });

  // The first script of the page asks before the screens do: one of them that writes a question otherwise asks it again.
  it('asks for nothing twice, and for no page that nobody looks at, where it begins', async () => {
    const start = (await textOf(long)).indexOf('Page 150 line 7 tells about');
    const document = `/documents/${long}?v=1`;
    for (const [path, shown] of [
      [`${document}&at=${start}-${start + 20}`, 'article[aria-label="Page 150"] img'],
      [document, 'article[aria-label="Page 1"] img'],
      ['', '.page h1'],
    ] as const) {
      const asked: string[] = [];
      const note = (request: { url(): string }): void => void asked.push(request.url());
      page.on('request', note);
      await page.goto(`${app.address}/w/${workspace}${path}`);
      await page.locator(shown).first().waitFor(SOON);
      await page.waitForLoadState('networkidle');
      page.off('request', note);
      const questions = asked.filter((address) => address.includes('/api/v1/'));
      expect(questions.length).toBeGreaterThan(8);
      expect(questions.filter((one, at) => questions.indexOf(one) !== at)).toEqual([]);
      expect(await page.evaluate<number>('askedEarly.size')).toBe(0);
      if (path.includes('at=')) expect(asked.filter((one) => /\/pages\/\d\/image/.test(one))).toEqual([]);
    }
  });

  it('says that a place cannot be drawn where none is known, and shows it in the text', async () => {
    const text = await textOf(plan);
    // Between two blocks nothing is drawn.
    const gap = text.indexOf('\n');
    await open(plan, `at=${gap}-${gap + 1}`);
    await page.getByText('This place cannot be drawn on the page.').waitFor(SOON);
    await page.getByRole('button', { name: 'Show in the text' }).click();
    await page.locator('.viewer-text').waitFor(SOON);
  });

  it('fits a narrow window', async () => {
    await page.setViewportSize({ width: 360, height: 780 });
    await open(plan, 'show=everything');
    await page.locator('.sheet .box').first().waitFor(SOON);
    expect(
      await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth'),
    ).toBeLessThanOrEqual(0);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it('shows a workbook with the names of its rows and columns, marks in their cells', async () => {
    const marks = await send<DocumentMarks>('GET', `/work-products/${hara}/versions/1/marks`);
    const text = await textOf(hara);
    await page.goto(`${app.address}/w/${workspace}/documents/${hara}?show=everything`);
    await page.getByRole('grid').waitFor(SOON);
    const placed = marks.marks.filter(({ location }) => /^[A-Z]+\d+$/.test(location.cell ?? ''));
    expect(placed.length).toBeGreaterThan(5);
    for (const { start, end, location, ref } of placed.slice(0, 12)) {
      await page.goto(
        `${app.address}/w/${workspace}/documents/${hara}?show=everything&at=${start}-${end}&gap=${ref.id}`,
      );
      const cell = page.locator('[role="gridcell"][data-active]');
      await cell.locator('mark[data-chosen]').first().waitFor(SOON);
      const words = (await cell.locator('mark[data-chosen]').allTextContents()).join('');
      expect(words).toBe(text.slice(start, end));
      const [column, row] = await page.evaluate<[string, string]>(`(() => {
        const one = document.querySelector('[role="gridcell"][data-active]');
        return [one.ariaColIndex, one.closest('[role=row]').ariaRowIndex];
      })()`);
      expect(`${String.fromCharCode(63 + Number(column))}${Number(row) - 1}`).toBe(location.cell);
      expect(await page.locator('.choice [aria-pressed="true"]').allTextContents()).toContain(location.sheet);
    }
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  it('is walked from cell to cell, and leads to what is said about one', async () => {
    await page.goto(`${app.address}/w/${workspace}/documents/${hara}?show=everything`);
    const first = page.locator('[role="gridcell"][data-active]');
    await first.click(SOON);
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => focused('[role=gridcell]', 'ariaColIndex'), SOON).toBe('3');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => focused('[role=row]', 'ariaRowIndex'), SOON).toBe('3');
    await page.keyboard.press('Control+End');
    await page.keyboard.press('Control+Home');
    await expect.poll(() => focused('[role=row]', 'ariaRowIndex'), SOON).toBe('2');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('.margin-card[aria-current]').count(), SOON).toBe(1);
  });

  it.each([
    ['dark', 'de', 360],
    ['contrast', 'de', 768],
  ])('has no barrier: %s, %s, %i px', async (theme, language, width) => {
    await page.setViewportSize({ width, height: 800 });
    const look = JSON.stringify({ language, theme, shortcuts: true, railIsNarrow: false });
    await page.evaluate(`localStorage.setItem('normtrace.look', ${JSON.stringify(look)})`);
    for (const [id, shown] of [
      [plan, '.sheet .box'],
      [hara, '[role="grid"] mark'],
    ] as const) {
      await page.goto(`${app.address}/w/${workspace}/documents/${id}?show=everything`);
      await page.locator(shown).first().waitFor(SOON);
      expect(await accessibilityProblems(page)).toEqual([]);
      expect(
        await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth'),
      ).toBeLessThanOrEqual(0);
    }
  });

  it('broke no policy and asked no other host', () => {
    expect(opened.faults).toEqual([]);
  });
});

async function send<Body>(method: string, path: string, body?: unknown): Promise<Body> {
  const answer = await owner.request(method, `/api/v1${path}`, body === undefined ? {} : { body });
  expect([path, answer.status < 300]).toEqual([path, true]);
  return answer.body as Body;
}

async function upload(file: TestFile): Promise<string> {
  const { id } = (await uploadWorkProduct(owner, workspace, file)).body as { id: string };
  await until<{ processing_status: string }>(
    owner,
    `/api/v1/work-products/${id}`,
    ({ processing_status }) => processing_status === 'completed',
    120_000,
  );
  return id;
}

async function textOf(id: string): Promise<string> {
  const parts: string[] = [];
  for (let from: number | null = 0; from !== null; ) {
    const view: DocumentView = await send<DocumentView>(
      'GET',
      `/work-products/${id}/versions/1/document?from_block=${from}&blocks=2000`,
    );
    parts.push(...view.blocks.map(({ text }) => text));
    from = view.next_block;
  }
  return parts.join('\n');
}

async function open(id: string, query: string): Promise<void> {
  await page.goto(`${app.address}/w/${workspace}/documents/${id}?${query}`);
  await page.locator('.sheet').first().waitFor(SOON);
}

/** How many of these pictures have been drawn. */
const drawn = (selector: string): Promise<number> =>
  page.evaluate<number>(
    `[...document.querySelectorAll(${JSON.stringify(selector)})].filter((one) => one.naturalWidth > 100).length`,
  );

/** What the element around the focus says of itself. */
const focused = (around: string, property: string): Promise<string | undefined> =>
  page.evaluate<string | undefined>(`document.activeElement?.closest('${around}')?.${property}`);

const isInSight = (of: Page, selector: string): Promise<boolean> =>
  of.evaluate<boolean>(`(() => {
    const pane = document.querySelector('.viewer-pages').getBoundingClientRect();
    const one = document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect();
    return one.top >= pane.top && one.bottom <= pane.bottom && one.left >= pane.left && one.left <= pane.right;
  })()`);

/** Of each mark that is drawn, the letters of the words laid over the picture whose middle lies in one of its boxes. */
const wordsUnderBoxes = async (of: Page): Promise<ReadonlyMap<string, string>> =>
  new Map(
    await of.evaluate<
      [string, string][]
    >(`[...document.querySelectorAll('.sheet-paper svg')].flatMap((svg) => {
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
        return [box.dataset.mark, under.map(({ letter }) => letter).join('')];
      });
    })`),
  );
