import { describe, expect, it } from 'vitest';
import { english } from '../../../sentences/render.js';
import type { BlockDraft } from '../../block.js';
import { DEFAULT_LIMITS, type ReadingLimits } from '../../reading-limits.js';
import { loadPdfium } from './pdfium.js';
import { pdfReader } from './read.js';
import { type Drawing, type PdfInput, type PdfPage, writePdf } from './testing/pdf-writer.js';

const WORDS = 'brake motor sensor torque frame signal driver lamp wheel cable mirror pedal relay valve'.split(
  ' ',
);

/** Different words for each number, so that no two pages read alike. */
function prose(seed: number): string {
  return Array.from({ length: 30 }, (_, index) => WORDS[(index * (seed + 3) + seed) % WORDS.length]).join(
    ' ',
  );
}

const PROSE =
  'The controller monitors the supply voltage of the actuator and reports each deviation to the diagnostic manager within the time that was agreed with the supplier of the sensor.';

function read(bytes: Uint8Array, limits: Partial<ReadingLimits> = {}) {
  return pdfReader.read(bytes, { fileName: 'test.pdf', limits: { ...DEFAULT_LIMITS, ...limits } });
}

async function blocksOf(input: PdfInput | readonly Drawing[]): Promise<readonly BlockDraft[]> {
  const file = 'pages' in input ? input : { pages: [{ drawings: input }] };
  return (await read(writePdf(file))).blocks;
}

/** Kind, level and text of each block: what most tests compare. */
function outlineOf(blocks: readonly BlockDraft[]): string[] {
  return blocks.map((block) => `${block.kind}${block.level ?? ''}: ${block.text}`);
}

/** Words set in lines of about `width` points in Helvetica, as a word processor breaks them. */
function lines(
  text: string,
  place: { x: number; y: number; width?: number; size?: number; leading?: number },
): Drawing[] {
  const { x, y, width = 450, size = 10, leading = 1.2 } = place;
  const most = Math.floor(width / (size * 0.5));
  const drawn: Drawing[] = [];
  let line = '';
  for (const word of [...text.split(' '), '']) {
    if (word !== '' && `${line} ${word}`.length <= most) line = line === '' ? word : `${line} ${word}`;
    else {
      drawn.push({ text: line, x, y: y + drawn.length * size * leading, size });
      line = word;
    }
  }
  return drawn;
}

function grid(xs: readonly number[], ys: readonly number[]): Drawing[] {
  return [
    ...ys.map((y): Drawing => ({ line: [xs[0]!, y, xs.at(-1)!, y] })),
    ...xs.map((x): Drawing => ({ line: [x, ys[0]!, x, ys.at(-1)!] })),
  ];
}

