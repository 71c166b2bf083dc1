import type { CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FilledApp, startFilledApp } from '../filled-app.js';
import type { Filled } from '../filled-workspace.js';
import { longPdf } from '../long-pdf.js';
import type { Client, TestApp } from '../test-app.js';
import type { TestDatabase } from '../test-database.js';
import { until, uploadWorkProduct } from '../upload.js';
import { fillGaps, fillTrace } from './many-rows.js';
import { findChromium, openBrowser } from './open-browser.js';
import { signInBrowser } from './sign-in-browser.js';

// The application over many gaps and artifacts: how long from a key to what it paints, how heavy each screen is, and a walk of
// random keys. Only where it is asked for: `BROWSER_MANY=100000` measures, prints, and takes half an hour;
// BROWSER_WALK_MINUTES is how long the walk is.

const ROWS = Number(process.env.BROWSER_MANY ?? 0);
const WALK_MINUTES = Number(process.env.BROWSER_WALK_MINUTES ?? 10);
/** Minutes between two looks at the heap. */
const LOOK_MINUTES = 2;
/** How long what was read is kept in the walk after nobody looks at it, instead of five minutes: a look waits until it is forgotten. */
const KEPT_MILLISECONDS = 15_000;
/** What is opened for the first time is opened before the first look that counts. */
const WARM_MINUTES = Math.min(10, WALK_MINUTES / 4);
const ROUNDS = Number(process.env.BROWSER_ROUNDS ?? 20);
/** Walks through the list, one key each. */
const STEPS = 50;
const SETTLED_MILLISECONDS = 150;
const LONG_PAGES = 350;
const LONG_MIDDLE = 200;
const SOON = { timeout: 60_000 };
const CHROME = findChromium();

let database: TestDatabase;
let started: FilledApp | undefined;
let app: TestApp;
let owner: Client;
let filled: Filled;
let browser: Awaited<ReturnType<typeof openBrowser>>;

