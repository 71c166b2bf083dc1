import type { Evidence } from '../findings/finding.js';
import { type LocalWords, say } from '../sentences/sentence.js';
import { normaliseText } from '../text/normalise.js';
import { compactTitle, meaningOfTitles } from '../words/column-titles.js';
import { type Corpus, documentOf } from './corpus.js';
import type { DocumentPart } from './detect-document-types.js';
import { quote } from './evidence.js';
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
  const { read } = documentOf(corpus, documentId);
  const field = corpus.metadataFields.get(key);
  const names = field?.names ?? [key];
  const base = { key, label: field?.label ?? { en: key }, documentId };
  const found =
    amongFields(corpus, read, names, fitting(key)) ??
    labelled(read, names, fitting(key)) ??
    inFrontLine(read, key) ??
    inHistory(read, names) ??
    asHeading(read, names);
  if (found) {
    const passage = read.passages[found.block]!;
    const isOpen = !isFilled(found.value) || findPlaceholders(found.around, { metadata: true }).length > 0;
    const evidence = quote(read.document, passage, found, {
      role: isOpen ? 'counter' : 'support',
      note: say('general.written', { text: base.label }),
    });
    return { ...base, state: isOpen ? 'open' : 'present', value: found.value, evidence: [evidence] };
  }
  const property = PROPERTIES[key];
  const stored = property ? read.document.properties[property] : undefined;
  if (stored) return { ...base, state: 'file_property_only', value: stored, evidence: [] };
  return { ...base, state: 'missing', evidence: [] };
}

type Block = ReadDocument['document']['blocks'][number];

interface Found {
  readonly block: number;
  readonly start: number;
  readonly end: number;
  readonly value: string;
  /** Label and value. */
  readonly around: string;
}

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
  return () => true;
}

/** One word, or one with a number: "Document" may stand before a title as well. */
const NUMBER_OF_DOCUMENT = /^\S+$|^(?=.*\d)\S+(?:\s\S+){1,2}$/u;
/** A version and nothing else, a date and nothing else. */
const NUMBERED = /^v?\.?\s*(?:\d+(?:\.\d+){0,2}|[A-Z])$/iu;
const WRITTEN_DATE =
  /^(?:\d{4}-\d{1,2}-\d{1,2}|\d{4}\/\d{1,2}\/\d{1,2}|\d{1,2}[./]\s?\d{1,2}[./]\s?(?:\d{2}|\d{4}))$/u;

