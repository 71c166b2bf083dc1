import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FilledApp, startFilledApp } from '../filled-app.js';
import type { Filled } from '../filled-workspace.js';
import type { Client, TestApp } from '../test-app.js';
import { accessibilityProblems, findChromium, openBrowser } from './open-browser.js';
import { signInBrowser } from './sign-in-browser.js';

const SOON = { timeout: 30_000 };
const PASSWORD = 'staple battery horse';

let started: FilledApp | undefined;
let app: TestApp;
let browser: Awaited<ReturnType<typeof openBrowser>>;
let owner: Client;
let filled: Filled;

describe.skipIf(findChromium() === undefined)('guests in Chromium', () => {
  beforeAll(async () => {
    started = await startFilledApp();
    ({ app, owner, filled } = started);
    browser = await openBrowser(app.address);
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await started?.stop();
  });

  it('are let into one run by a link, read it with its places, and are out when it is ended', async () => {
    const inside = await browser.newPage();
    await signInBrowser(inside.page, app, owner, `/w/${filled.workspace}/settings/members`);
    await inside.page.getByRole('button', { name: 'Invite a guest' }).click();
    const dialog = inside.page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Email address' }).fill('jo@assessors.example.org');
    await dialog
      .getByRole('combobox', { name: 'Which run' })
      .selectOption({ value: filled.analyses[1] ?? '' });
    expect(await accessibilityProblems(inside.page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
    const link = await dialog.getByRole('textbox', { name: 'Link for the guest' }).inputValue(SOON);
    expect(link).toContain('/#guest=gst_');
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
    const line = inside.page.getByRole('listitem').filter({ hasText: 'jo@assessors.example.org' });
    await line.getByText('Invited', { exact: true }).waitFor(SOON);

    const outside = await browser.newPage();
    await outside.page.goto(link);
    await outside.page.getByRole('button', { name: 'I have no account yet' }).click(SOON);
    expect(await outside.page.evaluate<string>('location.href')).not.toContain('gst_');
    await outside.page.getByLabel('Email address').fill('jo@assessors.example.org');
    await outside.page.getByLabel('Name', { exact: true }).fill('Jo Assessor');
    await outside.page.getByLabel('New password').fill(PASSWORD);
    await outside.page.getByRole('button', { name: 'Create the account' }).click();
    await outside.page.getByRole('link', { name: 'Sign in' }).click(SOON);
    await outside.page.getByLabel('Email address').fill('jo@assessors.example.org');
    await outside.page.getByLabel('Password').fill(PASSWORD);
    await outside.page.getByRole('button', { name: 'Sign in' }).click();
    await outside.page.getByRole('link', { name: /Filled/ }).click(SOON);
    const findings = outside.page.locator('.guest-findings > li');
    await expect.poll(() => findings.count(), SOON).toBeGreaterThan(3);
    expect(await accessibilityProblems(outside.page)).toEqual([]);
    const quoted = findings.filter({ has: outside.page.locator('blockquote') }).first();
    await quoted.locator('summary').click();
    const quote = await quoted.locator('blockquote').first().innerText();
    await quoted.locator('figcaption a').first().click();
    // On its page where the document has pages, and in the text.
    await outside.page.locator('mark[data-chosen], .box[data-chosen]').first().waitFor(SOON);
    const asText = outside.page.getByRole('button', { name: 'Show text' });
    if ((await asText.count()) > 0) await asText.click();
    const mark = outside.page.locator('mark[data-chosen]').first();
    await mark.waitFor(SOON);
    const marked = (await outside.page.locator('mark[data-chosen]').allInnerTexts()).join(' ');
    expect(marked.replaceAll(/\s+/g, ' ')).toContain(quote.replaceAll(/\s+/g, ' ').slice(0, 20));
    expect(await accessibilityProblems(outside.page)).toEqual([]);
    // The screens of members have nothing for a guest.
    await outside.page.goto(`${app.address}/w/${filled.workspace}/settings/members`);
    await outside.page.getByText('not here', { exact: false }).first().waitFor(SOON);
    expect(outside.faults).toEqual([]);

    await inside.page.reload();
    await line.getByText('Reads', { exact: true }).waitFor(SOON);
    await line.getByRole('button', { name: /^End/ }).click();
    await dialog.getByRole('button', { name: 'End', exact: true }).click();
    await line.getByText('Ended', { exact: true }).waitFor(SOON);
    await outside.page.goto(`${app.address}/`);
    await outside.page.getByRole('heading', { name: 'Sign in' }).waitFor(SOON);
    await outside.page.getByLabel('Email address').fill('jo@assessors.example.org');
    await outside.page.getByLabel('Password').fill(PASSWORD);
    await outside.page.getByRole('button', { name: 'Sign in' }).click();
    await outside.page.getByText('Your time as a guest has ended.').waitFor(SOON);
    expect(inside.faults).toEqual([]);
  }, 180_000);
});
