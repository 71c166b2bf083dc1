import { describe, expect, it } from 'vitest';
import { outline, read } from '../../testing/outline.js';

describe('separated values', () => {
  it.each([
    ['commas', 'ID,Text\nR1,"a, b"\nR2,c\n'],
    ['semicolons with decimal commas', 'ID;Text\nR1;"a, b"\nR2;c\n'],
    ['tabs', 'ID\tText\nR1\ta, b\nR2\tc\n'],
    ['bars', 'ID|Text\nR1|a, b\nR2|c\n'],
    ['a stated separator', 'sep=;\nID;Text\nR1;a, b\nR2;c'],
  ])('reads %s', async (_, text) => {
    expect(outline(await read(text, 'a.csv'))).toEqual([
      'table_row 0.0 header: ID | Text',
      'table_row 0.1: R1 | a, b',
      'table_row 0.2: R2 | c',
    ]);
  });

  it('gives the line on which a record begins, quotes over several lines included', async () => {
    const document = await read('ID,Text\r\nR1,"one\r\ntwo ""three"""\r\n\r\nR2,x\r\n', 'a.csv');
    expect(document.blocks.map((block) => block.location.line)).toEqual([1, 2, 5]);
    expect(document.blocks[1]!.cells![1]).toMatchObject({
      text: 'one two "three"',
      location: { cell: 'R2C2', line: 2 },
    });
  });
});