describe('paragraphs and headings', () => {
  it('joins lines, parts paragraphs and gives every block its page and the headings above it', async () => {
    const blocks = await blocksOf([
      { text: '1 Scope', x: 60, y: 80, size: 16, font: 'bold' },
      ...lines(`${PROSE} It ends here.`, { x: 60, y: 110 }),
      { text: '1.1 Purpose', x: 60, y: 190, size: 13, font: 'bold' },
      ...lines(PROSE, { x: 60, y: 215 }),
      { text: '2 Terms', x: 60, y: 290, size: 16, font: 'bold' },
      ...lines(PROSE, { x: 60, y: 320 }),
    ]);
    expect(outlineOf(blocks)).toEqual([
      'heading1: 1 Scope',
      `paragraph: ${PROSE} It ends here.`,
      'heading2: 1.1 Purpose',
      `paragraph: ${PROSE}`,
      'heading1: 2 Terms',
      `paragraph: ${PROSE}`,
    ]);
    expect(blocks.map((block) => block.location)).toEqual([
      { page: 1 },
      { page: 1, section: ['1 Scope'] },
      { page: 1, section: ['1 Scope'] },
      { page: 1, section: ['1 Scope', '1.1 Purpose'] },
      { page: 1 },
      { page: 1, section: ['2 Terms'] },
    ]);
  });

  it('joins words parted at a line end, and keeps the hyphen of an identifier', async () => {
    const blocks = await blocksOf([
      { text: 'The steering column and its electronics have to be quali-', x: 60, y: 100 },
      { text: 'fied for Übergangszustände as demanded by requirement SRS-', x: 60, y: 112 },
      { text: '12 of the customer for all Ein-', x: 60, y: 124 },
      { text: 'und Ausgänge of the unit.', x: 60, y: 136 },
    ]);
    expect(blocks.map((block) => block.text)).toEqual([
      'The steering column and its electronics have to be qualified for Übergangszustände as demanded by requirement SRS-12 of the customer for all Ein- und Ausgänge of the unit.',
    ]);
  });

  it('begins a block at every line that an identifier leads', async () => {
    const rows = [
      'FR 1 — The unit shall start.',
      'FR 2 — The unit shall',
      'stop on request.',
      'SRS-3: It shall log.',
    ];
    const blocks = await blocksOf(rows.map((text, index) => ({ text, x: 60, y: 100 + index * 12 })));
    expect(blocks.map((block) => block.text)).toEqual([
      'FR 1 — The unit shall start.',
      'FR 2 — The unit shall stop on request.',
      'SRS-3: It shall log.',
    ]);
  });

  it('does not part prose before a capital word and a number', async () => {
    const text =
      'The development of the item follows the process that is laid down in the international standard';
    const blocks = await blocksOf([
      { text, x: 60, y: 100 },
      {
        text: 'ISO 26262 and in the guideline that the customer has written for the supplier of the parts,',
        x: 60,
        y: 112,
      },
      { text: 'both of them in the newest version.', x: 60, y: 124 },
    ]);
    expect(blocks).toHaveLength(1);
  });

  it('knows list items, their depth and their continuation lines', async () => {
    const blocks = await blocksOf([
      { text: 'The following applies:', x: 60, y: 100 },
      { text: '• The first item is long and', x: 70, y: 120 },
      { text: 'goes on in a second line', x: 78, y: 132 },
      { text: '– inner', x: 90, y: 144 },
      { text: '• Second', x: 70, y: 156 },
      { text: 'a) lettered', x: 70, y: 180 },
    ]);
    expect(outlineOf(blocks)).toEqual([
      'paragraph: The following applies:',
      'list_item1: The first item is long and goes on in a second line',
      'list_item2: inner',
      'list_item1: Second',
      'list_item1: a) lettered',
    ]);
  });

  it('takes the outline of the file at its word', async () => {
    const blocks = await blocksOf({
      pages: [
        { drawings: [{ text: 'Safety goals', x: 60, y: 100 }, ...lines(PROSE, { x: 60, y: 130 })] },
        { drawings: [{ text: 'Other words', x: 60, y: 100 }, ...lines(PROSE, { x: 60, y: 130 })] },
      ],
      outline: [{ title: 'Safety goals', page: 1 }],
    });
    expect(outlineOf(blocks).slice(0, 3)).toEqual([
      'heading1: Safety goals',
      `paragraph: ${PROSE}`,
      'paragraph: Other words',
    ]);
  });

  it('takes the structure tree of a tagged file at its word', async () => {
    const blocks = await blocksOf([
      { text: 'Plain looking title', x: 60, y: 100, tag: 'H2' },
      { text: 'First paragraph.', x: 60, y: 112, tag: 'P' },
      { text: 'Second paragraph.', x: 60, y: 124, tag: 'P' },
    ]);
    expect(outlineOf(blocks)).toEqual([
      'heading2: Plain looking title',
      'paragraph: First paragraph.',
      'paragraph: Second paragraph.',
    ]);
  });

  it('tells the caption of a table from a sentence about it', async () => {
    const blocks = await blocksOf([
      { text: 'Table 2: Fault reactions', x: 60, y: 100 },
      ...lines(`Table 2 lists the reactions. ${PROSE}`, { x: 60, y: 130 }),
      { text: 'Abbildung 3 – Systemgrenze', x: 60, y: 200, font: 'italic' },
    ]);
    expect(blocks.map((block) => block.kind)).toEqual(['caption', 'paragraph', 'caption']);
  });

  it('keeps the lines of code', async () => {
    const blocks = await blocksOf([
      ...lines(PROSE, { x: 60, y: 100 }),
      { text: 'if (voltage < LOW) {', x: 60, y: 160, font: 'mono' },
      { text: '  shutDown();', x: 60, y: 172, font: 'mono' },
    ]);
    expect(outlineOf(blocks).at(-1)).toBe('code: if (voltage < LOW) {\nshutDown();');
  });
});

