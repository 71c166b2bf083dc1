import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FilledApp, startFilledApp } from '../filled-app.js';
import type { Filled } from '../filled-workspace.js';
import { guestOf } from '../isolation/place.js';
import type { Client, TestApp } from '../test-app.js';
import type { TestDatabase } from '../test-database.js';
import { addressesOfScreens } from './addresses.js';
import { accessibilityProblems, findChromium, openBrowser } from './open-browser.js';
import { signInBrowser } from './sign-in-browser.js';

/** A page on a busy machine takes its time. */
const SOON = { timeout: 20_000 };
const THEMES = ['light', 'dark', 'contrast'] as const;
const LANGUAGES = ['en', 'de'] as const;
const WIDTHS = [360, 768, 1440] as const;
/**
 * Each theme, language and width once; every one with every other (18 walks, some twenty minutes) where BROWSER_MATRIX is
 * set. With CI each screen has one of the looks.
 */
const ONE_LOOK_EACH = process.env.CI !== undefined && !process.env.BROWSER_MATRIX;
if (ONE_LOOK_EACH)
  console.log(
    'Each screen is seen in one of three looks, reports, administration and gaps of the demo not once more; ' +
      'in all without CI, in 18 with BROWSER_MATRIX.',
  );
const LOOKS = process.env.BROWSER_MATRIX
  ? THEMES.flatMap((theme) =>
      LANGUAGES.flatMap((language) => WIDTHS.map((width) => [theme, language, width] as const)),
    )
  : ([
      ['light', 'en', 1440],
      ['dark', 'de', 360],
      ['contrast', 'de', 768],
    ] as const);

let database: TestDatabase;
let started: FilledApp | undefined;
let app: TestApp;
let owner: Client;
let filled: Filled;
let names: Readonly<Record<string, string>>;
let browser: Awaited<ReturnType<typeof openBrowser>>;

describe.skipIf(findChromium() === undefined)('every screen in Chromium', () => {
  beforeAll(async () => {
    started = await startFilledApp({
      environment: { RATE_LIMIT_BROWSER_PER_MINUTE: '60000', RATE_LIMIT_BROWSER_BURST: '10000' },
    });
    const { manager } = started;
    ({ database, app, owner, filled } = started);
    const first = async (path: string): Promise<string> => {
      const { body } = await owner.request('GET', `/api/v1${path}?workspace_id=${filled.workspace}&limit=1`);
      return (body as { items: readonly { id: string }[] }).items[0]?.id ?? '';
    };
    const elsewhere = await manager.request('POST', '/api/v1/workspaces', {
      body: { name: 'Elsewhere' },
    });
    const { id: workspaceId } = elsewhere.body as { id: string };
    names = {
      guest: await guestOf(database, { workspaceId, owner: manager }, { userId: owner.userId }),
      ws: filled.workspace,
      document: filled.documents.marked,
      standard: filled.standard,
      checklist: 'FS-HARA',
      template: 'hara',
      run: filled.analyses[0] ?? '',
      gap: await first('/analysis/gaps'),
      artifact: await first('/traceability/artifacts'),
    };
    browser = await openBrowser(app.address);
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await started?.stop();
  });

  it.each(LOOKS)(
    'is accessible and fits: %s, %s, %i px',
    async (theme, language, width) => {
      const kept = JSON.stringify({ language, theme, shortcuts: true, railIsNarrow: false });
      const { page, faults } = await browser.newPage({
        viewport: { width, height: 800 },
        storageState: {
          cookies: [],
          origins: [{ origin: app.address, localStorage: [{ name: 'normtrace.look', value: kept }] }],
        },
      });
      await signInBrowser(page, app, owner);
      const problems: string[] = [];
      const standard = `/w/${names.ws}/standards/${names.standard}`;
      const look = LOOKS.findIndex((one) => one.join() === [theme, language, width].join());
      const paths = [
        ...(await addressesOfScreens(names)),
        `${standard}?view=map`,
        `/w/${names.ws}/documents/${names.document}?run=${names.run}`,
        `/w/${names.ws}/settings/templates/new?from=hara`,
        `${standard}?view=map&rows=process`,
        `${standard}?view=list`,
        `${standard}?at=HR-1`,
        `/w/${names.ws}/trace/grid?rows=functional_safety_requirement&columns=safety_goal`,
        `/w/${names.ws}/runs/compare?base=${names.run}&head=${names.run}`,
        `/w/${names.ws}/reports?new=${names.run}`,
      ].filter((_, at) => !ONE_LOOK_EACH || at % LOOKS.length === look);
      for (const path of paths) {
        await page.goto(app.address + path);
        await quiet(page);
        for (const problem of await accessibilityProblems(page)) problems.push(`${path}: ${problem}`);
        const { lang, dataset } = await page.evaluate<{ lang: string; dataset: { theme?: string } }>(
          '({ lang: document.documentElement.lang, dataset: { ...document.documentElement.dataset } })',
        );
        expect([lang, dataset.theme], path).toEqual([language, theme]);
        if (path !== '/link' && (await page.locator('.notice[data-kind="error"]').count()) > 0)
          problems.push(`${path}: shows an error`);
        const overflow = await page.evaluate<number>(WIDER);
        if (overflow > 0) problems.push(`${path}: ${overflow} px wider than the window`);
      }
      expect(problems).toEqual([]);
      expect(faults).toEqual([]);
    },
    600_000,
  );
});

/** In the page: what is wider than the window, or than the part of it that the screen has. */
const WIDER = `Math.max(document.documentElement.scrollWidth - innerWidth,
  ...[...document.querySelectorAll('main')].map((main) => main.scrollWidth - main.clientWidth))`;

/** Until a screen shows what it is about. */
async function quiet(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor(SOON);
  await expect.poll(() => page.locator('.skeleton').count(), SOON).toBe(0);
}
