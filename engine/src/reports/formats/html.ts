import type { Block, Inline, Span } from '../layout/block.js';
import { runningLine } from '../layout/frame.js';
import { headingsOf, writeReport } from '../layout/write-report.js';
import { COLOURS } from '../pictures/colours.js';
import { toSvg } from '../pictures/svg.js';
import type { Report } from '../report.js';
import type { ReportWords } from '../report-words.js';
import { type ToldOfWriting, watched } from '../watched.js';
import { escapeXml } from './escape.js';

/**
 * One HTML file without scripts and without requests to anywhere; prints on A4. Comes piece by piece.
 * A policy inside the file forbids everything but its own styles, should a quote ever look like markup.
 */
export function* toHtml(report: Report, words: ReportWords, onProgress?: ToldOfWriting): Generator<string> {
  const { top, bottom } = runningLine(report, words);
  const title = escapeXml(report.title);
  yield `<!doctype html>
<html lang="${report.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="generator" content="${escapeXml(`${report.tool.name} ${report.tool.version}`)}">
<title>${title}</title>
<style>${style(top, bottom)}</style>
</head>
<body>
<a class="skip" href="#content">${escapeXml(words.text('skip'))}</a>
${report.copyFor ? `<p class="copy">${escapeXml(top)}</p>\n` : ''}`;
  let pictures = 0;
  let inMain = false;
  for (const block of watched(() => writeReport(report, words), onProgress)) {
    if (block.kind === 'picture') {
      pictures++;
      yield `<figure>${toSvg(block.picture, `picture-${pictures}`)}<figcaption>${escapeXml(block.picture.title)}</figcaption></figure>\n`;
    } else if (block.kind === 'contents') {
      yield contents(report, words, block.title);
      yield '<main id="content">\n';
      inMain = true;
    } else yield toElement(block);
  }
  yield `${inMain ? '</main>\n' : ''}</body>\n</html>\n`;
}

function contents(report: Report, words: ReportWords, title: string): string {
  const items: string[] = [];
  let open = false;
  for (const { id, text, level } of headingsOf(report, words)) {
    const link = `<a href="#${id}">${escapeXml(text)}</a>`;
    if (level === 1) {
      items.push(open ? `</ol></li>\n<li>${link}` : `${items.length > 0 ? '</li>\n' : ''}<li>${link}`);
      open = false;
    } else {
      items.push(open ? `<li>${link}</li>` : `<ol><li>${link}</li>`);
      open = true;
    }
  }
  const end = items.length === 0 ? '' : open ? '</ol></li>' : '</li>';
  return `<nav aria-labelledby="contents"><h2 id="contents">${escapeXml(title)}</h2>\n<ol>${items.join('')}${end}</ol></nav>\n`;
}

function toElement(block: Exclude<Block, { kind: 'picture' | 'contents' }>): string {
  switch (block.kind) {
    case 'cover':
      return `<header><h1>${escapeXml(block.title)}</h1>\n<p class="lead">${escapeXml(block.lead)}</p>\n${facts(block.facts)}<p class="notice">${escapeXml(block.notice)}</p></header>\n`;
    case 'heading': {
      // The title of the report is the only h1.
      const tag = `h${block.level + 1}`;
      const marks = block.marks ? ` <span class="marks">${block.marks.map(toSpan).join(' ')}</span>` : '';
      return `<${tag} id="${block.id}">${escapeXml(block.text)}${marks}</${tag}>\n`;
    }
    case 'paragraph':
      return `<p dir="auto">${inline(block.text)}</p>\n`;
    case 'facts':
      return facts(block.rows);
    case 'quote': {
      const quote = block.text === '' ? '' : `<blockquote dir="auto">${escapeXml(block.text)}</blockquote>`;
      const note = block.note === undefined ? '' : ` – ${escapeXml(block.note)}`;
      return `<figure class="quote">${quote}<figcaption dir="auto">${toSpan(block.role)} ${escapeXml(block.source)}${note}</figcaption></figure>\n`;
    }
    case 'table':
      return table(block);
  }
}

function facts(rows: readonly (readonly [string, Inline])[]): string {
  const lines = rows.map(
    ([label, value]) => `<div><dt>${escapeXml(label)}</dt><dd dir="auto">${inline(value)}</dd></div>`,
  );
  return `<dl>${lines.join('\n')}</dl>\n`;
}

function table({ caption, columns, rows, tall }: Extract<Block, { kind: 'table' }>): string {
  const side = columns.map(({ align }) => (align === 'right' ? ' class="number"' : ''));
  const whole = columns.reduce((sum, { width }) => sum + width, 0);
  const widths = columns.map(
    ({ width }) => `<col style="width:${Math.round((1000 * width) / whole) / 10}%">`,
  );
  const head = columns.map(({ title }, at) => `<th scope="col"${side[at]}>${escapeXml(title)}</th>`);
  const body = rows.map((cells) => {
    const [first = '', ...rest] = cells;
    const others = rest.map((cell, at) => `<td${side[at + 1]} dir="auto">${inline(cell)}</td>`);
    return `<tr><th scope="row" dir="auto">${inline(first)}</th>${others.join('')}</tr>`;
  });
  return `<div class="table"><table${tall ? ' class="tall"' : ''}><caption>${escapeXml(caption)}</caption><colgroup>${widths.join('')}</colgroup>
<thead><tr>${head.join('')}</tr></thead>
<tbody>${body.join('\n')}</tbody></table></div>\n`;
}

