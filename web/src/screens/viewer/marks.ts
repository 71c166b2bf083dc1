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

/** The mark that an address means: at exactly this range, about this if it says so; else the first about it. */
export function chosenMark(
  marks: readonly ViewedMark[],
  at: { readonly start: number; readonly end: number } | undefined,
  about: string | null,
): ViewedMark | undefined {
  const there = at ? marks.filter((mark) => mark.start === at.start && mark.end === at.end) : [];
  if (about === null) return there[0];
  return there.find(({ ref }) => ref.id === about) ?? marks.find(({ ref }) => ref.id === about);
}
