import type { JsonText } from '../../files/json-text.js';

/** One need: fields that hold something, in the file's order. */
export interface Need {
  readonly id: string;
  readonly line: number;
  readonly fields: ReadonlyMap<string, string | readonly string[]>;
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

/** Whether a field says something about the need itself. */
export function isShown(field: string): boolean {
  return !INTERNAL.has(field) && !field.endsWith('_back');
}

/** Reads one member of `needs`. Lists of texts stay lists; structures are left out. */
export function readNeed(json: JsonText, key: string, line: number): Need {
  const fields = new Map<string, string | readonly string[]>();
  const parts: { id: string; content: string; line: number }[] = [];
  json.members((name) => {
    const kind = json.kind();
    if (name === 'parts' && kind === 'object') json.members((id, at) => parts.push(readPart(json, id, at)));
    else if (kind === 'array') {
      const items: string[] = [];
      json.elements(() => {
        const inner = json.kind();
        if (inner === 'string' || inner === 'literal') items.push(json.scalar());
        else json.skip();
      });
      // An empty list still tells that the field is a list of links.
      fields.set(name, items.filter(Boolean));
    } else if (kind === 'object') json.skip();
    else {
      const text = json.scalar();
      if (text) fields.set(name, text);
    }
  });
  const id = fields.get('id');
  return { id: typeof id === 'string' ? id : key, line, fields, parts };
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
