import type { DrawnMark } from './marks.ts';

/** All marks of the document beside it, where they stand in the whole of it. The findings lead to them by keys. */
export const Ruler = ({
  marks,
  shareOf,
  onChoose,
}: {
  readonly marks: readonly DrawnMark[];
  /** From 0 at the beginning of the document to 1 at its end. */
  readonly shareOf: (mark: DrawnMark) => number;
  readonly onChoose: (id: string) => void;
}) => (
  <div className="viewer-ruler" aria-hidden="true">
    {/* Gaps over what else quotes the document. */}
    {marks
      .toSorted((a, b) => Number(a.severity !== null) - Number(b.severity !== null))
      .map((mark) => (
        <button
          key={mark.id}
          type="button"
          tabIndex={-1}
          data-state={mark.severity ?? undefined}
          style={{ top: `${100 * shareOf(mark)}%` }}
          onClick={() => onChoose(mark.id)}
        />
      ))}
  </div>
);
