import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FilledApp, startFilledApp } from '../filled-app.js';
import type { Filled } from '../filled-workspace.js';
import type { Client, TestApp } from '../test-app.js';
import { accessibilityProblems, findChromium, openBrowser } from './open-browser.js';
import { signInBrowser } from './sign-in-browser.js';

/** A page on a busy machine takes its time. */
const SOON = { timeout: 20_000 };

let started: FilledApp | undefined;
let app: TestApp;
let owner: Client;
let filled: Filled;
let browser: Awaited<ReturnType<typeof openBrowser>>;

describe.skipIf(findChromium() === undefined)('the list of documents in Chromium', () => {
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

  async function open(options: Parameters<typeof browser.newPage>[0] = {}) {
    const opened = await browser.newPage(options);
    await signInBrowser(opened.page, app, owner, `/w/${filled.workspace}/documents`);
    await opened.page.getByRole('row').nth(1).waitFor(SOON);
    return opened;
  }

  it('asks what dropped files are, and sends only what is not there', async () => {
    const there = await owner.request('GET', `/api/v1/work-products/${filled.documents.other}/content`);
    const { page, faults } = await open();
    const announced: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/uploads/init')) announced.push(request.url());
    });
    const file = (name: string, text: string) => ({
      name,
      mimeType: 'text/markdown',
      buffer: Buffer.from(text),
    });
    await page
      .locator('input[type=file]')
      .setInputFiles([
        file('copy of the HARA.md', there.text),
        file('wombat concept.md', '# Functional safety concept\n\nThe wombat door is shut.\n'),
        file('item definition.md', '# Item definition\n\nThe item is a door.\n'),
        file('the same again.md', '# Item definition\n\nThe item is a door.\n'),
        file('setup.exe', 'MZ'),
      ]);
    const queue = page.getByRole('region', { name: 'Files' });
    const line = (name: string) => queue.getByRole('listitem').filter({ hasText: name });
    await line('copy of the HARA.md').getByText('is there already: version 1 of “hara”').waitFor(SOON);
    await line('the same again.md').getByText('is in this list already').waitFor(SOON);
    await line('setup.exe').getByText('not a kind of file that can be read').waitFor(SOON);
    const choice = line('wombat concept.md').getByRole('combobox');
    expect(await choice.locator('option').allTextContents()).toEqual([
      'as version 2 of “wombat concept”',
      'as a new document',
    ]);
    expect(await choice.inputValue()).toBe(filled.documents.marked);
    expect(await accessibilityProblems(page)).toEqual([]);
    await queue.getByRole('button', { name: 'Send all' }).click();
    await queue.getByText('2 of 2 sent · 2 are there already').waitFor(SOON);
    expect(announced.length).toBe(2);
    await page
      .getByRole('row')
      .filter({ hasText: 'item definition' })
      .getByText('read', { exact: true })
      .waitFor(SOON);
    await page.getByRole('row').filter({ hasText: 'wombat concept' }).getByText('v2').waitFor(SOON);
    expect(await page.getByRole('row').filter({ hasText: 'copy of the HARA' }).count()).toBe(0);
    expect(faults).toEqual([]);
  }, 90_000);

  it('filters by values that are counted, and changes and deletes what is selected', async () => {
    const { page, faults } = await open();
    await page.locator('summary', { hasText: 'Type' }).click();
    const hara = page.getByRole('checkbox', { name: /Hazard analysis and risk assessment/ });
    expect(await accessibilityProblems(page)).toEqual([]);
    await hara.check();
    await page.getByText('1 document', { exact: true }).waitFor(SOON);
    expect(new URL(page.url()).searchParams.get('category')).toBe('hara');
    await page.getByRole('button', { name: 'No filters' }).click();
    await page.getByText('3 documents', { exact: true }).waitFor(SOON);

    await page.getByLabel('Select all that are shown').check();
    await page.getByText('3 documents selected').waitFor(SOON);
    await page.getByRole('button', { name: 'Type and tags …' }).click();
    await page.getByLabel('Add tags').fill('sample B, <i>new</i>');
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText('3 documents were changed.').waitFor(SOON);
    await expect.poll(() => page.getByRole('table').getByText('<i>new</i>').count(), SOON).toBe(3);

    await page.getByLabel('Select “item definition”').check();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('1 document was deleted.').waitFor(SOON);
    await page.getByText('2 documents', { exact: true }).waitFor(SOON);
    expect(faults).toEqual([]);
  }, 90_000);

  it('names types, pages and people, and sorts by the head of a column', async () => {
    const { page, faults } = await open({ locale: 'de-DE' });
    await page.getByRole('cell', { name: 'Gefährdungs- und Risikoanalyse' }).waitFor(SOON);
    await page.getByRole('button', { name: 'Offene Lücken' }).click();
    await page.locator('th[aria-sort=descending]', { hasText: 'Offene Lücken' }).waitFor(SOON);
    expect(new URL(page.url()).searchParams.get('sort')).toBe('-gaps');
    expect(faults).toEqual([]);
  }, 60_000);
});
