import { execFile } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createDocumentReader, readDocument } from '@normtrace/engine';
import { type Bench, BenchSkipped, type Figure, interleave, median, milliseconds } from '../measure.js';

const run = promisify(execFile);
const ROUNDS = 5;

/** All PDF files below a folder, in the order of their paths. */
export async function listPdfFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  return names
    .filter((name) => name.toLowerCase().endsWith('.pdf'))
    .sort()
    .map((name) => join(folder, name));
}

/** Time that `pdftotext` takes for one file, as a process of its own. */
export async function pdftotext(file: string): Promise<void> {
  await run('pdftotext', [file, '-'], { maxBuffer: 1 << 28 });
}

export async function requirePdftotext(): Promise<void> {
  await run('pdftotext', ['-v']).catch(() => {
    throw new BenchSkipped(
      'pdftotext is not installed (Debian: poppler-utils), so there is nothing to compare with',
    );
  });
}

export const pdf: Bench = {
  name: 'pdf',
  about:
    'Reading PDF into blocks with headings, tables and places, beside pdftotext, which gives text only; then the longest file by two processes, beside one.',
  async run({ dataDirectory, log }) {
    if (!dataDirectory) throw new BenchSkipped('no folder with real documents was given (--data)');
    await requirePdftotext();
    const files = await listPdfFiles(dataDirectory);
    const figures: Figure[] = [];
    let longest:
      | { readonly bytes: Uint8Array; readonly fileName: string; readonly pages: number }
      | undefined;
    for (const file of files) {
      if ((await stat(file)).size < 500_000) continue;
      const bytes = await readFile(file);
      const fileName = file.split('/').at(-1)!;
      log(fileName);
      let pages = 0;
      const times = await interleave(
        ROUNDS,
        async () => {
          pages = (await readDocument(bytes, { fileName })).pageCount ?? 0;
        },
        () => pdftotext(file),
      );
      const own = median(times.a);
      const peer = median(times.b);
      figures.push({
        name: fileName,
        value: `${own.toFixed(0)} ms`,
        peer: `pdftotext ${peer.toFixed(0)} ms`,
        ratio: peer / own,
        goal: '≥ 0.95 × the speed of pdftotext',
        note: `${pages} pages`,
      });
      if (pages > (longest?.pages ?? 0)) longest = { bytes, fileName, pages };
    }
    return longest ? [...figures, await byTwo(longest, log)] : figures;
  },
};

/** One long file by one reading process and by two, warm, as service and command line read it. */
async function byTwo(
  {
    bytes,
    fileName,
    pages,
  }: { readonly bytes: Uint8Array; readonly fileName: string; readonly pages: number },
  log: (line: string) => void,
): Promise<Figure> {
  log(`${fileName} by two processes`);
  const alone = createDocumentReader({ concurrency: 1 });
  const together = createDocumentReader({ concurrency: 2 });
  try {
    // Both processes of a pair are warm after the first round, which is not counted, and the one before it.
    await together.read(bytes, { fileName });
    const times = await interleave(
      ROUNDS,
      () => together.read(bytes, { fileName }),
      () => alone.read(bytes, { fileName }),
    );
    const both: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      both.push(
        await milliseconds(() =>
          Promise.all([together.read(bytes, { fileName }), together.read(bytes, { fileName })]),
        ),
      );
    }
    const two = median(times.a);
    const one = median(times.b);
    return {
      name: `${fileName} by two processes`,
      value: `${two.toFixed(0)} ms`,
      peer: `one process ${one.toFixed(0)} ms`,
      ratio: one / two,
      goal: '≥ 1.6 × the speed of one',
      note: `${pages} pages, from the bytes to the document; two whole files beside each other take ${(median(both) / one).toFixed(2)} × as long as one here`,
    };
  } finally {
    await Promise.all([alone.close(), together.close()]);
  }
}
