import type { Page } from 'playwright-core';
import { insertSession } from '../../modules/auth/sessions.repository.js';
import { cookieHash, newCookieSecret, sessionCookie } from '../../platform/identity/session-cookie.js';
import type { Client, TestApp } from '../test-app.js';

/**
 * A session of somebody who has signed up, as a sign-in in a browser leaves it, without the password and its hash; with a
 * `path` the page is left there. `application.test.ts` goes through the form.
 */
export async function signInBrowser(page: Page, app: TestApp, who: Client, path?: string): Promise<void> {
  const { configuration, database } = app.dependencies;
  const secret = newCookieSecret();
  const now = Date.now();
  await database.asSystem('a session for a test in a browser', (transaction) =>
    insertSession(transaction, {
      userId: who.userId,
      startedAt: new Date(now),
      expiresAt: new Date(now + 24 * 3_600_000),
      address: '127.0.0.1',
      userAgent: 'Chromium of a test',
      cookieHash: cookieHash(secret) ?? null,
    }),
  );
  const [pair = ''] = sessionCookie(configuration).set(secret).split(';');
  const [name = '', value = ''] = pair.split('=');
  const cookie = { name, value, url: app.address, httpOnly: true, sameSite: 'Strict' as const };
  await page.context().addCookies([cookie]);
  if (path !== undefined) await page.goto(app.address + path);
}
