import {
  type Corpus,
  type CorpusDocument,
  documentOf,
  templateTablesOf,
  usableDocuments,
} from '../corpus/corpus.js';
import type { Passage } from '../corpus/passages/passage.js';
import { passageAt } from '../corpus/passages/passages-of.js';
import { cellText, type Table } from '../corpus/passages/tables.js';
import { qualityWords, type RequirementLevel } from '../words/quality-words.js';
import { textRange } from './artifacts/artifact-text.js';
import { type ItemRecord, recordsOf } from './artifacts/records.js';
import type { ExtractedArtifact } from './artifacts/statement.js';
import { LEVEL_OF_TYPE, recordRequirements } from './record-requirements.js';
import type { StatedRequirement } from './requirement.js';
import { readRows } from './table-rows.js';

/** Identifiers of these families stand for demands. */
const DEMANDS: ReadonlySet<string> = new Set(['requirement', 'safety_goal', 'claim']);
/** "Safe state: …" behind a requirement begins its attributes. */
const ATTRIBUTE = /(?<=[.;]\s)\p{Lu}[\p{L}\s-]{1,30}:\s/u;

/**
 * Requirements of all usable documents in reading order (domain G.1): records of tools, rows of requirement tables,
 * paragraphs that begin with an identifier and hold a normative verb, and such paragraphs under a heading with an identifier;
 * behind them those of the artifacts that stand elsewhere (directives of tools).
 */
export function requirementsOf(
  corpus: Corpus,
  artifacts: readonly ExtractedArtifact[] = [],
): readonly StatedRequirement[] {
  const records = new Map<string, ItemRecord[]>();
  for (const record of recordsOf(corpus)) {
    const own = records.get(record.document.id);
    if (own) own.push(record);
    else records.set(record.document.id, [record]);
  }
  const stated = usableDocuments(corpus).flatMap((document) => {
    const found = [
      ...recordRequirements(document),
      ...tableRequirements(corpus, document),
      ...plainTableRequirements(document),
    ];
    const taken = new Set(found.map((one) => one.passage.id));
    const told = (records.get(document.id) ?? []).flatMap((record) =>
      record.fromTable || taken.has(record.passage.id) ? [] : toldRequirement(record, document),
    );
    const places = new Set<number>();
    return [...found, ...told, ...underHeadings(document)]
      .filter(({ start }) => !places.has(start) && places.add(start))
      .sort((a, b) => a.start - b.start);
  });
  const known = new Set(stated.map((one) => one.passage.id));
  return [
    ...stated,
    ...artifacts
      .flatMap((artifact) => artifactRequirement(corpus, artifact))
      .filter(({ passage }) => !known.has(passage.id)),
  ];
}

function artifactRequirement(corpus: Corpus, artifact: ExtractedArtifact): StatedRequirement[] {
  const level = LEVEL_OF_TYPE[artifact.type];
  const { id, asil } = artifact;
  const text = artifact.text.trim();
  if (!level || text === '') return [];
  const document = documentOf(corpus, artifact.documentId);
  const { start, end } = textRange(document, artifact);
  const passage = passageAt(document.read.passages, start)!;
  return [{ id, text, level, ...(asil ? { asil } : {}), fieldsChecked: true, document, passage, start, end }];
}

/** Rows of tables that are requirement tables of a template. */
function tableRequirements(corpus: Corpus, document: CorpusDocument): StatedRequirement[] {
  const { levels } = qualityWords();
  return document.parts.flatMap((part) =>
    templateTablesOf(corpus, part).flatMap((match): StatedRequirement[] => {
      const level = levels[`${part.typeId}.${match.template.key}`];
      const textColumn = match.columns.get('text')?.[0];
      if (!level || !match.columns.has('id') || textColumn === undefined) return [];
      return readRows(document, match).flatMap(({ id, row, passage, fields: values }) => {
        const cell = row.cells.get(textColumn);
        if (!cell || cell.text.trim() === '' || id === '') return [];
        const asil = values.get('asil')?.value;
        const fields = new Map([...match.columns.keys()].map((key) => [key, values.get(key)?.value ?? '']));
        return [
          {
            id,
            text: cell.text,
            level,
            ...(asil ? { asil } : {}),
            fields: fields.set('id', id),
            fieldsChecked: true,
            document,
            passage,
            start: cell.start,
            end: cell.end,
          },
        ];
      });
    }),
  );
}

