import { describe, expect, it } from 'vitest';
import type { Block } from './block-view.tsx';
import { cellAt, columnName, sheetsOf } from './sheets.ts';

const cell = (name: string, text: string, start: number, more: object = {}) => ({
  text,
  start,
  end: start + text.length,
  column: 0,
  location: { sheet: 'HARA', cell: name },
  ...more,
});
const row = (index: number, header: boolean, cells: ReturnType<typeof cell>[]): Block => ({
  index,
  kind: 'table_row',
  text: '',
  start: cells[0]!.start,
  end: cells.at(-1)!.end,
  location: { sheet: 'HARA', cell: 'B2:D2' },
  table: { id: 0, row: index, header },
  cells,
});

it.each([
  [0, 'A'],
  [25, 'Z'],
  [26, 'AA'],
  [51, 'AZ'],
  [702, 'AAA'],
])('column %i is %s', (column, name) => {
  expect(columnName(column)).toBe(name);
  expect(cellAt(`${name}7`)).toEqual({ column, row: 7 });
});

it('knows no cell where there is none', () => {
  for (const name of [undefined, '', '12', 'B', 'Sheet 1', 'b2']) expect(cellAt(name)).toBeUndefined();
  expect(cellAt('B12:D14')).toEqual({ column: 1, row: 12 });
});

describe('the sheets of a workbook', () => {
  const blocks: Block[] = [
    { index: 0, kind: 'heading', text: 'HARA', start: 0, end: 4, level: 1, location: { sheet: 'HARA' } },
    row(1, true, [cell('B2', 'ID', 5), cell('C2', 'Event', 8, { span: 2 })]),
    row(2, false, [cell('B5', 'HE-1', 14, { rows: 2 }), cell('C5', 'Door opens', 19), cell('D5', 'S3', 30)]),
    row(3, false, [cell('B6', '', 33), cell('C6', 'Lamp fails', 34)]),
    {
      index: 4,
      kind: 'paragraph',
      text: 'Note',
      start: 50,
      end: 54,
      location: { sheet: 'Notes', cell: 'A1' },
    },
  ];
  const [hara, notes] = sheetsOf(blocks);

  it('have rows and cells by the names of the file', () => {
    expect([hara!.name, hara!.columns, hara!.rows.map(({ number }) => number)]).toEqual([
      'HARA',
      4,
      [2, 5, 6],
    ]);
    expect(hara!.rows[0]!.isHeader).toBe(true);
    expect(hara!.rows[1]!.cells.map(({ column, text }) => [column, text])).toEqual([
      [1, 'HE-1'],
      [2, 'Door opens'],
      [3, 'S3'],
    ]);
    expect(notes!.rows[0]!.cells).toMatchObject([{ column: 0, text: 'Note', start: 50, end: 54 }]);
  });

  it('say which cell reaches into another row', () => {
    expect([...hara!.rows[2]!.covered]).toEqual([[1, 'B5']]);
    expect(hara!.rows[2]!.cells.map(({ text }) => text)).toEqual(['Lamp fails']);
  });

  it('are none of a document without sheets', () => {
    expect(
      sheetsOf([{ index: 0, kind: 'paragraph', text: 'x', start: 0, end: 1, location: { page: 1 } }]),
    ).toEqual([]);
  });
});
