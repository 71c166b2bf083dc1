import { createBlockCollector } from '../../block-collector.js';
import { corruptFile } from '../../document-error.js';
import { readText } from '../../files/decode-text.js';
import { type JsonText, openJsonText } from '../../files/json-text.js';
import type { FormatReader } from '../../format-reader.js';
import { createKeptText } from '../../records/kept-text.js';
import { createRecordTable, type RecordDraft, type RecordTable } from '../../records/record-table.js';
import { type Need, readNeed } from './need.js';

interface Version {
  readonly needs: Need[];
  /** Fields that the file's own schema calls links; older files have none, there a field of links has a twin. */
  readonly schemaLinks: Set<string>;
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
  const version: Version = {
    needs: [],
    schemaLinks: new Set(),
    linkFields: new Set(['links']),
  };
  const reading = { kept: createKeptText(), linkFields: version.linkFields };
  json.members((name) => {
    if (json.kind() !== 'object') json.skip();
    else if (name === 'needs') {
      json.members((key, line) => {
        if (json.kind() === 'object') version.needs.push(readNeed(json, { key, line, reading }));
        else json.skip();
      });
    } else if (name === 'needs_schema') readSchema(json, version.schemaLinks);
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

function write(version: Version, table: RecordTable): void {
  const { needs } = version;
  needs.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.sourceLine - b.sourceLine));
  const links = version.schemaLinks.size > 0 ? version.schemaLinks : version.linkFields;
  let open: readonly string[] = [];
  needs.reverse();
  // Each need is let go as soon as it is written, because there may be many.
  for (let need = needs.pop(); need; need = needs.pop()) {
    const path = need.sections.toReversed();
    enterSections(table, { path, open, line: need.line });
    open = path;
    table.record(recordOf(need, links));
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

/** Writes the headings that are new since the need before. */
function enterSections(
  table: RecordTable,
  { path, open, line }: { path: readonly string[]; open: readonly string[]; line: number },
): void {
  let common = 0;
  while (common < path.length && path[common] === open[common]) common++;
  if (common === path.length && common === open.length) return;
  table.leaveSections(common + 1);
  for (const [index, title] of path.slice(common).entries()) {
    table.heading(common + index + 1, title, { line });
  }
}

/** The fields that every need has come first, so that the columns have a usual order. */
const FIRST = ['type', 'type_name', 'title', 'status', 'content', 'description'];

function recordOf(need: Need, linkFields: ReadonlySet<string>): RecordDraft {
  const fields = [{ name: 'id', text: need.id }];
  const links: { type: string; target: string; shown: string }[] = [];
  const textOf = (name: string) => {
    const value = need.fields.find((field) => field.name === name)?.value;
    return typeof value === 'string' ? value : '';
  };
  for (const name of FIRST) fields.push({ name, text: textOf(name) });
  for (const { name, value } of need.fields) {
    if (typeof value === 'string') {
      if (!FIRST.includes(name)) fields.push({ name, text: value });
    } else if (linkFields.has(name)) {
      links.push(...value.map((target) => ({ type: name, target: bareTarget(target), shown: target })));
    } else fields.push({ name, text: value.join(', ') });
  }
  const type = textOf('type_name') || textOf('type');
  return { id: need.id, ...(type ? { type } : {}), fields, links, line: need.line };
}

/** `REQ_1[version==2]` → `REQ_1`. */
function bareTarget(target: string): string {
  return target.replace(/\s*\[[^\]]*\]\s*$/, '');
}
