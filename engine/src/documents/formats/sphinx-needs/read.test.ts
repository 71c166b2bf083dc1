import { describe, expect, it } from 'vitest';
import { outline, read } from '../../testing/outline.js';

const need = (id: string, more: Record<string, unknown>): Record<string, unknown> & { id: string } => ({
  id,
  type: 'req',
  docname: 'a',
  links: [],
  links_back: [],
  ...more,
});

function needsFile(needs: readonly { id: string }[], more: object = {}): string {
  const members = Object.fromEntries(needs.map((each) => [each.id, each]));
  return JSON.stringify(
    {
      current_version: '2.0',
      project: 'Brake',
      versions: { '1.0': { needs: { OLD: need('OLD', {}) } }, '2.0': { needs: members, ...more } },
    },
    null,
    1,
  );
}

describe('needs.json', () => {
  it('gives the needs of the current version in the order of their sources, under their sections', async () => {
    const document = await read(
      needsFile([
        need('R3', { lineno: 30, sections: ['Timing', 'Braking'], title: 'Last' }),
        need('R1', { lineno: 10, sections: ['Braking'], title: 'First', layout: 'clean', tags: ['a', 'b'] }),
        need('R2', {
          lineno: 20,
          sections: ['Force', 'Braking'],
          status: 'open',
          content: 'Text "quoted"\n\nmore',
        }),
      ]),
      'needs.json',
    );
    expect(document.format).toBe('sphinx_needs');
    expect(outline(document)).toEqual([
      'heading1: Braking',
      'table_row 0.0 header: id | type | title | tags | status | content',
      'table_row 0.1: R1 | req | First | a, b',
      'heading2: Force',
      'table_row 0.2: R2 | req | open | Text "quoted" more',
      'heading2: Timing',
      'table_row 0.3: R3 | req | Last',
    ]);
    expect(document.blocks[4]!.location).toMatchObject({
      section: ['Braking', 'Force'],
      requirementId: 'R2',
    });
    expect(document.properties).toEqual({ title: 'Brake', revision: '2.0' });
  });

  it('gives the line of each need in the file', async () => {
    const text = needsFile([need('R1', { lineno: 1 }), need('R2', { lineno: 2 })]);
    const { blocks } = await read(text, 'needs.json');
    for (const block of blocks) {
      if (!block.record) continue;
      expect(text.split('\n')[block.location.line! - 1]).toContain(`"${block.record.id}": {`);
    }
  });

  it('knows links by their twins for the way back, or by the schema of the file', async () => {
    const linked = need('R1', {
      links: ['R0'],
      satisfies: ['R2[version==3]'],
      satisfies_back: [],
      tags: ['x'],
    });
    const expected = [
      { type: 'links', target: 'R0' },
      { type: 'satisfies', target: 'R2' },
    ];
    const bySibling = await read(needsFile([linked]), 'needs.json');
    expect(bySibling.blocks.at(-1)!.record!.links).toMatchObject(expected);
    expect(bySibling.blocks.at(-1)!.text).toContain('R2[version==3]');
    const bare = { ...linked };
    delete bare.links_back;
    delete bare.satisfies_back;
    const properties = {
      links: { field_type: 'links' },
      satisfies: { field_type: 'links' },
      tags: { field_type: 'extra' },
    };
    const bySchema = await read(needsFile([bare], { needs_schema: { properties } }), 'needs.json');
    expect(bySchema.blocks.at(-1)!.record!.links).toMatchObject(expected);
  });

  it('reads parts of a need as records of their own', async () => {
    const { blocks } = await read(
      needsFile([need('R1', { parts: { '1': { content: 'Half of it' } } })]),
      'needs.json',
    );
    expect(blocks.at(-1)).toMatchObject({ text: 'R1.1\tHalf of it', record: { id: 'R1.1' } });
  });

  it('refuses a file without needs', async () => {
    await expect(read('{"current_version": "1", "versions": {}}', 'needs.json')).rejects.toMatchObject({
      code: 'corrupt',
    });
  });
});
