import type { Say } from '../words/words.ts';

interface Location {
  readonly page?: number;
  readonly section?: readonly string[];
  readonly sheet?: string;
  readonly cell?: string;
  readonly line?: number;
}

/** Where something stands, as short as it can be said: "p. 12", "HARA B12", "line 40". */
export function placeInWords(
  { page, sheet, cell, line, section }: Location,
  say: Say<'place_page' | 'place_line'>,
): string {
  if (sheet !== undefined) return cell ? `${sheet} ${cell}` : sheet;
  if (page !== undefined) return say('place_page', { page });
  if (line !== undefined) return say('place_line', { line });
  return section?.at(-1) ?? '';
}