/** Rows of tables with a column of identifiers and one of demands, whatever the document is. */
function plainTableRequirements(document: CorpusDocument): StatedRequirement[] {
  const { read } = document;
  const level = levelOf(document);
  return read.records.flatMap((table) => {
    // Records say themselves what they are.
    const isRecords = table.rows.some(({ block }) => read.document.blocks[block]!.record);
    const columns = isRecords ? undefined : requirementColumns(table);
    const first = table.headerBlocks[0] ?? table.rows[0]?.block;
    if (!columns || first === undefined || read.passages[first]!.role !== 'body') return [];
    return table.rows.flatMap((row) => {
      const cell = row.cells.get(columns.text);
      const id = cellText(row, columns.id).replace(/\s+/g, ' ');
      if (!cell || cell.text.trim() === '' || id === '') return [];
      return [
        {
          id,
          text: cell.text,
          ...(level ? { level } : {}),
          fieldsChecked: true,
          document,
          passage: read.passages[row.block]!,
          start: cell.start,
          end: cell.end,
        },
      ];
    });
  });
}

/** A column of identifiers, and the one whose cells are demands. */
function requirementColumns(table: Table): { id: number; text: number } | undefined {
  const { columns, expressions } = qualityWords();
  const id = table.columns.findIndex((title) => title !== undefined && columns.id.test(title.trim()));
  if (id < 0 || !isMostly(table, id, (text) => /\d/.test(text))) return undefined;
  const text = table.columns.findIndex(
    (title, at) =>
      at !== id &&
      title !== undefined &&
      !columns.notText.test(title) &&
      isMostly(table, at, (cell) => cell.search(expressions.normative) >= 0),
  );
  return text < 0 ? undefined : { id, text };
}

function isMostly(table: Table, column: number, holds: (text: string) => boolean): boolean {
  const filled = table.rows.map((row) => cellText(row, column)).filter((text) => text !== '');
  return filled.length > 0 && filled.filter(holds).length * 2 >= filled.length;
}

/** A paragraph that begins with an identifier. */
function toldRequirement(record: ItemRecord, document: CorpusDocument): StatedRequirement[] {
  const { passage } = record;
  if (!DEMANDS.has(record.family) || document.read.document.blocks[passage.blockIndex]!.cells) return [];
  const at = passage.text.indexOf(record.id);
  const lead = /^[\s\])]*(?:\([^)]*\)|\[[^\]]*\])?[\s:.–—-]*/u.exec(
    passage.text.slice(at + record.id.length),
  )!;
  const from = at + record.id.length + lead[0].length;
  const fields = new Map([...record.fields].map(([key, field]) => [key, field.value]));
  return demand(passage, from, { id: record.id, document, family: record.family, fields });
}

/** The first demand under a heading that begins with an identifier. */
function underHeadings(document: CorpusDocument): StatedRequirement[] {
  const { read } = document;
  return read.sections.flatMap((section) => {
    const id =
      /^[\s[(]*(?<id>\p{Lu}[\p{L}\p{N}]*(?:[-_.][\p{L}\p{N}]+)*[-_.]?\d+[\p{L}\p{N}.-]*)(?=[\s\]):–-]|$)/u.exec(
        section.title,
      )?.groups?.id;
    if (id === undefined || section.heading === undefined || !/\p{Lu}{2}|-|_/u.test(id)) return [];
    for (let index = section.start; index < section.ownEnd; index++) {
      const passage = read.passages[index]!;
      if (passage.role !== 'body' || read.document.blocks[index]!.cells) continue;
      const found = demand(passage, 0, { id, document, family: 'requirement', fields: new Map() });
      if (found.length > 0) return found;
    }
    return [];
  });
}

function demand(
  passage: Passage,
  from: number,
  known: {
    readonly id: string;
    readonly document: CorpusDocument;
    readonly family: string;
    readonly fields: ReadonlyMap<string, string>;
  },
): StatedRequirement[] {
  const rest = passage.text.slice(from);
  const attributes = ATTRIBUTE.exec(rest);
  const text = rest.slice(0, attributes?.index ?? rest.length).trimEnd();
  if (passage.role !== 'body' || text.search(qualityWords().expressions.normative) < 0) return [];
  const { id, document, family, fields } = known;
  const level = family === 'safety_goal' ? 'goal' : levelOf(document);
  const asil = fields.get('asil');
  const start = passage.start + from;
  return [
    {
      id,
      text,
      ...(level ? { level } : {}),
      ...(asil ? { asil } : {}),
      fields: withTold(fields, rest.slice(text.length)),
      document,
      passage,
      start,
      end: start + text.length,
    },
  ];
}

/** A time told behind the demand ("FTTI: 400 ms") is its time field. */
function withTold(fields: ReadonlyMap<string, string>, rest: string): ReadonlyMap<string, string> {
  return rest.search(qualityWords().expressions.timeBound) < 0 || fields.has('timing')
    ? fields
    : new Map([...fields, ['timing', rest.trim()]]);
}

function levelOf(document: CorpusDocument): RequirementLevel | undefined {
  const { levelsOfDocuments } = qualityWords();
  return document.parts.map((part) => levelsOfDocuments[part.typeId]).find((level) => level !== undefined);
}
