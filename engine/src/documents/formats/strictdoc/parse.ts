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
  const lines = text.split('\n');
  let node: SdocNode | undefined;
  let inRelations = false;
  for (let index = 0; index < lines.length; index++) {
    const raw = lines[index]!;
    const line = index + 1;
    const tag = TAG.exec(raw.trimEnd());
    if (tag) {
      if (node) yield node;
      const [, double, slash, name] = tag;
      const opens = !slash && (double === '[' || OPENING.has(name!));
      node = { tag: name!, line, opens, closes: slash === '/', fields: [], relations: [] };
      inRelations = false;
      if (name === 'FREETEXT' && !slash) {
        let end = index + 1;
        while (end < lines.length && lines[end]!.trim() !== '[/FREETEXT]') end++;
        if (end === lines.length) throw neverEnds(line);
        node.fields.push({ name: 'STATEMENT', text: lines.slice(index + 1, end).join('\n'), line: line + 1 });
        index = end;
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
    if (value?.trim() === '>>>') {
      let end = index + 1;
      while (end < lines.length && lines[end]!.trimEnd() !== '<<<') end++;
      if (end === lines.length) throw neverEnds(line);
      node.fields.push({ name: name!, text: lines.slice(index + 1, end).join('\n'), line: line + 1 });
      index = end;
    } else if (value?.trim()) node.fields.push({ name: name!, text: value.trim(), line });
  }
  if (node) yield node;
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

function neverEnds(line: number) {
  return corruptFile(`a text of several lines that begins on line ${line} never ends`, { line });
}
