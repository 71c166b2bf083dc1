import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** The real service, started for a bench. */
export interface Service {
  readonly url: string;
  readonly directory: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** What the service logs of a job that ended well. */
export interface JobDone {
  readonly job: string;
  readonly analysisId?: string;
  readonly milliseconds: number;
}

/**
 * Starts the real service with its embedded database in a directory of its own; no limit on the rate.
 * @param onJob Called for every job that ended well.
 */
export async function startService(onJob?: (job: JobDone) => void): Promise<Service> {
  const directory = await mkdtemp(join(tmpdir(), 'normtrace-bench-'));
  const port = await freePort();
  const entry = fileURLToPath(new URL('../../server/dist/start/all.js', import.meta.url));
  const child = spawn(process.execPath, [entry], {
    stdio: ['ignore', 'ignore', onJob ? 'pipe' : 'inherit'],
    env: {
      ...process.env,
      DATA_DIR: directory,
      PORT: String(port),
      LOG_LEVEL: onJob ? 'info' : 'error',
      RATE_LIMIT_PER_MINUTE: '1000000',
      RATE_LIMIT_BURST: '1000000',
      // The longest bench takes an hour and its token does.
      ACCESS_TOKEN_EXPIRE_MINUTES: '120',
      DATABASE_URL: undefined,
    },
  });
  if (onJob && child.stderr) readLog(child.stderr, onJob);
  const url = `http://127.0.0.1:${port}`;
  await ready(url, child);
  return {
    url,
    directory,
    pid: child.pid!,
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
      await rm(directory, { recursive: true, force: true });
    },
  };
}

function readLog(log: NodeJS.ReadableStream, onJob: (job: JobDone) => void): void {
  createInterface({ input: log }).on('line', (line) => {
    if (!line.startsWith('{')) return;
    const entry = JSON.parse(line) as JobDone & { readonly msg: string; readonly level: number };
    if (entry.msg === 'job done') onJob(entry);
    else if (entry.level >= 50) process.stderr.write(`${line}\n`);
  });
}

async function ready(url: string, child: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 3000; attempt++) {
    if (child.exitCode !== null) throw new Error('the service ended before it was ready');
    const answer = await fetch(`${url}/health/ready`).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('the service was not ready within five minutes');
}

/** A new account; gives back what its requests need. */
export async function signUp(url: string): Promise<{ readonly token: string; readonly userId: string }> {
  const email = 'bench@normtrace.example';
  const account = await post<{ access_token: string; user_id: string }>(`${url}/api/v1/auth/sign-up`, {
    email,
    password: 'a long enough pass phrase 17',
    name: 'Bench',
  });
  const token = account.access_token;
  await post(`${url}/api/v1/auth/sync`, { id: account.user_id, email, name: 'Bench' }, token);
  return { token, userId: account.user_id };
}

export async function post<Answer>(url: string, body: unknown, token?: string): Promise<Answer> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`POST ${url} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Answer;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
