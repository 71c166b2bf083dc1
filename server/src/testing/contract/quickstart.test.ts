import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../test-app.js';
import { createTestDatabase, type TestDatabase } from '../test-database.js';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const HAS_CURL = ['sh', 'curl'].every((name) => spawnSync(name, ['--version']).error === undefined);

let database: TestDatabase;
let app: TestApp;

beforeAll(async () => {
  database = await createTestDatabase();
  app = await startTestApp(database, { work: true, environment: { EMBEDDINGS: 'off' } });
});
afterAll(async () => {
  await app?.stop();
  await database?.stop();
});

/** The commands of a text under the heading, as somebody would copy them. */
const commandsIn = (text: string): string =>
  /## From nothing to the first gap\n.*?```sh\n(.*?)```/s.exec(text)?.[1] ?? '';

describe('from nothing to the first gap', () => {
  it('is told by README and by the description with the same commands', async () => {
    const { body } = await app.anyone.request('GET', '/openapi.json');
    const told = commandsIn((body as { info: { description: string } }).info.description);
    expect(told).toContain('curl');
    expect(commandsIn(readFileSync(`${ROOT}README.md`, 'utf8'))).toBe(told);
  });

  it('works as it stands there', async () => {
    if (!HAS_CURL) {
      console.warn('skipped: there is no sh or no curl to run the first commands of README with');
      return;
    }
    const commands = commandsIn(readFileSync(`${ROOT}README.md`, 'utf8'));
    const { stdout } = await promisify(execFile)('sh', ['-eu', '-c', commands], {
      cwd: ROOT,
      env: { PATH: process.env.PATH, API: `${app.address}/api/v1` },
      timeout: 90_000,
    });
    const { items, total } = JSON.parse(stdout);
    expect(total).toBeGreaterThan(5);
    expect(items).toEqual([
      expect.objectContaining({
        severity: expect.stringMatching(/critical|high/),
        title: expect.any(String),
      }),
    ]);
  }, 120_000);
});
