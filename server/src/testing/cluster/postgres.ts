import { spawn, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { findRunAs } from '../../platform/embedded-postgres/run-as.js';
import { freePort } from '../service-process.js';

/** Where Debian's packages put their programs, which are not in the path. */
const DEBIAN = '/usr/lib/postgresql';

/** The folder with the programs of a PostgreSQL that is installed here, the newest of Debian's first. */
export function findPostgres(): string | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = versions.map((version) => join(DEBIAN, version, 'bin'));
  return [...folders, ...(process.env.PATH ?? '').split(delimiter)].find((folder) =>
    ['initdb', 'postgres'].every((program) => existsSync(join(folder, program))),
  );
}

/** A server that asks for a password at a port of 127.0.0.1, in a folder of its own that remains when it has stopped. */
export async function startPostgres(
  binaries: string,
  password: string,
): Promise<{ readonly url: string; readonly directory: string; stop(): Promise<void> }> {
  const directory = mkdtempSync(join(tmpdir(), 'normtrace-cluster-'));
  const [data, passwordFile] = [join(directory, 'data'), join(directory, 'password')];
  const { prefix, owner } = findRunAs(join(binaries, 'postgres'), directory);
  mkdirSync(data, { mode: 0o700 });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (owner !== undefined) for (const path of [directory, data, passwordFile]) chownSync(path, owner, owner);
  const user = 'normtrace_tests';
  const words = [...prefix, join(binaries, 'initdb'), '-D', data, '-U', user, `--pwfile=${passwordFile}`];
  const options = ['--auth=scram-sha-256', '--encoding=UTF8', '--locale=C.UTF-8', '--no-instructions'];
  const [initdb, ...rest] = [...words, ...options];
  const made = spawnSync(initdb!, rest, { encoding: 'utf8' });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  const port = await freePort();
  // Sixteen processes of a service have some ten connections each.
  const settings = { port, listen_addresses: '127.0.0.1', unix_socket_directories: '', max_connections: 400 };
  const [command, ...args] = [
    ...prefix,
    join(binaries, 'postgres'),
    '-D',
    data,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
  const server = spawn(command!, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  server.stderr.on('data', (bytes: Buffer) => (said = (said + bytes).slice(-4_000)));
  const ended = new Promise<void>((done) => server.once('close', () => done()));
  const url = `postgres://${user}:${password}@127.0.0.1:${port}/postgres`;
  while (!(await answers(url))) {
    if (server.exitCode !== null) throw new Error(`PostgreSQL did not start: ${said}`);
    await delay(100);
  }
  return {
    url,
    directory,
    stop: async () => {
      server.kill('SIGINT');
      await ended;
    },
  };
}

async function answers(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}
