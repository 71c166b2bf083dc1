import { MAX_BLOCK_CHARACTERS, paragraphTooLong } from '../../clean-text.js';
import { corruptFile } from '../../document-error.js';

export interface TrlcToken {
  readonly kind: 'word' | 'string' | 'number' | 'sign' | 'end';
  /** Of a string: what it says. */
  readonly text: string;
  /** Half-open range in the file. */
  readonly start: number;
  readonly end: number;
  readonly line: number;
}

const WORD = /[\p{L}_][\p{L}\p{N}_]*/uy;
const NUMBER = /0[xb][0-9A-Fa-f_]+|\d[\d_]*(?:\.\d[\d_]*)?/y;
const SPACE = /\s+/y;
const SIGN = /\.\.|=>|==|!=|<=|>=|\*\*|[^\s]/y;

/** Takes TRLC text apart; comments are passed over. Throws `corrupt` for a string or comment that never ends. */
export function createTokens(text: string): { next(): TrlcToken } {
  let at = 0;
  let line = 1;

  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0];
  };

  function skip(end: number): void {
    for (; at < end; at++) if (text.charCodeAt(at) === 10) line++;
  }

  function skipSpaceAndComments(): void {
    for (;;) {
      const space = match(SPACE);
      if (space) skip(at + space.length);
      else if (text.startsWith('//', at)) {
        const end = text.indexOf('\n', at);
        skip(end < 0 ? text.length : end);
      } else if (text.startsWith('/*', at)) {
        const end = text.indexOf('*/', at + 2);
        if (end < 0) throw corruptFile(`a comment that begins on line ${line} never ends`, { line });
        skip(end + 2);
      } else return;
    }
  }

  function string(quotes: string): string {
    const start = at + quotes.length;
    let end = text.indexOf(quotes, start);
    while (quotes === '"' && end > 0 && isEscaped(text, end)) end = text.indexOf(quotes, end + 1);
    const content = text.slice(start, Math.max(start, end));
    if (end < 0 || (quotes === '"' && content.includes('\n'))) {
      throw corruptFile(`a text that begins on line ${line} never ends`, { line });
    }
    if (content.length > MAX_BLOCK_CHARACTERS) throw paragraphTooLong();
    skip(end + quotes.length);
    return quotes === '"' ? content.replace(/\\"/g, '"') : content;
  }

  return {
    next() {
      skipSpaceAndComments();
      const start = at;
      const from = line;
      const token = (kind: TrlcToken['kind'], content: string): TrlcToken => ({
        kind,
        text: content,
        start,
        end: at,
        line: from,
      });
      if (at >= text.length) return token('end', '');
      for (const quotes of ["'''", '"""', '"']) {
        if (text.startsWith(quotes, at)) return token('string', string(quotes));
      }
      const word = match(WORD);
      const found = word ?? match(NUMBER) ?? match(SIGN)!;
      at += found.length;
      return token(word ? 'word' : /^\d/.test(found) ? 'number' : 'sign', found);
    },
  };
}

function isEscaped(text: string, quote: number): boolean {
  let slashes = 0;
  while (text.charCodeAt(quote - 1 - slashes) === 92) slashes++;
  return slashes % 2 === 1;
}
