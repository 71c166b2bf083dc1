import { corruptFile, fileTooComplex } from '../../document-error.js';
import { createTokens, type TrlcToken } from './tokens.js';

export interface TrlcReference {
  /** Name with package. */
  readonly target: string;
  readonly version?: string;
  /** As written. */
  readonly shown: string;
}

export interface TrlcField {
  readonly name: string;
  readonly text: string;
  readonly references: readonly TrlcReference[];
}

export type TrlcItem =
  | { readonly kind: 'section'; readonly title: string; readonly depth: number; readonly line: number }
  /** The end of a section; `depth` is that of the sections that stay open. */
  | { readonly kind: 'section_end'; readonly depth: number }
  | {
      readonly kind: 'object';
      readonly id: string;
      readonly type: string;
      readonly fields: readonly TrlcField[];
      readonly line: number;
    }
  /** Declaration of a type, enumeration or check (`.rsl`), as written. */
  | { readonly kind: 'declaration'; readonly text: string; readonly line: number };

const DECLARATION = new Set(['type', 'enum', 'tuple', 'checks', 'abstract', 'final']);

/**
 * Objects and declarations of a TRLC file in order. Types live in other files, so a name is told from an enumeration
 * value by its form: `Name` and `package.Name` refer, `package.Enum.value` does not.
 */
export function* parseTrlc(text: string, maxDepth: number): Generator<TrlcItem> {
  const tokens = createTokens(text);
  const packages = new Set<string>();
  let token = tokens.next();
  let ownPackage = '';
  let depth = 0;

  function advance(): TrlcToken {
    const taken = token;
    token = tokens.next();
    return taken;
  }
  const isSign = (sign: string) => token.kind === 'sign' && token.text === sign;
  function damaged() {
    return corruptFile(`it is not TRLC from line ${token.line} on`, { line: token.line });
  }
  function expect(sign: string): void {
    if (!isSign(sign)) throw damaged();
    advance();
  }
  function word(): string {
    if (token.kind !== 'word') throw damaged();
    return advance().text;
  }
  function name(): string {
    let full = word();
    while (isSign('.')) {
      advance();
      full += `.${word()}`;
    }
    return full;
  }

  function value(into: { texts: string[]; references: TrlcReference[] }, nesting: number): void {
    if (nesting > maxDepth) {
      throw fileTooComplex(
        `Values are nested more than ${maxDepth} deep.`,
        'Flatten the nesting and upload the file again.',
        { line: token.line },
      );
    }
    const { start, kind } = token;
    if (isSign('[') || isSign('(')) {
      const close = advance().text === '[' ? ']' : ')';
      while (!isSign(close)) {
        value(into, nesting + 1);
        if (isSign(',')) advance();
        else if (!isSign(close)) throw damaged();
      }
      advance();
    } else if (kind === 'word') {
      const full = name();
      let end = start + full.length;
      let version: string | undefined;
      if (isSign('@')) {
        advance();
        end = token.end;
        version = advance().text;
      }
      const shown = text.slice(start, end).replace(/\s+/g, '');
      into.texts.push(shown);
      const target = referenceOf(full, version !== undefined);
      if (target) into.references.push({ target, shown, ...(version === undefined ? {} : { version }) });
    } else if (kind === 'string' || kind === 'number') into.texts.push(advance().text);
    else if (isSign('-') || isSign('+')) {
      const sign = advance().text;
      if (token.kind !== 'number') throw damaged();
      into.texts.push(`${sign}${advance().text}`);
    } else throw damaged();
    // Tuples may be written with separators: `12@3`, `a:b`.
    if (kind !== 'sign' && (isSign('@') || isSign(':') || isSign(';'))) {
      const separator = advance().text;
      const first = into.texts.pop() ?? '';
      value(into, nesting + 1);
      into.texts.push(`${first}${separator}${into.texts.pop() ?? ''}`);
    }
  }

  function referenceOf(full: string, versioned: boolean): string | undefined {
    if (full === 'true' || full === 'false' || full === 'null') return undefined;
    const parts = full.split('.');
    if (parts.length === 1) return ownPackage ? `${ownPackage}.${full}` : full;
    if (versioned || (parts.length === 2 && packages.has(parts[0]!))) return full;
    return undefined;
  }

  function object(type: string, line: number): TrlcItem {
    const ownName = word();
    expect('{');
    const fields: TrlcField[] = [];
    while (!isSign('}')) {
      const field = word();
      expect('=');
      const into = { texts: [] as string[], references: [] as TrlcReference[] };
      value(into, 0);
      fields.push({ name: field, text: into.texts.join(', '), references: into.references });
    }
    advance();
    return { kind: 'object', id: ownPackage ? `${ownPackage}.${ownName}` : ownName, type, fields, line };
  }

  /** Everything up to the brace that closes it, or the line's end where it has none. */
  function declaration(): TrlcItem {
    const { start, line } = token;
    let end = token.end;
    let braces = 0;
    let opened = false;
    while (token.kind !== 'end') {
      if (isSign('{')) {
        braces++;
        opened = true;
      }
      if (isSign('}')) braces--;
      end = advance().end;
      if (opened && braces === 0) return { kind: 'declaration', text: text.slice(start, end), line };
    }
    throw corruptFile(`a declaration that begins on line ${line} never ends`, { line });
  }

  while (token.kind !== 'end') {
    const { line } = token;
    if (isSign('}') && depth > 0) {
      advance();
      yield { kind: 'section_end', depth: --depth };
      continue;
    }
    if (token.kind === 'word' && DECLARATION.has(token.text)) {
      yield declaration();
      continue;
    }
    const first = name();
    if (first === 'package') {
      ownPackage = name();
      packages.add(ownPackage);
    } else if (first === 'import') packages.add(name());
    else if (first === 'section') {
      const title = advance();
      if (title.kind !== 'string') throw damaged();
      expect('{');
      if (++depth > maxDepth) {
        throw fileTooComplex(
          `Sections are nested more than ${maxDepth} deep.`,
          'Flatten the sections and upload the file again.',
          { line },
        );
      }
      yield { kind: 'section', title: title.text, depth, line };
    } else yield object(first, line);
  }
  if (depth > 0) throw corruptFile('a section is never closed');
}
