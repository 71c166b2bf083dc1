import { describe, expect, it } from 'vitest';
import { outline, places, read } from '../../testing/outline.js';

const outlineOf = async (text: string) => outline(await read(text, 'a.rst'));

describe('reStructuredText', () => {
  it('takes levels of headings from the order of their underlines', async () => {
    const text =
      '=====\nTitle\n=====\n\nOne\n---\n\nText of *one* and ``two``\non :doc:`two lines <x>`.\n\nTwo\n~~~\n\nThree\n-----\n';
    const document = await read(text, 'a.rst');
    expect(outline(document)).toEqual([
      'heading1: Title',
      'heading2: One',
      'paragraph: Text of one and two on two lines.',
      'heading3: Two',
      'heading2: Three',
    ]);
    expect(places(document)[3]).toBe('Title › One, line 11');
  });

  it('keeps the title, options and body of a requirement with its identifier', async () => {
    const text = [
      '.. req:: Stop in time',
      '   :id: REQ_1',
      '   :status: open',
      '   :links: SG_1,',
      '           SG_2',
      '',
      '   The item shall stop.',
      '',
      '   * within 50 ms',
      '',
      'Outside.',
    ].join('\n');
    const document = await read(text, 'a.rst');
    expect(outline(document)).toEqual([
      'table_row 0.0: req | Stop in time',
      'table_row 0.1: id | REQ_1',
      'table_row 0.2: status | open',
      'table_row 0.3: links | SG_1, SG_2',
      'paragraph: The item shall stop.',
      'list_item1: within 50 ms',
      'paragraph: Outside.',
    ]);
    expect(document.blocks.map((block) => block.location.requirementId)).toEqual([
      ...Array(6).fill('REQ_1'),
      undefined,
    ]);
    expect(document.blocks[4]!.location.line).toBe(7);
  });

  it('reads grid, simple, list and CSV tables', async () => {
    const grid =
      '+----+------+\n| ID | Text |\n+====+======+\n| R1 | It   |\n|    | stops|\n+----+------+\n| both      |\n+----+------+\n';
    const simple = '==  ====\nID  Text\n==  ====\nR1  It\n    stops\nR2  Warns\n==  ====\n';
    const list =
      '.. list-table:: Goals\n   :header-rows: 1\n\n   * - ID\n     - Text\n   * - R1\n     - It\n       stops\n';
    const csv = '.. csv-table::\n   :header: "ID", "Text"\n\n   R1, "It, too"\n';
    expect(await outlineOf([grid, simple, list, csv].join('\n'))).toEqual([
      'table_row 0.0 header: ID | Text',
      'table_row 0.1: R1 | It stops',
      'table_row 0.2: both',
      'table_row 1.0 header: ID | Text',
      'table_row 1.1: R1 | It stops',
      'table_row 1.2: R2 | Warns',
      'caption: Goals',
      'table_row 2.0 header: ID | Text',
      'table_row 2.1: R1 | It stops',
      'table_row 3.0 header: ID | Text',
      'table_row 3.1: R1 | It, too',
    ]);
  });

  it('knows cells of grid tables that cover several columns or rows', async () => {
    const text = [
      '+----+-------------+------+',
      '| ID | Timing      | From |',
      '|    +------+------+      |',
      '|    | Det. | Re.  |      |',
      '+====+======+======+======+',
      '| R1 | 1 s  | 2 s  | G1   |',
      '+----+------+------+      |',
      '| R2 | 3 s  | 4 s  |      |',
      '+----+------+------+------+',
      '',
    ].join('\n');
    const { blocks } = await read(text, 'a.rst');
    expect(
      blocks.map(({ table, cells = [] }) => [
        table?.header,
        ...cells.map(({ text: own, column, span, rows }) => [own, column, span, rows]),
      ]),
    ).toEqual([
      [true, ['ID', 0, undefined, 2], ['Timing', 1, 2, undefined], ['From', 3, undefined, 2]],
      [true, ['Det.', 1, undefined, undefined], ['Re.', 2, undefined, undefined]],
      [
        false,
        ['R1', 0, undefined, undefined],
        ['1 s', 1, undefined, undefined],
        ['2 s', 2, undefined, undefined],
        ['G1', 3, undefined, 2],
      ],
      [
        false,
        ['R2', 0, undefined, undefined],
        ['3 s', 1, undefined, undefined],
        ['4 s', 2, undefined, undefined],
      ],
    ]);
  });

  it('tells listings, pictures, contents, notes and comments apart', async () => {
    const text = [
      '.. A comment',
      '   of two lines',
      '',
      '.. note:: Mind this.',
      '',
      '   Body',
      '',
      '.. code-block:: c',
      '   :caption: main.c',
      '',
      '   int x;',
      '',
      'As follows::',
      '',
      '  literal',
      '',
      '.. figure:: a.png',
      '   :alt: A diagram',
      '',
      '   Figure caption',
      '',
      '.. toctree::',
      '   :maxdepth: 2',
      '',
      '   first',
      '',
      '.. _target: http://x.example',
      '.. [1] A footnote.',
    ].join('\n');
    expect(await outlineOf(text)).toEqual([
      'paragraph: Mind this.',
      'paragraph: Body',
      'caption: main.c',
      'code: int x;',
      'paragraph: As follows:',
      'code: literal',
      'figure: A diagram',
      'caption: Figure caption',
      'toc_entry: first',
      'paragraph: A footnote.',
    ]);
  });

  it('reads nested lists, definitions and quotes', async () => {
    expect(await outlineOf('- a\n\n  - b\n    goes on\n\n1. c\n#. d\n\nterm\n  its meaning\n')).toEqual([
      'list_item1: a',
      'list_item2: b goes on',
      'list_item1: 1. c',
      'list_item1: d',
      'paragraph: term',
      'paragraph: its meaning',
    ]);
  });
});
