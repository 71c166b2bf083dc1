import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FilledApp, startFilledApp } from '../filled-app.js';
import type { Filled } from '../filled-workspace.js';
import { guestOf } from '../isolation/place.js';
import type { Client, TestApp } from '../test-app.js';
import type { TestDatabase } from '../test-database.js';
import { until, uploadWorkProduct } from '../upload.js';
import { addressesOfScreens } from './addresses.js';
import { findChromium, openBrowser } from './open-browser.js';
import { signInBrowser } from './sign-in-browser.js';

// Whatever people and documents may name gets a name that was made to hurt; every screen is opened over it.

/** A page on a busy machine takes its time. */
const SOON = { timeout: 30_000 };
const RUN = 'globalThis.wasRun=1';
/** Where CI is set, half of the screens: each takes a second of every processor. */
const HALF = Boolean(process.env.CI) && !process.env.BROWSER_MATRIX;
if (HALF) console.log('One screen in two is opened; all of them without CI or with BROWSER_MATRIX.');
/** Markup, ends of attributes and scripts, placeholders, formulas, line ends. */
const MARKUP = [
  `"'><img src=x onerror="${RUN}">`,
  `</script><script>${RUN}</script>`,
  `<svg onload=${RUN}><iframe src="javascript:${RUN}"></iframe>`,
  `{name} {{1+1}} \${${RUN}} %s =1+1 +2 @SUM(1)`,
  `</title></textarea><style>*{display:none}</style><base href="https://elsewhere.invalid/">`,
];
/** Directions that are turned and never turned back, letters without width, letters of many parts. */
const LETTERS = '\u202Etxt.exe\u2066 \u200B\u200D\uFEFF مرحبا שלום 👩‍👩‍👧‍👦 Z̷͔̈́a̵͉̓l̶̹̑g̸̞̈́o̸͓͛ ﷽ \u0000'.replace(
  '\u0000',
  '',
);
/** Nowhere to break a line. */
const UNBROKEN = 'W'.repeat(90);
const NAMES = [...MARKUP, LETTERS, UNBROKEN];
/** All of them at once, as long as a name may be. */
const ALL = `${MARKUP[0]} ${MARKUP[1]} ${LETTERS} ${UNBROKEN}`.slice(0, 195);

let database: TestDatabase;
let started: FilledApp | undefined;
let app: TestApp;
let owner: Client;
let filled: Filled;
let names: Readonly<Record<string, string>>;
let browser: Awaited<ReturnType<typeof openBrowser>>;