describe('pages', () => {
  const bodies = ['Alpha', 'Bravo', 'Charlie', 'Delta'];
  const running = (index: number, drawings: readonly Drawing[]): PdfPage => ({
    drawings: [
      { text: 'Safety Plan SP-7', x: 60, y: 40, size: 8 },
      { text: `Chapter ${bodies[index]}`, x: 420, y: 40, size: 8 },
      ...drawings,
      { text: `Page ${index + 1} of 4`, x: 280, y: 810, size: 8 },
    ],
  });

  it('recognises running headers and footers whose numbers and chapters change', async () => {
    const blocks = await blocksOf({
      pages: bodies.map((_, index) => running(index, lines(prose(index), { x: 60, y: 100 }))),
    });
    expect(outlineOf(blocks)).toEqual(
      bodies.flatMap((body, index) => [
        `page_header: Safety Plan SP-7 Chapter ${body}`,
        `paragraph: ${prose(index)}`,
        `page_footer: Page ${index + 1} of 4`,
      ]),
    );
  });

  it('leaves titles and prose at the top of pages where they are', async () => {
    const blocks = await blocksOf({
      pages: [1, 2, 3].map((number) => ({
        drawings: [
          { text: `${number} Chapter of the plan`, x: 60, y: 60, size: 16, font: 'bold' },
          ...lines(prose(number), { x: 60, y: 100 }),
        ],
      })),
    });
    expect(blocks.map((block) => block.kind)).toEqual([
      'heading',
      'paragraph',
      'heading',
      'paragraph',
      'heading',
      'paragraph',
    ]);
  });

  it('recognises entries of contents with leaders and, under their heading, without', async () => {
    const blocks = await blocksOf([
      { text: 'Contents', x: 60, y: 60, size: 16, font: 'bold' },
      { text: '1 Scope ................................ 3', x: 60, y: 90 },
      { text: '1.1 Purpose . . . . . . . . . . . . . . . 4', x: 70, y: 104 },
      { text: 'Inhaltsverzeichnis', x: 60, y: 150, size: 16, font: 'bold' },
      ...['Zweck', 'Geltungsbereich', 'Begriffe'].flatMap((text, index): Drawing[] => [
        { text, x: 60, y: 180 + index * 14 },
        { text: `${index + 3}`, x: 500, y: 180 + index * 14 },
      ]),
      { text: '1 Scope', x: 60, y: 300, size: 16, font: 'bold' },
      ...lines(PROSE, { x: 60, y: 330 }),
    ]);
    expect(blocks.map((block) => block.kind)).toEqual([
      'heading',
      'toc_entry',
      'toc_entry',
      'heading',
      'toc_entry',
      'toc_entry',
      'toc_entry',
      'heading',
      'paragraph',
    ]);
  });

  it('reads two columns one after the other below a title over both', async () => {
    const left = `Left ${PROSE} ${PROSE}`;
    const right = `Right ${PROSE} ${PROSE}`;
    const blocks = await blocksOf([
      { text: 'A title that stands over both of the columns', x: 100, y: 60, size: 16 },
      ...lines(left, { x: 50, y: 100, width: 230 }),
      ...lines(right, { x: 310, y: 100, width: 230 }),
    ]);
    expect(blocks.slice(1).map((block) => block.text)).toEqual([left, right]);
  });

  it('reads a page whose text runs upwards', async () => {
    const blocks = await blocksOf([
      { text: 'Turned heading', x: 80, y: 780, size: 16, font: 'bold', angle: 90 },
      { text: 'The first line of the turned paragraph goes', x: 110, y: 780, angle: 90 },
      { text: 'on in the second line.', x: 122, y: 780, angle: 90 },
    ]);
    expect(outlineOf(blocks)).toEqual([
      'heading1: Turned heading',
      'paragraph: The first line of the turned paragraph goes on in the second line.',
    ]);
  });

  it('reads comments and filled form fields', async () => {
    const blocks = await blocksOf({
      pages: [
        { drawings: lines(PROSE, { x: 60, y: 100 }), comments: ['Please check'], field: 'Approved by Eva' },
      ],
    });
    expect(outlineOf(blocks)).toEqual([
      `paragraph: ${PROSE}`,
      'paragraph: Approved by Eva',
      'comment: Please check',
    ]);
  });
});

