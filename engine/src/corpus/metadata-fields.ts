import type { Evidence } from '../findings/finding.js';
import { type LocalWords, say } from '../sentences/sentence.js';
import { normaliseText } from '../text/normalise.js';
import { compactTitle, meaningOfTitles } from '../words/column-titles.js';
import { type Corpus, documentOf } from './corpus.js';
import type { DocumentPart } from './detect-document-types.js';
import { quote } from './evidence.js';
import { type Found, HELD_BY, partOfField, WRITTEN_DAY } from './metadata-parts.js';
import { bareHeading, headingTokens } from './passages/headings.js';
import type { ReadDocument } from './passages/passages-of.js';
import { isFilled } from './placeholders/emptiness.js';
import { findPlaceholders } from './placeholders/find-placeholders.js';
import { stateWords } from './section-state.js';

/** A metadata field as one document has it. */
export interface FieldState {
  readonly key: string;
  /** For a person. */
  readonly label: LocalWords;
  readonly documentId: string;
  readonly state: 'present' | 'open' | 'file_property_only' | 'missing';
  readonly value?: string;
  readonly evidence: readonly Evidence[];
}

const FIRST_DAY = new RegExp(`(?<!\\d)${WRITTEN_DAY}(?!\\d)`, 'u');
/** Fields stand at the start: cover, header, front matter. */
const FRONT_BLOCKS = 80;
/** Longer paragraphs are prose, not fields. */
const LONGEST_FIELD = 400;
const PROPERTIES: Readonly<Record<string, 'author' | 'modified' | 'revision' | 'title' | undefined>> = {
  author: 'author',
  date: 'modified',
  version: 'revision',
  title: 'title',
};

/** Looks for metadata fields in each whole document of `home` (domain D.2). */
export function probeMetadata(
  corpus: Corpus,
  keys: readonly string[],
  home: readonly DocumentPart[],
): readonly FieldState[] {
  const ids = [...new Set(home.map((part) => part.documentId))];
  return ids.flatMap((id) => keys.map((key) => fieldOf(corpus, key, id)));
}

/** One field of one document. */
export function fieldOf(corpus: Corpus, key: string, documentId: string): FieldState {
  const { read, name } = documentOf(corpus, documentId);
  const field = corpus.metadataFields.get(key);
  const names = field?.names ?? [key];
  const base = { key, label: field?.label ?? { en: key }, documentId };
  const stated =
    namedField(corpus, read, key) ??
    heldByOther(corpus, read, key) ??
    inFrontLine(corpus, read, key) ??
    (key === NUMBER || key === 'version' ? inFrontRow(read, key) : undefined) ??
    (key === NUMBER ? beforeTitle(read, name) : undefined) ??
    inHistory(read, names) ??
    asHeading(read, names) ??
    besidePerson(corpus, documentId, key);
  const found =
    stated &&
    (OF_PERSONS.includes(key)
      ? withoutDay(stated)
      : (partOfField(key, stated, read.document.text) ?? stated));
  if (found) {
    const passage = read.passages[found.block]!;
    const isOpen = !isFilled(found.value) || findPlaceholders(found.around, { metadata: true }).length > 0;
    const evidence = quote(read.document, passage, found, {
      role: isOpen ? 'counter' : 'support',
      note: say('general.written', { text: base.label }),
    });
    const number = key === 'document_id' ? BEFORE_TITLE.exec(found.value)?.groups?.number : undefined;
    const value = number ?? found.value;
    return { ...base, state: isOpen ? 'open' : 'present', value, evidence: [evidence] };
  }
  const property = PROPERTIES[key];
  const stored = property ? read.document.properties[property] : undefined;
  if (stored) return { ...base, state: 'file_property_only', value: stored, evidence: [] };
  return { ...base, state: 'missing', evidence: [] };
}

