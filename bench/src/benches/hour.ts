import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { databaseOf } from '../database.js';
import { generateTrace } from '../generate-trace.js';
import { type Bench, type Figure, milliseconds, quantile } from '../measure.js';
import { post, type Service, signUp, startService } from '../service.js';
import { type Client, sendNew, uploadVersion } from '../upload.js';
import { writeTrace } from '../write-trace.js';

/** `BENCH_MINUTES=10` for a shorter look. */
const MINUTES = Number(process.env.BENCH_MINUTES ?? 60);
const WORKSPACES = 4;
const ARTIFACTS = 2_000;
const REQUESTS_PER_SECOND = 5;
/** Seconds between edited files, and between analyses. */
const EDIT_EVERY = 30;
const ANALYSE_EVERY = 60;

interface Sample {
  readonly minute: number;
  /** Resident memory of the service's own process. */
  readonly megabytes: number;
  /** Of the data directory, the log of the database (its write-ahead log) excepted. */
  readonly disk: number;
  readonly uploaded: number;
  readonly p99: number;
  /** By table with its indexes and long values, and by folder of the data directory. */
  readonly places: ReadonlyMap<string, number>;
}

interface Place extends Client {
  readonly service: Service;
  readonly workspaceId: string;
  readonly files: readonly { readonly id: string; readonly path: string }[];
}

/** Mixed load for an hour: what grows that should not. */
export const hour: Bench = {
  name: 'hour',
  about: `${MINUTES} minutes of mixed load on ${WORKSPACES} workspaces of ${ARTIFACTS.toLocaleString('en')} artifacts: ${REQUESTS_PER_SECOND} reads a second, a file edited every ${EDIT_EVERY} s, an analysis every ${ANALYSE_EVERY} s.`,
  onlyByName: true,
  async run({ log }) {
    const folder = await mkdtemp(join(tmpdir(), 'normtrace-bench-'));
    const service = await startService();
    try {
      const { token } = await signUp(service.url);
      const { paths } = await writeTrace(generateTrace(ARTIFACTS, { defects: 16 }), folder, ARTIFACTS / 8);
      const places: Place[] = [];
      for (let n = 0; n < WORKSPACES; n++)
        places.push(await fill({ url: service.url, token, service }, n, paths));
      log('filled');
      const samples = await load(service, places, log);
      return figuresOf(samples);
    } finally {
      await service.stop();
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function fill(
  client: Client & { readonly service: Service },
  number: number,
  paths: readonly string[],
): Promise<Place> {
  const body = { name: `Workspace ${number}` };
  const { id } = await post<{ id: string }>(`${client.url}/api/v1/workspaces`, body, client.token);
  const files: { id: string; path: string }[] = [];
  for (const path of paths) {
    const sent = await sendNew(client, id, { path, content: await readFile(path) });
    await sent.complete();
    files.push({ id: sent.id, path });
  }
  return { ...client, workspaceId: id, files };
}

async function load(
  service: Service,
  places: readonly Place[],
  log: (line: string) => void,
): Promise<readonly Sample[]> {
  const samples: Sample[] = [];
  const start = Date.now();
  let times: number[] = [];
  let uploaded = 0;
  let failed: unknown;
  const under = new Set<Promise<void>>();
  /** Beside each other: a slow answer holds nothing up. */
  const begin = (work: Promise<void>): void => {
    const one = work
      .catch((error: unknown) => {
        failed ??= error;
      })
      .finally(() => under.delete(one));
    under.add(one);
  };
  const ticks = MINUTES * 60 * REQUESTS_PER_SECOND;
  for (let tick = 1; tick <= ticks; tick++) {
    const place = places[tick % places.length]!;
    begin(milliseconds(() => read(place, tick)).then((time) => void times.push(time)));
    if (tick % (EDIT_EVERY * REQUESTS_PER_SECOND) === 0) {
      begin(
        edit(places, tick).then((bytes) => {
          uploaded += bytes;
        }),
      );
    }
    if (tick % (ANALYSE_EVERY * REQUESTS_PER_SECOND) === 0) begin(analyse(place));
    if (tick % (60 * REQUESTS_PER_SECOND) === 0) {
      const sample = {
        minute: tick / 60 / REQUESTS_PER_SECOND,
        megabytes: await megabytesOf(service.pid),
        disk: await bytesIn(service.directory),
        uploaded,
        p99: quantile(times, 0.99),
        places: new Map([
          ...(await bytesOfTables(service.directory)),
          ...(await bytesOfFolders(service.directory)),
        ]),
      };
      samples.push(sample);
      times = [];
      log(
        `minute ${sample.minute}: ${sample.megabytes.toFixed(0)} MB, p99 ${sample.p99.toFixed(0)} ms, ${(sample.disk / 1e6).toFixed(1)} MB on disk, ${(uploaded / 1e6).toFixed(1)} MB uploaded`,
      );
    }
    if (failed !== undefined) throw failed;
    await pause(Math.max(0, start + (tick * 1000) / REQUESTS_PER_SECOND - Date.now()));
  }
  await Promise.all(under);
  return samples;
}

async function read({ url, token, workspaceId, files }: Place, tick: number): Promise<void> {
  const paths = [
    `workspaces/${workspaceId}`,
    `analysis/gaps?workspace_id=${workspaceId}&limit=20`,
    `work-products?workspace_id=${workspaceId}&limit=20`,
    `traceability/matrix?workspace_id=${workspaceId}&limit=100`,
    `work-products/${files[tick % files.length]!.id}`,
  ];
  const at = paths[Math.floor(tick / WORKSPACES) % paths.length]!;
  const answer = await fetch(`${url}/api/v1/${at}`, { headers: { authorization: `Bearer ${token}` } });
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`${at} was answered ${answer.status}.`);
}

/** Bytes that were uploaded. */
async function edit(places: readonly Place[], tick: number): Promise<number> {
  const number = tick / REQUESTS_PER_SECOND / EDIT_EVERY;
  const place = places[number % places.length]!;
  const file = place.files[number % place.files.length]!;
  const content = Buffer.from(`${await readFile(file.path, 'utf8')}\n\nEdition ${number}.\n`);
  await uploadVersion(place, { ...file, content });
  return content.length;
}

async function analyse({ url, token, workspaceId }: Place): Promise<void> {
  await post(`${url}/api/v1/traceability/analyze`, { workspace_id: workspaceId, force: true }, token);
}

/** Linux; 0 elsewhere. */
async function megabytesOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024;
}

async function bytesIn(directory: string): Promise<number> {
  let sum = 0;
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.parentPath.includes('pg_wal')) continue;
    // Gone since the folder was read.
    sum += await stat(join(entry.parentPath, entry.name)).then(
      ({ size }) => size,
      () => 0,
    );
  }
  return sum;
}

