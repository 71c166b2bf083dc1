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
    for (const path of ['/docs/static/index.css', '/docs/static/swagger-ui.css', '/style.css']) {
      const style = await get(path);
      expect(style.status).toBe(200);
      expect(style.text).not.toMatch(/url\(["']?https?:|@import/);
    }
  });
});
