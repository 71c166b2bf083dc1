import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ServiceProcess, startService } from '../service-process.js';
import { Hand } from './hand.js';
import { findChromium, type OpenPage, openBrowser } from './open-browser.js';

// The working days of six people, from the first page to what they came for, with the mouse only and with the keyboard only, in
// a service that was started by `npm start` with a folder of its own. Where BROWSER_JOURNEYS is set: it takes some ten minutes,
// and prints a table of how long each took.

const HANDS = ['mouse', 'keyboard'] as const;
const PASSWORD = 'correct horse battery';
const DEMO = fileURLToPath(new URL('../../../../demo/documents/', import.meta.url));
const SOON = { timeout: 30_000 };
/** Nobody waits longer for one step; a run of several analyses takes longer. */
const STEP_MILLISECONDS = 30_000;
const LONG_STEP_MILLISECONDS = 60_000;
const RUN_MILLISECONDS = 120_000;
/** How long nobody answers in J7. */
const AWAY_MILLISECONDS = 15_000;

interface Played {
  readonly journey: string;
  readonly hand: string;
  readonly steps: number;
  readonly actions: number;
  readonly milliseconds: number;
  readonly longest: readonly [step: string, milliseconds: number];
}

let service: ServiceProcess;
let folder: string;
let browser: Awaited<ReturnType<typeof openBrowser>>;
const played: Played[] = [];
/** Milliseconds from what one person changed to where another one sees it. */
const seenAfter: number[] = [];

