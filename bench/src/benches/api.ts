import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Bench, BenchSkipped, type Figure, median } from '../measure.js';

const run = promisify(execFile);
const SECONDS = 4;
const ROUNDS = 3;
const CONNECTIONS = 8;
const LISTED = 200;

interface Service {
  readonly url: string;
  readonly directory: string;
  stop(): Promise<void>;
}

/** Reads through HTTP, token and row-level security, beside what pgbench reaches on the same rows and policies. */
export const api: Bench = {
  name: 'api',
  about: `Reads with a token under row-level security, ${CONNECTIONS} connections, beside pgbench's limit on the same rows, role and policies in the same run (pipelined: scope and read in one round trip).`,
  async run({ log }) {
    for (const tool of ['wrk', 'pgbench']) await requireTool(tool);
    const service = await startService();
    try {
      const { token, userId, workspaceId } = await fill(service.url, log);
      const pgbench = await pgbenchOn(service.directory);
      const point = await compare({
        name: 'point read: GET /workspaces/{id}',
        goal: '≥ 0.40 × pgbench',
        http: () => wrk(`${service.url}/api/v1/workspaces/${workspaceId}`, token),
        database: () =>
          pgbench(
            userId,
            `select id, name, description, owner_id, created_at, updated_at from workspaces where id = '${workspaceId}';`,
          ),
      });
      const list = await compare({
        name: `list read: GET /workspaces?limit=20 of ${LISTED}`,
        http: () => wrk(`${service.url}/api/v1/workspaces?limit=20`, token),
        database: () =>
          pgbench(
            userId,
            `select id, name, description, owner_id, created_at, updated_at, count(*) over () from workspaces order by created_at desc, id desc limit 20;`,
          ),
      });
      return [point, list];
    } finally {
      await service.stop();
    }
  },
};

async function compare(parts: {
  readonly name: string;
  readonly goal?: string;
  readonly http: () => Promise<number>;
  readonly database: () => Promise<number>;
}): Promise<Figure> {
  const { name, goal, http, database } = parts;
  await http();
  const own: number[] = [];
  const limit: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    own.push(await http());
    limit.push(await database());
  }
  const figure = {
    name,
    value: `${Math.round(median(own))} requests/s`,
    peer: `pgbench ${Math.round(median(limit))} reads/s`,
    ratio: median(own) / median(limit),
  };
  return goal === undefined ? figure : { ...figure, goal };
}

/** Starts the real service with its embedded database in a directory of its own; no limit on the rate. */
async function startService(): Promise<Service> {
  const directory = await mkdtemp(join(tmpdir(), 'normtrace-bench-'));
  const port = await freePort();
  const entry = fileURLToPath(new URL('../../../server/dist/start/all.js', import.meta.url));
  const child = spawn(process.execPath, [entry], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      DATA_DIR: directory,
      PORT: String(port),
      LOG_LEVEL: 'error',
      RATE_LIMIT_PER_MINUTE: '1000000',
      RATE_LIMIT_BURST: '1000000',
      DATABASE_URL: undefined,
    },
  });
  const url = `http://127.0.0.1:${port}`;
  await ready(url, child);
  return {
    url,
    directory,
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function ready(url: string, child: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    if (child.exitCode !== null) throw new Error('the service ended before it was ready');
    const answer = await fetch(`${url}/health/ready`).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('the service was not ready within a minute');
}

async function fill(
  url: string,
  log: (line: string) => void,
): Promise<{ token: string; userId: string; workspaceId: string }> {
  const email = 'bench@normtrace.example';
  const account = await post<{ access_token: string; user_id: string }>(`${url}/api/v1/auth/sign-up`, {
    email,
    password: 'a long enough pass phrase 17',
    name: 'Bench',
  });
  const token = account.access_token;
  await post(`${url}/api/v1/auth/sync`, { id: account.user_id, email, name: 'Bench' }, token);
  let workspaceId = '';
  for (let n = 1; n <= LISTED; n++) {
    const body = { name: `Workspace ${n}`, description: 'One of many, for measuring' };
    workspaceId = (await post<{ id: string }>(`${url}/api/v1/workspaces`, body, token)).id;
  }
  log(`${LISTED} workspaces made`);
  return { token, userId: account.user_id, workspaceId };
}

async function post<Answer>(url: string, body: unknown, token?: string): Promise<Answer> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`POST ${url} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Answer;
}

/** Requests a second; any answer but success is an error of the bench. */
async function wrk(url: string, token: string): Promise<number> {
  const { stdout } = await run('wrk', [
    '-t1',
    `-c${CONNECTIONS}`,
    `-d${SECONDS}s`,
    '-H',
    `Authorization: Bearer ${token}`,
    url,
  ]);
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(`wrk met errors:\n${stdout}`);
  return Number(/Requests\/sec:\s*([\d.]+)/.exec(stdout)?.[1]);
}

/** Runs pgbench as the application role on the embedded database in `directory`. */
async function pgbenchOn(directory: string): Promise<(userId: string, read: string) => Promise<number>> {
  const credentials = JSON.parse(await readFile(join(directory, 'credentials.json'), 'utf8')) as {
    application: string;
  };
  // Lines 4 to 6: port, directory of the Unix socket, address; the embedded server listens on one of the latter two.
  const [port, socket, address] = (await readFile(join(directory, 'postgres', 'postmaster.pid'), 'utf8'))
    .split('\n')
    .slice(3, 6)
    .map((line) => line.trim());
  const script = join(directory, 'read.sql');
  return async (userId, read) => {
    await writeFile(
      script,
      `\\startpipeline\nselect set_config('app.user_id', '${userId}', true);\n${read}\n\\endpipeline\n`,
    );
    const { stdout } = await run(
      'pgbench',
      [
        '-n',
        '-M',
        'prepared',
        '-c',
        String(CONNECTIONS),
        '-j',
        '1',
        '-T',
        String(SECONDS),
        '-f',
        script,
        'normtrace',
      ],
      {
        env: {
          ...process.env,
          PGHOST: socket || address,
          PGPORT: port,
          PGUSER: 'normtrace_app',
          PGPASSWORD: credentials.application,
        },
      },
    );
    return Number(/tps = ([\d.]+)/.exec(stdout)?.[1]);
  };
}

async function requireTool(name: string): Promise<void> {
  await run('sh', ['-c', `command -v ${name}`]).catch(() => {
    throw new BenchSkipped(`${name} is not installed`);
  });
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
