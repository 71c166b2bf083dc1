/**
 * Counts pages by the breaks that Word recorded at its last layout and the breaks that the author set.
 * An author's break is often recorded once more at the start of the next text; it counts once.
 */
export interface PageCounter {
  /** 1-based page of the place that is being read. */
  current(): number;
  /** False where Word recorded no layout: then nobody knows the pages. */
  isRecorded(): boolean;
  /** `lastRenderedPageBreak`. */
  recorded(): void;
  /** A page break, a break before the paragraph or a section that begins on a new page. */
  explicit(): void;
  /** Something visible was read. */
  content(): void;
  /** Cells of a row stand beside each other: each begins on the page where the row began. */
  openRow(): void;
  openCell(): void;
  closeRow(): void;
}

export function createPageCounter(): PageCounter {
  let page = 1;
  let seen = false;
  let atBreak = false;
  const rows: { start: number; last: number }[] = [];
  return {
    current: () => page,
    isRecorded: () => seen,
    recorded() {
      seen = true;
      if (!atBreak) page++;
      atBreak = false;
    },
    explicit() {
      page++;
      atBreak = true;
    },
    content() {
      atBreak = false;
    },
    openRow() {
      rows.push({ start: page, last: page });
    },
    openCell() {
      const row = rows.at(-1);
      if (!row) return;
      row.last = Math.max(row.last, page);
      page = row.start;
    },
    closeRow() {
      const row = rows.pop();
      if (row) page = Math.max(row.last, page);
    },
  };
}
