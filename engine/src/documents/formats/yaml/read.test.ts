import { describe, expect, it } from 'vitest';
import { outline, read } from '../../testing/outline.js';

describe('YAML', () => {
  it('gives records with their lines, values as they are written', async () => {
    const text = `# Goals
project: Brake
goals:
  - id: SG-01
    text: >
      Avoid unintended
      braking.
    asil: 'D'
    derived_from: [HZ-1, HZ-2]
  - id: SG-02
    text: "No\\tloss"
    version: 1.10
    none: ~
`;
    const document = await read(text, 'a.yml');
    expect(outline(document)).toEqual([
      'table_row 0.0: project | Brake',
      'heading1: goals',
      'table_row 1.0 header: id | text | asil | derived_from | version',
      'table_row 1.1: SG-01 | Avoid unintended braking. | D | HZ-1, HZ-2',
      'table_row 1.2: SG-02 | No loss | 1.10',
    ]);
    expect(document.blocks.map((block) => block.location.line)).toEqual([2, 3, 4, 4, 10]);
    expect(document.blocks[4]!.record).toEqual({ id: 'SG-02' });
  });

  it('reads several documents and never copies an alias', async () => {
    const document = await read('---\nid: A\nx: &a [1, 2]\n---\nid: B\nx: *a\n', 'a.yaml');
    expect(outline(document).slice(1)).toEqual(['table_row 0.1: A | 1, 2', 'table_row 0.2: B | *a']);
  });

  it('refuses what is no YAML, with its line', async () => {
    await expect(read('a: b\nc: [1\n', 'a.yaml')).rejects.toMatchObject({ code: 'corrupt' });
    await expect(read('a: b\n\tc: d\n', 'a.yaml')).rejects.toMatchObject({ location: { line: 2 } });
  });
});

describe('Doorstop', () => {
  const item = (more: string) =>
    `active: true\nderived: false\nheader: |\n  Title\nlevel: 2.3\n${more}ref: ''\nreviewed: null\ntext: |\n  The system\n  shall brake.\n`;

  it('gives the record that the file is, named by the file, with links to its parents', async () => {
    const document = await read(item('links:\n- SYS001: abc=\n- SYS002\nnormative: true\n'), 'req/SW017.yml');
    expect(outline(document)).toEqual([
      'table_row 0.0 header: ID | active | derived | header | level | normative | text | links',
      'table_row 0.1: SW017 | true | false | Title | 2.3 | true | The system shall brake. | SYS001, SYS002',
    ]);
    expect(document.blocks[1]!.record).toEqual({
      id: 'SW017',
      type: 'requirement',
      links: [
        { type: 'links', target: 'SYS001', column: 7 },
        { type: 'links', target: 'SYS002', column: 7 },
      ],
    });
  });

  it('takes an item of level x.0 that is not normative for a heading', async () => {
    const text = item('links: []\nnormative: false\n').replace('2.3', '2.0');
    expect(outline(await read(text, 'SW018.yml'))).toEqual([
      'heading1: Title',
      'paragraph: The system shall brake.',
    ]);
  });
});
