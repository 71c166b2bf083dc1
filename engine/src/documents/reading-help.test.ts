import { readdirSync, readFileSync } from 'node:fs';
import { serialize } from 'node:v8';
import { afterEach, describe, expect, it } from 'vitest';
import { createDocumentReader, type DocumentReader } from './document-reader.js';
import { helpReading } from './formats/pdf/help-reading.js';
import { type PdfPage, writePdf } from './formats/pdf/testing/pdf-writer.js';
import { readDraft } from './read-draft.js';
import { DEFAULT_LIMITS } from './reading-limits.js';
import { helpFromOutside } from './reading-process/help-from-outside.js';

const fileName = 'long.pdf';

/** Headings, running headers and footers, paragraphs over pages, a ruled table that goes on over every page, a hidden line. */
function longPdf(count: number, linesOfPage = 12, said = 'running text'): Uint8Array {
  const pages = Array.from({ length: count }, (_, index): PdfPage => {
    const top = 420;
    const rows = index === 0 ? [['ID', 'Requirement', 'Level']] : [];
    for (let row = 0; row < 6; row++)
      rows.push([`R-${index * 6 + row}`, `The item does ${index} ${row}.`, 'ASIL B']);
    return {
      drawings: [
        { text: 'Specification of the Long Thing', x: 60, y: 40, size: 8 },
        { text: `Page ${index + 1} of ${count}`, x: 280, y: 815, size: 8 },
        ...(index % 5 === 0
          ? [
              {
                text: `${index / 5 + 1} Chapter about part ${index}`,
                x: 60,
                y: 90,
                size: 16,
                font: 'bold' as const,
              },
            ]
          : []),
        ...Array.from({ length: linesOfPage }, (_, line) => ({
          text: `Line ${line} of the ${said} on page ${index + 1} says what the part does when it`,
          x: 60,
          y: 120 + (line * 280) / linesOfPage,
          size: Math.min(10, 260 / linesOfPage),
        })),
        { text: 'nobody sees this', x: 60, y: 105, size: 0.4 },
        ...rows.flatMap((cells, row) =>
          cells.map((text, column) => ({ text, x: 65 + column * 150, y: top + 15 + row * 20, size: 9 })),
        ),
        ...Array.from({ length: rows.length + 1 }, (_, row) => ({
          line: [60, top + row * 20, 510, top + row * 20] as const,
        })),
        ...Array.from({ length: 4 }, (_, column) => ({
          line: [60 + column * 150, top, 60 + column * 150, top + rows.length * 20] as const,
        })),
      ],
      ...(index === 3 ? { comments: ['A remark.'] } : {}),
    };
  });
  return writePdf({
    pages,
    outline: [{ title: '1 Chapter about part 0', page: 0 }],
    information: { Title: 'Long' },
  });
}

const number = (value: number) => Float64Array.of(value);

/** Help of which everything has come before it is asked for. */
function helpOf(pages: readonly (readonly [number, unknown])[]) {
  const sent: object[] = [];
  const endsAt = number(0);
  const mostMegabytes = number(4096);
  const help = helpFromOutside({
    // The process of the tests has taken time and memory for others.
    limits: { ...DEFAULT_LIMITS, maxProcessorSeconds: 1_000_000, maxMemoryMegabytes: 1_000_000 },
    begin: 0,
    endsAt,
    mostMegabytes,
    send(head) {
      sent.push(head);
      if ('type' in head && head.type === 'alone') {
        help.receive({ head: { type: 'helped', seconds: 0 }, body: Buffer.alloc(0) });
      }
    },
  });
  for (const [index, content] of pages)
    help.receive({ head: { type: 'page', index }, body: serialize(content) });
  return { help, sent };
}

/** Reading processes that this one started (Linux). */
const children = (): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const parent = /^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
        return (
          Number(parent) === process.pid &&
          readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('reading-process')
        );
      } catch {
        return false; // it has ended since
      }
    });