/** `Version: 1.2`, `Document Version: 1.2`, or a row of a table of keys and values: the first whose value fits. */
function labelled(
  read: ReadDocument,
  names: readonly string[],
  fits: (value: string) => boolean,
): Found | undefined {
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
  for (const block of read.document.blocks.slice(0, FRONT_BLOCKS)) {
    const { role } = read.passages[block.index]!;
    if (role === 'guidance' || role === 'example' || role === 'catalogue' || role === 'toc') continue;
    if (block.cells) {
      const at = block.cells.findIndex((cell) => isLabel(cell.text));
      const value = block.cells[at + 1];
      // Two columns are a key and its value, even where the reader took the first row for a header.
      const hasHeader = (read.tables[read.tableOf[block.index]!]?.headerBlocks.length ?? 0) > 0;
      const isPair =
        at === 0 && block.cells.length === 2 && read.tables[read.tableOf[block.index]!]?.columns.length === 2;
      const isGrid = at >= 0 && at % 2 === 0 && !hasHeader;
      // Two titles beside each other are the head of a table, whose rows may stand in the next one; a letter may be a version.
      const title = compactTitle(value?.text ?? '');
      const isHead = title.length > 1 && meaningOfTitles().has(title);
      if (value !== undefined && !isHead && (isPair || isGrid) && fits(value.text.trim())) {
        return {
          block: block.index,
          start: value.start,
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
      return labels.length < 2 ? [] : [{ block, labels }];
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
  /^(?:version|revision|rev\.?|issue|edition|ausgabe|stand|v\.?)\s*(?<value>\d+(?:\.\d+){0,3}[a-z]?|[A-Z])$/iu;
const DATE =
  /^(?:\d{4}-\d{1,2}-\d{1,2}|\d{4}\/\d{1,2}\/\d{1,2}|\d{1,2}[./]\s?\d{1,2}[./]\s?\d{4}|\d{1,2}\.?\s+\p{L}{3,9}\.?\s+\d{4}|\p{L}{3,9}\.?\s+\d{1,2}(?:st|nd|rd|th)?\s+\d{4})$/u;

/**
 * Fields without names: `Version 1.3, 2026-04-02, released`. Each part of the sentence is a field and nothing else, but for one of few
 * words, which may name the document.
 */
function inFrontLine(read: ReadDocument, key: string): Found | undefined {
  if (!NAMELESS.includes(key)) return undefined;
  for (const { block, parts } of nameless(read)) {
    const part = parts.find(({ kind }) => kind === key);
    if (!part) continue;
    const start = block.start + part.at;
    const value = key === 'version' ? VERSION.exec(part.text)!.groups!.value! : part.text;
    return { block: block.index, start, end: start + part.text.length, value, around: `x: ${value}` };
  }
  return undefined;
}

/** Sentences of the beginning that are nothing but fields, with their parts. */
const nameless = onceFor((read: ReadDocument) =>
  frontLines(read).flatMap((block) =>
    partsOf(block.text, SENTENCE).flatMap((sentence) => {
      const parts = partsOf(sentence.text, PART).map(({ text, at }) => ({
        text,
        at: sentence.at + at,
        kind: kindOfPart(text) ?? (sentence.at + at === 0 && OWN_NUMBER.test(text) ? NUMBER : undefined),
      }));
      const others = parts.filter(({ kind }) => kind === undefined);
      const isProse = others.length > 1 || others.some(({ text }) => text.split(' ').length > 4);
      const told = parts.filter(({ kind }) => kind !== undefined && kind !== NUMBER);
      return isProse || told.length < 2 ? [] : [{ block, parts }];
    }),
  ),
);

/** Ends of sentences; "Rev. B" and "2. April" go on. */
const SENTENCE = /(?<!(?:^|\s)(?:rev|v|\d{1,2}))\.(?:\s+|$)|\n/giu;
const PART = /[,;|()–·]|\s+(?:vom|of|dated|from|on|am|as\s+of|seit)\s+/giu;

function partsOf(text: string, cut: RegExp): readonly { readonly text: string; readonly at: number }[] {
  const cuts = [...text.matchAll(cut)].map(({ 0: { length }, index }) => ({ index, end: index + length }));
  return [{ index: 0, end: 0 }, ...cuts].flatMap(({ end }, at) => {
    const part = text.slice(end, cuts[at]?.index ?? text.length);
    const trimmed = part.trim();
    return trimmed === '' ? [] : [{ text: trimmed, at: end + part.indexOf(trimmed) }];
  });
}

/** Fields that a line may give without their names. */
const NAMELESS: readonly string[] = ['document_id', 'version', 'date', 'status'];
const NUMBER = 'document_id';
/** The number of a document before its version: letters in capitals and digits with a hyphen. */
const OWN_NUMBER = /^\p{Lu}[\p{Lu}\d]*(?:[-_./][\p{Lu}\d]+)*[-_./]?\d+$/u;

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

/** The last row of the change history says version, date and author. */
function inHistory(read: ReadDocument, names: readonly string[]): Found | undefined {
  const wanted = names.map((name) => normaliseText(name));
  for (const table of read.tables) {
    const first = table.headerBlocks[0] ?? table.rows[0]?.block;
    if (first === undefined || read.passages[first]!.role !== 'history') continue;
    const column = table.columns.findIndex((title) => {
      const text = normaliseText(title ?? '');
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
