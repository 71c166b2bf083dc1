import { readFileSync } from 'node:fs';
import { inflateSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { createDocumentReader } from '../document-reader.js';
import { type Drawing, type PdfInput, writePdf } from '../formats/pdf/testing/pdf-writer.js';
import { lettersUnder } from '../testing/letters-under.js';
import { openPages, type PageLine } from './page-file.js';

const DEMO = new URL('../../../../demo/documents/04_Safety_Plan.pdf', import.meta.url);

const reader = createDocumentReader();
afterAll(() => reader.close());

/** Several kinds of text on several kinds of pages. */
const FILE: PdfInput = {
  pages: [
    {
      drawings: [
        { text: '4.2 Functional safety requirements', x: 72, y: 90, size: 16, font: 'bold' },
        { text: 'FSR-012 The door control unit shall detect an ob-', x: 72, y: 130 },
        { text: 'stacle within 150 ms and stop the mo-', x: 72, y: 143 },
        { text: 'tion. Die Tür öffnet für Fußgänger nicht.', x: 72, y: 156 },
        { text: '• The lamp is lit.', x: 72, y: 190 },
        ...cells([
          ['ID', 'Requirement', 'ASIL'],
          ['SG-01', 'The door shall not open.', 'D'],
          ['SG-02', 'The window shall not close.', 'A'],
        ]),
        { text: 'Upwards beside the page', x: 40, y: 500, angle: 90 },
        { text: 'Page 1 of 2', x: 280, y: 820, size: 8 },
      ],
    },
    {
      width: 842,
      height: 595,
      drawings: Array.from({ length: 12 }, (_, at) => ({
        text: `Turned line ${at} says something about the hazard.`,
        x: 80 + at * 20,
        y: 520,
        angle: 90,
      })),
    },
  ],
};

function cells(rows: readonly (readonly string[])[]): Drawing[] {
  const [xs, y, height] = [[72, 140, 400, 460], 230, 24];
  return [
    ...xs.map((x): Drawing => ({ line: [x, y, x, y + rows.length * height] })),
    ...[...rows, []].map((_, row): Drawing => ({ line: [72, y + row * height, 460, y + row * height] })),
    ...rows.flatMap((row, at) =>
      row.map((text, column): Drawing => ({ text, x: xs[column]! + 4, y: y + at * height + 16 })),
    ),
  ];
}

async function read(bytes: Uint8Array) {
  const { document, pages } = await reader.readWithPages(bytes, { fileName: 'a.pdf' });
  return { document, pages: openPages(pages!)! };
}

const withoutSpaces = (text: string): string => text.normalize('NFKC').replace(/[\s-]/g, '');
const textOf = (text: string, { start, end }: PageLine): string => withoutSpaces(text.slice(start, end));

describe.each([
  ['written here', () => writePdf(FILE)],
  ['of the demo', () => readFileSync(DEMO)],
])('the places of a PDF %s', (_name, open) => {
  it('have exactly their letters under them', async () => {
    const { document, pages } = await read(open());
    let letters = 0;
    for (let page = 1; page <= pages.pages.length; page++) {
      const under = await lettersUnder(open(), { page, turn: pages.pages[page - 1]!.turn });
      for (const line of pages.linesOf(page)) {
        expect(withoutSpaces(under([line]))).toBe(textOf(document.text, line));
        letters += line.end - line.start;
      }
    }
    expect(letters).toBeGreaterThan(0.9 * document.text.length);
  });

  it('are of every block, and change nothing of what is read', async () => {
    const { document, pages } = await read(open());
    const placed = new Set(pages.pages.flatMap((_, at) => pages.linesOf(at + 1).map(({ block }) => block)));
    expect(document.blocks.filter(({ index, text }) => text !== '' && !placed.has(index))).toEqual([]);
    expect(document).toEqual(await reader.read(open(), { fileName: 'a.pdf' }));
  });

  it('have each word of a line under its part of it', async () => {
    const { document, pages } = await read(open());
    for (let page = 1; page <= pages.pages.length; page++) {
      const under = await lettersUnder(open(), { page, turn: pages.pages[page - 1]!.turn });
      for (const line of pages.linesOf(page)) {
        const { start, lefts = [], turn, x, y, width, height } = line;
        for (const { 0: word, index } of document.text.slice(start, line.end).matchAll(/\S+/g)) {
          const [from, to] = [lefts[index]! / 1000, (lefts[index + word.length] ?? 1000) / 1000];
          const part =
            turn === undefined
              ? { x: x + from * width, y, width: (to - from) * width, height }
              : turn === 1
                ? { x, y: y + (1 - to) * height, width, height: (to - from) * height }
                : undefined;
          expect(withoutSpaces(under([part!]))).toBe(withoutSpaces(word));
        }
      }
    }
  });
});

it('lets a letter that is not where it says fall out', async () => {
  const { document, pages } = await read(writePdf(FILE));
  const under = await lettersUnder(writePdf(FILE), { page: 1, turn: 0 });
  const line = pages.linesOf(1)[1]!;
  expect(withoutSpaces(under([{ ...line, y: line.y + 0.02 }]))).not.toBe(textOf(document.text, line));
});

it('keeps no places of a format without pages', async () => {
  const { pages } = await reader.readWithPages(Buffer.from('# Plan\n\nText.'), { fileName: 'a.md' });
  expect(pages).toBeUndefined();
});

describe('the picture of a page', () => {
  it.each([1, 2])('has ink where its text stands and nowhere else (page %i)', async (page) => {
    const onlyText: PdfInput = {
      pages: FILE.pages.map((one) => ({ ...one, drawings: one.drawings.filter((d) => 'text' in d) })),
    };
    const bytes = writePdf(onlyText);
    const { pages } = await read(bytes);
    const { turn } = pages.pages[page - 1]!;
    const picture = pixelsOf(await reader.drawPage(bytes, { page, turn, width: 800 }));
    const lines = pages.linesOf(page);
    const inked = new Set<PageLine>();
    for (const { x, y } of picture.ink()) {
      const at = { x: (x + 0.5) / picture.width, y: (y + 0.5) / picture.height };
      const line = lines.find((one) => contains(one, at));
      // Slanted strokes and antialiasing reach a pixel over their box; the mark of a list item is no text of it.
      const isNear = line ?? lines.find((one) => contains(one, at, 0.02));
      expect([x, y, isNear !== undefined]).toEqual([x, y, true]);
      if (line) inked.add(line);
    }
    expect(lines.filter((line) => !inked.has(line))).toEqual([]);
    expect(picture.width).toBe(800);
    expect(
      Math.abs(picture.height / 800 - pages.pages[page - 1]!.height / pages.pages[page - 1]!.width),
    ).toBeLessThan(0.01);
  });

  it('is refused for a page that is not there', async () => {
    const bytes = writePdf(FILE);
    await expect(reader.drawPage(bytes, { page: 3, turn: 0, width: 400 })).rejects.toMatchObject({
      code: 'corrupt',
      location: { page: 3 },
    });
    expect((await reader.drawPage(bytes, { page: 2, turn: 0, width: 400 })).length).toBeGreaterThan(100);
  });

  it('of a page that is a thousand times as high as wide stays small enough', async () => {
    const bytes = writePdf({
      pages: [{ width: 10, height: 10_000, drawings: [{ text: 'i', x: 2, y: 20, size: 8 }] }],
    });
    const { width, height } = pixelsOf(await reader.drawPage(bytes, { page: 1, turn: 0, width: 1600 }));
    expect(height / width).toBeGreaterThan(900);
    expect(width * height).toBeLessThan(24_000_000);
  });

  it('in many colours is those colours', async () => {
    const stripes = Array.from({ length: 600 }, (_, at) => {
      const [red, green, blue] = [at % 7, at % 11, at % 13].map((part, n) => part / [6, 10, 12][n]!);
      return { operators: `${red} ${green} ${blue} rg ${at} 0 1 842 re f` };
    });
    const bytes = writePdf({
      pages: [{ width: 600, drawings: [...stripes, { text: 'x', x: 20, y: 800 }] }],
    });
    const { width, colourAt } = pixelsOf(await reader.drawPage(bytes, { page: 1, turn: 0, width: 1200 }));
    expect(width).toBe(1200);
    // The middle of a stripe is two pixels from the next one only on average: colours are compared roughly.
    for (let at = 3; at < 600; at += 37) {
      const wanted = [at % 7, at % 11, at % 13].map((part, n) => (255 * part) / [6, 10, 12][n]!);
      const near = [0, 1].map((half) =>
        Math.max(...colourAt(2 * at + half, 10).map((part, n) => Math.abs(part - wanted[n]!))),
      );
      expect(Math.min(...near)).toBeLessThan(8);
    }
  });
});

const contains = (
  { x, y, width, height }: PageLine,
  at: { readonly x: number; readonly y: number },
  around = 0,
): boolean =>
  at.x >= x - around && at.x <= x + width + around && at.y >= y - around && at.y <= y + height + around;

/** The pixels of a PNG as this program writes it: a palette without filters, or colours with the filter "sub". */
function pixelsOf(png: Uint8Array) {
  const bytes = Buffer.from(png);
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    chunks.set(bytes.toString('latin1', at + 4, at + 8), bytes.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  const header = chunks.get('IHDR')!;
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const palette = chunks.get('PLTE');
  const rows = inflateSync(chunks.get('IDAT')!);
  const size = palette ? 1 : 3;
  const stride = width * size + 1;
  if (!palette) {
    for (let y = 0; y < height; y++) {
      for (let at = y * stride + 1 + size; at < (y + 1) * stride; at++)
        rows[at] = rows[at]! + rows[at - size]!;
    }
  }
  const colourAt = (x: number, y: number): number[] => {
    const at = y * stride + 1 + x * size;
    const from = palette ? rows[at]! * 3 : at;
    return [...(palette ?? rows).subarray(from, from + 3)];
  };
  const ink = (): { x: number; y: number }[] => {
    const found: { x: number; y: number }[] = [];
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) if (colourAt(x, y)[0]! < 100) found.push({ x, y });
    }
    return found;
  };
  return { width, height, colourAt, ink };
}
