import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { postgresProcesses, postmasterOf } from '../../testing/service-process.js';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.js';

let home: string;
let running: EmbeddedPostgres[];

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'normtrace-embedded-'));
  running = [];
});
afterEach(async () => {
  for (const server of running) await server.stop();
  await rm(home, { recursive: true, force: true });
});

async function start(dataDirectory: string): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({
    dataDirectory,
    log: pino({ level: 'silent' }),
    onLost: (error) => {
      throw error;
    },
    settings: { fsync: 'off' },
  });
  running.push(server);
  return server;
}

async function stop(server: EmbeddedPostgres): Promise<void> {
  running = running.filter((other) => other !== server);
  await server.stop();
}

async function ask(connection: pg.ClientConfig, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(connection);
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}

it('lets nobody in without a password, and keeps its passwords to the owner of the directory', async () => {
  const { connections } = await start(home);
  const { mode } = await stat(join(home, 'credentials.json'));
  expect(mode & 0o777).toBe(0o600);
  const rules = await readFile(join(home, 'postgres/pg_hba.conf'), 'utf8');
  const methods = rules
    .split('\n')
    .filter((line) => /^(local|host)/.test(line))
    .map((line) => line.split(/\s+/).at(-1));
  expect(new Set(methods)).toEqual(new Set(['scram-sha-256']));
  await expect(ask({ ...connections.application, password: 'guess' }, 'select 1')).rejects.toThrow(
    /password/,
  );
  expect(await ask(connections.application, 'select current_user, session_user')).toEqual([
    { current_user: 'normtrace_app', session_user: 'normtrace_app' },
  ]);
});

it('compares and sorts text the same on every machine, in UTF-8 and UTC', async () => {
  const { connections } = await start(home);
  const rows = await ask(
    connections.application,
    `select datlocprovider, datlocale, pg_encoding_to_char(encoding) as encoding, current_setting('timezone') as zone,
       upper('ä') as upper
     from pg_database where datname = current_database()`,
  );
  expect(rows).toEqual([
    { datlocprovider: 'b', datlocale: 'C.UTF-8', encoding: 'UTF8', zone: 'UTC', upper: 'Ä' },
  ]);
});

it('listens on 127.0.0.1 alone where the path is too long for a socket', async () => {
  const { connections } = await start(join(home, 'd'.repeat(120)));
  expect(connections.application.host).toBe('127.0.0.1');
  expect(await ask(connections.migration, 'show listen_addresses')).toEqual([
    { listen_addresses: '127.0.0.1' },
  ]);
});

it('comes back when the process of a single connection is killed', async () => {
  const { connections } = await start(home);
  const postmaster = postmasterOf(home);
  const [row] = await ask(connections.migration, 'select pg_backend_pid() as pid').catch(() => []);
  expect(row).toBeDefined();
  const victim = new pg.Client(connections.migration);
  victim.on('error', () => undefined);
  await victim.connect();
  const { rows } = await victim.query<{ pid: number }>('select pg_backend_pid() as pid');
  process.kill(rows[0]!.pid, 'SIGKILL');
  await expect
    .poll(() => ask(connections.application, 'select 1 as one').catch(() => []), { timeout: 10_000 })
    .toEqual([{ one: 1 }]);
  expect(postmasterOf(home)).toBe(postmaster);
});

it('is started by one process at a time, and can be started after it', async () => {
  const first = await start(home);
  await expect(start(home)).rejects.toThrow(
    `Another process (${process.pid}) uses the data directory ${home}`,
  );
  await stop(first);
  expect(postgresProcesses(home)).toEqual([]);
  await start(home);
});

it('does not mistake another program for its server of before', async () => {
  await stop(await start(home));
  // As after a power cut, when the number has been given to somebody else since.
  await writeFile(
    join(home, 'postgres/postmaster.pid'),
    `${process.ppid}\n${home}/postgres\n1\n5432\n\n\n\nready\n`,
  );
  await writeFile(join(home, 'lock'), JSON.stringify({ pid: process.ppid, started: '1' }));
  const { connections } = await start(home);
  expect(await ask(connections.application, 'select 1 as one')).toEqual([{ one: 1 }]);
});

it('begins again when the first start was interrupted', async () => {
  await mkdir(join(home, 'postgres.new/base'), { recursive: true });
  await writeFile(join(home, 'credentials.json'), '{"superuser":"x"}');
  const { connections } = await start(home);
  expect(await ask(connections.application, 'select 1 as one')).toEqual([{ one: 1 }]);
});

it('explains a cluster of another version, and lost passwords', async () => {
  await stop(await start(home));
  const credentials = await readFile(join(home, 'credentials.json'), 'utf8');
  await rm(join(home, 'credentials.json'));
  await expect(start(home)).rejects.toThrow(/credentials\.json has to be restored/);
  for (const torn of ['', credentials.slice(0, 20), '{"superuser":""}']) {
    await writeFile(join(home, 'credentials.json'), torn);
    await expect(start(home)).rejects.toThrow(
      /credentials\.json is empty or damaged\. Put this file back from a backup/,
    );
  }
  await writeFile(join(home, 'credentials.json'), credentials);
  await writeFile(join(home, 'postgres/PG_VERSION'), '15\n');
  await expect(start(home)).rejects.toThrow(/was made by PostgreSQL 15, this version brings 18/);
});

it('keeps the content of statements out of its log', async () => {
  const { connections } = await start(home);
  await expect(ask(connections.application, `select 'the brake may fail'::integer`)).rejects.toThrow(/brake/);
  await expect(ask(connections.application, `select 'the brake may fail' from nowhere`)).rejects.toThrow(
    /nowhere/,
  );
  const log = await readFile(join(home, 'postgres.log'), 'utf8');
  expect(log).toContain('ready to accept connections');
  expect(log).not.toMatch(/brake|nowhere/);
});
