import { type Token, Tokenizer, TokenizerMode } from 'parse5';
import type { BlockDraft, BlockKind, FileProperties } from '../../block.js';
import type { BlockCollector, SectionPath } from '../../block-collector.js';
import { cleanCode, cleanText } from '../../clean-text.js';
import { allHidden, type HiddenReason } from '../../hidden-ranges.js';
import { INLINE, pageRole, UNSEEN, VOID } from './elements.js';
import { createPageLook } from './page-look.js';
import { readPageStyles } from './page-styles.js';
import { type SkippedElement, skipElement } from './skipped-element.js';
import { createHtmlTable, type HtmlTable } from './table.js';

/** Where the blocks of a page, or of a piece of HTML inside another format, go. */
export interface HtmlTarget {
  readonly collector: BlockCollector;
  readonly sections: SectionPath;
  /** Lines of the file before this HTML. */
  readonly lineOffset: number;
  nextTable(): number;
}

/** Words that nobody sees. */
interface HiddenPiece {
  readonly reason: HiddenReason;
  readonly line: number;
  text: string;
}

const META_PROPERTIES: Readonly<Record<string, keyof FileProperties>> = {
  author: 'author',
  date: 'modified',
  'last-modified': 'modified',
  version: 'revision',
  revision: 'revision',
};

/**
 * Reads HTML tag by tag. No tree is built, so neither depth nor size can hurt; block elements begin and end blocks,
 * which makes omitted end tags harmless. Gives back what the head of the page says about the file.
 */
