import { createBlockCollector } from '../../block-collector.js';
import { readText } from '../../files/decode-text.js';
import { type JsonText, openJsonText } from '../../files/json-text.js';
import type { FormatReader } from '../../format-reader.js';
import { createValueCounter, type DataEntry, type DataNode } from '../../records/data-node.js';
import { createKeptText, type KeptText } from '../../records/kept-text.js';
import { writeData } from '../../records/write-data.js';

/** JSON without a schema that is known, and files with one JSON value for each line. */
export const jsonReader: FormatReader = {
  async read(bytes, { limits }) {
    const { text, notes } = readText(bytes, limits);
    const collector = createBlockCollector(limits);
    const json = openJsonText(text, limits.maxDepth);
    const count = createValueCounter(limits);
    const kept = createKeptText();
    const values: DataNode[] = [];
    while (json.more()) values.push(nodeOf(json, { count, kept }));
    const [only] = values;
    if (only) writeData(values.length === 1 ? only : { kind: 'list', items: values, line: 1 }, collector);
    return { blocks: collector.blocks, properties: {}, notes };
  },
};

function nodeOf(json: JsonText, by: { count: () => void; kept: KeptText }): DataNode {
  by.count();
  const line = json.line();
  const kind = json.kind();
  if (kind === 'object') {
    const entries: DataEntry[] = [];
    json.members((key, keyLine) =>
      entries.push({ key: by.kept.name(key), line: keyLine, value: nodeOf(json, by) }),
    );
    return { kind: 'map', entries, line };
  }
  if (kind === 'array') {
    const items: DataNode[] = [];
    json.elements(() => items.push(nodeOf(json, by)));
    return { kind: 'list', items, line };
  }
  return { kind: 'scalar', text: json.scalar(), line };
}
