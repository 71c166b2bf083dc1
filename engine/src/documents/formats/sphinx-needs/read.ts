import { createBlockCollector } from '../../block-collector.js';
import { corruptFile } from '../../document-error.js';
import { readText } from '../../files/decode-text.js';
import { type JsonText, openJsonText } from '../../files/json-text.js';
import type { FormatReader } from '../../format-reader.js';
import { createRecordTable, type RecordDraft, type RecordTable } from '../../records/record-table.js';
import { isShown, type Need, readNeed } from './need.js';

interface Version {
  readonly needs: Need[];
  /** Fields that the file's own schema calls links. */
  readonly linkFields: Set<string>;
}

interface NeedsFile {
  current: string;
  project: string;
  created: string;
  readonly versions: Map<string, Version>;
}

/** `needs.json` as sphinx-needs exports it: the needs of the current version in the order of their sources. */
export const sphinxNeedsReader: FormatReader = {
  format: 'sphinx_needs',
  async read(bytes, { limits }) {
    const { text, notes } = readText(bytes, limits);
    const file = readFile(openJsonText(text, limits.maxDepth));
    const version = file.versions.get(file.current) ?? [...file.versions.values()].at(-1);
    if (!version) throw corruptFile('it has no version with needs');
    const collector = createBlockCollector(limits);
    const table = createRecordTable(collector, limits);
    write(version, table);
    return {
      blocks: collector.blocks,
      properties: {
        ...(file.project ? { title: file.project } : {}),
        ...(file.created ? { created: file.created } : {}),
        ...(file.current ? { revision: file.current } : {}),
      },
      notes: [...notes, ...table.finish()],
    };
  },
};

function readFile(json: JsonText): NeedsFile {
  const file: NeedsFile = { current: '', project: '', created: '', versions: new Map() };
  if (json.kind() !== 'object') throw corruptFile('it does not begin with an object');
  json.members((name) => {
    const kind = json.kind();
    if (name === 'versions' && kind === 'object') {
      json.members((version) => {
        if (json.kind() === 'object') file.versions.set(version, readVersion(json));
        else json.skip();
      });
    } else if (
      kind === 'string' &&
      (name === 'current_version' || name === 'project' || name === 'created')
    ) {
      file[name === 'current_version' ? 'current' : name] = json.scalar();
    } else json.skip();
  });
  return file;
}

function readVersion(json: JsonText): Version {
  const version: Version = { needs: [], linkFields: new Set() };
  json.members((name) => {
    if (json.kind() !== 'object') json.skip();
    else if (name === 'needs') {
      json.members((key, line) => {
        if (json.kind() === 'object') version.needs.push(readNeed(json, key, line));
        else json.skip();
      });
    } else if (name === 'needs_schema') readSchema(json, version.linkFields);
    else json.skip();
  });
  return version;
}

function readSchema(json: JsonText, linkFields: Set<string>): void {
  json.members((name) => {
    if (name !== 'properties' || json.kind() !== 'object') json.skip();
    else {
      json.members((field) => {
        if (json.kind() !== 'object') json.skip();
        else {
          json.members((key) => {
            if (key !== 'field_type' || json.kind() !== 'string') json.skip();
            else if (json.scalar() === 'links') linkFields.add(field);
          });
        }
      });
    }
  });
}

function write({ needs, linkFields }: Version, table: RecordTable): void {
  const places = needs.map((need) => ({
    need,
    file: textOf(need, 'docname'),
    line: Number(textOf(need, 'lineno')) || 0,
  }));
  places.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line));
  let open: readonly string[] = [];
  for (const { need } of places) {
    const sections = need.fields.get('sections');
    // The file lists the innermost section first.
    const path = Array.isArray(sections) ? [...(sections as readonly string[])].reverse() : [];
    const common = path.findIndex((title, index) => open[index] !== title);
    if (path.length === 0) table.leaveSections();
    else if (common >= 0 || path.length < open.length) {
      if (common < 0) table.heading(path.length, path.at(-1)!, { line: need.line });
      else
        path.slice(common).forEach((title, index) => {
          table.heading(common + index + 1, title, { line: need.line });
        });
    }
    open = path;
    table.record(recordOf(need, linkFields));
    for (const part of need.parts) {
      const id = `${need.id}.${part.id}`;
      const fields = [
        { name: 'id', text: id },
        { name: 'content', text: part.content },
      ];
      table.record({ id, type: 'need part', fields, line: part.line });
    }
  }
}

function recordOf(need: Need, linkFields: ReadonlySet<string>): RecordDraft {
  const type = textOf(need, 'type_name') || textOf(need, 'type');
  const shown = new Map<string, string>([['id', need.id]]);
  for (const name of ['type', 'type_name', 'title', 'status', 'content', 'description']) {
    const text = textOf(need, name);
    if (text) shown.set(name, text);
  }
  const links: { type: string; target: string; shown: string }[] = [];
  for (const [name, value] of need.fields) {
    if (!isShown(name)) continue;
    if (typeof value === 'string') shown.set(name, value);
    else if (isLinkField(need, name, linkFields)) {
      links.push(...value.map((target) => ({ type: name, target: bareTarget(target), shown: target })));
    } else if (value.length > 0) shown.set(name, value.join(', '));
  }
  return {
    id: need.id,
    ...(type ? { type } : {}),
    fields: [...shown].map(([name, text]) => ({ name, text })),
    links,
    line: need.line,
  };
}

/** Links by the file's schema; older files have none, there a field of links has a twin for the way back. */
function isLinkField(need: Need, name: string, linkFields: ReadonlySet<string>): boolean {
  if (linkFields.size > 0) return linkFields.has(name);
  return name === 'links' || need.fields.has(`${name}_back`);
}

/** `REQ_1[version==2]` → `REQ_1`. */
function bareTarget(target: string): string {
  return target.replace(/\s*\[[^\]]*\]\s*$/, '');
}

function textOf(need: Need, name: string): string {
  const value = need.fields.get(name);
  return typeof value === 'string' ? value : '';
}
