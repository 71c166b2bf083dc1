import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import type { DatabaseConnections } from '../../platform/database/connections.js';
import { migrate } from '../../platform/database/migrate.js';
import { startEmbeddedPostgres } from '../../platform/embedded-postgres/embedded-postgres.js';
import { migrateQueue } from '../../platform/queue/queue-tables.js';
import { freePort, postmasterOf, type ServiceProcess, startService } from '../service-process.js';
import { addressOf } from '../test-server.js';

export type Victim = 'worker' | 'api' | 'postgres';

/** Several processes over one PostgreSQL, each of which may be killed and comes back. */
export interface Installation {
  readonly addresses: readonly string[];
  readonly connections: DatabaseConnections;
  /** Kills one of the kind with SIGKILL, chosen by a number from 0 to 1; false when none is up. */
  kill(victim: Victim, chance: number): boolean;
  stop(): Promise<void>;
}

export async function startInstallation(
  directory: string,
  { apis, workers }: { readonly apis: number; readonly workers: number },
): Promise<Installation> {
  const log = pino({ level: 'silent' });
  const lost: Error[] = [];
  const postgres = await startEmbeddedPostgres({
    dataDirectory: directory,
    log,
    onLost: (error) => lost.push(error),
  });
  await migrate(postgres.connections);
  await migrateQueue(postgres.connections);
  const ports = await Promise.all(Array.from({ length: apis }, freePort));
  const addresses = ports.map((port) => `http://127.0.0.1:${port}`);
  const environment = {
    DATABASE_URL: addressOf(postgres.connections.migration),
    BASE_URL: addresses[0]!,
    EMBEDDINGS: 'off',
    WORKER_CONCURRENCY: '2',
    ACCESS_TOKEN_EXPIRE_MINUTES: '1440',
    LOG_LEVEL: 'warn',
  };
  let stopping = false;
  const keepUp = (entry: 'api' | 'worker', port: number) => {
    let current: ServiceProcess | undefined;
    const run = async (): Promise<void> => {
      while (!stopping) {
        current = await startService({ entry, port, dataDirectory: directory, environment });
        const { process } = current;
        if (process.exitCode === null && process.signalCode === null) {
          await new Promise((resolve) => process.once('exit', resolve));
        }
        // It started while the database was away.
        if (process.signalCode === null) await delay(200);
      }
    };
    const running = run();
    return {
      kill: (): boolean => current?.process.kill('SIGKILL') ?? false,
      end: async () => {
        current?.process.kill('SIGKILL');
        await running;
      },
    };
  };
  const kept = {
    api: ports.map((port) => keepUp('api', port)),
    worker: await Promise.all(
      Array.from({ length: workers }, async () => keepUp('worker', await freePort())),
    ),
  };
  return {
    addresses,
    connections: postgres.connections,
    kill: (victim, chance) => {
      if (lost[0]) throw lost[0];
      if (victim !== 'postgres') return kept[victim][Math.floor(chance * kept[victim].length)]!.kill();
      try {
        return process.kill(postmasterOf(directory), 'SIGKILL');
      } catch {
        // It was killed just now, and is not back.
        return false;
      }
    },
    stop: async () => {
      stopping = true;
      await Promise.all([...kept.api, ...kept.worker].map((one) => one.end()));
      await postgres.stop();
    },
  };
}
