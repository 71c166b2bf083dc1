import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Filled, fillWorkspace } from '../filled-workspace.js';
import { joinWorkspace } from '../join-workspace.js';
import { type Client, startTestApp, type TestApp } from '../test-app.js';
import { createTestDatabase, type TestDatabase } from '../test-database.js';
import { accessibilityProblems, findChromium, openBrowser } from './open-browser.js';
import { signInBrowser } from './sign-in-browser.js';

const SOON = { timeout: 30_000 };

let database: TestDatabase;
let app: TestApp;
let browser: Awaited<ReturnType<typeof openBrowser>>;
let owner: Client;
let engineer: Client;
let viewer: Client;
let filled: Filled;

describe.skipIf(findChromium() === undefined)('reports and administration in Chromium', () => {
  beforeAll(async () => {
    database = await createTestDatabase();
    app = await startTestApp(database, { work: true });
    owner = await app.signUp();
    engineer = await app.signUp();
    viewer = await app.signUp();
    const manager = await app.signUp();
    filled = await fillWorkspace({ app, database, owner, members: { engineer, manager } });
    await joinWorkspace(app, { by: owner, workspace: filled.workspace, member: viewer, role: 'viewer' });
    browser = await openBrowser(app.address);
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
    await database?.stop();
  });

  const at = (path: string): string => `/w/${filled.workspace}${path}`;
  const open = async (who: Client, path: string, options?: Parameters<typeof browser.newPage>[0]) => {
    const opened = await browser.newPage(options);
    await signInBrowser(opened.page, app.address, who, path);
    await opened.page.getByRole('heading', { level: 1 }).waitFor(SOON);
    return opened;
  };

  it('makes a report of chosen runs, shows when it is there, and hands it out by the cookie', async () => {
    const { page, faults } = await open(engineer, at('/reports'));
    await page.getByRole('button', { name: 'Make a report' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Contents' }).selectOption('completeness');
    await dialog.getByRole('combobox', { name: 'Format' }).selectOption('csv');
    await dialog.getByRole('combobox', { name: 'Language' }).selectOption('de');
    await dialog.getByRole('textbox', { name: 'Title' }).fill('Bericht <b>4</b>');
    expect(await accessibilityProblems(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Make it' }).click();
    const line = page.getByRole('listitem').filter({ hasText: 'Bericht <b>4</b>' });
    const link = line.getByRole('link', { name: 'Download' });
    await link.waitFor(SOON);
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
    expect(download.suggestedFilename()).toMatch(/\.csv$/);
    expect(await readFile((await download.path())!, 'utf8')).toContain('Keine Überschrift nennt es');
    await line.getByRole('button', { name: /^Delete/ }).click();
    await dialog.getByRole('button', { name: 'Delete the report' }).click();
    await line.waitFor({ state: 'detached', ...SOON });
    expect(faults).toEqual([]);
  });

  it('shows a viewer the reports without what a viewer may not do', async () => {
    const { page } = await open(viewer, at('/reports?new='));
    const lines = page.getByRole('list', { name: 'Reports' }).getByRole('listitem');
    await lines.first().waitFor(SOON);
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await page.getByRole('button', { name: /Make|Delete/ }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Download' }).count()).toBeGreaterThan(0);
  });

  it.each([
    ['en-GB', 'light', 1360],
    ['de-DE', 'dark', 360],
  ] as const)('is accessible: %s, %s, %i px', async (locale, colorScheme, width) => {
    const { page, faults } = await open(owner, '/', {
      locale,
      colorScheme,
      viewport: { width, height: 800 },
    });
    for (const path of [at('/reports'), at('/reports?new=')]) {
      await page.goto(app.address + path);
      await page.getByRole('heading', { level: 1 }).waitFor(SOON);
      await page.waitForLoadState('networkidle');
      expect(await accessibilityProblems(page), path).toEqual([]);
      const overflow = await page.evaluate<number>(
        'Math.max(document.documentElement.scrollWidth - innerWidth, document.querySelector("main").scrollWidth - document.querySelector("main").clientWidth)',
      );
      expect(overflow, path).toBeLessThanOrEqual(0);
    }
    expect(faults).toEqual([]);
  });
});
