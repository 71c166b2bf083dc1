import { say } from '../sentences/sentence.js';
import { embeddedInstruction } from '../text/embedded-instruction.js';
import type { Block, DraftNote } from './block.js';
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
export function hiddenNotes(text: string, blocks: readonly Block[]): readonly DraftNote[] {
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
  const notes = [...groups.values()].map(({ reason, sheet, pages, first, count }): DraftNote => {
    const ranges = pages.size === 0 ? undefined : pageRanges(pages);
    if (reason === 'recognised' && ranges !== undefined) {
      return noteOf('recognised_text', say('reading.recognised-text', { pages: ranges }), first.location);
    }
    const what = say(`reading.hidden.${reason}`, { count });
    const message = say('reading.hidden-content', { what, sheet, pages: ranges });
    return noteOf('hidden_content', message, first.location);
  });
  if (orders.length === 0) return notes;
  const pages = orders.flatMap((block) => block.location.page ?? []);
  const message = say('reading.hidden-instruction', {
    count: orders.length,
    pages: pages.length === 0 ? undefined : pageRanges(pages),
  });
  return [...notes, noteOf('hidden_instruction', message, orders[0]!.location)];
}
