import type { JsonText } from '../../files/json-text.js';
import type { KeptText } from '../../records/kept-text.js';

export interface NeedField {
  readonly name: string;
  readonly value: string | readonly string[];
}

/** One need: fields that hold something, in the file's order. */
export interface Need {
  readonly id: string;
  readonly line: number;
  /** What says something about the need itself. */
  readonly fields: readonly NeedField[];
  /** Source file and line; sections with the innermost first, as the tool writes them. */
  readonly file: string;
  readonly sourceLine: number;
  readonly sections: readonly string[];
  readonly parts: readonly { readonly id: string; readonly content: string; readonly line: number }[];
}

/** What the tool keeps for itself: how a need is shown, numbered, counted and found again. */
const INTERNAL = new Set(
  `arch avatar closed_at completion constraints_passed constraints_results created_at docname doctype duration
   external_css external_url full_title has_dead_links has_forbidden_dead_links hide hide_status hide_tags id_parent
   id_complete id_prefix is_external is_import is_modified is_need is_part jinja_content layout lineno lineno_content
   max_amount max_content_lines modifications number params parts post_content post_template pre_content pre_template
   prefix query section_name sections service specific style target_id template updated_at url url_postfix collapse
   collapse_button external bgcolor type_color type_style type_prefix content_node content_id`.split(/\s+/),
);

/** What needs of one file share. */
export interface NeedsReading {
  readonly kept: KeptText;
  /** Fields of links: those that have a twin for the way back. */
  readonly linkFields: Set<string>;
}

const NOTHING: readonly string[] = [];

/** Reads one member of `needs`. Lists of texts stay lists; structures are left out. */
export function readNeed(
  json: JsonText,
  { key, line, reading }: { key: string; line: number; reading: NeedsReading },
): Need {
  const fields: NeedField[] = [];
  let parts: Need['parts'] = [];
  let id = key;
  let file = '';
  let sourceLine = 0;
  let sections = NOTHING;
  json.members((name) => {
    const kind = json.kind();
    const scalar = kind === 'string' || kind === 'literal';
    if (name.endsWith('_back')) {
      reading.linkFields.add(name.slice(0, -'_back'.length));
      json.skip();
    } else if (name === 'parts' && kind === 'object') parts = readParts(json);
    else if (name === 'sections' && kind === 'array') sections = readList(json).map(reading.kept.name);
    else if (name === 'docname' && scalar) file = reading.kept.name(json.scalar());
    else if (name === 'lineno' && scalar) sourceLine = Number(json.scalar()) || 0;
    else if (name === 'id' && kind === 'string') id = json.scalar();
    else if (INTERNAL.has(name) || kind === 'object') json.skip();
    else if (kind === 'array') {
      const value = readList(json);
      if (value.length > 0) fields.push({ name: reading.kept.name(name), value });
    } else {
      const value = json.scalar();
      if (value) fields.push({ name: reading.kept.name(name), value });
    }
  });
  return { id, line, fields, file, sourceLine, sections, parts };
}

function readList(json: JsonText): string[] {
  const items: string[] = [];
  json.elements(() => {
    const kind = json.kind();
    if (kind === 'string' || kind === 'literal') items.push(json.scalar());
    else json.skip();
  });
  return items.filter(Boolean);
}

function readParts(json: JsonText): Need['parts'] {
  const parts: { id: string; content: string; line: number }[] = [];
  json.members((id, line) => parts.push(readPart(json, id, line)));
  return parts;
}

function readPart(json: JsonText, id: string, line: number): { id: string; content: string; line: number } {
  let content = '';
  if (json.kind() !== 'object') json.skip();
  else {
    json.members((name) => {
      const kind = json.kind();
      if (name === 'content' && kind === 'string') content = json.scalar();
      else json.skip();
    });
  }
  return { id, content, line };
}
