import { describe, expect, it } from 'vitest';
import { outline, read } from '../../testing/outline.js';

describe('JSON', () => {
  it('gives lists of records as tables, single values as pairs, deeper ones under headings', async () => {
    const text = `{
  "title": "Goals", "version": 2, "empty": null,
  "goals": [
    { "id": "SG-1", "text": "Avoid \\"x\\" \\u00e4", "type": "goal",
      "steps": [{ "do": "a", "see": "b" }, { "do": "c" }] },
    { "id": "SG-2", "asil": "B", "tags": ["p", "q"] }
  ],
  "deep": { "list": ["one", "two"], "more": { "a": { "b": { "c": true } } } }
}`;
    const document = await read(text, 'a.json');
    expect(outline(document)).toEqual([
      'table_row 0.0: title | Goals',
      'table_row 0.1: version | 2',
      'heading1: goals',
      'table_row 1.0 header: id | text | type | steps | asil | tags',
      'table_row 1.1: SG-1 | Avoid "x" ä | goal | do: a, see: b; do: c',
      'table_row 1.2: SG-2 | B | p, q',
      'heading1: deep',
      'table_row 2.0: list | one, two',
      'heading2: more',
      'heading3: a',
      'heading4: b',
      'table_row 3.0: c | true',
    ]);
    expect(document.blocks[4]).toMatchObject({
      location: { section: ['goals'], line: 4, requirementId: 'SG-1' },
      record: { id: 'SG-1', type: 'goal' },
    });
    expect(document.blocks[5]!.location.line).toBe(6);
  });

  it('reads records that stand under their ids', async () => {
    const document = await read('{"SG-1": {"text": "a"}, "SG-2": {"text": "b"}}', 'a.json');
    expect(outline(document).slice(1)).toEqual(['table_row 0.1: SG-1 | a', 'table_row 0.2: SG-2 | b']);
    expect(document.blocks[2]!.record).toEqual({ id: 'SG-2' });
  });

  it('names what is nested in a record by its title and id', async () => {
    const text =
      '[{"id": "C-1", "title": "Control", "parts": [{"id": "p1", "parts": [{"id": "p2", "prose": "Do it."}]}]}]';
    const { blocks } = await read(text, 'a.json');
    expect(blocks.at(-1)).toMatchObject({
      text: 'p2\tDo it.',
      location: { section: ['Control', 'parts', 'p1', 'parts'], requirementId: 'p2' },
    });
  });

  it('reads one value for each line', async () => {
    expect(outline(await read('{"id": 1, "a": "x"}\n{"id": 2, "a": "y"}\n', 'a.jsonl')).slice(1)).toEqual([
      'table_row 0.1: 1 | x',
      'table_row 0.2: 2 | y',
    ]);
  });

  it.each(['{"a": 1', '{"a" 1}', '[1,]', '{"a": "x}', '["\\u12"]', '[01x]', '{"a": nul}'])(
    'refuses %s',
    async (text) => {
      await expect(read(text, 'a.json')).rejects.toMatchObject({ code: 'corrupt', location: { line: 1 } });
    },
  );
});
