import type { HiddenReason } from '../../hidden-ranges.js';
import type { HiddenSegment, PageContent } from './page-content.js';
import { textOf } from './rows.js';

/** The text of a page that nobody sees, one for each reason, line under line. */
export function hiddenTexts({
  hidden,
}: Pick<PageContent, 'hidden'>): { readonly text: string; readonly reason: HiddenReason }[] {
  const byReason = new Map<HiddenReason, HiddenSegment[]>();
  for (const segment of hidden) {
    const known = byReason.get(segment.reason);
    if (known) known.push(segment);
    else byReason.set(segment.reason, [segment]);
  }
  return [...byReason].map(([reason, segments]) => ({ reason, text: textOf(segments).text }));
}
