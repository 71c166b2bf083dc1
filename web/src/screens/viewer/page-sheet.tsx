import { useQuery } from '@tanstack/react-query';
import { type MouseEvent, memo, useMemo } from 'react';
import type { Block } from '../../document/block-view.tsx';
import { type Box, boxesOf, isIn, type Line, runsOf } from '../../document/boxes.ts';
import type { Mark } from '../../document/segments.ts';
import { linesOfPage, sharpWidth, usePicture } from '../../document/use-pages.ts';
import { type Severity, StateGlyph } from '../../look/glyphs.tsx';
import { useWords } from './use-words.ts';

/** What is drawn over a page. */
export type PageMark = Mark & { readonly severity?: Severity | null | undefined };

export interface SheetProps {
  readonly workProduct: string;
  readonly version: number;
  readonly page: number;
  /** Points. */
  readonly size: { readonly width: number; readonly height: number };
  /** Pixels on the screen. */
  readonly width: number;
  /** False while pages fly past: those in between are not asked for. */
  readonly isResting: boolean;
  readonly blocks: readonly Block[];
  /** Those of the page before: one may go on here. */
  readonly before: readonly Block[];
  readonly marks: readonly PageMark[];
  readonly chosen: string | undefined;
  readonly hovered: string | undefined;
  readonly language: string | undefined;
  readonly onChoose: (id: string) => void;
  readonly onHover: (id: string | undefined) => void;
}

interface PlacedMark {
  readonly mark: PageMark;
  readonly boxes: readonly Box[];
}

/** One page: its picture, its words to select and to hear, the boxes of what is said about it. */
export const PageSheet = memo(function PageSheet(properties: SheetProps) {
  const { workProduct, version, page, size, width, isResting, blocks, before, marks, language } = properties;
  const say = useWords();
  const { data: lines = [] } = useQuery({ ...linesOfPage(workProduct, version, page), enabled: isResting });
  const picture = usePicture(properties, { width: sharpWidth(width), enabled: isResting });
  const placed = useMemo(
    () =>
      marks
        .map((mark): PlacedMark => ({ mark, boxes: boxesOf(lines, mark) }))
        .filter(({ boxes }) => boxes.length > 0),
    [marks, lines],
  );
  const markAt = (event: MouseEvent<HTMLElement>): PageMark | undefined => {
    const { left, top, width: across, height } = event.currentTarget.getBoundingClientRect();
    const at = { x: (event.clientX - left) / across, y: (event.clientY - top) / height };
    // Of several the shortest: the longer ones can be reached beside it.
    return placed
      .filter(({ boxes }) => boxes.some((box) => isIn(box, at)))
      .map(({ mark }) => mark)
      .sort((a, b) => a.end - a.start - (b.end - b.start))[0];
  };
  return (
    <article className="sheet" aria-label={say('page_name', { page })} lang={language}>
      <div className="visually-hidden">
        {blocks.map(({ index, text, cells }) => (
          <p key={index}>{cells ? cells.map((cell) => cell.text).join(', ') : text}</p>
        ))}
      </div>
      <div
        className="sheet-paper"
        aria-hidden="true"
        data-pointing={
          (properties.hovered && placed.some(({ mark }) => mark.id === properties.hovered)) || undefined
        }
        style={{ width, height: (width * size.height) / size.width }}
        onClick={(event) => {
          const mark = markAt(event);
          if (mark && getSelection()?.isCollapsed !== false) properties.onChoose(mark.id);
        }}
        onMouseMove={(event) => properties.onHover(markAt(event)?.id)}
        onMouseLeave={() => properties.onHover(undefined)}
      >
        {picture.address && <img src={picture.address} alt="" draggable={false} />}
        <svg viewBox={`0 0 ${size.width} ${size.height}`} aria-hidden="true">
          <Boxes placed={placed} {...properties} />
          {lines.map((line) => (
            <Words
              key={`${line.start}-${line.x}`}
              line={line}
              size={size}
              marks={marks}
              text={textOf(blocks, line) || textOf(before, line)}
            />
          ))}
        </svg>
        {picture.error && <p className="sheet-problem">{picture.error.message}</p>}
      </div>
      <Edge placed={placed} {...properties} />
    </article>
  );
});

