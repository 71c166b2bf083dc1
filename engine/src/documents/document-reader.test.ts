import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import type { Document } from './document.js';
import {
  createDocumentReader,
  type DocumentReader,
  type MadeOf,
  readDocumentSafely,
} from './document-reader.js';
import { readDocument } from './read-document.js';
import { DEFAULT_LIMITS, limitsForSize, type ReadingLimits } from './reading-limits.js';
import { MARGIN_MEGABYTES } from './reading-process/last-words.js';
import { docxFile, paragraph, sheetRow, table, xlsxFile } from './testing/office-files.js';

/** Reading processes that this one started (Linux). */
const children = (): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const parent = /^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
        return (
          Number(parent) === process.pid &&
          (command.includes('reading-process') || command.includes('making-child'))
        );
      } catch {
        return false; // it has ended since
      }
    });

const text = (content: string) => Buffer.from(content, 'utf8');
const placesOf = ({ blocks }: Document) =>
  blocks.map(({ location, cells }) => [location, cells?.map((cell) => cell.location)]);
/** Takes about a second: long enough to be stopped. */
const slow = () => text('word **word** `word` [word](word)\n\n'.repeat(200_000));

describe('reading in another process', () => {
  let reader: DocumentReader;
  afterEach(() => reader?.close());

  it('has one process ready for whoever comes, who uses that one', async () => {
    reader = createDocumentReader({ concurrency: 2 });
    reader.warmUp();
    reader.warmUp();
    const ready = children();
    expect(ready).toHaveLength(1);
    await reader.read(text('# A'), { fileName: 'a.md' });
    expect(children()).toEqual(ready);
    reader.warmUp();
    expect(children()).toEqual(ready);
  });

  it('gives the same document as reading in this process', async () => {
    reader = createDocumentReader();
    const files: [string, Uint8Array][] = [
      [
        'a.docx',
        docxFile(
          paragraph('Äpfel 🍎', '<w:outlineLvl w:val="0"/>') +
            table([
              ['ID', 'Text'],
              ['R1', 'x'],
            ]) +
            paragraph('y'),
        ),
      ],
      [
        'a.xlsx',
        xlsxFile([
          { name: 'S', content: `<sheetData>${sheetRow(1, ['a', 'b'])}${sheetRow(2, ['c', 1])}</sheetData>` },
        ]),
      ],
      ['a.md', text('---\ntitle: T\n---\n# A\n\n- b\n\n## C\n\n![]()\n\n# D\n\ne\n')],
      ['a.txt', text('one\n\ntwo \ud83d lone\f')],
      ['a.csv', text(`ID,Text\n${'R1,"a\nb"\n'.repeat(5000)}`)],
      ['a.rst', text('A\n=\n\n.. req:: T\n   :id: R1\n\n   x\n')],
      ['a.html', text('<html><p>Ärger')],
    ];
    for (const [fileName, bytes] of files) {
      const here = await readDocument(bytes, { fileName });
      const there = await reader.read(bytes, { fileName });
      expect(there).toEqual(here);
      // As text, too: a trace must not tell in which process it was made.
      expect(JSON.stringify(placesOf(there))).toBe(JSON.stringify(placesOf(here)));
      for (const block of here.blocks) {
        expect(here.text.slice(block.start, block.end)).toBe(block.text);
        for (const cell of block.cells ?? []) expect(here.text.slice(cell.start, cell.end)).toBe(cell.text);
      }
    }
  });

  it('reads many documents at once and in turn', async () => {
    reader = createDocumentReader({ concurrency: 2 });
    const documents = await Promise.all(
      Array.from({ length: 12 }, (_, index) => reader.read(text(`Document ${index}`), { fileName: 'a.txt' })),
    );
    expect(documents.map((document) => document.text)).toEqual(
      Array.from({ length: 12 }, (_, index) => `Document ${index}`),
    );
  });

  it('stops at the limit of processor time, and reads the next document', async () => {
    reader = createDocumentReader();
    await expect(
      reader.read(slow(), { fileName: 'a.md', limits: { maxProcessorSeconds: 0.3 } }),
    ).rejects.toMatchObject({
      code: 'timed_out',
      message: 'Reading the file takes more than 0.3 seconds of processor time.',
    });
    expect((await reader.read(text('next'), { fileName: 'a.txt' })).text).toBe('next');
  });

  it.runIf(process.platform === 'linux')(
    'says of a process that gets nothing of the processor that the machine is busy, and tries again',
    async () => {
      reader = createDocumentReader();
      const stopped: number[] = [];
      const stopAll = setInterval(() => {
        for (const pid of children().filter((one) => !stopped.includes(one))) {
          process.kill(pid, 'SIGSTOP');
          stopped.push(pid);
        }
      }, 10);
      const limits = { maxMilliseconds: 400 };
      const reading = reader.read(slow(), { fileName: 'a.md', limits }).catch((error: unknown) => error);
      expect(await reading).toMatchObject({
        code: 'machine_busy',
        hint: expect.stringContaining('need not be bad'),
      });
      clearInterval(stopAll);
      expect(stopped).toHaveLength(2);
      expect((await reader.read(text('next'), { fileName: 'a.txt' })).text).toBe('next');
    },
  );

  it('stops at the memory limit with a sentence for people', async () => {
    reader = createDocumentReader({ limits: { maxMemoryMegabytes: 130 } });
    await expect(reader.read(slow(), { fileName: 'a.md' })).rejects.toMatchObject({
      code: 'out_of_memory',
      message: 'Reading the file takes more than 130 MB of memory.',
    });
  });

  it('gives large files more memory, up to a limit', () => {
    const memory = (megabytes: number, limits: Partial<ReadingLimits> = {}) =>
      limitsForSize({ ...DEFAULT_LIMITS, ...limits }, megabytes * 1024 * 1024).maxMemoryMegabytes;
    expect([0, 10, 16, 200].map((megabytes) => memory(megabytes))).toEqual([300, 300, 396, 600]);
    expect(memory(36, { maxMemoryMegabytesOfLargeFiles: 0 })).toBe(300);
  });

  it('counts memory outside the heap as well', async () => {
    reader = createDocumentReader({
      limits: {
        maxMemoryMegabytes: 130,
        maxMemoryMegabytesOfLargeFiles: 130,
        maxCharacters: 1_000_000_000,
      },
    });
    await expect(reader.read(Buffer.alloc(150_000_000, 'a'), { fileName: 'a.txt' })).rejects.toMatchObject({
      code: 'out_of_memory',
    });
  });

  it.runIf(process.platform === 'linux')(
    'asks a fresh process when one that has read before dies',
    async () => {
      reader = createDocumentReader();
      await reader.read(text('first'), { fileName: 'a.txt' });
      const warm = children();
      expect(warm).toHaveLength(1);
      const reading = reader.read(slow(), { fileName: 'a.md' });
      for (const pid of warm) process.kill(pid, 'SIGKILL');
      expect((await reading).blocks).toHaveLength(200_000);
      const fresh = children();
      expect(fresh.some((pid) => warm.includes(pid))).toBe(false);
    },
  );

  it('stops on the signal, running or waiting', async () => {
    reader = createDocumentReader();
    const running = new AbortController();
    const waiting = new AbortController();
    const first = reader.read(slow(), { fileName: 'a.md', signal: running.signal });
    const second = reader.read(text('x'), { fileName: 'a.txt', signal: waiting.signal });
    waiting.abort(new Error('not needed'));
    await expect(second).rejects.toThrow('not needed');
    running.abort(new Error('cancelled'));
    await expect(first).rejects.toThrow('cancelled');
    expect((await reader.read(text('next'), { fileName: 'a.txt' })).text).toBe('next');
  });

  it('rejects what is under way when it is closed, and what comes after', async () => {
    reader = createDocumentReader();
    const first = reader.read(slow(), { fileName: 'a.md' });
    const second = reader.read(slow(), { fileName: 'a.md' });
    const outcomes = Promise.allSettled([first, second]);
    await reader.close();
    expect((await outcomes).map((outcome) => outcome.status)).toEqual(['rejected', 'rejected']);
    await expect(reader.read(text('x'), { fileName: 'a.txt' })).rejects.toThrow('closed');
  });

  it('reports progress', async () => {
    reader = createDocumentReader();
    const seen: number[] = [];
    const part = `# Heading\n\n${'word '.repeat(300_000)}\n`;
    await reader.read(text(part.repeat(4)), {
      fileName: 'a.md',
      onProgress: (done, total) => seen.push(done / total),
    });
    expect(seen.length).toBeGreaterThan(0);
    expect(Math.max(...seen)).toBeLessThanOrEqual(1);
  });

  it('reads one document in a process of its own', async () => {
    expect((await readDocumentSafely(text('once'), { fileName: 'a.txt' })).text).toBe('once');
  });
});

