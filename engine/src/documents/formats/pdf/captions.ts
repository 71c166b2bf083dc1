import type { DocumentStyle } from './style.js';
import type { TextBlock } from './text-blocks.js';

const LABEL =
  /^(?:figure|fig\.|table|tab\.|abbildung|abb\.|bild|tabelle|listing|diagram|diagramm)\s*(?:\p{Lu}[.-]?)?(?:\d+(?:[.\-–]\d+)*|[ivxlc]+)\s*([:.–—|-])?(?=\s|$)/iu;
const LONGEST_CAPTION = 500;

/**
 * Whether a block is the title of a figure or table: its label is followed by a mark, or it is set apart from the
 * text by its style or shortness. "Table 2 lists …" is a sentence.
 */
export function isCaption(block: TextBlock, text: string, style: DocumentStyle): boolean {
  if (block.tagType === 'Caption') return true;
  const label = LABEL.exec(text);
  if (!label || text.length > LONGEST_CAPTION) return false;
  if (label[1] !== undefined) return true;
  const first = block.lines[0]!;
  if (first.bold !== style.bold || first.italic || first.size < 0.95 * style.size) return true;
  return block.lines.length === 1 && text.length < 120 && !/[.:;,]$/.test(text);
}
