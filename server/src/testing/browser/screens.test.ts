import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FilledApp, startFilledApp } from '../filled-app.js';
import type { Filled } from '../filled-workspace.js';
import type { Client, TestApp } from '../test-app.js';
import { until, upload, uploadWorkProduct } from '../upload.js';
import { accessibilityProblems, findChromium, openBrowser } from './open-browser.js';
import { signInBrowser } from './sign-in-browser.js';

/** A page on a busy machine takes its time. */
const SOON = { timeout: 20_000 };

let started: FilledApp | undefined;
let app: TestApp;
let owner: Client;
let filled: Filled;
let browser: Awaited<ReturnType<typeof openBrowser>>;

describe.skipIf(findChromium() === undefined)('screens of a workspace in Chromium', () => {
  beforeAll(async () => {
    started = await startFilledApp({
      environment: { RATE_LIMIT_PER_MINUTE: '6000', RATE_LIMIT_BURST: '1000' },
    });
    ({ app, owner, filled } = started);
    browser = await openBrowser(app.address);
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await started?.stop();
  });

  async function signIn(options: Parameters<typeof browser.newPage>[0] = {}) {
    const opened = await browser.newPage(options);
    await signInBrowser(opened.page, app, owner);
    return opened;
  }
  const shown = async (page: Page, path: string): Promise<void> => {
    await page.goto(`${app.address}/w/${filled.workspace}${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor(SOON);
    await expect.poll(() => page.locator('.skeleton').count(), SOON).toBe(0);
  };

  it('takes a verdict on a criterion, shows it beside that of the run, and takes it back', async () => {
    const { page, faults } = await signIn();
    await shown(page, `/standards/${filled.standard}`);
    await page.getByRole('button', { name: /Giraffe plan/ }).click();
    const panel = page.getByRole('complementary');
    // Rules could not decide it: the form is open.
    await panel.getByLabel('Not applicable').check();
    await panel.getByLabel('Reason').fill('No giraffes <b>here</b>.');
    await panel.getByRole('button', { name: 'Save the verdict' }).click();
    await panel.getByText('No giraffes <b>here</b>.').first().waitFor(SOON);
    await page.getByText('overridden').first().waitFor(SOON);
    await panel.locator('summary', { hasText: 'Change the verdict' }).click();
    await panel.getByRole('button', { name: 'Take back' }).click();
    await page.getByText('The verdict was taken back.', { exact: true }).waitFor(SOON);
    expect(faults).toEqual([]);
  }, 60_000);

  it('shows a report as a page that may run nothing', async () => {
    const { page, faults } = await signIn();
    await shown(page, '/reports');
    await page.getByRole('button', { name: 'Preview' }).first().click();
    const report = page.frameLocator('iframe');
    await report.getByText('not a confirmation measure').first().waitFor(SOON);
    expect(faults).toEqual([]);
  }, 60_000);

  it('shows what waits for a person, and leads there; activity says who did what', async () => {
    const list = `/api/v1/analysis/gaps?workspace_id=${filled.workspace}&severity=high&status=open&limit=1`;
    const { id, title } = (
      (await owner.request('GET', list)).body as { items: { id: string; title: string }[] }
    ).items[0]!;
    await owner.request('PATCH', `/api/v1/analysis/gaps/${id}`, {
      body: { assignee: owner.userId, due_date: '2020-02-29' },
    });
    const { page, faults } = await signIn();
    await page.goto(app.address);
    await page.getByText('1 overdue').first().waitFor(SOON);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('link', { name: title }).click();
    await page.waitForURL(`**/gaps/${id}`, SOON);
    await shown(page, '/activity?type=gap');
    await page.getByText('changed owner or date of').first().waitFor(SOON);
    expect(await page.getByRole('link', { name: title }).count()).toBeGreaterThan(0);
    expect(faults).toEqual([]);
  }, 60_000);

  it('saves a view of the list, for oneself, and brings it back', async () => {
    const { page, faults } = await signIn();
    await shown(page, '/gaps?severity=high&status=open');
    await page.getByRole('button', { name: 'Save this view' }).click();
    await page.getByLabel('Name of the view').fill('High <i>and</i> open');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Delete this view' }).waitFor(SOON);
    await shown(page, '/gaps?status=open');
    await page.getByLabel('Saved views').selectOption({ label: 'High <i>and</i> open' });
    await page.waitForURL('**/gaps?severity=high&status=open', SOON);
    await page.getByRole('button', { name: 'Columns' }).click();
    const sorted = page.waitForResponse((answer) => answer.url().includes('sort=-severity,clause'));
    await page.getByLabel('Where alike in severity, by').selectOption('clause');
    expect((await sorted).status()).toBe(200);
    await page.waitForURL('**/gaps?severity=high&status=open&sort=-severity%2Cclause', SOON);
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(faults).toEqual([]);
  }, 60_000);

  it('begins with the view that somebody chose, with its columns and groups, and tells what is not known any more', async () => {
    const { page, faults } = await signIn();
    await shown(page, '/gaps?status=open&group=clause&columns=status,clause');
    await page.getByRole('button', { name: 'Save this view' }).click();
    await page.getByLabel('Name of the view').fill('By clause');
    await page.getByLabel('The list begins with it').check();
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Begin with it', pressed: true }).waitFor(SOON);
    expect(await accessibilityProblems(page)).toEqual([]);
    await shown(page, '/gaps');
    await page.waitForURL('**/gaps?status=open&group=clause&columns=status,clause', SOON);
    await page.locator('.gap-group').first().waitFor(SOON);
    const views = `/api/v1/workspaces/${filled.workspace}/views`;
    const made = await owner.request('POST', views, {
      body: { screen: 'gaps', name: 'Older', query: 'status=open&gone=1', columns: ['status', 'gone_too'] },
    });
    expect(made.status).toBe(201);
    await page.reload();
    await page.getByLabel('Saved views').selectOption({ label: 'Older' });
    await page.getByText('gone=1, gone_too').waitFor(SOON);
    await page.waitForURL('**/gaps?status=open&columns=status', SOON);
    await page.getByLabel('Saved views').selectOption({ label: 'By clause' });
    await page.getByRole('button', { name: 'Begin with it', pressed: true }).click();
    await page.getByRole('button', { name: 'Begin with it', pressed: false }).waitFor(SOON);
    await shown(page, '/gaps');
    await page.waitForURL('**/gaps?status=open,in_progress**', SOON);
    expect(faults).toEqual([]);
  }, 90_000);

  it('opens with the first page that somebody chose, in the workspace that was open last', async () => {
    const { page, faults } = await signIn();
    await page.goto(`${app.address}/me/appearance`);
    const kept = page.waitForResponse((answer) => answer.request().method() === 'PATCH');
    await page.getByLabel('First page').selectOption('Documents');
    expect((await kept).status()).toBe(200);
    expect(await accessibilityProblems(page)).toEqual([]);
    await shown(page, '/gaps');
    await page.goto(app.address);
    await page.waitForURL(`**/w/${filled.workspace}/documents`, SOON);
    await page.getByRole('heading', { level: 1, name: 'Documents' }).waitFor(SOON);
    // Whoever goes there on purpose gets there.
    await page.getByTitle('My workspaces').click();
    await page.getByRole('heading', { level: 1, name: 'My work' }).waitFor(SOON);
    expect(new URL(page.url()).pathname).toBe('/');
    // On a machine that knows of no last one, the only workspace is it.
    await page.evaluate("localStorage.removeItem('normtrace.workspace')");
    await page.goto(app.address);
    await page.waitForURL(`**/w/${filled.workspace}/documents`, SOON);
    await owner.request('PATCH', '/api/v1/auth/me/preferences', { body: { start_page: 'start' } });
    expect(faults).toEqual([]);
  }, 60_000);

  it('remembers how a person wants the application, on another machine as well', async () => {
    const { page } = await signIn();
    await page.goto(`${app.address}/me/appearance`);
    const kept = page.waitForResponse((answer) => answer.request().method() === 'PATCH');
    await page.getByLabel('Colours').selectOption('dark');
    expect((await kept).status()).toBe(200);
    const { page: elsewhere } = await signIn();
    await elsewhere.goto(`${app.address}/me/appearance`);
    await elsewhere.locator('html[data-theme=dark]').waitFor({ ...SOON, state: 'attached' });
    await elsewhere.getByLabel('Rows of lists').selectOption('compact');
    await elsewhere.getByLabel('Time zone of moments').selectOption('Asia/Tokyo');
    await expect.poll(preferences, SOON).toMatchObject({ density: 'compact', time_zone: 'Asia/Tokyo' });
    expect(await accessibilityProblems(elsewhere)).toEqual([]);
    await owner.request('PATCH', '/api/v1/auth/me/preferences', {
      body: { density: 'comfortable', time_zone: null },
    });
    await owner.request('PATCH', '/api/v1/auth/me/preferences', { body: { theme: 'system' } });
  }, 60_000);

  const preferences = async () =>
    (await owner.request('GET', '/api/v1/auth/me/preferences')).body as {
      readonly panels: Readonly<Record<string, number>>;
      readonly tour: { readonly seen: readonly string[] };
    };
  const widthOf = async (page: Page, part: string): Promise<number> =>
    Math.round((await page.locator(part).boundingBox())?.width ?? 0);

  it('keeps how wide panels were drawn, by mouse and by keys, on another machine as well', async () => {
    const viewport = { width: 1440, height: 900 };
    const { page, faults } = await signIn({ viewport });
    await shown(page, '/gaps');
    await page.locator('.gap-row').first().click();
    await page.locator('.peek').waitFor(SOON);
    const [facets, peek] = [await widthOf(page, '.facets'), await widthOf(page, '.peek')];
    const edge = page.getByRole('separator', { name: 'Width of: Chosen gap' });
    const { x, y } = (await edge.boundingBox())!;
    await page.mouse.move(x + 4, y + 200);
    await page.mouse.down();
    await page.mouse.move(x - 60, y + 210);
    await page.mouse.move(x + 4 - 120, y + 220);
    await page.mouse.up();
    expect(Math.abs((await widthOf(page, '.peek')) - (peek + 120))).toBeLessThan(4);
    const other = page.getByRole('separator', { name: 'Width of: Filters' });
    await other.focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    const wider = await widthOf(page, '.facets');
    expect(Math.abs(wider - (facets + 32))).toBeLessThan(4);
    expect(await other.getAttribute('aria-valuenow')).toBe(String(wider));
    await expect
      .poll(async () => (await preferences()).panels, SOON)
      .toEqual({ 'gaps.peek': await widthOf(page, '.peek'), 'gaps.facets': wider });
    expect(await accessibilityProblems(page)).toEqual([]);

    const { page: elsewhere } = await signIn({ viewport });
    await shown(elsewhere, '/gaps');
    await expect.poll(() => widthOf(elsewhere, '.facets'), SOON).toBe(wider);
    // Without drawing: through the widths, and behind the widest back to that of the style.
    const again = elsewhere.getByRole('separator', { name: 'Width of: Filters' });
    await again.press('End');
    await again.click();
    await expect.poll(() => widthOf(elsewhere, '.facets'), SOON).toBe(facets);
    await expect.poll(async () => Object.keys((await preferences()).panels), SOON).toEqual(['gaps.peek']);

    await shown(page, `/documents/${filled.documents.marked}`);
    const margin = await widthOf(page, '.viewer-margin');
    await page.getByRole('separator', { name: 'Width of: Findings' }).press('ArrowLeft');
    expect(await widthOf(page, '.viewer-margin')).toBe(margin + 16);
    expect(faults).toEqual([]);
  }, 90_000);

  it('says once what can be done, and again to whoever asks for it', async () => {
    await owner.request('PATCH', '/api/v1/auth/me/preferences', { body: { tour: { seen: [] } } });
    const { page, faults } = await signIn();
    const hint = page.getByRole('note').filter({ has: page.getByRole('button', { name: 'Got it' }) });
    await shown(page, '/gaps');
    await hint.filter({ hasText: 'j and k walk' }).waitFor(SOON);
    expect(await accessibilityProblems(page)).toEqual([]);
    await hint.getByRole('button').click();
    await expect.poll(() => hint.count(), SOON).toBe(0);
    await expect.poll(async () => (await preferences()).tour.seen, SOON).toEqual(['peek']);
    const { page: elsewhere } = await signIn();
    await shown(elsewhere, '/gaps');
    await elsewhere.locator('.gap-row').first().waitFor(SOON);
    expect(await elsewhere.getByRole('note').count()).toBe(0);
    await page.keyboard.press('?');
    await page.getByRole('button', { name: 'Show the hints again' }).click();
    await hint.filter({ hasText: 'j and k walk' }).waitFor(SOON);
    expect(faults).toEqual([]);
  }, 60_000);

  it('draws the rows of every list as close as somebody chose', async () => {
    const { page } = await signIn();
    const lists = [
      ['/gaps', '.gap-row'],
      ['/documents', '.documents tbody tr'],
      ['/runs', '.list tbody tr'],
      [`/standards/${filled.standard}`, '.clause'],
      ['/trace/artifacts', '.row-grid-row'],
      ['/trace/matrix', '.row-grid-row'],
      ['/settings/members', '.records > li'],
      ['/activity', '.activity > li'],
    ] as const;
    const heights = async (): Promise<readonly number[]> => {
      const found: number[] = [];
      for (const [path, row] of lists) {
        await shown(page, path);
        await page.locator(row).first().waitFor(SOON);
        found.push((await page.locator(row).first().boundingBox())?.height ?? 0);
      }
      return found;
    };
    await owner.request('PATCH', '/api/v1/auth/me/preferences', { body: { density: 'comfortable' } });
    const comfortable = await heights();
    await owner.request('PATCH', '/api/v1/auth/me/preferences', { body: { density: 'compact' } });
    await page.reload();
    await page.locator('html[data-density=compact]').waitFor({ ...SOON, state: 'attached' });
    const compact = await heights();
    await owner.request('PATCH', '/api/v1/auth/me/preferences', { body: { density: 'comfortable' } });
    expect(lists.filter((_, at) => !(compact[at]! < comfortable[at]!)).map(([path]) => path)).toEqual([]);
  }, 90_000);

  it('asks again by itself while the service is out of breath, and offers it where that did not help', async () => {
    const { page, faults } = await signIn();
    let refusals = 2;
    const isAsked = (url: URL): boolean => url.pathname === '/api/v1/analysis/overview';
    // What the service answers while its database cannot be reached.
    await page.route(isAsked, async (route) => {
      if (refusals-- <= 0) return route.continue();
      await route.fulfill({
        status: 503,
        headers: { 'Retry-After': '1' },
        json: { error: { code: 'SERVICE_UNAVAILABLE', message: 'The database cannot be reached.' } },
      });
    });
    await shown(page, '');
    await page.locator('.overview-severities').waitFor(SOON);
    expect(await page.locator('.notice[data-kind="error"]').count()).toBe(0);

    refusals = 100;
    await page.reload();
    await page.getByText('The database cannot be reached.').waitFor(SOON);
    expect(await accessibilityProblems(page)).toEqual([]);
    refusals = 0;
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('.overview-severities').waitFor(SOON);
    expect(faults).toEqual([]);
  }, 90_000);

  it('shows that something goes on while an answer takes its time, and says why it may', async () => {
    const { page, faults } = await signIn();
    let answer = (): void => undefined;
    const waits = new Promise<void>((done) => {
      answer = done;
    });
    await page.route('**/traceability/completeness?*', async (route) => {
      await waits;
      await route.continue();
    });
    await page.goto(`${app.address}/w/${filled.workspace}/trace`);
    await page.getByRole('progressbar', { name: 'Loading' }).waitFor(SOON);
    await page.getByText('a large trace is examined once').waitFor(SOON);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByText('This takes longer than usual').waitFor(SOON);
    answer();
    await page.locator('.v-box').first().waitFor(SOON);
    expect(await page.getByRole('progressbar').count()).toBe(0);
    expect(faults).toEqual([]);
  }, 60_000);

  it('offers to load a new version, and keeps what was not sent', async () => {
    const { page } = await signIn();
    const list = `/api/v1/analysis/gaps?workspace_id=${filled.workspace}&limit=1`;
    const { id } = ((await owner.request('GET', list)).body as { items: { id: string }[] }).items[0]!;
    await shown(page, `/gaps/${id}`);
    const comment = page.getByLabel('Comment', { exact: true });
    await comment.fill('Not sent <b>yet</b>');
    // After an update the files of the version that is open here are gone.
    const isPart = (url: URL): boolean => /\/assets\/.*\.js$/.test(url.pathname);
    await page.route(isPart, (route) => route.continue({ url: `${app.address}/assets/gone.js` }));
    await page.keyboard.press('Control+k');
    await page.getByText('This screen could not be loaded').waitFor(SOON);
    expect(await comment.inputValue()).toBe('Not sent <b>yet</b>');
    await page.getByRole('link', { name: 'Reports', exact: true }).click();
    await page.getByRole('heading', { name: 'This screen could not be loaded' }).waitFor(SOON);
    await page.unroute(isPart);
    await page.getByRole('button', { name: 'Load anew' }).click();
    await page.getByRole('heading', { level: 1, name: 'Reports' }).waitFor(SOON);
    await page.goBack();
    await expect.poll(() => comment.inputValue(SOON), SOON).toBe('Not sent <b>yet</b>');

    await page.route(`${app.address}/`, async (route) => {
      const answer = await route.fetch();
      const body = (await answer.text()).replace(/\/assets\/index-[^"]+\.js/, '/assets/index-other.js');
      await route.fulfill({ response: answer, body });
    });
    // The service is away for a moment.
    await page.route('**/events', (route) => route.abort());
    await page.reload();
    await page.getByText('Not connected since').waitFor(SOON);
    await page.unroute('**/events');
    await page.getByRole('button', { name: 'New version – load it' }).waitFor({ timeout: 60_000 });
    expect(await accessibilityProblems(page)).toEqual([]);

    await page.getByLabel('Account', { exact: true }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL('**/sign-in', SOON);
    expect(await page.evaluate<string>('JSON.stringify({ ...sessionStorage })')).not.toContain('Not sent');
  }, 120_000);

  it.each([
    ['en-GB', 'light', 1360, '1 finding is gone', 'No analysis has read both versions yet'],
    ['de-DE', 'dark', 360, '1 Befund ist weggefallen', 'Noch keine Analyse hat beide Versionen gelesen'],
  ] as const)(
    'shows beside what another version says which findings went and moved: %s, %s, %i px',
    async (locale, colorScheme, width, gone, without) => {
      const file = { name: 'plan.md', type: 'text/markdown' };
      const lines = [
        '# Safety plan',
        'The wombat plan names all persons.',
        'The schedule will be done by TBD.',
      ];
      const sent = await uploadWorkProduct(owner, filled.workspace, { ...file, bytes: lines.join('\n\n') });
      const { id } = sent.body as { id: string };
      const isRead = (version: number) =>
        until<{ processing_status: string; version: number }>(
          owner,
          `/api/v1/work-products/${id}`,
          (one) => one.processing_status === 'completed' && one.version === version,
        );
      const analysed = async () => {
        const body = { workspace_id: filled.workspace, work_product_ids: [id] };
        const run = await owner.request('POST', '/api/v1/compliance/completeness', { body });
        const path = `/api/v1/analysis/analyses/${(run.body as { id: string }).id}`;
        await until<{ status: string }>(owner, path, ({ status }) => status === 'completed', 60_000);
      };
      await isRead(1);
      await analysed();
      await upload(
        owner,
        { ...file, bytes: lines.slice(0, 2).join('\n\n') },
        {
          init: `/api/v1/work-products/${id}/uploads/init`,
          complete: ({ upload_id }) => `/api/v1/work-products/${id}/uploads/${upload_id}/complete`,
        },
      );
      await isRead(2);
      const { page, faults } = await signIn({ locale, colorScheme, viewport: { width, height: 800 } });
      const path = `/documents/${id}/compare?base=1&head=2`;
      await shown(page, path);
      await page.getByText(without).waitFor(SOON);
      await analysed();
      await shown(page, path);
      await page.getByText(gone).waitFor(SOON);
      expect(await accessibilityProblems(page)).toEqual([]);
      expect(
        await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth'),
      ).toBeLessThanOrEqual(0);
      await page
        .getByRole('link', { name: /^Version 1:/ })
        .first()
        .click();
      await page.waitForURL(`**/documents/${id}?v=1&at=*`, SOON);
      await page.locator('mark').first().waitFor(SOON);
      expect(faults).toEqual([]);
    },
    120_000,
  );
});
