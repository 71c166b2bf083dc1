import PDFDocument from 'pdfkit';
import {
  docxFile,
  paragraph,
  spreadsheetPart,
  type TestSheet,
  wordPart,
  xlsxFile,
} from '../documents/testing/office-files.js';
import { hierarchy, reqifFile } from '../documents/testing/reqif-file.js';

/**
 * Files of a project from compact text. `@@ name` begins a file and its ending says what is made of it: Markdown and CSV
 * stay as they are; in all others `# ` begins a heading, `| a | b |` is a row of a table up to the next blank line, `<` continues
 * the cell to the left, `^` the one above, and a row of rules (`|---|`) says nothing. `[[Name]]` begins a sheet of a workbook; the table of a ReqIF file names its
 * attributes in the first row.
 */
export async function projectFiles(source: string): Promise<ReadonlyMap<string, Buffer>> {
  const files = new Map<string, Buffer>();
  for (const [name, text] of textsOf(source)) {
    const blocks = blocksOf(text);
    const ending = name.slice(name.lastIndexOf('.') + 1);
    if (ending === 'md' || ending === 'csv') files.set(name, Buffer.from(text));
    else if (ending === 'docx') files.set(name, wordFile(blocks));
    else if (ending === 'xlsx') files.set(name, workbook(blocks));
    else if (ending === 'reqif') files.set(name, exchangeFile(blocks));
    else if (ending === 'pdf') files.set(name, await printedFile(blocks));
    else throw new Error(`No file is made of ${name}`);
  }
  return files;
}

/** The text of each file of a project, by name. */
export function textsOf(source: string): ReadonlyMap<string, string> {
  const parts = source.split(/^@@ (.+)$/m).slice(1);
  return new Map(
    parts.flatMap((name, at) => (at % 2 === 0 ? [[name.trim(), parts[at + 1]!.trimStart()] as const] : [])),
  );
}

type SourceBlock =
  | { readonly kind: 'heading'; readonly text: string; readonly level: number }
  | { readonly kind: 'paragraph' | 'sheet'; readonly text: string }
  | { readonly kind: 'table'; readonly rows: readonly (readonly string[])[] };