describe.skipIf(CHROME === undefined || ROWS === 0)(`the application with ${ROWS} gaps and artifacts`, () => {
  beforeAll(async () => {
    started = await startFilledApp({
      environment: { RATE_LIMIT_BROWSER_PER_MINUTE: '60000', RATE_LIMIT_BROWSER_BURST: '10000' },
    });
    ({ database, app, owner, filled } = started);
    await fillGaps(database, { workspace: filled.workspace, rows: ROWS });
    await fillTrace(database, { workspace: filled.workspace, rows: ROWS });
    // What a database does by itself after a while.
    await database.asOwner('vacuum gaps');
    browser = await openBrowser(app.address);
  }, 1_800_000);
  afterAll(async () => {
    await browser?.close();
    await started?.stop();
  });

  it('paints what a key asks for', async () => {
    const { page, faults } = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.addInitScript(TIMING);
    const base = `/w/${filled.workspace}`;
    await signInBrowser(page, app, owner, `${base}/gaps?status=open,in_progress,resolved,accepted`);
    await page.waitForSelector('.gap-row[aria-rowindex="1"]:not([aria-busy])', SOON);
    const total = await page.getByRole('grid').getAttribute('aria-rowcount');
    expect(Number(total)).toBeGreaterThan(ROWS);
    const taken: Taken = new Map();
    const key = (name: string, pressed: string, seen: Seen) =>
      timed(taken, page, { name, since: 'keydown', ...seen }, () => page.keyboard.press(pressed));
    const click = (name: string, selector: string, seen: Seen) =>
      timed(taken, page, { name, since: 'pointerdown', ...seen }, () =>
        page.locator(selector).first().click(),
      );
    const here = { selector: '.gap-row[data-here]', attribute: 'id' };

    for (let n = 0; n < ROUNDS; n++) {
      await key('a key that does nothing', 'F9', { selector: 'body', isAny: true });
    }
    for (let n = 0; n < STEPS; n++) await key('walk (j)', 'j', here);
    for (let n = 0; n < ROUNDS; n++) {
      await key('select (x)', 'x', { selector: '.bulk strong' });
      await key('select all (Ctrl A)', 'Control+a', { selector: '.bulk strong' });
      await key('unselect (Esc)', 'Escape', { selector: '.bulk strong', isGone: true });
      await key('sheet of keys (?)', '?', { selector: 'dialog[open]' });
      await page.keyboard.press('Escape');
      await page.waitForSelector('dialog[open]', { state: 'detached', ...SOON }).catch(() => undefined);
    }
    for (let n = 0; n < ROUNDS; n++) {
      await key('open the panel (Space)', 'Space', { selector: '.peek h2' });
      await key('walk with the panel (j)', 'j', { selector: '.peek h2' });
      await key('close the panel (Space)', 'Space', { selector: '.peek', isGone: true });
      await key('walk back (k)', 'k', here);
    }
    for (let n = 0; n < ROUNDS; n++) {
      const place = Math.floor(((n + 1) / (ROUNDS + 1)) * Number(total));
      await timed(
        taken,
        page,
        {
          name: 'jump by the scroll bar',
          since: 'now',
          selector: `.gap-row[aria-rowindex="${place}"]:not([aria-busy])`,
          attribute: 'id',
          scroll: (place - 1) * 44,
        },
        async () => undefined,
      );
    }
    await page.evaluate('document.querySelector(".gap-rows").scrollTo(0, 0)');
    await page.waitForSelector('.gap-row[aria-rowindex="1"]:not([aria-busy])', SOON);
    const sorts = ['due_date', 'title', 'clause', '-updated_at', '-severity'];
    for (let n = 0; n < Math.max(ROUNDS, sorts.length); n++) {
      const sort = sorts[n % sorts.length]!;
      await timed(
        taken,
        page,
        {
          name: 'sort',
          since: 'change',
          selector: '.gap-rows [role="rowgroup"]',
        },
        () => page.locator('.sort-field select').selectOption(sort),
      );
    }
    for (let n = 0; n < ROUNDS; n++) {
      await click('filter by a facet', '.facets li input', { selector: '.inbox-total' });
    }
    await page.goto(`${app.address}${base}/gaps?status=open,in_progress,resolved,accepted`);
    await page.waitForSelector('.gap-row[aria-rowindex="1"]:not([aria-busy])', SOON);
    const field = page.locator('.inbox-head input[type="search"]');
    for (let n = 0; n < ROUNDS; n++) {
      await field.focus();
      await key('search', n % 2 === 0 ? '4' : 'Backspace', { selector: '.inbox-total' });
    }
    for (const [name, path, seen] of [
      ['open the trace', '/trace', '.page .v-box'],
      ['open the matrix', '/trace/matrix', '.page .row-grid-row:not([aria-busy])'],
      ['open the columns', '/trace/columns', '.page .column-card'],
      ['open the grid', '/trace/grid', '.page .type-grid-name a'],
      ['open the artifacts', '/trace/artifacts', '.page .artifact-id'],
      ['open the overview', '', '.overview-columns'],
    ] as const) {
      const rounds = Math.max(2, Math.floor(ROUNDS / 2));
      for (let n = 0; n < rounds; n++) {
        await page.goto(`${app.address}${base}/documents`);
        await page.waitForSelector('.page h1', SOON);
        await timed(
          taken,
          page,
          // The first time after a change of the trace its views are made.
          { name: n === 0 ? `${name}, the first time` : name, since: 'now', selector: seen, go: base + path },
          async () => undefined,
        );
      }
    }
    tell('From key to painted', ['What', 'n', 'p50', 'p95', 'most'], figuresOf(taken));
    expect(faults).toEqual([]);
  }, 1_800_000);

  it('is there soon after it was asked for, and no heavier than it may be', async () => {
    const loads: { cold: number[]; warm: number[] } = { cold: [], warm: [] };
    const { page: first, context } = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await signInBrowser(first, app, owner, `/w/${filled.workspace}`);
    // Of somebody who was here before: with what the application keeps in a browser, without its files.
    await first.waitForSelector('.overview-columns', SOON);
    const session = await context.storageState();
    for (let n = 0; n < 7; n++) {
      const { page, context: fresh } = await browser.newPage({
        viewport: { width: 1440, height: 900 },
        storageState: session,
      });
      await page.addInitScript(TIMING);
      for (const kind of ['cold', 'warm'] as const) {
        await page.goto(`${app.address}/w/${filled.workspace}`);
        loads[kind].push(await page.evaluate<number>(`paintedAt('.overview-columns')`));
      }
      await fresh.close();
    }
    tell(
      'First load of the overview',
      ['What', 'n', 'p50', 'most'],
      Object.entries(loads).map(([kind, taken]) => {
        const sorted = taken.toSorted((a, b) => a - b);
        return [kind, taken.length, ms(at(sorted, 0.5)), ms(at(sorted, 1))];
      }),
    );

    const weights: (readonly [path: string, js: number, css: number, fonts: number])[] = [];
    for (const path of [
      '',
      '/gaps',
      '/documents',
      '/standards',
      '/trace',
      '/trace/matrix',
      '/checklists',
      '/runs',
      '/reports',
      '/settings',
    ]) {
      const { page, context: fresh } = await browser.newPage({ storageState: session });
      const bytes = { script: 0, stylesheet: 0, font: 0 };
      const sizes: Promise<void>[] = [];
      page.on('requestfinished', (request) => {
        const type = request.resourceType() as keyof typeof bytes;
        if (type in bytes) {
          sizes.push(
            request.sizes().then(({ responseBodySize }) => {
              bytes[type] += responseBodySize;
            }),
          );
        }
      });
      await page.goto(`${app.address}/w/${filled.workspace}${path}`);
      await page.waitForSelector('h1', SOON);
      await page.waitForTimeout(500);
      await Promise.all(sizes);
      weights.push([path, bytes.script, bytes.stylesheet, bytes.font]);
      await fresh.close();
    }
    const kb = (size: number): string => `${(size / 1024).toFixed(0)} KB`;
    tell(
      'Weight of a screen that is opened first, as it is sent',
      ['Screen', 'scripts', 'styles', 'fonts'],
      weights.map(([path, js, css, fonts]) => [path || '/', kb(js), kb(css), kb(fonts)]),
    );
    for (const [path, js, css, fonts] of weights) {
      // The budget of the first route, of styles and of fonts.
      expect([path, js <= 190 * 1024, css <= 20 * 1024, fonts <= 90 * 1024]).toEqual([
        path,
        true,
        true,
        true,
      ]);
    }
  }, 600_000);

  it('opens a page in the middle of a long document soon', async () => {
    const quoteOf = (at: number): string => `Page ${at} line 7 tells about the door`;
    const { body } = await uploadWorkProduct(owner, filled.workspace, {
      name: 'Long.pdf',
      type: 'application/pdf',
      bytes: longPdf(LONG_PAGES, (at) =>
        Array.from(
          { length: 45 },
          (_, line) => `Page ${at} line ${line} tells about the door of vehicle ${at * line}.`,
        ),
      ),
    });
    const { id } = body as { id: string };
    const isRead = ({ processing_status }: { processing_status: string }): boolean =>
      processing_status === 'completed';
    await until(owner, `/api/v1/work-products/${id}`, isRead, 600_000);
    const placed = ({ places }: { places: string }): boolean => places === 'exact';
    await until(owner, `/api/v1/work-products/${id}/versions/1/pages`, placed, 600_000);
    const places = new Map<number, number>();
    for (let from = 0; ; from += 2000) {
      const address = `/api/v1/work-products/${id}/versions/1/document?from_block=${from}&blocks=2000`;
      const { blocks } = (await owner.request('GET', address)).body as {
        blocks: { start: number; text: string; location: { page: number } }[];
      };
      for (const { start, text, location } of blocks) {
        const at = text.indexOf(quoteOf(location.page));
        if (at >= 0) places.set(location.page, start + at);
      }
      if (blocks.length === 0) break;
    }
    const { page: first, context } = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await signInBrowser(first, app, owner, `/w/${filled.workspace}`);
    // Of somebody who was here before: with what the application keeps in a browser, without its files.
    await first.waitForSelector('.overview-columns', SOON);
    await first.goto(
      `${app.address}/w/${filled.workspace}/documents/${id}?v=1&at=${places.get(1)}-${places.get(1)! + 4}`,
    );
    await first.waitForSelector('.box[data-chosen] rect', SOON);
    const session = await context.storageState();
    const loads: { cold: number[]; warm: number[] } = { cold: [], warm: [] };
    for (let n = 0; n < 7; n++) {
      // Another page each time: nobody has looked at it, so its picture has to be drawn.
      const wanted = LONG_MIDDLE + n;
      const start = places.get(wanted)!;
      const { page, context: fresh } = await browser.newPage({
        viewport: { width: 1440, height: 900 },
        storageState: session,
      });
      await page.addInitScript(TIMING);
      for (const kind of ['cold', 'warm'] as const) {
        await page.goto(
          `${app.address}/w/${filled.workspace}/documents/${id}?v=1&at=${start}-${start + quoteOf(wanted).length}`,
        );
        loads[kind].push(
          await page.evaluate<number>(`paintedWhen(() => {
            const sheet = document.querySelector('article[aria-label="Page ${wanted}"]');
            return sheet?.querySelector('.box[data-chosen] rect') && sheet.querySelector('img')?.naturalWidth > 0;
          })`),
        );
      }
      await fresh.close();
    }
    tell(
      `Page ${LONG_MIDDLE} of a PDF of ${LONG_PAGES} pages, with its picture and the marked quote`,
      ['What', 'n', 'p50', 'most'],
      Object.entries(loads).map(([kind, taken]) => {
        const sorted = taken.toSorted((a, b) => a - b);
        return [kind, taken.length, ms(at(sorted, 0.5)), ms(at(sorted, 1))];
      }),
    );
  }, 900_000);

  it(
    'survives a walk of random keys',
    async () => {
      const { page, context, faults } = await browser.newPage({ viewport: { width: 1440, height: 900 } });
      const broken: string[] = [];
      // A busy service says so, and the page asks again: no fault of either, as long as it stays rare.
      const answers = { all: 0, busy: 0 };
      page.on('response', (answer) => {
        answers.all++;
        if (answer.status() === 503) answers.busy++;
        else if (answer.status() >= 500) broken.push(`${answer.status()} ${answer.url()}`);
      });
      page.on('console', (line) => {
        // Refusals of the service are told on the page; the browser writes them down besides.
        if (line.type() === 'error' && !/status of (4\d\d|503)/.test(line.text())) broken.push(line.text());
      });
      const home = `/w/${filled.workspace}`;
      await page.addInitScript(FORGETS_SOON);
      await signInBrowser(page, app, owner, home);
      const devtools = await context.newCDPSession(page);
      const random = randomFrom(7);
      const heaps: Heap[] = [];
      let actions = 0;
      // A page that is loaded anew has forgotten everything: how often that was is told.
      let loads = 0;
      page.on('load', () => void loads++);
      // Elements and listeners are asked for besides: what is forgotten on a page is told by them first.
      await devtools.send('Performance.enable');
      const start = performance.now();
      const minutes = (): number => (performance.now() - start) / 60_000;
      // Each screen once: one that a walk comes to late brings its files late, which are kept as well.
      for (const path of OPENED_FIRST) {
        await goWithin(page, home + path);
        await page.getByRole('heading', { level: 1 }).first().waitFor(SOON);
      }
      while (minutes() < WARM_MINUTES + WALK_MINUTES) {
        const next = minutes() + LOOK_MINUTES;
        while (minutes() < next) {
          await page.keyboard.press(KEYS[Math.floor(random() * KEYS.length)]!);
          actions++;
          await page.waitForTimeout(150);
          // A link may have led outside of the workspace: everything begins again at its door, on the same page where it can.
          if (!page.url().includes(home)) {
            if (await page.locator('#root').count()) await goWithin(page, home);
            else await page.goto(app.address + home);
          }
        }
        heaps.push({ minute: minutes(), ...(await heapOf(page, devtools, home)) });
      }
      const counted = heaps.filter(({ minute }) => minute >= WARM_MINUTES);
      const hourly = (figure: (heap: Heap) => number): string =>
        `${(slopeOf(counted.map((heap) => [heap.minute, figure(heap)])) * 60 * 100).toFixed(2)} %`;
      const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(2)} MB`;
      tell(
        `A walk of ${actions} random keys in ${minutes().toFixed(1)} minutes, ${loads} times loaded anew, the first ${WARM_MINUTES} of them not counted. Growth an hour: ` +
          `of what the application keeps ${hourly(({ kept }) => kept)}, of the whole heap ${hourly(({ bytes }) => bytes)}, ` +
          `of elements ${hourly(({ elements }) => elements)}, of listeners ${hourly(({ listeners }) => listeners)}`,
        ['After', 'kept', 'whole heap', 'elements', 'of them on the page', 'listeners'],
        heaps.map(({ minute, kept, bytes, elements, shown, listeners }) => [
          `${minute.toFixed(1)} min`,
          megabytes(kept),
          megabytes(bytes),
          elements,
          shown,
          listeners,
        ]),
      );
      console.log(`Of ${answers.all} answers ${answers.busy} said that the service is busy (503).`);
      expect(answers.busy).toBeLessThan(Math.max(2, answers.all / 500));
      expect({ faults, broken }).toEqual({ faults: [], broken: [] });
    },
    (WARM_MINUTES + WALK_MINUTES) * 1.5 * 60_000 + 600_000,
  );
});

/** What is looked at: the first element of a selector, by an attribute or its text. It is another one then, or gone. */
interface Seen {
  readonly selector: string;
  readonly attribute?: string;
  readonly isGone?: true;
  /** Nothing has to change: what any key costs on this machine now. */
  readonly isAny?: true;
}
interface Timed extends Seen {
  readonly name: string;
  readonly since: 'keydown' | 'pointerdown' | 'change' | 'now';
  /** Pixels from the top of the list. */
  readonly scroll?: number;
  /** An address to go to within the application. */
  readonly go?: string;
}
type Taken = Map<string, number[]>;

/** In the page: milliseconds from an event to the frame after the one in which something else is seen. */
const TIMING = `
  const look = ({ selector, attribute }) => {
    const found = document.querySelector(selector);
    return found && (attribute ? found.getAttribute(attribute) : found.textContent);
  };
  const painted = () => new Promise((done) => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => done(performance.now());
    port2.postMessage(0);
  }));
  const until = async (isSo) => {
    const end = performance.now() + 60000;
    while (!isSo()) {
      if (performance.now() > end) throw new Error('Nothing else is seen after a minute.');
      await new Promise((next) => requestAnimationFrame(next));
    }
    return painted();
  };
  globalThis.paintedWhen = until;
  globalThis.paintedAt = (selector) => until(() => document.querySelector(selector));
  globalThis.beginTimed = (asked) => {
    const before = look(asked);
    const isSeen = (now) => asked.isAny ? true : asked.isGone ? !now : now && now !== before;
    let since;
    globalThis.timing = new Promise((done, fail) => {
      const begin = (at) => {
        since = at;
        until(() => isSeen(look(asked))).then((end) => done(end - since), fail);
      };
      if (asked.since === 'now') {
        begin(performance.now());
        if (asked.scroll !== undefined) document.querySelector('.gap-rows').scrollTo(0, asked.scroll);
        if (asked.go !== undefined) history.pushState(null, '', asked.go);
      } else addEventListener(asked.since, (event) => begin(event.timeStamp), { capture: true, once: true });
    });
    globalThis.timing.catch(() => undefined);
  };
`;

async function timed(taken: Taken, page: Page, asked: Timed, act: () => Promise<unknown>): Promise<void> {
  await page.evaluate(`beginTimed(${JSON.stringify(asked)})`);
  await act();
  const milliseconds = await page.evaluate<number>('timing').catch((error: unknown) => {
    throw new Error(`${asked.name}: ${String(error)}`);
  });
  taken.set(asked.name, [...(taken.get(asked.name) ?? []), milliseconds]);
  // What follows (facets, the panel's other parts) is not what is measured next.
  await page.waitForTimeout(SETTLED_MILLISECONDS);
}

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
const ms = (value: number): string => `${value.toFixed(0)} ms`;
const figuresOf = (taken: Taken): (readonly (string | number)[])[] =>
  [...taken].map(([name, all]) => {
    const sorted = all.toSorted((a, b) => a - b);
    return [name, all.length, ms(at(sorted, 0.5)), ms(at(sorted, 0.95)), ms(at(sorted, 1))];
  });

/** As a table of docs/benchmarks.md. */
function tell(title: string, head: readonly string[], rows: readonly (readonly (string | number)[])[]): void {
  const line = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;
  console.log([`\n### ${title}\n`, line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n'));
}

