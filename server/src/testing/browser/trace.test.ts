import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, startTestApp, type TestApp } from '../test-app.js';
import { createTestDatabase, type TestDatabase } from '../test-database.js';
import { fillTrace } from './many-rows.js';
import { accessibilityProblems, findChromium, openBrowser } from './open-browser.js';
import { signInBrowser } from './sign-in-browser.js';

/** A page on a busy machine takes its time. */
const SOON = { timeout: 20_000 };
const ROWS = 2000;
/** Markup, directions and an id that could be anything. */
const HOSTILE = '<img src=x onerror=alert(1)>\u202E-01';

let database: TestDatabase;
let app: TestApp;
let owner: Client;
let workspace: string;
let browser: Awaited<ReturnType<typeof openBrowser>>;

describe.skipIf(findChromium() === undefined)('the trace in Chromium', () => {
  beforeAll(async () => {
    database = await createTestDatabase();
    app = await startTestApp(database, {
      work: true,
      environment: { RATE_LIMIT_BROWSER_PER_MINUTE: '60000', RATE_LIMIT_BROWSER_BURST: '10000' },
    });
    owner = await app.signUp('kim@example.org');
    workspace = (await send<{ id: string }>('/workspaces', { name: 'Trace' })).id;
    await send('/traceability/artifacts', {
      workspace_id: workspace,
      artifact_id: HOSTILE,
      type: 'safety_goal',
      text: `${HOSTILE} </script><script>alert(2)</script>`,
      asil: 'D',
    });
    await fillTrace(database, { workspace, rows: ROWS });
    browser = await openBrowser(app.address);
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
    await database?.stop();
  });

  async function send<Answer>(path: string, body: object): Promise<Answer> {
    const answer = await owner.request('POST', `/api/v1${path}`, { body });
    expect([answer.status, answer.text]).toEqual([Math.min(201, Math.max(200, answer.status)), answer.text]);
    return answer.body as Answer;
  }
  const get = async <Answer>(path: string): Promise<Answer> =>
    (await owner.request('GET', `/api/v1/traceability/${path}`)).body as Answer;
  async function open(path: string, options: Parameters<typeof browser.newPage>[0] = {}) {
    const opened = await browser.newPage({ viewport: { width: 1440, height: 900 }, ...options });
    await signInBrowser(opened.page, app, owner, `/w/${workspace}${path}`);
    await quiet(opened.page);
    return opened;
  }
  async function quiet(page: Page): Promise<void> {
    await page.getByRole('heading', { level: 1 }).first().waitFor(SOON);
    await expect.poll(() => page.locator('.skeleton').count(), SOON).toBe(0);
  }
  const totalOf = (page: Page): Promise<number> =>
    page
      .getByRole('grid')
      .first()
      .getAttribute('aria-rowcount')
      .then((count) => Number(count) - 1);

  it('leads from each way of the V to the list that it counts', async () => {
    const { page, faults } = await open('/trace');
    const { types } = await get<{
      types: { type: string; duties: { duty: string; owed: number; met: number }[] }[];
    }>(`obligations?workspace_id=${workspace}`);
    const duty = types
      .find(({ type }) => type === 'functional_safety_requirement')!
      .duties.find((one) => one.duty === 'verification')!;
    expect(duty.owed).toBeGreaterThan(duty.met);
    await page
      .locator('.v-way', { hasText: 'Functional safety requirement' })
      .filter({ hasText: 'Is verified by a test' })
      .focus();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/trace/columns?type=functional_safety_requirement&missing=verification', SOON);
    await quiet(page);
    expect((await totalOf(page)) + 1).toBe(duty.owed - duty.met);
    await page.goBack();
    await page.locator('.v-box', { hasText: 'Technical safety requirement' }).click();
    await page.waitForURL('**/trace/artifacts?type=technical_safety_requirement', SOON);
    const { levels } = await get<{ levels: { type: string; count: number }[] }>(
      `levels?workspace_id=${workspace}`,
    );
    const counted = levels.find(({ type }) => type === 'technical_safety_requirement')!.count;
    await expect.poll(async () => (await totalOf(page)) + 1, SOON).toBe(counted);
    await page.goBack();
    await page.locator('.v-tables > summary').click();
    await page
      .getByRole('columnheader', { name: 'No level' })
      .or(page.getByRole('columnheader', { name: 'ASIL D' }))
      .first()
      .waitFor(SOON);
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(faults).toEqual([]);
  }, 120_000);

  it('shows the V of the domain that is chosen, with the numbers of its levels and duties', async () => {
    interface Levels {
      readonly levels: readonly { readonly type: string; readonly count: number }[];
    }
    interface Obligations {
      readonly types: readonly {
        readonly type: string;
        readonly duties: readonly { readonly duty: string; readonly owed: number; readonly met: number }[];
      }[];
    }
    const made = await Promise.all(
      ['cybersecurity_goal', 'cybersecurity_requirement'].map((type, at) =>
        send<{ id: string }>('/traceability/artifacts', {
          workspace_id: workspace,
          artifact_id: `CS-${at}`,
          type,
          text: `Messages of the gateway are authentic, ${at}.`,
        }),
      ),
    );
    const { page, faults } = await open('/trace');
    const box = (words: string) => page.locator('.v-box').filter({ hasText: words });
    await box('Safety goal').first().waitFor(SOON);
    expect(await box('Cybersecurity goal').count()).toBe(0);
    await page.getByLabel('Domain', { exact: true }).selectOption('Cybersecurity');
    await page.waitForURL('**domain=cybersecurity**', SOON);
    await box('Cybersecurity goal').waitFor(SOON);
    expect(await box('Safety goal').count()).toBe(0);
    expect(await box('Cybersecurity goal').textContent()).toContain('Cybersecurity goal 1');
    expect(await accessibilityProblems(page)).toEqual([]);
    // On a telephone a list says the same, inside of its frame.
    const size = page.viewportSize()!;
    await page.setViewportSize({ width: 360, height: 800 });
    await page.locator('.v-narrow').getByRole('link', { name: 'Cybersecurity goal 1' }).waitFor(SOON);
    expect(await box('Cybersecurity goal').isVisible()).toBe(false);
    expect(
      await page.locator('.v-narrow').evaluate((one) => {
        const { clientWidth, scrollWidth } = one as unknown as Record<'clientWidth' | 'scrollWidth', number>;
        return scrollWidth - clientWidth;
      }),
    ).toBe(0);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.setViewportSize(size);
    // Engineering processes call the same levels otherwise, and count the same.
    await page.getByLabel('Domain', { exact: true }).selectOption('Engineering processes (ASPICE)');
    await page.waitForURL('**domain=process**', SOON);
    const { levels } = await get<Levels>(`levels?workspace_id=${workspace}`);
    const { types } = await get<Obligations>(`obligations?workspace_id=${workspace}`);
    const countOf = (type: string): string =>
      levels.find((one) => one.type === type)!.count.toLocaleString('en');
    await expect
      .poll(() => page.locator('.v-box .v-count').allTextContents(), SOON)
      .toEqual(
        expect.arrayContaining(
          ['technical_safety_requirement', 'software_requirement', 'design'].map(countOf),
        ),
      );
    // Every way says the numbers of its duty, in words and as its filled part.
    const ways = await page.locator('.v-way').evaluateAll((all) =>
      (
        all as unknown as {
          querySelector(of: string): { textContent: string; getAttribute(name: string): string } | null;
        }[]
      ).map((way) => {
        const size = (of: string) => {
          const rect = way.querySelector(of);
          return rect ? Number(rect.getAttribute('width')) * Number(rect.getAttribute('height')) : 0;
        };
        return {
          words: way.querySelector('title')?.textContent ?? '',
          filled: size('.v-met') / (size('.v-missing') || 1),
        };
      }),
    );
    const verification = types
      .find(({ type }) => type === 'software_requirement')!
      .duties.find(({ duty }) => duty === 'verification')!;
    const told = ways.find(
      ({ words }) => words.startsWith('Software requirement') && words.includes('verified by a test'),
    )!;
    expect(told.words).toContain(`${verification.met} of ${verification.owed}`);
    expect(told.filled).toBeCloseTo(verification.met / verification.owed, 3);
    for (const { id } of made) {
      expect((await owner.request('DELETE', `/api/v1/traceability/artifacts/${id}`)).status).toBe(204);
    }
    expect(faults).toEqual([]);
  }, 120_000);

  it('drills by keys from a goal to the evidence of a test', async () => {
    const { page, faults } = await open('/trace/columns');
    const column = (n: number) => page.locator('.trace-column').nth(n);
    await column(0).getByRole('grid').focus();
    await page.keyboard.press('End');
    for (let depth = 1; depth < 6; depth++) {
      await column(depth).waitFor(SOON);
      await expect.poll(() => column(depth).locator('.skeleton').count(), SOON).toBe(0);
      if ((await column(depth).getByRole('grid').count()) === 0) break;
      await page.keyboard.press('ArrowRight');
      await expect
        .poll(
          () =>
            column(depth)
              .getByRole('grid')
              .evaluate(
                (grid) =>
                  grid ===
                  (grid as unknown as { ownerDocument: { activeElement: unknown } }).ownerDocument
                    .activeElement,
              ),
          SOON,
        )
        .toBe(true);
      await page.keyboard.press('End');
    }
    const last = page.locator('.trace-column').last();
    await last.getByText('The chain ends here.').waitFor(SOON);
    expect(await page.locator('.trace-column').count()).toBeGreaterThanOrEqual(4);
    // What is chosen is in the address: the same is there after a reload.
    const before = await page.locator('.trace-column').count();
    await page.reload();
    await expect.poll(() => page.locator('.trace-column').count(), SOON).toBe(before);
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(faults).toEqual([]);
  }, 120_000);

  it('scrolls through all rows of the matrix, and counts what is filtered', async () => {
    const { page, faults } = await open('/trace/matrix');
    const whole = await get<{ total: number }>(`matrix?workspace_id=${workspace}&limit=1`);
    expect(await totalOf(page)).toBe(whole.total);
    await page.getByRole('grid').focus();
    await page.keyboard.press('End');
    await page.locator(`.row-grid-row[aria-rowindex="${whole.total + 1}"]:not([aria-busy])`).waitFor(SOON);
    await page.getByLabel('What is missing').selectOption('verification');
    const filtered = await get<{ total: number }>(
      `matrix?workspace_id=${workspace}&limit=1&missing=verification`,
    );
    await expect.poll(() => totalOf(page), SOON).toBe(filtered.total);
    const option = page.getByLabel('What is missing').locator('option[value=verification]');
    expect(await option.textContent()).toContain(`(${new Intl.NumberFormat('en').format(filtered.total)})`);
    expect(await page.getByRole('link', { name: 'CSV file' }).getAttribute('href')).toContain(
      'missing=verification',
    );
    expect(faults).toEqual([]);
  }, 120_000);

  it('shows rows of the matrix in another order, and files in the same', async () => {
    const { page, faults } = await open('/trace/matrix');
    await page.getByLabel('Order').selectOption('-severity');
    await page.waitForURL('**/trace/matrix?sort=-severity', SOON);
    const first = await get<{ matrix: { requirement_id: string }[] }>(
      `matrix?workspace_id=${workspace}&limit=1&sort=-severity`,
    );
    const top = page.locator('.row-grid-row[aria-rowindex="2"] .matrix-requirement .mono');
    await expect.poll(() => top.textContent(), SOON).toBe(first.matrix[0]!.requirement_id);
    await page.getByLabel('Order').selectOption('id');
    await page.locator('[role=columnheader][aria-sort=ascending]', { hasText: 'Requirement' }).waitFor(SOON);
    expect(await page.getByRole('link', { name: 'CSV file' }).getAttribute('href')).toContain('sort=id');
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(faults).toEqual([]);
  }, 120_000);

  it('links what is missing where it is missing', async () => {
    const { matrix } = await get<{ matrix: { id: string; requirement_id: string }[] }>(
      `matrix?workspace_id=${workspace}&limit=1&type=functional_safety_requirement&missing=verification`,
    );
    const { id, requirement_id: lacking } = matrix[0]!;
    const { page, faults } = await open(
      '/trace/columns?type=functional_safety_requirement&missing=verification',
    );
    await page.locator('.trace-column').first().getByRole('grid').focus();
    await page.keyboard.press('Home');
    const lack = page.locator('.column-lack', { hasText: 'no verification' });
    await lack.getByRole('button', { name: /Link/ }).click();
    const dialog = page.getByRole('dialog', { name: `Link ${lacking}` });
    await dialog.getByRole('searchbox').fill('000007');
    await dialog.getByRole('button', { name: /^Link with TC-0*7$/ }).waitFor(SOON);
    expect(await accessibilityProblems(page)).toEqual([]);
    await dialog.getByRole('button', { name: /^Link with TC-0*7$/ }).click();
    await dialog.waitFor({ ...SOON, state: 'detached' });
    const linked = await get<{ items: { link_type: string; target_id: string }[] }>(
      `links?workspace_id=${workspace}&source_id=${lacking}&link_type=verified_by`,
    );
    expect(linked.items.map(({ target_id }) => target_id)).toEqual([expect.stringMatching(/^TC-0*7$/)]);
    // Not missing any more, where it was said to be.
    await page.goto(`${app.address}/w/${workspace}/trace/artifacts/${id}`);
    await page.locator('.graph-node[data-here]').waitFor(SOON);
    await expect.poll(() => lack.count(), SOON).toBe(0);
    expect(faults).toEqual([]);
  }, 120_000);

  it('confirms, rejects, makes and removes links where the matrix lists them, by keys', async () => {
    const made = (artifact_id: string, type: string, text: string) =>
      send('/traceability/artifacts', { workspace_id: workspace, artifact_id, type, text });
    await made('SG-CELL', 'safety_goal', 'The tailgate shall stop at once.');
    await made('FSR-CELL', 'functional_safety_requirement', 'Stop within 50 ms.');
    await made('TC-CELL', 'test', 'Stops within 50 ms.');
    await send('/traceability/links', {
      ...{ workspace_id: workspace, source_id: 'FSR-CELL', target_id: 'SG-CELL', link_type: 'derives_from' },
    });
    const links = async () =>
      (
        await get<{ items: { source_id: string; target_id: string; confirmed_at: string | null }[] }>(
          `links?workspace_id=${workspace}&artifact_id=FSR-CELL`,
        )
      ).items.map(({ source_id, target_id, confirmed_at }) => [source_id, target_id, confirmed_at !== null]);
    const { page, faults } = await open('/trace/matrix?search=FSR-CELL');
    await expect.poll(() => totalOf(page), SOON).toBe(1);
    await page.getByRole('grid').focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('l');
    const dialog = page.getByRole('dialog', { name: 'Links of FSR-CELL' });
    await dialog.getByRole('button', { name: /^It is right: FSR-CELL/ }).waitFor(SOON);
    expect(await accessibilityProblems(page)).toEqual([]);
    await dialog.getByRole('button', { name: /^It is right: FSR-CELL/ }).press('Enter');
    await expect.poll(links, SOON).toEqual([['FSR-CELL', 'SG-CELL', true]]);
    await dialog.getByText('confirmed', { exact: true }).waitFor(SOON);
    await dialog.getByRole('button', { name: 'Link with a test …' }).press('Enter');
    const adding = page.getByRole('dialog', { name: 'Link FSR-CELL' });
    await adding.getByRole('searchbox').fill('TC-CELL');
    await adding.getByRole('button', { name: 'Link with TC-CELL' }).press('Enter');
    await dialog.getByText('FSR-CELL verified by TC-CELL').waitFor(SOON);
    await dialog.getByRole('button', { name: /^Remove: FSR-CELL derives from SG-CELL/ }).click();
    await expect.poll(links, SOON).toEqual([['FSR-CELL', 'TC-CELL', false]]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ ...SOON, state: 'detached' });
    await page.locator('.matrix-above .lacks').waitFor(SOON);
    // With the mouse from the cell itself.
    await page.getByRole('button', { name: /Links of FSR-CELL: Verified by$/ }).click();
    await dialog.getByText('FSR-CELL verified by TC-CELL').waitFor(SOON);
    expect(faults).toEqual([]);
  }, 120_000);

  it('finds the next filled cell of a sparse grid', async () => {
    const { page, faults } = await open('/trace/grid?rows=functional_safety_requirement&columns=test');
    const grid = page.getByRole('grid');
    await grid.focus();
    const where = () => grid.getAttribute('aria-activedescendant');
    const before = await where();
    await page.keyboard.press('.');
    await expect.poll(where, SOON).not.toBe(before);
    await page.locator('.type-grid-cell[data-here] .grid-mark').waitFor(SOON);
    await page.keyboard.press('.');
    await page.locator('.type-grid-cell[data-here] .grid-mark').waitFor(SOON);
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(faults).toEqual([]);
  }, 120_000);

  it('shows what is linked around an artifact as a picture and as lists, and hostile ids as text', async () => {
    const { items } = await get<{ items: { id: string }[] }>(
      `artifacts?workspace_id=${workspace}&artifact_id=FSR-000001`,
    );
    const { page, faults } = await open(`/trace/artifacts/${items[0]!.id}`);
    await page.locator('.graph-node[data-here]').waitFor(SOON);
    const nodes = await page.locator('.graph-node').count();
    expect(nodes).toBeGreaterThan(5);
    await page.getByRole('heading', { name: 'What its links lack now' }).waitFor(SOON);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.locator('.more-around').first().click();
    await expect.poll(() => page.locator('.graph-node').count(), SOON).toBeGreaterThan(nodes);
    const grown = await page.locator('.graph-node').count();
    await page.keyboard.press('v');
    await page.locator('.graph-listed').first().waitFor(SOON);
    expect((await page.locator('.graph-listed').count()) + 1).toBe(grown);
    for (const path of [
      '/trace',
      '/trace/columns',
      '/trace/matrix',
      '/trace/artifacts',
      '/trace/grid?rows=safety_goal&columns=test',
    ]) {
      await page.goto(`${app.address}/w/${workspace}${path}`);
      await quiet(page);
      if (path !== '/trace') await page.getByText(HOSTILE, { exact: true }).first().waitFor(SOON);
    }
    expect(faults).toEqual([]);
  }, 120_000);

  it('shows what changed at the ends of a suspect link, one by one, and takes what a person says', async () => {
    const made = async (artifact_id: string, type: string, text: string) =>
      (
        await send<{ id: string }>('/traceability/artifacts', {
          workspace_id: workspace,
          artifact_id,
          type,
          text,
        })
      ).id;
    await made('SG-NEW', 'safety_goal', 'The door shall stay closed.');
    const changed = await made('FSR-NEW', 'functional_safety_requirement', 'Lock above 6 km/h.');
    const other = await made('FSR-OTHER', 'functional_safety_requirement', 'Warn the driver.');
    for (const source_id of ['FSR-NEW', 'FSR-OTHER']) {
      const link = await send<{ id: string }>('/traceability/links', {
        ...{ workspace_id: workspace, source_id, target_id: 'SG-NEW', link_type: 'derives_from' },
      });
      await send(`/traceability/links/${link.id}/confirm`, {});
    }
    const change = (id: string, text: string) =>
      owner.request('PATCH', `/api/v1/traceability/artifacts/${id}`, { body: { text } });
    await change(changed, 'Lock above 5 km/h.');
    await change(other, 'Warn the driver at once.');
    const { page, faults } = await open('/trace/links');
    const card = page.locator('.review');
    await card.locator('ins').first().waitFor(SOON);
    const first = await card.getByRole('heading', { level: 2 }).textContent();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.keyboard.press('s');
    await expect.poll(() => card.getByRole('heading', { level: 2 }).textContent(), SOON).not.toBe(first);
    for (let left = 1; left >= 0; left--) {
      await page.keyboard.press('y');
      const total = async () =>
        (await get<{ total: number }>(`links?workspace_id=${workspace}&suspect=true`)).total;
      await expect.poll(total, SOON).toBe(left);
      // What was put off comes again.
      if (left > 0)
        await expect.poll(() => card.getByRole('heading', { level: 2 }).textContent(), SOON).toBe(first);
    }
    await page.getByText('No link is suspect').waitFor(SOON);
    expect(faults).toEqual([]);
  }, 120_000);
});
