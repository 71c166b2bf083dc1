import { describe, expect, it } from 'vitest';
import { openDocumentFile } from '../../testing/open-document.js';
import { read } from '../../testing/outline.js';

const cellStyle = (name: string, letters: string, background = '', more = '') =>
  `<style:style style:name="${name}" style:family="table-cell">${background ? `<style:table-cell-properties fo:background-color="${background}"/>` : ''}<style:text-properties ${letters}/>${more}</style:style>`;
const WHITE = cellStyle('white', 'fo:color="#ffffff"');
const cell = (content: string, style?: string) =>
  `<table:table-cell${style ? ` table:style-name="${style}"` : ''}><text:p>${content}</text:p></table:table-cell>`;
const row = (cells: string, attributes = '') => `<table:table-row${attributes}>${cells}</table:table-row>`;

/** Texts of the cells and what of them is hidden, row by row. */
async function looks(rows: string, styles: string, after = '', pages = '') {
  const body = `<table:table table:name="S">${rows}${after}</table:table>`;
  const { text, blocks } = await read(openDocumentFile('spreadsheet', { body, styles, pages }), 'a.ods');
  return blocks
    .filter((block) => block.kind === 'table_row')
    .map((block) => [
      block.cells!.map((one) => one.text).join('|'),
      ...(block.hidden ?? []).map((range) => `${range.reason}: ${text.slice(range.start, range.end)}`),
    ]);
}

describe('hidden text of ODS', () => {
  it('marks cells in the colour of what they stand on, tiny and transparent ones', async () => {
    const styles =
      WHITE +
      cellStyle('blue', 'fo:color="#0000ff"', '#0000ff') +
      cellStyle('tiny', 'fo:font-size="1pt"') +
      cellStyle('header', 'fo:color="#ffffff"', '#003366');
    expect(
      await looks(
        row(cell('a', 'white') + cell('b')) +
          row(cell('c', 'blue') + cell('d', 'tiny')) +
          row(cell('e', 'header') + cell('f', 'header')),
        styles,
      ),
    ).toEqual([['a|b', 'same-colour: a'], ['c|d', 'same-colour: c', 'tiny: d'], ['e|f']]);
  });

  it('takes the style of the row or column where a cell has none, and those of the document', async () => {
    const column = (style: string, repeated = 1) =>
      `<table:table-column table:default-cell-style-name="${style}" table:number-columns-repeated="${repeated}"/>`;
    const common = `<office:styles>${WHITE}${cellStyle('plain', 'fo:color="#000000"')}</office:styles>`;
    expect(
      await looks(
        column('plain', 2) +
          column('white') +
          row(cell('a') + cell('b') + cell('c')) +
          row(cell('d') + cell('e', 'plain'), ' table:default-cell-style-name="white"'),
        '',
        '',
        common,
      ),
    ).toEqual([
      ['a|b|c', 'same-colour: c'],
      ['d|e', 'same-colour: d'],
    ]);
  });

  it('sets hidden words of a cell behind those that are seen', async () => {
    const styles =
      '<style:style style:name="T1" style:family="text"><style:text-properties fo:color="#ffffff"/></style:style>';
    expect(
      await looks(
        row(cell('One <text:span text:style-name="T1">secret</text:span> two') + cell('b')),
        styles,
      ),
    ).toEqual([['One two secret|b', 'same-colour: secret']]);
  });

  it('says nothing about colours that a condition may change', async () => {
    const conditional =
      '<calcext:conditional-formats><calcext:conditional-format calcext:target-range-address="S.A1:S.A9"/></calcext:conditional-formats>';
    const tiny = cellStyle('tiny', 'fo:font-size="1pt"');
    expect(await looks(row(cell('a', 'white') + cell('b', 'tiny')), WHITE + tiny, conditional)).toEqual([
      ['a|b', 'tiny: b'],
    ]);
    const map = cellStyle('white', 'fo:color="#ffffff"', '', '<style:map style:condition="value()&gt;1"/>');
    expect(await looks(row(cell('a', 'white') + cell('b')), map)).toEqual([['a|b']]);
  });
});
