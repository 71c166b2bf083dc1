import { describe, expect, it } from 'vitest';
import { tablesOf } from '../corpus/passages/tables.js';
import type { Document } from './document.js';
import { DEFAULT_LIMITS } from './reading-limits.js';
import { readSpan } from './table-grid.js';
import { docxFile, xlsxFile } from './testing/office-files.js';
import { openDocumentFile } from './testing/open-document.js';
import { read } from './testing/outline.js';
import { pptxFile } from './testing/presentation.js';

const HUGE = '999999999';

const word = (cells: string) => docxFile(`<w:tbl>${cells}</w:tbl>`);
const wordCell = (text: string, span: string) =>
  `<w:tc><w:tcPr><w:gridSpan w:val="${span}"/></w:tcPr><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:tc>`;
const slideCell = (text: string, span: string) =>
  `<a:tc gridSpan="${span}"><a:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:txBody></a:tc>`;
const openCell = (text: string, attribute: string) =>
  `<table:table-cell table:${attribute}="${HUGE}"><text:p>${text}</text:p></table:table-cell>`;
const plainCell = (text: string) => `<table:table-cell><text:p>${text}</text:p></table:table-cell>`;

/** A head whose first cell claims a billion columns over two, and a row below it. */
const CLAIMS: readonly (readonly [string, string, () => Uint8Array | string])[] = [
  [
    'Word',
    'a.docx',
    () =>
      word(
        `<w:tr><w:trPr><w:tblHeader/></w:trPr>${wordCell('Head', HUGE)}</w:tr><w:tr>${wordCell('a', '1')}${wordCell('b', '1')}</w:tr>`,
      ),
  ],
  [
    'PowerPoint',
    'a.pptx',
    () =>
      pptxFile([
        {
          shapes: `<p:graphicFrame><a:tbl><a:tblPr firstRow="1"/><a:tr>${slideCell('Head', HUGE)}</a:tr><a:tr>${slideCell('a', '1')}${slideCell('b', '1')}</a:tr></a:tbl></p:graphicFrame>`,
        },
      ]),
  ],
  [
    'OpenDocument text',
    'a.odt',
    () =>
      openDocumentFile('text', {
        body: `<table:table><table:table-header-rows><table:table-row>${openCell('Head', 'number-columns-spanned')}</table:table-row></table:table-header-rows><table:table-row>${plainCell('a')}${plainCell('b')}</table:table-row></table:table>`,
      }),
  ],
  [
    'HTML',
    'a.html',
    () =>
      `<!doctype html><table><tr><th colspan=${HUGE} rowspan=1>Head</tr><tr><td>a<td>b</tr><tr><td>c<td>d</table>`,
  ],
];

const columnsOf = (document: Document) => tablesOf(document).map(({ columns }) => columns);

