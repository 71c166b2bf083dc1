import type { Page } from 'playwright-core';
import type { Client } from '../test-app.js';

/** Opens a session of somebody who has signed up, the way a page does it, and leaves the page on `path`. */
export async function signInBrowser(page: Page, origin: string, who: Client, path = '/'): Promise<void> {
  await page.goto(`${origin}/sign-in?to=${encodeURIComponent(path)}`);
  await page.locator('input[type="email"]').fill(who.email);
  await page.locator('input[type="password"]').fill('correct horse battery');
  await page.locator('button[type="submit"]').click();
  await page.waitForURL(origin + path);
}
