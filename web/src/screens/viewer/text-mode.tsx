import { useVirtualizer } from '@tanstack/react-virtual';
import { forwardRef, useImperativeHandle, useMemo, useRef } from 'react';
import { type Block, BlockView } from '../../document/block-view.tsx';
import { blockAt, type Mark } from '../../document/segments.ts';
import type { TableColumns } from '../../document/use-document.ts';
import type { DrawnMark } from './marks.ts';
import { Ruler } from './ruler.tsx';
import { useWords } from './use-words.ts';

/** What every mode of the viewer can be asked for. */
export interface ShowsPlaces {
  /** Brings a place into sight, as soon as it is painted: in the middle, or at the top of the window. */
  showPlace(
    start: number,
    how: { readonly align?: 'center' | 'start'; readonly page?: number | undefined },
  ): void;
  /** Brings a page into sight, where there are pages. */
  showPage?(page: number): void;
}

const ESTIMATED_HEIGHT = 36;

/** All blocks of a document as a list of those in sight, and a ruler of all marks beside it. */
export const TextMode = forwardRef<
  ShowsPlaces,
  {
    readonly blocks: readonly Block[];
    readonly columns: ReadonlyMap<number, TableColumns>;
    readonly language: string | undefined;
    readonly marks: readonly DrawnMark[];
    /** A place that is no mark: what was looked for, or an address of a passage. */
    readonly at: { readonly start: number; readonly end: number } | undefined;
    readonly chosen: string | undefined;
    readonly onChoose: (id: string) => void;
  }
>(function TextMode({ blocks, columns, language, marks, at, chosen, onChoose }, handle) {
  const say = useWords();
  const scroller = useRef<HTMLDivElement>(null);
  const list = useVirtualizer({
    count: blocks.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ESTIMATED_HEIGHT,
    overscan: 12,
  });
  useImperativeHandle(handle, () => ({
    showPlace(start, { align = 'center' }) {
      list.scrollToIndex(blockAt(blocks, start), { align });
      // Rows get their heights when they are painted: the place itself after that, in wide tables sideways as well.
      const show = (): void => {
        scroller.current
          ?.querySelector('mark[data-chosen]')
          ?.scrollIntoView({ block: align, inline: 'center' });
      };
      setTimeout(show, 80);
      setTimeout(show, 250);
    },
  }));
  const shown = useMemo(
    (): readonly Mark[] =>
      at ? [...marks, { id: 'at', start: at.start, end: at.end, role: 'context' }] : marks,
    [marks, at],
  );
  const byBlock = useMemo(() => marksByBlock(blocks, shown), [blocks, shown]);
  const items = list.getVirtualItems();
  const levels = headingLevels(blocks, items);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keys */}
      <section ref={scroller} className="viewer-text" tabIndex={0} aria-label={say('text')} lang={language}>
        <div className="document-text" style={{ height: list.getTotalSize(), position: 'relative' }}>
          {items.map((item) => {
            const block = blocks[item.index]!;
            return (
              <div
                key={item.key}
                data-index={item.index}
                ref={list.measureElement}
                className="virtual-row"
                style={{ transform: `translateY(${item.start}px)` }}
              >
                <BlockView
                  block={block}
                  marks={byBlock.get(item.index) ?? NONE}
                  chosen={at ? 'at' : chosen}
                  onChoose={onChoose}
                  columns={block.table && columns.get(block.table.id)}
                  headingLevel={levels.get(item.index)}
                />
              </div>
            );
          })}
        </div>
      </section>
      <Ruler
        marks={marks}
        onChoose={onChoose}
        shareOf={({ start }) => blockAt(blocks, start) / Math.max(blocks.length, 1)}
      />
    </>
  );
});

const NONE: readonly Mark[] = [];
const DEEPEST = 6;

/** Levels of the headings in sight below the title of the page: none is skipped, though those above may not be drawn. */
function headingLevels(
  blocks: readonly Block[],
  items: readonly { readonly index: number }[],
): ReadonlyMap<number, number> {
  const levels = new Map<number, number>();
  let before = 1;
  for (const { index } of items) {
    const { kind, level = 1 } = blocks[index]!;
    if (kind !== 'heading') continue;
    before = Math.min(level + 1, before + 1, DEEPEST);
    levels.set(index, before);
  }
  return levels;
}

function marksByBlock(
  blocks: readonly Block[],
  marks: readonly Mark[],
): ReadonlyMap<number, readonly Mark[]> {
  const found = new Map<number, Mark[]>();
  for (const mark of marks) {
    for (let at = blockAt(blocks, mark.start); at < blocks.length && blocks[at]!.start < mark.end; at++) {
      found.set(at, [...(found.get(at) ?? []), mark]);
    }
  }
  return found;
}
