import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { onTestFinished, TestRunner } from 'vitest';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The Chromium of this machine: `CHROMIUM`, else the first of its names on the path; undefined where there is none. */
export function findChromium(): string | undefined {
  const { CHROMIUM: told, PATH = '' } = process.env;
  if (told) return told;
  return PATH.split(delimiter)
    .flatMap((folder) => NAMES.map((name) => join(folder, name)))
    .find((file) => existsSync(file));
}

export interface OpenPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** What a page must never do: break the policy, ask another host, write an error. Empty when all is well. */
  readonly faults: readonly string[];
}

/** A browser for tests of the application at `address`. Throws where there is none. */
export async function openBrowser(
  address: string,
  { pagesStay = false }: { readonly pagesStay?: boolean } = {},
): Promise<{
  /**
   * A page of a person of their own, until the end of the test: one that stays open asks for whatever later tests change. Until
   * the browser closes where `pagesStay`.
   */
  newPage(options?: Parameters<Browser['newContext']>[0]): Promise<OpenPage>;
  close(): Promise<void>;
}> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error('There is no Chromium on this machine.');
  // Without the sandbox: tests run as root in containers, and show nothing but our own pages.
  const browser = await chromium.launch({
    executablePath,
    // No other host is found: what a page asks of one is a fault and reaches nobody.
    args: [
      '--no-sandbox',
      '--disable-dev-shm-usage',
      `--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE ${new URL(address).hostname}`,
    ],
  });
  return {
    async newPage(options) {
      const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'Europe/Berlin', ...options });
      const faults: string[] = [];
      await context.exposeBinding('tellFault', (_source, fault: string) => void faults.push(fault));
      await context.addInitScript(() => {
        const told = globalThis as unknown as { tellFault(fault: string): void; document: EventTarget };
        told.document.addEventListener('securitypolicyviolation', (event) => {
          const { violatedDirective, blockedURI } = event as unknown as Record<string, string>;
          told.tellFault(`policy: ${violatedDirective} ${blockedURI}`);
        });
      });
      // Looked at and not held up on their way: a browser whose requests are held up keeps no file, and takes longer for each.
      context.on('request', (request) => {
        const { protocol, origin } = new URL(request.url());
        if (!['data:', 'blob:'].includes(protocol) && origin !== address)
          faults.push(`foreign: ${request.url()}`);
      });
      const page = await context.newPage();
      page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
      // One of a whole file closes with the browser.
      if (!pagesStay && TestRunner.getCurrentTest()) onTestFinished(() => context.close());
      return { page, context, faults };
    },
    close: () => browser.close(),
  };
}

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** What axe finds on the page as it is shown, one line each. */
export async function accessibilityProblems(page: Page): Promise<readonly string[]> {
  await page.evaluate(readFileSync(axe, 'utf8'));
  // Halfway between two colours nothing has the contrast of either. What never ends is not waited for.
  await page.evaluate<void>(
    `Promise.allSettled(document.getAnimations().filter((one) => Number.isFinite(one.effect?.getComputedTiming().endTime)).map((one) => one.finished)).then(() => {})`,
  );
  return page.evaluate(async (rules) => {
    const { axe: loaded } = globalThis as unknown as {
      axe: {
        run(options: object): Promise<{
          violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
        }>;
      };
    };
    const { violations } = await loaded.run({ runOnly: rules });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
    );
  }, RULES);
}
