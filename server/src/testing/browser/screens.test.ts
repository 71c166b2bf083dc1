import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Filled, fillWorkspace } from '../filled-workspace.js';
import { type Client, startTestApp, type TestApp } from '../test-app.js';
import { createTestDatabase, type TestDatabase } from '../test-database.js';
import { accessibilityProblems, findChromium, openBrowser } from './open-browser.js';
import { signInBrowser } from './sign-in-browser.js';

/** A page on a busy machine takes its time. */
const SOON = { timeout: 20_000 };

let database: TestDatabase;
let app: TestApp;
let owner: Client;
let filled: Filled;
let browser: Awaited<ReturnType<typeof openBrowser>>;

describe.skipIf(findChromium() === undefined)('screens of a workspace in Chromium', () => {
  beforeAll(async () => {
    database = await createTestDatabase();
    app = await startTestApp(database, {
      work: true,
      environment: { RATE_LIMIT_PER_MINUTE: '6000', RATE_LIMIT_BURST: '1000' },
    });
    owner = await app.signUp('kim@example.org');
    const members = { engineer: await app.signUp(), manager: await app.signUp() };
    filled = await fillWorkspace({ app, database, owner, members });
    browser = await openBrowser(app.address);
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
    await database?.stop();
  });

  async function signIn(options: Parameters<typeof browser.newPage>[0] = {}) {
    const opened = await browser.newPage(options);
    await signInBrowser(opened.page, app.address, owner);
    return opened;
  }
  const shown = async (page: Page, path: string): Promise<void> => {
    await page.goto(`${app.address}/w/${filled.workspace}${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor(SOON);
    await expect.poll(() => page.locator('.skeleton').count(), SOON).toBe(0);
  };

  it.each([
    ['en-GB', 'light', 1360],
    ['de-DE', 'dark', 360],
  ] as const)(
    'are accessible and fit: %s, %s, %i px',
    async (locale, colorScheme, width) => {
      const { page, faults } = await signIn({ locale, colorScheme, viewport: { width, height: 800 } });
      const standard = `/standards/${filled.standard}`;
      for (const path of [
        '/standards',
        '/standards/library',
        standard,
        `${standard}?view=map`,
        `${standard}?view=list`,
        `${standard}?at=HR-1`,
        '/trace',
        '/trace/matrix',
        '/trace/artifacts',
        '/trace/links',
        '/trace/proposals',
        '/checklists',
        '/checklists/FS-HARA',
        '/runs',
        `/runs/${filled.analyses[0]}`,
        `/runs/compare?base=${filled.analyses[0]}&head=${filled.analyses[0]}`,
        '/reports',
        `/reports?new=${filled.analyses[0]}`,
      ]) {
        await shown(page, path);
        expect(await accessibilityProblems(page), path).toEqual([]);
        const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
        expect(overflow, path).toBeLessThanOrEqual(0);
      }
      expect(faults).toEqual([]);
    },
    240_000,
  );

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
    await page.getByText('The verdict was taken back.').waitFor(SOON);
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
});
