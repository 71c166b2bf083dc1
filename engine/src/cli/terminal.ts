import type { WriteStream } from 'node:tty';

/** A stream as the commands see it: a terminal, a file or a pipe. */
export type Output = Pick<NodeJS.WriteStream, 'write'> & {
  readonly isTTY?: boolean;
  readonly columns?: number;
};

const NARROWEST = 60;
const WIDEST = 140;

/** Columns of the terminal within readable bounds; 100 where it is none. */
export function widthOf(output: Output): number {
  return Math.min(WIDEST, Math.max(NARROWEST, output.columns ?? 100));
}

const CODES = { red: 31, yellow: 33, green: 32, cyan: 36, grey: 90, bold: 1 } as const;
export type Style = keyof typeof CODES;
export type Paint = (style: Style, text: string) => string;

/** Colours where the stream is a terminal that shows them (it honours NO_COLOR), plain text elsewhere. */
export function painter(output: Output): Paint {
  const colours = output.isTTY === true && (output as WriteStream).hasColors?.() === true;
  return (style, text) => (colours ? `\u001b[${CODES[style]}m${text}\u001b[0m` : text);
}

/** Whether there is anything to change in a line: most have nothing. */
const NOT_PLAIN = /[^ -~\u00A1-\u167F\u1681-\u1FFF\u2010-\u2027\u2190-\u2BFF]| {2}|^ | $/;

/** Text without line breaks and without control characters, which could rewrite a terminal. */
export function oneLine(text: string): string {
  if (!NOT_PLAIN.test(text)) return text;
  return text
    .replace(/\s+/g, ' ')
    .replace(/\p{Cc}/gu, '')
    .trim();
}

/** At most `width` characters, cut with an ellipsis. */
export function fit(text: string, width: number): string {
  const line = oneLine(text);
  // So many units are no more characters.
  if (line.length <= width) return line;
  const characters = [...line];
  return characters.length <= width
    ? characters.join('')
    : `${characters.slice(0, Math.max(0, width - 1)).join('')}…`;
}

/** Lines of at most `width` characters, broken at spaces. */
export function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of oneLine(text).split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  if (line !== '') lines.push(line);
  return lines;
}
