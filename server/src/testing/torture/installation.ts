import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import type { DatabaseConnections } from '../../platform/database/connections.js';
import { migrate } from '../../platform/database/migrate.js';
import { startEmbeddedPostgres } from '../../platform/embedded-postgres/embedded-postgres.js';
import type { ErrorDescription } from '../../platform/queue/describe-error.js';
import { migrateQueue } from '../../platform/queue/queue-tables.js';
import { freePort, postmasterOf, type ServiceProcess, startService } from '../service-process.js';
import { addressOf } from '../test-server.js';

export type Victim = 'worker' | 'api' | 'postgres';

/** Several processes over one PostgreSQL, each of which may be killed and comes back. */
export interface Installation {
  readonly addresses: readonly string[];
  readonly connections: DatabaseConnections;
  /** With SIGKILL; false when it is not up. */
  killWorker(pid: number): boolean;
  killApi(address: string): boolean;
  killPostgres(): boolean;
  /** How often attempts at jobs ended with which error, by kind of job, error and place in our code. */
  readonly failures: ReadonlyMap<string, number>;
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
  const failures = new Map<string, number>();
  const keepUp = (entry: 'api' | 'worker', port: number) => {
    let current: ServiceProcess | undefined;
    const run = async (): Promise<void> => {
      while (!stopping) {
        current = await startService({ entry, port, dataDirectory: directory, environment });
        const { process } = current;
        if (process.exitCode === null && process.signalCode === null) {
          await new Promise((resolve) => process.once('exit', resolve));
        }
        for (const failure of failedAttempts(current.output())) {
          failures.set(failure, (failures.get(failure) ?? 0) + 1);
        }
        // It started while the database was away.
        if (process.signalCode === null) await delay(200);
      }
    };
    const running = run();
    return {
      pid: (): number | undefined => current?.process.pid,
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
    failures,
    killWorker: (pid) => kept.worker.find((one) => one.pid() === pid)?.kill() ?? false,
    killApi: (address) => kept.api[addresses.indexOf(address)]!.kill(),
    killPostgres: () => {
      if (lost[0]) throw lost[0];
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

/** What the log of a process says about attempts that failed. */
function failedAttempts(log: string): string[] {
  return log
    .split('\n')
    .filter((line) => line.includes('"job failed"'))
    .flatMap((line) => {
      try {
        const { job, error } = JSON.parse(line) as { job: string; error: ErrorDescription };
        const place = error.stack.split('\n').find((frame) => frame.includes('/server/dist/')) ?? '';
        return [`${job}: ${error.type} ${error.code ?? ''} ${place.replace(/^.*\/server\/dist\//, '')}`];
      } catch {
        return []; // The process was killed while it wrote the line.
      }
    });
}
