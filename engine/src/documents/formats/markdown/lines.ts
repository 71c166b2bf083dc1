import { KNOWN } from '../html/elements.js';

/** One line of the file without the markers and the indentation of the blocks that it is in. */
export interface Line {
  readonly text: string;
  /** 1-based line number in the file. */
  readonly number: number;
}

export const BLANK = /^[ \t]*$/;
export const ATX_HEADING = /^ {0,3}(#{1,6})(?:[ \t]+(.*?))??(?:[ \t]+#+)?[ \t]*$/;
/** The first line of a fence that holds YAML. */
export const YAML_FENCE = /^ {0,3}(?:`{3,}|~{3,})[ \t]*\{?\.?ya?ml(?![\w-])/im;
export const FENCE = /^( {0,3})(`{3,}(?=[^`]*$)|~{3,})/;
export const RULE = /^ {0,3}(?:(?:-[ \t]*){3,}|(?:_[ \t]*){3,}|(?:\*[ \t]*){3,})$/;
export const QUOTE = /^ {0,3}> ?/;
export const ITEM = /^( {0,3})([-+*]|\d{1,9}[.)])([ \t]+|$)/;
export const UNDERLINE = /^ {0,3}(=+|-+)[ \t]*$/;
export const DEFINITION = /^ {0,3}\[((?:[^[\]\\]|\\.){1,999})\]:(.*)$/;

/** Whether a line begins with a letter of ASCII, before which no more than blanks stand: no marker of a block begins so. */
export function beginsWithLetter(text: string): boolean {
  let at = 0;
  while (text.charCodeAt(at) === 32) at++;
  // Capital or small.
  const code = text.charCodeAt(at) | 32;
  return code >= 97 && code <= 122;
}

/** Columns of white space at the beginning; a tab goes to the next multiple of four. */
export function indentOf(text: string): number {
  let columns = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 32) columns++;
    else if (code === 9) columns += 4 - (columns % 4);
    else break;
  }
  return columns;
}

/** The text without so many columns of white space; what is left of a tab becomes spaces. */
export function dropIndent(text: string, columns: number): string {
  let dropped = 0;
  let index = 0;
  while (dropped < columns && index < text.length) {
    const code = text.charCodeAt(index);
    if (code === 32) dropped++;
    else if (code === 9) dropped += 4 - (dropped % 4);
    else break;
    index++;
  }
  return dropped > columns ? ' '.repeat(dropped - columns) + text.slice(index) : text.slice(index);
}

/** How a block of HTML ends; the last two kinds end at an empty line. */
const HTML_STARTS: readonly (readonly [RegExp, RegExp | undefined])[] = [
  [/^ {0,3}<(?:script|pre|style|textarea)(?:[\s>]|$)/i, /<\/(?:script|pre|style|textarea)>/i],
  [/^ {0,3}<!--/, /-->/],
  [/^ {0,3}<\?/, /\?>/],
  [/^ {0,3}<![A-Z]/i, />/],
  [
    /^ {0,3}<\/?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul)(?:[\s/>]|$)/i,
    undefined,
  ],
  [
    /^ {0,3}<(?:\/([A-Za-z][A-Za-z\d-]*)\s*|([A-Za-z][A-Za-z\d-]*)(?:\s+[A-Za-z_:][\w.:-]*(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?)*\s*\/?)>[ \t]*$/,
    undefined,
  ],
];

/** Number of lines of a block of HTML that begins here; 0 where none does. */
export function htmlLength(lines: readonly Line[], start: number, insideParagraph: boolean): number {
  const first = lines[start]!.text;
  if (!first.includes('<')) return 0;
  const kinds = insideParagraph ? HTML_STARTS.slice(0, -1) : HTML_STARTS;
  const kind = kinds.find(([pattern]) => {
    const match = pattern.exec(first);
    const name = match?.[1] ?? match?.[2];
    return match !== null && (name === undefined || KNOWN.has(name.toLowerCase()));
  });
  if (!kind) return 0;
  let end = start;
  if (kind[1]) {
    while (end < lines.length && !kind[1].test(lines[end]!.text)) end++;
    return Math.min(end + 1, lines.length) - start;
  }
  while (end < lines.length && !BLANK.test(lines[end]!.text)) end++;
  return end - start;
}

/** Whether a line ends the paragraph above it. */
export function interruptsParagraph(lines: readonly Line[], index: number): boolean {
  const { text } = lines[index]!;
  if (beginsWithLetter(text)) return false;
  if (BLANK.test(text)) return true;
  if (indentOf(text) > 3) return false;
  switch (text.trimStart()[0]) {
    case '#':
      return ATX_HEADING.test(text);
    case '>':
      return true;
    case '`':
    case '~':
      return FENCE.test(text);
    case '<':
      return htmlLength(lines, index, true) > 0;
    default: {
      if (RULE.test(text)) return true;
      const item = ITEM.exec(text);
      return (
        item !== null &&
        item[3] !== '' &&
        !BLANK.test(text.slice(item[0].length)) &&
        (!/\d/.test(item[2]!) || /^1[.)]/.test(item[2]!))
      );
    }
  }
}
