import type { BlockKind } from '../../block.js';
import { createBlockCollector, createSectionPath } from '../../block-collector.js';
import { cleanText } from '../../clean-text.js';
import { readText } from '../../files/decode-text.js';
import type { FormatReader } from '../../format-reader.js';
import { isCaption, isTocEntry, numberedHeadingLevel, startsStatement } from '../../text-patterns.js';

const BULLET = /^[-*•◦▪–+]\s+/;
const UNDERLINE = /^([=\-~^*#])\1{2,}$/;

/** Plain text: paragraphs by empty lines, headings by number or underline, lists by their markers, pages by form feeds. */
export const textReader: FormatReader = {
  async read(bytes, { limits }) {
    const { text, notes } = readText(bytes, limits);
    const collector = createBlockCollector(limits);
    const sections = createSectionPath();
    const underlines: string[] = [];
    const paged = text.includes('\f');
    let page = 1;
    let open: { kind: BlockKind; level?: number; lines: string[]; line: number; page: number } | undefined;
    let blankAbove = true;

    const push = (kind: BlockKind, content: string, line: number, onPage: number, level?: number) => {
      const section = kind === 'heading' ? sections.above(level!) : sections.current();
      if (kind === 'heading') sections.enter(level!, content);
      collector.push({
        kind,
        text: content,
        location: { ...(paged ? { page: onPage } : {}), ...(section ? { section } : {}), line },
        ...(level === undefined ? {} : { level }),
      });
    };
    const flush = () => {
      if (!open) return;
      const content = cleanText(open.lines.join(' '));
      const kind = open.kind === 'paragraph' && isCaption(content) ? 'caption' : open.kind;
      if (content) push(kind, content, open.line, open.page, open.level);
      open = undefined;
    };

    for (const { raw, line, next } of linesOf(text)) {
      const feeds = raw.split('\f').length - 1;
      const content = raw.replaceAll('\f', '').trim();
      if (feeds > 0) {
        flush();
        page += feeds;
        blankAbove = true;
      }
      if (content === '') {
        flush();
        blankAbove = true;
        continue;
      }
      const underline = UNDERLINE.exec(content);
      if (underline) {
        // Below a single line it makes that line a heading; anywhere else it is decoration.
        if (open?.lines.length === 1 && open.kind === 'paragraph' && open.line === line - 1) {
          const title = cleanText(open.lines[0]!);
          if (!underlines.includes(underline[1]!)) underlines.push(underline[1]!);
          push('heading', title, open.line, open.page, underlines.indexOf(underline[1]!) + 1);
          open = undefined;
        } else flush();
        blankAbove = true;
        continue;
      }
      const level = blankAbove && next.trim() === '' ? numberedHeadingLevel(content) : undefined;
      if (isTocEntry(content)) {
        flush();
        push('toc_entry', cleanText(content), line, page);
      } else if (level) {
        flush();
        push('heading', cleanText(content), line, page, level);
      } else if (BULLET.test(content) && !/^[-–]\s*\d/.test(content)) {
        flush();
        const indent = raw.length - raw.trimStart().length;
        const depth = Math.min(9, Math.floor(indent / 2) + 1);
        open = { kind: 'list_item', level: depth, lines: [content.replace(BULLET, '')], line, page };
      } else if (open && !startsStatement(content)) {
        open.lines.push(content);
      } else {
        flush();
        open = { kind: 'paragraph', lines: [content], line, page };
      }
      blankAbove = false;
    }
    flush();
    return { blocks: collector.blocks, properties: {}, ...(paged ? { pageCount: page } : {}), notes };
  },
};

/** Lines with their 1-based number and the line after; no array of all lines is made. */
function* linesOf(text: string): Generator<{ raw: string; line: number; next: string }> {
  const lineAt = (start: number) => {
    const end = text.indexOf('\n', start);
    return text.slice(start, end < 0 ? text.length : end);
  };
  let start = 0;
  let raw = lineAt(0);
  for (let line = 1; start <= text.length; line++) {
    start += raw.length + 1;
    const next = start <= text.length ? lineAt(start) : '';
    yield { raw, line, next };
    raw = next;
  }
}
