import type { Block, Document } from '../../documents/document.js';

/** A section: what stands under a heading, or a sheet of a workbook. Ranges are half-open, in block indexes. */
export interface Section {
  readonly title: string;
  /** 1 is outermost; a sheet has level 0. */
  readonly level: number;
  /** Block of the heading; absent for a sheet whose name is no block. */
  readonly heading?: number;
  /** First block after the heading. */
  readonly start: number;
  /** First block that no longer belongs to the section or its subsections. */
  readonly end: number;
  /** First block that belongs to a subsection or to what follows: the own text is `start` to `ownEnd`. */
  readonly ownEnd: number;
  /** Position of the enclosing section in the outline. */
  readonly parent?: number;
}

interface OpenSection {
  readonly title: string;
  readonly level: number;
  readonly heading: number | undefined;
  readonly start: number;
  ownEnd: number | undefined;
  readonly parent: number | undefined;
  readonly position: number;
}

/** Sections in reading order. Linear in the number of blocks. */
export function outlineOf(document: Document): readonly Section[] {
  const sections: (Section | undefined)[] = [];
  const open: OpenSection[] = [];
  let sheet: string | undefined;

  const closeDownTo = (level: number, at: number) => {
    while (open.length > 0 && open.at(-1)!.level >= level) {
      const { title, level: own, heading, start, ownEnd = at, parent, position } = open.pop()!;
      const section: { -readonly [Key in keyof Section]: Section[Key] } = {
        title,
        level: own,
        start,
        ownEnd,
        end: at,
      };
      if (heading !== undefined) section.heading = heading;
      if (parent !== undefined) section.parent = parent;
      sections[position] = section;
    }
  };
  const begin = (title: string, level: number, { at, heading }: { at: number; heading?: number }) => {
    const parent = open.at(-1);
    if (parent && parent.ownEnd === undefined) parent.ownEnd = at;
    const position = sections.push(undefined) - 1;
    const start = heading === undefined ? at : heading + 1;
    open.push({ title, level, heading, start, ownEnd: undefined, parent: parent?.position, position });
  };

  for (const block of document.blocks) {
    if (block.location.sheet !== undefined && block.location.sheet !== sheet) {
      sheet = block.location.sheet;
      closeDownTo(0, block.index);
      if (!namesSheet(block, sheet)) begin(sheet, 0, { at: block.index });
    }
    if (block.kind !== 'heading') continue;
    const level = namesSheet(block, sheet) ? 0 : (block.level ?? 1);
    closeDownTo(level, block.index);
    begin(block.text, level, { at: block.index, heading: block.index });
  }
  closeDownTo(0, document.blocks.length);
  return sections.filter((section) => section !== undefined);
}

function namesSheet(block: Block, sheet: string | undefined): boolean {
  return block.kind === 'heading' && sheet !== undefined && block.text.trim() === sheet.trim();
}

/** For every block the position of its innermost section, or -1. */
export function sectionOfBlocks(document: Document, sections: readonly Section[]): Int32Array {
  const innermost = new Int32Array(document.blocks.length).fill(-1);
  sections.forEach((section, position) => {
    const from = section.heading ?? section.start;
    for (let index = from; index < section.end; index++) innermost[index] = position;
  });
  return innermost;
}