/** Below a workspace. */
const OPENED_FIRST = [
  ...['', '/gaps', '/documents', '/standards', '/standards/library', '/checklists', '/runs', '/runs/compare'],
  ...['/trace', '/trace/matrix', '/trace/columns', '/trace/grid', '/trace/artifacts', '/trace/links'],
  ...['/trace/proposals', '/reports', '/activity', '/decide', '/settings/members', '/settings/webhooks'],
  ...['/settings/templates', '/settings/checklists', '/settings/retention', '/settings/audit', '/settings'],
];

/** What people press, with what leads to other screens. */
const KEYS = [
  ...['j', 'j', 'j', 'k', 'x', 'Shift+j', 'Space', 'Enter', 'Escape', 'Escape', 'Tab', 'Tab', 'Shift+Tab'],
  ...['g', 'o', 'g', 'g', 'd', 's', 't', 'c', 'r', '?', '/', 'Control+k', 'n', 'p', 'z', '[', ']'],
  ...['1', '2', '3', 'm', 'a', 'ArrowDown', 'ArrowUp', 'PageDown', 'End', 'Home', 'y', 'v', '+', '-'],
];

/** Numbers between 0 and 1, the same ones for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** In the page: nothing waits for longer than `KEPT_MILLISECONDS`, what was read neither. */
const FORGETS_SOON = `
  const later = globalThis.setTimeout;
  globalThis.setTimeout = (act, delay, ...rest) => later(act, Math.min(delay ?? 0, ${KEPT_MILLISECONDS}), ...rest);
`;

