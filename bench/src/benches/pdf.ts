import { execFile } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readDocument } from '@normtrace/engine';
import { type Bench, BenchSkipped, interleave, median } from '../measure.js';

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
  about: 'Reading PDF into blocks with headings, tables and places, beside pdftotext, which gives text only.',
  async run({ dataDirectory, log }) {
    if (!dataDirectory) throw new BenchSkipped('no folder with real documents was given (--data)');
    await requirePdftotext();
    const files = await listPdfFiles(dataDirectory);
    const figures = [];
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
        goal: '≥ 0.9 × the speed of pdftotext',
        note: `${pages} pages`,
      });
    }
    return figures;
  },
};
