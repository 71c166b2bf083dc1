/**
 * Where something stands in a document. Every part is optional because formats differ:
 * a PDF has pages, a workbook has sheets and cells, Markdown has lines.
 */
export interface Location {
  /** 1-based page number (PDF; DOCX only where the file records page breaks). */
  readonly page?: number;
  /** Headings above the place, outermost first, as written in the document. */
  readonly section?: readonly string[];
  /** Sheet name of a workbook. */
  readonly sheet?: string;
  /** Cell or range reference in a workbook (`B12`) or `row 3, column 2` style for tables elsewhere: `R3C2`. */
  readonly cell?: string;
  /** 1-based line number in formats made of lines. */
  readonly line?: number;
  /** Identifier of the requirement, goal or test that the place belongs to, where one is known. */
  readonly requirementId?: string;
}

/** One line for people: `p. 12, 4 Safety goals › 4.2 Timing, sheet "HARA" B12, line 7`. */
export function printLocation(location: Location): string {
  const parts: string[] = [];
  if (location.page !== undefined) parts.push(`p. ${location.page}`);
  // The only heading above a row of a workbook is the sheet's name, which follows anyway.
  const section = location.section?.filter((title) => title !== location.sheet) ?? [];
  if (section.length > 0) parts.push(section.join(' › '));
  if (location.sheet !== undefined) {
    parts.push(`sheet "${location.sheet}"${location.cell ? ` ${location.cell}` : ''}`);
  } else if (location.cell) parts.push(location.cell);
  if (location.line !== undefined) parts.push(`line ${location.line}`);
  return parts.join(', ');
}
