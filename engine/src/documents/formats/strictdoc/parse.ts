import { corruptFile } from '../../document-error.js';

export interface SdocField {
  readonly name: string;
  readonly text: string;
  /** Line of the first word of the value. */
  readonly line: number;
}

export interface SdocRelation {
  type: string;
  value: string;
  role: string;
}

/** `[TAG]` with its fields; `[[TAG]]` opens a part of the document that `[[/TAG]]` closes. */
export interface SdocNode {
  readonly tag: string;
  readonly line: number;
  readonly opens: boolean;
  readonly closes: boolean;
  readonly fields: SdocField[];
  readonly relations: SdocRelation[];
}

const TAG = /^\[(\[?)(\/?)([A-Z][A-Z0-9_]*)\]\]?$/;
const FIELD = /^([A-Z][A-Z0-9_]*):(?: (.*))?$/;
const RELATION = /^- TYPE:\s*(.*)$/;
const RELATION_PART = /^ {2}(VALUE|ROLE|FORMAT|PATH):\s*(.*)$/;
/** Sections and free text of older files have single brackets all the same. */
const OPENING = new Set(['SECTION', 'COMPOSITE_REQUIREMENT']);

/** Nodes of a StrictDoc file in order. The grammar is passed over. Throws `corrupt` for a value that never ends. */
export function* parseSdoc(text: string): Generator<SdocNode> {
  const lines = createLines(text);
  let node: SdocNode | undefined;
  let inRelations = false;
  for (let raw = lines.next(); raw !== undefined; raw = lines.next()) {
    const line = lines.number();
    const tag = TAG.exec(raw.trimEnd());
    if (tag) {
      if (node) yield node;
      const [, double, slash, name] = tag;
      const opens = !slash && (double === '[' || OPENING.has(name!));
      node = { tag: name!, line, opens, closes: slash === '/', fields: [], relations: [] };
      inRelations = false;
      if (name === 'FREETEXT' && !slash) {
        node.fields.push({ name: 'STATEMENT', text: lines.upTo('[/FREETEXT]'), line: line + 1 });
      }
      continue;
    }
    if (!node) continue;
    const field = FIELD.exec(raw);
    if (!field) {
      if (inRelations) readRelation(node, raw);
      continue;
    }
    const [, name, value] = field;
    inRelations = name === 'RELATIONS' || name === 'REFS';
    if (value?.trim() === '>>>') node.fields.push({ name: name!, text: lines.upTo('<<<'), line: line + 1 });
    else if (value?.trim()) node.fields.push({ name: name!, text: value.trim(), line });
  }
  if (node) yield node;
}

/** The lines of a text, never all of them at once. */
function createLines(text: string) {
  let at = 0;
  let line = 0;
  function next(): string | undefined {
    if (at > text.length) return undefined;
    const end = text.indexOf('\n', at);
    const found = text.slice(at, end < 0 ? text.length : end);
    at = end < 0 ? text.length + 1 : end + 1;
    line++;
    return found;
  }
  return {
    next,
    number: () => line,
    /** Everything before the line that says `last`, which is taken too. */
    upTo(last: string): string {
      const from = at;
      const begins = line;
      for (let before = at, found = next(); found !== undefined; before = at, found = next()) {
        if (found.trimEnd() === last) return text.slice(from, Math.max(from, before - 1));
      }
      throw corruptFile(`a text of several lines that begins on line ${begins} never ends`, { line: begins });
    },
  };
}

function readRelation(node: SdocNode, raw: string): void {
  const type = RELATION.exec(raw);
  if (type) {
    node.relations.push({ type: type[1]!.trim(), value: '', role: '' });
    return;
  }
  const part = RELATION_PART.exec(raw);
  const relation = node.relations.at(-1);
  if (!part || !relation) return;
  if (part[1] === 'ROLE') relation.role = part[2]!.trim();
  else if (part[1] !== 'FORMAT') relation.value = part[2]!.trim();
}
