import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { zip } from '../hostile-files.js';
import { type Client, startTestApp, type TestApp } from '../test-app.js';
import { createTestDatabase, type TestDatabase } from '../test-database.js';
import { until } from '../upload.js';
import { accessibilityProblems, findChromium, openBrowser } from './open-browser.js';
import { signInBrowser } from './sign-in-browser.js';

const SOON = { timeout: 30_000 };
const ITEMS = 'ID,Question,Severity\nA1,Is every requirement <b>unambiguous</b>?,high\n';

let database: TestDatabase;
let app: TestApp;
let browser: Awaited<ReturnType<typeof openBrowser>>;
let owner: Client;
let folder: string;
let workspace: string;
let page: Page;
let faults: readonly string[];

const file = async (name: string, bytes: string | Uint8Array): Promise<string> => {
  const path = join(folder, name);
  await writeFile(path, bytes);
  return path;
};
const go = (path: string) => page.goto(`${app.address}/w/${workspace}${path}`);

describe.skipIf(findChromium() === undefined)('what a workspace brings along in Chromium', () => {
  beforeAll(async () => {
    database = await createTestDatabase();
    app = await startTestApp(database, { work: true });
    owner = await app.signUp();
    folder = await mkdtemp(join(tmpdir(), 'normtrace-definitions-'));
    browser = await openBrowser(app.address);
    const made = await owner.request('POST', '/api/v1/workspaces', { body: { name: 'House' } });
    workspace = (made.body as { id: string }).id;
    ({ page, faults } = await browser.newPage());
    await signInBrowser(page, app, owner);
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
    await database?.stop();
    if (folder) await rm(folder, { recursive: true });
  });

  it('reads a checklist from a table, by keys, and says in which row a table is wrong', async () => {
    await go('/settings/checklists');
    await page.getByText('There is no checklist of your own yet.').waitFor(SOON);
    await page.getByRole('link', { name: 'Add a checklist' }).press('Enter');
    const form = page.locator('form').filter({ hasText: 'A new file' });
    const chooser = form.locator('input[type=file]');
    await chooser.setInputFiles(await file('twice.csv', `${ITEMS}A1,Is it reviewed?,low\n`));
    await form.getByRole('button', { name: 'Add' }).press('Enter');
    await form.getByText('It is the same as in', { exact: false }).waitFor(SOON);
    await chooser.setInputFiles(await file('house-review.csv', ITEMS));
    await form.getByRole('textbox', { name: 'Name' }).fill('House <i>review</i>');
    await form.getByRole('button', { name: 'Add' }).press('Enter');
    await page.getByRole('heading', { level: 2, name: 'House <i>review</i>' }).waitFor(SOON);
    const asked = page.getByRole('listitem').filter({ hasText: 'Is every requirement <b>unambiguous</b>?' });
    expect(await asked.innerText()).toContain('USR-A1');
    await page.getByRole('link', { name: 'read from house-review, version 1' }).waitFor(SOON);
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(faults).toEqual([]);
  }, 120_000);

  it('changes a checklist as text, leads to the line that is wrong, and shows both when two change it', async () => {
    const text = page.getByRole('textbox', { name: /^Text/ });
    const before = await text.inputValue();
    await text.fill(`${before}    colour: red\n`);
    await page.getByRole('button', { name: 'Save' }).click();
    await page
      .getByRole('button', { name: /^Go to line/ })
      .first()
      .click();
    const chosen = new Function('one', 'return one.value.slice(one.selectionStart, one.selectionEnd)');
    expect(await text.evaluate(chosen as () => unknown)).toContain('USR-A1');
    // Meanwhile somebody else writes another severity.
    const id = page.url().split('/').at(-1);
    const theirs = await owner.request('PATCH', `/api/v1/compliance/checklists/${id}`, {
      body: { yaml: before.replace('severity: high', 'severity: low') },
    });
    expect(theirs.status).toBe(200);
    await text.fill(before.replace('unambiguous', 'testable'));
    await page.getByRole('button', { name: 'Save' }).click();
    const conflict = page.getByRole('alert').filter({ hasText: 'Somebody else changed this' });
    await conflict.getByText('severity: low', { exact: false }).waitFor(SOON);
    await conflict.getByRole('button', { name: 'Keep mine' }).click();
    await page.getByText('Is every requirement <b>testable</b>?').first().waitFor(SOON);
    await page.getByText('revision 3').waitFor(SOON);
    await go('/settings/checklists');
    const line = page.getByRole('listitem').filter({ hasText: 'House <i>review</i>' });
    await line.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await line.waitFor({ state: 'detached', ...SOON });
    expect(faults).toEqual([]);
  }, 120_000);

  it('adapts a built-in template, which takes its place', async () => {
    await go('/settings/templates/hara');
    await page.getByRole('link', { name: 'Adapt it' }).click();
    const text = page.getByRole('textbox', { name: /^Text/ });
    await expect.poll(() => text.inputValue(), SOON).toContain('id: hara');
    expect(await accessibilityProblems(page)).toEqual([]);
    const added = page.locator('.panel').filter({ has: text }).getByRole('button', { name: 'Add' });
    await added.click();
    await page.getByText('revision 1').waitFor(SOON);
    await page.getByRole('link', { name: 'All own templates' }).click();
    await page.getByText('instead of the built-in one').waitFor(SOON);
    expect(faults).toEqual([]);
  }, 120_000);

  it('shows what became of each file of a ZIP', async () => {
    await go('/documents');
    const bytes = zip({
      'plans/plan.md': Buffer.from('# Safety plan\n\nThe safety plan names its activities.'),
      'plans/<img src=x>.zip': zip({ 'a.md': Buffer.from('# A') }),
    });
    await page.locator('input[type=file]').setInputFiles(await file('all.zip', new Uint8Array(bytes)));
    await page.getByRole('button', { name: 'Send all' }).click();
    const row = page.getByRole('row').filter({ hasText: 'What is in it' });
    await row.waitFor(SOON);
    if ((await row.locator('details[open]').count()) === 0) await row.getByText('What is in it').click();
    await row.getByRole('link', { name: 'plans/plan.md' }).waitFor(SOON);
    await row
      .getByRole('listitem')
      .filter({ hasText: '<img src=x>.zip' })
      .getByText('not taken')
      .waitFor(SOON);
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(faults).toEqual([]);
  }, 120_000);

  it('takes the archive of a workspace, and says why it does not take another file', async () => {
    const made = await owner.request('POST', `/api/v1/workspaces/${workspace}/export`);
    const { id } = made.body as { id: string };
    await until(
      owner,
      `/api/v1/workspaces/${workspace}/exports/${id}`,
      ({ status }: { status: string }) => status === 'completed',
      60_000,
    );
    await go('/settings/retention');
    const [download] = await Promise.all([
      page.waitForEvent('download', SOON),
      page.getByRole('link', { name: 'Download' }).click(),
    ]);
    const archive = join(folder, 'workspace.zip');
    await download.saveAs(archive);
    const other = await createTestDatabase();
    const elsewhere = await startTestApp(other, { work: true });
    const window = await openBrowser(elsewhere.address);
    onTestFinished(async () => {
      await window.close();
      await elsewhere.stop();
      await other.stop();
    });
    const there = await window.newPage();
    await signInBrowser(there.page, elsewhere, await elsewhere.signUp(), '/');
    const dialog = there.page.getByRole('dialog');
    const send = async (path: string, name: string): Promise<void> => {
      await there.page.getByRole('button', { name: 'Import an archive' }).click();
      await dialog.locator('input[type=file]').setInputFiles(path);
      await dialog.getByRole('textbox').fill(name);
      await dialog.getByRole('button', { name: 'Import it' }).click();
    };
    await send(await file('none.zip', 'no archive at all'), 'Wrong');
    await dialog.getByText('The archive was not taken.', { exact: false }).waitFor(SOON);
    expect(await accessibilityProblems(there.page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await send(archive, 'House <b>again</b>');
    await dialog.getByRole('link', { name: 'Open the workspace' }).click(SOON);
    await there.page.getByRole('heading', { level: 1, name: 'House <b>again</b>' }).waitFor(SOON);
    expect([...faults, ...there.faults]).toEqual([]);
  }, 120_000);
});