export function readHtmlPage(html: string, target: HtmlTarget): FileProperties {
  const properties: { -readonly [name in keyof FileProperties]: string } = {};
  let text = '';
  /** Nothing but white space is in `text`; looking at all of it for every word would take its length squared. */
  let isBlank = true;
  let line = 0;
  let heading = 0;
  let item = false;
  let caption = false;
  let preformatted = 0;
  let inTitle = false;
  let inHead = false;
  let listDepth = 0;
  let mainDepth = 0;
  let roles: { name: string; role: 'navigation' | 'page_header' | 'page_footer' }[] = [];
  let skipped: SkippedElement | undefined;
  /** What the element that is being skipped hides, where it hides text. */
  let unseen: HiddenPiece | undefined;
  /** Hidden words among those that are in `text`. */
  let pieces: HiddenPiece[] = [];
  /** Hidden texts wait until the block or table that they stand in has ended. */
  const later: BlockDraft[] = [];
  const look = createPageLook(readPageStyles(html));
  const tables: HtmlTable[] = [];
  /** Text of the cell that is open in the innermost table is collected apart from running text. */
  let cellText = '';

  const role = () => roles.at(-1)?.role;

  function kindOf(): BlockKind {
    if (heading > 0) return 'heading';
    if (preformatted > 0) return 'code';
    if (caption) return 'caption';
    if (role() === 'navigation') return 'toc_entry';
    if (role() === 'page_header' || role() === 'page_footer') return role() as BlockKind;
    return item ? 'list_item' : 'paragraph';
  }

  function flush(): void {
    const content = preformatted > 0 && tables.length === 0 ? cleanCode(text) : cleanText(text);
    text = '';
    isBlank = true;
    const hidden = pieces;
    pieces = [];
    if (content) write(content);
    for (const piece of hidden) keepHidden(piece);
    pushLater();
  }

  function write(content: string): void {
    if (tables.length > 0 && !caption) {
      cellText = cellText ? `${cellText} ${content}` : content;
      return;
    }
    const kind = kindOf();
    const level = kind === 'heading' ? heading : kind === 'list_item' ? Math.max(1, listDepth) : undefined;
    const section = kind === 'heading' ? target.sections.above(heading) : target.sections.current();
    if (kind === 'heading') target.sections.enter(heading, content);
    target.collector.push({
      kind,
      text: content,
      location: { ...(section ? { section } : {}), line: line + target.lineOffset },
      ...(level === undefined ? {} : { level }),
    });
    // Further paragraphs of a list item are paragraphs.
    item = false;
  }

  function endSkipped(): void {
    skipped = undefined;
    if (unseen) keepHidden(unseen);
    unseen = undefined;
    pushLater();
  }

  function keepHidden(piece: HiddenPiece): void {
    const content = cleanText(piece.text);
    if (!content) return;
    const section = target.sections.current();
    later.push({
      kind: 'paragraph',
      text: content,
      location: { ...(section ? { section } : {}), line: piece.line + target.lineOffset },
      hidden: allHidden(content, piece.reason),
    });
  }

  function pushLater(): void {
    if (tables.length > 0 || text.trim() !== '') return;
    for (const block of later.splice(0)) target.collector.push(block);
  }

  function closeCell(): void {
    flush();
    tables.at(-1)?.closeCell(cellText);
    cellText = '';
  }

  function closeTable(): void {
    if (tables.length > 1) {
      // A table inside a cell is part of that cell's text.
      flush();
      tables.pop();
      return;
    }
    if (tables.at(-1)?.hasOpenCell()) closeCell();
    else flush();
    const table = tables.pop();
    for (const block of table?.blocks(target.nextTable(), target.sections.current()) ?? []) {
      target.collector.push(block);
    }
    pushLater();
  }

  function openTag(name: string, attributes: ReadonlyMap<string, string>, at: number): void {
    if (/^h[1-6]$/.test(name)) heading = Number(name[1]);
    else if (name === 'li' || name === 'dt') item = true;
    else if (name === 'p' || name === 'div') heading = 0;
    if (name === 'ul' || name === 'ol' || name === 'dl') listDepth++;
    if (name === 'main' || name === 'article' || name === 'section') mainDepth++;
    if (name === 'pre') preformatted++;
    if (name === 'caption' || name === 'figcaption') caption = true;
    if (name === 'table') tables.push(createHtmlTable());
    const table = tables.length === 1 ? tables[0] : undefined;
    if (name === 'thead') inHead = true;
    if (name === 'tbody' || name === 'tfoot') inHead = false;
    if (table && name === 'tr') {
      if (table.hasOpenCell()) closeCell();
      table.openRow(inHead, at + target.lineOffset);
    }
    if (table && (name === 'td' || name === 'th')) {
      if (table.hasOpenCell()) closeCell();
      table.openCell({
        heading: name === 'th',
        span: attributes.get('colspan'),
        rowSpan: attributes.get('rowspan'),
      });
    }
    const found = pageRole(name, attributes.get('role'));
    // The header of an article or section is content.
    if (found && (mainDepth === 0 || found === 'navigation')) roles.push({ name, role: found });
  }

  function closeTag(name: string): void {
    if (/^h[1-6]$/.test(name)) heading = 0;
    if (name === 'li' || name === 'dt') item = false;
    if (name === 'ul' || name === 'ol' || name === 'dl') listDepth = Math.max(0, listDepth - 1);
    if (name === 'main' || name === 'article' || name === 'section') mainDepth = Math.max(0, mainDepth - 1);
    if (name === 'pre') preformatted = Math.max(0, preformatted - 1);
    if (name === 'caption' || name === 'figcaption') caption = false;
    if (name === 'thead') inHead = false;
    if (roles.at(-1)?.name === name) roles = roles.slice(0, -1);
  }

  function onStartTag(token: Token.TagToken): void {
    const name = token.tagName;
    const at = token.location?.startLine ?? 1;
    if (skipped && !token.selfClosing && skipped.endsBefore(name)) endSkipped();
    if (skipped) return;
    const attributes = new Map(token.attrs.map((attribute) => [attribute.name, attribute.value]));
    if (name === 'title') {
      inTitle = true;
      tokenizer.state = TokenizerMode.RCDATA;
    }
    if (name === 'script') tokenizer.state = TokenizerMode.SCRIPT_DATA;
    if (name === 'style' || name === 'noframes' || name === 'iframe') tokenizer.state = TokenizerMode.RAWTEXT;
    if (name === 'meta') noteMeta(properties, attributes);
    if (VOID.has(name)) {
      if (name === 'img') pushPicture(cleanText(attributes.get('alt') ?? ''), at);
      else if (name === 'br') text += preformatted > 0 ? '\n' : ' ';
      else if (name === 'hr') flush();
      return;
    }
    // What only helps programs read aloud differs in nothing that a reader sees.
    const isAside = UNSEEN.has(name) || attributes.get('aria-hidden') === 'true';
    const reason = look.gone(name, attributes);
    if ((isAside || reason) && !token.selfClosing) {
      if (!INLINE.has(name)) flush();
      skipped = skipElement(name);
      unseen = reason && !UNSEEN.has(name) ? { reason, line: at, text: '' } : undefined;
      return;
    }
    if (!INLINE.has(name)) flush();
    look.open(name, attributes);
    if (!INLINE.has(name)) openTag(name, attributes, at);
  }

  function pushPicture(alt: string, at: number): void {
    // Within a line or cell a picture reads as its text; alone it is a figure.
    if (!isBlank || tables.length > 0) {
      text += alt;
      isBlank &&= alt === '';
      return;
    }
    const section = target.sections.current();
    const location = { ...(section ? { section } : {}), line: at + target.lineOffset };
    target.collector.push({ kind: 'figure', text: alt, location });
  }

  function onEndTag(token: Token.TagToken): void {
    const name = token.tagName;
    if (skipped) {
      const end = skipped.endsWith(name);
      if (end !== 'no') endSkipped();
      if (end !== 'outer') return;
    }
    if (name === 'title') inTitle = false;
    if (INLINE.has(name)) {
      look.close(name);
      return;
    }
    if (name === 'table') {
      if (tables.length > 0) closeTable();
    } else if ((name === 'td' || name === 'th' || name === 'tr') && tables.length === 1) {
      if (tables[0]!.hasOpenCell()) closeCell();
      else flush();
    } else flush();
    look.close(name);
    closeTag(name);
  }

  function onText(token: Token.CharacterToken): void {
    if (skipped) {
      if (unseen) unseen.text += token.chars;
      return;
    }
    if (inTitle) {
      properties.title = (properties.title ?? '') + token.chars;
      return;
    }
    const reason = look.hidden();
    if (reason && hide(token, reason)) return;
    if (isBlank) line = token.location?.startLine ?? 1;
    isBlank &&= token.chars.trim() === '';
    text += token.chars;
  }

  /** Keeps hidden words; white space before them stays with the words around. */
  function hide({ chars, location }: Token.CharacterToken, reason: HiddenReason): boolean {
    const last = pieces.at(-1);
    if (last?.reason === reason) last.text += chars;
    else if (chars.trim() === '') return false;
    else pieces.push({ reason, line: location?.startLine ?? 1, text: chars });
    return true;
  }

  const nothing = () => {};
  const tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      onStartTag,
      onEndTag,
      onCharacter: onText,
      onWhitespaceCharacter: onText,
      onNullCharacter: nothing,
      onComment: nothing,
      onDoctype: nothing,
      onEof: nothing,
    },
  );
  tokenizer.write(html, true);
  if (skipped) endSkipped();
  while (tables.length > 0) closeTable();
  flush();
  pushLater();
  if (properties.title !== undefined) properties.title = cleanText(properties.title);
  return properties;
}

function noteMeta(
  properties: { -readonly [name in keyof FileProperties]: string },
  attributes: ReadonlyMap<string, string>,
): void {
  const property = META_PROPERTIES[attributes.get('name')?.toLowerCase() ?? ''];
  const content = cleanText(attributes.get('content') ?? '');
  if (property && content) properties[property] = content;
}
