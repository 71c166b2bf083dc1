import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Bench, BenchSkipped, interleave, median } from '../measure.js';
import { listPdfFiles, pdftotext, requirePdftotext } from './pdf.js';

const run = promisify(execFile);
const COMMAND = fileURLToPath(new URL('../../../engine/bin/normtrace.js', import.meta.url));
const STANDARD_PAGES = 347;
const DOCUMENT_PAGES = 589;
const ROUNDS = 3;

/** `normtrace analyse` as people run it: a new process, from the files to the written result. */
export const analysis: Bench = {
  name: 'analysis',
  about: `\`normtrace analyse\` from the files to the result, lexical only: a standard of at least ${STANDARD_PAGES} pages in one file against documents of at least ${DOCUMENT_PAGES} pages, beside the time pdftotext takes to read the same files one after the other.`,
  async run({ dataDirectory, log }) {
    if (!dataDirectory) throw new BenchSkipped('no folder with real documents was given (--data)');
    await requirePdftotext();
    const folder = await mkdtemp(join(tmpdir(), 'normtrace-bench-'));
    try {
      const sources = await longFiles(await listPdfFiles(dataDirectory));
      const standard = await inOneFile(take(sources, STANDARD_PAGES), join(folder, 'standard.pdf'));
      const documents = await copies(take([...sources].reverse(), DOCUMENT_PAGES), join(folder, 'documents'));
      const result = join(folder, 'result.json');
      log(`${ROUNDS} rounds`);
      const times = await interleave(
        ROUNDS,
        () => analyse({ standard: standard.file, documents: join(folder, 'documents'), result }),
        async () => {
          for (const { file } of [standard, ...documents]) await pdftotext(file);
        },
      );
      const own = median(times.a);
      const peer = median(times.b);
      const { verdicts, findings } = JSON.parse(await readFile(result, 'utf8')) as Record<string, unknown[]>;
      return [
        {
          name: `${standard.pages} against ${documents.reduce((sum, { pages }) => sum + pages, 0)} pages`,
          value: `${(own / 1000).toFixed(2)} s`,
          peer: `pdftotext ${(peer / 1000).toFixed(2)} s`,
          ratio: own / peer,
          goal: '≤ 2 × pdftotext',
          note: `${verdicts!.length} criteria, ${findings!.length} findings`,
        },
      ];
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function analyse(of: {
  readonly standard: string;
  readonly documents: string;
  readonly result: string;
}): Promise<void> {
  const options = [
    '--standard',
    of.standard,
    '--embeddings',
    'off',
    '--format',
    'json',
    '--output',
    of.result,
  ];
  await run(process.execPath, [COMMAND, 'analyse', of.documents, ...options]);
}

interface Source {
  readonly file: string;
  readonly pages: number;
}

async function longFiles(files: readonly string[]): Promise<Source[]> {
  const sources = await Promise.all(
    files.map(async (file) => {
      const { stdout } = await run('pdfinfo', [file]);
      return { file, pages: Number(/Pages:\s+(\d+)/.exec(stdout)?.[1] ?? 0) };
    }),
  );
  const long = sources.filter(({ pages }) => pages > 100);
  if (long.length === 0) throw new BenchSkipped('the folder has no PDF of more than 100 pages');
  return long;
}

/** Whole files, beginning again when they run out, until the wanted number of pages is reached. */
function take(sources: readonly Source[], pages: number): Source[] {
  const taken: Source[] = [];
  for (let i = 0, left = pages; left > 0; i++) {
    const source = sources[i % sources.length]!;
    taken.push(source);
    left -= source.pages;
  }
  return taken;
}

/** A standard is one file: several are joined by pdfunite, which comes with pdftotext. */
async function inOneFile(sources: readonly Source[], file: string): Promise<Source> {
  const pages = sources.reduce((sum, source) => sum + source.pages, 0);
  await run('pdfunite', [...sources.map((source) => source.file), file]).catch(() => {
    throw new BenchSkipped('pdfunite is not installed (Debian: poppler-utils): the standard is one file');
  });
  return { file, pages };
}

/** Each under a name of its own, as a folder of documents has them. */
async function copies(sources: readonly Source[], folder: string): Promise<Source[]> {
  await mkdir(folder);
  return Promise.all(
    sources.map(async ({ file, pages }, at) => {
      const copy = join(folder, `${at + 1} ${basename(file)}`);
      await copyFile(file, copy);
      return { file: copy, pages };
    }),
  );
}