/** A field under one of its names. */
function namedField(corpus: Corpus, read: ReadDocument, key: string): Found | undefined {
  const names = corpus.metadataFields.get(key)?.names ?? [key];
  return (
    amongFields(corpus, read, names, fitting(key)) ??
    labelled(corpus, read, { key, names }) ??
    underTitle(corpus, read, names, fitting(key))
  );
}

/** "Issue | 1.1 of 3 May 2024", "Document | GM-01, issue B": the day of the version, the version of the number. */
function heldByOther(corpus: Corpus, read: ReadDocument, key: string): Found | undefined {
  const other = HELD_BY[key];
  const whole = other === undefined ? undefined : namedField(corpus, read, other);
  return whole && partOfField(key, whole, read.document.text);
}

/** "K. Morita 2025/04/07", "03.05.2024, M. Hellwig", "Jane Doe (I3), 12.02.2024": the person. */
const PERSON_AND_DAY = new RegExp(
  `^(?:(?<person>\\p{Lu}[^,;()\\d]{2,60}?)(?:\\s?\\([^()]{1,20}\\))?[,;]?\\s{1,3}(?:\\p{Ll}{2,5}\\s)?(?<day>${WRITTEN_DAY})|(?<before>${WRITTEN_DAY})[,;]?\\s{1,3}(?<behind>\\p{Lu}[^,;()\\d]{2,60}?))(?=[\\s,;.()]|$)`,
  'u',
);

/** The value of a field of persons without the day that stands beside it. */
function withoutDay(whole: Found): Found {
  const [first] = partsOf(whole.value, SENTENCE);
  const cut =
    first && first.at === 0 && whole.around.endsWith(whole.value)
      ? whole.value.length - first.text.length
      : 0;
  const found =
    cut > 1
      ? { ...whole, end: whole.end - cut, value: first!.text, around: whole.around.slice(0, -cut) }
      : whole;
  const { person, behind } = PERSON_AND_DAY.exec(found.value)?.groups ?? {};
  const value =
    person ??
    (behind === undefined
      ? undefined
      : found.value.slice(found.value.indexOf(behind)).replace(/[\s.;]+$/u, ''));
  if (value === undefined) return found;
  const from = found.around.endsWith(found.value) ? found.end - found.value.length : found.start;
  const start = from + found.value.indexOf(value);
  return { ...found, start, end: start + value.length, value };
}

/** Whose day stands beside the person, where the document has no field of its own for it; "Status: Released March 10, 2025" has one, too. */
const DAYS_OF: Readonly<Record<string, readonly string[] | undefined>> = {
  date: ['author'],
  approval_date: ['approver', 'status'],
};

function besidePerson(corpus: Corpus, documentId: string, key: string): Found | undefined {
  const { read } = documentOf(corpus, documentId);
  for (const other of DAYS_OF[key] ?? []) {
    const names = corpus.metadataFields.get(other)?.names ?? [];
    const any = () => true;
    const found =
      amongFields(corpus, read, names, any) ??
      labelled(corpus, read, { key, names }) ??
      underTitle(corpus, read, names, any);
    const day = found && FIRST_DAY.exec(found.value)?.[0];
    if (!found || day === undefined || (other === 'status' && !RELEASED.test(found.value))) continue;
    const end =
      found.end - (found.around.endsWith(found.value) ? 0 : found.around.length - found.value.length);
    const from = found.around.endsWith(found.value)
      ? found.end - found.value.length
      : end - found.value.length;
    const start = from + found.value.indexOf(day);
    if (read.document.text.slice(start, start + day.length) !== day) continue;
    return { block: found.block, start, end: start + day.length, value: day, around: `x: ${day}` };
  }
  return undefined;
}
const RELEASED = /^(?:released|approved|freigegeben|genehmigt)\s/iu;