function inline(text: Inline): string {
  return typeof text === 'string' ? escapeXml(text) : text.map(toSpan).join('');
}

function toSpan(span: Span): string {
  const text = escapeXml(span.text);
  if (span.mark !== undefined) return `<span class="mark ${span.mark}">${text}</span>`;
  if (span.code) return `<code>${text}</code>`;
  if (span.strong) return `<strong>${text}</strong>`;
  return span.soft ? `<small>${text}</small>` : text;
}

function style(top: string, bottom: string): string {
  const marks = Object.entries(COLOURS)
    .map(([name, { paper, text }]) => `.mark.${name}{background:${paper};color:${text};border-color:${text}}`)
    .join('');
  return `:root{color-scheme:light}*{box-sizing:border-box}
html{font:16px/1.5 system-ui,"Segoe UI",Roboto,"Noto Sans",sans-serif;color:#1d2733;background:#fff}
body{max-width:62rem;margin:0 auto;padding:1.5rem;overflow-wrap:anywhere}
h1{font-size:2rem;line-height:1.2;margin:2rem 0 .25rem}h2{font-size:1.45rem;margin:2.5rem 0 .75rem;padding-bottom:.25rem;border-bottom:2px solid #1d2733}
h3{font-size:1.15rem;margin:1.75rem 0 .5rem}h4{font-size:1rem;margin:1.75rem 0 .4rem;line-height:1.4}
.lead{font-size:1.15rem;color:#43505d;margin:0 0 1.5rem}.notice{border:1px solid #52606d;padding:.6rem .8rem;font-weight:600;white-space:pre-line}
.copy{background:#1d2733;color:#fff;padding:.4rem .8rem;margin:0}a{color:#1f4e96}
.skip{position:absolute;left:-100rem}.skip:focus{position:static}
dl{margin:.5rem 0 1rem}dl div{display:grid;grid-template-columns:minmax(8rem,11rem) 1fr;gap:0 1rem;padding:.15rem 0}dt{color:#43505d}dd{margin:0;white-space:pre-line}
.table{overflow-x:auto;margin:.75rem 0 1.5rem}table{border-collapse:collapse;width:100%;font-size:.86rem;table-layout:fixed;min-width:34rem}
caption{text-align:start;font-weight:600;padding:.25rem 0}th,td{white-space:pre-line;text-align:start;vertical-align:top;padding:.35rem .5rem;border:1px solid #c3cad3;font-weight:400}
thead th{background:#eef0f3;font-weight:600;overflow-wrap:normal;hyphens:auto}.number{text-align:end;font-variant-numeric:tabular-nums}.tall td,.tall tbody th{height:3.2rem}
code{font:.92em ui-monospace,"DejaVu Sans Mono",Consolas,monospace}small{font-size:.92em;color:#43505d}
.marks{font-weight:400;font-size:.86rem;white-space:normal}.mark{display:inline-block;border:1px solid;border-radius:.2rem;padding:0 .35rem;font-size:.84rem;line-height:1.35;font-weight:600}
${marks}
figure{margin:1rem 0}svg{display:block;width:100%;max-width:46rem;height:auto;font-family:inherit}figcaption{font-size:.86rem;color:#43505d}
.quote{margin:.5rem 0 .9rem;border-inline-start:3px solid #9aa5b1;padding-inline-start:.8rem}blockquote{margin:0 0 .2rem;white-space:pre-line}
@page{size:A4;margin:18mm 16mm 20mm;@top-left{content:${cssString(top)};font:8pt sans-serif;color:#43505d}@bottom-left{content:${cssString(bottom)};font:8pt sans-serif;color:#43505d}@bottom-right{content:counter(page);font:8pt sans-serif;color:#43505d}}
@media print{html{font-size:10pt}body{max-width:none;padding:0}h2{break-before:page}header+nav h2,nav h2{break-before:page}h2,h3,h4{break-after:avoid}thead{display:table-header-group}tr,.quote,figure{break-inside:avoid}.table{overflow:visible}table{min-width:0}.skip{display:none}a{color:inherit;text-decoration:none}.mark,thead th,rect{print-color-adjust:exact;-webkit-print-color-adjust:exact}}`;
}

/** A string of CSS that can leave neither its quotes nor the style element. */
function cssString(text: string): string {
  return `"${text.replace(/[^\p{L}\p{N} .,:·–()-]/gu, (character) => `\\${character.codePointAt(0)!.toString(16)} `)}"`;
}
