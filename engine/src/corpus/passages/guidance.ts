import { z } from 'zod';
import type { Document } from '../../documents/document.js';
import { anyOf, listSchema, readWords } from '../../words/read-words.js';

const guidanceSchema = z.strictObject({
  bracketOpenings: listSchema,
  blockOpenings: listSchema,
  paragraphs: listSchema,
  hypothetical: listSchema,
  generic: listSchema,
});

/** An opened bracket is looked for its end no further than this many blocks. */
const LONGEST_INSTRUCTION = 60;
/** A line that only says "Instructions:" is shorter than this. */
const LONGEST_OPENING = 80;

/** `[<({` */
const OPENING_SIGNS: ReadonlySet<number> = new Set([91, 60, 40, 123]);

interface Patterns {
  readonly bracket: RegExp;
  readonly block: ReadonlySet<string>;
  /** Their first letters. */
  readonly blockStarts: ReadonlySet<string>;
  readonly paragraph: RegExp;
  readonly generic: RegExp;
}

let compiled: Patterns | undefined;

function patterns(): Patterns {
  if (!compiled) {
    const words = readWords('guidance', guidanceSchema);
    compiled = {
      bracket: new RegExp(`^\\s*[[<({]\\s*(?:${words.bracketOpenings.join('|')})`, 'iu'),
      block: new Set(words.blockOpenings.map((word) => word.toLowerCase())),
      blockStarts: new Set(words.blockOpenings.map((word) => word.charAt(0).toLowerCase())),
      paragraph: anyOf([...words.paragraphs, ...words.hypothetical]),
      generic: anyOf(words.generic),
    };
  }
  return compiled;
}

/**
 * Blocks in which a template talks to its author: `[Instructions: …]` over any number of paragraphs, an
 * `INSTRUCTIONS:` line with what follows up to the next heading or table, single sentences such as
 * "Describe here …". Linear.
 */
export function guidanceBlocks(document: Document): ReadonlySet<number> {
  const { bracket, block: openings, paragraph } = patterns();
  const guidance = new Set<number>();
  let bracketOpenedAt = -1;
  let inBlock: { sheet: string | undefined; table: number | undefined } | undefined;
  for (const block of document.blocks) {
    const { kind, text } = block;
    if (kind === 'heading') inBlock = undefined;
    if (kind === 'heading' || kind === 'toc_entry') bracketOpenedAt = -1;
    if (kind === 'table_row' && bracketOpenedAt >= 0 && !onlyText(block)) bracketOpenedAt = -1;
    if (inBlock && endsInstructionBlock(block, inBlock)) inBlock = undefined;

    if (bracketOpenedAt >= 0) {
      guidance.add(block.index);
      const ends = closes(text) || block.index - bracketOpenedAt > LONGEST_INSTRUCTION;
      if (ends) bracketOpenedAt = -1;
      continue;
    }
    if (inBlock) {
      guidance.add(block.index);
      continue;
    }
    const own = (onlyText(block) ?? '').trim();
    if (own === '') continue;
    if (bracket.test(own)) {
      const closing = own.lastIndexOf(']');
      // Content behind the closing bracket is the author's: the block stays what it is.
      if (closing >= 0 && closing < own.length - 2) continue;
      guidance.add(block.index);
      if (closing < 0) bracketOpenedAt = block.index;
    } else if (own.length <= LONGEST_OPENING && openings.has(withoutColon(own).toLowerCase())) {
      guidance.add(block.index);
      inBlock = { sheet: block.location.sheet, table: block.table?.id };
    } else if (kind !== 'heading' && paragraph.test(own)) guidance.add(block.index);
  }
  return guidance;
}

/** Whether a text opens an instruction of a template: `[Instructions: …`, `INSTRUCTIONS:`. */
export function opensInstruction(text: string): boolean {
  const { bracket, block, blockStarts } = patterns();
  // Nearly all texts begin otherwise.
  const own = text.trimStart();
  if (OPENING_SIGNS.has(own.charCodeAt(0))) return bracket.test(text);
  return (
    text.length <= LONGEST_OPENING &&
    blockStarts.has(own.charAt(0).toLowerCase()) &&
    block.has(withoutColon(own.trimEnd()).toLowerCase())
  );
}

/** A sentence about documents of a kind in general, as templates, standards and textbooks write it (trap T7). */
export function isGenericSentence(sentence: string): boolean {
  return patterns().generic.test(sentence.trim());
}

function withoutColon(text: string): string {
  return text.endsWith(':') ? text.slice(0, -1).trimEnd() : text;
}

function closes(text: string): boolean {
  return /\]\s*\.?\s*$/.test(text);
}

/** The text of a paragraph, or of a row in which one cell only says something. */
function onlyText(block: { text: string; cells?: readonly { text: string }[] }): string | undefined {
  if (!block.cells) return block.text;
  const filled = block.cells.filter((cell) => cell.text.trim() !== '');
  return filled.length === 1 ? filled[0]!.text : undefined;
}

function endsInstructionBlock(
  block: Document['blocks'][number],
  opened: { sheet: string | undefined },
): boolean {
  if (block.location.sheet !== opened.sheet) return true;
  if (block.kind !== 'table_row') return false;
  return block.table?.header === true || onlyText(block) === undefined;
}
