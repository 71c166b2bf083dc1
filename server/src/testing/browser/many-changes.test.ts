import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FilledApp, startFilledApp } from '../filled-app.js';
import type { Filled } from '../filled-workspace.js';
import type { Client, TestApp } from '../test-app.js';
import type { TestDatabase } from '../test-database.js';
import { fillGaps } from './many-rows.js';
import { accessibilityProblems, findChromium, openBrowser } from './open-browser.js';
import { signInBrowser } from './sign-in-browser.js';

/** More than one request changes. */
const ROWS = 5001;
const SOON = { timeout: 60_000 };

let database: TestDatabase;
let started: FilledApp | undefined;
let app: TestApp;
let manager: Client;
let filled: Filled;
let browser: Awaited<ReturnType<typeof openBrowser>>;

/** What people decided about all gaps, as one value. */
const decided = async (): Promise<string> => {
  const [row] = await database.asOwner<{ all: string }>(
    `select md5(string_agg(concat_ws(' ', id, status, assignee, due_date, resolution, accepted_until), ',' order by id)) as all
     from gaps where workspace_id = $1`,
    [filled.workspace],
  );
  return row!.all;
};
const count = async (where: string): Promise<number> => {
  const [row] = await database.asOwner<{ count: number }>(
    `select count(*)::int from gaps where workspace_id = $1 and ${where}`,
    [filled.workspace],
  );
  return row!.count;
};

describe.skipIf(findChromium() === undefined)('more gaps than one request changes, in Chromium', () => {
  beforeAll(async () => {
    started = await startFilledApp();
    ({ database, app, manager, filled } = started);
    await fillGaps(database, { workspace: filled.workspace, rows: ROWS });
    browser = await openBrowser(app.address);
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await started?.stop();
  });

  it('are changed part after part while somebody works elsewhere, without those that cannot be, and taken back', async () => {
    // Nobody accepts a grave gap that they look after themselves.
    await database.asOwner(
      `update gaps set assignee = $1, finding = finding || '{"asil": "D", "severity": "critical"}' where id in (
         select id from gaps where workspace_id = $2 and effective_severity = 'critical' and status = 'open' order by id limit 7)`,
      [manager.userId, filled.workspace],
    );
    const before = await decided();
    const { page, faults } = await browser.newPage();
    const base = `/w/${filled.workspace}`;
    await signInBrowser(page, app, manager, `${base}/gaps?status=open,in_progress,resolved,accepted`);
    await page.waitForSelector('.gap-row[aria-rowindex="1"]:not([aria-busy])', SOON);
    await page.keyboard.press('Control+a');
    await page.keyboard.press('4');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('part after part', { exact: false }).waitFor(SOON);
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('Agreed <b>with</b> the customer.');
    await dialog.getByRole('button', { name: 'Save' }).click();
    const strip = page.getByRole('region', { name: 'Change of many gaps' });
    await strip.waitFor(SOON);
    await page.getByRole('link', { name: 'Documents' }).click();
    await page.getByRole('heading', { level: 1, name: 'Documents' }).waitFor(SOON);
    expect(await accessibilityProblems(page)).toEqual([]);
    // Nobody has to be there.
    const context = page.context();
    await page.close();
    await expect.poll(() => count(`status = 'accepted'`), { timeout: 240_000 }).toBeGreaterThan(ROWS / 2);
    const again = await context.newPage();
    await again.goto(`${app.address}${base}`);
    const later = again.getByRole('region', { name: 'Change of many gaps' });
    await later.getByText('7 could not be changed: ', { exact: false }).waitFor({ timeout: 240_000 });
    expect(await count(`assignee = '${manager.userId}' and status = 'open'`)).toBe(7);
    expect(await accessibilityProblems(again)).toEqual([]);
    await later.getByRole('button', { name: 'Take back' }).click();
    await later.getByText('gaps taken back', { exact: false }).waitFor(SOON);
    await later.getByRole('button', { name: 'Close' }).click({ timeout: 240_000 });
    await expect.poll(() => later.count(), SOON).toBe(0);
    expect(await decided()).toBe(before);
    expect(faults).toEqual([]);
  }, 600_000);
});
