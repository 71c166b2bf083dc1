import type { BlockContent, DefinitionContent, List, ListItem, Paragraph, RootContent, Table } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import {
  type BlockCollector,
  createBlockCollector,
  createSectionPath,
  type SectionPath,
} from '../../block-collector.js';
import { cleanCode, cleanText } from '../../clean-text.js';
import type { BlockKind, FileProperties } from '../../document.js';
import { readText } from '../../files/decode-text.js';
import type { FormatReader } from '../../format-reader.js';
import type { Location } from '../../location.js';
import { isCaption } from '../../text-patterns.js';
import { readHtmlPage } from '../html/page.js';
import { readFrontMatter } from './front-matter.js';
import { inlineText, onlyPictures } from './inline-text.js';
import { splitMarkdown } from './split.js';
import { statementsOf } from './statements.js';

interface Reading {
  readonly collector: BlockCollector;
  readonly sections: SectionPath;
  /** The part that is being read, and the lines of the file before it. */
  source: string;
  lineOffset: number;
  nextTable: number;
}

/** Markdown: CommonMark with the extensions of GitHub (tables, task lists, footnotes) and YAML front matter. */
export const markdownReader: FormatReader = {
  format: 'markdown',
  async read(bytes, { limits, onProgress }) {
    const { text, notes } = readText(bytes, limits);
    const collector = createBlockCollector(limits);
    const reading: Reading = {
      collector,
      sections: createSectionPath(),
      source: '',
      lineOffset: 0,
      nextTable: 0,
    };
    let properties: FileProperties = {};
    const frontMatter = readFrontMatter(text);
    if (frontMatter) {
      properties = frontMatter.properties;
      for (const [index, line] of frontMatter.lines.entries()) {
        if (cleanText(line))
          collector.push({ kind: 'paragraph', text: cleanText(line), location: { line: index + 2 } });
      }
    }
    const parts = splitMarkdown(frontMatter ? text.slice(frontMatter.end) : text, limits.maxDepth);
    for (const [index, part] of parts.entries()) {
      reading.source = part.text;
      reading.lineOffset = part.line + (frontMatter?.bodyLine ?? 0);
      const tree = fromMarkdown(part.text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
      pushAll(reading, tree.children, 0);
      onProgress?.(index + 1, parts.length);
    }
    return { blocks: collector.blocks, properties, notes };
  },
};

type Positioned = { position?: { start: { line: number } } | undefined };
type Content = RootContent | BlockContent | DefinitionContent;

function pushAll(reading: Reading, nodes: readonly Content[], listDepth: number): void {
  for (const node of nodes) pushNode(reading, node, listDepth);
}

function pushNode(reading: Reading, node: Content, listDepth: number): void {
  switch (node.type) {
    case 'heading': {
      const text = cleanText(inlineText(node.children));
      if (!text) return;
      const section = reading.sections.above(node.depth);
      reading.sections.enter(node.depth, text);
      const location = { ...(section ? { section } : {}), line: lineOf(reading, node) };
      reading.collector.push({ kind: 'heading', level: node.depth, text, location });
      return;
    }
    case 'paragraph':
      pushParagraph(reading, node);
      return;
    case 'code':
      push(reading, node, 'code', cleanCode(node.value));
      return;
    case 'table':
      pushTable(reading, node);
      return;
    case 'list':
      pushList(reading, node, listDepth + 1);
      return;
    case 'html':
      readHtmlPage(node.value, {
        collector: reading.collector,
        sections: reading.sections,
        lineOffset: lineOf(reading, node) - 1,
        nextTable: () => reading.nextTable++,
      });
      return;
    case 'blockquote':
    case 'footnoteDefinition':
      pushAll(reading, node.children, listDepth);
      return;
    default:
      return;
  }
}

function pushParagraph(reading: Reading, node: Paragraph): void {
  const pictures = onlyPictures(node.children);
  if (pictures) {
    for (const picture of pictures) push(reading, node, 'figure', cleanText(picture));
    return;
  }
  for (const { text, line, marked } of statementsOf(inlineText(node.children))) {
    const location = locate(reading, node, line);
    if (marked) reading.collector.push({ kind: 'list_item', level: 1, text, location });
    else reading.collector.push({ kind: isCaption(text) ? 'caption' : 'paragraph', text, location });
  }
}

function pushList(reading: Reading, list: List, depth: number): void {
  const contents = isTableOfContents(list);
  for (const item of list.children) {
    const [first, ...rest] = item.children;
    if (first?.type === 'paragraph') {
      const text = cleanText(markerOf(reading, list, item, first) + inlineText(first.children));
      const location = locate(reading, first);
      if (text && contents) reading.collector.push({ kind: 'toc_entry', level: depth, text, location });
      else if (text) reading.collector.push({ kind: 'list_item', level: depth, text, location });
      pushAll(reading, rest, depth);
    } else {
      pushAll(reading, item.children, depth);
    }
  }
}

/** What the file writes before an item and a reader sees: a number, a check box. */
function markerOf(reading: Reading, list: List, item: ListItem, first: Paragraph): string {
  const start = item.position?.start.offset;
  const end = first.position?.start.offset;
  const number = list.ordered ? /^\d+[.)]/.exec(reading.source.slice(start, end))?.[0] : undefined;
  const box = item.checked === true ? '[x]' : item.checked === false ? '[ ]' : undefined;
  return [number, box, ''].filter((part) => part !== undefined).join(' ');
}

/** A list whose items are nothing but links to headings of the same file. */
function isTableOfContents(list: List): boolean {
  const isEntry = (item: ListItem) => {
    const first = item.children[0];
    const only = first?.type === 'paragraph' && first.children.length === 1 ? first.children[0] : undefined;
    return only?.type === 'link' && only.url.startsWith('#');
  };
  return list.children.length >= 2 && list.children.every(isEntry);
}

function pushTable(reading: Reading, table: Table): void {
  const id = reading.nextTable++;
  table.children.forEach((row, rowIndex) => {
    const location = locate(reading, row);
    reading.collector.push({
      kind: 'table_row',
      text: '',
      location,
      table: { id, row: rowIndex, header: rowIndex === 0 },
      cells: row.children.map((cell, column) => ({
        text: cleanText(inlineText(cell.children)),
        column,
        location: { ...location, cell: `R${rowIndex + 1}C${column + 1}` },
      })),
    });
  });
}

function push(reading: Reading, node: Content, kind: BlockKind, text: string): void {
  reading.collector.push({ kind, text, location: locate(reading, node) });
}

/** `line` counts from the node's first line. */
function locate(reading: Reading, node: Positioned, line = 0): Location {
  const section = reading.sections.current();
  return { ...(section ? { section } : {}), line: lineOf(reading, node) + line };
}

function lineOf(reading: Reading, node: Positioned): number {
  return (node.position?.start.line ?? 1) + reading.lineOffset;
}