describe('tables', () => {
  const ruled = (y: number): Drawing[] => [
    ...grid([60, 160, 400, 520], [y, y + 20, y + 60, y + 80]),
    { text: 'ID', x: 64, y: y + 14, font: 'bold' },
    { text: 'Requirement', x: 164, y: y + 14, font: 'bold' },
    { text: 'ASIL', x: 404, y: y + 14, font: 'bold' },
    { text: 'FSR-1', x: 64, y: y + 34 },
    { text: 'The torque shall stay', x: 164, y: y + 34 },
    { text: 'below its limit.', x: 164, y: y + 46 },
    { text: 'C', x: 404, y: y + 34 },
    { text: 'FSR-2', x: 64, y: y + 74 },
    { text: 'QM', x: 404, y: y + 74 },
  ];

  it('reads ruled tables cell by cell, with header, empty cells and places', async () => {
    const blocks = await blocksOf([...lines(PROSE, { x: 60, y: 80 }), ...ruled(130)]);
    const rows = blocks.filter((block) => block.kind === 'table_row');
    expect(rows.map((row) => row.cells?.map((cell) => cell.text))).toEqual([
      ['ID', 'Requirement', 'ASIL'],
      ['FSR-1', 'The torque shall stay below its limit.', 'C'],
      ['FSR-2', '', 'QM'],
    ]);
    expect(rows.map((row) => row.table)).toEqual([
      { id: 0, row: 0, header: true },
      { id: 0, row: 1, header: false },
      { id: 0, row: 2, header: false },
    ]);
    expect(rows[1]?.cells?.[1]).toMatchObject({ column: 1, location: { page: 1, cell: 'R2C2' } });
    expect(rows[1]?.text).toBe('FSR-1\tThe torque shall stay below its limit.\tC');
  });

  it('knows merged cells', async () => {
    const blocks = await blocksOf([
      ...lines(PROSE, { x: 60, y: 80 }),
      { line: [60, 130, 360, 130] },
      { line: [60, 150, 360, 150] },
      { line: [60, 170, 360, 170] },
      { line: [60, 130, 60, 170] },
      { line: [210, 150, 210, 170] },
      { line: [360, 130, 360, 170] },
      { text: 'Over both', x: 64, y: 144 },
      { text: 'left', x: 64, y: 164 },
      { text: 'right', x: 214, y: 164 },
    ]);
    expect(
      blocks.slice(1).map((row) => row.cells?.map(({ text, column, span }) => [text, column, span])),
    ).toEqual([
      [['Over both', 0, 2]],
      [
        ['left', 0, undefined],
        ['right', 1, undefined],
      ],
    ]);
  });

  it('knows cells that cover several rows', async () => {
    const blocks = await blocksOf([
      ...lines(PROSE, { x: 60, y: 80 }),
      { line: [60, 130, 360, 130] },
      { line: [160, 150, 360, 150] },
      { line: [60, 170, 360, 170] },
      { line: [60, 130, 60, 170] },
      { line: [160, 130, 160, 170] },
      { line: [360, 130, 360, 170] },
      { text: 'SG-1', x: 64, y: 144 },
      { text: 'FSR-1', x: 164, y: 144 },
      { text: 'FSR-2', x: 164, y: 164 },
    ]);
    expect(
      blocks.slice(1).map((row) => row.cells?.map(({ text, column, rows }) => [text, column, rows])),
    ).toEqual([
      [
        ['SG-1', 0, 2],
        ['FSR-1', 1, undefined],
      ],
      [['FSR-2', 1, undefined]],
    ]);
  });

  it('goes on counting where a table goes on on the next page', async () => {
    const blocks = await blocksOf({ pages: [{ drawings: ruled(600) }, { drawings: ruled(200) }] });
    expect(blocks.map((block) => block.table)).toEqual(
      [0, 1, 2, 3, 4, 5].map((row) => ({ id: 0, row, header: row % 3 === 0 })),
    );
  });

  it('puts together the words that a narrow cell has torn, by what stands elsewhere', async () => {
    const cell = (first: string, second: string): Drawing[] => [
      ...grid([60, 160, 400], [300, 340, 360]),
      { text: first, x: 64, y: 314 },
      { text: second, x: 64, y: 326 },
      { text: 'below', x: 64, y: 354 },
      { text: 'right', x: 164, y: 314 },
    ];
    const textOf = async (first: string, second: string): Promise<string | undefined> =>
      (
        await blocksOf([
          ...lines('Max_Torque_Amplitude is kept in the database at the base of it.', { x: 60, y: 80 }),
          ...cell(first, second),
        ])
      ).find((block) => block.kind === 'table_row')?.cells?.[0]?.text;
    expect(await textOf('below Max_Torque_A', 'mplitude.')).toBe('below Max_Torque_Amplitude.');
    expect(await textOf('Max_Torque_', 'Amplitude')).toBe('Max_Torque_Amplitude');
    // Both pieces are words, or nothing tells that they are one.
    expect(await textOf('of the whole data', 'base')).toBe('of the whole data base');
    expect(await textOf('Max_Speed_A', 'mplitude.')).toBe('Max_Speed_A mplitude.');
  });

  describe('over a page break', () => {
    const XS = [60, 160, 400, 520];
    /** Rows of one to three cells, each as high as given. */
    const rowsAt = (top: number, rows: readonly (readonly string[])[], font?: 'bold'): Drawing[] =>
      rows.flatMap((cells, row) => [
        ...grid(XS, [top + row * 30, top + row * 30 + 30]),
        ...cells.flatMap((text, column): Drawing[] =>
          text === ''
            ? []
            : [{ text, x: XS[column]! + 4, y: top + row * 30 + 16, ...(font ? { font } : {}) }],
        ),
      ]);
    const HEADER = [['ID', 'Requirement', 'ASIL']];
    const joined = async (first: string[][], second: string[][], repeatsHeader = false) => {
      const blocks = await blocksOf({
        pages: [
          { drawings: [...rowsAt(600, HEADER, 'bold'), ...rowsAt(630, first)] },
          {
            drawings: repeatsHeader
              ? [...rowsAt(60, HEADER, 'bold'), ...rowsAt(90, second)]
              : rowsAt(60, second),
          },
        ],
      });
      return blocks.slice(1).map((row) => row.cells?.map((cell) => cell.text).join(' | '));
    };
    const ONE = ['FSR 01-01', 'The torque shall stay below its limit.', 'C'];
    const BEGUN = ['FSR 01-02', 'The warning shall end when the camera', 'B'];

    it.each([
      { what: 'the end of a text', rest: ['', 'sensor fails.', ''] },
      { what: 'a part that begins with a name', rest: ['', 'Camera_ECU fails.', ''] },
    ])('puts $what to the row it belongs to', async ({ rest }) => {
      const next = ['FSR 01-03', 'The driver shall be warned.', 'A'];
      const rows = [ONE.join(' | '), `FSR 01-02 | The warning shall end when the camera ${rest[1]} | B`];
      expect(await joined([ONE, BEGUN], [rest])).toEqual(rows);
      expect(await joined([ONE, BEGUN], [rest, next])).toEqual([...rows, next.join(' | ')]);
      expect(await joined([ONE, BEGUN], [rest, next], true)).toEqual([
        ...rows,
        'ID | Requirement | ASIL',
        next.join(' | '),
      ]);
    });

    it('puts together an id that the break has torn', async () => {
      const rows = await joined(
        [ONE, ['FSR', 'The warning shall end when', 'B']],
        [['01-02', 'the camera fails.', '']],
      );
      expect(rows[1]).toBe('FSR 01-02 | The warning shall end when the camera fails. | B');
    });

    it('gives a new row of its own what has an id, or words of its own, or no beginning', async () => {
      const news = [
        ['FSR 01-03', 'deleted', ''],
        ['', 'Another demand of the same group.', 'A'],
      ];
      for (const row of news) expect(await joined([ONE, BEGUN], [row])).toHaveLength(3);
      expect(await joined([ONE, ['FSR 01-02', '', 'B']], [['', 'sensor fails.', '']])).toHaveLength(3);
    });
  });

  it('finds tables without lines by their columns', async () => {
    const rows = [
      ['Signal', 'Range', 'Unit'],
      ['Torque request', '-10 to 10', 'Nm'],
      ['Vehicle speed', '0 to 250', 'km/h'],
      ['Steering angle', '-540 to 540', 'deg'],
    ];
    const blocks = await blocksOf([
      ...lines(PROSE, { x: 60, y: 80 }),
      ...rows.flatMap((row, index) =>
        row.map((text, column) => ({ text, x: 60 + column * 150, y: 140 + index * 14 })),
      ),
      ...lines(PROSE, { x: 60, y: 240 }),
    ]);
    expect(blocks.map((block) => block.cells?.map((cell) => cell.text) ?? block.kind)).toEqual([
      'paragraph',
      ...rows,
      'paragraph',
    ]);
  });

  it('takes a frame around prose for no table', async () => {
    const blocks = await blocksOf([...grid([50, 540], [80, 150]), ...lines(PROSE, { x: 60, y: 100 })]);
    expect(outlineOf(blocks)).toEqual([`paragraph: ${PROSE}`]);
  });
});

