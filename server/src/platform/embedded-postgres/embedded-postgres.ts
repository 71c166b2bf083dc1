import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import type { Logger } from 'pino';
import type { DatabaseConnections } from '../database/connections.js';
import { findBinaries } from './binaries.js';
import { clusterDirectory, connectionsTo, type Endpoint, ensureCluster, prepareDatabase } from './cluster.js';
import { SOCKET_PATH_BYTES } from './knock.js';
import { lockDirectory } from './lock.js';
import { findRunAs } from './run-as.js';
import { type ServerSettings, startServer } from './server-process.js';
import { type Supervised, supervise } from './supervise.js';

export interface EmbeddedPostgres {
  readonly connections: DatabaseConnections;
  /** Ends the server and gives the data directory back. */
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  readonly dataDirectory: string;
  readonly log: Logger;
  /** Called when the server ended by itself and could not be brought back, or the directory is somebody else's now. */
  readonly onLost: (error: Error) => void;
  /** Further settings of PostgreSQL; tests turn off what makes it durable. */
  readonly settings?: Readonly<Record<string, string>>;
}

/**
 * Starts the PostgreSQL of this installation in `dataDirectory`: makes the cluster on the first start, recovers after
 * a crash, and brings the server back when it ends by itself. It dies with this process. Reachable only from this
 * machine: over a Unix socket in its own directory, or on 127.0.0.1 where the path is too long for one.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const dataDirectory = resolve(options.dataDirectory);
  let supervised: Supervised | undefined;
  const lock = await lockDirectory(dataDirectory, {
    onWait: (sentence) => options.log.warn(sentence),
    onLost: async (error) => {
      await supervised?.abort();
      options.onLost(error);
    },
  });
  try {
    const directory = clusterDirectory(dataDirectory);
    const binaries = findBinaries();
    const runAs = findRunAs(binaries.postgres, directory);
    const credentials = ensureCluster(dataDirectory, binaries, runAs);
    const server: ServerSettings = {
      binaries,
      runAs,
      directory,
      logFile: join(dataDirectory, 'postgres.log'),
      descriptor: lock.descriptor,
      endpoint: await chooseEndpoint(directory),
      settings: options.settings ?? {},
    };
    supervised = supervise(server, await startServer(server, options), options);
    await prepareDatabase(server.endpoint, credentials);
    const { stop } = supervised;
    return {
      connections: connectionsTo(server.endpoint, credentials),
      stop: async () => {
        await stop();
        await lock.release();
      },
    };
  } catch (error) {
    await supervised?.stop();
    await lock.release();
    throw error;
  }
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
