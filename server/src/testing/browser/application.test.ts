import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../test-app.js';
import { createTestDatabase, type TestDatabase } from '../test-database.js';
import { accessibilityProblems, findChromium, openBrowser } from './open-browser.js';

const PASSWORD = 'correct horse battery';
const hasBrowser = findChromium() !== undefined;
if (!hasBrowser)
  console.warn('SKIPPED: the tests of the application in a browser need Chromium (CHROMIUM=<path>).');

let database: TestDatabase;
let app: TestApp;
let browser: Awaited<ReturnType<typeof openBrowser>>;

describe.skipIf(!hasBrowser)('the application in Chromium', () => {
  beforeAll(async () => {
    database = await createTestDatabase();
    app = await startTestApp(database, { work: true });
    browser = await openBrowser(app.address);
  });
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
    await database?.stop();
  });

  it('lets the first person sign up, make a workspace, sign out and in again where they were', async () => {
    const { page, context, faults } = await browser.newPage();
    await page.goto(app.address);
    await page.waitForURL('**/sign-up');
    await page.getByLabel('Name', { exact: true }).fill('Jo Door');
    await page.getByLabel('Email address').fill('jo@example.org');
    await page.getByLabel('Password', { exact: false }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Create an account' }).click();
    await page.getByRole('heading', { name: 'No workspace yet' }).waitFor();
    const kept = await page.evaluate<string>('JSON.stringify({ ...localStorage })');
    expect(kept).not.toMatch(/token|secret|cookie/i);
    const [cookie] = await context.cookies();
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' });

    await page.getByRole('button', { name: 'New workspace' }).first().click();
    await page.getByLabel('Name', { exact: false }).fill('Sliding door <b>4</b>');
    await page.getByRole('button', { name: 'Create the workspace' }).click();
    await page.getByRole('heading', { level: 1, name: 'Sliding door <b>4</b>' }).waitFor();
    const address = page.url();

    await page.getByLabel('Account').click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL('**/sign-in');
    expect(await context.cookies()).toEqual([]);
    await page.goto(address);
    await page.waitForURL('**/sign-in?to=*');
    await page.getByLabel('Email address').fill('jo@example.org');
    await page.getByLabel('Password').fill('wrong horse battery');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(address);
    await page.getByRole('heading', { level: 1, name: 'Sliding door <b>4</b>' }).waitFor();
    expect(faults).toEqual([]);
  });

  it('leads from the sample documents to the first finding at its place', async () => {
    await app.signUp('sam@example.org');
    const { page, faults } = await browser.newPage();
    await page.goto(`${app.address}/sign-in`);
    await page.getByLabel('Email address').fill('sam@example.org');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'New workspace' }).first().click();
    await page.getByLabel('Name', { exact: false }).fill('First steps');
    await page.getByRole('button', { name: 'Create the workspace' }).click();
    await page.getByRole('button', { name: 'Try with the sample documents' }).click();
    await page.waitForURL(/\/gaps\/[0-9a-f-]{36}$/, { timeout: 200_000 });
    await page.getByRole('heading', { level: 1 }).waitFor();
    const quoted = page.locator('mark[data-chosen]').first();
    await quoted.waitFor();
    expect(await quoted.textContent()).not.toBe('');
    expect(faults).toEqual([]);
  }, 240_000);

  it.each([
    ['en-GB', 'light', 1360],
    ['de-DE', 'dark', 360],
  ] as const)('is accessible before the sign-in: %s, %s, %i px', async (locale, colorScheme, width) => {
    const { page, faults } = await browser.newPage({ locale, colorScheme, viewport: { width, height: 800 } });
    for (const path of ['/sign-in', '/sign-up', '/link']) {
      await page.goto(app.address + path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(await accessibilityProblems(page), path).toEqual([]);
      const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      expect(overflow, path).toBeLessThanOrEqual(0);
    }
    expect(faults).toEqual([]);
  });
});