interface Heap {
  readonly minute: number;
  /** Of objects, functions and texts after a collection. */
  readonly kept: number;
  /** The whole heap: with compiled code, and with what the browser notes for its tools (each answer, long tasks). */
  readonly bytes: number;
  readonly elements: number;
  /** In the document: those of equal looks are nearly as many. */
  readonly shown: number;
  readonly listeners: number;
}

const goWithin = (page: Page, path: string): Promise<unknown> =>
  page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)})`);

/** What is in use on the same screen in the same state, after what is not kept was collected. */
async function heapOf(page: Page, devtools: CDPSession, home: string): Promise<Omit<Heap, 'minute'>> {
  // No dialog is left open over it.
  for (let at = 0; at < 3; at++) await page.keyboard.press('Escape');
  // By way of another screen: a look at the one where a walk has ended is no other look than one that came from afar. What
  // settings show depends least on what the walk did.
  for (const path of [`${home}/standards`, `${home}/settings`]) {
    await goWithin(page, path);
    await page.getByRole('heading', { level: 1 }).first().waitFor(SOON);
    await expect.poll(() => page.locator('.skeleton').count(), SOON).toBe(0);
    await page.waitForTimeout(SETTLED_MILLISECONDS);
  }
  await page.evaluate(
    `(document.activeElement?.blur(), document.querySelector('main')?.scrollTo(0, 0), scrollTo(0, 0))`,
  );
  await page.waitForTimeout(KEPT_MILLISECONDS + 2_000);
  const shownNow = () => page.evaluate<number>("document.querySelectorAll('*').length");
  for (let still = 0, before = -1; still < 4; await page.waitForTimeout(500)) {
    const now = await shownNow();
    still = now === before ? still + 1 : 0;
    before = now;
  }
  for (let at = 0; at < 2; at++) await devtools.send('HeapProfiler.collectGarbage');
  const { usedSize: bytes } = await devtools.send('Runtime.getHeapUsage');
  const { metrics } = await devtools.send('Performance.getMetrics');
  const metric = (name: string): number => metrics.find((one) => one.name === name)?.value ?? 0;
  const shown = await shownNow();
  const kept = await keptBytes(devtools);
  return { kept, bytes, elements: metric('Nodes'), shown, listeners: metric('JSEventListeners') };
}

const OF_THE_PAGE: ReadonlySet<string> = new Set([
  'object',
  'closure',
  'array',
  'string',
  'concatenated string',
  'sliced string',
  'regexp',
  'number',
  'symbol',
  'bigint',
]);

/** Bytes of what programs of the page made and keep, by a snapshot of the heap. */
async function keptBytes(devtools: CDPSession): Promise<number> {
  const chunks: string[] = [];
  const add = ({ chunk }: { readonly chunk: string }): void => void chunks.push(chunk);
  devtools.on('HeapProfiler.addHeapSnapshotChunk', add);
  await devtools.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  devtools.off('HeapProfiler.addHeapSnapshotChunk', add);
  const { snapshot, nodes } = JSON.parse(chunks.join('')) as {
    readonly snapshot: {
      readonly meta: {
        readonly node_fields: readonly string[];
        readonly node_types: readonly [readonly string[]];
      };
    };
    readonly nodes: readonly number[];
  };
  const { node_fields: fields, node_types: types } = snapshot.meta;
  const [type, size] = [fields.indexOf('type'), fields.indexOf('self_size')];
  let bytes = 0;
  for (let at = 0; at < nodes.length; at += fields.length) {
    if (OF_THE_PAGE.has(types[0][nodes[at + type]!]!)) bytes += nodes[at + size]!;
  }
  return bytes;
}

/** Growth in shares of the middle figure a minute, by least squares over pairs of a minute and a figure. */
function slopeOf(looks: readonly (readonly [minute: number, figure: number])[]): number {
  const middle = (values: readonly number[]): number =>
    values.reduce((sum, one) => sum + one, 0) / values.length;
  const minute = middle(looks.map(([at]) => at));
  const figure = middle(looks.map(([, one]) => one));
  const over = looks.reduce((sum, [at, one]) => sum + (at - minute) * (one - figure), 0);
  const under = looks.reduce((sum, [at]) => sum + (at - minute) ** 2, 0);
  return under === 0 ? 0 : over / under / figure;
}
