import type { Block, BlockKind, Document } from '../../documents/document.js';
import { visibleDocument } from '../../documents/hidden-text.js';
import { exampleBlocks, isExampleText, roleOfExample } from './examples.js';
import { guidanceBlocks } from './guidance.js';
import { legendOf } from './legends.js';
import { outlineOf, type Section, sectionOfBlocks } from './outline.js';
import type { Passage, PassageRole } from './passage.js';
import { recordTables } from './record-tables.js';
import { roleOfHeading, roleOfTable, type SectionRole, statesArtifacts } from './section-roles.js';
import { type Table, tablesOf } from './tables.js';
import { understood } from './understood-columns.js';

/** A document taken apart for judging. Positions in `passages` are block indexes. */
export interface ReadDocument {
  readonly documentId: string;
  /** As its reader sees it: without hidden text. Ranges are those of the whole document. */
  readonly document: Document;
  readonly passages: readonly Passage[];
  readonly sections: readonly Section[];
  /** For every block the position of its innermost section, or -1. */
  readonly sectionOf: Int32Array;
  /** As they are printed; `tableOf` tells which. */
  readonly tables: readonly Table[];
  /** The same with one record a row (`recordTables`), in the same order. */
  readonly records: readonly Table[];
  /** For every block the position of its table, or -1. */
  readonly tableOf: Int32Array;
}

const ROLE_OF_KIND: Partial<Record<BlockKind, PassageRole>> = {
  heading: 'heading',
  caption: 'caption',
  page_header: 'header_footer',
  page_footer: 'header_footer',
  toc_entry: 'toc',
  code: 'code',
  figure: 'figure',
  comment: 'comment',
};

const LEADER = /(?<!\.)\.{3,}\s*\d+\s*$|\t\d+\s*$/;
const REMARK =
  /^\s*(?:reviewer|review\s+comment|comment\s+by|prüfer|reviewkommentar|anmerkung\s+des\s+prüfers)\s*(?:\([^)]*\)\s*)?[:\-–]/iu;

/**
 * Gives every block its role. Roles come from the kind of the block, the headings above it, the columns of its
 * table and its own words (domain traps T1, T8, T11, T15). What a reader does not see is left out here, so that no rule
 * can take it for evidence. Linear in the number of blocks.
 */
export function takeApart(documentId: string, whole: Document): ReadDocument {
  const document = visibleDocument(whole);
  const sections = outlineOf(document);
  const sectionOf = sectionOfBlocks(document, sections);
  const tables = tablesOf(document);
  const tableOf = new Int32Array(document.blocks.length).fill(-1);
  for (const table of tables) {
    for (const index of table.headerBlocks) tableOf[index] = table.id;
    for (const row of table.rows) tableOf[row.block] = table.id;
  }
  const guidance = guidanceBlocks(document);
  const examples = exampleBlocks(document);
  const ownRoles = sections.map(({ title }) => roleOfHeading(title) ?? roleOfExample(title));
  const tableRoles = tables.map(roleOfTable);

  const roleOf = (block: Block): PassageRole => {
    if (guidance.has(block.index) && block.kind !== 'heading') return 'guidance';
    if (examples.has(block.index)) return 'example';
    const byKind = ROLE_OF_KIND[block.kind];
    if (byKind) return byKind;
    const own = block.kind === 'table_row' ? undefined : roleOfText(block.text);
    if (own === 'toc') return own;
    const bySection = sectionRole(sections, ownRoles, sectionOf[block.index]!);
    const table = tableOf[block.index]!;
    if (bySection && !(bySection === 'scope' && table >= 0 && statesArtifacts(tables[table]!)))
      return bySection;
    if (table >= 0 && tableRoles[table]) return tableRoles[table];
    if (block.kind === 'table_row' && REMARK.test(block.text)) return 'comment';
    return own ?? 'body';
  };

  const titles = tables.map(({ columns }) => columns.map((title) => title ?? ''));

  const passages = document.blocks.map((block): Passage => {
    const passage: { -readonly [Key in keyof Passage]: Passage[Key] } = {
      id: `${documentId}#${block.index}`,
      documentId,
      blockIndex: block.index,
      role: roleOf(block),
      text: block.text,
      start: block.start,
      end: block.end,
      location: block.location,
    };
    const table = tableOf[block.index]!;
    if (block.table?.header) passage.header = true;
    if (table >= 0) passage.columns = titles[table]!;
    return passage;
  });
  const legend = legendOf(tables);
  const records = recordTables(document, tables).map((table) => {
    const first = table.headerBlocks[0] ?? table.rows[0]?.block ?? -1;
    return understood(table, sections[sectionOf[first] ?? -1]?.title, legend);
  });
  return { documentId, document, passages, sections, sectionOf, tables, records, tableOf };
}

/** The passages of a document with their roles; see `takeApart`. */
export function passagesOf(documentId: string, document: Document): readonly Passage[] {
  return takeApart(documentId, document).passages;
}

/** The passage in which a position of the text lies. */
export function passageAt(passages: readonly Passage[], position: number): Passage | undefined {
  let low = 0;
  let high = passages.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (passages[middle]!.start <= position) low = middle;
    else high = middle - 1;
  }
  return passages[low];
}

/** The role that the words of a paragraph give it: an entry of contents, a reviewer's remark, an example. */
export function roleOfText(text: string): PassageRole | undefined {
  if ((text.includes('...') || text.includes('\t')) && LEADER.test(text)) return 'toc';
  if (REMARK.test(text)) return 'comment';
  return isExampleText(text) ? 'example' : undefined;
}

function sectionRole(
  sections: readonly Section[],
  roles: readonly (SectionRole | undefined)[],
  innermost: number,
): PassageRole | undefined {
  for (let at: number | undefined = innermost, depth = 0; at !== undefined && at >= 0; depth++) {
    const role = roles[at];
    if (role && (depth === 0 || role.subtree)) return role.role;
    at = sections[at]!.parent;
  }
  return undefined;
}
