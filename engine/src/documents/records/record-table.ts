import { say } from '../../sentences/sentence.js';
import type { BlockDraft, BlockKind, DraftNote, RecordLink } from '../block.js';
import type { BlockCollector } from '../block-collector.js';
import { createSectionPath } from '../block-collector.js';
import { cleanText } from '../clean-text.js';
import { fileTooLarge } from '../document-error.js';
import type { Location } from '../location.js';
import type { ReadingLimits } from '../reading-limits.js';
import { noteOf } from '../reading-notes.js';

/** One record as a format's reader finds it. */
export interface RecordDraft {
  readonly id: string;
  readonly type?: string;
  /** Attributes in the file's order, the id among them; empty ones are left out. */
  readonly fields: readonly { readonly name: string; readonly text: string }[];
  /** `shown` is what the cell says, where that differs from the target. */
  readonly links?: readonly (Omit<RecordLink, 'column'> & { readonly shown?: string })[];
  readonly line?: number;
}

/**
 * Collects what a requirements or test tool exports: headings and prose, and records in between. All records become
 * rows of one table whose columns are the attributes that hold a value anywhere
 * (docs/decisions/0013-records-are-table-rows.md).
 */
export interface RecordTable {
  heading(level: number, title: string, place?: RecordPlace): void;
  prose(
    kind: Extract<BlockKind, 'paragraph' | 'code' | 'toc_entry'>,
    text: string,
    place?: RecordPlace,
  ): void;
  record(draft: RecordDraft): void;
  /** Leaves the sections of this level and below; without a level all of them. */
  leaveSections(level?: number): void;
  /** Puts everything into the collector; gives back what has to be told about the records. */
  finish(): DraftNote[];
  readonly records: number;
}

export interface RecordPlace {
  readonly line?: number;
  readonly requirementId?: string;
}

export function createRecordTable(collector: BlockCollector, limits: ReadingLimits): RecordTable {
  const blocks: BlockDraft[] = [];
  const columns = new Map<string, number>();
  const ids = new Set<string>();
  const doubled = new Map<string, Location>();
  let sections = createSectionPath();
  let records = 0;
  let characters = 0;

  const add = (block: BlockDraft) => {
    if (blocks.length >= limits.maxBlocks) {
      throw fileTooLarge(`The document has more than ${limits.maxBlocks} paragraphs and records.`);
    }
    characters += block.text.length;
    for (const cell of block.cells ?? []) characters += cell.text.length;
    if (characters > limits.maxCharacters) {
      throw fileTooLarge(`The document has more than ${limits.maxCharacters} characters of text.`);
    }
    blocks.push(block);
  };
  const columnOf = (name: string): number => {
    const known = columns.get(name);
    if (known !== undefined) return known;
    columns.set(name, columns.size);
    return columns.size - 1;
  };

  function rowOf(draft: RecordDraft, row: number): BlockDraft {
    const section = sections.current();
    const location: Location = {
      ...(section ? { section } : {}),
      ...(draft.line === undefined ? {} : { line: draft.line }),
      requirementId: draft.id,
    };
    const texts = new Map<number, string>();
    const put = (name: string, text: string, separator: string) => {
      const column = columnOf(name);
      const before = texts.get(column);
      texts.set(column, before === undefined ? text : `${before}${separator}${text}`);
      return column;
    };
    for (const { name, text } of draft.fields) {
      const content = cleanText(text);
      if (content) put(name, content, ' ');
    }
    const links = draft.links?.map(({ shown, ...link }): RecordLink => {
      return { ...link, column: put(link.type, cleanText(shown ?? link.target), ', ') };
    });
    return {
      kind: 'table_row',
      text: '',
      location,
      table: { id: 0, row, header: false },
      cells: [...texts]
        .sort(([a], [b]) => a - b)
        // The table exists in our reading only, so a cell has no reference: its place is that of the record.
        .map(([column, text]) => ({ text, column, location })),
      record: {
        id: draft.id,
        ...(draft.type ? { type: draft.type } : {}),
        ...(links && links.length > 0 ? { links } : {}),
      },
    };
  }

  function headerRow(): BlockDraft {
    return {
      kind: 'table_row',
      text: '',
      location: {},
      table: { id: 0, row: 0, header: true },
      cells: [...columns].map(([name, column]) => ({ text: name, column, location: {} })),
    };
  }

  return {
    get records() {
      return records;
    },
    heading(level, title, place = {}) {
      const text = cleanText(title);
      if (!text) return;
      const section = sections.above(level);
      sections.enter(level, text);
      add({ kind: 'heading', level, text, location: { ...(section ? { section } : {}), ...place } });
    },
    prose(kind, text, place = {}) {
      const section = sections.current();
      if (text) add({ kind, text, location: { ...(section ? { section } : {}), ...place } });
    },
    record(draft) {
      records++;
      if (ids.has(draft.id)) {
        doubled.set(draft.id, {
          requirementId: draft.id,
          ...(draft.line === undefined ? {} : { line: draft.line }),
        });
      }
      ids.add(draft.id);
      add(rowOf(draft, records));
    },
    leaveSections(level = 1) {
      const titles = sections.above(level) ?? [];
      sections = createSectionPath();
      for (const [index, title] of titles.entries()) sections.enter(index + 1, title);
    },
    finish() {
      // Above the headings, so that no section claims the names of the columns; a title may stand before.
      const [first] = blocks;
      const title = first?.kind === 'heading' && first.level === 1 ? 1 : 0;
      blocks.forEach((block, index) => {
        if (index === title && records > 0) collector.push(headerRow());
        collector.push(block);
      });
      return [...doubled.values()]
        .slice(0, MOST_NOTES)
        .map((location) => noteOf('duplicate_id', say('reading.several-records'), location));
    },
  };
}

/** Notes of one kind; more of them tell nobody anything. */
export const MOST_NOTES = 100;
