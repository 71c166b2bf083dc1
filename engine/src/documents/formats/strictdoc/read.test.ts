import { describe, expect, it } from 'vitest';
import { outline, read } from '../../testing/outline.js';

const FILE = `[DOCUMENT]
TITLE: Brake requirements
VERSION: 1.2
DATE: @GIT_DATE

[GRAMMAR]
ELEMENTS:
- TAG: REQUIREMENT
  FIELDS:
  - TITLE: UID
    TYPE: String

[[SECTION]]
TITLE: Braking

[TEXT]
STATEMENT: >>>
About braking.

Second paragraph.
<<<

[REQUIREMENT]
MID: 0011
UID: SW-1
STATEMENT: >>>
The software shall
brake.
<<<
COMMENT: One.
COMMENT: Two.
RELATIONS:
- TYPE: Parent
  VALUE: SYS-1
- TYPE: Parent
  VALUE: SYS-2
  ROLE: Refines
- TYPE: File
  VALUE: src/brake.c

[[/SECTION]]

[[HIGH_LEVEL]]
UID: SW-2
TITLE: Outer

[REQUIREMENT]
MID: 0022
STATEMENT: Inner.

[[/HIGH_LEVEL]]

[REQUIREMENT]
UID: SW-3
TITLE: Outside
`;

describe('StrictDoc', () => {
  it('gives sections, texts and requirements with their relations', async () => {
    const document = await read(FILE, 'a.sdoc');
    expect(outline(document)).toEqual([
      'heading1: Brake requirements',
      'table_row 0.0 header: UID | STATEMENT | COMMENT | Parent | Parent (Refines) | File | TITLE | MID',
      'heading2: Braking',
      'paragraph: About braking.',
      'paragraph: Second paragraph.',
      'table_row 0.1: SW-1 | The software shall brake. | One. Two. | SYS-1 | SYS-2 | src/brake.c',
      'table_row 0.2: SW-2 | Outer',
      'heading2: Outer',
      'table_row 0.3: Inner. | 0022',
      'table_row 0.4: SW-3 | Outside',
    ]);
    expect(document.properties).toEqual({ title: 'Brake requirements', revision: '1.2' });
    expect(document.blocks[5]!.record).toEqual({
      id: 'SW-1',
      type: 'REQUIREMENT',
      links: [
        { type: 'Parent', target: 'SYS-1', column: 3 },
        { type: 'Parent (Refines)', target: 'SYS-2', column: 4 },
        { type: 'File', target: 'src/brake.c', column: 5 },
      ],
    });
    expect(document.blocks[6]!.record).toEqual({ id: 'SW-2', type: 'HIGH_LEVEL' });
  });

  it('knows the line and the sections of everything', async () => {
    const { blocks } = await read(FILE, 'a.sdoc');
    const lines = FILE.split('\n');
    expect(lines[blocks[3]!.location.line! - 1]).toBe('About braking.');
    expect(lines[blocks[4]!.location.line! - 1]).toBe('Second paragraph.');
    expect(blocks[5]!.location.section).toEqual(['Brake requirements', 'Braking']);
    expect(blocks[8]!.location.section).toEqual(['Brake requirements', 'Outer']);
    expect(blocks[9]!.location.section).toEqual(['Brake requirements']);
  });

  it('reads the brackets of older versions', async () => {
    const older =
      '[DOCUMENT]\nTITLE: T\n\n[SECTION]\nTITLE: S\n\n[FREETEXT]\nWords\n[/FREETEXT]\n\n[REQUIREMENT]\nUID: A\nREFS:\n- TYPE: Parent\n  VALUE: B\n\n[/SECTION]\n';
    const document = await read(older, 'a.sdoc');
    expect(outline(document).slice(2)).toEqual(['heading2: S', 'paragraph: Words', 'table_row 0.1: A | B']);
    expect(document.blocks.at(-1)!.record!.links).toMatchObject([{ type: 'Parent', target: 'B' }]);
  });

  it('refuses a text that never ends, with its line', async () => {
    await expect(read('[DOCUMENT]\nTITLE: x\n\n[REQUIREMENT]\nSTATEMENT: >>>\nx', 'a')).rejects.toMatchObject(
      {
        code: 'corrupt',
        location: { line: 5 },
      },
    );
  });
});
