import { cleanCode, cleanText } from '../../clean-text.js';
import {
  CONTAINERS,
  type Directive,
  isGeneratedView,
  LISTINGS,
  TITLED_CONTAINERS,
  WITHOUT_CONTENT,
} from './directives.js';
import { inlineText } from './inline-text.js';
import { dedent, isBlank, type Line } from './lines.js';
import { locate, push, pushPairs, pushTable, type RstReading } from './reading.js';
import { readListTable } from './tables.js';

/** Reads the lines inside a directive as a body of their own. */
export type ReadInside = (lines: readonly Line[]) => void;

/** Reads one directive: listings, figures, tables, containers by name; every other one defines an item. */
export function readDirective(reading: RstReading, directive: Directive, readInside: ReadInside): void {
  const { name, argument, options, body, line } = directive;
  const option = (wanted: string) => options.find((entry) => entry.name === wanted)?.value ?? '';
  const base = name.includes(':') ? name.slice(name.indexOf(':') + 1) : name;
  if (WITHOUT_CONTENT.has(base)) return;
  if (LISTINGS.has(base)) {
    const caption = option('caption') || (base.startsWith('need') ? argument : '');
    if (caption) push(reading, 'caption', inlineText(caption), line);
    push(reading, 'code', cleanCode(body.map((entry) => entry.text).join('\n')), body[0]?.number ?? line);
  } else if (base === 'image' || base === 'figure') {
    const location = locate(reading, line);
    reading.collector.push({ kind: 'figure', text: cleanText(option('alt')), location });
    const end = body.findIndex((entry) => isBlank(entry));
    const captionLines = end < 0 ? body : body.slice(0, end);
    push(
      reading,
      'caption',
      inlineText(captionLines.map((entry) => entry.text).join(' ')),
      body[0]?.number ?? line,
    );
    if (end >= 0) readInside(dedent(body.slice(end)));
  } else if (base === 'toctree') {
    for (const entry of body) push(reading, 'toc_entry', inlineText(entry.text), entry.number);
  } else if (base === 'list-table' || base === 'csv-table') {
    if (argument) push(reading, 'caption', inlineText(argument), line);
    if (base === 'list-table') pushTable(reading, readListTable(body, Number(option('header-rows')) || 0));
    else pushCsvTable(reading, directive);
  } else if (isGeneratedView(base)) {
    if (argument) push(reading, 'caption', inlineText(argument), line);
  } else if (CONTAINERS.has(base) || TITLED_CONTAINERS.has(base)) {
    if (argument && TITLED_CONTAINERS.has(base))
      push(reading, base === 'table' ? 'caption' : 'paragraph', inlineText(argument), line);
    readInside(body);
  } else readItemDirective(reading, directive, readInside);
}

/** A directive that defines something (a requirement, a test): its name and title, its options, its body. */
function readItemDirective(reading: RstReading, directive: Directive, readInside: ReadInside): void {
  const outer = reading.itemId;
  reading.itemId = directive.options.find((entry) => entry.name === 'id')?.value || outer;
  pushPairs(reading, [
    { name: directive.name, value: directive.argument, line: directive.line },
    ...directive.options,
  ]);
  readInside(directive.body);
  reading.itemId = outer;
}

function pushCsvTable(reading: RstReading, directive: Directive): void {
  const option = (wanted: string) => directive.options.find((entry) => entry.name === wanted);
  const split = (text: string) =>
    [...text.matchAll(/\s*(?:"((?:[^"]|"")*)"|([^,]*))\s*(?:,|$)/g)].slice(0, -1).map((match, column) => ({
      text: inlineText((match[1] ?? match[2] ?? '').replaceAll('""', '"')),
      column,
    }));
  const header = option('header');
  const rows = directive.body
    .filter((line) => !isBlank(line))
    .map((line) => ({ line: line.number, cells: split(line.text) }));
  pushTable(reading, {
    rows: header ? [{ line: header.line, cells: split(header.value) }, ...rows] : rows,
    headerRows: Number(option('header-rows')?.value) || (header ? 1 : 0),
  });
}