/** "| Hazard analysis | BVW-HA-003 | Rev 3 |": number and version beside each other in a row of the beginning. */
function inFrontRow(read: ReadDocument, key: string): Found | undefined {
  for (const block of read.document.blocks.slice(0, FRONT_BLOCKS)) {
    const cells = (block.cells ?? []).filter(({ text }) => text.trim() !== '');
    if (cells.length < 2 || cells.length > 4) continue;
    const version = cells.find(({ text }) => VERSION.test(text.trim()));
    const number = cells.find((cell) => cell !== version && OWN_NUMBER.test(cell.text.trim()));
    const cell = key === 'version' ? version : number;
    if (!number || !version || !cell) continue;
    const value = key === 'version' ? VERSION.exec(cell.text.trim())!.groups!.value! : cell.text.trim();
    const start = cell.start + cell.text.indexOf(value);
    return { block: block.index, start, end: start + value.length, value, around: `x: ${value}` };
  }
  return undefined;
}

type Block = ReadDocument['document']['blocks'][number];

const bareLabel = (text: string): string =>
  normaliseText(text)
    .replace(/(?<=\p{L})[_-](?=\p{L})/gu, ' ')
    .replace(/[\s:.]+$/, '');

/** What every field is looked for in, made once for a document. */
function onceFor<Key extends object, Made>(make: (key: Key) => Made): (key: Key) => Made {
  const known = new WeakMap<Key, Made>();
  return (key) => {
    let made = known.get(key);
    if (made === undefined) {
      made = make(key);
      known.set(key, made);
    }
    return made;
  };
}

/** Labels by how they are written. */
const labelsOf = onceFor((_read: ReadDocument) => new Map<string, string>());

/** Labels with a colon in paragraphs of the beginning, by block. */
const colonsOf = onceFor((_read: ReadDocument) => new Map<Block, readonly RegExpExecArray[]>());

function colonsIn(read: ReadDocument, block: Block): readonly RegExpExecArray[] {
  const colons = colonsOf(read);
  const found = colons.get(block) ?? [
    ...block.text.matchAll(/(?:^|[\n|;])\s*([^:\n|;]{2,40})\s*[:=]\s*([^\n|;]*)/gu),
  ];
  colons.set(block, found);
  return found;
}

/** A label may be that of several fields ("Stand" of a version or a date): what the value must be for a field. */
function fitting(key: string): (value: string) => boolean {
  if (key === 'date') return (value) => WRITTEN_DATE.test(value) || !NUMBERED.test(value);
  if (key === 'document_id') return (value) => NUMBER_OF_DOCUMENT.test(value);
  if (key === 'version') return (value) => !WRITTEN_DATE.test(value);
  // "released: 2025-02-17" names nobody.
  if (OF_PERSONS.includes(key)) return (value) => !WRITTEN_DATE.test(value);
  return () => true;
}

/** One word, one with a number ("Document" may stand before a title as well), or a number before a title: "PL-07 Safety Concept". */
const NUMBER_OF_DOCUMENT =
  /^\S+$|^(?=.*\d)\S+(?:\s\S+){1,2}$|^\p{Lu}[\p{Lu}\d]*(?:[-_./][\p{Lu}\d]+)*[-_./]?\d+(?=\s\p{L})/u;
const BEFORE_TITLE = /^(?<number>\p{Lu}[\p{Lu}\d]*(?:[-_./][\p{Lu}\d]+)*[-_./]\d+)\s+\p{L}{3}/u;
/** A version and nothing else, a date and nothing else. */
const NUMBERED = /^v?\.?\s*(?:\d+(?:\.\d+){0,2}|[A-Z])$/iu;
const WRITTEN_DATE =
  /^(?:\d{4}-\d{1,2}-\d{1,2}|\d{4}\.\d{1,2}\.\d{1,2}|\d{4}\/\d{1,2}\/\d{1,2}|\d{1,2}[./]\s?\d{1,2}[./]\s?(?:\d{2}|\d{4}))$/u;

