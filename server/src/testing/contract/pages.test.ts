import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../test-app.js';
import { createTestDatabase, type TestDatabase } from '../test-database.js';

let database: TestDatabase;
let app: TestApp;

beforeAll(async () => {
  database = await createTestDatabase();
  app = await startTestApp(database);
});
afterAll(async () => {
  await app?.stop();
  await database?.stop();
});

const get = (path: string) => app.anyone.request('GET', path);
const ADDRESS = /(?:src|href|spec-url)="([^"]+)"/g;
/** Names of things, not addresses that a browser asks for. */
const NAMES = /http:\/\/www\.w3\.org\/\S*/g;

describe.each(['/', '/docs', '/redoc'])('the page at %s', (path) => {
  it('asks nobody but our own host, and its policy forbids everybody else', async () => {
    const page = await get(path);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(page.text).toContain('lang="en"');
    expect(page.text.replace(NAMES, '')).not.toMatch(/(https?:)?\/\/[a-z]/);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval/);

    const addresses = [...page.text.matchAll(ADDRESS)].map(([, address]) => address ?? '');
    expect(addresses.length).toBeGreaterThan(2);
    for (const address of addresses) {
      const { pathname } = new URL(address, `${app.address}${path}`);
      expect([pathname, (await get(pathname)).status]).toEqual([pathname, 200]);
    }
  });
});

const ownStyle = async (): Promise<string> =>
  /href="(\/assets\/[^"]+\.css)"/.exec((await get('/')).text)?.[1] ?? 'no style sheet';

describe('the application', () => {
  it('is answered at the addresses of its screens, and at no others', async () => {
    const { text } = await get('/');
    for (const path of ['/sign-in', '/sign-up', '/link', '/w/1', '/w/1/gaps/2', '/me/appearance']) {
      const answer = await get(path);
      expect([path, answer.status, answer.text]).toEqual([path, 200, text]);
      expect(answer.headers.get('cache-control')).toBe('no-cache');
    }
    for (const path of ['/api/v1/w/1', '/assets/none.js', '/.made-of', '/else']) {
      const answer = await get(path);
      expect([path, answer.status]).toEqual([path, 404]);
    }
  });

  it('has a policy without anything unsafe, and files that are kept for ever by their names', async () => {
    const page = await get('/');
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).not.toContain('unsafe');
    expect(policy).toContain("require-trusted-types-for 'script'; trusted-types 'none'");
    expect(page.text).not.toMatch(/<style|style=/);
    const files = [...page.text.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, file]) => file ?? '');
    expect(files.length).toBeGreaterThan(1);
    for (const file of files) {
      const answer = await app.anyone.request('GET', file, { headers: { 'accept-encoding': 'br' } });
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(answer.headers.get('content-encoding')).toBe('br');
    }
  });

  it('weighs what its first screen may weigh', async () => {
    const { text } = await get('/');
    const sizeOf = async (pattern: RegExp): Promise<number> => {
      const file = pattern.exec(text)?.[1] ?? '';
      const { headers } = await app.anyone.request('HEAD', file, { headers: { 'accept-encoding': 'br' } });
      return Number(headers.get('content-length'));
    };
    expect(await sizeOf(/src="(\/assets\/[^"]+\.js)"/)).toBeLessThan(190 * 1024);
    expect(await sizeOf(/href="(\/assets\/[^"]+\.css)"/)).toBeLessThan(20 * 1024);
  });
});

describe('the viewers', () => {
  it('show the committed description', async () => {
    const { body, status } = await get('/openapi.json');
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({ openapi: '3.1.0', paths: expect.anything() }),
    ]);
    expect((await get('/docs/json')).body).toEqual(body);
  });

  it('bring no logo or font from elsewhere', async () => {
    const script = await get('/redoc/redoc.standalone.js');
    expect(script.status).toBe(200);
    expect(script.text.length).toBeGreaterThan(500_000);
    expect(script.text).not.toContain('cdn.redoc');
    for (const path of ['/docs/static/index.css', '/docs/static/swagger-ui.css', await ownStyle()]) {
      const style = await get(path);
      expect(style.status).toBe(200);
      expect(style.text).not.toMatch(/url\(["']?https?:|@import/);
    }
  });
});
