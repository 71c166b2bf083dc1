import { z } from 'zod';
import type { Block, Document } from '../../documents/document.js';
import { listSchema, patternOf, readWords } from '../../words/read-words.js';
import { bareHeading } from './headings.js';
import type { SectionRole } from './section-roles.js';

const examplesSchema = z.strictObject({
  paragraphs: listSchema,
  announcements: z.string(),
  captions: z.string(),
  headings: z.string(),
  inline: z.string(),
});

/** The word list `examples` (trap T15). */
export const exampleWords = () => readWords('examples', examplesSchema);

/** A longer line that ends with a colon says more than that an example follows. */
const LONGEST_LEAD = 120;

/** Whether a paragraph says of itself that it is an example. */
export const isExampleText = (text: string): boolean =>
  patternOf(exampleWords().paragraphs[0]!).test(text.trim());

/** "3.2 Example of a requirement": what stands below is one. */
export const roleOfExample = (heading: string): SectionRole | undefined =>
  patternOf(exampleWords().headings).test(bareHeading(heading)) ? EXAMPLE : undefined;

const EXAMPLE: SectionRole = { role: 'example', subtree: true };

/** Nothing but that an example follows: "Example", "Beispiel 2:", "Example of a requirement:". */
function announces(text: string): boolean {
  const own = text.trim();
  const [opening] = patternOf(exampleWords().announcements).exec(own) ?? [];
  if (opening === undefined) return false;
  return own.slice(opening.length).trim() === '' || isLead(own);
}

const isLead = (text: string) => text.length <= LONGEST_LEAD && text.trimEnd().endsWith(':');

/**
 * Blocks that a line above announces as an example: lines that lead on to it, then one table, one list, one piece of code
 * or one paragraph, as a box of a page holds them; and tables whose caption or first row says so. Linear.
 */
export function exampleBlocks({ blocks }: Document): ReadonlySet<number> {
  const found = new Set<number>();
  const caption = patternOf(exampleWords().captions);
  for (const block of blocks) {
    if (found.has(block.index)) continue;
    if (block.kind === 'paragraph' && announces(block.text)) {
      let at = block.index + 1;
      while (blocks[at]?.kind === 'paragraph' && isLead(blocks[at]!.text)) found.add(at++);
      addWhole(blocks, at, found);
    } else if (block.kind === 'caption' && caption.test(block.text)) {
      const isAbove = blocks[block.index + 1]?.kind === 'table_row';
      addTable(blocks, isAbove ? block.index + 1 : block.index - 1, found);
    } else if (block.table?.row === 0 && announces(onlyCell(block) ?? ''))
      addTable(blocks, block.index, found);
  }
  return found;
}

function onlyCell({ cells = [] }: Block): string | undefined {
  const [only, other] = cells.filter(({ text }) => text.trim() !== '');
  return other === undefined ? only?.text : undefined;
}

/** What begins at a block: the whole table, the items of one list, else the block. */
function addWhole(blocks: readonly Block[], from: number, found: Set<number>): void {
  const first = blocks[from];
  if (first?.kind === 'table_row') addTable(blocks, from, found);
  else if (first?.kind === 'list_item') {
    for (let at = from; blocks[at]?.kind === 'list_item'; at++) found.add(at);
  } else if (first?.kind === 'paragraph' || first?.kind === 'code') found.add(from);
}

function addTable(blocks: readonly Block[], within: number, found: Set<number>): void {
  const id = blocks[within]?.table?.id;
  if (id === undefined) return;
  for (let at = within; blocks[at]?.table?.id === id; at--) found.add(at);
  for (let at = within + 1; blocks[at]?.table?.id === id; at++) found.add(at);
}
