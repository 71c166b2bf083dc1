import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RULES } from '../filled-workspace.js';
import { type Client, startTestApp, type TestApp } from '../test-app.js';
import { createTestDatabase, type TestDatabase } from '../test-database.js';
import { accessibilityProblems, findChromium, openBrowser } from './open-browser.js';
import { signInBrowser } from './sign-in-browser.js';

const SOON = { timeout: 30_000 };

let database: TestDatabase;
let app: TestApp;
let browser: Awaited<ReturnType<typeof openBrowser>>;
let owner: Client;
let folder: string;

describe.skipIf(findChromium() === undefined)('plans and standards of one’s own in Chromium', () => {
  beforeAll(async () => {
    database = await createTestDatabase();
    app = await startTestApp(database, {
      work: true,
      environment: { BILLING: 'on', PAYMENT_WEBHOOK_SECRET: 'whsec_0123456789abcdef' },
    });
    owner = await app.signUp();
    folder = await mkdtemp(join(tmpdir(), 'normtrace-standard-'));
    browser = await openBrowser(app.address);
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
    await database?.stop();
    if (folder) await rm(folder, { recursive: true });
  });

  it('gives the free plan, sells a larger one at the test checkout, and shows what is used', async () => {
    const { page, faults } = await browser.newPage();
    await signInBrowser(page, app, owner, '/me/subscription');
    await page.getByText('0 of 1').waitFor(SOON);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Choose Pro' }).click();
    await page.waitForURL(/\/checkout\/cs_local_/, SOON);
    await page.locator('button[value="pay"]').click();
    await page.getByText('Pro is in force. Thank you.').waitFor(SOON);
    await page.getByText('0 of 10').waitFor(SOON);
    await page.getByRole('button', { name: 'Manage or end it' }).click();
    await page.waitForURL(/\/checkout\/cs_local_/, SOON);
    expect(faults).toEqual([]);
  }, 120_000);

  it('takes a standard of one’s own by keys, teaches what is wrong with a file, and takes the declaration back', async () => {
    const made = await owner.request('POST', '/api/v1/workspaces', { body: { name: 'House' } });
    const { id: workspace } = made.body as { id: string };
    const { page, faults } = await browser.newPage();
    await signInBrowser(page, app, owner, `/w/${workspace}/standards/library`);
    await page.getByRole('button', { name: 'Upload your own standard' }).press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: /^Name/ }).pressSequentially('House rules <b>1</b>');
    const [wrong, right] = [join(folder, 'rules.exe'), join(folder, RULES.name)];
    await writeFile(wrong, 'MZ');
    await writeFile(right, RULES.bytes);
    const file = dialog.locator('input[type=file]');
    await file.setInputFiles(wrong);
    await dialog.getByText('This is no format of which clauses are read.', { exact: false }).waitFor(SOON);
    expect(await dialog.getByRole('button', { name: 'Declare and read it' }).isDisabled()).toBe(true);
    await file.setInputFiles(right);
    await dialog
      .getByRole('textbox', { name: 'Holder of the licence' })
      .pressSequentially('Example Mobility');
    await dialog.getByRole('checkbox', { name: /^I confirm/ }).press('Space');
    expect(await accessibilityProblems(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Declare and read it' }).press('Enter');
    await page.getByText('House rules <b>1</b> is being read.').waitFor(SOON);
    await page.goto(`${app.address}/w/${workspace}/standards`);
    const card = page.getByRole('listitem').filter({ hasText: 'House rules <b>1</b>' });
    await card.getByText('2 criteria · Ready').waitFor(SOON);
    expect(await accessibilityProblems(page)).toEqual([]);
    await card.getByRole('button', { name: 'Withdraw the licence' }).click();
    await dialog.getByRole('button', { name: 'Withdraw the licence' }).click();
    await card.getByRole('button', { name: 'Give its file' }).waitFor(SOON);
    await card.getByRole('button', { name: /^Delete/ }).click();
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await card.waitFor({ state: 'detached', ...SOON });
    expect(faults).toEqual([]);
  }, 120_000);
});
