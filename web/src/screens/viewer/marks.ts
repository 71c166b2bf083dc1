import type { Api } from '../../api/client.ts';
import type { Block } from '../../document/block-view.tsx';
import { blockAt, type Mark } from '../../document/segments.ts';

export type ViewedMark = Api['DocumentMarks']['marks'][number] & { readonly id: string };

/** What is drawn in a document: what is said about a place by the analyses, or by somebody's comment. */
export interface DrawnMark extends Mark {
  readonly location: ViewedMark['location'];
  readonly severity: ViewedMark['severity'];
}

const COMMENT = 'comment:';
/** The comment that a mark stands for; undefined for another one. */
export const commentOf = (mark: string): string | undefined =>
  mark.startsWith(COMMENT) ? mark.slice(COMMENT.length) : undefined;

/** Where comments that nobody resolved stand in the text. Those whose part of the document has not arrived yet follow with it. */
export function commentMarks(
  comments: readonly Pick<Api['Comment'], 'id' | 'range' | 'resolved_at' | 'deleted_at'>[],
  blocks: readonly Block[],
): readonly DrawnMark[] {
  return comments.flatMap(({ id, range, resolved_at, deleted_at }) => {
    if (!range || resolved_at !== null || deleted_at !== null) return [];
    const block = blocks[blockAt(blocks, range.start)];
    if (!block || block.end < range.start) return [];
    return [{ ...range, id: COMMENT + id, role: 'comment', location: block.location, severity: null }];
  });
}

/** What of all marks is shown: gaps that are open, of them the open points of the text, all gaps, or whatever quotes the document. */
export type Shown = 'gaps' | 'placeholders' | 'all_gaps' | 'everything';

/** Whether a gap is what a mark leads to. */
export const isOfGap = ({ about }: Pick<ViewedMark, 'about'>): boolean =>
  about === 'gap' || about === 'placeholder';

export function shownMarks(
  marks: readonly Api['DocumentMarks']['marks'][number][],
  shown: Shown,
): readonly ViewedMark[] {
  return marks
    .filter(
      ({ about, status, change }) =>
        shown === 'everything' ||
        ((shown === 'placeholders' ? about === 'placeholder' : isOfGap({ about })) &&
          (shown === 'all_gaps' || (['open', 'in_progress'].includes(status ?? '') && change !== 'absent'))),
    )
    .map((mark) => ({
      ...mark,
      id: `${mark.about}:${mark.ref.id}:${mark.role}:${mark.start}-${mark.end}`,
    }));
}

/** The mark that an address means: at exactly this range, about this if it says so; without a range the first about it. */
export function chosenMark(
  marks: readonly ViewedMark[],
  at: { readonly start: number; readonly end: number } | undefined,
  about: string | null,
): ViewedMark | undefined {
  const isAbout = ({ ref }: ViewedMark): boolean => about === null || ref.id === about;
  if (at) return marks.find((mark) => mark.start === at.start && mark.end === at.end && isAbout(mark));
  return about === null ? undefined : marks.find(isAbout);
}
