import { describe, expect, it } from 'vitest';
import { sheetRow, spreadsheetPart, type TestSheet, xlsxFile } from '../../testing/office-files.js';
import { outline, read } from '../../testing/outline.js';

const sheet = (name: string, rows: string, after = ''): TestSheet => ({
  name,
  content: `<sheetData>${rows}</sheetData>${after}`,
});

describe('workbooks', () => {
  it('reads sheets as headings and filled rows as table rows with their references', async () => {
    const rows = sheetRow(2, [null, 'Hazard', 'ASIL']) + sheetRow(3, [null, 'HA-1', 'B']);
    const document = await read(xlsxFile([sheet('HARA', rows)]), 'a.xlsx');
    expect(outline(document)).toEqual([
      'heading1: HARA',
      'table_row 0.0 header: Hazard | ASIL',
      'table_row 0.1: HA-1 | B',
    ]);
    expect(document.blocks[2]!.location).toEqual({ section: ['HARA'], sheet: 'HARA', cell: 'B3:C3' });
    expect(document.blocks[2]!.cells![1]!).toMatchObject({ column: 1, location: { cell: 'C3' } });
    expect(document.pageCount).toBe(1);
  });

  it('finds the header below a title and over two rows', async () => {
    const rows = [
      sheetRow(1, ['Hazard analysis']),
      sheetRow(2, ['ID', 'Situation', null, 'Rating']),
      sheetRow(3, [null, 'Mode', 'Road', 'ASIL']),
      sheetRow(4, ['HA-1', 'driving', 'highway', 'C']),
    ].join('');
    const merges = '<mergeCells><mergeCell ref="B2:C2"/></mergeCells>';
    expect(outline(await read(xlsxFile([sheet('S', rows, merges)]), 'a.xlsx')).slice(1)).toEqual([
      'table_row 0.0: Hazard analysis',
      'table_row 0.1 header: ID | Situation | Rating',
      'table_row 0.2 header: Mode | Road | ASIL',
      'table_row 0.3: HA-1 | driving | highway | C',
    ]);
  });

  it('separates tables at empty rows, and lets a group without header go on with the table above', async () => {
    const rows = [
      sheetRow(1, ['ID', 'Text']),
      sheetRow(2, ['R1', 'It shall stop.']),
      sheetRow(4, ['R2', 'It shall go on.']),
      sheetRow(6, ['Term', 'Meaning']),
      sheetRow(7, ['ASIL', 'A level of rigour.']),
    ].join('');
    expect(outline(await read(xlsxFile([sheet('S', rows)]), 'a.xlsx')).slice(1)).toEqual([
      'table_row 0.0 header: ID | Text',
      'table_row 0.1: R1 | It shall stop.',
      'table_row 0.2: R2 | It shall go on.',
      'table_row 1.0 header: Term | Meaning',
      'table_row 1.1: ASIL | A level of rigour.',
    ]);
  });

  it('shows values as the sheet shows them', async () => {
    const styles = spreadsheetPart(
      'styles.xml',
      'styles',
      'styleSheet',
      '<numFmts><numFmt numFmtId="170" formatCode="dd.mm.yyyy"/></numFmts><fonts><font/></fonts><cellXfs><xf numFmtId="0"/><xf numFmtId="9"/><xf numFmtId="170"/><xf numFmtId="4"/><xf numFmtId="14"/></cellXfs>',
    );
    const strings = spreadsheetPart(
      'sharedStrings.xml',
      'sharedStrings',
      'sst',
      '<si><r><t>rich </t></r><r><t>text</t></r><rPh><t>phonetic</t></rPh></si>',
    );
    const row = `<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1"><v>0.30000000000000004</v></c><c r="C1" s="1"><v>0.25</v></c>
      <c r="D1" s="2"><v>45000</v></c><c r="E1" s="3"><v>1234.5</v></c><c r="F1" t="b"><v>1</v></c><c r="G1" t="e"><v>#REF!</v></c>
      <c r="H1" t="str"><f>A1&amp;"x"</f><v>cached</v></c><c r="I1" s="4"><v>45000</v></c><c r="J1" s="2"/></row>`;
    const document = await read(xlsxFile([sheet('S', row)], [styles, strings]), 'a.xlsx');
    expect(document.blocks[1]!.cells!.map((cell) => cell.text)).toEqual([
      'rich text',
      '0.3',
      '25%',
      '15.03.2023',
      '1,234.50',
      'TRUE',
      '#REF!',
      'cached',
      '2023-03-15',
    ]);
  });

  it('counts dates from 1904 where the workbook says so', async () => {
    const styles = spreadsheetPart(
      'styles.xml',
      'styles',
      'styleSheet',
      '<cellXfs><xf numFmtId="14"/></cellXfs>',
    );
    const rows = '<row r="1"><c r="A1" s="0"><v>0</v></c></row>';
    expect((await read(xlsxFile([sheet('S', rows)], [styles], true), 'a.xlsx')).text).toBe('S\n1904-01-01');
  });

  it('reads hidden sheets and rows, and says so', async () => {
    const hidden: TestSheet = { ...sheet('Old', sheetRow(1, ['x', 'y'])), state: 'veryHidden' };
    const rows = `<row r="1" hidden="1"><c r="A1"><v>1</v></c></row>`;
    const document = await read(xlsxFile([hidden, sheet('New', rows)]), 'a.xlsx');
    expect(document.notes.map((note) => [note.code, note.location?.sheet])).toEqual([
      ['hidden_content', 'Old'],
      ['hidden_content', 'New'],
    ]);
    expect(document.blocks.map((block) => block.hidden?.[0]?.reason)).toEqual([
      'hidden-sheet',
      'hidden-sheet',
      undefined,
      'hidden-row',
    ]);
    expect(document.text).toBe('Old\nx\ty\nNew\n1');
  });

  it('puts comments after the row of their cell, threads once', async () => {
    const comments = spreadsheetPart(
      'comments1.xml',
      'comments',
      'comments',
      '<commentList><comment ref="A1"><text><t>[Threaded comment]</t></text></comment><comment ref="Z9"><text><t>Elsewhere</t></text></comment></commentList>',
    );
    const thread = {
      path: 'threaded1.xml',
      type: 'threadedComment',
      content:
        '<ThreadedComments xmlns="http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments"><threadedComment ref="A1"><text>Why B?</text></threadedComment></ThreadedComments>',
    };
    const rows = sheetRow(1, ['HA-1', 'B']) + sheetRow(2, ['HA-2', 'C']);
    const document = await read(xlsxFile([{ ...sheet('S', rows), parts: [comments, thread] }]), 'a.xlsx');
    expect(outline(document).filter((line) => line.startsWith('comment'))).toEqual([
      'comment: Why B?',
      'comment: Elsewhere',
    ]);
    expect(document.blocks[2]!.location.cell).toBe('A1');
  });

  it('reads text boxes and pictures where their corner is', async () => {
    const drawing = {
      path: 'drawing1.xml',
      type: 'drawing',
      content: `<x:wsDr xmlns:x="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main">
        <x:twoCellAnchor><x:from><x:col>1</x:col><x:row>2</x:row></x:from><x:to><x:col>9</x:col><x:row>9</x:row></x:to><x:sp><x:txBody><a:p><a:r><a:t>Fill in </a:t></a:r><a:r><a:t>all rows.</a:t></a:r></a:p></x:txBody></x:sp></x:twoCellAnchor>
        <x:twoCellAnchor><x:from><x:col>0</x:col><x:row>0</x:row></x:from><x:pic><x:nvPicPr><x:cNvPr id="1" name="p" descr="A diagram"/></x:nvPicPr></x:pic></x:twoCellAnchor></x:wsDr>`,
    };
    const document = await read(
      xlsxFile([{ ...sheet('S', sheetRow(1, ['x'])), parts: [drawing] }]),
      'a.xlsx',
    );
    expect(outline(document).slice(2)).toEqual(['paragraph: Fill in all rows.', 'figure: A diagram']);
    expect(document.blocks[2]!.location).toEqual({ section: ['S'], sheet: 'S', cell: 'B3' });
  });
});
