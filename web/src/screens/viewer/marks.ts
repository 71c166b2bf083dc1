import type { Api } from '../../api/client.ts';

export type ViewedMark = Api['DocumentMarks']['marks'][number] & { readonly id: string };

/** What of all marks is shown: gaps that are open, all gaps, or whatever quotes the document. */
export type Shown = 'gaps' | 'all_gaps' | 'everything';

export function shownMarks(
  marks: readonly Api['DocumentMarks']['marks'][number][],
  shown: Shown,
): readonly ViewedMark[] {
  return marks
    .filter(
      ({ about, status, change }) =>
        shown === 'everything' ||
        (about === 'gap' &&
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
