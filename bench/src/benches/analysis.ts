import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import {
  type AnalysedDocument,
  analyseGaps,
  type Criterion,
  readDocument,
  readStandardFile,
} from '@normtrace/engine';
import { type Bench, BenchSkipped, median, milliseconds } from '../measure.js';
import { listPdfFiles, pdftotext, requirePdftotext } from './pdf.js';

const run = promisify(execFile);
const STANDARD_PAGES = 347;
const DOCUMENT_PAGES = 589;
const ROUNDS = 3;

/** A whole gap analysis of an uploaded standard, from the bytes of all files to the findings. */
export const analysis: Bench = {
  name: 'analysis',
  about: `A gap analysis from file to findings, lexical only: a standard of at least ${STANDARD_PAGES} pages against documents of at least ${DOCUMENT_PAGES} pages, beside the time pdftotext takes to read the same files.`,
  async run({ dataDirectory, log }) {
    if (!dataDirectory) throw new BenchSkipped('no folder with real documents was given (--data)');
    await requirePdftotext();
    const sources = await longFiles(await listPdfFiles(dataDirectory));
    const standard = take(sources, STANDARD_PAGES);
    const documents = take([...sources].reverse(), DOCUMENT_PAGES);
    const own: number[] = [];
    const peer: number[] = [];
    let sizes = '';
    for (let round = 0; round <= ROUNDS; round++) {
      log(`round ${round} of ${ROUNDS}`);
      const time = await milliseconds(async () => {
        sizes = await analyse(standard, documents);
      });
      const reading = await milliseconds(async () => {
        for (const { file } of [...standard, ...documents]) await pdftotext(file);
      });
      if (round === 0) continue;
      own.push(time);
      peer.push(reading);
    }
    const pages = (files: readonly Source[]) => files.reduce((sum, file) => sum + file.pages, 0);
    return [
      {
        name: `${pages(standard)} against ${pages(documents)} pages`,
        value: `${(median(own) / 1000).toFixed(2)} s`,
        peer: `pdftotext ${(median(peer) / 1000).toFixed(2)} s`,
        ratio: median(own) / median(peer),
        goal: '≤ 2 × pdftotext',
        note: sizes,
      },
    ];
  },
};

async function analyse(standardFiles: readonly Source[], documentFiles: readonly Source[]): Promise<string> {
  const read = async (bytes: Uint8Array, fileName: string) => readDocument(bytes, { fileName });
  const criteria: Criterion[] = [];
  for (const [part, { file }] of standardFiles.entries()) {
    const id = `part-${part + 1}`;
    const standard = await readStandardFile(await readFile(file), basename(file), { id, readDocument: read });
    criteria.push(...standard.criteria.map((criterion) => inPart(criterion, id)));
  }
  const identity = {
    id: 'bench',
    designation: 'Bench',
    title: 'Bench',
    edition: '1',
    source: 'uploaded',
  } as const;
  const documents: AnalysedDocument[] = [];
  for (const { file } of documentFiles) {
    const document = await read(await readFile(file), basename(file));
    documents.push({
      id: `document-${documents.length}`,
      name: basename(file),
      version: '1',
      sha256: '0'.repeat(64),
      document,
    });
  }
  const result = await analyseGaps({ standard: { ...identity, criteria }, documents });
  return `${result.verdicts.length} criteria, ${documents.reduce((sum, { document }) => sum + document.blocks.length, 0)} blocks, ${result.findings.length} findings`;
}

/** Ids are unique within one file only. */
function inPart(criterion: Criterion, part: string): Criterion {
  const parent = criterion.parentId === undefined ? {} : { parentId: `${part}/${criterion.parentId}` };
  return { ...criterion, id: `${part}/${criterion.id}`, ...parent };
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
