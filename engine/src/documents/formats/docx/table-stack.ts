import type { XmlAttributes } from '../../files/xml.js';
import { readSpan } from '../../table-grid.js';
import type { PageCounter } from './pages.js';
import type { StoryCell, StoryTable } from './story-items.js';
import { isOn, type Shade, shadeOf } from './styles.js';

/** The tables that are open where the story is being read; tables stand in cells of tables. */
export interface TableStack {
  /** True where the tag belongs to a table. `boxes`: text boxes that are open; tables inside one belong to it. */
  open(name: string, attributes: XmlAttributes, at: { boxes: number; inParagraph: boolean }): boolean;
  /** Gives back the table that a `w:tbl` closes. */
  close(name: string): StoryTable | undefined;
  /** The cell that content goes to, unless a text box that was opened later takes it. */
  openCell(boxes: number): StoryCell | undefined;
  /** Background that the innermost cell gives its text: its own, else `unknown` where the table's style may shade it. */
  shade(styleShades: (id: string) => boolean): Shade | undefined;
  /** A tracked deletion inside the properties of a row deletes the row. */
  deleteRow(): void;
}

export function createTableStack(pages: PageCounter): TableStack {
  const tables: { table: StoryTable; boxes: number; style?: string }[] = [];
  let inRowProperties = false;
  const row = () => tables.at(-1)?.table.rows.at(-1);
  const cell = () => row()?.cells.at(-1);

  function addCell(): void {
    pages.openCell();
    const owner = row();
    if (!owner) return;
    owner.cells.push({
      column: owner.nextColumn,
      span: 1,
      continuation: false,
      shaded: false,
      shade: undefined,
      items: [],
    });
    owner.nextColumn++;
  }

  function setSpan(value: string | undefined): void {
    const span = readSpan(value);
    const current = cell();
    if (!current) return;
    row()!.nextColumn += span - current.span;
    current.span = span;
  }

  return {
    open(name, attributes, { boxes, inParagraph }) {
      const value = attributes['w:val'];
      switch (name) {
        case 'w:tbl':
          tables.push({ table: { kind: 'table', rows: [] }, boxes });
          return true;
        case 'w:tr':
          pages.openRow();
          tables.at(-1)?.table.rows.push({ cells: [], header: false, deleted: false, nextColumn: 0 });
          return true;
        case 'w:trPr':
          inRowProperties = true;
          return true;
        case 'w:tblStyle':
          if (value) for (const open of tables.slice(-1)) open.style = value;
          return true;
        case 'w:tblHeader':
          if (row()) row()!.header = isOn(value);
          return true;
        case 'w:gridBefore':
          if (row() && value !== '0') row()!.nextColumn += readSpan(value);
          return true;
        case 'w:tc':
          addCell();
          return true;
        case 'w:gridSpan':
          setSpan(value);
          return true;
        case 'w:vMerge':
          if (cell()) cell()!.continuation = value !== 'restart';
          return true;
        case 'w:shd':
          if (cell() && !inParagraph) {
            cell()!.shade = shadeOf(attributes['w:fill']);
            cell()!.shaded = !/^(?:auto|ffffff)$/i.test(attributes['w:fill'] ?? 'auto');
          }
          return true;
        default:
          return false;
      }
    },
    close(name) {
      if (name === 'w:trPr') inRowProperties = false;
      if (name === 'w:tr') pages.closeRow();
      return name === 'w:tbl' ? tables.pop()?.table : undefined;
    },
    openCell(boxes) {
      return tables.at(-1)?.boxes === boxes ? cell() : undefined;
    },
    shade(styleShades) {
      for (const { table, style } of [...tables].reverse()) {
        const own = table.rows.at(-1)?.cells.at(-1)?.shade;
        if (own !== undefined) return own;
        if (style !== undefined && styleShades(style)) return 'unknown';
      }
      return undefined;
    },
    deleteRow() {
      if (inRowProperties && row()) row()!.deleted = true;
    },
  };
}
