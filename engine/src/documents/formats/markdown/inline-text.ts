import { parseFragment } from 'parse5';
import { KNOWN } from '../html/elements.js';
import { type DelimiterRun, flanking, resolveEmphasis } from './emphasis.js';

export interface InlineText {
  /** What a reader of the rendered page sees; line feeds stand where the file ends a line. */
  readonly text: string;
  /** Alternative texts where there are pictures and nothing else. */
  readonly pictures?: readonly string[];
}

const PLAIN_RUN = /[^\\`*_~[\]!<&]+/y;
const TICKS = /`+/y;
const WORD = /[\p{L}\p{N}_]/u;
const DELIMITERS = /\*+|_+|~+/y;
const ESCAPED = /\\([!-/:-@[-`{-~])/y;
const ENTITY = /&(?:#\d{1,7}|#[xX][\dA-Fa-f]{1,6}|[A-Za-z][A-Za-z\d]{1,31});/y;
const AUTOLINK = /<([A-Za-z][A-Za-z\d+.-]{1,31}:[^\s<>]*|[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[\w.-]{1,255})>/y;
const TAG =
  /<(?:!--[\s\S]*?-->|\?[\s\S]*?\?>|![A-Z][^>]*>|\/([A-Za-z][A-Za-z\d-]*)\s*>|([A-Za-z][A-Za-z\d-]*)(?:\s+[A-Za-z_:][\w.:-]*(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?)*\s*\/?>)/y;
const DESTINATION =
  /\(\s*(?:<[^<>\n]{0,2000}>|(?:[^\s()\\]|\\.|\((?:[^\s()\\]|\\.)*\))*)(?:\s+(?:"(?:[^"\\]|\\[\s\S]){0,1000}"|'(?:[^'\\]|\\[\s\S]){0,1000}'|\((?:[^()\\]|\\[\s\S]){0,1000}\)))?\s*\)/y;
/** By the rules of CommonMark. */
const LONGEST_LABEL = 1000;
const REFERENCE = /\[((?:[^[\]\\]|\\.){0,999})\]/y;

/** Takes the markers of emphasis, code, links and pictures out of the text of one block. Linear. */
export function inlineText(source: string, definitions: ReadonlySet<string>): InlineText {
  return /[\\`*_~[\]!<&]/.test(source) ? withoutMarkers(source, definitions) : { text: source };
}

function withoutMarkers(source: string, definitions: ReadonlySet<string>): InlineText {
  const pieces: string[] = [];
  const pictures: { from: number; to: number }[] = [];
  const runs: DelimiterRun[] = [];
  const brackets: { piece: number; start: number; picture: boolean }[] = [];
  const ticks = tickRuns(source);
  let index = 0;
  /** So many of the open brackets, the outer ones, hold a link already. */
  let off = 0;

  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = index;
    return pattern.exec(source);
  };

  function closeBracket(): void {
    const opener = brackets.pop();
    pieces.push(']');
    index++;
    if (!opener) return;
    const isOff = brackets.length < off && !opener.picture;
    off = Math.min(off, brackets.length);
    const target = match(DESTINATION) ?? referenceAfter(isOff ? -1 : opener.start);
    if (!target) return;
    index += target[0].length;
    pieces[opener.piece] = '';
    pieces[pieces.length - 1] = '';
    if (opener.picture) pictures.push({ from: opener.piece, to: pieces.length });
    // Links do not hold links: brackets further out stay text.
    else off = brackets.length;
  }

  function referenceAfter(start: number): [string] | undefined {
    if (start < 0 || definitions.size === 0) return undefined;
    // Brackets in brackets would be looked up once for each of them.
    const own = index - start > LONGEST_LABEL ? '' : source.slice(start, index - 1);
    const label = match(REFERENCE);
    if (label && definitions.has(normaliseLabel(label[1] || own))) return [label[0]];
    if (!label && definitions.has(normaliseLabel(own))) {
      // A mark that refers to a footnote is not part of the sentence.
      if (own.startsWith('^')) pieces.splice(pieces.length - 2, 1, '');
      return [''];
    }
    return undefined;
  }

  function delimiterRun(): void {
    const run = match(DELIMITERS)![0];
    const before = source[index - 1] ?? '';
    index += run.length;
    // `req~login~1` names a specification item; single tildes inside a word strike nothing out.
    if (run === '~' && WORD.test(before) && WORD.test(source[index] ?? '')) {
      pieces.push(run);
      return;
    }
    runs.push({
      piece: pieces.length,
      character: run[0]!,
      length: run.length,
      left: run.length,
      ...flanking(run[0]!, before, source[index] ?? ''),
    });
    pieces.push(run);
  }

  function codeSpan(): void {
    const fence = match(TICKS)![0];
    const close = ticks.closing(index, fence.length);
    if (close < 0) {
      pieces.push(fence);
      index += fence.length;
      return;
    }
    pieces.push(
      source.slice(index + fence.length, close).replace(/^([ \n])([\s\S]*[^ \n][\s\S]*)[ \n]$/, '$2'),
    );
    index = close + fence.length;
  }

  function markup(): void {
    const link = match(AUTOLINK);
    const tag = link ? null : match(TAG);
    const name = (tag?.[1] ?? tag?.[2])?.toLowerCase();
    const isMarkup = tag !== null && (name === undefined || KNOWN.has(name));
    if (link) pieces.push(link[1]!);
    else if (isMarkup) pieces.push(name === 'br' ? '\n' : '');
    else pieces.push('<');
    index += link?.[0].length ?? (isMarkup ? tag[0].length : 1);
  }

  while (index < source.length) {
    const plain = match(PLAIN_RUN);
    if (plain) {
      pieces.push(plain[0]);
      index += plain[0].length;
      continue;
    }
    switch (source[index]) {
      case '\\': {
        const escaped = match(ESCAPED);
        pieces.push(escaped?.[1] ?? (source[index + 1] === '\n' ? '' : '\\'));
        index += escaped ? 2 : 1;
        break;
      }
      case '`':
        codeSpan();
        break;
      case '[':
        brackets.push({ piece: pieces.length, start: ++index, picture: false });
        pieces.push('[');
        break;
      case '!':
        if (source[index + 1] === '[') {
          brackets.push({ piece: pieces.length, start: index + 2, picture: true });
          pieces.push('![');
          index += 2;
        } else {
          pieces.push('!');
          index++;
        }
        break;
      case ']':
        closeBracket();
        break;
      case '<':
        markup();
        break;
      case '&': {
        const entity = match(ENTITY)?.[0] ?? '&';
        pieces.push(entity === '&' ? '&' : decodeEntity(entity));
        index += entity.length;
        break;
      }
      default:
        delimiterRun();
    }
  }
  resolveEmphasis(runs);
  for (const run of runs) pieces[run.piece] = run.character.repeat(run.left);
  return { text: pieces.join(''), ...onlyPictures(pieces, pictures) };
}

/** Labels match without regard to case and white space. */
export function normaliseLabel(label: string): string {
  return label.trim().replace(/\s+/g, ' ').toLowerCase();
}

/** For each length, where runs of backticks stand: a span ends at the next run of the same length. */
function tickRuns(source: string): { closing(from: number, length: number): number } {
  const byLength = new Map<number, { positions: number[]; next: number }>();
  for (const run of source.matchAll(/`+/g)) {
    const known = byLength.get(run[0].length);
    if (known) known.positions.push(run.index);
    else byLength.set(run[0].length, { positions: [run.index], next: 0 });
  }
  return {
    closing(from, length) {
      const known = byLength.get(length);
      if (!known) return -1;
      while (known.next < known.positions.length && known.positions[known.next]! <= from) known.next++;
      return known.positions[known.next] ?? -1;
    },
  };
}

function onlyPictures(pieces: readonly string[], pictures: readonly { from: number; to: number }[]) {
  if (pictures.length === 0) return {};
  const outermost = pictures.filter(
    ({ from }) => !pictures.some((other) => other.from < from && from < other.to),
  );
  let rest = '';
  let end = 0;
  for (const { from, to } of [...outermost].sort((a, b) => a.from - b.from)) {
    rest += pieces.slice(end, from).join('');
    end = to;
  }
  rest += pieces.slice(end).join('');
  if (rest.trim()) return {};
  return { pictures: outermost.map(({ from, to }) => pieces.slice(from, to).join('')) };
}

const decoded = new Map<string, string>();

/** `&amp;` → `&`, by the table of the HTML standard. */
function decodeEntity(entity: string): string {
  let text = decoded.get(entity);
  if (text === undefined) {
    const [node] = parseFragment(entity).childNodes;
    text = node && 'value' in node ? node.value : entity;
    // Numeric ones are without number; only so many are worth keeping.
    if (decoded.size < 3000) decoded.set(entity, text);
  }
  return text;
}