describe.skipIf(findChromium() === undefined || !process.env.BROWSER_JOURNEYS)(
  'working days in Chromium',
  () => {
    afterAll(() => {
      tell(played);
      console.log(`Another person saw a change after ${seenAfter.map(Math.round).join(' and ')} ms.`);
    });

    describe.each(HANDS)('by %s', (kind) => {
      // Each in an installation of its own: the first person of it administers it, and hands out links.
      beforeAll(async () => {
        folder = await mkdtemp(join(tmpdir(), 'normtrace-journeys-'));
        service = await startService({ dataDirectory: join(folder, 'data'), byNpm: true });
        await service.untilReady();
        // Who has begun a day goes on with it in the next test.
        browser = await openBrowser(service.baseUrl, { pagesStay: true });
      }, 120_000);
      afterAll(async () => {
        await browser?.close();
        await service?.end('SIGTERM');
        await rm(folder, { recursive: true, force: true });
      }, 60_000);
      const people = new Map<string, Person>();
      const mail = (name: string): string => `${name}.${kind}@example.org`;
      const person = async (
        name: string,
        options?: Parameters<typeof browser.newPage>[0],
      ): Promise<Person> => {
        const known = people.get(name);
        if (known) return known;
        const opened = await browser.newPage({
          viewport: { width: 1440, height: 900 },
          permissions: ['clipboard-read', 'clipboard-write'],
          ...options,
        });
        const made = { name, opened, page: opened.page, hand: new Hand(opened.page, kind) };
        people.set(name, made);
        return made;
      };

      it('first run: sign up, sample documents, the first finding at its place', async () => {
        const { page, hand } = await person('sam');
        await play('First run', hand, async (step) => {
          await step('opens the address', async () => {
            await page.goto(service.baseUrl);
            await page.getByRole('heading', { level: 1 }).waitFor(SOON);
          });
          await step('signs up', async () => {
            // The first person of an installation is led there.
            const account = page.getByRole('link', { name: 'Create an account' });
            await page.getByLabel('Name', { exact: true }).or(account).first().waitFor(SOON);
            if ((await account.count()) > 0) await hand.use(account);
            await hand.write(page.getByLabel('Name', { exact: true }), 'Sam Safety');
            await hand.write(page.getByLabel('Email address'), mail('sam'));
            await hand.write(page.getByLabel('Password', { exact: false }), PASSWORD);
            await hand.use(page.getByRole('button', { name: 'Create an account' }));
            await page.getByRole('heading', { name: 'No workspace yet' }).waitFor(SOON);
          });
          await step('makes a workspace', async () => {
            await hand.use(page.getByRole('button', { name: 'New workspace' }).first());
            await hand.write(page.getByLabel('Name', { exact: false }), 'Power sliding door');
            await hand.use(page.getByRole('button', { name: 'Create the workspace' }));
            await page.getByRole('heading', { level: 1, name: 'Power sliding door' }).waitFor(SOON);
          });
          await step(
            'tries the sample documents',
            async () => {
              await hand.use(page.getByRole('button', { name: 'Try with the sample documents' }));
              await page.waitForURL(/\/gaps\/[0-9a-f-]{36}$/, { timeout: RUN_MILLISECONDS });
              await page.locator('mark[data-chosen]').first().waitFor(SOON);
            },
            LONG_STEP_MILLISECONDS,
          );
        });
      }, 300_000);

      /** A person at their machine, or at another one under a name of its own. */
      const signedIn = async (name: string, machine = name): Promise<Person> => {
        const found = await person(machine);
        if (found.page.url() !== 'about:blank') return found;
        await found.page.goto(`${service.baseUrl}/sign-in`);
        await found.page.getByLabel('Email address').fill(mail(name));
        await found.page.getByLabel('Password').fill(PASSWORD);
        await found.page.getByRole('button', { name: 'Sign in' }).click();
        await found.page.getByRole('heading', { level: 1, name: 'My work' }).waitFor(SOON);
        return found;
      };

      it('J6 administrator: invites, hands out links, looks after tokens, webhooks, log and users', async () => {
        const { page, hand } = await signedIn('sam');
        const links = new Map<string, string>();
        const dialog = page.getByRole('dialog');
        await play('J6 administrator', hand, async (step) => {
          await step('opens the members', async () => {
            await hand.go(page.getByRole('link', { name: 'Settings' }), 'g e');
            await hand.use(page.getByRole('link', { name: 'Members' }));
            await page.getByRole('button', { name: 'Invite somebody' }).waitFor(SOON);
          });
          for (const [name, role] of [
            ['max', 'Manager'],
            ['eva', 'Engineer'],
            ['vic', 'Viewer'],
          ] as const) {
            await step(`invites ${name}`, async () => {
              await hand.use(page.getByRole('button', { name: 'Invite somebody' }));
              await hand.write(dialog.getByLabel('Email address'), mail(name));
              await hand.choose(dialog.getByRole('combobox', { name: 'Role' }), role);
              await hand.use(dialog.getByRole('button', { name: 'Invite', exact: true }));
              const link = dialog.getByLabel('Link of the invitation');
              await link.waitFor(SOON);
              links.set(name, await link.inputValue());
              await hand.use(dialog.getByRole('button', { name: 'Close' }).last(), 'Escape');
              await dialog.waitFor({ state: 'detached', ...SOON });
            });
          }
          await step('adds a webhook and sees its deliveries', async () => {
            await hand.use(page.getByRole('link', { name: 'Webhooks' }));
            await hand.use(page.getByRole('button', { name: 'Add a webhook' }));
            await hand.write(dialog.getByLabel('Address'), 'https://builds.invalid/normtrace');
            await hand.use(dialog.getByRole('button', { name: 'Add', exact: true }));
            await dialog.getByRole('textbox', { name: 'Secret of the webhook' }).waitFor(SOON);
            await hand.use(dialog.getByRole('button', { name: 'Close' }).last());
            await hand.use(page.getByText('Last deliveries').first());
            await page.getByText('Nothing was sent yet.').first().waitFor(SOON);
          });
          await step('sees what is deleted when', async () => {
            await hand.use(page.getByRole('link', { name: 'Retention and archive' }));
            await page.getByText('Nothing waits to go away.').waitFor(SOON);
          });
          await step('filters the audit log, checks its chain, takes it as a file', async () => {
            await hand.use(page.getByRole('link', { name: 'Audit log' }));
            await page.getByRole('list', { name: 'Audit log' }).getByRole('listitem').first().waitFor(SOON);
            await hand.use(page.getByRole('button', { name: 'Check the chain' }));
            await page.getByText(/The chain is intact/).waitFor(SOON);
            const download = page.waitForEvent('download', SOON);
            await hand.use(page.getByRole('link', { name: 'CSV' }));
            await download;
          });
          await step('makes a token', async () => {
            await hand.use(page.getByLabel('Account', { exact: true }));
            await hand.use(page.getByRole('link', { name: 'Account, sessions, tokens' }));
            await hand.use(page.getByRole('button', { name: 'Make a token' }));
            await hand.write(dialog.getByLabel('Name'), 'nightly build');
            await hand.use(dialog.getByRole('button', { name: 'Make a token' }));
            await dialog.getByRole('textbox', { name: 'Your token' }).waitFor(SOON);
            await hand.use(dialog.getByRole('button', { name: 'Close' }).last());
          });
        });
        for (const [name, link] of links) {
          const { page: theirs, hand: own } = await person(name);
          await play(`${name} joins by the link`, own, async (step) => {
            await step('makes an account', async () => {
              await theirs.goto(link);
              await own.use(theirs.getByRole('button', { name: 'I have no account yet' }));
              await own.write(theirs.getByLabel('Email address'), mail(name));
              await own.write(theirs.getByLabel('Name', { exact: true }), NAMES[name]!);
              await own.write(theirs.getByLabel('New password'), PASSWORD);
              await own.use(theirs.getByRole('button', { name: 'Create the account and accept' }));
              await own.use(theirs.getByRole('link', { name: 'Sign in' }));
            });
            await step('signs in', async () => {
              await own.write(theirs.getByLabel('Email address'), mail(name));
              await own.write(theirs.getByLabel('Password'), PASSWORD);
              await own.use(theirs.getByRole('button', { name: 'Sign in' }));
              await theirs.getByRole('link', { name: 'Power sliding door' }).waitFor(SOON);
            });
          });
        }
      }, 400_000);

      it('J1 safety manager: new versions, a run, what changed, ten gaps, two acceptances, a report', async () => {
        const { page, hand } = await signedIn('sam');
        const changed = (await changedFiles()).slice(0, 1);
        const dialog = page.getByRole('dialog');
        await play('J1 safety manager', hand, async (step) => {
          await step('opens the address: what waits', async () => {
            await page.goto(service.baseUrl);
            await page.getByRole('heading', { name: 'Waiting for you' }).waitFor(SOON);
          });
          await step('opens the workspace', async () => {
            await hand.use(page.getByRole('link', { name: 'Power sliding door' }));
            await page.locator('.overview-severities').waitFor(SOON);
          });
          await step('adds changed files', async () => {
            await hand.go(page.getByRole('link', { name: 'Documents', exact: true }), 'g d');
            await hand.files(page.getByRole('button', { name: 'Upload files' }), changed);
            await hand.use(page.getByRole('button', { name: 'Send all' }));
            await page.getByText(`${changed.length} of ${changed.length} sent`).waitFor(SOON);
            await expect
              .poll(() => page.locator('.document-state:not([data-status="completed"])').count(), SOON)
              .toBe(0);
          });
          await step(
            'analyses again',
            async () => {
              await hand.go(page.getByRole('link', { name: 'Runs', exact: true }), 'g r');
              await hand.use(page.getByRole('button', { name: 'Analyse …' }));
              await hand.use(dialog.getByRole('button', { name: 'Start' }));
              await expect.poll(() => page.locator('main table tbody tr').count(), SOON).toBe(4);
              await expect
                .poll(() => page.locator('.run-progress').count(), { timeout: RUN_MILLISECONDS })
                .toBe(0);
            },
            LONG_STEP_MILLISECONDS,
          );
          await step('sees what changed', async () => {
            await hand.use(
              page
                .locator('main table tbody')
                .getByRole('link', { name: /26262-3/ })
                .first(),
            );
            await hand.use(page.getByRole('link', { name: 'Compare with the run before' }));
            await hand.use(page.getByRole('link', { name: /No longer found/ }));
            await page.locator('.tabs [aria-current="page"]', { hasText: 'No longer found' }).waitFor(SOON);
          });
          await step('walks ten gaps: status, owner, date, undo', async () => {
            await hand.go(page.getByRole('link', { name: 'Gaps', exact: true }), 'g g');
            await page.locator('.gap-row').first().waitFor(SOON);
            for (let at = 0; at < 10; at++) {
              if (kind === 'mouse') await hand.use(page.locator('.gap-row').nth(at));
              else await hand.keys(at === 0 ? 'j Space' : 'j');
              const peek = page.locator('.peek');
              await peek.locator('h2').first().waitFor(SOON);
              if (at % 5 === 1) {
                if (kind === 'mouse') await hand.choose(peek.getByLabel('Status'), 'In progress');
                else await hand.keys('2');
                await page.getByText('1 gap changed').last().waitFor(SOON);
              }
              if (at === 3) {
                if (kind === 'mouse') await hand.choose(peek.getByLabel('Owner'), 'Sam Safety');
                else await hand.keys('m');
                await expect.poll(() => peek.getByLabel('Owner').inputValue(), SOON).not.toBe('');
              }
              if (at === 4) {
                if (kind === 'mouse') await hand.date(peek.getByLabel('Due'), '2026-12-24');
                else {
                  await hand.keys('d');
                  await hand.date(dialog.getByLabel('Due'), '2026-12-24');
                  await hand.use(dialog.getByRole('button', { name: 'Save' }), 'Enter');
                }
                await expect.poll(() => peek.getByLabel('Due').inputValue(), SOON).toBe('2026-12-24');
                await hand.use(page.getByRole('button', { name: /^Undo/ }).last(), 'z');
                await expect.poll(() => peek.getByLabel('Due').inputValue(), SOON).toBe('');
              }
            }
          });
          await step('accepts a critical gap', async () => {
            if (kind === 'mouse') {
              await hand.use(page.locator('.gap-row').first());
              await hand.use(page.locator('.peek').getByRole('button', { name: 'Accept …' }));
            } else await hand.keys('k k k k k k k k k 4');
            await hand.write(dialog.getByLabel('Reason'), 'The supplier shows it in the next sample.');
            await hand.date(dialog.getByLabel(/Accepted until/), '2027-01-31');
            await hand.use(dialog.getByRole('button', { name: 'Save' }));
            await dialog.waitFor({ state: 'detached', ...SOON });
          });
          await step('makes a report', async () => {
            await hand.go(page.getByRole('link', { name: 'Reports', exact: true }), 'g p');
            await hand.use(page.getByRole('button', { name: 'Make a report' }));
            await hand.choose(dialog.getByRole('combobox', { name: 'Language' }), 'German');
            await hand.use(dialog.getByRole('button', { name: 'Make it' }));
            const link = page.getByRole('link', { name: 'Download' }).first();
            await link.waitFor({ timeout: RUN_MILLISECONDS });
            const download = page.waitForEvent('download', SOON);
            await hand.use(link);
            expect((await readFile((await (await download).path())!)).subarray(0, 4).toString()).toBe('%PDF');
          });
        });
        const { page: other, hand: second } = await signedIn('max');
        await play('J1 second manager', second, async (step) => {
          await step('finds what waits and approves it', async () => {
            await other.goto(service.baseUrl);
            await second.use(other.locator('.waiting').getByRole('link').first());
            await second.use(other.getByRole('button', { name: 'Approve' }).first());
            await other.getByText(/^Accepted by/).waitFor(SOON);
          });
        });
      }, 600_000);

      it('J2 ASPICE assessor: practice by practice, quotes in their documents, an own verdict, the table', async () => {
        const { page, hand } = await signedIn('max');
        const dialog = page.getByRole('dialog');
        const panel = page.locator('aside.panel');
        const isShown = async (): Promise<void> => {
          await panel.locator('h2').first().waitFor(SOON);
          await expect.poll(() => panel.locator('.skeleton').count(), SOON).toBe(0);
        };
        await play('J2 ASPICE assessor', hand, async (step) => {
          await step('adopts ASPICE', async () => {
            await page.goto(service.baseUrl);
            await hand.use(page.getByRole('link', { name: 'Power sliding door' }));
            await page.locator('.overview-severities').waitFor(SOON);
            await hand.go(page.getByRole('link', { name: 'Standards', exact: true }), 'g s');
            await hand.use(page.getByRole('link', { name: 'Add a standard' }));
            await hand.write(page.getByLabel('Search the library'), 'SPICE PAM 4.0');
            const entry = page.getByRole('listitem').filter({ hasText: 'Automotive SPICE PAM 4.0' });
            await hand.use(entry.getByRole('button', { name: 'Adopt' }));
            await entry.getByText('Adopted').waitFor(SOON);
          });
          await step(
            'analyses against it',
            async () => {
              await hand.go(page.getByRole('link', { name: 'Standards', exact: true }), 'g s');
              await hand.use(page.getByRole('link', { name: /SPICE/ }));
              await hand.use(page.getByRole('button', { name: 'Analyse' }));
              await hand.use(dialog.getByRole('button', { name: 'Start' }));
              await page.getByRole('link', { name: 'Heat map' }).waitFor({ timeout: RUN_MILLISECONDS });
            },
            LONG_STEP_MILLISECONDS,
          );
          await step('opens a practice that a document speaks about', async () => {
            await hand.use(page.getByRole('link', { name: 'Heat map' }));
            const row = page
              .locator('.heat tbody tr')
              .filter({ has: page.locator('[data-cell="s"]') })
              .first();
            await hand.use(row.getByRole('button'));
            await isShown();
          });
          await step('takes a quote along, and reads around it in its document', async () => {
            const quote = panel.locator('.quote').first();
            const words = await quote.locator('blockquote').innerText();
            await hand.use(quote.getByRole('button', { name: 'Copy the quote with its source' }));
            await expect
              .poll(() => page.evaluate<string>('navigator.clipboard.readText()'), SOON)
              .toContain(`“${words}”`);
            await hand.use(quote.getByRole('link'));
            await page.waitForURL(/\/documents\//, SOON);
            await page.locator('mark[data-chosen], .box[data-chosen]').first().waitFor(SOON);
            await page.goBack();
            await isShown();
          });
          await step('says what they think, with a reason', async () => {
            const form = panel.locator('details.answer');
            if ((await form.getAttribute('open')) === null) await hand.use(form.locator('summary'));
            await hand.use(panel.getByLabel('Partial'));
            await hand.choose(panel.getByLabel('Rating (N P L F)'), 'P');
            await hand.write(
              panel.getByLabel('Reason'),
              'The plan names it; the record of it was not shown.',
            );
            await hand.use(panel.getByRole('button', { name: 'Save the verdict' }));
            await page.getByText('The verdict was saved.').waitFor(SOON);
          });
          await step('walks fifteen practices', async () => {
            for (let at = 0; at < 15; at++) {
              const before = await panel.getAttribute('aria-label');
              await hand.use(panel.getByRole('button', { name: 'Next criterion' }), 'j');
              await expect.poll(() => panel.getAttribute('aria-label'), SOON).not.toBe(before);
              await isShown();
            }
          });
          await step('takes the table along', async () => {
            await hand.go(page.getByRole('link', { name: 'Reports', exact: true }), 'g p');
            await hand.use(page.getByRole('button', { name: 'Make a report' }));
            await hand.choose(dialog.getByRole('combobox', { name: 'Contents' }), 'Gap analysis');
            await hand.use(dialog.getByRole('checkbox', { name: 'PDF' }));
            await hand.use(dialog.getByRole('checkbox', { name: 'Excel' }));
            await hand.use(dialog.getByRole('button', { name: 'Make it' }));
            const made = page.locator('main li, main tr').filter({ hasText: 'Excel' }).first();
            const link = made.getByRole('link', { name: 'Download' });
            await link.waitFor({ timeout: RUN_MILLISECONDS });
            const download = page.waitForEvent('download', SOON);
            await hand.use(link);
            expect((await readFile((await (await download).path())!)).subarray(0, 2).toString()).toBe('PK');
          });
        });
      }, 600_000);

      it('J3 cybersecurity engineer: goals without requirements, proposals, suspect links, a gap of theirs', async () => {
        const { page, hand } = await signedIn('eva');
        const dialog = page.getByRole('dialog');
        const [first, next] = await cybersecurityFiles();
        const read = async (files: readonly string[]): Promise<void> => {
          await hand.go(page.getByRole('link', { name: 'Documents', exact: true }), 'g d');
          await hand.files(page.getByRole('button', { name: 'Upload files' }), files);
          await hand.use(page.getByRole('button', { name: 'Send all' }));
          // Of those before as well, while the page was not loaded anew.
          await page.getByText(/^(\d+) of \1 sent/).waitFor(SOON);
          await expect
            .poll(() => page.locator('.document-state:not([data-status="completed"])').count(), SOON)
            .toBe(0);
        };
        await play('J3 cybersecurity engineer', hand, async (step) => {
          await step('adds the cybersecurity concept', async () => {
            await page.goto(service.baseUrl);
            await hand.use(page.getByRole('link', { name: 'Power sliding door' }));
            await page.locator('.overview-severities').waitFor(SOON);
            await read([first]);
          });
          await step('sees which way is red', async () => {
            await hand.go(page.getByRole('link', { name: 'Trace', exact: true }), 'g t');
            const domain = page.getByRole('combobox', { name: 'Domain' });
            // It is taken out of the documents by itself.
            await domain.waitFor({ timeout: RUN_MILLISECONDS });
            await hand.choose(domain, 'Cybersecurity');
            await page.locator('.v-box', { hasText: 'Cybersecurity goal' }).waitFor(SOON);
          });
          await step('opens what lacks something', async () => {
            const way = page.locator('.v-way').filter({ hasText: 'Cybersecurity goal' }).first();
            await hand.use(way);
            await page.waitForURL(/\/trace\/columns\?type=cybersecurity_goal/, SOON);
            await page.locator('.column-card[data-lacks]', { hasText: 'CSG-03' }).waitFor(SOON);
          });
          await step('reads the goal and where it stands', async () => {
            await hand.go(page.getByRole('link', { name: 'Artifacts', exact: true }), 'Escape');
            if (kind === 'keyboard')
              await hand.use(page.getByRole('link', { name: 'Artifacts', exact: true }));
            await hand.write(page.getByRole('searchbox'), 'CSG-03');
            await hand.use(page.getByRole('link', { name: 'CSG-03' }).first());
            await page.getByRole('heading', { level: 1, name: 'CSG-03' }).waitFor(SOON);
            await hand.use(page.locator('.quote').first().getByRole('link'));
            await page.locator('mark[data-chosen]').first().waitFor(SOON);
            await page.goBack();
            await page.getByRole('heading', { level: 1, name: 'CSG-03' }).waitFor(SOON);
          });
          await step('accepts a link that is proposed, leaves another', async () => {
            await hand.use(
              page
                .getByRole('link', { name: 'Proposals' })
                .or(page.getByRole('link', { name: 'Proposed links' }))
                .first(),
            );
            const card = page
              .locator('.card')
              .filter({ hasText: 'CSR-03' })
              .filter({ hasText: 'CSG-03' })
              .first();
            await hand.use(
              card
                .locator('.proposal')
                .filter({ hasText: /CSG-03|CSR-03/ })
                .getByRole('button', { name: 'Accept' })
                .first(),
            );
            await page.getByText('The link was made.').waitFor(SOON);
            const others = page.getByRole('button', { name: 'Not this one' });
            if ((await others.count()) > 0) await hand.use(others.first());
          });
          await step('sends the next version', async () => {
            await read([next]);
          });
          await step('looks at the suspect link: then and now', async () => {
            await hand.go(page.getByRole('link', { name: 'Trace', exact: true }), 'g t');
            await hand.use(page.getByRole('link', { name: 'Links to check' }));
            const card = page.locator('.review');
            await card.locator('ins').first().waitFor({ timeout: RUN_MILLISECONDS });
            await hand.use(card.getByRole('button', { name: 'Still right' }), 'y');
            await page.getByText('The link was confirmed.').waitFor(SOON);
          });
          await step(
            'has the trace examined, and takes a gap of it',
            async () => {
              await hand.go(page.getByRole('link', { name: 'Runs', exact: true }), 'g r');
              await hand.use(page.getByRole('button', { name: 'Analyse …' }));
              await hand.use(dialog.getByRole('button', { name: 'Start' }));
              await dialog.waitFor({ state: 'detached', ...SOON });
              await expect
                .poll(() => page.locator('.run-progress').count(), { timeout: RUN_MILLISECONDS })
                .toBe(0);
              await hand.go(page.getByRole('link', { name: 'Gaps', exact: true }), 'g g');
              await hand.write(page.getByRole('searchbox').first(), 'CSR-02');
              const row = page.locator('.gap-row').filter({ hasText: 'without verification' }).first();
              await row.waitFor(SOON);
              if (kind === 'mouse') {
                await hand.use(row);
                await hand.choose(page.locator('.peek').getByLabel('Owner'), 'Eva Engineer');
              } else {
                await hand.keys('Enter j m');
              }
              await page.getByText('1 gap changed').last().waitFor(SOON);
            },
            LONG_STEP_MILLISECONDS,
          );
        });
      }, 600_000);

      it('J4 requirements engineer: what to fix in a document, its next version, what is left', async () => {
        const { page, hand } = await signedIn('eva');
        const [, next] = await changedFiles();
        await play('J4 requirements engineer', hand, async (step) => {
          await step('opens the document', async () => {
            await page.goto(service.baseUrl);
            await hand.use(page.getByRole('link', { name: 'Power sliding door' }));
            await hand.go(page.getByRole('link', { name: 'Documents', exact: true }), 'g d');
            await hand.use(page.getByRole('link', { name: '05_Test_Specification' }));
            await page.locator('.viewer-text mark').first().waitFor(SOON);
          });
          await step('walks the findings at their places', async () => {
            const cards = page.locator('.margin-card');
            const count = Math.min(await cards.count(), 4);
            for (let at = 0; at < count; at++) {
              await hand.use(page.getByRole('button', { name: 'Next mark' }), 'n');
              await page.locator('.margin-card[aria-current]').waitFor(SOON);
              await page.locator('mark[data-chosen]').first().waitFor(SOON);
            }
          });
          await step('copies what to do', async () => {
            await hand.use(page.getByRole('link', { name: 'Open the gap' }).first(), 'Enter');
            await page.getByText('What to do').first().waitFor(SOON);
            await hand.use(page.getByRole('button', { name: 'Copy link' }), 'y');
            await expect
              .poll(() => page.evaluate<string>('navigator.clipboard.readText()'), SOON)
              .toMatch(/gaps/);
            await page.goBack();
            await page.locator('.viewer-text mark').first().waitFor(SOON);
          });
          await step('sends the next version and sees what is another one', async () => {
            await hand.files(page.getByRole('button', { name: 'Send the next version' }), [next!]);
            await page.waitForURL(/compare/, SOON);
            await page.locator('[data-op="insert"], [data-op="change"]').first().waitFor(SOON);
          });
          await step('says when the last is done', async () => {
            await hand.use(page.getByRole('link', { name: 'To the document' }));
            await page.locator('.margin-card').first().waitFor(SOON);
            await hand.use(page.getByRole('button', { name: 'Next mark' }), 'n');
            await hand.use(page.getByRole('link', { name: 'Open the gap' }).first(), 'Enter');
            await page.getByRole('heading', { name: 'Comments' }).waitFor(SOON);
            if (kind === 'keyboard') await hand.keys('c');
            await hand.write(page.getByLabel('Comment', { exact: true }), 'Comes with change request 77.');
            await hand.use(page.getByRole('button', { name: 'Add the comment' }));
            await page.locator('.comments').getByText('Comes with change request 77.').waitFor(SOON);
            await hand.date(page.getByLabel('Due'), '2026-12-18');
            await page.getByText('1 gap changed').last().waitFor(SOON);
          });
        });
      }, 400_000);

      it('J5 project lead: red or green, on a telephone', async () => {
        const { page, hand } = await person('vic');
        await page.setViewportSize({ width: 390, height: 844 });
        await play('J5 project lead', hand, async (step) => {
          await step('opens the overview', async () => {
            await page.goto(service.baseUrl);
            await hand.use(page.getByRole('link', { name: 'Power sliding door' }));
            await page.locator('.overview-severities').waitFor(SOON);
          });
          await step('reads the critical gaps', async () => {
            await hand.use(page.locator('.overview-severities').getByRole('link').first());
            const row = page.locator('.gap-row').first();
            await row.waitFor(SOON);
            if (kind === 'mouse') await hand.use(row);
            else await hand.keys('j Space');
            await page.locator('.peek h2').first().waitFor(SOON);
            expect(
              await page
                .locator('.peek')
                .getByRole('button', { name: /Accept|False positive/ })
                .count(),
            ).toBe(0);
          });
          await step('takes the last report', async () => {
            if (kind === 'mouse') await hand.use(page.getByRole('button', { name: 'Open the navigation' }));
            await hand.go(page.getByRole('link', { name: 'Reports', exact: true }), 'g p');
            const download = page.waitForEvent('download', SOON);
            await hand.use(page.getByRole('link', { name: 'Download' }).first());
            await download;
          });
        });
      }, 300_000);

      it('J7 two at once: what one does the other sees, mine and theirs, and a service that went away', async () => {
        const { page, hand } = await signedIn('sam');
        const { page: other, hand: second } = await signedIn('max');
        const { page: again, hand: third } = await signedIn('sam', 'sam elsewhere');
        let gap = '';
        await play('J7 two at once', hand, async (step) => {
          await step('both open one gap', async () => {
            await page.goto(service.baseUrl);
            await hand.use(page.getByRole('link', { name: 'Power sliding door' }));
            await page.locator('.overview-severities').waitFor(SOON);
            await hand.go(page.getByRole('link', { name: 'Gaps', exact: true }), 'g g');
            const row = page.locator('.gap-row').nth(2);
            await row.waitFor(SOON);
            if (kind === 'mouse') {
              await hand.use(row);
              await hand.use(page.locator('.peek').getByRole('link', { name: 'Everything about it' }));
            } else await hand.keys('j j j Enter');
            await page.waitForURL(/\/gaps\/[0-9a-f-]{36}$/, SOON);
            gap = page.url();
            await other.goto(gap);
            for (const one of [page, other]) await one.getByLabel('Status', { exact: true }).waitFor(SOON);
          });
          await step('what one changes the other sees', async () => {
            if (kind === 'mouse')
              await hand.choose(page.getByLabel('Status', { exact: true }), 'In progress');
            else await hand.keys('2');
            const changed = performance.now();
            await expect
              .poll(() => other.getByLabel('Status', { exact: true }).inputValue(), { ...SOON, interval: 20 })
              .toBe('in_progress');
            seenAfter.push(performance.now() - changed);
          });
          await step('two change the same settings: mine and theirs', async () => {
            const settings = `${/^.*\/w\/[^/]+/.exec(gap)![0]}/settings`;
            for (const one of [page, again]) {
              await one.goto(settings);
              await one.getByLabel('Description').waitFor(SOON);
            }
            await third.write(again.getByLabel('Description'), 'The door of the rear left side');
            await third.use(again.getByRole('button', { name: 'Save' }));
            await again.getByText('Saved.').waitFor(SOON);
            await hand.write(page.getByLabel('Description'), 'The sliding door, both sides');
            await hand.use(page.getByRole('button', { name: 'Save' }));
            await page.getByRole('alert').getByText('The door of the rear left side').waitFor(SOON);
            await hand.use(page.getByRole('button', { name: 'Keep mine' }));
            await page.getByText('Saved.').waitFor(SOON);
          });
          await step(
            'the service goes away for a while: nothing is lost, nothing is there twice',
            async () => {
              await page.goto(gap);
              await page.getByRole('heading', { name: 'Comments' }).waitFor(SOON);
              const said = `Said ${kind === 'mouse' ? 'with a mouse' : 'with keys'} while nobody listened.`;
              await second.write(other.getByLabel('Comment', { exact: true }), said);
              await service.end('SIGTERM');
              for (const one of [page, other]) await one.getByText('Not connected since').waitFor(SOON);
              await second.use(other.getByRole('button', { name: 'Add the comment' }));
              await other.getByText('The service does not answer', { exact: false }).first().waitFor(SOON);
              expect(await other.getByLabel('Comment', { exact: true }).inputValue()).toBe(said);
              const { port } = new URL(service.baseUrl);
              await new Promise((resolve) => setTimeout(resolve, AWAY_MILLISECONDS));
              service = await startService({
                dataDirectory: join(folder, 'data'),
                byNpm: true,
                port: Number(port),
              });
              await service.untilReady();
              for (const one of [page, other])
                await one.getByText('Not connected since').waitFor({ state: 'detached', ...SOON });
              await second.use(other.getByRole('button', { name: 'Add the comment' }));
              for (const one of [page, other])
                await one.locator('.comments li').filter({ hasText: said }).first().waitFor(SOON);
              for (const one of [page, other])
                expect(await one.locator('.comments li').filter({ hasText: said }).count()).toBe(1);
              if (kind === 'mouse') await hand.choose(page.getByLabel('Status', { exact: true }), 'Open');
              else await hand.keys('1');
              await expect
                .poll(() => other.getByLabel('Status', { exact: true }).inputValue(), SOON)
                .toBe('open');
            },
            LONG_STEP_MILLISECONDS,
          );
        });
      }, 400_000);

      it('nothing was broken on the way', () => {
        for (const { name, opened } of people.values()) expect([name, opened.faults]).toEqual([name, []]);
      });
    });
  },
);

const NAMES: Readonly<Record<string, string>> = {
  max: 'Max Manager',
  eva: 'Eva Engineer',
  vic: 'Vic Viewer',
};

/** The sample test specification with the test that was missing, twice; under its name, with something else in it each time. */
async function changedFiles(): Promise<readonly string[]> {
  const name = '05_Test_Specification.md';
  const text = await readFile(join(DEMO, name), 'utf8');
  const row = '| TC-05 | FSR-05 | Door closed | Open the supply line | The door stays latched |\n';
  const files: string[] = [];
  for (const [at, added] of [
    row,
    `${row}| TC-06 | FSR-06 | Door open | Close it on a test body | The motor stops |\n`,
  ].entries()) {
    await mkdir(join(folder, String(at)), { recursive: true });
    const file = join(folder, String(at), name);
    await writeFile(file, text.replace('\n\n## 4 Pass criteria', `\n${added}\n## 4 Pass criteria`));
    files.push(file);
  }
  return files;
}

/** A cybersecurity concept with a goal that has no requirement and a requirement that has no test, twice: one sentence differs. */
async function cybersecurityFiles(): Promise<readonly [first: string, next: string]> {
  const text = (answer: string): string => `# Cybersecurity concept of the power sliding door

## Cybersecurity goals

| ID | Cybersecurity goal | CAL |
|---|---|---|
| CSG-01 | The door control shall follow release commands of authentic senders only. | 4 |
| CSG-02 | The software of the door control shall be changed by the manufacturer only. | 3 |
| CSG-03 | Diagnostic sessions of the door control shall be opened for authorized testers only. | 3 |

## Cybersecurity requirements

| ID | Cybersecurity requirement | CAL | Derived from | Verified by |
|---|---|---|---|---|
| CSR-01 | The door control shall check the message authentication code of each release command. | 4 | CSG-01 | TC-201 |
| CSR-02 | The door control shall check the signature of its software before each start. | 3 | CSG-02 | |
| CSR-03 | Diagnostic sessions of the door control shall be opened for authorized testers only${answer}. | 3 | | |

## Test cases

| ID | Verifies | Steps | Expected result |
|---|---|---|---|
| TC-201 | CSR-01 | Send a release command with a wrong code | The latch stays closed |
`;
  const files: string[] = [];
  for (const [at, answer] of ['', ', after a challenge was answered within two seconds'].entries()) {
    await mkdir(join(folder, `security-${at}`), { recursive: true });
    const file = join(folder, `security-${at}`, '06_Cybersecurity_Concept.md');
    await writeFile(file, text(answer));
    files.push(file);
  }
  return [files[0]!, files[1]!];
}

interface Person {
  readonly name: string;
  readonly opened: OpenPage;
  readonly page: Page;
  readonly hand: Hand;
}

type Step = (name: string, act: () => Promise<void>, most?: number) => Promise<void>;

/** Plays a journey and remembers how long it took; a step that takes longer than anybody waits is a fault. */
async function play(journey: string, hand: Hand, act: (step: Step) => Promise<void>): Promise<void> {
  const steps: (readonly [name: string, milliseconds: number])[] = [];
  const slow: (readonly [name: string, milliseconds: number])[] = [];
  const before = hand.actions;
  const start = performance.now();
  await act(async (name, run, most = STEP_MILLISECONDS) => {
    const begun = performance.now();
    try {
      await run();
    } catch (error) {
      await mkdir('/tmp/journeys', { recursive: true });
      await hand.page.screenshot({
        path: `/tmp/journeys/${hand.kind} ${journey} ${name}.png`.replace(/[:,…]/g, ''),
      });
      throw new Error(`${journey}, by ${hand.kind}: ${name}`, { cause: error });
    }
    const taken = performance.now() - begun;
    steps.push([name, taken]);
    // Times of a machine that has other things to do are told, not judged.
    if (taken > most && loadavg()[0]! <= availableParallelism()) slow.push([name, Math.round(taken)]);
  });
  const milliseconds = performance.now() - start;
  const longest = steps.toSorted(([, a], [, b]) => b - a)[0]!;
  played.push({
    journey,
    hand: hand.kind,
    steps: steps.length,
    actions: hand.actions - before,
    milliseconds,
    longest,
  });
  expect([journey, slow]).toEqual([journey, []]);
}

/** As a table of docs/benchmarks.md. */
function tell(rows: readonly Played[]): void {
  const line = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;
  const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;
  console.log(
    [
      `Load of the machine at the end: ${loadavg()[0]!.toFixed(0)}, with ${availableParallelism()} processors`,
      '',
      line(['Journey', 'by', 'steps', 'actions', 'took', 'longest step']),
      line(Array.from({ length: 6 }, () => '---')),
      ...rows.map(({ journey, hand, steps, actions, milliseconds, longest: [name, most] }) =>
        line([journey, hand, steps, actions, seconds(milliseconds), `${name}, ${seconds(most)}`]),
      ),
    ].join('\n'),
  );
}