async function bytesOfTables(directory: string): Promise<[string, number][]> {
  const client = new pg.Client({ ...(await databaseOf(directory, 'superuser')), database: 'normtrace' });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string; bytes: string }>(`
      select n.nspname || '.' || c.relname as name, pg_total_relation_size(c.oid) as bytes
      from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind in ('r', 'm')`);
    return rows.map(({ name, bytes }) => [name, Number(bytes)]);
  } finally {
    await client.end();
  }
}

async function bytesOfFolders(directory: string): Promise<[string, number][]> {
  const folders = await readdir(directory, { withFileTypes: true });
  return Promise.all(
    folders
      .filter((entry) => entry.isDirectory() && entry.name !== 'postgres')
      .map(async ({ name }): Promise<[string, number]> => [`${name}/`, await bytesIn(join(directory, name))]),
  );
}

/** What grew most, in one line. */
function growth(begin: Sample, end: Sample): string {
  return [...end.places]
    .map(([name, bytes]) => ({ name, grown: bytes - (begin.places.get(name) ?? 0) }))
    .filter(({ grown }) => Math.abs(grown) >= 50_000)
    .sort((a, b) => b.grown - a.grown)
    .map(({ name, grown }) => `${name} ${(grown / 1e6).toFixed(1)}`)
    .join(', ');
}

/** The first quarter warms up; slopes are those of the rest. */
function figuresOf(samples: readonly Sample[]): Figure[] {
  const settled = samples.slice(Math.floor(samples.length / 4));
  const tenth = Math.max(1, Math.floor(settled.length / 5));
  const mean = (part: readonly Sample[], value: (one: Sample) => number): number =>
    part.reduce((sum, one) => sum + value(one), 0) / part.length;
  const [first, last] = [settled.slice(0, tenth), settled.slice(-tenth)];
  const slope = slopeOf(settled.map(({ minute, megabytes }) => [minute, megabytes]));
  const level = mean(settled, ({ megabytes }) => megabytes);
  const [begin, end] = [settled[0]!, settled.at(-1)!];
  const grown = end.disk - begin.disk;
  const uploaded = end.uploaded - begin.uploaded;
  const [before, after] = [mean(first, ({ p99 }) => p99), mean(last, ({ p99 }) => p99)];
  return [
    {
      name: `memory of the service over ${settled.length} minutes`,
      value: `${((100 * slope * 60) / level).toFixed(1)} % an hour`,
      goal: '≤ 1 %',
      note: `${mean(first, ({ megabytes }) => megabytes).toFixed(0)} MB, then ${mean(last, ({ megabytes }) => megabytes).toFixed(0)} MB; the straight line through all minutes`,
    },
    {
      name: 'p99 of reads',
      value: `${after.toFixed(0)} ms at the end`,
      peer: `${before.toFixed(0)} ms at the start`,
      ratio: after / before,
      goal: '≤ 1.2 ×',
      note: 'mean of the p99 of each minute',
    },
    {
      name: 'disk',
      value: `${(grown / 1e6).toFixed(1)} MB more`,
      peer: `${(uploaded / 1e6).toFixed(1)} MB uploaded`,
      ratio: grown / uploaded,
      note: `the write-ahead log excepted; MB by place: ${growth(begin, end)}`,
    },
  ];
}

/** Least squares. */
function slopeOf(points: readonly (readonly [number, number])[]): number {
  const middle = (at: 0 | 1): number => points.reduce((sum, point) => sum + point[at], 0) / points.length;
  const [x, y] = [middle(0), middle(1)];
  const over = points.reduce((sum, [px, py]) => sum + (px - x) * (py - y), 0);
  return over / points.reduce((sum, [px]) => sum + (px - x) ** 2, 0);
}
