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

  it('finds the titles of columns below lines about the file', async () => {
    const text =
      'Document;V-7;Revision A\nNote;20 times\n\nTC;Verifies;Stimulus;Verdict\nT1;R1;a;Pass\n\nT2;R2;b;Pass\n';
    expect(outline(await read(text, 'a.csv')).map((line) => line.split(':')[0])).toEqual([
      'table_row 0.0',
      'table_row 0.1',
      'table_row 0.2 header',
      'table_row 0.3',
      'table_row 0.4',
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