describe('what is made of a document in the process that reads it', () => {
  const program = new URL('./testing/making-child.js', import.meta.url);
  let reader: DocumentReader;
  afterEach(() => reader?.close());
  const make = (bytes: Uint8Array, doing: string, fileName = 'a.txt') =>
    reader.make(bytes, { fileName, make: { doing } });

  it('comes without the document, from the same process again and again', async () => {
    reader = createDocumentReader({ program });
    for (const word of ['one', 'sechs sieben']) {
      const made = (await make(text(word), 'count')) as MadeOf;
      expect(made.head).toEqual({ letters: word.length });
      expect(Buffer.from(made.body).toString()).toBe(word.toUpperCase());
      expect(children()).toHaveLength(1);
    }
    expect((await reader.read(text('as ever'), { fileName: 'a.txt' })).text).toBe('as ever');
  });

  it.each(['throw', 'hang'])(
    'is nothing where the making fails (%s): the document can be read all the same',
    async (doing) => {
      reader = createDocumentReader({ program, limits: { maxProcessorSeconds: 2 } });
      expect(await make(text('x'), doing)).toBeUndefined();
      expect((await reader.read(text('x'), { fileName: 'a.txt' })).text).toBe('x');
    },
  );

  it('is the document, which is not read again, where the process has no room to make it', async () => {
    const word = 'word '.repeat(100_000);
    reader = createDocumentReader({ program });
    const { head } = (await make(text(word), 'weigh')) as MadeOf;
    const { resident, heap } = head as { resident: number; heap: number };
    await reader.close();
    // Enough to read it, and half of what making would take: what a process weighs is another number on each machine.
    const maxMemoryMegabytes = Math.round(resident + MARGIN_MEGABYTES + 0.8 * heap);
    reader = createDocumentReader({ program, limits: { maxMemoryMegabytes } });
    expect(await make(text(word), 'throw')).toMatchObject({ document: { text: word.trim() } });
  });

  it('is an error as ever where the file cannot be read', async () => {
    reader = createDocumentReader({ program });
    await expect(make(text('%PDF-1.7 and nothing more'), 'count', 'a.pdf')).rejects.toMatchObject({
      name: 'DocumentError',
    });
  });

  it('cannot be asked of processes that make nothing', async () => {
    reader = createDocumentReader();
    await expect(make(text('x'), 'count')).rejects.toThrow('make nothing');
  });
});
