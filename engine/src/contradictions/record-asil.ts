import { type Asil, asilsInText, parseAsil } from '../asil/asil.js';
import { quote } from '../corpus/evidence.js';
import type { ItemRecord } from '../facts/artifacts/records.js';
import type { Evidence } from '../findings/finding.js';
import type { Sentence } from '../sentences/sentence.js';

/** ASIL field of a record, wherever it stands. */
export function asilOf(record: ItemRecord): Asil | undefined {
  const value = record.fields.get('asil')?.value;
  if (value === undefined) return undefined;
  return parseAsil(value) ?? asilsInText(value)[0]?.asil;
}

/** The words of a field as evidence; nothing where the record lacks it. */
export function fieldEvidence(
  record: ItemRecord,
  key: string,
  role: Evidence['role'],
  note: Sentence,
): Evidence[] {
  const field = record.fields.get(key);
  if (!field) return [];
  return [quote(record.document.read.document, record.passage, field, { role, note })];
}

/** A paragraph as a whole, or the cell of a field: enough to see what is meant. */
export function statement(record: ItemRecord, key: string, note: Sentence): Evidence[] {
  if (record.fromTable) return fieldEvidence(record, key, 'counter', note);
  const { document } = record.document.read;
  const cells = document.blocks[record.passage.blockIndex]!.cells;
  if (cells) return fieldEvidence(record, key, 'counter', note);
  return [
    quote(document, record.passage, record.passage, {
      role: 'counter',
      note,
      focus: record.fields.get(key) ?? record.passage,
    }),
  ];
}
