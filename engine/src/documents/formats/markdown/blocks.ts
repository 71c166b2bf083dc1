import { cleanCode, cleanText } from '../../clean-text.js';
import { DocumentError } from '../../document-error.js';
import type { DataNode } from '../../records/data-node.js';
import { recordsIn, writeData } from '../../records/write-data.js';
import { isCaption } from '../../text-patterns.js';
import { readHtmlPage } from '../html/page.js';
import { inlineText } from './inline-text.js';
import {
  ATX_HEADING,
  BLANK,
  beginsWithLetter,
  DEFINITION,
  dropIndent,
  FENCE,
  htmlLength,
  ITEM,
  indentOf,
  interruptsParagraph,
  type Line,
  QUOTE,
  RULE,
  UNDERLINE,
  YAML_FENCE,
} from './lines.js';
import { continuesLazily, readList } from './lists.js';
import { type Nesting, nestedTooDeep } from './nesting.js';
import { locate, type MarkdownReading, push } from './reading.js';
import { statementsOf } from './statements.js';
import { splitRow, startsTable } from './table.js';

/** Reads the lines of one container (file, quote, list item) in order. */
export function readBlocks(reading: MarkdownReading, lines: readonly Line[], nesting: Nesting): void {
  if (nesting.depth > reading.limits.maxDepth)
    throw nestedTooDeep(reading.limits.maxDepth, lines[0]?.number ?? 1);
  for (let index = 0; index < lines.length; ) {
    index = BLANK.test(lines[index]!.text) ? index + 1 : readBlock(reading, lines, index, nesting);
  }
}

/** Reads the block that begins at a line that is not blank; gives back the index after it. */
function readBlock(
  reading: MarkdownReading,
  lines: readonly Line[],
  index: number,
  nesting: Nesting,
): number {
  const { text, number } = lines[index]!;
  if (indentOf(text) > 3) return readIndentedCode(reading, lines, index);
  switch (text.trimStart()[0]) {
    case '#': {
      const heading = ATX_HEADING.exec(text);
      if (!heading) break;
      pushHeading(reading, heading[2] ?? '', heading[1]!.length, number);
      return index + 1;
    }
    case '`':
    case '~':
      if (FENCE.test(text)) return readFencedCode(reading, lines, index);
      break;
    case '>':
      return readQuote(reading, lines, index, nesting);
    case '<': {
      const length = htmlLength(lines, index, false);
      if (length === 0) break;
      readHtml(reading, lines.slice(index, index + length));
      return index + length;
    }
    case '[': {
      const end = readDefinition(reading, lines, index, nesting);
      if (end > index) return end;
      break;
    }
    default:
      if (beginsWithLetter(text)) break;
      if (RULE.test(text)) return index + 1;
      if (ITEM.test(text)) return readList(reading, lines, { index, nesting, readInside: readBlocks });
  }
  if (startsTable(lines, index)) return readTable(reading, lines, index);
  return readParagraph(reading, lines, index);
}

function readIndentedCode(reading: MarkdownReading, lines: readonly Line[], index: number): number {
  let end = index;
  while (end < lines.length && (indentOf(lines[end]!.text) > 3 || BLANK.test(lines[end]!.text))) end++;
  const code = lines.slice(index, end).map((line) => dropIndent(line.text, 4));
  push(reading, 'code', cleanCode(code.join('\n')), lines[index]!.number);
  return end;
}

function readFencedCode(reading: MarkdownReading, lines: readonly Line[], index: number): number {
  const [, indent, fence] = FENCE.exec(lines[index]!.text)!;
  const closing = new RegExp(`^ {0,3}${fence![0]}{${fence!.length},}[ \\t]*$`);
  let end = index + 1;
  while (end < lines.length && !closing.test(lines[end]!.text)) end++;
  const code = lines
    .slice(index + 1, end)
    .map(({ text }) => dropIndent(text, indent!.length))
    .join('\n');
  const records = YAML_FENCE.test(lines[index]!.text) ? recordsOfYaml(reading, code) : undefined;
  if (records)
    writeData(records, reading.collector, {
      sections: reading.sections,
      nextTable: () => reading.nextTable++,
      linesBefore: lines[index]!.number,
    });
  else push(reading, 'code', cleanCode(code), lines[index]!.number);
  return end + 1;
}

/** Records with ids that a fence of YAML holds; undefined for any other data and for what is no YAML. */
function recordsOfYaml({ limits, parseYaml }: MarkdownReading, code: string): DataNode | undefined {
  try {
    const [only, other] = parseYaml?.(code, limits) ?? [];
    return only && !other ? recordsIn(only) : undefined;
  } catch (error) {
    if (error instanceof DocumentError) return undefined;
    throw error;
  }
}

