import type { BlockDraft } from './block.js';
import { fileTooComplex, fileTooLarge } from './document-error.js';
import type { ReadingLimits } from './reading-limits.js';

/** Where format readers put blocks; ends the reading when a document holds more than the limits allow. */
export interface BlockCollector {
  /** Adds a block in reading order. Throws `DocumentError` past `maxBlocks`, `maxCells`, `maxColumns`, `maxCharacters`. */
  push(draft: BlockDraft): void;
  readonly blocks: readonly BlockDraft[];
}

export function createBlockCollector(limits: ReadingLimits): BlockCollector {
  const blocks: BlockDraft[] = [];
  let cells = 0;
  let characters = 0;
  return {
    blocks,
    push(draft) {
      characters += draft.text.length + 1;
      if (draft.cells) {
        if (draft.cells.length > limits.maxColumns) throw tooManyColumns(limits, draft.location);
        cells += draft.cells.length;
        for (const cell of draft.cells) characters += cell.text.length + 1;
      }
      if (blocks.length >= limits.maxBlocks) {
        throw fileTooLarge(`The document has more than ${limits.maxBlocks} paragraphs and table rows.`);
      }
      if (cells > limits.maxCells) {
        throw fileTooLarge(`The document has more than ${limits.maxCells} table cells.`);
      }
      if (characters > limits.maxCharacters) {
        throw fileTooLarge(`The document has more than ${limits.maxCharacters} characters of text.`);
      }
      blocks.push(draft);
    },
  };
}

/** A table wider than any table that people read. */
export function tooManyColumns(limits: ReadingLimits, location?: BlockDraft['location']) {
  return fileTooComplex(
    `A table has more than ${limits.maxColumns} columns.`,
    'Keep the columns that describe requirements, hazards or tests and upload the table again.',
    location,
  );
}

/** The headings above the place that is being read. */
export interface SectionPath {
  /** Enters the section that a heading opens. `level` counts from 1, skipped levels are allowed. */
  enter(level: number, title: string): void;
  /** Titles above, outermost first; the same array until the next heading. */
  current(): readonly string[] | undefined;
  /** Titles above a heading of this level. */
  above(level: number): readonly string[] | undefined;
}

export function createSectionPath(): SectionPath {
  /** Levels increase; each with the titles down to its own, which all places under it share. */
  const open: { readonly level: number; readonly titles: readonly string[] }[] = [];
  const above = (level: number): readonly string[] | undefined =>
    open.findLast((entry) => entry.level < level)?.titles;
  return {
    enter(level, title) {
      const titles = [...(above(level) ?? []), title];
      while (open.length > 0 && open.at(-1)!.level >= level) open.pop();
      open.push({ level, titles });
    },
    current: () => open.at(-1)?.titles,
    above,
  };
}
