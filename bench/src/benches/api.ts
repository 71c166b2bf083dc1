import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Bench, BenchSkipped, type Figure, median } from '../measure.js';
import { post, signUp, startService } from '../service.js';

const run = promisify(execFile);
const SECONDS = 4;
const ROUNDS = 3;
const CONNECTIONS = 8;
const LISTED = 200;

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

async function fill(
  url: string,
  log: (line: string) => void,
): Promise<{ token: string; userId: string; workspaceId: string }> {
  const { token, userId } = await signUp(url);
  let workspaceId = '';
  for (let n = 1; n <= LISTED; n++) {
    const body = { name: `Workspace ${n}`, description: 'One of many, for measuring' };
    workspaceId = (await post<{ id: string }>(`${url}/api/v1/workspaces`, body, token)).id;
  }
  log(`${LISTED} workspaces made`);
  return { token, userId, workspaceId };
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