function blocksOf(text: string): readonly SourceBlock[] {
  const blocks: SourceBlock[] = [];
  let rows: string[][] | undefined;
  for (const line of text.split('\n')) {
    if (line.startsWith('|')) {
      const cells = line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim());
      if (cells.every((cell) => /^:?-{3,}:?$/.test(cell))) continue;
      if (rows) rows.push(cells);
      else {
        rows = [cells];
        blocks.push({ kind: 'table', rows });
      }
      continue;
    }
    rows = undefined;
    const marked = /^(?:(#+) (.*)|\[\[(.*)\]\])$/.exec(line);
    if (marked?.[1] !== undefined)
      blocks.push({ kind: 'heading', text: marked[2]!, level: marked[1].length });
    else if (marked?.[3] !== undefined) blocks.push({ kind: 'sheet', text: marked[3] });
    else if (line.trim() !== '') blocks.push({ kind: 'paragraph', text: line });
  }
  return blocks;
}

const escaped = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;');

function wordFile(blocks: readonly SourceBlock[]): Buffer {
  const body = blocks.map((block) => {
    if (block.kind === 'table') return wordTable(block.rows) + paragraph('');
    const style = block.kind === 'heading' ? `<w:pStyle w:val="H${block.level}"/>` : '';
    return paragraph(escaped(block.text), style);
  });
  const styles = [1, 2, 3].map(
    (level) =>
      `<w:style w:type="paragraph" w:styleId="H${level}"><w:name w:val="heading ${level}"/><w:pPr><w:outlineLvl w:val="${level - 1}"/></w:pPr></w:style>`,
  );
  return docxFile(body.join(''), [wordPart('styles.xml', 'styles', 'styles', styles.join(''))]);
}

function wordTable(rows: readonly (readonly string[])[]): string {
  const written = rows.map((cells, row) => {
    const made = cells.flatMap((text, column) => {
      if (text === '<') return [];
      let span = 1;
      while (cells[column + span] === '<') span++;
      const spans = span > 1 ? `<w:gridSpan w:val="${span}"/>` : '';
      const goesOn = rows[row + 1]?.[column] === '^';
      const merged = text === '^' ? '<w:vMerge/>' : goesOn ? '<w:vMerge w:val="restart"/>' : '';
      return [
        `<w:tc><w:tcPr>${spans}${merged}</w:tcPr>${paragraph(text === '^' ? '' : escaped(text))}</w:tc>`,
      ];
    });
    return `<w:tr>${made.join('')}</w:tr>`;
  });
  return `<w:tbl>${written.join('')}</w:tbl>`;
}

function workbook(blocks: readonly SourceBlock[]): Buffer {
  const sheets: TestSheet[] = [];
  let name = 'Sheet1';
  for (const block of blocks) {
    if (block.kind === 'sheet') name = block.text;
    else if (block.kind === 'table') sheets.push({ name: escaped(name), content: sheetContent(block.rows) });
    // A line between tables is a cell of its own.
    else if (block.kind === 'paragraph')
      sheets.push({ name: escaped(name), content: sheetContent([[block.text]]) });
  }
  return xlsxFile(sheets, [spreadsheetPart('styles.xml', 'styles', 'styleSheet', '')]);
}

const reference = (row: number, column: number) => `${String.fromCharCode(65 + column)}${row + 1}`;

function sheetContent(rows: readonly (readonly string[])[]): string {
  const merges: string[] = [];
  const isOpen = (text: string | undefined) => text === '<' || text === '^';
  const written = rows.map((cells, row) => {
    const made = cells.map((text, column) => {
      if (text === '' || isOpen(text)) return '';
      let wide = 0;
      let high = 0;
      while (cells[column + wide + 1] === '<') wide++;
      while (rows[row + high + 1]?.[column] === '^') high++;
      if (wide + high > 0)
        merges.push(`<mergeCell ref="${reference(row, column)}:${reference(row + high, column + wide)}"/>`);
      return `<c r="${reference(row, column)}" t="inlineStr"><is><t>${escaped(text)}</t></is></c>`;
    });
    return `<row r="${row + 1}">${made.join('')}</row>`;
  });
  const merged = merges.length > 0 ? `<mergeCells>${merges.join('')}</mergeCells>` : '';
  return `<sheetData>${written.join('')}</sheetData>${merged}`;
}

function exchangeFile(blocks: readonly SourceBlock[]): Buffer {
  const [names = [], ...rows] = blocks.flatMap((block) => (block.kind === 'table' ? block.rows : []));
  const xml = reqifFile({
    attributes: Object.fromEntries(names.map((name, at) => [`a${at}`, name])),
    types: { t: 'Requirement type' },
    objects: rows.map((cells, row) => ({
      id: `o${row}`,
      type: 't',
      values: Object.fromEntries(cells.map((cell, at) => [`a${at}`, escaped(cell)])),
    })),
    specifications: [
      { name: 'Specification', children: rows.map((_, row) => hierarchy(`o${row}`)).join('') },
    ],
  });
  return Buffer.from(xml);
}

/** Ruled tables and headings as a word processor prints them, on pages across. */
async function printedFile(blocks: readonly SourceBlock[]): Promise<Buffer> {
  const doc = new PDFDocument({ size: 'A4', layout: 'landscape', margin: 40 });
  const parts: Buffer[] = [];
  doc.on('data', (part: Buffer) => parts.push(part));
  const finished = new Promise<void>((resolve) => doc.on('end', () => resolve()));
  const wide = doc.page.width - 80;
  const makeRoom = (height: number) => {
    if (doc.y + height > doc.page.height - 60) doc.addPage();
  };
  const row = (cells: readonly string[], widths: readonly number[], isHeader: boolean) => {
    doc.font(isHeader ? 'Helvetica-Bold' : 'Helvetica').fontSize(8);
    const heights = cells.map((cell, at) => doc.heightOfString(cell || ' ', { width: widths[at]! - 6 }));
    const height = Math.max(...heights) + 6;
    makeRoom(height);
    const top = doc.y;
    let left = 40;
    cells.forEach((cell, at) => {
      doc.rect(left, top, widths[at]!, height).stroke();
      doc.text(cell, left + 3, top + 3, { width: widths[at]! - 6 });
      left += widths[at]!;
    });
    doc.x = 40;
    doc.y = top + height;
  };
  blocks.forEach((block, at) => {
    if (block.kind === 'table') {
      const longest = block.rows[0]!.map((_, column) =>
        Math.min(40, Math.max(...block.rows.map((cells) => (cells[column] ?? '').length), 5)),
      );
      const sum = longest.reduce((total, one) => total + one, 0);
      const widths = longest.map((one) => (one / sum) * wide);
      const isKeyed = block.rows[0]!.length === 2 && at < 4;
      for (const [index, cells] of block.rows.entries()) row(cells, widths, index === 0 && !isKeyed);
      doc.y += 10;
      return;
    }
    makeRoom(40);
    const isTitle = block.kind === 'heading';
    doc.font(isTitle ? 'Helvetica-Bold' : 'Helvetica').fontSize(isTitle ? (at === 0 ? 18 : 13) : 10);
    doc.text(block.text, 40, doc.y, { width: wide });
    doc.y += 6;
  });
  doc.end();
  await finished;
  return Buffer.concat(parts);
}
