import type { FileProperties } from '../../block.js';
import { createBlockCollector } from '../../block-collector.js';
import { cleanText } from '../../clean-text.js';
import { fileTooComplex } from '../../document-error.js';
import { readText } from '../../files/decode-text.js';
import type { FormatReader } from '../../format-reader.js';
import { createRecordTable, type RecordTable } from '../../records/record-table.js';
import { parseSdoc, type SdocNode } from './parse.js';

/** Values that name nothing: the tool's own number, texts that are only there to be replaced when it runs. */
const REPLACED = /^@[A-Z_]+$/;

/** StrictDoc's own files (`.sdoc`): sections, texts and requirements with their relations. */
export const strictdocReader: FormatReader = {
  async read(bytes, { limits }) {
    const { text, notes } = readText(bytes, limits);
    const collector = createBlockCollector(limits);
    const table = createRecordTable(collector, limits);
    let properties: FileProperties = {};
    /** One entry for each part that is open. */
    const open: string[] = [];
    for (const node of parseSdoc(text)) {
      if (node.tag === 'DOCUMENT' && !node.closes) {
        properties = propertiesOf(node);
        table.heading(1, fieldOf(node, 'TITLE'), { line: node.line });
      } else if (node.closes) {
        if (open.at(-1) === node.tag) open.pop();
        // What follows belongs to the part around this one; its title is not written again.
        table.leaveSections(open.length + 2);
      } else if (node.tag !== 'GRAMMAR') {
        writeNode(node, open.length + 2, table);
        if (node.opens) open.push(node.tag);
        if (open.length > limits.maxDepth) throw nestedTooDeep(limits.maxDepth, node.line);
      }
    }
    return { blocks: collector.blocks, properties, notes: [...notes, ...table.finish()] };
  },
};

function writeNode(node: SdocNode, level: number, table: RecordTable): void {
  const id = fieldOf(node, 'UID') || fieldOf(node, 'MID');
  const place = { line: node.line, ...(fieldOf(node, 'UID') ? { requirementId: fieldOf(node, 'UID') } : {}) };
  if (node.tag === 'SECTION') {
    table.heading(level, fieldOf(node, 'TITLE'), place);
  } else if (node.tag === 'TEXT' || node.tag === 'FREETEXT') {
    const statement = node.fields.find((field) => field.name === 'STATEMENT');
    for (const { text, line } of paragraphsOf(statement?.text ?? '', statement?.line ?? node.line)) {
      table.prose('paragraph', text, { ...place, line });
    }
  } else if (node.tag === 'DOCUMENT_FROM_FILE') table.prose('toc_entry', fieldOf(node, 'FILE'), place);
  else {
    const fields = node.fields.filter(({ name }) => name !== 'MID' || !fieldOf(node, 'UID'));
    const links = node.relations
      .filter((relation) => relation.value)
      .map(({ type, role, value }) => ({ type: role ? `${type} (${role})` : type, target: value }));
    // A requirement that nobody gave an id yet is named by its title.
    const name = id || cleanText(fieldOf(node, 'TITLE')) || `line ${node.line}`;
    table.record({ id: name, type: node.tag, fields, links, line: node.line });
    if (node.opens) table.heading(level, fieldOf(node, 'TITLE'), place);
  }
}

function fieldOf(node: SdocNode, name: string): string {
  return node.fields.find((field) => field.name === name)?.text ?? '';
}

function propertiesOf(node: SdocNode): FileProperties {
  const value = (name: string) => {
    const text = fieldOf(node, name);
    return text && !REPLACED.test(text) ? text : undefined;
  };
  const [title, revision, modified] = [value('TITLE'), value('VERSION'), value('DATE')];
  return {
    ...(title ? { title } : {}),
    ...(revision ? { revision } : {}),
    ...(modified ? { modified } : {}),
  };
}

function* paragraphsOf(text: string, firstLine: number): Generator<{ text: string; line: number }> {
  let line = firstLine;
  for (const part of text.split(/\n[ \t]*\n/)) {
    yield { text: cleanText(part), line };
    line += part.split('\n').length + 1;
  }
}

function nestedTooDeep(maxDepth: number, line: number) {
  return fileTooComplex(
    `Sections are nested more than ${maxDepth} deep.`,
    'Flatten the sections and upload the file again.',
    { line },
  );
}
