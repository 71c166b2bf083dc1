import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { joinWorkspace } from '../join-workspace.js';
import { type Client, startTestApp, type TestApp } from '../test-app.js';
import { createTestDatabase, type TestDatabase } from '../test-database.js';
import { until, uploadWorkProduct } from '../upload.js';
import { accessibilityProblems, findChromium, openBrowser } from './open-browser.js';
import { signInBrowser } from './sign-in-browser.js';

const SOON = { timeout: 30_000 };

let database: TestDatabase;
let app: TestApp;
let browser: Awaited<ReturnType<typeof openBrowser>>;
let owner: Client;
let engineer: Client;
let manager: Client;
let viewer: Client;
let workspace: string;
let document: string;
/** The newest run. */
let run: string;

describe.skipIf(findChromium() === undefined)('reports and administration in Chromium', () => {
  beforeAll(async () => {
    database = await createTestDatabase();
    app = await startTestApp(database, { work: true });
    owner = await app.signUp();
    engineer = await app.signUp();
    viewer = await app.signUp();
    manager = await app.signUp();
    workspace = (await send<{ id: string }>('POST', '/workspaces', { name: 'Sliding door' })).id;
    for (const [role, member] of Object.entries({ engineer, manager, viewer })) {
      await joinWorkspace(app, { by: owner, workspace, member, role });
    }
    await send('POST', `/workspaces/${workspace}/webhooks`, {
      url: 'https://hooks.invalid/',
      events: ['analysis.completed'],
    });
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
    // Two runs, so that something may be new since the one before.
    for (let count = 0; count < 2; count++) {
      run = (
        await send<{ id: string }>('POST', '/compliance/completeness', {
          workspace_id: workspace,
          force: true,
        })
      ).id;
      await until<{ status: string }>(
        owner,
        `/api/v1/analysis/analyses/${run}`,
        ({ status }) => status === 'completed',
        90_000,
      );
    }
    const report = { workspace_id: workspace, type: 'completeness', analysis_ids: [run], format: 'html' };
    const { id: made } = await send<{ id: string }>('POST', '/reports', report);
    await until<{ status: string }>(
      owner,
      `/api/v1/reports/${made}`,
      ({ status }) => status === 'completed',
      90_000,
    );
    browser = await openBrowser(app.address);
  }, 180_000);
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
  const at = (path: string): string => `/w/${workspace}${path}`;
  const open = async (who: Client, path: string, options?: Parameters<typeof browser.newPage>[0]) => {
    const opened = await browser.newPage(options);
    await signInBrowser(opened.page, app, who, path);
    await opened.page.getByRole('heading', { level: 1 }).waitFor(SOON);
    return opened;
  };

  it('makes a report of chosen runs, shows when it is there, and hands it out by the cookie', async () => {
    const { page, faults } = await open(engineer, at('/reports'));
    await page.getByRole('button', { name: 'Make a report' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Contents' }).selectOption('completeness');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    // What it would say, before anything is made.
    await page.frameLocator('iframe').getByText('not a confirmation measure').first().waitFor(SOON);
    await page.getByRole('dialog', { name: 'Preview' }).getByRole('button', { name: 'Close' }).click();
    await dialog.getByRole('checkbox', { name: 'PDF' }).uncheck();
    await dialog.getByRole('checkbox', { name: 'CSV' }).check();
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

  it('makes a report of some findings with a mark and facts of the cover, and shows one that another makes', async () => {
    const { page, faults } = await open(engineer, at('/reports'));
    await page.getByRole('button', { name: 'Make a report' }).click();
    const dialog = page.getByRole('dialog', { name: 'Make a report' });
    await dialog.getByRole('combobox', { name: 'Contents' }).selectOption('completeness');
    const summary = dialog.getByText('Chapters, findings and cover');
    await summary.focus();
    await page.keyboard.press('Enter');
    const group = (name: string) => dialog.getByRole('group', { name });
    for (const name of ['Critical', 'High']) {
      await group('Severities').getByRole('checkbox', { name }).uncheck();
    }
    await group('Chapters').getByRole('checkbox', { name: 'Sign-off' }).uncheck();
    await dialog.getByRole('combobox', { name: 'Only what was not found before' }).selectOption({ index: 1 });
    await dialog.getByRole('textbox', { name: 'Confidentiality' }).fill('Top <i>secret</i>');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    const preview = page.frameLocator('iframe');
    await preview.getByText('Top <i>secret</i>').first().waitFor(SOON);
    await preview.getByText('not found by the run of').first().waitFor(SOON);
    expect(await preview.getByRole('heading', { name: 'Sign-off' }).count()).toBe(0);
    await page.getByRole('dialog', { name: 'Preview' }).getByRole('button', { name: 'Close' }).click();

    // A row takes the focus when it comes, and says what it lacks.
    await dialog.getByRole('button', { name: 'Add a fact' }).click();
    await page.keyboard.type('Project number');
    await dialog.getByText('needs a name and a value').waitFor(SOON);
    expect(await dialog.getByRole('button', { name: 'Make it' }).isDisabled()).toBe(true);
    await page.keyboard.press('Tab');
    await page.keyboard.type('P-4711');
    // Facts of the cover are in the preview, too.
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await preview.getByText('P-4711').first().waitFor(SOON);
    await page.getByRole('dialog', { name: 'Preview' }).getByRole('button', { name: 'Close' }).click();
    await dialog.getByRole('checkbox', { name: 'PDF' }).uncheck();
    await dialog.getByRole('checkbox', { name: 'JSON' }).check();
    await dialog.getByRole('textbox', { name: 'Title' }).fill('Less of it');
    expect(await accessibilityProblems(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Make it' }).click();
    const line = page.getByRole('listitem').filter({ hasText: 'Less of it' });
    for (const tag of ['Some findings', 'Some chapters', 'Top <i>secret</i>']) {
      await line.getByText(tag, { exact: true }).waitFor(SOON);
    }
    const link = line.getByRole('link', { name: 'Download' });
    await link.waitFor(SOON);
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
    const report = JSON.parse(await readFile((await download.path())!, 'utf8')) as Record<string, unknown>;
    expect(report).toMatchObject({
      selection: { severities: ['medium', 'low'], since: expect.any(String) },
      mark: 'Top <i>secret</i>',
    });
    expect(JSON.stringify(report)).toContain('P-4711');
    expect(report.chapters).not.toContain('sign_off');

    // No report is under way here, so that nothing asks: the stream tells.
    await send('POST', '/reports', {
      workspace_id: workspace,
      type: 'completeness',
      analysis_ids: [run],
      format: 'html',
      title: 'Made elsewhere',
    });
    await page
      .getByRole('listitem')
      .filter({ hasText: 'Made elsewhere' })
      .getByRole('link', { name: 'Download' })
      .waitFor({ timeout: 12_000 });
    expect(faults).toEqual([]);
  }, 90_000);

  it('shows a viewer the reports without what a viewer may not do', async () => {
    const { page } = await open(viewer, at('/reports?new='));
    const lines = page.getByRole('list', { name: 'Reports' }).getByRole('listitem');
    await lines.first().waitFor(SOON);
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await page.getByRole('button', { name: /Make|Delete/ }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Download' }).count()).toBeGreaterThan(0);
  });

  it('invites, gives roles and removes; a manager no more than viewers and engineers', async () => {
    const { page, faults } = await open(owner, at('/settings/members'));
    await page.getByRole('button', { name: 'Invite somebody' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Email address').fill('kim@example.org');
    await dialog.getByRole('combobox', { name: 'Role' }).selectOption('admin');
    await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
    // The owner administers the installation and may hand the link out.
    await expect(dialog.getByLabel('Link of the invitation').inputValue(SOON)).resolves.toMatch(/^http/);
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    const invited = page.getByRole('listitem').filter({ hasText: 'kim@example.org' });
    await invited.getByText('Administrator').waitFor(SOON);
    await invited.getByRole('button', { name: 'Withdraw' }).click();
    await invited.waitFor({ state: 'detached', ...SOON });

    const member = page.getByRole('listitem').filter({ hasText: viewer.email });
    await member.getByRole('combobox').selectOption('engineer');
    const roleOf = async () => {
      return (await send<{ role: string }>('GET', `/workspaces/${workspace}/members/${viewer.userId}`)).role;
    };
    await expect.poll(roleOf, SOON).toBe('engineer');
    await member.getByRole('combobox').selectOption('viewer');
    await expect.poll(roleOf, SOON).toBe('viewer');
    expect(faults).toEqual([]);

    const other = await open(manager, at('/settings/members'));
    const choice = other.page.getByRole('listitem').filter({ hasText: viewer.email }).getByRole('combobox');
    expect(await choice.locator('option').allTextContents()).toEqual(['Viewer', 'Engineer']);
    const their = other.page.getByRole('listitem').filter({ hasText: owner.email });
    expect(await their.getByRole('combobox').count()).toBe(0);
    expect(await their.getByRole('button').count()).toBe(0);
    expect(await other.page.getByRole('link', { name: 'Webhooks' }).count()).toBe(0);
  });

  it('adds a webhook, shows its secret once and what became of its messages', async () => {
    const { page, faults } = await open(owner, at('/settings/webhooks'));
    const old = page.getByRole('listitem').filter({ hasText: 'https://hooks.invalid/' });
    await old.getByText('Last deliveries').click();
    await old.getByRole('list', { name: 'Last deliveries' }).getByRole('listitem').first().waitFor(SOON);
    await page.getByRole('button', { name: 'Add a webhook' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Address').fill('https://builds.invalid/normtrace');
    await dialog.getByLabel('Report ready').uncheck();
    await dialog.getByRole('button', { name: 'Add' }).click();
    const secret = await dialog.getByRole('textbox', { name: 'Secret of the webhook' }).inputValue(SOON);
    expect(secret.length).toBeGreaterThan(20);
    await dialog.getByRole('button', { name: 'Close' }).click();
    const line = page.getByRole('listitem').filter({ hasText: 'https://builds.invalid/normtrace' });
    await line.getByText('Analysis completed').waitFor(SOON);
    expect(await line.getByText('Report ready').count()).toBe(0);
    expect(await page.content()).not.toContain(secret);
    await line.getByRole('button', { name: 'Switch off' }).click();
    await line.getByRole('button', { name: 'Switch on' }).waitFor(SOON);
    await line.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await line.waitFor({ state: 'detached', ...SOON });
    expect(faults).toEqual([]);
  });

  it('shows the audit log by filter and checks its chain', async () => {
    const { page, faults } = await open(owner, at('/settings/audit?action=webhook.*'));
    const lines = page.getByRole('list', { name: 'Audit log' }).getByRole('listitem');
    await lines.first().waitFor(SOON);
    for (const text of await lines.allTextContents()) expect(text).toContain('webhook.');
    await page.getByRole('combobox', { name: 'About' }).selectOption('report.*');
    await expect
      .poll(async () => (await lines.allTextContents()).every((text) => text.includes('report.')), SOON)
      .toBe(true);
    await page.getByRole('button', { name: 'Check the chain' }).click();
    await page.getByText(/The chain is intact: \d+ events/).waitFor(SOON);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'CSV' }).click(),
    ]);
    expect(await readFile((await download.path())!, 'utf8')).toContain('report.created');
    expect(faults).toEqual([]);
  });

  it('makes a token and shows it once, changes the password and ends other sessions', async () => {
    const who = await app.signUp();
    const elsewhere = await open(who, '/');
    const { page, faults } = await open(who, '/me/account');
    await page.getByRole('button', { name: 'Make a token' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('nightly <build>');
    await dialog.getByRole('button', { name: 'Make a token' }).click();
    const token = await dialog.getByRole('textbox', { name: 'Your token' }).inputValue(SOON);
    const asToken = app.withToken(token);
    expect((await asToken.request('GET', '/api/v1/workspaces')).status).toBe(200);
    await dialog.getByRole('button', { name: 'Close' }).click();
    const line = page.getByRole('listitem').filter({ hasText: 'nightly <build>' });
    await line.getByRole('button', { name: 'Revoke' }).click();
    await line.getByText('Revoked').waitFor(SOON);
    await expect
      .poll(async () => (await asToken.request('GET', '/api/v1/workspaces')).status, SOON)
      .toBe(401);

    await page.getByLabel('Current password').fill('correct horse battery');
    await page.getByLabel('New password').fill('quite another horse');
    await page.getByRole('button', { name: 'Change the password' }).click();
    const sessions = page.getByRole('list', { name: 'Where you are signed in' }).getByRole('listitem');
    await expect.poll(() => sessions.count(), SOON).toBe(1);
    await sessions.getByText('This one').waitFor(SOON);
    await elsewhere.page.reload();
    await elsewhere.page.waitForURL('**/sign-in*', SOON);
    expect(faults).toEqual([]);
  });

  it('lets an administrator deactivate a user and hand out links; shows nobody else the users', async () => {
    const who = await app.signUp();
    const { page, faults } = await open(owner, '/admin');
    await page.getByText('on the disk', { exact: false }).waitFor(SOON);
    await page.getByText('Everything works').waitFor(SOON);
    await page.getByRole('searchbox').fill(who.email);
    const line = page.getByRole('list', { name: 'Users' }).getByRole('listitem');
    await expect.poll(() => line.count(), SOON).toBe(1);
    await line.getByRole('button', { name: 'Link for a new password' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByRole('textbox', { name: 'Link' }).inputValue(SOON)).toMatch(/^http/);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await line.getByRole('button', { name: 'Deactivate' }).click();
    await dialog.getByRole('button', { name: 'Deactivate' }).click();
    await line.getByText('Deactivated').waitFor(SOON);
    // A process forgets who somebody is when the database tells it.
    await expect.poll(async () => (await who.request('GET', '/api/v1/auth/me')).status, SOON).toBe(401);
    expect(faults).toEqual([]);

    const other = await open(engineer, '/admin');
    await other.page.getByText('For administrators only').waitFor(SOON);
    expect(await other.page.getByRole('list', { name: 'Users' }).count()).toBe(0);
    await other.page.getByLabel('Account').click();
    expect(await other.page.getByRole('link', { name: 'Administration' }).count()).toBe(0);
  });

  // The same screens, filled, as in `every-screen.test.ts`, which all tests in CI run.
  it.skipIf(process.env.CI && !process.env.BROWSER_MATRIX).each([
    ['en-GB', 'light', 1360],
    ['de-DE', 'dark', 360],
  ] as const)('is accessible: %s, %s, %i px', async (locale, colorScheme, width) => {
    const { page, faults } = await open(owner, '/', {
      locale,
      colorScheme,
      viewport: { width, height: 800 },
    });
    for (const path of [
      at('/reports'),
      at('/reports?new='),
      at('/settings'),
      at('/settings/members'),
      at('/settings/webhooks'),
      at('/settings/retention'),
      at('/settings/audit'),
      '/me/account',
      '/admin',
    ]) {
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

  it('deletes for good by two people, and packs an archive', async () => {
    await send('DELETE', `/work-products/${document}`);
    const first = await open(manager, at('/settings/retention'));
    await first.page.getByRole('button', { name: 'Delete for good …' }).click();
    const asking = first.page.getByRole('dialog');
    const ask = asking.getByRole('button', { name: 'Ask for it' });
    expect(await ask.isDisabled()).toBe(true);
    await asking.getByLabel('Reason').fill('Uploaded by <i>mistake</i>');
    await ask.click();
    await first.page.getByText('Uploaded by <i>mistake</i>').waitFor(SOON);
    expect(await first.page.getByRole('button', { name: 'Agree and delete' }).count()).toBe(0);

    const { page, faults } = await open(owner, at('/settings/retention'));
    await page.getByRole('button', { name: 'Agree and delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Agree and delete' }).click();
    await page.getByText('Nothing waits to go away.').waitFor(SOON);
    await page.getByRole('button', { name: 'Make an archive' }).click();
    const link = page.getByRole('link', { name: 'Download' });
    await link.waitFor({ timeout: 60_000 });
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
    expect((await readFile((await download.path())!)).subarray(0, 2).toString()).toBe('PK');
    expect(faults).toEqual([]);
  }, 120_000);
});