describe('files', () => {
  const page: PdfPage = { drawings: lines(PROSE, { x: 60, y: 100 }) };
  const scan: PdfPage = { drawings: [{ image: [0, 0, 595, 842] }] };

  it('tells title, author and dates', async () => {
    const file = await read(
      writePdf({
        pages: [page],
        information: {
          Title: 'Safety plan',
          Author: 'Eva',
          CreationDate: "D:20240131120500+01'00'",
          ModDate: 'D:2024',
        },
      }),
    );
    expect(file.properties).toEqual({
      title: 'Safety plan',
      author: 'Eva',
      created: '2024-01-31T12:05:00+01:00',
      modified: '2024',
    });
    expect(file.pageCount).toBe(1);
    expect(file.notes).toEqual([]);
  });

  it('reads a file that only its owner locked', async () => {
    const file = await read(writePdf({ pages: [page], encryption: { user: '', owner: 'secret' } }));
    expect(file.blocks.map((block) => block.text)).toEqual([PROSE]);
  });

  it('names the pages without text', async () => {
    const file = await read(writePdf({ pages: [page, scan, scan, page, scan] }));
    const values = { pages: '2–3, 5', pictures: 3 };
    expect(file.notes).toEqual([
      {
        code: 'page_without_text',
        message: { key: 'reading.page-without-text', values },
        location: { page: 2 },
      },
    ]);
    expect(english(file.notes[0]!.message)).toBe(
      'No text on pages 2–3, 5 (3 of them pictures). Scanned pages need text recognition (OCR).',
    );
  });

  it.each([
    ['encrypted', writePdf({ pages: [page], encryption: { user: 'secret', owner: 'secret' } }), {}],
    ['corrupt', Buffer.from('%PDF-1.7\nnot at all'), {}],
    ['corrupt', Buffer.alloc(0), {}],
    ['empty', writePdf({ pages: [] }), {}],
    ['no_text', writePdf({ pages: [scan, scan] }), {}],
    ['too_large', writePdf({ pages: [page, page, page] }), { maxPages: 2 }],
    ['timed_out', writePdf({ pages: [page] }), { maxProcessorSeconds: -1 }],
    ['too_complex', writePdf({ pages: [page, page] }), { maxBlocks: 1 }],
  ] as const)('refuses a file that is %s', async (code, bytes, limits) => {
    const error: unknown = await read(bytes, limits).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'DocumentError', code });
    expect(error).toHaveProperty('hint');
    expect(JSON.stringify(error)).not.toContain('voltage');
  });

  it('gives its memory back', async () => {
    // Large enough that a file, a document or its pages left behind in each round would make the memory grow.
    const pages = Array.from({ length: 40 }, (_, index) => ({
      drawings: lines(prose(index), { x: 60, y: 100, width: 60 }),
    }));
    const information = { Subject: 'x'.repeat(500_000) };
    const bytes = writePdf({ pages, information });
    const locked = writePdf({ pages: [page], information, encryption: { user: 'secret', owner: 'secret' } });
    const round = async (): Promise<void> => {
      await read(bytes);
      await expect(read(locked)).rejects.toThrow();
    };
    const { api } = await loadPdfium();
    for (let count = 0; count < 5; count++) await round();
    const before = api.memory.buffer.byteLength;
    for (let count = 0; count < 40; count++) await round();
    expect(api.memory.buffer.byteLength).toBe(before);
  });
});
