import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assembleBlocks, type BlockDraft } from './block.js';

const word = fc.string({ maxLength: 8 });
const draft: fc.Arbitrary<BlockDraft> = fc.oneof(
  word.map((text): BlockDraft => ({ kind: 'paragraph', text, location: {} })),
  fc.array(word, { maxLength: 4 }).map(
    (texts): BlockDraft => ({
      kind: 'table_row',
      text: '',
      location: {},
      cells: texts.map((text, column) => ({ text, column, location: {} })),
    }),
  ),
);

describe('assembled blocks', () => {
  it('are slices of the joined text, cells too', () => {
    fc.assert(
      fc.property(fc.array(draft), (drafts) => {
        const { text, blocks } = assembleBlocks(drafts);
        expect(text).toBe(blocks.map((block) => block.text).join('\n'));
        blocks.forEach((block, index) => {
          expect(block.index).toBe(index);
          expect(text.slice(block.start, block.end)).toBe(block.text);
          for (const cell of block.cells ?? []) expect(text.slice(cell.start, cell.end)).toBe(cell.text);
          if (block.cells) expect(block.text).toBe(block.cells.map((cell) => cell.text).join('\t'));
        });
      }),
    );
  });
});
