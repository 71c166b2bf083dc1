import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { joinWorkspace } from '../join-workspace.js';
import { type Client, startTestApp, type TestApp } from '../test-app.js';
import { createTestDatabase, type TestDatabase } from '../test-database.js';
import { until, uploadWorkProduct } from '../upload.js';
import { accessibilityProblems, findChromium, openBrowser } from './open-browser.js';
import { signInBrowser } from './sign-in-browser.js';

const SOON = { timeout: 30_000 };
const HOSTILE = '<img src=x onerror="document.title=1">\u202Eevil\u202C';

let database: TestDatabase;
let app: TestApp;
let browser: Awaited<ReturnType<typeof openBrowser>>;
let owner: Client;
let engineer: Client;
let workspace: string;
let document: string;

describe.skipIf(findChromium() === undefined)('comments in Chromium', () => {
  beforeAll(async () => {
    database = await createTestDatabase();
    app = await startTestApp(database, { work: true });
    [owner, engineer] = [await app.signUp(), await app.signUp()];
    const made = await owner.request('POST', '/api/v1/workspaces', { body: { name: 'Sliding door' } });
    workspace = (made.body as { id: string }).id;
    await joinWorkspace(app, { by: owner, workspace, member: engineer, role: 'engineer' });
    await database.asOwner("update profiles set name = 'Kim Sommer' where id = $1", [engineer.userId]);
    const { body } = await uploadWorkProduct(owner, workspace, {
      name: 'concept.md',
      type: 'text/markdown',
      bytes: '# Functional safety concept\n\n## Safe state\n\nThe safe state of the door is TBD.\n',
    });
    document = (body as { id: string }).id;
    await until<{ processing_status: string }>(
      owner,
      `/api/v1/work-products/${document}`,
      ({ processing_status }) => processing_status === 'completed',
      90_000,
    );
    browser = await openBrowser(app.address);
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
    await database?.stop();
  });

  it('are about selected words, name a member, wait for them, and are resolved', async () => {
    const { page, faults } = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await signInBrowser(page, app, owner, `/w/${workspace}/documents/${document}`);
    await page.getByText('The safe state of the door is TBD.').waitFor(SOON);
    await page.evaluate(() => {
      const { document: shown, getSelection } = globalThis as unknown as {
        document: {
          querySelectorAll(wanted: string): ArrayLike<{ textContent: string; firstChild: object }>;
          createRange(): { setStart(node: object, at: number): void; setEnd(node: object, at: number): void };
        };
        getSelection(): { removeAllRanges(): void; addRange(range: object): void };
      };
      const block = Array.from(shown.querySelectorAll('.block')).find((one) =>
        one.textContent.startsWith('The safe state of'),
      );
      const range = shown.createRange();
      range.setStart(block!.firstChild, 4);
      range.setEnd(block!.firstChild, 14);
      getSelection().removeAllRanges();
      getSelection().addRange(range);
    });
    const bar = page.getByRole('toolbar', { name: 'What is selected' });
    await bar.getByRole('button', { name: 'Comment' }).click(SOON);
    const field = page.getByRole('textbox', { name: 'Comment' });
    await page.getByText('About: “safe state”').waitFor(SOON);
    await field.pressSequentially('Dear @Ki');
    await page.getByRole('option', { name: 'Kim Sommer' }).waitFor(SOON);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await field.pressSequentially(HOSTILE);
    await page.getByRole('button', { name: 'Add the comment' }).click();
    const said = page.locator('.comments li').filter({ hasText: 'Dear @Kim Sommer' });
    await said.getByText('safe state', { exact: true }).waitFor(SOON);
    expect(await said.locator('.comment-text').innerText()).toContain(HOSTILE);
    expect(await page.locator('.comments img').count()).toBe(0);
    expect(await page.title()).not.toBe('1');

    // It stands in the text, and leads to what was said.
    await page.goto(`${app.address}/w/${workspace}/documents/${document}`);
    const mark = page.locator('mark[data-role=comment]');
    await mark.waitFor(SOON);
    expect(await mark.innerText()).toBe('safe state');
    await mark.click();
    await page.locator('.comments li[aria-current]', { hasText: 'Dear @Kim Sommer' }).waitFor(SOON);

    const other = await browser.newPage();
    await signInBrowser(other.page, app, engineer, '/');
    await other.page.getByRole('heading', { name: /Comments that mention you/ }).waitFor(SOON);
    await other.page.getByRole('link', { name: /Dear @Kim Sommer/ }).click();
    await other.page.locator('mark[data-chosen]').waitFor(SOON);
    expect(await other.page.locator('mark[data-chosen]').innerText()).toBe('safe state');
    await other.page.getByRole('button', { name: 'Resolve' }).click();
    // It arrives at the other browser by itself.
    await page.getByRole('button', { name: 'Show 1 resolved' }).waitFor(SOON);
    expect(await mark.count()).toBe(0);
    expect([...faults, ...other.faults]).toEqual([]);
  }, 180_000);
});
