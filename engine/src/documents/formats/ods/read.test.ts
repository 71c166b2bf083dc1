import { describe, expect, it } from 'vitest';
import { openDocumentFile } from '../../testing/open-document.js';
import { outline, read } from '../../testing/outline.js';

const cell = (text: string, attributes = '') =>
  `<table:table-cell${attributes}><text:p>${text}</text:p></table:table-cell>`;
const row = (cells: string, attributes = '') => `<table:table-row${attributes}>${cells}</table:table-row>`;
const sheet = (name: string, rows: string, attributes = '') =>
  `<table:table table:name="${name}"${attributes}>${rows}</table:table>`;

describe('ODS', () => {
  it('gives sheets and filled rows with their references', async () => {
    const far = ' table:number-rows-repeated="1048000"';
    const document = await read(
      openDocumentFile('spreadsheet', {
        styles:
          '<style:style style:name="off" style:family="table"><style:table-properties table:display="false"/></style:style>',
        body:
          sheet(
            'Goals',
            row('<table:table-cell table:number-columns-repeated="2"/>') +
              row(`<table:table-cell/>${cell('ID')}${cell('Text')}${cell('ASIL')}`) +
              row(
                `<table:table-cell/>${cell('SG-1')}${cell('Avoid', ' table:number-columns-repeated="2"')}<table:table-cell table:number-columns-repeated="16000"/>`,
                ' table:number-rows-repeated="2"',
              ) +
              row(
                `<table:table-cell/><table:table-cell office:value-type="float" office:value="7"/><table:table-cell><office:annotation><text:p>Why?</text:p></office:annotation><text:p>B</text:p></table:table-cell>${cell('')}`,
              ) +
              row('<table:table-cell/>', far),
          ) + sheet('Old', row(cell('x')), ' table:style-name="off"'),
      }),
      'a.ods',
    );
    expect(outline(document)).toEqual([
      'heading1: Goals',
      'table_row 0.0 header: ID | Text | ASIL',
      'table_row 0.1: SG-1 | Avoid | Avoid',
      'table_row 0.2: SG-1 | Avoid | Avoid',
      'table_row 0.3: 7 | B',
      'comment: Why?',
      'heading1: Old',
      'table_row 1.0: x',
    ]);
    expect(document.blocks[3]!.location).toEqual({ section: ['Goals'], sheet: 'Goals', cell: 'B4:D4' });
    expect(document.blocks[5]!.location.cell).toBe('C5');
    expect(document.notes.map((note) => [note.code, note.location?.sheet])).toEqual([
      ['hidden_content', 'Old'],
    ]);
    expect(document.pageCount).toBe(2);
  });

  it('refuses a cell that the file repeats without end', async () => {
    const endless = row(
      cell('x', ' table:number-columns-repeated="16384"'),
      ' table:number-rows-repeated="1048576"',
    );
    await expect(
      read(openDocumentFile('spreadsheet', { body: sheet('S', endless) }), 'a.ods'),
    ).rejects.toMatchObject({ code: 'too_large' });
  });
});
