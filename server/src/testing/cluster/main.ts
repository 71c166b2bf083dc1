// The tests that speak HTTP, on an installation as a company has it: PostgreSQL and S3 of its own, and several processes.
// Arguments go to vitest; without a file among them, every test that asks the service.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { missingForSwift } from '../swift-server.js';
import { findPostgres, startPostgres } from './postgres.js';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const TESTS = join(ROOT, 'server/dist');

const missing = missingForSwift();
if (missing.length > 0) {
  console.error(
    'An S3 server is missing that checks signatures. Install the Debian packages swift-proxy swift-account ' +
      `swift-container swift-object memcached. Missing here: ${missing.join(', ')}`,
  );
  process.exit(1);
}
const isGiven = Boolean(process.env.DATABASE_URL);
const binaries = isGiven ? undefined : findPostgres();
if (!isGiven && binaries === undefined) {
  console.error('There is no PostgreSQL. Install the Debian package postgresql, or set DATABASE_URL.');
  process.exit(1);
}
const postgres =
  binaries === undefined ? undefined : await startPostgres(binaries, randomBytes(12).toString('hex'));
const wanted = process.argv.slice(2);
const files = wanted.some((word) => !word.startsWith('-')) ? [] : testsOverHttp();
let vitest: ChildProcess | undefined;
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => vitest?.kill(signal));
try {
  vitest = spawn(join(ROOT, 'node_modules/.bin/vitest'), ['run', ...wanted, ...files], {
    cwd: ROOT,
    stdio: 'inherit',
    env: {
      TEST_APIS: '2',
      TEST_WORKERS: '2',
      TEST_STORAGE: 's3',
      ...process.env,
      ...(postgres && { DATABASE_URL: postgres.url }),
    },
  });
  process.exitCode = await new Promise<number>((done) => vitest?.once('close', (code) => done(code ?? 1)));
} finally {
  await postgres?.stop();
  if (postgres) await rm(postgres.directory, { recursive: true, force: true });
}

/** Test files that start the application, and those of its processes. */
function testsOverHttp(): string[] {
  return readdirSync(TESTS, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.js'))
    .map((path) => join(TESTS, path))
    .filter(
      (path) =>
        path.endsWith('separate-processes.test.js') || readFileSync(path, 'utf8').includes('/test-app.js'),
    );
}
