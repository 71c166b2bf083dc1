import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { databaseOf } from '../database.js';
import { type Bench, BenchSkipped, type Figure, milliseconds } from '../measure.js';
import { post, type Service, signUp, startService } from '../service.js';
import { type Client, sendNew, uploadStandard } from '../upload.js';
import { listPdfFiles } from './pdf.js';

/** Of the folder with documents: what a person would have at a desk. */
const STANDARD = /riscv-spec/;
const DOCUMENTS = /riscv-|HDTN/;
const PATIENCE_MILLISECONDS = 900_000;

interface Place extends Client {
  readonly workspaceId: string;
  readonly standardId: string;
}

/** First gap analyses with the built-in model: the command line, and the service from the upload on. */
export const embeddings: Bench = {
  name: 'embeddings',
  about:
    'A gap analysis of an uploaded standard with the built-in model of embeddings, beside the same by words alone: the command line without and with what it kept, and the service from the upload on.',
  async run({ dataDirectory, log }) {
    if (!dataDirectory) throw new BenchSkipped('no folder with real documents was given (--data)');
    const files = await listPdfFiles(dataDirectory);
    const standard = files.find((file) => STANDARD.test(basename(file)));
    const documents = files.filter((file) => DOCUMENTS.test(basename(file)));
    if (!standard || documents.length === 0) throw new BenchSkipped('the folder has other documents');
    return [
      ...(await ofCommandLine(standard, documents, log)),
      ...(await ofService(standard, documents, log)),
    ];
  },
};

async function ofCommandLine(
  standard: string,
  documents: readonly string[],
  log: (line: string) => void,
): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'normtrace-bench-'));
  const analyse = (...more: readonly string[]): Promise<number> =>
    milliseconds(async () => {
      const entry = fileURLToPath(new URL('../../../engine/bin/normtrace.js', import.meta.url));
      const output = ['--format', 'json', '--output', join(folder, 'result.json')];
      const child = spawn(
        process.execPath,
        [entry, 'analyse', ...documents, '--standard', standard, ...output, ...more],
        { stdio: 'ignore' },
      );
      const [code] = await once(child, 'exit');
      if (code !== 0) throw new Error(`normtrace ended with ${code}.`);
    });
  try {
    const words = await analyse('--embeddings', 'off');
    const first = await analyse('--vectors', folder);
    const second = await analyse('--vectors', folder);
    log('command line measured');
    return [
      { ...figure('normtrace analyse, first run', first, words), goal: '≤ 30 s on two processors' },
      figure('normtrace analyse, second run', second, words),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function ofService(
  standard: string,
  documents: readonly string[],
  log: (line: string) => void,
): Promise<Figure[]> {
  const service = await startService();
  const database = new pg.Client({
    ...(await databaseOf(service.directory, 'superuser')),
    database: 'normtrace',
  });
  await database.connect();
  const waiting = async (): Promise<number> => {
    const { rows } = await database.query<{ many: number }>(
      'select count(*)::int as many from work_product_versions where vectors_wanted',
    );
    return rows[0]?.many ?? 0;
  };
  try {
    const place = await fill(service, standard, documents);
    log('read');
    const ahead = await milliseconds(() => until(async () => (await waiting()) === 0));
    log('vectors made');
    const first = await milliseconds(() => analyse(place, {}));
    await database.query('delete from embeddings');
    const without = await milliseconds(() => analyse(place, {}));
    const words = await milliseconds(() => analyse(place, { embeddings: false }));
    return [
      {
        name: 'service: vectors in the background, from the last document read',
        value: `${(ahead / 1000).toFixed(0)} s`,
        note: 'at a lower priority than everything else',
      },
      { ...figure('service: first run after that', first, words), goal: '≤ 30 s' },
      figure('service: a run that finds none', without, words),
    ];
  } finally {
    await database.end();
    await service.stop();
  }
}

const figure = (name: string, time: number, words: number): Figure => ({
  name,
  value: `${(time / 1000).toFixed(1)} s`,
  peer: `${(words / 1000).toFixed(1)} s by words alone`,
  ratio: time / words,
});

/** With the standard and the documents read. */
async function fill(service: Service, standard: string, documents: readonly string[]): Promise<Place> {
  const { url } = service;
  const { token } = await signUp(url);
  const { id: workspaceId } = await post<{ id: string }>(
    `${url}/api/v1/workspaces`,
    { name: 'Bench' },
    token,
  );
  const body = { workspace_id: workspaceId, name: 'Bench', version: '1' };
  const { id: standardId } = await post<{ id: string }>(`${url}/api/v1/standards`, body, token);
  const place = { url, token, workspaceId, standardId };
  await uploadStandard(place, standardId, { path: standard, content: await readFile(standard) });
  const ids: string[] = [];
  for (const path of documents) {
    const sent = await sendNew(place, workspaceId, { path, content: await readFile(path) });
    await sent.complete();
    ids.push(sent.id);
  }
  for (const path of [`standards/${standardId}`, ...ids.map((id) => `work-products/${id}`)])
    await until(async () =>
      ended((await read<{ processing_status: string }>(place, path)).processing_status),
    );
  return place;
}

async function analyse(place: Place, options: { readonly embeddings?: boolean }): Promise<void> {
  const { id } = await post<{ id: string }>(
    `${place.url}/api/v1/analysis/gaps`,
    { workspace_id: place.workspaceId, standard_id: place.standardId, force: true, options },
    place.token,
  );
  await until(async () => ended((await read<{ status: string }>(place, `analysis/analyses/${id}`)).status));
}

/** Throws for a state that is no good end. */
function ended(status: string): boolean {
  if (['failed', 'cancelled', 'timed_out'].includes(status)) throw new Error(`Something is ${status}.`);
  return status === 'completed';
}

async function read<Body>({ url, token }: Client, path: string): Promise<Body> {
  const answer = await fetch(`${url}/api/v1/${path}`, { headers: { authorization: `Bearer ${token}` } });
  return (await answer.json()) as Body;
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + PATIENCE_MILLISECONDS;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error('It took too long.');
    await pause(50);
  }
}