function readQuote(
  reading: MarkdownReading,
  lines: readonly Line[],
  index: number,
  nesting: Nesting,
): number {
  const inner: Line[] = [];
  let end = index;
  for (; end < lines.length; end++) {
    const { text, number } = lines[end]!;
    const marker = QUOTE.exec(text)?.[0];
    if (marker) inner.push({ text: text.slice(marker.length), number });
    else if (continuesLazily(inner, lines, end)) inner.push({ text: text.trimStart(), number });
    else break;
  }
  readBlocks(reading, inner, { ...nesting, depth: nesting.depth + 1 });
  return end;
}

function readHtml(reading: MarkdownReading, lines: readonly Line[]): void {
  readHtmlPage(lines.map((line) => line.text).join('\n'), {
    collector: reading.collector,
    sections: reading.sections,
    lineOffset: lines[0]!.number - 1,
    nextTable: () => reading.nextTable++,
  });
}

/** Link definitions have no text of their own; footnotes are read where they stand. */
function readDefinition(
  reading: MarkdownReading,
  lines: readonly Line[],
  index: number,
  nesting: Nesting,
): number {
  const definition = DEFINITION.exec(lines[index]!.text);
  if (!definition) return index;
  if (!definition[1]!.startsWith('^')) {
    if (BLANK.test(definition[2]!)) return index + 2;
    const title = lines[index + 1]?.text ?? '';
    return /^\s*\S+\s*$/.test(definition[2]!) && /^\s+(?:"[^"]*"|'[^']*'|\([^)]*\))\s*$/.test(title)
      ? index + 2
      : index + 1;
  }
  let end = index + 1;
  while (end < lines.length && !interruptsParagraph(lines, end) && !DEFINITION.test(lines[end]!.text)) end++;
  while (
    end < lines.length &&
    (indentOf(lines[end]!.text) > 3 ||
      (BLANK.test(lines[end]!.text) && indentOf(lines[end + 1]?.text ?? '') > 3))
  )
    end++;
  const rest = lines.slice(index + 1, end).map(({ text, number }) => ({ text: dropIndent(text, 4), number }));
  readBlocks(reading, [{ text: definition[2]!.trim(), number: lines[index]!.number }, ...rest], {
    ...nesting,
    depth: nesting.depth + 1,
  });
  return end;
}

function readTable(reading: MarkdownReading, lines: readonly Line[], index: number): number {
  const id = reading.nextTable++;
  let end = index + 2;
  while (end < lines.length && !interruptsParagraph(lines, end)) end++;
  const rows = [lines[index]!, ...lines.slice(index + 2, end)];
  rows.forEach(({ text, number: line }, row) => {
    const location = locate(reading, line);
    const { section } = location;
    reading.collector.push({
      kind: 'table_row',
      text: '',
      location,
      table: { id, row, header: row === 0 },
      cells: splitRow(text).map((source, column) => {
        const cell = `R${row + 1}C${column + 1}`;
        return {
          text: cleanText(inlineText(source, reading.definitions).text),
          column,
          location: section ? { section, line, cell } : { line, cell },
        };
      }),
    });
  });
  return end;
}

/** A paragraph, or the heading that a line of `=` or `-` below makes of it. */
function readParagraph(reading: MarkdownReading, lines: readonly Line[], index: number): number {
  const first = lines[index]!.number;
  let end = index + 1;
  for (; end < lines.length; end++) {
    const underline = UNDERLINE.exec(lines[end]!.text);
    if (underline) {
      const title = lines.slice(index, end).map((line) => line.text.trim());
      pushHeading(reading, title.join('\n'), underline[1]![0] === '=' ? 1 : 2, first);
      return end + 1;
    }
    if (interruptsParagraph(lines, end) || startsTable(lines, end)) break;
  }
  const source = lines.slice(index, end).map((line) => line.text.trim());
  const { text, pictures } = inlineText(source.join('\n'), reading.definitions);
  if (pictures) {
    for (const picture of pictures) {
      reading.collector.push({ kind: 'figure', text: cleanText(picture), location: locate(reading, first) });
    }
    return end;
  }
  for (const statement of statementsOf(text)) {
    const line = first + statement.line;
    if (statement.marked) push(reading, 'list_item', statement.text, line, 1);
    else push(reading, isCaption(statement.text) ? 'caption' : 'paragraph', statement.text, line);
  }
  return end;
}

function pushHeading(reading: MarkdownReading, source: string, level: number, line: number): void {
  const text = cleanText(inlineText(source, reading.definitions).text);
  if (!text) return;
  const section = reading.sections.above(level);
  reading.sections.enter(level, text);
  reading.collector.push({
    kind: 'heading',
    level,
    text,
    location: section ? { section, line } : { line },
  });
}
