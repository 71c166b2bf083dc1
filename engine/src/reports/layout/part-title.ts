import type { ReportPart } from '../report.js';
import type { ReportWords } from '../report-words.js';

/** The heading of a chapter of a part. */
export type PartTitle = (chapter: string) => string;

/** The name of a group: its own, or that of a type of gap. */
export function groupTitle(part: ReportPart, key: string, words: ReportWords): string {
  const title = part.groups.find((group) => group.key === key)?.title ?? '';
  if (title !== '') return title;
  return key === '' ? words.text('other') : words.named('gap_types', key);
}