function textOf(blocks: readonly Block[], { block, start, end }: Line): string {
  const first = blocks[0]?.index ?? 0;
  const found =
    blocks[block - first]?.index === block
      ? blocks[block - first]
      : blocks.find((one) => one.index === block);
  return found ? found.text.slice(start - found.start, end - found.start) : '';
}

/** Underlines tell roles apart without their colours: solid speaks for it, dashed against it, dotted is context. */
const DASHES: Readonly<Partial<Record<Mark['role'], readonly number[]>>> = {
  counter: [3, 1.5],
  context: [1, 1.2],
  defines: [1, 1.2],
  states: [1, 1.2],
};
/** Strokes in pixels, where lines are high enough for them; and as a part of the height of a line where pages are small. */
const STROKE = 2;
const STROKE_SHARE = 0.12;

function Boxes({
  placed,
  size,
  width,
  chosen,
  hovered,
}: SheetProps & { readonly placed: readonly PlacedMark[] }) {
  return placed.map(({ mark, boxes }) => (
    <g
      key={mark.id}
      className="box"
      data-mark={mark.id}
      data-role={mark.role}
      data-chosen={mark.id === chosen || undefined}
      data-hovered={mark.id === hovered || undefined}
    >
      {boxes.map(({ x, y, width: share, height }) => {
        const [left, top] = [x * size.width, y * size.height];
        const [right, bottom] = [left + share * size.width, top + height * size.height];
        const line = Math.min(bottom - top, right - left);
        const stroke = Math.min((STROKE * size.width) / width, STROKE_SHARE * line);
        return (
          <g key={`${x} ${y}`} strokeWidth={stroke}>
            <rect x={left} y={top} width={right - left} height={bottom - top} />
            <path
              d={`M${left} ${bottom}H${right}`}
              strokeDasharray={DASHES[mark.role]?.map((part) => part * stroke).join(' ')}
            />
          </g>
        );
      })}
    </g>
  ));
}

/** Part of the height of a line above its baseline. */
const BASELINE = 0.77;

/** The words of a line where they stand, to be selected; the picture shows them. */
function Words({
  line,
  size,
  marks,
  text,
}: {
  readonly line: Line;
  readonly size: SheetProps['size'];
  readonly marks: readonly PageMark[];
  readonly text: string;
}) {
  if (text === '') return null;
  const [x, y] = [line.x * size.width, line.y * size.height];
  const [width, height] = [line.width * size.width, line.height * size.height];
  const [at, angle, along, across] =
    line.turn === 1
      ? [[x + BASELINE * width, y + height], -90, height, width]
      : line.turn === 2
        ? [[x + width, y + (1 - BASELINE) * height], 180, width, height]
        : line.turn === 3
          ? [[x + (1 - BASELINE) * width, y], 90, height, width]
          : [[x, y + BASELINE * height], 0, width, height];
  return (
    <text
      data-text-start={line.start}
      transform={`translate(${at[0]} ${at[1]}) rotate(${angle})`}
      fontSize={across * 0.9}
    >
      {runsOf(line, text, marks).map(({ start, text: word, from, to }) => (
        <tspan
          key={start}
          x={from * along}
          textLength={Math.max((to - from) * along, 0.01)}
          lengthAdjust="spacingAndGlyphs"
        >
          {word}
        </tspan>
      ))}
    </text>
  );
}

/** The shapes of severities at the edge of the page: state is never told by colour alone. */
function Edge({ placed, chosen, onChoose }: SheetProps & { readonly placed: readonly PlacedMark[] }) {
  return (
    <div className="sheet-edge" aria-hidden="true">
      {placed.map(({ mark: { id, severity }, boxes }) =>
        severity ? (
          // biome-ignore lint/a11y/noStaticElementInteractions: the findings beside the page lead to every mark by keys
          // biome-ignore lint/a11y/useKeyWithClickEvents: as above
          <span
            key={id}
            style={{ top: `${100 * boxes[0]!.y}%` }}
            data-chosen={id === chosen || undefined}
            onClick={() => onChoose(id)}
          >
            <StateGlyph of={severity} />
          </span>
        ) : null,
      )}
    </div>
  );
}
