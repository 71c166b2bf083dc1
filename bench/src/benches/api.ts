import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { databaseOf } from '../database.js';
import { type Bench, BenchSkipped, type Figure, median } from '../measure.js';
import { processorSeconds } from '../processor-seconds.js';
import { post, type Service, signUp, startService } from '../service.js';

const run = promisify(execFile);
const SECONDS = 4;
const ROUNDS = 3;
const CONNECTIONS = 8;
const LISTED = 200;

const COLUMNS = 'id, name, description, owner_id, phase, tailored_out, created_at, updated_at';

/** What is read, over HTTP and by the bare statement. */
interface Read {
  readonly name: string;
  readonly path: string;
  readonly statement: string;
  readonly goal: string;
}

/** Reads through HTTP, token and row-level security, beside what the same rows cost those who do less. */
export const api: Bench = {
  name: 'api',
  about: `Reads with a token under row-level security over ${CONNECTIONS} connections, in turn with the same rows, role and policies by pgbench (scope and read in one round trip) on as many connections, by pgbench with one client, and by a bare Fastify with the same statement and nothing else: no token, limit, schema, tag or headers.`,
  async run({ log }) {
    for (const tool of ['wrk', 'pgbench']) await requireTool(tool);
    const service = await startService();
    try {
      const { token, userId, workspaceId } = await fill(service.url, log);
      const reads: readonly Read[] = [
        {
          name: 'point read: GET /workspaces/{id}',
          path: `/workspaces/${workspaceId}`,
          statement: `select ${COLUMNS} from workspaces where id = '${workspaceId}'`,
          goal: '≥ 0.42 × pgbench',
        },
        {
          name: `list read: GET /workspaces?limit=20 of ${LISTED}`,
          path: '/workspaces?limit=20',
          statement: `select ${COLUMNS}, count(*) over () from workspaces order by created_at desc, id desc limit 20`,
          goal: '≥ 0.40 × pgbench',
        },
      ];
      const figures: Figure[] = [];
      for (const read of reads) figures.push(...(await compare(read, { service, token, userId })));
      return figures;
    } finally {
      await service.stop();
    }
  },
};

async function compare(
  { name, path, statement, goal }: Read,
  { service, token, userId }: { readonly service: Service; readonly token: string; readonly userId: string },
): Promise<Figure[]> {
  const pgbench = await pgbenchOn(
    service.directory,
    `select set_config('app.user_id', '${userId}', true);\n${statement};`,
  );
  const bare = await startBare(service.directory, { userId, statement });
  try {
    const ways = {
      own: () => wrk(`${service.url}/api/v1${path}`, token),
      bare: () => wrk(bare.url),
      many: () => pgbench(CONNECTIONS),
      one: () => pgbench(1),
    };
    const rates = { own: [] as number[], bare: [] as number[], many: [] as number[], one: [] as number[] };
    await ways.own();
    await ways.bare();
    let processor = 0;
    for (let round = 0; round < ROUNDS; round++) {
      for (const way of ['own', 'bare', 'many', 'one'] as const) {
        const before = await processorSeconds(service.pid);
        const rate = await ways[way]();
        if (way === 'own')
          processor += ((await processorSeconds(service.pid)) - before) / rate / SECONDS / ROUNDS;
        rates[way].push(rate);
      }
    }
    const own = median(rates.own);
    const beside = (peer: string, way: readonly number[], more: Partial<Figure> = {}): Figure => ({
      name,
      value: `${Math.round(own)} requests/s`,
      peer: `${peer} ${Math.round(median(way))} reads/s`,
      ratio: own / median(way),
      ...more,
    });
    return [
      beside(`pgbench, ${CONNECTIONS} clients,`, rates.many, {
        goal,
        note: `${(processor * 1e6).toFixed(0)} µs of processor time a request in the process of the service`,
      }),
      beside('pgbench, one client,', rates.one),
      beside('bare Fastify', rates.bare),
    ];
  } finally {
    bare.stop();
  }
}

async function startBare(
  directory: string,
  { userId, statement }: { readonly userId: string; readonly statement: string },
): Promise<{ readonly url: string; stop(): void }> {
  const child = fork(fileURLToPath(new URL('../bare-server.js', import.meta.url)), [
    directory,
    userId,
    statement,
  ]);
  const [port] = (await once(child, 'message')) as [number];
  return { url: `http://127.0.0.1:${port}/`, stop: () => void child.kill() };
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
async function wrk(url: string, token?: string): Promise<number> {
  const { stdout } = await run('wrk', [
    '-t1',
    `-c${CONNECTIONS}`,
    `-d${SECONDS}s`,
    ...(token === undefined ? [] : ['-H', `Authorization: Bearer ${token}`]),
    url,
  ]);
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(`wrk met errors:\n${stdout}`);
  return Number(/Requests\/sec:\s*([\d.]+)/.exec(stdout)?.[1]);
}

/** Runs pgbench as the application role on the embedded database in `directory`. */
async function pgbenchOn(
  directory: string,
  statements: string,
): Promise<(clients: number) => Promise<number>> {
  const { host, port, user, password } = await databaseOf(directory, 'application');
  const script = join(directory, 'read.sql');
  await writeFile(script, `\\startpipeline\n${statements}\n\\endpipeline\n`);
  return async (clients) => {
    const { stdout } = await run(
      'pgbench',
      [
        '-n',
        '-M',
        'prepared',
        '-c',
        String(clients),
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
          PGHOST: host,
          PGPORT: String(port),
          PGUSER: user,
          PGPASSWORD: password,
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
