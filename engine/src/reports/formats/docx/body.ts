import { createHash } from 'node:crypto';
import type { Block, Column, Inline, Span } from '../../layout/block.js';
import { COLOURS } from '../../pictures/colours.js';
import type { BarPart, Picture } from '../../pictures/picture.js';
import { escapeXml } from '../escape.js';

/** Width between the margins in twentieths of a point. */
const TEXT_WIDTH = 9638;
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** A block as WordprocessingML. `number`: counts blocks, for ids that have to be numbers. */
export function toWord(block: Exclude<Block, { kind: 'contents' }>, number: number): string {
  switch (block.kind) {
    case 'cover':
      return [
        paragraph('Title', block.title),
        paragraph('Lead', block.lead),
        facts(block.facts),
        paragraph('Notice', block.notice),
      ].join('');
    case 'heading': {
      const mark = `<w:bookmarkStart w:id="${number}" w:name="${bookmark(block.id)}"/>${runs(block.text)}<w:bookmarkEnd w:id="${number}"/>`;
      const heading = `<w:p><w:pPr><w:pStyle w:val="Heading${block.level}"/></w:pPr>${mark}</w:p>`;
      const marks = block.marks?.flatMap((one): Span[] => [one, { text: '  ' }]);
      return marks ? heading + paragraph('Marks', marks) : heading;
    }
    case 'paragraph':
      return paragraph('Normal', block.text);
    case 'facts':
      return facts(block.rows);
    case 'table':
      return paragraph('Caption', block.caption) + table(block) + gap();
    case 'quote': {
      const note = block.note === undefined ? '' : ` – ${block.note}`;
      const quote = block.text === '' ? '' : paragraph('Quote', block.text);
      return quote + paragraph('QuoteSource', [block.role, { text: ` ${block.source}${note}` }]);
    }
    case 'picture':
      return picture(block.picture);
  }
}

/** A name that Word takes for a bookmark: it begins with a letter and has forty characters at most. */
function bookmark(id: string): string {
  return `b${createHash('sha256').update(id).digest('hex').slice(0, 32)}`;
}

/** Lines of contents with page numbers that Word fills in when it opens the file. */
export function contents(
  title: string,
  entries: readonly { readonly id: string; readonly text: string; readonly level: 1 | 2 }[],
): string {
  const field = (kind: 'begin' | 'separate' | 'end'): string =>
    `<w:r><w:fldChar w:fldCharType="${kind}"/></w:r>`;
  const code = (text: string): string => `<w:r><w:instrText xml:space="preserve">${text}</w:instrText></w:r>`;
  const lines = entries.map(({ id, text, level }, at) => {
    const first = at === 0 ? `${field('begin')}${code(' TOC \\o "1-2" \\h \\z ')}${field('separate')}` : '';
    const last = at === entries.length - 1 ? field('end') : '';
    const page = `${field('begin')}${code(` PAGEREF ${bookmark(id)} \\h `)}${field('separate')}<w:r><w:t> </w:t></w:r>${field('end')}`;
    return `<w:p><w:pPr><w:pStyle w:val="TOC${level}"/></w:pPr>${first}<w:hyperlink w:anchor="${bookmark(id)}" w:history="1">${runs(text)}<w:r><w:tab/></w:r>${page}</w:hyperlink>${last}</w:p>`;
  });
  return paragraph('ContentsHeading', title) + lines.join('');
}

function paragraph(style: string, text: Inline, extra = ''): string {
  return `<w:p><w:pPr><w:pStyle w:val="${style}"/>${bidi(text)}${extra}</w:pPr>${runs(text)}</w:p>`;
}

function bidi(text: Inline): string {
  const words = typeof text === 'string' ? text : text.map((span) => span.text).join('');
  const first = /\p{L}/u.exec(words)?.[0];
  return first !== undefined && RIGHT_TO_LEFT.test(first) ? '<w:bidi/>' : '';
}

function runs(text: Inline): string {
  return typeof text === 'string' ? run({ text }) : text.map(run).join('');
}

function run(span: Span): string {
  const properties: string[] = [];
  if (span.code) {
    properties.push('<w:rFonts w:ascii="Consolas" w:hAnsi="Consolas" w:cs="Consolas"/>');
  }
  if (span.strong || span.mark) properties.push('<w:b/><w:bCs/>');
  if (span.mark) properties.push(`<w:color w:val="${COLOURS[span.mark].text.slice(1).toUpperCase()}"/>`);
  else if (span.soft) properties.push('<w:color w:val="43505D"/>');
  if (span.mark) {
    properties.push(
      `<w:shd w:val="clear" w:color="auto" w:fill="${COLOURS[span.mark].paper.slice(1).toUpperCase()}"/>`,
    );
  }
  if (RIGHT_TO_LEFT.test(span.text)) properties.push('<w:rtl/>');
  const words = span.mark ? `\u00a0${span.text}\u00a0` : span.text;
  const pieces = words
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) =>
      line
        .split('\t')
        .map((part) => (part === '' ? '' : `<w:t xml:space="preserve">${escapeXml(part)}</w:t>`))
        .join('<w:tab/>'),
    )
    .join('<w:br/>');
  return `<w:r>${properties.length > 0 ? `<w:rPr>${properties.join('')}</w:rPr>` : ''}${pieces}</w:r>`;
}

function facts(rows: readonly (readonly [string, Inline])[]): string {
  const widths = [2100, TEXT_WIDTH - 2100];
  const body = rows.map(
    ([label, value]) =>
      `<w:tr><w:trPr><w:cantSplit w:val="0"/></w:trPr>${cell(paragraph('Fact', [{ text: label, soft: true }]), widths[0]!)}${cell(paragraph('Fact', value), widths[1]!)}</w:tr>`,
  );
  return grid(widths, body.join(''), '') + gap();
}

