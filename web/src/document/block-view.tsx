import { memo, type ReactNode } from 'react';
import type { Api } from '../api/client.ts';
import { type Mark, segmentsOf } from './segments.ts';
import type { TableColumns } from './use-document.ts';
import './document.css';

export type Block = Api['DocumentView']['blocks'][number];

export interface BlockViewProps {
  readonly block: Block;
  readonly marks: readonly Mark[];
  /** The mark that somebody chose. */
  readonly chosen?: string | undefined;
  readonly onChoose?: ((id: string) => void) | undefined;
  /** Of the table that a row belongs to. */
  readonly columns?: TableColumns | undefined;
  /** Of a heading, as the page has it; absent where blocks stand beside something else and are no headings of the page. */
  readonly headingLevel?: number | undefined;
}

/** One block of a document as it was read: text nodes, never markup. */
export const BlockView = memo(function BlockView(properties: BlockViewProps) {
  const { block, columns, headingLevel } = properties;
  if (block.cells) {
    return (
      <div
        className="block block-row"
        data-header={block.table?.header || undefined}
        style={{
          gridTemplateColumns: columns?.template,
          // Where a table is wider than the page it is scrolled, not squeezed.
          minWidth: `calc(${columns?.count ?? 1} * var(--column))`,
        }}
      >
        {block.cells.map((cell) => (
          <div
            key={`${cell.column}-${cell.start}`}
            data-text-start={cell.start}
            style={{ gridColumn: `${cell.column + 1} / span ${cell.span ?? 1}` }}
          >
            <MarkedText {...properties} text={cell.text} start={cell.start} />
          </div>
        ))}
      </div>
    );
  }
  const text = <MarkedText {...properties} text={block.text} start={block.start} />;
  if (block.kind === 'heading') {
    return (
      <div
        className="block"
        data-text-start={block.start}
        data-kind="heading"
        data-level={block.level}
        {...(headingLevel === undefined ? {} : { role: 'heading', 'aria-level': headingLevel })}
      >
        {text}
      </div>
    );
  }
  return (
    <div className="block" data-text-start={block.start} data-kind={block.kind}>
      {text}
    </div>
  );
});

/** A text with its marks; what is in no mark is plain. */
export function MarkedText({
  text,
  start,
  marks,
  chosen,
  onChoose,
}: Pick<BlockViewProps, 'marks' | 'chosen' | 'onChoose'> & {
  readonly text: string;
  readonly start: number;
}): ReactNode {
  return segmentsOf(text, start, marks).map((segment) => {
    if (segment.marks.length === 0) return segment.text;
    // Of several the shortest: the longer ones can be reached beside it.
    const nearest = segment.marks.toSorted((a, b) => a.end - a.start - (b.end - b.start))[0]!;
    const isChosen = segment.marks.some(({ id }) => id === chosen);
    return (
      // biome-ignore lint/a11y/useKeyWithClickEvents: the findings beside the text lead to every mark by keys
      <mark
        key={segment.start}
        data-role={nearest.role}
        data-chosen={isChosen || undefined}
        data-start={segment.start}
        data-marks={segment.marks.map(({ id }) => id).join(' ')}
        onClick={() => onChoose?.(nearest.id)}
      >
        {segment.text}
      </mark>
    );
  });
}
