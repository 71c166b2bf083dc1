import { z } from 'zod';
import { asilsInText, parseAsil } from '../../asil/asil.js';
import { type Corpus, type CorpusDocument, templateTablesOf, usableDocuments } from '../../corpus/corpus.js';
import type { Passage } from '../../corpus/passages/passage.js';
import { titlesOf } from '../../words/column-titles.js';
import { listSchema, readWords } from '../../words/read-words.js';
import type { Field } from '../field.js';
import { readRows } from '../table-rows.js';
import { identifiersOf } from './id-types.js';
import { type Identifier, type IdentifierFamily, identifierKey } from './identifiers.js';

/** Something with an identifier and fields: a row of a table, or a paragraph that begins with an identifier. */
export interface ItemRecord {
  readonly id: string;
  readonly key: string;
  readonly family: IdentifierFamily | 'unknown';
  readonly document: CorpusDocument;
  readonly passage: Passage;
  /** By field name: columns of the templates, `asil`, `risk`, … */
  readonly fields: ReadonlyMap<string, Field>;
  /** Other identifiers in the record. */
  readonly references: readonly Identifier[];
  /** True for a row of a table that was read as its template. */
  readonly fromTable: boolean;
}

const fieldsSchema = z.strictObject({
  fields: z.record(z.string(), listSchema),
  impactLevels: z.array(listSchema),
  safetyImpact: z.string(),
  retained: listSchema,
  feasibilityParameters: listSchema,
  matrixEntry: z.string(),
  buildVersion: z.string(),
  dependentFailures: listSchema,
  dependentFailureTitles: listSchema,
  decomposition: z.string(),
});
/** Words about the fields of records. */
export const fieldWords = () => readWords('fields', fieldsSchema);

/** What may stand before the identifier that a paragraph is about: "Safety goal SG-03", "[FSR-12]", "1.". */
const LEAD =
  /^[\s[(•–-]*(?:\d+[.)]\s*)?(?:(?:safety\s+goal|requirement|threat|hazard(?:ous\s+event)?|sicherheitsziel|anforderung|bedrohung|gefährdung)\s*[:.]?\s*)?[[(]?\s*$/iu;

const recordsByCorpus = new WeakMap<Corpus, ReadonlyMap<string, ItemRecord>>();

/** Records of all usable documents in reading order, by passage; read once. Linear in the text. */
export function recordsByPassage(corpus: Corpus): ReadonlyMap<string, ItemRecord> {
  let records = recordsByCorpus.get(corpus);
  if (!records) {
    const all = usableDocuments(corpus).flatMap((document) => {
      const fromTables = tableRecords(corpus, document);
      const taken = new Set(fromTables.map((record) => record.passage.id));
      return [...fromTables, ...textRecords(corpus, document, taken)];
    });
    records = new Map(all.map((record) => [record.passage.id, record]));
    recordsByCorpus.set(corpus, records);
  }
  return records;
}

/** Records of all usable documents in reading order. */
export function recordsOf(corpus: Corpus): readonly ItemRecord[] {
  return [...recordsByPassage(corpus).values()];
}

function tableRecords(corpus: Corpus, document: CorpusDocument): ItemRecord[] {
  const records = new Map<string, ItemRecord>();
  for (const part of document.parts) {
    for (const { id, passage, fields } of templateTablesOf(corpus, part).flatMap((match) =>
      readRows(document, match),
    )) {
      if (id === '' || corpus.otherItem.has(passage.id) || records.has(passage.id)) continue;
      const found = identifiersOf(corpus, passage.text);
      records.set(passage.id, {
        id,
        key: identifierKey(id),
        family: found.find((one) => one.id === id)?.family ?? 'unknown',
        document,
        passage,
        fields,
        references: found.filter((one) => one.id !== id),
        fromTable: true,
      });
    }
  }
  return [...records.values()];
}

function textRecords(corpus: Corpus, document: CorpusDocument, taken: ReadonlySet<string>): ItemRecord[] {
  const { read } = document;
  return read.passages.flatMap((passage) => {
    if (
      passage.role !== 'body' ||
      passage.header ||
      taken.has(passage.id) ||
      corpus.otherItem.has(passage.id)
    )
      return [];
    const found = identifiersOf(corpus, passage.text);
    const subject = found[0];
    if (!subject || !LEAD.test(passage.text.slice(0, subject.start))) return [];
    return [
      {
        id: subject.id,
        key: subject.key,
        family: subject.family,
        document,
        passage,
        fields: fieldsInText(passage, found),
        references: found.filter((one) => one.key !== subject.key),
        fromTable: false,
      },
    ];
  });
}

/** Fields with the titles of columns. */
const RATED = ['asil', 'severity', 'exposure', 'controllability'] as const;

/** `Risk: 2`, `S3`, `ASIL B` in a paragraph, or in the cells of a row that has no known columns. */
function fieldsInText(passage: Passage, ids: readonly Identifier[]): ReadonlyMap<string, Field> {
  const fields = new Map<string, Field>();
  const put = (key: string, value: string, start: number, end: number) => {
    if (!fields.has(key)) fields.set(key, { value, start: passage.start + start, end: passage.start + end });
  };
  const names = [
    ...RATED.map((key) => [key, titlesOf(key)] as const),
    ...Object.entries(fieldWords().fields),
  ];
  // Chunks end at a sentence, a bar or a cell.
  for (const chunk of passage.text.matchAll(/[^|\t;]+?(?=\.\s|[|\t;]|\.?$)/gu)) {
    const text = chunk[0];
    const label = /^[\s.]*([\p{L}][\p{L}\s]{0,30}?)\s*[:=]\s*(.+)$/su.exec(text);
    const wanted = label?.[1]?.trim().toLowerCase();
    const key = names.find(([, labels]) => labels.some((name) => name.toLowerCase() === wanted))?.[0];
    if (key && label)
      put(
        key,
        label[2]!.trim(),
        chunk.index + text.search(/[\p{L}\p{N}]/u),
        chunk.index + text.trimEnd().length,
      );
    const rating = /^[\s.]*([SEC])\s?([0-4])\s*$/u.exec(text);
    if (rating) {
      const name = { S: 'severity', E: 'exposure', C: 'controllability' }[rating[1] as 'S' | 'E' | 'C'];
      const start = chunk.index + text.search(/[\p{L}\p{N}]/u);
      put(name, `${rating[1]}${rating[2]}`, start, chunk.index + text.trimEnd().length);
    }
    const bare =
      /^\s*(?:ASIL[\s:=_-]*)?(?:QM|[ABCD])(?:\s*[([][ABCD][)\]])?\s*$/u.test(text) && /ASIL|QM/u.test(text);
    if (bare && parseAsil(text)) {
      const start = chunk.index + text.search(/[\p{L}\p{N}]/u);
      put('asil', text.trim(), start, chunk.index + text.trimEnd().length);
    }
  }
  const [stated] = asilsInText(passage.text);
  if (stated && !isOfOther(ids, stated.start))
    put('asil', passage.text.slice(stated.start, stated.end), stated.start, stated.end);
  return fields;
}

/** "G1 is split between PR-03 with QM(D) and …": the level right behind a second id is that one's. */
function isOfOther([subject, ...others]: readonly Identifier[], level: number): boolean {
  return others.some(({ key, end }) => key !== subject!.key && end <= level && level - end <= LONGEST_LINK);
}
const LONGEST_LINK = 8;
