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
  title: string;
  level: number;
  heading?: number;
  start: number;
  ownEnd?: number;
  parent?: number;
  position: number;
}

/** Sections in reading order. Linear in the number of blocks. */
export function outlineOf(document: Document): readonly Section[] {
  const sections: (Section | undefined)[] = [];
  const open: OpenSection[] = [];
  let sheet: string | undefined;

  const closeDownTo = (level: number, at: number) => {
    while (open.length > 0 && open.at(-1)!.level >= level) {
      const { position, ownEnd, ...section } = open.pop()!;
      sections[position] = { ...section, ownEnd: ownEnd ?? at, end: at };
    }
  };
  const begin = (section: Omit<OpenSection, 'position' | 'parent'>, at: number) => {
    const parent = open.at(-1);
    if (parent && parent.ownEnd === undefined) parent.ownEnd = at;
    const position = sections.push(undefined) - 1;
    open.push({ ...section, position, ...(parent ? { parent: parent.position } : {}) });
  };

  for (const block of document.blocks) {
    if (block.location.sheet !== undefined && block.location.sheet !== sheet) {
      sheet = block.location.sheet;
      closeDownTo(0, block.index);
      if (!namesSheet(block, sheet)) begin({ title: sheet, level: 0, start: block.index }, block.index);
    }
    if (block.kind !== 'heading') continue;
    const level = namesSheet(block, sheet) ? 0 : (block.level ?? 1);
    closeDownTo(level, block.index);
    begin({ title: block.text, level, heading: block.index, start: block.index + 1 }, block.index);
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