function table({ columns, rows, tall, caption }: Extract<Block, { kind: 'table' }>): string {
  const widths = shares(columns);
  const side = ({ align }: Column): string => (align === 'right' ? '<w:jc w:val="right"/>' : '');
  const head = columns.map((column, at) =>
    cell(paragraph('Cell', [{ text: column.title, strong: true }], side(column)), widths[at]!, 'E9EDF1'),
  );
  const height = tall ? '<w:trHeight w:val="760" w:hRule="atLeast"/>' : '';
  const body = rows.map(
    (cells) =>
      `<w:tr><w:trPr>${height}</w:trPr>${columns.map((column, at) => cell(paragraph('Cell', cells[at] ?? '', side(column)), widths[at]!)).join('')}</w:tr>`,
  );
  const header = `<w:tr><w:trPr><w:cantSplit/><w:tblHeader/></w:trPr>${head.join('')}</w:tr>`;
  return grid(widths, header + body.join(''), 'TableGrid', caption);
}

function grid(widths: readonly number[], rows: string, style: string, caption = ''): string {
  const named = style === '' ? '' : `<w:tblStyle w:val="${style}"/>`;
  const told = caption === '' ? '' : `<w:tblCaption w:val="${escapeXml(caption)}"/>`;
  return `<w:tbl><w:tblPr>${named}<w:tblW w:w="${TEXT_WIDTH}" w:type="dxa"/><w:tblLayout w:type="fixed"/><w:tblLook w:val="0020" w:firstRow="1" w:lastRow="0" w:firstColumn="1" w:lastColumn="0" w:noHBand="1" w:noVBand="1"/>${told}</w:tblPr><w:tblGrid>${widths.map((width) => `<w:gridCol w:w="${width}"/>`).join('')}</w:tblGrid>${rows}</w:tbl>`;
}

function cell(content: string, width: number, fill?: string, span = 1): string {
  const merged = span > 1 ? `<w:gridSpan w:val="${span}"/>` : '';
  const shade = fill === undefined ? '' : `<w:shd w:val="clear" w:color="auto" w:fill="${fill}"/>`;
  return `<w:tc><w:tcPr><w:tcW w:w="${width}" w:type="dxa"/>${merged}${shade}</w:tcPr>${content}</w:tc>`;
}

/** Two tables without anything between them would become one. */
const gap = (): string => '<w:p><w:pPr><w:pStyle w:val="Fact"/></w:pPr></w:p>';

function shares(columns: readonly Column[]): number[] {
  const whole = columns.reduce((sum, { width }) => sum + width, 0);
  return columns.map(({ width }) => Math.round((TEXT_WIDTH * width) / whole));
}

/** Fine columns that a bar is made of. */
const STEPS = 60;

/**
 * Bars as shaded cells: they need no picture format that some reader lacks, and what they say is text. The V stands
 * as one bar for each level.
 */
function picture(one: Picture): string {
  const label = 2700;
  const last = 1338;
  const step = Math.floor((TEXT_WIDTH - label - last) / STEPS);
  const rows =
    one.kind === 'bars'
      ? one.rows.map((row) => ({ ...row, end: String(total(row.parts)) }))
      : one.levels.map(({ share, ...row }) => ({ ...row, end: share }));
  const most = Math.max(1, ...rows.map(({ parts }) => total(parts)));
  const body = rows.map(({ label: name, parts, end }) => {
    const all = total(parts);
    const length = one.kind === 'bars' && one.length === 'scale' ? Math.ceil((STEPS * all) / most) : STEPS;
    const steps = split(parts, all === 0 ? 0 : length);
    const used = steps.reduce((sum, { value }) => sum + value, 0);
    const cells = steps
      .filter(({ value }) => value > 0)
      .map(({ mark, value }) =>
        cell(paragraph('Cell', ''), step * value, COLOURS[mark].fill.slice(1).toUpperCase(), value),
      );
    const rest = STEPS - used;
    return `<w:tr><w:trPr><w:cantSplit/></w:trPr>${cell(paragraph('Cell', name), label)}${cells.join('')}${rest > 0 ? cell(paragraph('Cell', ''), step * rest, undefined, rest) : ''}${cell(paragraph('Cell', end), last)}</w:tr>`;
  });
  const widths = [label, ...Array<number>(STEPS).fill(step), last];
  const legend = one.legend.flatMap(({ mark, label: name }): Span[] => [
    { text: name, mark },
    { text: '  ' },
  ]);
  return (
    paragraph('Caption', one.title) +
    grid(widths, body.join(''), 'Bars', `${one.title}. ${one.alt}`) +
    paragraph('Marks', legend)
  );
}

const total = (parts: readonly BarPart[]): number => parts.reduce((sum, { value }) => sum + value, 0);

/** Whole steps for each part that add up to `length`; whatever is there gets one at least. */
function split(parts: readonly BarPart[], length: number): BarPart[] {
  const all = total(parts);
  if (all === 0 || length === 0) return [];
  const steps = parts.map(({ mark, value }) => ({
    mark,
    value: value === 0 ? 0 : Math.max(1, Math.round((length * value) / all)),
  }));
  const over = steps.reduce((sum, { value }) => sum + value, 0) - length;
  const widest = steps.reduce((best, one, at) => (one.value > steps[best]!.value ? at : best), 0);
  return steps.map((one, at) => (at === widest ? { ...one, value: Math.max(1, one.value - over) } : one));
}