describe('pages that another process reads', () => {
  let reader: DocumentReader;
  afterEach(() => reader?.close());

  it('make the same document wherever the two meet, with and without places', async () => {
    const bytes = longPdf(40);
    for (const keepPlaces of [false, true]) {
      const alone = await readDraft(bytes, { fileName, keepPlaces });
      expect(alone.draft.blocks.length).toBeGreaterThan(300);
      const pages: [number, unknown][] = [];
      await helpReading(bytes, keepPlaces, async (index, content) => {
        pages.push([index, content]);
        return 'go-on';
      });
      expect(pages.map(([index]) => index)).toEqual(Array.from({ length: 40 }, (_, at) => 39 - at));
      for (const taken of [0, 1, 13, 20, 39, 40]) {
        const { help, sent } = helpOf(pages.slice(0, taken));
        const helped = await readDraft(bytes, { fileName, keepPlaces }, help);
        expect(JSON.stringify(helped)).toBe(JSON.stringify(alone));
        expect(sent).toEqual([{ type: 'long', pages: 40 }, { type: 'alone' }]);
      }
    }
  });

  it('are used: what they say is what the document says', async () => {
    const bytes = longPdf(40);
    const other: [number, unknown][] = [];
    await helpReading(longPdf(40, 12, 'LOUD TEXT'), false, async (index, content) => {
      other.push([index, content]);
      return index === 30 ? 'stop' : 'go-on';
    });
    const { draft } = await readDraft(bytes, { fileName }, helpOf(other).help);
    const loud = draft.blocks
      .filter(({ text }) => text.includes('LOUD TEXT'))
      .map(({ location }) => location.page!);
    expect([Math.min(...loud), Math.max(...loud)]).toEqual([31, 40]);
  });

  it('come from a second process where one is free, and the document is the same', async () => {
    const bytes = longPdf(80, 30);
    const one = createDocumentReader();
    reader = createDocumentReader({ concurrency: 2 });
    try {
      const alone = JSON.stringify(await one.read(bytes, { fileName }));
      await one.close();
      let most = 0;
      const watch = setInterval(() => {
        most = Math.max(most, children().length);
      }, 5);
      for (let round = 0; round < 2; round++) {
        expect(JSON.stringify(await reader.read(bytes, { fileName }))).toBe(alone);
      }
      clearInterval(watch);
      if (process.platform === 'linux') expect(most).toBe(2);
      // Documents go before help with others.
      const both = await Promise.all([reader.read(bytes, { fileName }), reader.read(bytes, { fileName })]);
      expect(both.map((document) => JSON.stringify(document) === alone)).toEqual([true, true]);
    } finally {
      await one.close();
    }
  }, 60_000);

  it.runIf(process.platform === 'linux')(
    'are read here as well when the process that helps is killed',
    async () => {
      const bytes = longPdf(120, 30);
      reader = createDocumentReader({ concurrency: 2 });
      await reader.read(Buffer.from('first'), { fileName: 'a.txt' });
      const first = children();
      expect(first).toHaveLength(1);
      const killed: number[] = [];
      const watch = setInterval(() => {
        for (const pid of children()) {
          if (first.includes(pid) || killed.length > 0) continue;
          process.kill(pid, 'SIGKILL');
          killed.push(pid);
        }
      }, 2);
      const document = await reader.read(bytes, { fileName });
      clearInterval(watch);
      expect(killed).toHaveLength(1);
      expect(document.pageCount).toBe(120);
      expect(document.text).toContain('running text on page 120 ');
      expect(children()).toEqual(first);
    },
    60_000,
  );

  it('make a document not larger than it may be: pages are counted before anybody helps', async () => {
    reader = createDocumentReader({ concurrency: 2, limits: { maxPages: 39 } });
    await expect(reader.read(longPdf(40), { fileName })).rejects.toMatchObject({
      code: 'too_large',
      message: 'The PDF has 40 pages; at most 39 are read.',
    });
  });

  it('count to the processor time of the document: what two processes take together ends it', async () => {
    const bytes = longPdf(150, 60);
    await readDraft(bytes, { fileName });
    const before = process.cpuUsage();
    await readDraft(bytes, { fileName });
    const { user, system } = process.cpuUsage(before);
    const whole = (user + system) / 1e6;
    reader = createDocumentReader({ concurrency: 2 });
    // Both know the document by now: each half of it stays below.
    expect((await reader.read(bytes, { fileName })).pageCount).toBe(150);
    const limits = { maxProcessorSeconds: whole * 0.8 };
    await expect(reader.read(bytes, { fileName, limits })).rejects.toMatchObject({ code: 'timed_out' });
  }, 60_000);
});

describe('the limits of a document that two processes read', () => {
  const begun = () => {
    const endsAt = number(0);
    const mostMegabytes = number(300);
    const limits = { ...DEFAULT_LIMITS, maxProcessorSeconds: 15, maxMemoryMegabytes: 300 };
    const help = helpFromOutside({ limits, begin: 2, endsAt, mostMegabytes, send: () => {} });
    return { help, endsAt, mostMegabytes };
  };

  it('leave the helper a fifth of the time and a quarter of the memory, and come back without what it took', async () => {
    const { help, endsAt, mostMegabytes } = begun();
    help.ask(100);
    expect([endsAt[0], mostMegabytes[0]]).toEqual([2 + 12, 225]);
    help.receive({ head: { type: 'helped', seconds: 1.5 }, body: Buffer.alloc(0) });
    expect([endsAt[0], mostMegabytes[0]]).toEqual([2 + 13.5, 300]);
    expect(help.seconds()).toBe(1.5);
    await help.end();
  });

  it('are asked back by a process that comes near to its part', async () => {
    const { help } = begun();
    help.ask(100);
    await new Promise((resolve) => setTimeout(resolve, 30));
    const isTight =
      process.memoryUsage.rss() > 0.85 * 225 * 1024 * 1024 || process.cpuUsage().user / 1e6 > 12;
    expect(help.isTight()).toBe(isTight);
  });

  it('hold for memory: a document that takes too much is refused, whoever helped', async () => {
    const reader = createDocumentReader({ concurrency: 2, limits: { maxMemoryMegabytes: 110 } });
    try {
      await expect(reader.read(longPdf(200, 60), { fileName })).rejects.toMatchObject({
        code: 'out_of_memory',
      });
    } finally {
      await reader.close();
    }
  }, 60_000);
});
