import { createHash } from 'node:crypto';
import type { AnalysedDocument } from '../corpus/analysed-document.js';
import { assembleBlocks, type BlockDraft } from '../documents/block.js';
import type { Document } from '../documents/document.js';
import { detectLanguage } from '../text/language.js';

/**
 * A document from lines, for tests: `# Title` headings, `- ` list items, `| a | b |` table rows (the first of a
 * table names the columns), `~ ` entries of a table of contents, `! ` a picture, `> ` a reviewer's comment, other
 * lines paragraphs. Blank lines end tables.
 */
export function documentOfLines(lines: readonly string[]): Document {
  const drafts: BlockDraft[] = [];
  const open: { level: number; title: string }[] = [];
  let table = -1;
  let row = 0;
  let inTable = false;
  for (const line of lines) {
    const heading = /^(#+) (.*)$/.exec(line);
    if (heading) {
      const level = heading[1]!.length;
      while (open.length > 0 && open.at(-1)!.level >= level) open.pop();
      drafts.push({ kind: 'heading', text: heading[2]!, level, location: place(open) });
      open.push({ level, title: heading[2]! });
      inTable = false;
      continue;
    }
    if (line.startsWith('|')) {
      if (!inTable) {
        table++;
        row = 0;
      }
      const texts = line.split('|').slice(1, -1);
      const cells = texts.map((text, column) => ({
        text: text.trim(),
        column,
        location: { ...place(open), cell: `R${row + 1}C${column + 1}` },
      }));
      drafts.push({
        kind: 'table_row',
        text: '',
        location: place(open),
        table: { id: table, row, header: row === 0 },
        cells,
      });
      row++;
      inTable = true;
      continue;
    }
    inTable = false;
    if (line.trim() === '') continue;
    const marked = /^([-~!>]) (.*)$/.exec(line);
    const kinds = { '-': 'list_item', '~': 'toc_entry', '!': 'figure', '>': 'comment' } as const;
    const kind = marked ? kinds[marked[1] as keyof typeof kinds] : 'paragraph';
    drafts.push({ kind, text: marked ? marked[2]! : line, location: place(open) });
  }
  const { text, blocks } = assembleBlocks(drafts);
  return { format: 'markdown', text, blocks, language: detectLanguage(text), properties: {}, notes: [] };
}

function place(open: readonly { title: string }[]): BlockDraft['location'] {
  return open.length > 0 ? { section: open.map((section) => section.title) } : {};
}

/** The same as an input of an analysis; `name` is its file name and id. */
export function analysedDocument(
  name: string,
  lines: readonly string[],
  rest: Partial<AnalysedDocument> = {},
): AnalysedDocument {
  const sha256 = createHash('sha256').update(lines.join('\n')).digest('hex');
  return { id: name, name, version: '1', sha256, document: documentOfLines(lines), ...rest };
}
