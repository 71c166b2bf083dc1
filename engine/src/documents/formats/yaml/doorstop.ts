import type { DraftNote } from '../../block.js';
import type { BlockCollector } from '../../block-collector.js';
import type { ReadingLimits } from '../../reading-limits.js';
import { type DataMap, type DataNode, scalarOf } from '../../records/data-node.js';
import { createRecordTable, type RecordDraft } from '../../records/record-table.js';

/** Every item file of Doorstop has these keys; the file's name is the item's id. */
const KEYS = ['active', 'derived', 'level', 'links', 'normative', 'text'];

export function isDoorstopItem(node: DataNode): node is DataMap {
  return node.kind === 'map' && KEYS.every((key) => node.entries.some((entry) => entry.key === key));
}

/** One item: a heading where its level ends in `.0` and it is not normative, else a record linked to its parents. */
export function writeDoorstopItem(
  item: DataMap,
  { fileName, limits, collector }: { fileName: string; limits: ReadingLimits; collector: BlockCollector },
): DraftNote[] {
  const table = createRecordTable(collector, limits);
  const id = fileName.replace(/^.*[/\\]/, '').replace(/\.ya?ml$/i, '');
  const text = scalarOf(item, /^text$/) ?? '';
  const header = scalarOf(item, /^header$/) ?? '';
  const normative = scalarOf(item, /^normative$/) !== 'false';
  const level = scalarOf(item, /^level$/) ?? '1';
  if (!normative && /\.0$/.test(level)) {
    const place = { line: item.line, requirementId: id };
    table.heading(level.split('.').length - 1, header || text, place);
    if (header) table.prose('paragraph', text.trim().replace(/\s+/g, ' '), place);
    return table.finish();
  }
  const links: NonNullable<RecordDraft['links']>[number][] = [];
  const fields = [{ name: 'ID', text: id }];
  for (const { key, value } of item.entries) {
    if (key === 'links') {
      for (const link of value.kind === 'list' ? value.items : []) {
        // A link may carry the fingerprint of what it was reviewed against.
        const target =
          link.kind === 'map' ? link.entries[0]?.key : link.kind === 'scalar' ? link.text : undefined;
        if (target) links.push({ type: 'links', target });
      }
    } else if (value.kind === 'scalar') fields.push({ name: key, text: value.text });
    else if (value.kind === 'list') {
      const texts = value.items.map((one) =>
        one.kind === 'scalar'
          ? one.text
          : one.kind === 'map'
            ? one.entries.map((entry) => (entry.value.kind === 'scalar' ? entry.value.text : '')).join(' ')
            : '',
      );
      fields.push({ name: key, text: texts.filter(Boolean).join(', ') });
    }
  }
  table.record({ id, type: normative ? 'requirement' : 'information', fields, links, line: item.line });
  return table.finish();
}
