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

describe.skipIf(findChromium() === undefined)(
  'the start of runs, settings of two people and many answers in Chromium',
  () => {
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

    async function open() {
      const opened = await browser.newPage();
      await signInBrowser(opened.page, app, owner);
      return opened;
    }

    it('says what an analysis would come to, asks what only a person knows, and starts it', async () => {
      const adopted = await owner.request('POST', '/api/v1/standards', {
        body: { workspace_id: filled.workspace, catalog_id: 'iso-26262-2-2018' },
      });
      expect(adopted.status).toBe(201);
      const { id } = adopted.body as { id: string };
      const { page, faults } = await open();
      await page.goto(`${app.address}/w/${filled.workspace}/standards/${id}`);
      await page.getByRole('button', { name: 'Analyse' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText(/Nobody has given: .*Safety plan/).waitFor(SOON);
      await dialog
        .getByText(/Reads \d documents/)
        .first()
        .waitFor(SOON);
      const question = dialog.getByRole('group', { name: /organi[sz]ation/ }).first();
      expect(await question.getByLabel('Not known').isChecked()).toBe(true);
      await question.getByLabel('No', { exact: true }).check();
      expect(await accessibilityProblems(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Start' }).click();
      await page.getByText('1 analysis was started.').waitFor(SOON);
      const { body } = await owner.request(
        'GET',
        `/api/v1/analysis/analyses?workspace_id=${filled.workspace}&standard_id=${id}`,
      );
      const [run] = (body as { items: { options: { conditions: object } }[] }).items;
      expect(run?.options.conditions).toEqual({ organisation_in_scope: false });
      expect(faults).toEqual([]);
    }, 90_000);

    it('offers beside a run those that can be compared with it, and says why others cannot', async () => {
      const { page, faults } = await open();
      const runs = async (type: string): Promise<readonly string[]> => {
        const address = `/api/v1/analysis/analyses?workspace_id=${filled.workspace}&type=${type}&status=completed`;
        const { body } = await owner.request('GET', address);
        return (body as { items: { id: string }[] }).items.map(({ id }) => id);
      };
      const [trace, complete] = await Promise.all([runs('traceability'), runs('completeness')]);
      await page.goto(`${app.address}/w/${filled.workspace}/runs/compare?base=${trace[0]}`);
      const options = page.getByLabel('After').locator('option:not([value=""])');
      await options.first().waitFor({ state: 'attached', ...SOON });
      const values = await options.evaluateAll((all) =>
        all.map((one) => (one as unknown as { value: string }).value),
      );
      expect(values.toSorted()).toEqual(trace.toSorted());
      await page.goto(
        `${app.address}/w/${filled.workspace}/runs/compare?base=${trace[0]}&head=${complete[0]}`,
      );
      const refused = page.locator('.notice[data-kind="error"]');
      await expect.poll(() => refused.textContent(), SOON).toMatch(/^Only runs of the same standard/);
      expect(faults).toEqual([]);
    }, 60_000);

    it('tells mine from theirs when somebody else changed the settings', async () => {
      const { page, faults } = await open();
      await page.goto(`${app.address}/w/${filled.workspace}/settings`);
      await page.getByLabel('Phase of the project').selectOption('System design');
      await page.getByLabel('Leave out an area …').selectOption('Development of hardware');
      await page.getByLabel('Why Development of hardware is left out').fill('The supplier does it.');
      await owner.request('PATCH', `/api/v1/workspaces/${filled.workspace}`, {
        body: { phase: 'concept', description: 'Changed elsewhere' },
      });
      await page.getByRole('button', { name: 'Save' }).click();
      const conflict = page.getByRole('alert');
      await conflict.getByText('Somebody else changed this meanwhile').waitFor(SOON);
      await conflict.getByRole('row', { name: /Phase of the project System design Concept/ }).waitFor(SOON);
      await conflict.getByRole('row', { name: /Description – Changed elsewhere/ }).waitFor(SOON);
      // What stands alike is not asked about.
      expect(await conflict.getByRole('row', { name: /^Name/ }).count()).toBe(0);
      expect(await accessibilityProblems(page)).toEqual([]);
      await conflict.getByRole('button', { name: 'Keep mine' }).click();
      await page.getByText('Saved.').waitFor(SOON);
      const { body } = await owner.request('GET', `/api/v1/workspaces/${filled.workspace}`);
      expect(body).toMatchObject({
        phase: 'system',
        description: '',
        tailored_out: [{ area: 'hardware', reason: 'The supplier does it.' }],
      });
      expect(faults).toEqual([]);
    }, 90_000);

    it('tells mine from theirs of a profile, a role and a webhook, too', async () => {
      const { page, faults } = await open();
      const change = async (path: string, body: object) =>
        expect((await owner.request('PATCH', `/api/v1${path}`, { body })).status).toBe(200);
      const conflict = page.getByRole('alert');
      await page.goto(`${app.address}/me/account`);
      await page.getByLabel('Name', { exact: true }).fill('Kim Mine');
      await change('/auth/me', { name: 'Kim Theirs' });
      await page.getByRole('button', { name: 'Save' }).click();
      await conflict.getByRole('row', { name: 'Name Kim Mine Kim Theirs' }).waitFor(SOON);
      expect(await accessibilityProblems(page)).toEqual([]);
      await conflict.getByRole('button', { name: 'Take theirs' }).click();
      await expect.poll(() => page.getByLabel('Name', { exact: true }).inputValue(), SOON).toBe('Kim Theirs');
      // What nobody else changed is written at once.
      await page.getByLabel('Name', { exact: true }).fill('Kim Mine');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Saved.').waitFor(SOON);

      const members = `/workspaces/${filled.workspace}/members`;
      const { items } = (await owner.request('GET', `/api/v1${members}?limit=100`)).body as {
        items: { user_id: string; name: string; email: string; role: string }[];
      };
      const engineer = items.find(({ role }) => role === 'engineer')!;
      await page.goto(`${app.address}/w/${filled.workspace}/settings/members`);
      const role = page.getByRole('listitem').filter({ hasText: engineer.email }).getByRole('combobox');
      await role.waitFor(SOON);
      await change(`${members}/${engineer.user_id}`, { role: 'manager' });
      await role.selectOption('Viewer');
      await conflict.getByRole('row', { name: 'Role Viewer Manager' }).waitFor(SOON);
      expect(await accessibilityProblems(page)).toEqual([]);
      await conflict.getByRole('button', { name: 'Take theirs' }).click();
      await expect.poll(() => role.inputValue(), SOON).toBe('manager');
      await role.selectOption('Engineer');
      await page.getByText('Saved.').waitFor(SOON);

      const hooks = `/workspaces/${filled.workspace}/webhooks`;
      const [hook] = (
        (await owner.request('GET', `/api/v1${hooks}`)).body as { items: { id: string; active: boolean }[] }
      ).items;
      await page.goto(`${app.address}/w/${filled.workspace}/settings/webhooks`);
      const turn = page.getByRole('button', { name: /^Switch o/ }).first();
      await turn.waitFor(SOON);
      await change(`${hooks}/${hook!.id}`, { url: 'https://other.invalid/' });
      await turn.click();
      await conflict.getByRole('row', { name: /https:\/\/other\.invalid/ }).waitFor(SOON);
      await conflict.getByRole('button', { name: 'Keep mine' }).click();
      const active = async () =>
        ((await owner.request('GET', `/api/v1${hooks}/${hook!.id}`)).body as { active: boolean }).active;
      await expect.poll(active, SOON).toBe(!hook!.active);
      expect(faults).toEqual([]);
    }, 90_000);

    it('shows what a run said of each document and item then', async () => {
      const { body } = await owner.request(
        'GET',
        `/api/v1/analysis/analyses?workspace_id=${filled.workspace}`,
      );
      const runs = (body as { items: { id: string; type: string; status: string }[] }).items;
      const { page, faults } = await open();
      for (const [type, title, said] of [
        ['completeness', 'What it said of the documents', /not found/],
        ['checklist', 'What it said of the items', /^(Pass|Fail)$/],
      ] as const) {
        const { id } = runs.find((one) => one.type === type && one.status === 'completed') ?? { id: '' };
        await page.goto(`${app.address}/w/${filled.workspace}/runs/${id}`);
        const list = page.getByRole('list', { name: title });
        await list.getByText(said).first().waitFor(SOON);
        expect(await accessibilityProblems(page)).toEqual([]);
      }
      expect(faults).toEqual([]);
    }, 90_000);

    it('finds passages for an item, and takes the chosen one as evidence of the answer', async () => {
      const { body } = await owner.request(
        'GET',
        `/api/v1/compliance/checklists?workspace_id=${filled.workspace}&built_in=false`,
      );
      const [{ id } = { id: '' }] = (body as { items: { id: string }[] }).items;
      interface Passages {
        readonly passages: readonly {
          readonly quote: string;
          readonly name: string;
          readonly highlights: readonly { readonly start: number; readonly end: number }[];
        }[];
      }
      interface Answered {
        readonly items: readonly {
          readonly item_id: string;
          readonly answer: {
            readonly reason: string;
            readonly evidence: readonly { quote: string }[];
          } | null;
        }[];
      }
      const list = `/api/v1/compliance/checklists/${id}`;
      const ws = `workspace_id=${filled.workspace}`;
      const answered = async () =>
        ((await owner.request('GET', `${list}/results?${ws}`)).body as Answered).items[0]!;
      const { item_id: item } = await answered();
      const { passages } = (await owner.request('GET', `${list}/items/${item}/passages?${ws}`))
        .body as Passages;
      expect(passages.length).toBeGreaterThan(0);
      const { page, faults } = await open();
      await page.goto(`${app.address}/w/${filled.workspace}/checklists/${id}?mode=one&item=${item}`);
      const panel = page.locator('.passages');
      await panel.locator('summary', { hasText: 'Look for evidence in the documents' }).click();
      const shown = panel.locator('.passage');
      await expect.poll(() => shown.count(), SOON).toBe(passages.length);
      expect(await accessibilityProblems(page)).toEqual([]);
      for (const [at, { quote, name, highlights }] of passages.entries()) {
        expect(await shown.nth(at).textContent()).toContain(quote);
        expect(await shown.nth(at).getByRole('link').textContent()).toContain(name);
        expect(await shown.nth(at).locator('mark').allTextContents()).toEqual(
          highlights.map(({ start, end }) => quote.slice(start, end)),
        );
      }
      const [taken] = passages;
      await shown.first().getByLabel('Evidence of my answer').check();
      await page.getByText('With 1 passage as evidence').waitFor(SOON);
      const form = page.locator('.answer-form');
      await form.getByLabel(/^Pass/).check();
      await form.getByLabel('Reason').fill('It is described there.');
      await form.getByRole('button', { name: 'Save' }).click();
      await expect
        .poll(async () => (await answered()).answer, SOON)
        .toMatchObject({ reason: 'It is described there.', evidence: [{ quote: taken!.quote }] });
      await page.locator('.guidance').getByText('It is described there.').waitFor(SOON);
      // The link of a passage leads to the document at its words.
      await shown.first().getByRole('link').click();
      await page.waitForURL('**/documents/**at=**', SOON);
      expect(faults).toEqual([]);
    }, 90_000);

    it('answers many items of a checklist by keys', async () => {
      const { body } = await owner.request(
        'GET',
        `/api/v1/compliance/checklists?workspace_id=${filled.workspace}&built_in=false`,
      );
      const [{ id } = { id: '' }] = (body as { items: { id: string }[] }).items;
      const { page, faults } = await open();
      await page.goto(`${app.address}/w/${filled.workspace}/checklists/${id}?mode=table`);
      await page.getByText('0 items selected').waitFor(SOON);
      await page.keyboard.press('j');
      await page.keyboard.press('x');
      await page.getByText('1 item selected').waitFor(SOON);
      await page.keyboard.press('2');
      await page.getByRole('dialog').getByLabel('Reason').fill('Seen <b>again</b>.');
      expect(await accessibilityProblems(page)).toEqual([]);
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
      await page.getByText('1 item was answered.').waitFor(SOON);
      await page.getByRole('cell', { name: 'Seen <b>again</b>.' }).waitFor(SOON);
      await page.getByText('0 items selected').waitFor(SOON);
      expect(faults).toEqual([]);
    }, 90_000);
  },
);
