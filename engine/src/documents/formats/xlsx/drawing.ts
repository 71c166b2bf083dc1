import type { BlockDraft } from '../../block.js';
import { cleanText } from '../../clean-text.js';
import type { OfficePackage } from '../../files/office-package.js';
import { printCellReference } from './cell-reference.js';

/** Text boxes and pictures that lie over the cells of a sheet; each at the cell where its upper left corner is. */
export async function readDrawing(
  file: OfficePackage,
  sheetPart: string,
  sheet: string,
): Promise<BlockDraft[]> {
  const blocks: BlockDraft[] = [];
  const related = [...(await file.relationships(sheetPart)).values()];
  for (const { type, target } of related) {
    if (type === 'drawing' && file.has(target)) await readPart(file, target, sheet, blocks);
  }
  return blocks;
}

async function readPart(file: OfficePackage, part: string, sheet: string, into: BlockDraft[]): Promise<void> {
  let corner: { row: number; column: number } | undefined;
  let number: 'row' | 'column' | undefined;
  let inCorner = false;
  let text = '';
  let collecting = false;
  let alternative = '';
  const location = () => ({
    section: [sheet],
    sheet,
    ...(corner ? { cell: printCellReference(corner.row, corner.column) } : {}),
  });
  await file.parse(part, {
    open(name, attributes) {
      if (name === 'xdr:from') {
        inCorner = true;
        corner = { row: 0, column: 0 };
      } else if (inCorner && (name === 'xdr:row' || name === 'xdr:col')) {
        number = name === 'xdr:row' ? 'row' : 'column';
      } else if (name === 'a:p') text = '';
      else if (name === 'a:t') collecting = true;
      else if (name === 'a:br') text += ' ';
      else if (name === 'xdr:cNvPr') alternative = attributes.descr || attributes.title || '';
    },
    text(piece) {
      if (collecting) text += piece;
      else if (number && corner) corner[number] = Number(piece) || 0;
    },
    close(name) {
      if (name === 'xdr:from') inCorner = false;
      else if (name === 'xdr:row' || name === 'xdr:col') number = undefined;
      else if (name === 'a:t') collecting = false;
      else if (name === 'a:p' && cleanText(text)) {
        into.push({ kind: 'paragraph', text: cleanText(text), location: location() });
      } else if (name === 'xdr:pic') {
        into.push({ kind: 'figure', text: cleanText(alternative), location: location() });
      }
    },
  });
}