describe('the columns of a table', () => {
  it.each(CLAIMS)('in %s end with the last in which a cell begins', async (_, name, file) => {
    const document = await read(file(), name);
    expect(columnsOf(document)).toEqual([['Head', 'Head']]);
    expect(document.text.match(/Head/g)).toHaveLength(1);
  });

  it('are left out where no cell begins when there would be too many, and a note says so', async () => {
    const cells = Array.from({ length: 900 }, (_, at) => wordCell(`c${at}`, HUGE)).join('');
    const document = await read(word(`<w:tr>${cells}</w:tr><w:tr>${wordCell('a', '1')}</w:tr>`), 'a.docx');
    expect(document.blocks[0]!.cells).toHaveLength(900);
    expect(document.blocks[0]!.cells!.at(-1)).toMatchObject({ text: 'c899', column: 899 });
    expect(document.blocks.flatMap((block) => block.cells!).every(({ span }) => span === undefined)).toBe(
      true,
    );
    expect(document.notes.map(({ code }) => code)).toEqual(['columns_left_out']);
  });

  it('are refused when there really are too many', async () => {
    const row = (from: number) =>
      `<tr><td colspan=${from}></td>${Array.from({ length: 600 }, () => '<td>a</td>').join('')}</tr>`;
    await expect(read(`<!doctype html><table>${row(1)}${row(700)}</table>`, 'a.html')).rejects.toMatchObject({
      code: 'too_complex',
    });
  });

  it('of sheets may lie far apart, in any order', async () => {
    const far = `<sheetData><row r="1"><c r="XFD1" t="str"><v>far</v></c><c r="B1" t="str"><v>near</v></c></row></sheetData><mergeCells><mergeCell ref="B1:XFD900000"/></mergeCells>`;
    const document = await read(xlsxFile([{ name: 'S', content: far }]), 'a.xlsx');
    expect(document.blocks[1]!.cells!.map(({ text, column }) => [text, column])).toEqual([
      ['far', 1],
      ['near', 0],
    ]);
    expect(document.blocks[1]!.cells!.map(({ location }) => location.cell)).toEqual(['XFD1', 'B1']);
  });

  it('that a spreadsheet repeats are counted', async () => {
    const sheet = (row: string) =>
      openDocumentFile('spreadsheet', {
        body: `<table:table table:name="S"><table:table-row>${row}</table:table-row></table:table>`,
      });
    await expect(read(sheet(openCell('a', 'number-columns-repeated')), 'a.ods')).rejects.toMatchObject({
      code: 'too_complex',
    });
    const gaps = `<table:table-cell table:number-columns-repeated="${'9'.repeat(400)}"/>${plainCell('a')}`;
    expect((await read(sheet(gaps), 'a.ods')).blocks[1]!.cells).toMatchObject([{ text: 'a', column: 0 }]);
  });
});

it.each([
  [undefined, 1],
  ['', 1],
  ['-4', 1],
  ['NaN', 1],
  ['7', 7],
  [HUGE, 1000],
  ['9'.repeat(400), 1000],
])('a span of %s is %d', (stated, span) => {
  expect(readSpan(stated)).toBe(span);
  expect(DEFAULT_LIMITS.maxColumns).toBe(1000);
});

it.each([
  [
    'Word',
    docxFile(
      `<w:tbl>${[
        ['ID', 'Requirement', 'Goal'],
        ['FSR-1', 'The motor shall stop.', 'SG-1'],
        ['FSR-2', 'The lamp shall light.', undefined],
        ['FSR-3', 'The lock shall close.', 'SG-2'],
      ]
        .map(
          (cells, row) =>
            `<w:tr>${cells
              .map(
                (text, column) =>
                  `<w:tc><w:tcPr>${column === 2 && row > 0 ? `<w:vMerge${row === 2 ? '' : ' w:val="restart"'}/>` : ''}</w:tcPr><w:p><w:r><w:t>${text ?? ''}</w:t></w:r></w:p></w:tc>`,
              )
              .join('')}</w:tr>`,
        )
        .join('')}</w:tbl>`,
    ),
    'a.docx',
  ],
  [
    'HTML',
    new TextEncoder().encode(
      '<!doctype html><table><tr><th>ID<th>Requirement<th>Goal</tr><tr><td>FSR-1<td>The motor shall stop.<td rowspan=2>SG-1</tr><tr><td>FSR-2<td>The lamp shall light.</tr><tr><td>FSR-3<td>The lock shall close.<td>SG-2</tr></table>',
    ),
    'a.html',
  ],
])('a merged cell stands in every row that it covers, in one place: %s', async (_format, bytes, fileName) => {
  const document = await read(bytes, fileName);
  const [table] = tablesOf(document);
  expect(table!.rows.map((row) => row.cells.get(2)?.text)).toEqual(['SG-1', 'SG-1', 'SG-2']);
  const [first, second] = table!.rows;
  expect(second!.cells.get(2)).toBe(first!.cells.get(2));
  expect(document.text.match(/SG-1/g)).toHaveLength(1);
});
