import { describe, expect, it } from 'vitest';
import { outline, read } from '../../testing/outline.js';

const FILE = `/* A comment
   with lines */
package Brake
import Other

section "Software" {
  Types.SwReq Stop_Fast {
    description = "The software \\"shall\\" stop."
    rationale = '''
      Because
      of it.'''
    safety = Types.Asil.B
    weight = -1.5
    derived_from = [Brake.Stop@2, Other.Go@1]
    related = Later // same package
    parent = Brake.Stop
    mode = Mode.Fast
    flags = [Types.Kind.A, true, (1, "x")]
  }
}

Types.SwReq Later { }
`;

describe('TRLC', () => {
  it('gives objects with their fields under their sections', async () => {
    const document = await read(FILE, 'a.trlc');
    expect(outline(document)).toEqual([
      'heading1: Software',
      'table_row 0.0 header: ID | Type | description | rationale | safety | weight | mode | flags | derived_from | related | parent',
      'table_row 0.1: Brake.Stop_Fast | Types.SwReq | The software "shall" stop. | Because of it. | Types.Asil.B | -1.5 | Mode.Fast | Types.Kind.A, true, 1, x | Brake.Stop@2, Other.Go@1 | Later | Brake.Stop',
      'table_row 0.2: Brake.Later | Types.SwReq',
    ]);
    expect(document.blocks.map((block) => block.location.line)).toEqual([6, undefined, 7, 22]);
    expect(document.blocks[3]!.location.section).toBeUndefined();
  });

  it('tells references, with their version, from enumeration values', async () => {
    const { blocks } = await read(FILE, 'a.trlc');
    expect(blocks[2]!.record).toEqual({
      id: 'Brake.Stop_Fast',
      type: 'SwReq',
      links: [
        { type: 'derived_from', target: 'Brake.Stop', version: '2', column: 8 },
        { type: 'derived_from', target: 'Other.Go', version: '1', column: 8 },
        { type: 'related', target: 'Brake.Later', column: 9 },
        { type: 'parent', target: 'Brake.Stop', column: 10 },
      ],
    });
  });

  it('keeps declarations of types as code', async () => {
    const rsl =
      'package Types\n\nenum Asil { QM A B }\n\nabstract type Req "base" {\n  text String\n  list optional Req [1 .. *]\n}\n';
    const document = await read(rsl, 'types.rsl');
    expect(
      document.blocks.map(({ kind, text, location }) => [kind, text.split('\n').length, location.line]),
    ).toEqual([
      ['code', 1, 3],
      ['code', 4, 5],
    ]);
  });

  it.each([
    ['a text without end', 'package A\nT x { a = "b\n}', 2],
    ['a field without value', 'package A\nT x {\n a = \n}', 4],
    ['a section that stays open', 'package A\nsection "S" {\n', undefined],
  ])('refuses %s', async (_, text, line) => {
    await expect(read(text, 'a.trlc')).rejects.toMatchObject({
      code: 'corrupt',
      ...(line ? { location: { line } } : {}),
    });
  });
});
