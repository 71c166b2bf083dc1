import { describe, expect, it } from 'vitest';
import { read } from '../../testing/outline.js';

describe('source text', () => {
  it('gives blocks of code in which every tag keeps its line', async () => {
    const text =
      '\n// [impl->dsn~brake~1]\nvoid brake(void)\n{\n}\n\n\n  /**\n   * @verifies SWR-1\n   */\n  int x;\n';
    const { blocks } = await read(text, 'brake.c');
    expect(blocks.map((block) => [block.kind, block.location.line])).toEqual([
      ['code', 2],
      ['code', 8],
    ]);
    const [, second] = blocks;
    const before = second!.text.slice(0, second!.text.indexOf('@verifies'));
    expect(second!.location.line! + before.split('\n').length - 1).toBe(9);
  });

  it('cuts long runs of lines without losing one', async () => {
    const lines = Array.from({ length: 1000 }, (_, index) => `x${index};`);
    const { blocks } = await read(lines.join('\n'), 'a.py');
    expect(blocks.flatMap((block) => block.text.split('\n'))).toEqual(lines);
    expect(lines[blocks[3]!.location.line! - 1]).toBe(blocks[3]!.text.split('\n')[0]);
  });
});
