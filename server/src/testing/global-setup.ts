import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import type { TestProject } from 'vitest/node';
import { connectionsFromUrl, type DatabaseConnections } from '../platform/database/connections.js';
import { migrate } from '../platform/database/migrate.js';
import { startEmbeddedPostgres } from '../platform/embedded-postgres/embedded-postgres.js';
import { migrateQueue } from '../platform/queue/queue-tables.js';
import { type SwiftServer, startSwift } from './swift-server.js';
import { inDatabase, type TestServer } from './test-server.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Socket of the process that starts the database server on the first request. */
    readonly testServerSocket: string;
    /** A folder that the whole run shares, removed at its end. */
    readonly testFolder: string;
    /** The server that has the objects of test apps, with `TEST_STORAGE=s3`. */
    readonly testStorage: Omit<SwiftServer, 'stop'> | undefined;
  }
}

/**
 * For vitest: one database server for the whole run, started when the first test asks for one and stopped at the
 * end. Embedded PostgreSQL, or the server at `DATABASE_URL` when that is set. Its template database has every
 * migration; test files get copies of it.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), 'normtrace-test-'));
  let started: Promise<StartedServer> | undefined;
  const sockets = new Set<Socket>();
  const door = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    started ??= startServer(join(directory, 'data'));
    started.then(
      ({ server }) => socket.end(JSON.stringify({ server })),
      (error: Error) => socket.end(JSON.stringify({ error: error.message })),
    );
  });
  const path = join(directory, 'door');
  await new Promise<void>((resolve) => door.listen(path, resolve));
  project.provide('testServerSocket', path);
  project.provide('testFolder', directory);
  const swift = process.env.TEST_STORAGE === 's3' ? await startSwift() : undefined;
  project.provide('testStorage', swift && withoutStop(swift));

  return async () => {
    for (const socket of sockets) socket.destroy();
    door.close();
    await started?.then(({ stop }) => stop()).catch(() => undefined);
    await swift?.stop();
    await rm(directory, { recursive: true, force: true });
  };
}

/** What can be sent to another process. */
const withoutStop = ({ stop: _, ...server }: SwiftServer): Omit<SwiftServer, 'stop'> => server;

export interface StartedServer {
  readonly server: TestServer;
  stop(): Promise<void>;
}

/** A server with a template database that has every migration. */
export async function startServer(dataDirectory: string): Promise<StartedServer> {
  const url = process.env.DATABASE_URL;
  const template = `normtrace_template_${randomBytes(4).toString('hex')}`;
  if (url) {
    const connections = connectionsFromUrl(url, process.env.DATABASE_OWNER_URL);
    await prepareTemplate(connections, template);
    return {
      server: { connections, template },
      stop: async () => {
        await administer(connections, `drop database if exists ${template}_filled`);
        await administer(connections, `drop database if exists ${template}`);
      },
    };
  }
  const postgres = await startEmbeddedPostgres({
    dataDirectory,
    log: pino({ level: 'silent' }),
    onLost: (error) => {
      throw error;
    },
    // The data of a test does not have to survive a power cut.
    settings: { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' },
  });
  await prepareTemplate(postgres.connections, template);
  return { server: { connections: postgres.connections, template }, stop: postgres.stop };
}

async function prepareTemplate(connections: DatabaseConnections, template: string): Promise<void> {
  await administer(connections, `create database ${template}`);
  await migrate(inDatabase(connections, template));
  await migrateQueue(inDatabase(connections, template));
  // A single thing that isolation rests on, loosened or dropped: see `isolation/mutate.ts`.
  const mutation = process.env.TEST_DATABASE_MUTATION;
  if (mutation) await administer(inDatabase(connections, template), mutation);
}

async function administer(connections: DatabaseConnections, statement: string): Promise<void> {
  const client = new pg.Client(connections.migration);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
