import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** The real service, started as `npm start` starts it. */
export interface ServiceProcess {
  readonly baseUrl: string;
  readonly process: ChildProcess;
  /** Everything said so far, both streams. */
  output(): string;
  /** Resolves with the milliseconds since the start when the service says that it is ready; throws when it ends. */
  untilReady(): Promise<number>;
  /** Sends the signal; resolves with exit code and milliseconds. */
  end(signal: NodeJS.Signals): Promise<{ readonly code: number | null; readonly milliseconds: number }>;
}

export interface ServiceOptions {
  readonly dataDirectory: string;
  readonly entry?: 'all' | 'api' | 'worker' | 'migrate';
  readonly port?: number;
  readonly environment?: Readonly<Record<string, string>>;
  /** Words before the program, to run it as somebody else. */
  readonly prefix?: readonly string[];
  /** By `npm start` instead of by itself. */
  readonly byNpm?: boolean;
}

export async function startService(options: ServiceOptions): Promise<ServiceProcess> {
  const { dataDirectory, entry = 'all', prefix = [] } = options;
  const port = options.port ?? (await freePort());
  const main = fileURLToPath(new URL(`../start/${entry}.js`, import.meta.url));
  const started = performance.now();
  const [command, ...args] = options.byNpm ? ['npm', 'start'] : [...prefix, process.execPath, main];
  const child = spawn(command!, args, {
    cwd: options.byNpm ? fileURLToPath(new URL('../../../', import.meta.url)) : '/',
    env: {
      PATH: process.env.PATH,
      DATA_DIR: dataDirectory,
      PORT: String(port),
      RATE_LIMIT_PER_MINUTE: '1000000',
      RATE_LIMIT_BURST: '1000000',
      ...options.environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk));
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
  const baseUrl = `http://127.0.0.1:${port}`;

  return {
    baseUrl,
    process: child,
    output: () => output,
    untilReady: async () => {
      while (child.exitCode === null && child.signalCode === null) {
        if (await isReady(baseUrl)) return performance.now() - started;
        await delay(50);
      }
      throw new Error(`The service ended with ${child.exitCode ?? child.signalCode}: ${output}`);
    },
    end: async (signal) => {
      const told = performance.now();
      child.kill(signal);
      return { code: await exited, milliseconds: performance.now() - told };
    },
  };
}

export async function isReady(baseUrl: string): Promise<boolean> {
  try {
    return (await fetch(`${baseUrl}/health/ready`)).status === 200;
  } catch {
    return false;
  }
}

/** The processes of the embedded PostgreSQL in this data directory: they work in its cluster. */
export function postgresProcesses(dataDirectory: string): number[] {
  const cluster = join(realpathSync(dataDirectory), 'postgres');
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`) === cluster;
      } catch {
        return false;
      }
    });
}

/** The process that the others of a server are children of. */
export const postmasterOf = (dataDirectory: string): number =>
  Number(readFileSync(join(dataDirectory, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
