import type { BlockDraft, BlockKind } from '../../block.js';
import type { BlockCollector, SectionPath } from '../../block-collector.js';
import { cleanText } from '../../clean-text.js';
import type { Location } from '../../location.js';
import { inlineText } from './inline-text.js';
import type { RstTable } from './tables.js';

export interface RstReading {
  readonly collector: BlockCollector;
  readonly sections: SectionPath;
  readonly maxDepth: number;
  /** Underlines in order of first use: the order gives the level. */
  readonly underlines: string[];
  nextTable: number;
  /** Item (requirement, goal, test) whose directive is being read. */
  itemId: string | undefined;
}

export function push(reading: RstReading, kind: BlockKind, text: string, line: number, level?: number): void {
  if (!text) return;
  reading.collector.push({
    kind,
    text,
    location: locate(reading, line),
    ...(level === undefined ? {} : { level }),
  });
}

export function locate(reading: RstReading, line: number): Location {
  const section = reading.sections.current();
  return {
    ...(section ? { section } : {}),
    line,
    ...(reading.itemId === undefined ? {} : { requirementId: reading.itemId }),
  };
}

/** Names and values as a table of two columns without a row of column names. */
export function pushPairs(
  reading: RstReading,
  pairs: readonly { name: string; value: string; line: number }[],
): void {
  const rows = pairs.map(({ name, value, line }) => ({
    line,
    cells: [cleanText(name), inlineText(value)].map((text, column) => ({ text, column })),
  }));
  pushTable(reading, { rows, headerRows: 0 });
}

export function pushTable(reading: RstReading, table: RstTable): void {
  const id = reading.nextTable++;
  table.rows.forEach((row, index) => {
    const location = locate(reading, row.line);
    const block: BlockDraft = {
      kind: 'table_row',
      text: '',
      location,
      table: { id, row: index, header: index < table.headerRows },
      cells: row.cells.map((cell) => ({
        ...cell,
        location: { ...location, cell: `R${index + 1}C${cell.column + 1}` },
      })),
    };
    reading.collector.push(block);
  });
}