describe.skipIf(findChromium() === undefined)('hostile names on every screen', () => {
  beforeAll(async () => {
    started = await startFilledApp({
      environment: { RATE_LIMIT_BROWSER_PER_MINUTE: '60000', RATE_LIMIT_BROWSER_BURST: '10000' },
    });
    const { manager } = started;
    ({ database, app, owner, filled } = started);
    const { workspace } = filled;
    const send = async <Body>(method: string, path: string, body?: unknown): Promise<Body> => {
      const answer = await owner.request(method, `/api/v1${path}`, body === undefined ? {} : { body });
      if (answer.status >= 300) throw new Error(`${path} was answered ${answer.status}: ${answer.text}`);
      return answer.body as Body;
    };
    const first = async (path: string, filter = ''): Promise<string> =>
      (
        await send<{ items: readonly { id: string }[] }>(
          'GET',
          `${path}?workspace_id=${workspace}&limit=1${filter}`,
        )
      ).items[0]?.id ?? '';

    // Headings, ids, cells and quotes of a document that is read.
    const rows = NAMES.map((name, at) => `| FSR-9${at} | ${name.replaceAll('|', '/')} | D | SG-01 | TC-77 |`);
    const text = [
      `# Functional safety concept ${ALL}`,
      ...NAMES.map((name, at) => `## ${at} ${name}\n\nThe safe state of ${name} is TBD.`),
      `| ID | Requirement | ASIL | Derived from | Verified by |\n|---|---|---|---|---|\n${rows.join('\n')}`,
    ].join('\n\n');
    const { body } = await uploadWorkProduct(owner, workspace, {
      name: `fsc <img src=x onerror=${RUN}> \u202E.md`,
      type: 'text/markdown',
      bytes: text,
    });
    const document = (body as { id: string }).id;
    await until(
      owner,
      `/api/v1/work-products/${document}`,
      (one: { processing_status: string }) => one.processing_status === 'completed',
    );
    await until(
      owner,
      `/api/v1/traceability/extraction?workspace_id=${workspace}`,
      (one: { under_way: boolean; documents: readonly unknown[] }) =>
        !one.under_way && one.documents.length === 3,
    );
    // Ids of artifacts, and a link of which an end changed since it was confirmed.
    const ids = [ALL.slice(0, 100), MARKUP[0]!, LETTERS];
    const made: string[] = [];
    for (const artifact_id of ids) {
      const { id } = await send<{ id: string }>('POST', '/traceability/artifacts', {
        ...{ workspace_id: workspace, artifact_id, type: 'functional_safety_requirement', text: ALL },
      });
      made.push(id);
      const link = await send<{ id: string }>('POST', '/traceability/links', {
        ...{ workspace_id: workspace, source_id: artifact_id, target_id: 'SG-01', link_type: 'derives_from' },
      });
      await send('POST', `/traceability/links/${link.id}/confirm`, {});
    }
    await send('PATCH', `/traceability/artifacts/${made[0]}`, { text: `${ALL} is another one` });
    const list = await send<{ id: string }>('POST', '/compliance/checklists', {
      workspace_id: workspace,
      yaml: JSON.stringify({
        checklist: { title: ALL },
        items: NAMES.map((name, at) => ({ id: `H${at}`, text: name })),
      }),
    });
    const template = await send<{ id: string }>('POST', '/compliance/templates', {
      workspace_id: workspace,
      yaml: JSON.stringify({
        id: 'hostile',
        name: { en: ALL, de: ALL },
        aliases: ['Hostile'],
        sections: NAMES.map((name, at) => ({
          key: `s${at}`,
          heading: { en: `${at} ${name}`, de: `${at} ${name}` },
          need: 'required',
          severity: 'low',
        })),
      }),
    });
    for (const path of ['/compliance/completeness', '/traceability/analyze']) {
      const run = await send<{ id: string }>('POST', path, { workspace_id: workspace });
      await until(
        owner,
        `/api/v1/analysis/analyses/${run.id}`,
        ({ status }: { status: string }) => status === 'completed',
        60_000,
      );
    }
    const checked = await send<{ id: string }>('POST', '/compliance/checklist', {
      ...{ workspace_id: workspace, checklist_id: list.id },
    });
    await until(
      owner,
      `/api/v1/analysis/analyses/${checked.id}`,
      ({ status }: { status: string }) => status === 'completed',
      60_000,
    );
    const gap = await first('/analysis/gaps');
    for (const name of NAMES) await send('POST', `/analysis/gaps/${gap}/comments`, { text: name });
    await send('POST', '/comments', {
      ...{ workspace_id: workspace, about: 'document', work_product_id: document, version: 1, text: ALL },
    });
    await send('POST', `/workspaces/${workspace}/views`, {
      screen: 'gaps',
      name: ALL.slice(0, 100),
      query: '',
    });
    await send('POST', '/auth/tokens', { name: ALL.slice(0, 100), permissions: ['workspaces.read'] }).catch(
      () => undefined,
    );

    // What would have to be named one by one.
    const rename = (statement: string): Promise<unknown> => database.asOwner(statement, [ALL]);
    await rename('update workspaces set name = $1, description = $1');
    await rename('update profiles set name = $1, organization = $1');
    await rename('update auth.users set name = $1');
    await rename(`update work_products set name = $1, tags = array[left($1, 60), '<b>x</b>']`);
    await rename('update standards set name = $1, description = $1');
    await rename(
      `update standard_criteria set criterion = criterion || jsonb_build_object('title', $1::text, 'text', $1::text)`,
    );
    await rename('update analyses set standard_name = $1');
    await rename(
      `update gaps set title = $1, finding = jsonb_set(finding #- '{said,title}', '{title}', to_jsonb($1::text))`,
    );
    await rename('update artifacts set name = $1');
    await rename('update reports set title = $1');
    await rename('update webhooks set description = $1');
    await rename('update checklist_answers set reason = $1');
    const elsewhere = await manager.request('POST', '/api/v1/workspaces', { body: { name: ALL } });
    const { id: workspaceId } = elsewhere.body as { id: string };
    names = {
      guest: await guestOf(database, { workspaceId, owner: manager }, { userId: owner.userId }),
      ws: workspace,
      document,
      standard: filled.standard,
      checklist: list.id,
      template: template.id,
      run: filled.analyses[0] ?? '',
      gap,
      artifact: made[0] ?? '',
    };
    browser = await openBrowser(app.address);
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await started?.stop();
  });

  it('are text, and fit into 1440 and 360 px', async () => {
    const { page, faults } = await browser.newPage({ viewport: { width: 1440, height: 800 } });
    page.on('dialog', (dialog) => void dialog.dismiss());
    const dialogs: string[] = [];
    page.on('dialog', (dialog) => dialogs.push(dialog.message()));
    await signInBrowser(page, app, owner);
    const problems: string[] = [];
    const look = async (where: string): Promise<void> => {
      // The wide window last: it is the one in which the next screen is opened.
      for (const width of [360, 1440]) {
        await page.setViewportSize({ width, height: 800 });
        for (const problem of await page.evaluate<string[]>(PROBLEMS)) {
          problems.push(`${where}, ${width} px: ${problem}`);
        }
      }
      if (dialogs.length > 0) problems.push(`${where}: a dialog of the browser`);
    };
    const base = `/w/${filled.workspace}`;
    for (const path of [
      ...(await addressesOfScreens(names)),
      `${base}/standards/${filled.standard}?view=map`,
      `${base}/standards/${filled.standard}?view=list`,
      `${base}/standards/${filled.standard}?at=HR-1`,
      `${base}/checklists/${names.checklist}?mode=table`,
      `${base}/checklists/${names.checklist}?mode=one&item=H1`,
      `${base}/documents/${names.document}?show=everything`,
      `${base}/gaps?open=${names.gap}`,
      `${base}/trace/columns?type=safety_goal&at=SG-01&at=${encodeURIComponent(ALL.slice(0, 100))}`,
      `${base}/trace/grid?rows=functional_safety_requirement&columns=safety_goal`,
      `${base}/reports?new=${filled.analyses[0]}`,
    ].filter((_, at) => !HALF || at % 2 === 0)) {
      await page.goto(app.address + path);
      await quiet(page);
      await look(path);
    }
    for (const [path, button] of [
      ['/runs', 'Analyse …'],
      ['/reports', 'Make a report'],
      ['/settings/members', 'Invite somebody'],
      ['/settings/members', 'Invite a guest'],
      [`/standards/${filled.standard}`, 'Analyse'],
      ['/standards/library', 'Upload your own standard'],
    ] as const) {
      await page.goto(app.address + base + path);
      await quiet(page);
      const opens = page.getByRole('button', { name: button, exact: true });
      if ((await opens.count()) === 0) {
        problems.push(`${path}: no button "${button}"`);
        continue;
      }
      await opens.first().click();
      await page.getByRole('dialog').waitFor(SOON);
      await expect.poll(() => page.locator('.skeleton').count(), SOON).toBe(0);
      await look(`${path}: ${button}`);
    }
    await page.goto(app.address + base);
    await quiet(page);
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').fill('onerror');
    await page.waitForTimeout(1500);
    await look('search');
    expect(problems).toEqual([]);
    expect(faults).toEqual([]);
  }, 600_000);

  it('are shown, not left out', async () => {
    const { page, faults } = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await signInBrowser(page, app, owner);
    const base = `/w/${filled.workspace}`;
    for (const path of [
      '',
      '/gaps',
      '/documents',
      '/standards',
      '/checklists',
      '/reports',
      '/settings/members',
      '/settings/checklists',
      '/settings/templates',
      '/trace/artifacts',
    ]) {
      await page.goto(`${app.address}${base}${path}`);
      await quiet(page);
      await expect
        .poll(() => page.evaluate<string>('document.querySelector("main, .page").innerText'), SOON)
        .toContain('<img src=x onerror=');
    }
    expect(faults).toEqual([]);
  }, 300_000);
});

/** In the page: what a name did, and what is wider than the window. */
const PROBLEMS = `(async () => {
  await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  const problems = [];
  if (globalThis.wasRun) problems.push('a name was run');
  const made = document.querySelectorAll('img[src="x"], [onerror], [onload], iframe[src^="javascript"], base, style:not([data-own])');
  for (const one of made) problems.push('a name became an element: ' + one.outerHTML.slice(0, 80));
  const wide = document.documentElement.scrollWidth - innerWidth;
  if (wide > 0) problems.push(wide + ' px wider than the window');
  const crashed = document.querySelector('.page[role="alert"]');
  if (crashed) problems.push('broken: ' + crashed.textContent.slice(0, 80));
  for (const one of document.querySelectorAll('dialog[open]')) {
    if (one.scrollWidth > one.clientWidth + 1) problems.push('a dialog is ' + (one.scrollWidth - one.clientWidth) + ' px wider than itself');
  }
  return problems;
})()`;

/** Until a screen shows what it is about. */
async function quiet(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor(SOON);
  await expect.poll(() => page.locator('.skeleton').count(), SOON).toBe(0);
}
