import { dedent, indentOf, isBlank, type Line } from './lines.js';

/** `.. name:: argument`, its options and its body. */
export interface Directive {
  readonly name: string;
  readonly argument: string;
  readonly options: readonly { readonly name: string; readonly value: string; readonly line: number }[];
  readonly body: readonly Line[];
  readonly line: number;
}

export const DIRECTIVE = /^\.\. +(?:\|[^|]+\| +)?([A-Za-z][\w:.+-]*?) ?::(?:\s+(.*))?$/;

/** Content that is a listing or the source of a diagram. */
export const LISTINGS = new Set(
  `code code-block sourcecode literalinclude parsed-literal highlight math uml plantuml graphviz mermaid digraph graph
   needuml needarch raw productionlist prompt`.split(/\s+/),
);
/** Directives that steer the build and have no content of their own. */
export const WITHOUT_CONTENT = new Set(
  `contents sectnum section-numbering include default-role role class meta index currentmodule module highlight
   tabularcolumns target-notes header footer replace unicode date title needs_import`.split(/\s+/),
);
/** Only the body counts; the argument steers layout or conditions. */
export const CONTAINERS = new Set(
  `container compound only ifconfig if-builder epigraph highlights pull-quote hlist grid grid-item tab-set tabs tab
   button-link button-ref glossary`.split(/\s+/),
);
/** The argument is a title above the body. */
export const TITLED_CONTAINERS = new Set(
  `note warning caution danger error hint important tip attention seealso todo admonition topic sidebar versionadded
   versionchanged deprecated centered rubric grid-item-card card dropdown tab-item table`.split(/\s+/),
);

/** Views that a tool computes from other content (`needtable`, `needflow`, …). */
export function isGeneratedView(name: string): boolean {
  return /^need[a-z]/.test(name) && !LISTINGS.has(name);
}

/** Splits the indented lines of a directive into argument, options and body. */
export function parseDirective(first: Line, content: readonly Line[]): Directive {
  const match = DIRECTIVE.exec(first.text.trim())!;
  const lines = dedentKeepingBlank(content);
  const argument = [match[2] ?? ''];
  let index = 0;
  // The argument may go on in the following lines until options or a blank line.
  while (index < lines.length && !isBlank(lines[index]) && !isOption(lines[index]!)) {
    if (argument[0] === '' && index === 0) break;
    argument.push(lines[index++]!.text.trim());
  }
  const options: { name: string; value: string; line: number }[] = [];
  while (index < lines.length && isOption(lines[index]!)) {
    const [, name, value] = /^:([^:]+):(?:\s+(.*))?$/.exec(lines[index]!.text.trim())!;
    const parts = [value ?? ''];
    const line = lines[index++]!.number;
    while (index < lines.length && !isBlank(lines[index]) && indentOf(lines[index]!) > 0) {
      parts.push(lines[index++]!.text.trim());
    }
    options.push({ name: name!, value: parts.join(' ').trim(), line });
  }
  return {
    name: match[1]!,
    argument: argument.filter(Boolean).join(' '),
    options,
    body: dedent(lines.slice(index)),
    line: first.number,
  };
}

function isOption(line: Line): boolean {
  return /^:[^:\s][^:]*:(?:\s|$)/.test(line.text);
}

function dedentKeepingBlank(lines: readonly Line[]): Line[] {
  const filled = lines.filter((line) => !isBlank(line));
  const common = filled.reduce((least, line) => Math.min(least, indentOf(line)), Number.POSITIVE_INFINITY);
  return lines.map((line) => ({ text: line.text.slice(common), number: line.number }));
}
