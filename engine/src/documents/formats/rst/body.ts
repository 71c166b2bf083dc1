import { cleanCode } from '../../clean-text.js';
import { fileTooComplex } from '../../document-error.js';
import { FAR_ITEM, isCaption, itemLine } from '../../text-patterns.js';
import { DIRECTIVE, parseDirective } from './directives.js';
import { inlineText } from './inline-text.js';
import { dedent, endOfIndented, indentOf, isBlank, type Line } from './lines.js';
import { readDirective } from './read-directive.js';
import { push, pushPairs, pushTable, type RstReading } from './reading.js';
import { isGridTable, isSimpleTable, readGridTable, readSimpleTable } from './tables.js';

const RULE = /^([!-/:-@[-`{-~])\1{2,}$/;
const LIST_ITEM = /^([-*+•‣⁃]|(?:\(?(?:\d{1,4}|#|[a-zA-Z]|[ivxlcIVXLC]{1,5})[.)]))(?:\s+|$)/;
const FIELD = /^:([^:\s][^:]*):(?:\s+(.*))?$/;
const TEMPLATE_LINE = /^\{[%#].*[%#]\}$/;

/** Reads the lines of one body (file, directive, list item, quote) in order. */
export function readBody(reading: RstReading, lines: readonly Line[], depth: number, listDepth = 0): void {
  if (depth > reading.maxDepth) throw nestedTooDeep(reading, lines[0]?.number ?? 1);
  // Taking the indentation of such lines away level by level would take long before it is found out.
  const far =
    depth > 0
      ? undefined
      : lines.find((line) => FAR_ITEM.test(line.text) && indentOf(line) > reading.maxDepth * 4);
  if (far) throw nestedTooDeep(reading, far.number);
  let index = 0;
  while (index < lines.length) {
    const line = lines[index]!;
    if (isBlank(line) || TEMPLATE_LINE.test(line.text.trim())) index++;
    else if (indentOf(line) > 0) {
      const end = endOfIndented(lines, index, 1);
      readBody(reading, dedent(lines.slice(index, end)), depth + 1, listDepth);
      index = end;
    } else index = readConstruct(reading, lines, index, depth, listDepth);
  }
}

function nestedTooDeep({ maxDepth }: RstReading, line: number): Error {
  return fileTooComplex(
    `Blocks are nested more than ${maxDepth} deep.`,
    'Flatten the nesting and upload the file again.',
    { line },
  );
}

/** Reads what begins at an unindented line; gives back the index after it. */
function readConstruct(
  reading: RstReading,
  lines: readonly Line[],
  index: number,
  depth: number,
  listDepth: number,
): number {
  const line = lines[index]!;
  const heading = headingLength(lines, index);
  if (heading !== 0) {
    pushHeading(reading, lines, index, heading);
    return index + heading;
  }
  if (RULE.test(line.text.trimEnd()) && isBlank(lines[index + 1])) return index + 1;
  if (line.text.startsWith('.. ') || line.text.trim() === '..') {
    const end = endOfIndented(lines, index + 1, 1);
    readExplicitMarkup(reading, line, lines.slice(index + 1, end), depth, listDepth);
    return end;
  }
  if (isGridTable(line)) {
    let end = index;
    while (end < lines.length && /^[+|]/.test(lines[end]!.text)) end++;
    pushTable(reading, readGridTable(lines.slice(index, end)));
    return end;
  }
  if (isSimpleTable(line)) {
    const table = readSimpleTable(lines.slice(index, endOfSimpleTable(lines, index)));
    pushTable(reading, table);
    return index + table.length;
  }
  if (FIELD.test(line.text)) return readFields(reading, lines, index);
  const item = LIST_ITEM.exec(line.text);
  if (item && !continuesAsParagraph(lines, index, item[0].length)) {
    const end = endOfIndented(lines, index + 1, 1);
    const first = { text: ' '.repeat(item[0].length) + line.text.slice(item[0].length), number: line.number };
    const marker = /^[-*+•‣⁃#]/.test(item[1]!) ? '' : `${item[1]} `;
    readItem(reading, dedent([first, ...lines.slice(index + 1, end)]), marker, depth, listDepth + 1);
    return Math.max(end, index + 1);
  }
  return readParagraph(reading, lines, index);
}

/** Lines that a section title takes: 2 with an underline, 3 with a line above as well, 0 where it is none. */
function headingLength(lines: readonly Line[], index: number): 0 | 2 | 3 {
  const first = lines[index]!.text.trimEnd();
  const second = lines[index + 1]?.text.trimEnd() ?? '';
  const third = lines[index + 2]?.text.trimEnd() ?? '';
  if (RULE.test(first))
    return second.trim() !== '' && third === first && second.trim().length <= first.length + 2 ? 3 : 0;
  const isTitle = RULE.test(second) && (second.length >= first.length - 2 || second.length >= 4);
  return isTitle && !isSimpleTable(lines[index + 1]!) ? 2 : 0;
}

function pushHeading(reading: RstReading, lines: readonly Line[], index: number, length: 2 | 3): void {
  const title = lines[length === 3 ? index + 1 : index]!;
  const style = lines[index + 1]!.text[0]! + (length === 3 ? lines[index]!.text[0] : '');
  const key = length === 3 ? `over ${lines[index]!.text[0]}` : style;
  if (!reading.underlines.includes(key)) reading.underlines.push(key);
  const level = reading.underlines.indexOf(key) + 1;
  const text = inlineText(title.text);
  const section = reading.sections.above(level);
  reading.sections.enter(level, text);
  reading.collector.push({
    kind: 'heading',
    level,
    text,
    location: { ...(section ? { section } : {}), line: title.number },
  });
}

/** Directives, and what begins with two dots otherwise: footnotes are text; targets, definitions and comments are not. */
function readExplicitMarkup(
  reading: RstReading,
  first: Line,
  content: readonly Line[],
  depth: number,
  listDepth: number,
): void {
  if (DIRECTIVE.test(first.text.trim())) {
    readDirective(reading, parseDirective(first, content), (inside) =>
      readBody(reading, inside, depth + 1, listDepth),
    );
    return;
  }
  const note = /^\.\. \[[^\]]+\]\s+(.*)$/.exec(first.text);
  if (note)
    push(
      reading,
      'paragraph',
      inlineText([note[1]!, ...content.map((line) => line.text)].join(' ')),
      first.number,
    );
}

/** `:name: value` lines outside a directive. */
function readFields(reading: RstReading, lines: readonly Line[], index: number): number {
  const pairs: { name: string; value: string; line: number }[] = [];
  let next = index;
  while (next < lines.length) {
    const match = FIELD.exec(lines[next]!.text);
    if (!match) break;
    const end = endOfIndented(lines, next + 1, 1);
    const rest = lines.slice(next + 1, end).map((line) => line.text.trim());
    pairs.push({ name: match[1]!, value: [match[2] ?? '', ...rest].join(' '), line: lines[next]!.number });
    next = Math.max(end, next + 1);
  }
  pushPairs(reading, pairs);
  return next;
}

/** A list item: its first paragraph is the item, what follows is read as a body. */
function readItem(
  reading: RstReading,
  lines: readonly Line[],
  marker: string,
  depth: number,
  listDepth: number,
): void {
  let end = 0;
  while (end < lines.length && !isBlank(lines[end]) && (end === 0 || !startsConstruct(lines[end]!))) end++;
  const text = inlineText(
    lines
      .slice(0, end)
      .map((line) => line.text)
      .join(' '),
  );
  const literal = /::$/.test(lines[end - 1]?.text.trimEnd() ?? '');
  if (text && !startsConstruct(lines[0]!)) {
    push(
      reading,
      'list_item',
      marker + (literal ? text.replace(/::$/, ':') : text),
      lines[0]!.number,
      listDepth,
    );
    readAfterParagraph(reading, lines.slice(end), literal, depth + 1, listDepth);
  } else readBody(reading, lines, depth + 1, listDepth);
}

function startsConstruct(line: Line): boolean {
  return LIST_ITEM.test(line.text) || line.text.startsWith('.. ');
}

function readAfterParagraph(
  reading: RstReading,
  lines: readonly Line[],
  literal: boolean,
  depth: number,
  listDepth: number,
): void {
  const code = literal ? endOfIndented(lines, 0, 1) : 0;
  if (code > 0) {
    const body = dedent(lines.slice(0, code));
    push(reading, 'code', cleanCode(body.map((line) => line.text).join('\n')), body[0]?.number ?? 1);
  }
  readBody(reading, lines.slice(code), depth, listDepth);
}

/** `A. Einstein` at the start of a line is no list item when the next line goes on at the margin. */
function continuesAsParagraph(lines: readonly Line[], index: number, width: number): boolean {
  const next = lines[index + 1];
  return (
    !isBlank(next) &&
    indentOf(next!) < Math.min(width, 1) &&
    !LIST_ITEM.test(next!.text) &&
    !next!.text.startsWith('.. ')
  );
}

function readParagraph(reading: RstReading, lines: readonly Line[], index: number): number {
  let end = index + 1;
  while (end < lines.length && !isBlank(lines[end]) && indentOf(lines[end]!) === 0) end++;
  const text = lines
    .slice(index, end)
    .map((line) => line.text)
    .join('\n');
  const first = lines[index]!.number;
  if (/^>>> /.test(text)) push(reading, 'code', cleanCode(text), first);
  else if (/^\|(?: |$)/.test(text)) {
    for (const line of lines.slice(index, end))
      push(reading, 'paragraph', inlineText(line.text.replace(/^\|/, '')), line.number);
  } else {
    const literal = /::\s*$/.test(text);
    const content = literal
      ? text.replace(/:(:\s*)$/, text.trim() === '::' ? '' : ':').replace(/^:$/, '')
      : text;
    for (const part of itemParts(content.split('\n'))) {
      const clean = inlineText(part.lines.join('\n'));
      push(reading, isCaption(clean) ? 'caption' : 'paragraph', clean, first + part.line);
    }
    if (literal) {
      let start = end;
      while (start < lines.length && isBlank(lines[start])) start++;
      const codeEnd = endOfIndented(lines, start, 1);
      const body = dedent(lines.slice(start, codeEnd));
      push(reading, 'code', cleanCode(body.map((line) => line.text).join('\n')), body[0]?.number ?? first);
      return Math.max(end, codeEnd);
    }
  }
  return end;
}

/** A paragraph cut before every line that begins a specification item or a part of one, and behind those that are whole. */
function itemParts(lines: readonly string[]): readonly { readonly lines: string[]; readonly line: number }[] {
  const parts: { lines: string[]; line: number }[] = [];
  let cut = true;
  for (const [line, text] of lines.entries()) {
    const item = itemLine(text.trim());
    if (cut || item !== undefined) parts.push({ lines: [text], line });
    else parts.at(-1)!.lines.push(text);
    cut = item === 'whole';
  }
  return parts;
}

function endOfSimpleTable(lines: readonly Line[], index: number): number {
  let end = index + 1;
  while (end < lines.length && !(isSimpleTable(lines[end]!) && isBlank(lines[end + 1]))) end++;
  return Math.min(end + 1, lines.length);
}
