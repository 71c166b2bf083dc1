import { embeddedInstruction } from '../text/embedded-instruction.js';
import type { Block, ReadingNote } from './document.js';
import type { HiddenReason } from './hidden-ranges.js';
import { noteOf, pageRanges } from './reading-notes.js';

/** Notes about hidden text of one document; what more there is, is told together. */
const MOST_NOTES = 30;

interface Group {
  readonly reason: HiddenReason;
  readonly sheet: string | undefined;
  readonly pages: Set<number>;
  readonly first: Block;
  count: number;
}

/**
 * What has to be told about hidden text: how much, where and why it cannot be seen; and where it gives orders to
 * whoever evaluates the document (trap T16). Linear; nothing where all can be seen.
 */
export function hiddenNotes(text: string, blocks: readonly Block[]): readonly ReadingNote[] {
  const groups = new Map<string, Group>();
  const orders: Block[] = [];
  for (const block of blocks) {
    if (!block.hidden) continue;
    for (const reason of new Set(block.hidden.map((range) => range.reason))) {
      const { sheet, page } = block.location;
      const named = groups.size < MOST_NOTES ? sheet : undefined;
      const key = `${reason}\n${sheet ?? ''}`;
      const group =
        groups.get(key) ??
        groups.get(`${reason}\n`) ??
        ({ reason, sheet: named, pages: new Set<number>(), first: block, count: 0 } satisfies Group);
      groups.set(`${reason}\n${group.sheet ?? ''}`, group);
      group.count++;
      if (page !== undefined) group.pages.add(page);
    }
    const isOrder = block.hidden.some(({ start, end }) => embeddedInstruction(text.slice(start, end)));
    if (isOrder) orders.push(block);
  }
  const notes = [...groups.values()].map(({ reason, sheet, pages, first, count }): ReadingNote => {
    const where = {
      ...(sheet === undefined ? {} : { sheet }),
      ...(pages.size === 0 ? {} : { pages: pageRanges(pages) }),
    };
    const isRecognised = reason === 'recognised' && pages.size > 0;
    return isRecognised
      ? noteOf('recognised_text', { count, ...where }, first.location)
      : noteOf('hidden_content', { reason, count, ...where }, first.location);
  });
  if (orders.length === 0) return notes;
  const pages = orders.flatMap((block) => block.location.page ?? []);
  const values = { count: orders.length, ...(pages.length === 0 ? {} : { pages: pageRanges(pages) }) };
  return [...notes, noteOf('hidden_instruction', values, orders[0]!.location)];
}
