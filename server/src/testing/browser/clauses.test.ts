import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, startTestApp, type TestApp } from '../test-app.js';
import { createTestDatabase, type TestDatabase } from '../test-database.js';
import { until, uploadStandard, uploadWorkProduct } from '../upload.js';
import { accessibilityProblems, findChromium, openBrowser } from './open-browser.js';
import { signInBrowser } from './sign-in-browser.js';

const DEMO = fileURLToPath(new URL('../../../../demo/documents/', import.meta.url));
/** A page on a busy machine takes its time. */
const SOON = { timeout: 30_000 };
/** Parts of a standard, sections of a part, clauses of a section: more criteria than are asked for at once. */
const [PARTS, SECTIONS, CLAUSES] = [4, 5, 21];

let database: TestDatabase;
let app: TestApp;
let owner: Client;
let workspace: string;
let browser: Awaited<ReturnType<typeof openBrowser>>;

describe.skipIf(findChromium() === undefined)('the clauses of standards in Chromium', () => {
  beforeAll(async () => {
    database = await createTestDatabase();
    app = await startTestApp(database, {
      work: true,
      environment: { RATE_LIMIT_BROWSER_PER_MINUTE: '60000', RATE_LIMIT_BROWSER_BURST: '10000' },
    });
    owner = await app.signUp();
    workspace = await made('/workspaces', { name: 'Clauses' });
    const { body } = await uploadWorkProduct(owner, workspace, {
      name: 'plan.md',
      type: 'text/markdown',
      bytes: '# Plan\n\n## Safety plan\n\nThe pump controller stops within 20 ms (ASIL B).\n',
    });
    await until<{ processing_status: string }>(
      owner,
      `/api/v1/work-products/${(body as { id: string }).id}`,
      ({ processing_status }) => processing_status === 'completed',
    );
    browser = await openBrowser(app.address);
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
    await database?.stop();
  });

  async function made(path: string, body: object): Promise<string> {
    const answer = await owner.request('POST', `/api/v1${path}`, { body });
    expect([200, 201, 202], answer.text).toContain(answer.status);
    return (answer.body as { id: string }).id;
  }
  async function analysed(standard: string): Promise<string> {
    const run = await made('/analysis/gaps', { workspace_id: workspace, standard_id: standard });
    const { status } = await until<{ status: string }>(
      owner,
      `/api/v1/analysis/analyses/${run}`,
      (one) => ['completed', 'failed'].includes(one.status),
      60_000,
    );
    expect(status).toBe('completed');
    return standard;
  }
  async function open(standard: string, query = '') {
    const opened = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    const asked: string[] = [];
    opened.page.on('request', (request) => {
      if (request.url().includes('/drilldown')) asked.push(new URL(request.url()).search);
    });
    await signInBrowser(opened.page, app, owner, `/w/${workspace}/standards/${standard}${query}`);
    await opened.page.getByRole('treegrid').getByRole('row').first().waitFor(SOON);
    return { ...opened, asked, rows: opened.page.getByRole('treegrid').getByRole('row') };
  }

  it('walks the tree of a small standard by keys, and prints the whole of it whatever is folded', async () => {
    const standard = await analysed(
      await made('/standards', { workspace_id: workspace, catalog_id: 'iso-26262-3-2018' }),
    );
    const { body } = await owner.request(
      'GET',
      `/api/v1/analysis/standards/${standard}/drilldown?include=none`,
    );
    const count = (nodes: readonly { children: never[] }[]): number =>
      nodes.reduce((sum, { children }) => sum + 1 + count(children), 0);
    const total = count((body as { clauses: { children: never[] }[] }).clauses);
    const { page, faults, rows } = await open(standard);
    const first = rows.first();
    const shown = await rows.count();
    expect(shown).toBeLessThanOrEqual(total);
    await first.focus();
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => first.getAttribute('aria-expanded'), SOON).toBe('false');
    const folded = await rows.count();
    expect(folded).toBeLessThan(shown);
    await page.emulateMedia({ media: 'print' });
    await expect.poll(() => rows.count(), SOON).toBe(total);
    await page.emulateMedia({ media: 'screen' });
    await expect.poll(() => rows.count(), SOON).toBe(folded);
    await page.keyboard.press('*');
    await expect.poll(() => first.getAttribute('aria-expanded'), SOON).toBe('true');
    await page.keyboard.press('ArrowRight');
    await expect
      .poll(() => page.evaluate<string>('document.activeElement.getAttribute("aria-level")'), SOON)
      .toBe('2');
    await page.keyboard.press('Enter');
    await page.waitForURL('**at=**', SOON);
    await expect.poll(() => page.locator('.clause[aria-selected=true]').count(), SOON).toBe(1);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByLabel(/^Only/).check();
    await rows.first().waitFor(SOON);
    expect(await rows.count()).toBeLessThan(total);
    expect(faults).toEqual([]);
  }, 120_000);

  it('sums the map up to a row for each process, and says in words what each cell is', async () => {
    for (const name of await readdir(DEMO)) {
      await uploadWorkProduct(owner, workspace, {
        name,
        type: 'application/octet-stream',
        bytes: Uint8Array.from(await readFile(DEMO + name)),
      });
    }
    await until<{ items: readonly { processing_status: string }[] }>(
      owner,
      `/api/v1/work-products?workspace_id=${workspace}`,
      ({ items }) => items.every((one) => one.processing_status === 'completed'),
      90_000,
    );
    const standard = await analysed(
      await made('/standards', { workspace_id: workspace, catalog_id: 'aspice-pam-4.0' }),
    );
    interface Map {
      readonly columns: readonly { readonly name: string }[];
      readonly rows: readonly {
        readonly title: string;
        readonly cells: string;
        readonly effective_score: number | null;
      }[];
    }
    const mapBy = async (rows: string): Promise<Map> =>
      (await owner.request('GET', `/api/v1/analysis/standards/${standard}/heatmap?rows=${rows}`)).body as Map;
    const words: Readonly<Record<string, string>> = {
      s: 'words that support it',
      c: 'words against it',
      b: 'words for and against it',
      x: 'words beside it',
      '-': 'nothing',
    };
    const { page, faults } = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await signInBrowser(page, app, owner, `/w/${workspace}/standards/${standard}?view=map`);
    const rows = page.locator('.heat tbody tr');
    const [clauses, processes] = [await mapBy('clause'), await mapBy('process')];
    expect(processes.rows.length).toBeLessThan(clauses.rows.length);
    await expect.poll(() => rows.count(), SOON).toBe(clauses.rows.length);
    await page.getByLabel('One row for each process or clause').check();
    await page.waitForURL('**rows=process**', SOON);
    await expect.poll(() => rows.count(), SOON).toBe(processes.rows.length);
    expect(await accessibilityProblems(page)).toEqual([]);
    for (const [at, { title, cells, effective_score: score }] of processes.rows.entries()) {
      const row = rows.nth(at);
      expect(await row.getByRole('rowheader').textContent()).toContain(title);
      const said = await row.locator('.heat-sign .visually-hidden').allTextContents();
      expect(said, title).toEqual([...cells].map((letter) => words[letter]));
      const last = await row.getByRole('cell').last().textContent();
      expect(last?.replace(/\D/g, ''), title).toBe(score === null ? '' : String(Math.round(score)));
    }
    // Something speaks about a process, and something about none.
    expect(new Set(processes.rows.flatMap(({ cells }) => [...cells])).size).toBeGreaterThan(1);
    await page.reload();
    await expect.poll(() => rows.count(), SOON).toBe(processes.rows.length);
    expect(faults).toEqual([]);
  }, 180_000);

  it('asks for the clauses of a large standard when they are opened', async () => {
    const lines = ['# House standard'];
    for (let part = 1; part <= PARTS; part++) {
      lines.push(`# ${part} Part`);
      for (let section = 1; section <= SECTIONS; section++) {
        lines.push(`## ${part}.${section} Section`);
        for (let clause = 1; clause <= CLAUSES; clause++) {
          lines.push(
            `### ${part}.${section}.${clause} Clause`,
            `The supplier shall state property ${part * 1000 + section * 100 + clause} of the pump.`,
          );
        }
      }
    }
    const standard = await made('/standards', { workspace_id: workspace, name: 'House standard' });
    await uploadStandard(owner, standard, {
      name: 'house.md',
      type: 'text/markdown',
      bytes: lines.join('\n\n'),
    });
    await owner.request('PATCH', `/api/v1/standards/${standard}/attest`, {
      body: { licence_type: 'own_document', licence_holder: 'us' },
    });
    await until<{ processing_status: string }>(
      owner,
      `/api/v1/standards/${standard}`,
      ({ processing_status }) => processing_status === 'completed',
    );
    await analysed(standard);
    const { page, faults, rows, asked } = await open(standard);
    expect(asked).toEqual([expect.stringContaining('depth=2')]);
    const shown = await rows.count();
    const section = rows.filter({ hasText: '2.3' }).first();
    await section.focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => rows.count(), SOON).toBeGreaterThan(shown);
    expect(asked).toHaveLength(2);
    expect(asked[1]).toMatch(/parent=.*depth=1|depth=1.*parent=/);
    expect(await accessibilityProblems(page)).toEqual([]);
    // A pasted link leads to a clause that nobody opened yet.
    const { body } = await owner.request('GET', `/api/v1/analysis/standards/${standard}/review`);
    const deep = (body as { criteria: { criterion_id: string; clause: string }[] }).criteria.at(-1)!;
    await page.goto(
      `${app.address}/w/${workspace}/standards/${standard}?at=${encodeURIComponent(deep.criterion_id)}`,
    );
    const there = page.locator(`.clause[data-id="${deep.criterion_id}"]`);
    await expect.poll(() => there.getAttribute('aria-selected'), SOON).toBe('true');
    // Everything on request: from then on the whole of it is printed, too.
    await page.getByRole('button', { name: 'Open all clauses' }).click();
    await expect.poll(() => rows.count(), SOON).toBeGreaterThan(PARTS * SECTIONS * CLAUSES);
    expect(await page.getByRole('button', { name: 'Open all clauses' }).count()).toBe(0);
    expect(faults).toEqual([]);
  }, 180_000);
});
