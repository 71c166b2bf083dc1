import { mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { DatabaseConnections } from '../database/connections.js';
import { findBinaries } from './binaries.js';
import { clusterDirectory, connectionsTo, type Endpoint, ensureCluster, prepareDatabase } from './cluster.js';
import { lockDirectory } from './lock.js';
import { findRunAs } from './run-as.js';
import { type ServerProcess, type ServerSettings, startServer, stopLeftover } from './server-process.js';

export interface EmbeddedPostgres {
  readonly connections: DatabaseConnections;
  /** Ends the server and gives the data directory back. */
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  readonly dataDirectory: string;
  readonly log: Logger;
  /** Called when the server ended by itself and could not be brought back. */
  readonly onLost: (error: Error) => void;
  /** Further settings of PostgreSQL; tests turn off what makes it durable. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** Longest path of a Unix socket, the closing zero excluded: 103 bytes on macOS, 107 on Linux. */
const SOCKET_PATH_BYTES = 103;
const STOP_MILLISECONDS = 1_500;
const RESTART_MILLISECONDS = 60_000;

/**
 * Starts the PostgreSQL of this installation in `dataDirectory`: makes the cluster on the first start, recovers after
 * a crash, and brings the server back when it ends by itself. It dies with this process. Reachable only from this
 * machine: over a Unix socket in its own directory, or on 127.0.0.1 where the path is too long for one.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const dataDirectory = resolve(options.dataDirectory);
  mkdirSync(dataDirectory, { recursive: true, mode: 0o700 });
  const unlock = lockDirectory(dataDirectory);
  try {
    const directory = clusterDirectory(dataDirectory);
    const binaries = findBinaries();
    const runAs = findRunAs(binaries.postgres, directory);
    const credentials = ensureCluster(dataDirectory, binaries, runAs);
    await stopLeftover(directory);
    const server: ServerSettings = {
      binaries,
      runAs,
      directory,
      logFile: join(dataDirectory, 'postgres.log'),
      endpoint: await chooseEndpoint(directory),
      settings: options.settings ?? {},
    };
    const supervised = supervise(server, await startServer(server), options);
    try {
      await prepareDatabase(server.endpoint, credentials);
    } catch (error) {
      await supervised.stop();
      throw error;
    }
    return {
      connections: connectionsTo(server.endpoint, credentials),
      stop: async () => {
        await supervised.stop();
        unlock();
      },
    };
  } catch (error) {
    unlock();
    throw error;
  }
}

function supervise(
  server: ServerSettings,
  first: ServerProcess,
  { log, onLost }: EmbeddedPostgresOptions,
): { stop(): Promise<void> } {
  let current = first;
  let stopping = false;

  const watch = async (): Promise<void> => {
    await current.ended;
    if (stopping) return;
    log.error({ pid: current.pid }, 'PostgreSQL ended by itself; starting it again');
    const restarted = await restart();
    if (!restarted) return;
    current = restarted;
    log.info({ pid: current.pid }, 'PostgreSQL is back');
    if (stopping) await current.stop(STOP_MILLISECONDS);
    else watching = watch();
  };
  const restart = async (): Promise<ServerProcess | undefined> => {
    const deadline = Date.now() + RESTART_MILLISECONDS;
    while (!stopping) {
      try {
        return await startServer(server);
      } catch (error) {
        // Processes of the server that ended need a moment to notice, and hold its memory until then.
        if (Date.now() > deadline) {
          onLost(error as Error);
          return undefined;
        }
        await delay(100);
      }
    }
    return undefined;
  };

  let watching = watch();
  return {
    stop: async () => {
      stopping = true;
      await current.stop(STOP_MILLISECONDS);
      await watching;
    },
  };
}

async function chooseEndpoint(directory: string): Promise<Endpoint> {
  const port = 5432;
  if (Buffer.byteLength(join(directory, `.s.PGSQL.${port}.lock`)) <= SOCKET_PATH_BYTES)
    return { host: directory, port };
  return { host: '127.0.0.1', port: await freePort() };
}

function freePort(): Promise<number> {
  return new Promise((resolvePort, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() =>
        typeof address === 'object' && address
          ? resolvePort(address.port)
          : reject(new Error('No free port.')),
      );
    });
  });
}
