import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SearchResult } from '../../modules/search/search.schemas.js';
import { type Client, startTestApp, type TestApp } from '../test-app.js';
import { createTestDatabase, type TestDatabase } from '../test-database.js';
import { until, uploadWorkProduct } from '../upload.js';
import { accessibilityProblems, findChromium, type OpenPage, openBrowser } from './open-browser.js';
import { signInBrowser } from './sign-in-browser.js';

const DEMO = fileURLToPath(new URL('../../../../demo/documents/', import.meta.url));
const TYPES: Readonly<Record<string, string>> = {
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pdf: 'application/pdf',
  md: 'text/markdown',
};
/** Quotes whose highlight is looked at, per document. */
const LOOKED_AT = 4;
/** A page on a busy machine takes its time. */
const SOON = { timeout: 20_000 };

interface Gap {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly evidence: readonly {
    readonly work_product_id: string;
    readonly version: number;
    readonly quote: string;
    readonly range?: { readonly start: number; readonly end: number };
  }[];
}

let database: TestDatabase;
let app: TestApp;
let owner: Client;
let browser: Awaited<ReturnType<typeof openBrowser>>;
let opened: OpenPage;
let page: Page;
let workspace: string;

describe.skipIf(findChromium() === undefined)('work on gaps in Chromium', () => {
  beforeAll(async () => {
    database = await createTestDatabase();
    app = await startTestApp(database, { work: true });
    owner = await app.signUp('kim@example.org');
    workspace = (await send<{ id: string }>('POST', '/workspaces', { name: 'Sliding door' })).id;
    const standard = await send<{ id: string }>('POST', '/standards', {
      workspace_id: workspace,
      catalog_id: 'iso-26262-3-2018',
    });
    for (const name of await readdir(DEMO)) {
      const bytes = Uint8Array.from(await readFile(DEMO + name));
      const type = TYPES[name.split('.').at(-1) ?? ''] ?? '';
      await uploadWorkProduct(owner, workspace, { name, type, bytes });
    }
    await until<{ items: { processing_status: string }[] }>(
      owner,
      `/api/v1/work-products?workspace_id=${workspace}`,
      ({ items }) => items.every((item) => item.processing_status === 'completed'),
      90_000,
    );
    const { id } = await send<{ id: string }>('POST', '/analysis/gaps', {
      workspace_id: workspace,
      standard_id: standard.id,
    });
    await until<{ status: string }>(
      owner,
      `/api/v1/analysis/analyses/${id}`,
      ({ status }) => status === 'completed',
      90_000,
    );
    await until<{ documents_not_searched: number }>(
      owner,
      `/api/v1/search?workspace_id=${workspace}&q=latch`,
      ({ documents_not_searched }) => documents_not_searched === 0,
      90_000,
    );
    browser = await openBrowser(app.address);
    opened = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    page = opened.page;
    await signInBrowser(page, app, owner);
  });
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
    await database?.stop();
  });

  const send = async <Body>(method: string, path: string, body?: unknown): Promise<Body> => {
    const answer = await owner.request(method, `/api/v1${path}`, body === undefined ? {} : { body });
    if (answer.status >= 300) throw new Error(`${path} was answered ${answer.status}: ${answer.text}`);
    return answer.body as Body;
  };
  const allGaps = async () =>
    (await send<{ items: Gap[]; total: number }>('GET', `/analysis/gaps?workspace_id=${workspace}&limit=100`))
      .items;
  const gapOf = (id: string) => send<Gap>('GET', `/analysis/gaps/${id}`);
  const folded = (text: string) => text.replace(/\s+/g, '');
  const highlighted = async (): Promise<string> =>
    (await page.locator('mark[data-chosen]').allTextContents()).join('');

  it('walks the list by keys, with each gap at its place, and takes back what was done', async () => {
    await page.goto(`${app.address}/w/${workspace}/gaps`);
    const rows = page.getByRole('row');
    await rows.first().waitFor();
    const total = Number(await page.getByRole('grid').getAttribute('aria-rowcount'));
    expect(total).toBe((await allGaps()).length);
    await page.keyboard.press('j');
    await page.keyboard.press('Space');
    await expect.poll(() => new URL(page.url()).searchParams.get('open'), SOON).not.toBeNull();
    const first = new URL(page.url()).searchParams.get('open') ?? '';
    await page.getByRole('heading', { level: 2, name: (await gapOf(first)).title }).waitFor();

    await page.keyboard.press('2');
    await expect.poll(async () => (await gapOf(first)).status, SOON).toBe('in_progress');
    await page.getByText('1 gap changed').waitFor();
    await page.keyboard.press('z');
    await expect.poll(async () => (await gapOf(first)).status, SOON).toBe('open');

    await page.keyboard.press('j');
    await expect.poll(() => new URL(page.url()).searchParams.get('open'), SOON).not.toBe(first);
    // In a field it is the text that is selected, not the list.
    const field = page.getByRole('searchbox').first();
    await field.fill('other words');
    await field.press('Control+a');
    await page.keyboard.type('0');
    expect(await field.inputValue()).toBe('0');
    expect(await page.locator('.bulk').count()).toBe(0);
    await field.fill('');
    await rows.first().waitFor();
    // And from there into what was found.
    await field.press('Enter');
    await page.keyboard.press('j');
    await page.locator('.gap-row[data-here]').waitFor(SOON);
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(opened.faults).toEqual([]);
  });

  it('changes several at once, and accepts one with a reason', async () => {
    await page.goto(`${app.address}/w/${workspace}/gaps`);
    await page.getByRole('row').first().waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Shift+J');
    await page.keyboard.press('Shift+J');
    await page.getByText('3 selected').waitFor();
    await page.keyboard.press('3');
    await expect
      .poll(async () => (await allGaps()).filter(({ status }) => status === 'resolved').length, SOON)
      .toBe(3);
    await page.keyboard.press('Escape');
    await page.goto(`${app.address}/w/${workspace}/gaps?status=resolved`);
    await page.getByText('3 gaps', { exact: true }).waitFor();
    await page.getByRole('row').first().click();
    await page.getByRole('button', { name: 'False positive …' }).click();
    await page.getByLabel('Reason').fill('It stands in the plan of the supplier.');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('1 gap changed').waitFor();
    expect(opened.faults).toEqual([]);
  });

  it('takes owner, date and severity by keys on the page of a gap', async () => {
    const [gap] = (await allGaps()).filter(({ status }) => status === 'open');
    const now = () => send<{ assignee: string | null }>('GET', `/analysis/gaps/${gap!.id}`);
    expect((await now()).assignee).toBe(null);
    await page.goto(`${app.address}/w/${workspace}/gaps/${gap!.id}`);
    await page.locator('.gap-actions').waitFor(SOON);
    await page.keyboard.press('m');
    await expect.poll(async () => (await now()).assignee, SOON).not.toBe(null);
    const dialog = page.getByRole('dialog');
    for (const [key, label] of [
      ['a', 'Owner'],
      ['d', 'Due'],
      ['s', 'Severity'],
    ] as const) {
      await page.keyboard.press(key);
      await dialog.getByLabel(label).first().waitFor(SOON);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ ...SOON, state: 'detached' });
    }
    expect(opened.faults).toEqual([]);
  });

  it('shows mine and theirs where somebody else changed the same, and nothing where it was something else', async () => {
    const [gap] = (await allGaps()).filter(({ status }) => status === 'open');
    const set = (change: object) =>
      send('PATCH', '/analysis/gaps', { workspace_id: workspace, ids: [gap!.id], change });
    const dueDate = async () =>
      (await send<{ due_date: string | null }>('GET', `/analysis/gaps/${gap!.id}`)).due_date;
    await page.goto(`${app.address}/w/${workspace}/gaps?open=${gap!.id}`);
    await page.locator('.gap-actions').waitFor(SOON);
    await page.keyboard.press('d');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Due').fill('2031-05-05');
    await set({ due_date: '2031-04-04' });
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    const conflict = dialog.getByRole('alert');
    await conflict.getByRole('row', { name: /May 5, 2031.*Apr 4, 2031/ }).waitFor(SOON);
    expect(await accessibilityProblems(page)).toEqual([]);
    await conflict.getByRole('button', { name: 'Keep mine' }).click();
    await dialog.waitFor({ ...SOON, state: 'detached' });
    expect(await dueDate()).toBe('2031-05-05');
    // Of something else nobody is asked.
    await page.keyboard.press('d');
    await dialog.getByLabel('Due').fill('2031-06-06');
    await set({ status: 'in_progress' });
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.waitFor({ ...SOON, state: 'detached' });
    expect(await dueDate()).toBe('2031-06-06');
    // Of the severity as well.
    const { severity } = await send<{ severity: string }>('GET', `/analysis/gaps/${gap!.id}`);
    const [mine, theirs] = ['low', 'medium', 'critical'].filter((one) => one !== severity);
    await page.keyboard.press('s');
    await dialog.getByRole('combobox').selectOption(mine!);
    await dialog.getByLabel('Reason').fill('Rated by the team.');
    await send('PUT', `/analysis/gaps/${gap!.id}/severity`, { severity: theirs, reason: 'Rated elsewhere.' });
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await conflict.getByRole('row', { name: new RegExp(`${mine}.*${theirs}`, 'i') }).waitFor(SOON);
    await conflict.getByRole('button', { name: 'Take theirs' }).click();
    await dialog.waitFor({ ...SOON, state: 'detached' });
    expect(await send('GET', `/analysis/gaps/${gap!.id}`)).toMatchObject({ severity: theirs });
    expect(opened.faults).toEqual([]);
  });

  it('shows the columns that somebody chose, in their order and in groups, by keys', async () => {
    await page.goto(`${app.address}/w/${workspace}/gaps?status=open`);
    const row = page.locator('.gap-row').first();
    await row.waitFor(SOON);
    await page.getByRole('button', { name: 'Columns' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Columns' });
    await dialog.getByRole('checkbox', { name: 'Place' }).press('Space');
    await dialog.getByRole('checkbox', { name: 'Confidence' }).press('Space');
    for (let step = 0; step < 3; step++) {
      await dialog.getByRole('button', { name: 'Confidence: further to the front' }).press('Enter');
    }
    await dialog.getByLabel('Grouped').selectOption('by clause');
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.keyboard.press('Escape');
    const query = new URL(page.url()).searchParams;
    expect([query.get('columns'), query.get('group')]).toEqual([
      'confidence,clause,status,assignee',
      'clause',
    ]);
    await expect.poll(() => row.locator('.gap-cell').first().textContent(), SOON).toMatch(/^confidence/);
    expect(await row.locator('.gap-place').count()).toBe(0);
    // Each head stands once, above all that it is the head of.
    const heads = await page.locator('.gap-group').allTextContents();
    expect(heads.length).toBeGreaterThan(1);
    expect(new Set(heads).size).toBe(heads.length);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.reload();
    await page.locator('.gap-group').first().waitFor(SOON);
    expect(opened.faults).toEqual([]);
  });

  it('leaves the title its part of a row in a narrow window', async () => {
    await page.setViewportSize({ width: 1024, height: 800 });
    await page.goto(`${app.address}/w/${workspace}/gaps?status=open`);
    const row = page.locator('.gap-row:not([aria-busy])').first();
    await row.waitFor(SOON);
    const [whole, title] = [await row.boundingBox(), await row.locator('.gap-title').boundingBox()];
    expect(title!.width).toBeGreaterThan(whole!.width * 0.7);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it('brings what an address opens into the middle of the list, under a whole row', async () => {
    const { items } = await send<{ items: Gap[] }>(
      'GET',
      `/analysis/gaps/summaries?workspace_id=${workspace}&sort=title&limit=100`,
    );
    const { id } = items[Math.floor(items.length / 2)]!;
    await page.setViewportSize({ width: 1280, height: 380 });
    await page.goto(
      `${app.address}/w/${workspace}/gaps?status=open,in_progress,resolved,accepted&sort=title&open=${id}`,
    );
    await page.locator('.gap-row[data-here]').waitFor(SOON);
    const above = (): Promise<number> =>
      page.evaluate<number>(`document.querySelector('.gap-rows').scrollTop`);
    await expect.poll(above, SOON).toBeGreaterThan(0);
    await expect.poll(async () => (await above()) % 44, SOON).toBe(0);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it('highlights exactly what is quoted', async () => {
    const looked = new Map<string, number>();
    let compared = 0;
    for (const gap of await allGaps()) {
      for (const { work_product_id: product, version, quote, range } of gap.evidence) {
        const so = looked.get(product) ?? 0;
        if (!range || so >= LOOKED_AT) continue;
        looked.set(product, so + 1);
        const at = `${range.start}-${range.end}`;
        await page.goto(
          `${app.address}/w/${workspace}/documents/${product}?v=${version}&at=${at}&gap=${gap.id}&show=all_gaps&mode=text`,
        );
        await expect.poll(async () => folded(await highlighted()), SOON).toBe(folded(quote));
        compared += 1;
      }
    }
    expect(compared).toBeGreaterThan(LOOKED_AT);
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(opened.faults).toEqual([]);
  });

  // The same screens in the same look as in `every-screen.test.ts`, which CI runs, with the documents of the demo.
  it.skipIf(process.env.CI && !process.env.BROWSER_MATRIX)(
    'shows everything on a telephone, in German and in the dark',
    async () => {
      const narrow = await browser.newPage({
        viewport: { width: 360, height: 780 },
        locale: 'de-DE',
        colorScheme: 'dark',
      });
      await narrow.context.addCookies(await opened.context.cookies());
      const [gap] = await allGaps();
      const product = gap?.evidence[0]?.work_product_id;
      for (const path of ['', '/gaps', `/gaps/${gap?.id}`, '/documents', `/documents/${product}`]) {
        await narrow.page.goto(`${app.address}/w/${workspace}${path}`);
        await narrow.page.getByRole('heading', { level: 1 }).waitFor();
        await narrow.page.waitForLoadState('networkidle');
        expect(await accessibilityProblems(narrow.page), path).toEqual([]);
        const overflow = await narrow.page.evaluate<number>(
          'document.documentElement.scrollWidth - innerWidth',
        );
        expect(overflow, path).toBeLessThanOrEqual(0);
      }
      expect(narrow.faults).toEqual([]);
    },
  );

  it('finds everything by ids, names and words, from anywhere, by keys', async () => {
    const look = async (words: string): Promise<void> => {
      await page.goto(`${app.address}/w/${workspace}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Search or go to …' }).waitFor();
      await page.keyboard.type(words);
    };
    const inGroup = (name: string) => page.getByRole('group', { name, exact: true }).getByRole('option');
    const { groups } = await send<SearchResult>('GET', `/search?workspace_id=${workspace}&q=FSR-01`);
    const [artifact] = groups.find(({ type }) => type === 'artifact')!.items;

    await look('02_HARA');
    await page.getByRole('option', { name: '02_HARA', exact: true }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('option', { name: '02_HARA', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: '02_HARA' }).waitFor();

    // Enter at once, before anything was answered, leads to what was typed.
    await look('FSR-01');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/trace/artifacts/${artifact!.id}`);

    await look('FSR-01');
    await expect
      .poll(() => inGroup('Artifacts').first().locator('mark').allTextContents(), SOON)
      .toEqual(expect.arrayContaining(['FSR', '01']));
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    expect(await inGroup('Artifacts').first().getAttribute('aria-selected')).toBe('true');
    await inGroup('In documents').first().click();
    await expect.poll(highlighted, SOON).toBe('FSR-01');

    await look('6.5.1');
    await inGroup('Requirements of standards').first().click();
    await page.waitForURL('**/standards/*?at=26262-3%3A6.5.1');

    const [gap] = await allGaps();
    await look(gap!.title);
    await inGroup('Gaps').first().click();
    await page.getByRole('heading', { level: 1, name: gap!.title }).waitFor();

    await look('Quality assurance');
    await inGroup('Checklists').first().click();
    await page.getByRole('heading', { level: 1, name: /Quality assurance/ }).waitFor();
    await look('zzzzqq');
    await page.getByText('Nothing has words that begin like this.').waitFor();

    // What cannot be found is told.
    await database.asOwner('delete from passages where work_product_id = $1', [artifact!.work_product_id]);
    await look('latch');
    await page.getByText('The text of one document is not searched').waitFor();
    expect(opened.faults).toEqual([]);
  });
});
