/** Why a reader of a document does not see a text that is in it. */
export const HIDDEN_REASONS = [
  /** Drawn in the colour of what it stands on: white on white. */
  'same-colour',
  /** Too small to be read: one point, one pixel. */
  'tiny',
  /** Cut off by the area that is drawn. */
  'clipped',
  /** A filled shape or a picture lies over it. */
  'covered',
  /** The file says that the characters are not drawn (PDF text rendering mode 3 or 7). */
  'render-mode',
  /** Recognised from a picture of the page and laid invisible over it (OCR): the reader sees the picture. */
  'recognised',
  /** Beside the page, slide or screen. */
  'off-page',
  /** Fully transparent. */
  'transparent',
  /** Marked as hidden: `w:vanish`, `display: none`, `hidden`, a conditional text that is switched off. */
  'marked-hidden',
  'hidden-row',
  'hidden-column',
  'hidden-sheet',
  'hidden-slide',
  /** On a layer that is switched off (PDF optional content). */
  'hidden-layer',
] as const;
export type HiddenReason = (typeof HIDDEN_REASONS)[number];

/** A half-open range of text that a reader does not see. */
export interface HiddenRange {
  readonly start: number;
  readonly end: number;
  readonly reason: HiddenReason;
}

/** The whole of a text as hidden; nothing for a text without words. */
export function allHidden(text: string, reason: HiddenReason): HiddenRange[] | undefined {
  return text.trim() === '' ? undefined : [{ start: 0, end: text.length, reason }];
}

/** Ranges in order, without overlap; neighbours of one reason become one, also `gap` characters apart (tabs of a row). */
export function mergeRanges(ranges: readonly HiddenRange[], gap = 0): HiddenRange[] {
  const sorted = ranges.filter((one) => one.end > one.start).sort((a, b) => a.start - b.start);
  const merged: { start: number; end: number; reason: HiddenReason }[] = [];
  for (const range of sorted) {
    const last = merged.at(-1);
    const start = last ? Math.max(range.start, last.end) : range.start;
    if (range.end <= start) continue;
    if (last && start <= last.end + gap && last.reason === range.reason) last.end = range.end;
    else merged.push({ ...range, start });
  }
  return merged;
}
