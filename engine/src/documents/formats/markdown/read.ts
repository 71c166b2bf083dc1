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
import { decodeText } from '../../files/decode-text.js';
import type { FormatReader } from '../../format-reader.js';
import type { Location } from '../../location.js';
import { isCaption } from '../../text-patterns.js';
import { readFrontMatter } from './front-matter.js';
import { inlineText, onlyPictures } from './inline-text.js';
import { splitMarkdown } from './split.js';

interface Reading {
  readonly collector: BlockCollector;
  readonly sections: SectionPath;
  /** Lines before the part that is being read. */
  lineOffset: number;
  nextTable: number;
}

/** Markdown: CommonMark with the extensions of GitHub (tables, task lists, footnotes) and YAML front matter. */
export const markdownReader: FormatReader = {
  format: 'markdown',
  async read(bytes, { limits, onProgress }) {
    const { text: decoded, notes } = decodeText(bytes);
    const text = decoded.includes('\r') ? decoded.replace(/\r\n?/g, '\n') : decoded;
    const collector = createBlockCollector(limits);
    const reading: Reading = { collector, sections: createSectionPath(), lineOffset: 0, nextTable: 0 };
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
      reading.lineOffset = part.line + (frontMatter?.bodyLine ?? 0);
      const tree = fromMarkdown(part.text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
      pushAll(reading, tree.children, 0);
      onProgress?.(index + 1, parts.length);
    }
    return { blocks: collector.blocks, properties, notes };
  },
};

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
  const text = cleanText(inlineText(node.children));
  if (text) push(reading, node, isCaption(text) ? 'caption' : 'paragraph', text);
}

function pushList(reading: Reading, list: List, depth: number): void {
  const contents = isTableOfContents(list);
  for (const item of list.children) {
    const [first, ...rest] = item.children;
    if (first?.type === 'paragraph') {
      const mark = item.checked === true ? '[x] ' : item.checked === false ? '[ ] ' : '';
      const text = cleanText(mark + inlineText(first.children));
      const location = locate(reading, first);
      if (text && contents) reading.collector.push({ kind: 'toc_entry', level: depth, text, location });
      else if (text) reading.collector.push({ kind: 'list_item', level: depth, text, location });
      pushAll(reading, rest, depth);
    } else {
      pushAll(reading, item.children, depth);
    }
  }
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

function locate(reading: Reading, node: { position?: { start: { line: number } } | undefined }): Location {
  const section = reading.sections.current();
  return { ...(section ? { section } : {}), line: lineOf(reading, node) };
}

function lineOf(reading: Reading, node: { position?: { start: { line: number } } | undefined }): number {
  return (node.position?.start.line ?? 1) + reading.lineOffset;
}
