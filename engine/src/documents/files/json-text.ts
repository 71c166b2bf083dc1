import { corruptFile, type DocumentError, fileTooComplex } from '../document-error.js';

/**
 * Reads JSON (RFC 8259) value by value, so that a large file is never in memory as objects. Each visitor has to take
 * the value it is called for with exactly one of the other functions.
 */
export interface JsonText {
  /** Line of the next value, from 1. */
  line(): number;
  kind(): 'object' | 'array' | 'string' | 'literal';
  /** Members of an object in the file's order. */
  members(visit: (key: string, line: number) => void): void;
  elements(visit: (index: number) => void): void;
  /** A string, or a number, `true` or `false` as written; `null` is the empty string. */
  scalar(): string;
  skip(): void;
  /** Whether another value follows, as in files with one value for each line. */
  more(): boolean;
}

/** Throws `DocumentError`: `corrupt` where the text is no JSON, `too_complex` past `maxDepth`. */
export function openJsonText(text: string, maxDepth: number): JsonText {
  let at = 0;
  let currentLine = 1;
  let depth = 0;

  const damaged = (): DocumentError =>
    corruptFile(`it is not JSON from line ${currentLine} on`, { line: currentLine });

  function space(): void {
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === 10) currentLine++;
      else if (code !== 32 && code !== 9 && code !== 13) return;
    }
  }

  function take(character: string): boolean {
    space();
    if (text[at] !== character) return false;
    at++;
    return true;
  }

  function expect(character: string): void {
    if (!take(character)) throw damaged();
  }

  function string(): string {
    expect('"');
    const start = at;
    let escaped = false;
    for (;;) {
      const quote = text.indexOf('"', at);
      if (quote < 0) throw damaged();
      let slashes = quote;
      while (slashes > at && text.charCodeAt(slashes - 1) === 92) slashes--;
      if (slashes < quote) escaped = true;
      at = quote + 1;
      if ((quote - slashes) % 2 === 0) break;
    }
    const raw = text.slice(start, at - 1);
    if (!escaped && !raw.includes('\\')) return raw;
    try {
      return JSON.parse(`"${raw.replace(/[\n\t]/g, ' ')}"`) as string;
    } catch {
      throw damaged();
    }
  }

  function literal(): string {
    space();
    const match = LITERAL;
    match.lastIndex = at;
    const found = match.exec(text)?.[0];
    if (!found) throw damaged();
    at += found.length;
    return found === 'null' ? '' : found;
  }

  function nested(visit: () => void): void {
    if (++depth > maxDepth) throw nestedTooDeep(maxDepth, currentLine);
    visit();
    depth--;
  }

  const json: JsonText = {
    line() {
      space();
      return currentLine;
    },
    kind() {
      space();
      const character = text[at];
      if (character === '{') return 'object';
      if (character === '[') return 'array';
      return character === '"' ? 'string' : 'literal';
    },
    members(visit) {
      expect('{');
      nested(() => {
        if (take('}')) return;
        do {
          space();
          const line = currentLine;
          const key = string();
          expect(':');
          visit(key, line);
        } while (take(','));
        expect('}');
      });
    },
    elements(visit) {
      expect('[');
      nested(() => {
        if (take(']')) return;
        let index = 0;
        do visit(index++);
        while (take(','));
        expect(']');
      });
    },
    scalar: () => (json.kind() === 'string' ? string() : literal()),
    skip() {
      const kind = json.kind();
      if (kind === 'object') json.members(() => json.skip());
      else if (kind === 'array') json.elements(() => json.skip());
      else json.scalar();
    },
    more() {
      space();
      return at < text.length;
    },
  };
  return json;
}

const LITERAL = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/** Also for other formats of data. */
export function nestedTooDeep(maxDepth: number, line: number): DocumentError {
  return fileTooComplex(
    `Values are nested more than ${maxDepth} deep.`,
    'Flatten the nesting and upload the file again.',
    { line },
  );
}
