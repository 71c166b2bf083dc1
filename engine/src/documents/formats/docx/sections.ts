import type { BlockDraft } from '../../block.js';
import { type BlockCollector, createSectionPath } from '../../block-collector.js';
import type { Location } from '../../location.js';
import { numberedHeadingLevel } from '../../text-patterns.js';
import type { UnplacedBlock } from './blocks.js';

const REPEATED = new Set(['page_header', 'page_footer']);

/**
 * Gives every block its section, drops pages where the file records none, and hands the blocks on.
 * A document without heading styles gets headings from bold one-line paragraphs and numbered lines.
 */
export function placeBlocks(blocks: readonly UnplacedBlock[], hasPages: boolean, into: BlockCollector): void {
  if (!blocks.some((block) => block.kind === 'heading')) promoteHeadings(blocks);
  const sections = createSectionPath();
  for (const { bold: _, ...block } of blocks) {
    const repeated = REPEATED.has(block.kind);
    let section = repeated ? undefined : sections.current();
    if (block.kind === 'heading') {
      section = sections.above(block.level ?? 1);
      sections.enter(block.level ?? 1, block.text);
    }
    const place = (location: Location): Location => ({
      ...(hasPages && !repeated && location.page !== undefined ? { page: location.page } : {}),
      ...(section ? { section } : {}),
      ...(location.cell === undefined ? {} : { cell: location.cell }),
    });
    const placed: BlockDraft = { ...block, location: place(block.location) };
    if (block.cells) placed.cells = block.cells.map((cell) => ({ ...cell, location: place(cell.location) }));
    into.push(placed);
  }
}

/** A bold or numbered line of its own that text follows, and that is not one of several in a row. */
function promoteHeadings(blocks: readonly UnplacedBlock[]): void {
  const isCandidate = (block: UnplacedBlock | undefined) =>
    block?.kind === 'paragraph' &&
    block.bold === true &&
    block.text.length <= 100 &&
    !/[.;,!?]$/.test(block.text) &&
    /\p{L}/u.test(block.text);
  const candidates = blocks.map(isCandidate);
  // Where most of the text is bold, bold says nothing.
  const share = candidates.filter(Boolean).length / Math.max(1, blocks.length);
  blocks.forEach((block, index) => {
    const level = block.kind === 'paragraph' ? numberedHeadingLevel(block.text) : undefined;
    const bold = share < 0.4 && candidates[index] && !(candidates[index - 1] && candidates[index + 1]);
    if (!bold && !(level && block.bold)) return;
    if (index === blocks.length - 1) return;
    block.kind = 'heading';
    block.level = level ?? 1;
  });
}