/** `Version: 1.2`, `Document Version: 1.2`, or a row of a table of keys and values: the first whose value fits. */
function labelled(
  corpus: Corpus,
  read: ReadDocument,
  { key, names }: { readonly key: string; readonly names: readonly string[] },
): Found | undefined {
  const fits = fitting(key);
  const covers = coversOf(corpus.metadataFields)(read);
  const labels = labelsOf(read);
  const bare = (text: string) => {
    const known = labels.get(text) ?? bareLabel(text);
    labels.set(text, known);
    return known;
  };
  const wanted = new Set(names.map(bare));
  const isLabel = (text: string) => {
    const label = bare(text);
    return wanted.has(label) || wanted.has(label.replace(/^(?:document|dokument|doc)[\s-]+/, ''));
  };
  const isShared = (text: string) => {
    const parts = bare(text).split(/\s(?:and|und)\s|\s?[/&]\s?/u);
    return parts.length === 2 && parts.some((part) => wanted.has(part));
  };
  for (const block of read.document.blocks.slice(0, FRONT_BLOCKS)) {
    const { role } = read.passages[block.index]!;
    if (role === 'guidance' || role === 'example' || role === 'catalogue' || role === 'toc') continue;
    if (block.cells) {
      const shared =
        block.cells.length === 2 && isShared(block.cells[0]!.text) ? sharedValue(block, key) : undefined;
      if (shared) return shared;
      const at = block.cells.findIndex((cell) => isLabel(cell.text));
      const value = block.cells[at + 1];
      // Two columns are a key and its value, even where the reader took the first row for a header.
      const hasHeader = (read.tables[read.tableOf[block.index]!]?.headerBlocks.length ?? 0) > 0;
      const isPair =
        at === 0 &&
        block.cells.length === 2 &&
        (read.tables[read.tableOf[block.index]!]?.columns.length ?? 0) <= 3;
      const isGrid = at >= 0 && at % 2 === 0 && !hasHeader;
      const isCover = at === 0 && covers.has(read.tableOf[block.index]!);
      // Two titles beside each other are the head of a table, whose rows may stand in the next one; a letter may be a version.
      const title = compactTitle(value?.text ?? '');
      const isHead = title.length > 1 && meaningOfTitles().has(title);
      if (value !== undefined && !isHead && (isPair || isGrid || isCover) && fits(value.text.trim())) {
        return {
          block: block.index,
          // Of an empty field its name is what can be shown.
          start: value.text.trim() === '' ? block.cells[at]!.start : value.start,
          end: value.end,
          value: value.text.trim(),
          around: `x: ${value.text}`,
        };
      }
      continue;
    }
    if (block.text.length > LONGEST_FIELD) continue;
    for (const part of colonsIn(read, block)) {
      if (!isLabel(part[1]!) || !fits(part[2]!.trim())) continue;
      const start = block.start + part.index;
      return {
        block: block.index,
        start,
        end: start + part[0].length,
        // Front matter: `version: "1.0"`.
        value: part[2]!.trim().replace(/^(["'])(.*)\1$/, '$2'),
        around: part[0],
      };
    }
  }
  return undefined;
}

/** "Version and date | v1.0, June 20, 2025": the part that is a value of the field. */
function sharedValue(block: Block, key: string): Found | undefined {
  const cell = block.cells![1]!;
  const pattern = key === 'date' ? FIRST_DAY : key === 'version' ? SHARED_VERSION : undefined;
  const value = pattern?.exec(cell.text)?.[0];
  if (value === undefined) return undefined;
  const start = cell.start + cell.text.indexOf(value);
  return { block: block.index, start, end: start + value.length, value, around: `x: ${value}` };
}
const SHARED_VERSION = /^(?:v\.?\s?)?\d+(?:\.\d+){0,3}(?=[,;\s]|$)/iu;

/** Tables that are covers whatever stands behind the values: three rows of them begin with names of metadata fields. */
const coversOf = onceFor((metadataFields: Corpus['metadataFields']) => {
  const names = new Set([...metadataFields.values()].flatMap((field) => field.names.map(bareLabel)));
  return onceFor((read: ReadDocument): ReadonlySet<number> => {
    const counts = new Map<number, number>();
    for (const block of read.document.blocks.slice(0, FRONT_BLOCKS)) {
      const first = block.cells?.[0];
      if (!first || first.column > 0 || !names.has(bareLabel(first.text))) continue;
      const table = read.tableOf[block.index]!;
      counts.set(table, (counts.get(table) ?? 0) + 1);
    }
    return new Set([...counts].filter(([, count]) => count >= FEWEST_FIELDS).map(([table]) => table));
  });
});
const FEWEST_FIELDS = 3;

/** Tables of the beginning with one row below titles that are names of fields, the first of them among these: covers that lie. */
const lyingCovers = onceFor((metadataFields: Corpus['metadataFields']) => {
  const names = new Set([...metadataFields.values()].flatMap((field) => field.names.map(bareLabel)));
  return onceFor((read: ReadDocument) =>
    read.tables.filter(({ columns, rows, headerBlocks }) => {
      const [row, more] = rows;
      if (!row || more || row.block >= FRONT_BLOCKS || headerBlocks.length === 0) return false;
      const role = read.passages[row.block]!.role;
      if (role === 'history' || role === 'example' || role === 'guidance') return false;
      const titles = columns.map((title) => bareLabel(title ?? ''));
      const fields = titles.filter((title) => names.has(title));
      return names.has(titles[0]!) && fields.length >= FEWEST_FIELDS && fields.length * 2 > titles.length;
    }),
  );
});

/** `| Document number | Version | Date |` above the only row of a table of the beginning. */
function underTitle(
  corpus: Corpus,
  read: ReadDocument,
  names: readonly string[],
  fits: (value: string) => boolean,
): Found | undefined {
  const wanted = new Set(names.map(bareLabel));
  for (const { columns, rows } of lyingCovers(corpus.metadataFields)(read)) {
    const column = columns.findIndex((title) => wanted.has(bareLabel(title ?? '')));
    const cell = rows[0]!.cells.get(column);
    if (!cell || !fits(cell.text.trim())) continue;
    const { block } = rows[0]!;
    const value = cell.text.trim();
    // Of an empty cell the row is what can be shown.
    const { start, end } = value === '' ? read.document.blocks[block]! : cell;
    return { block, start, end, value, around: `x: ${value}` };
  }
  return undefined;
}

/** "KD-010 Item definition" as the title of a document whose file is called by the same number. */
function beforeTitle(read: ReadDocument, fileName: string): Found | undefined {
  const title = read.document.blocks
    .slice(0, FRONT_BLOCKS)
    .find(({ index }) => read.passages[index]!.role === 'heading' || read.passages[index]!.role === 'body');
  const number = title && BEFORE_TITLE.exec(title.text)?.groups?.number;
  const file = fileName.replaceAll(/^.*\//gu, '');
  if (number === undefined || !file.startsWith(number) || /^[\p{L}\p{N}]/u.test(file.slice(number.length)))
    return undefined;
  const { index, start } = title!;
  return { block: index, start, end: start + number.length, value: number, around: `x: ${number}` };
}

/** Where names of metadata fields stand before a colon, in the lines of the beginning that have more than one. */
const namedFields = onceFor((metadataFields: Corpus['metadataFields']) => {
  const names = [...metadataFields.values()].flatMap((field) => field.names);
  const any = names.map((name) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(' ', '\\s+'));
  const pattern = new RegExp(
    `(?<=^|[\\n|;,.(·–]\\s*|\\s\\/\\s*)(?:document\\s+)?(${any.join('|')})\\s*[:=]`,
    'giu',
  );
  return onceFor((read: ReadDocument) =>
    frontLines(read).flatMap((block) => {
      const labels = [...block.text.matchAll(pattern)].map((label) => ({
        label,
        name: normaliseText(label[1]!),
      }));
      const isBeside =
        labels.length === 1 && nameless(metadataFields)(read).some((one) => one.block === block);
      return labels.length < 2 && !isBeside ? [] : [{ block, labels }];
    }),
  );
});

/** Several fields in one line: `Author: A. Keller. Reviewed by: T. Brandt`; a value ends where the next name begins. */
function amongFields(
  corpus: Corpus,
  read: ReadDocument,
  names: readonly string[],
  fits: (value: string) => boolean,
): Found | undefined {
  const wanted = new Set(names.map((name) => normaliseText(name)));
  for (const { block, labels } of namedFields(corpus.metadataFields)(read)) {
    for (const [at, { label, name }] of labels.entries()) {
      if (!wanted.has(name)) continue;
      const rest = block.text.slice(label.index, labels[at + 1]?.label.index ?? block.text.length);
      const around = /^[^\n|;·]*/u.exec(rest)![0].replace(/[\s.,(·–/-]+$/u, '');
      const value = around.slice(label[0].length).trim();
      if (!fits(value)) continue;
      const start = block.start + label.index;
      return { block: block.index, start, end: start + around.length, value, around };
    }
  }
  return undefined;
}

/** Lines that may hold fields: short paragraphs at the start, no headings, no guidance. */
const frontLines = onceFor((read: ReadDocument): readonly Block[] =>
  read.document.blocks.slice(0, FRONT_BLOCKS).filter((block) => {
    const { role } = read.passages[block.index]!;
    const isProse = role === 'body' || role === 'header_footer';
    return isProse && !block.cells && block.kind !== 'heading' && block.text.length <= LONGEST_FIELD;
  }),
);

const VERSION =
  /^(?:(?:version|revision|rev\.?|issue|edition|ausgabe|stand)\s*v?|v\.?)\s*(?<value>\d+(?:\.\d+){0,3}[a-z]?|[A-Z])$/iu;
const DATE =
  /^(?:\d{4}-\d{1,2}-\d{1,2}|\d{4}\.\d{1,2}\.\d{1,2}|\d{4}\/\d{1,2}\/\d{1,2}|\d{1,2}[./]\s?\d{1,2}[./]\s?\d{4}|\d{1,2}\.?\s+\p{L}{3,9}\.?\s+\d{4}|\p{L}{3,9}\.?\s+\d{1,2}(?:st|nd|rd|th)?,?\s+\d{4})$/u;

/**
 * Fields without names, or with names and no colon: `Version 1.3, 2026-04-02, released`, `Author Ann Lee; reviewer T. Brandt`. Each part
 * of the sentence is a field and nothing else, but for few of few words, which may name the document or who made it.
 */
function inFrontLine(corpus: Corpus, read: ReadDocument, key: string): Found | undefined {
  if (!NAMELESS.includes(key)) return undefined;
  for (const { block, parts } of nameless(corpus.metadataFields)(read)) {
    const part = parts.find(({ field }) => field?.key === key);
    if (!part) continue;
    const { value } = part.field!;
    const start = block.start + part.at;
    return { block: block.index, start, end: start + part.text.length, value, around: `x: ${value}` };
  }
  return undefined;
}

interface Part {
  readonly text: string;
  readonly at: number;
}
interface FieldPart {
  readonly key: string;
  readonly value: string;
}

/** Sentences of the beginning that are nothing but fields, with their parts. */
const nameless = onceFor((metadataFields: Corpus['metadataFields']) => {
  const labels = LABELLED.map((key) => {
    const own = metadataFields.get(key)?.names ?? [];
    // "released 23.02.2024"
    const names = key === 'approval_date' ? [...own, ...(metadataFields.get('approver')?.names ?? [])] : own;
    const any = names.map((name) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(' ', '\\s+'));
    return { key, pattern: new RegExp(`^(?:${any.join('|')})\\s*(?::|\\s)\\s*(?<value>\\S.*)$`, 'iu') };
  });
  const labelledPart = (text: string): FieldPart | undefined => {
    for (const { key, pattern } of labels) {
      const value = pattern.exec(text)?.groups?.value;
      if (value !== undefined && FITS[key]!(value)) return { key, value };
    }
    return undefined;
  };
  return onceFor((read: ReadDocument) =>
    frontLines(read).flatMap((block) =>
      partsOf(block.text, SENTENCE).flatMap((sentence) => {
        const parts = fieldParts(sentence, block.text, labelledPart);
        const others = parts.filter(({ field }) => field === undefined);
        const told = parts.filter(({ field }) => field !== undefined);
        const isProse =
          others.length > Math.max(1, told.length - 1) ||
          others.some(({ text }) => text.split(' ').length > 4);
        const isEnough = told.filter(({ field }) => field!.key !== NUMBER).length >= 2;
        return isProse || !isEnough ? [] : [{ block, parts }];
      }),
    ),
  );
});

function fieldParts(
  sentence: Part,
  whole: string,
  labelledPart: (text: string) => FieldPart | undefined,
): readonly (Part & { readonly field?: FieldPart | undefined })[] {
  const parts: (Part & { readonly field?: FieldPart | undefined })[] = [];
  for (const { text, at: within } of partsOf(sentence.text, PART)) {
    const at = sentence.at + within;
    const before = parts.at(-1);
    // "Authors Ann Lee, Tom Ray"
    if (before?.field && OF_PERSONS.includes(before.field.key) && PERSON.test(text)) {
      const value = `${before.field.value}, ${text}`;
      parts[parts.length - 1] = {
        ...{ text: whole.slice(before.at, at + text.length), at: before.at },
        field: { ...before.field, value },
      };
      continue;
    }
    const key = kindOfPart(text) ?? (within === 0 && OWN_NUMBER.test(text) ? NUMBER : undefined);
    const value = key === 'version' ? VERSION.exec(text)!.groups!.value! : text;
    parts.push({ text, at, field: key === undefined ? labelledPart(text) : { key, value } });
  }
  return parts;
}

/** Ends of sentences; "Rev. B", "2. April" and "Dr. Lee" go on. */
const SENTENCE = /(?<!(?:^|[\s-])(?:rev|v|no|nr|doc|dr|prof|ing|\p{L}|\d{1,2}))\.(?:\s+|$)|\n/giu;
const PART =
  /(?<!\p{Lu}\p{L}{2,8}\.?\s\d{1,2}(?:st|nd|rd|th)?),|,(?!\s\d{4}(?!\d))|[;|()–·—]|\s[-/]\s|\s+(?:vom|of|dated|from|on|am|as\s+of|seit)\s+/giu;

function partsOf(text: string, cut: RegExp): readonly Part[] {
  const cuts = [...text.matchAll(cut)].map(({ 0: { length }, index }) => ({ index, end: index + length }));
  return [{ index: 0, end: 0 }, ...cuts].flatMap(({ end }, at) => {
    const part = text.slice(end, cuts[at]?.index ?? text.length);
    const trimmed = part.trim();
    return trimmed === '' ? [] : [{ text: trimmed, at: end + part.indexOf(trimmed) }];
  });
}

/** Fields that a line may give without their names, or without a colon behind them. */
const NUMBER = 'document_id';
const OF_PERSONS: readonly string[] = ['author', 'reviewer', 'approver'];
const LABELLED: readonly string[] = [NUMBER, 'status', ...OF_PERSONS, 'approval_date'];
const NAMELESS: readonly string[] = ['version', 'date', ...LABELLED];
/** The number of a document before its version: letters in capitals and digits with a hyphen. */
const OWN_NUMBER = /^\p{Lu}[\p{Lu}\d]*(?:[-_./][\p{Lu}\d]+)*[-_./]?\d+$/u;
/** The same behind a word for it: of several parts, digits or not. */
const NAMED_NUMBER = /^\p{Lu}[\p{Lu}\d]*(?:(?:[-_./][\p{Lu}\d]+)+|[-_./]?\d+)$/u;
/** Two to four words in capitals, an initial among them, and a title before them. */
const PERSON =
  /^(?:(?:Dr|Prof|Ing|Mr|Mrs|Ms|Frau|Herr)\.?\s+){0,2}(?:\p{Lu}[\p{L}'’-]*\.?\s+){1,3}\p{Lu}\p{Ll}[\p{L}'’-]*$/u;
const FITS: Readonly<Record<string, (value: string) => boolean>> = {
  document_id: (value) => NAMED_NUMBER.test(value),
  status: (value) => statusWords().has(normaliseText(value)),
  author: (value) => PERSON.test(value),
  reviewer: (value) => PERSON.test(value),
  approver: (value) => PERSON.test(value),
  approval_date: (value) => DATE.test(value),
};

function kindOfPart(text: string): 'version' | 'date' | 'status' | undefined {
  if (VERSION.test(text)) return 'version';
  if (DATE.test(text)) return 'date';
  return statusWords().has(normaliseText(text)) ? 'status' : undefined;
}

let statuses: ReadonlySet<string> | undefined;

function statusWords(): ReadonlySet<string> {
  const { obsolete, draft, reviewed, released } = stateWords();
  statuses ??= new Set([obsolete, draft, reviewed, released].flat().map((word) => normaliseText(word)));
  return statuses;
}

/** "Rev | Date | Contents of change | By" at the beginning, whatever the heading above it is called. */
function listsVersions({ columns, rows }: ReadDocument['tables'][number]): boolean {
  const [first = '', second = ''] = columns.map((title) => meaningOfTitles().get(compactTitle(title ?? '')));
  return (
    first === 'version' &&
    second === 'date' &&
    rows.length > 0 &&
    rows[0]!.block < FRONT_BLOCKS &&
    rows.every(({ cells }) => NUMBERED.test(cells.get(0)?.text.trim() ?? ''))
  );
}

/** The last row of the change history says version, date and author. */
function inHistory(read: ReadDocument, names: readonly string[]): Found | undefined {
  const wanted = names.map(bareLabel);
  for (const table of read.tables) {
    const first = table.headerBlocks[0] ?? table.rows[0]?.block;
    if (first === undefined || (read.passages[first]!.role !== 'history' && !listsVersions(table))) continue;
    const column = table.columns.findIndex((title) => {
      const text = bareLabel(title ?? '');
      return (
        wanted.includes(text) ||
        (wanted.includes('author') && /^(?:editor|name|bearbeiter|verfasser)$/.test(text))
      );
    });
    if (column < 0) continue;
    const row = table.rows.findLast((one) => isFilled(one.cells.get(column)?.text ?? ''));
    const cell = row?.cells.get(column);
    if (row && cell) {
      return {
        block: row.block,
        start: cell.start,
        end: cell.end,
        value: cell.text.trim(),
        around: `x: ${cell.text}`,
      };
    }
  }
  return undefined;
}

const titlesOf = onceFor((names: readonly string[]) => names.map((name) => headingTokens(name).join(' ')));

const headingsOf = onceFor((read: ReadDocument) =>
  read.sections.flatMap((section) =>
    section.heading === undefined ? [] : [{ section, title: headingTokens(section.title).join(' ') }],
  ),
);

/** References, abbreviations and the change history are sections. */
function asHeading(read: ReadDocument, names: readonly string[]): Found | undefined {
  const wanted = titlesOf(names);
  for (const { section, title } of headingsOf(read)) {
    if (!wanted.includes(title)) continue;
    const content = read.passages.slice(section.start, section.end).find((passage) => {
      const cells = read.document.blocks[passage.blockIndex]!.cells;
      const texts = cells ? cells.map((cell) => cell.text) : [passage.text];
      return (
        passage.role !== 'guidance' &&
        passage.role !== 'heading' &&
        !passage.header &&
        texts.some((text) => isFilled(text))
      );
    });
    if (!content) continue;
    const cell = read.document.blocks[content.blockIndex]!.cells?.find((one) => one.text.trim() !== '');
    const { start, end } = cell ?? content;
    return { block: content.blockIndex, start, end, value: bareHeading(section.title), around: '' };
  }
  return undefined;
}
