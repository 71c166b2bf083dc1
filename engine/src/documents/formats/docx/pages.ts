/**
 * Counts pages by the breaks that Word recorded at its last layout and the breaks that the author set.
 * An author's break is often recorded once more at the start of the next text; it counts once. So do the breaks that
 * Word leaves behind from earlier layouts, above all in tables: nearly nothing stands between them.
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
  /** Something visible was read: so many characters. */
  content(characters: number): void;
  picture(): void;
  /** Cells of a row stand beside each other: each begins on the page where the row began. */
  openRow(): void;
  openCell(): void;
  closeRow(): void;
}

/** A page that Word broke by itself holds more than this, or a picture. */
const LEAST_CHARACTERS = 150;
/** A picture takes as much room as this many characters. */
const PICTURE_CHARACTERS = 1000;

export function createPageCounter(): PageCounter {
  let page = 1;
  let seen = false;
  /** Characters since the last break that counted. */
  let characters = PICTURE_CHARACTERS;
  const rows: { start: number; last: number; startCharacters: number; lastCharacters: number }[] = [];
  const leaveCell = (row: (typeof rows)[number]) => {
    if (page > row.last) row.lastCharacters = characters;
    else if (page === row.last) row.lastCharacters = Math.max(row.lastCharacters, characters);
    row.last = Math.max(row.last, page);
  };
  return {
    current: () => page,
    isRecorded: () => seen,
    recorded() {
      seen = true;
      if (characters < LEAST_CHARACTERS) return;
      page++;
      characters = 0;
    },
    explicit() {
      page++;
      characters = 0;
    },
    content(read) {
      characters += read;
    },
    picture() {
      characters += PICTURE_CHARACTERS;
    },
    openRow() {
      rows.push({ start: page, last: page, startCharacters: characters, lastCharacters: characters });
    },
    openCell() {
      const row = rows.at(-1);
      if (!row) return;
      leaveCell(row);
      page = row.start;
      characters = row.startCharacters;
    },
    closeRow() {
      const row = rows.pop();
      if (!row) return;
      leaveCell(row);
      page = row.last;
      characters = row.lastCharacters;
    },
  };
}
