import type { DocumentType } from '../document-types/document-type.js';
import { tableWords } from '../document-types/template-words.js';
import { type Sentence, say } from '../sentences/sentence.js';
import { normaliseText } from '../text/normalise.js';
import { tokenise } from '../text/tokenise.js';
import { artifactTypeWords } from '../words/artifact-types.js';
import { compactTitle, meaningOfTitles } from '../words/column-titles.js';
import { referenceLabels } from './passages/heading-topics.js';
import { bareHeading, headingTokens } from './passages/headings.js';
import type { ReadDocument } from './passages/passages-of.js';
import { isCode } from './passages/tables.js';
import { matchSections } from './section-state.js';
import { matchTable } from './template-columns.js';

/** A document, or a section of one, that is a work product of a type. */
export interface DocumentPart {
  readonly documentId: string;
  readonly typeId: string;
  /** Half-open range of blocks. */
  readonly start: number;
  readonly end: number;
  /** True for the whole document, false for a section or sheet of it. */
  readonly whole: boolean;
  readonly confidence: 'high' | 'medium' | 'low';
  /** What it was known by, for a person. */
  readonly reasons: readonly Sentence[];
}

/** Before an alias, these make it the topic of another document: "verification report of the HARA". */
const PREPOSITIONS = new Set(
  'of for on from to about des der zum zur von vom fur uber aus im in and und with'.split(' '),
);
/** After an alias, these make it another thing: "safety goals", "HARA review". */
const OTHER_THINGS = new Set(
  'review checklist template guideline training meeting minutes comments pruefung vorlage richtlinie schulung checkliste protokoll tool process prozess interface level audit'.split(
    ' ',
  ),
);
/** A section is a work product of its own from this many words on. */
const SUBSTANTIAL_WORDS = 40;
const TITLE_BLOCKS = 12;
/** What a document is shows in its first sections; an export has one for each of its thousands of requirements. */
const MOST_SECTIONS = 1_000;
/** A name alone, a telling table alone, or fitting sections with a fitting table; sections alone say too little. */
const SURE_SCORE = 4;
/** So many columns of a template are no accident. */
const TELLING_COLUMNS = 6;
const LONGEST_SHEET_NAME = 31;

interface NamedDocument {
  readonly fileName: string;
  /** Type given by whoever uploaded it; then only that type is taken for the whole document. */
  readonly documentType?: string;
  readonly read: ReadDocument;
}

/**
 * Types of a document by file name, title, headings and table columns. A document may be of several types
 * (a software document with requirements and architecture), and may hold further work products as sections.
 */
export function detectDocumentTypes(
  { fileName, documentType, read }: NamedDocument,
  types: readonly DocumentType[],
): readonly DocumentPart[] {
  const end = read.document.blocks.length;
  const parts: DocumentPart[] = [];
  const whole = (typeId: string, confidence: DocumentPart['confidence'], reasons: readonly Sentence[]) =>
    parts.push({ documentId: read.documentId, typeId, start: 0, end, whole: true, confidence, reasons });

  if (documentType !== undefined && types.some((type) => type.id === documentType)) {
    whole(documentType, 'high', [say('reading.type-given')]);
  } else {
    const called = calledBy(fileName, read, types);
    const scored = types
      .map((type) => ({ type, ...scoreOf(type, called, read) }))
      .filter((entry) => entry.score >= SURE_SCORE)
      .sort((a, b) => b.score - a.score);
    const best = scored[0]?.score ?? 0;
    for (const { type, score, named, reasons } of scored) {
      if (score === best || (named && score >= best / 2)) {
        whole(type.id, score > SURE_SCORE ? 'high' : 'medium', reasons);
      }
    }
    const byIds = parts.length === 0 ? typeByIds(read, types) : undefined;
    if (byIds) whole(byIds.id, 'medium', [say('reading.ids-say', { count: byIds.rows })]);
  }
  for (const part of sectionParts(read, types)) {
    if (!parts.some((other) => other.whole && other.typeId === part.typeId)) parts.push(part);
  }
  return parts;
}

/**
 * The type that `detectDocumentTypes` names first for the whole document; none where it names none. Cheaper: sections
 * are compared only where they decide between types.
 */
export function typeOfWhole(
  named: Omit<NamedDocument, 'documentType'>,
  types: readonly DocumentType[],
): string | undefined {
  const called = calledBy(named.fileName, named.read, types);
  const known = types.map((type) => ({ type, ...knownBefore(type, called, named.read) }));
  const reachable = known.filter(({ score }) => isReachable(score));
  const [only] = reachable;
  if (!only) return typeByIds(named.read, types)?.id;
  if (reachable.length === 1 && only.score >= SURE_SCORE) return only.type.id;
  return detectDocumentTypes(named, types).find((part) => part.whole)?.typeId;
}

/** What sections alone add at most. */
const MOST_BY_SECTIONS = 2;

/** A name or title, taken apart once. */
interface Title {
  readonly text: string;
  readonly words: readonly string[];
}

/** Name of a document, or what it calls itself. */
interface Call extends Title {
  /** One of its parts names a type whose documents are about others: the other parts are its topic. */
  readonly hasTopic: boolean;
  /** Behind the name of such a type its topic begins: "Confirmation review HARA". Number of a word. */
  readonly topicFrom: number;
  /** A type is named by more than an abbreviation of two letters, which may be any part of a number. */
  readonly isSpelt: boolean;
}

interface Called {
  readonly file: Call;
  readonly titles: readonly Call[];
}

const titleOf = (text: string): Title => ({ text, words: wordsOf(text) });

const namesByType = new WeakMap<DocumentType, readonly Title[]>();

function namesOf(type: DocumentType): readonly Title[] {
  let names = namesByType.get(type);
  if (!names) {
    const told = [...type.aliases, ...(type.titles ?? []), type.name.en, type.name.de];
    names = [...new Set(told.flatMap(spellings))].map(titleOf);
    namesByType.set(type, names);
  }
  return names;
}

/** German compounds are written with a hyphen or without ("Item-Definition"), umlauts of file names in two letters ("Pruefbericht"). */
function spellings(name: string): readonly string[] {
  const joined = name.replace(/(?<=\p{Ll})-(\p{L})/gu, (_, letter: string) => letter.toLowerCase());
  return [name, joined].flatMap((one) => [one, one.replace(/[äöüßÄÖÜ]/g, (letter) => TWO_LETTERS[letter]!)]);
}
const TWO_LETTERS: Readonly<Record<string, string>> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  ß: 'ss',
  Ä: 'Ae',
  Ö: 'Oe',
  Ü: 'Ue',
};

function calledBy(fileName: string, read: ReadDocument, types: readonly DocumentType[]): Called {
  const stem = fileName.replace(/^.*[\\/]/, '').replace(/\.[^.]{1,8}$/, '');
  const callOf = (text: string): Call => {
    const title = titleOf(text);
    const ends = types
      .filter(({ isAboutOthers }) => isAboutOthers)
      .flatMap((type) => namesOf(type).map((name) => ({ name, at: placeOfName(title, name) })))
      .flatMap(({ name, at }) => (at === undefined ? [] : [at + name.words.length]));
    const isSpelt = types.some((type) =>
      namesOf(type).some((name) => !isShort(name) && placeOfName(title, name) !== undefined),
    );
    return {
      ...title,
      hasTopic: hasTopic(text, types),
      topicFrom: Math.max(...ends, 0) || Infinity,
      isSpelt,
    };
  };
  return { file: callOf(stem), titles: titlesOf(read).map(callOf) };
}

/** "Test specification – functional safety concept" is a test specification. */
function hasTopic(text: string, types: readonly DocumentType[]): boolean {
  const parts = text.split(/\s[-–—|]\s|[:;/]\s|[()]/u).filter((part) => part.trim() !== '');
  if (parts.length < 2) return false;
  const others = types.filter(({ isAboutOthers }) => isAboutOthers);
  return parts
    .map(titleOf)
    .some((part) => others.some((type) => namesOf(type).some((name) => namesType(part, name))));
}

/** So many rows of one kind are what a document is made of. */
const FEWEST_ROWS = 5;

/** The type whose artifacts most rows of the tables define, by the beginnings of their ids ("TSA-100"). */
function typeByIds(
  { records, passages }: ReadDocument,
  types: readonly DocumentType[],
): { readonly id: string; readonly rows: number } | undefined {
  const counts = new Map<string, number>();
  let all = 0;
  for (const { rows } of records) {
    for (const { block, cells } of rows) {
      const first = cells.get(0)?.text.trim() ?? '';
      if (cells.size < 3 || passages[block]!.role !== 'body' || !isCode(first)) continue;
      all++;
      const type = documentOfPrefix().get(/^\p{L}+/u.exec(first)?.[0] ?? '');
      if (type !== undefined) counts.set(type, (counts.get(type) ?? 0) + 1);
    }
  }
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  if (!most || most[1] < FEWEST_ROWS || most[1] * 2 <= all) return undefined;
  return types.some(({ id }) => id === most[0]) ? { id: most[0], rows: most[1] } : undefined;
}

let byPrefix: ReadonlyMap<string, string> | undefined;

/** The type of document that is made of artifacts whose ids begin so. */
function documentOfPrefix(): ReadonlyMap<string, string> {
  byPrefix ??= new Map(
    Object.values(artifactTypeWords().types).flatMap(({ prefixes, documents: [document] }) =>
      document === undefined ? [] : prefixes.map((prefix) => [prefix, document] as const),
    ),
  );
  return byPrefix;
}

/** Whether sections may make it enough. Comparing every heading with every section is dear. */
const isReachable = (score: number): boolean => score + MOST_BY_SECTIONS >= SURE_SCORE;

/** What name, title and tables say, before any section is compared. */
function knownBefore(type: DocumentType, { file, titles }: Called, read: ReadDocument) {
  const reasons: Sentence[] = [];
  let score = 0;
  const names = namesOf(type);
  const nameIn = (call: Call): Title | undefined =>
    call.hasTopic && !type.isAboutOthers
      ? undefined
      : names.find((alias) => {
          const place = placeOfName(call, alias);
          if (place === undefined || (isShort(alias) && call.isSpelt)) return false;
          return type.isAboutOthers === true || place < call.topicFrom;
        });
  const byFile = nameIn(file);
  if (byFile) {
    score += 4;
    reasons.push(say('reading.file-name-says', { name: byFile.text }));
  }
  const byTitle = titles.flatMap((title) => nameIn(title) ?? [])[0];
  if (byTitle) {
    score += 4;
    reasons.push(say('reading.title-says', { name: byTitle.text }));
  }
  const table = read.records
    // Goals on cards are in a concept as well as in the analysis that they follow from.
    .filter((one) => one.rows.length > 0 && !one.headed)
    .flatMap((one) => matchTable(one, type))
    .find((match) => match.columns.size >= Math.max(4, match.template.columns.length * 0.6));
  if (table) score += table.columns.size >= TELLING_COLUMNS ? SURE_SCORE : 2;
  return { score, named: Boolean(byFile || byTitle), reasons, table };
}

function scoreOf(type: DocumentType, called: Called, read: ReadDocument) {
  const { score, named, reasons, table } = knownBefore(type, called, read);
  const distinct = isReachable(score) ? sectionsFound(read, type) : 0;
  const isFound = distinct >= 3 && distinct >= type.sections.length * 0.3;
  if (isFound) {
    reasons.push(say('reading.expected-sections', { found: distinct, expected: type.sections.length }));
  }
  if (table) {
    reasons.push(say('reading.table-with-the-columns', { title: tableWords(table.template.title) }));
  }
  const bySections = !isFound ? 0 : distinct >= type.sections.length * 0.5 ? MOST_BY_SECTIONS : 1;
  return { score: score + bySections, named, reasons };
}

/** How many of the template's sections the document has. */
function sectionsFound(read: ReadDocument, type: DocumentType): number {
  const end = read.sections[MOST_SECTIONS]?.start ?? read.document.blocks.length;
  const sections = matchSections(read, { start: 0, end }, type);
  return new Set(sections.filter((match) => match.score >= 0.9).map((match) => match.template.key)).size;
}

function isReferenceLabel(label: string): boolean {
  const bare = normaliseText(label.replaceAll(/[_-]+/g, ' '));
  return referenceLabels().some((one) => normaliseText(one) === bare);
}

/** What a document calls itself: stored title, first heading, first lines. */
function titlesOf(read: ReadDocument): readonly string[] {
  const first: string[] = [];
  let isReference = false;
  for (const block of read.document.blocks.slice(0, TITLE_BLOCKS)) {
    // "based-on: X-HARA 1.3", or a list of them below "references:", names other documents.
    const label = /^([\p{L}][\p{L} _-]{1,30}?)\s?:(?=\s|$)/u.exec(block.text)?.[1];
    if (label !== undefined) isReference = isReferenceLabel(label);
    else if (block.kind !== 'paragraph' || !/^\s*[-•*]\s/u.test(block.text)) isReference = false;
    if (isReference) continue;
    // "Title | Hazards and risks" of a cover.
    const [key, title, ...others] = block.cells ?? [];
    if (title && others.length === 0 && isTitleLabel(key!.text)) first.push(title.text);
    const isLine = block.kind === 'paragraph' && block.text.length <= 120 && !/[.;,!?:]\s*$/.test(block.text);
    if (block.kind === 'heading' || isLine) first.push(block.text);
    if (block.kind === 'heading' && first.length > 2) break;
  }
  const sheets = read.sections.filter((section) => section.level === 0).map((section) => section.title);
  const stored = read.document.properties.title;
  return [...(stored ? [stored] : []), ...first, ...sheets.slice(0, 1)].map(bareHeading);
}

const isTitleLabel = (text: string): boolean => meaningOfTitles().get(compactTitle(text)) === 'name';

/** "CR", "RFC": too short to be sure beside a name that is spelt out. */
const isShort = ({ text }: Title): boolean => /^[A-ZÄÖÜ&]{2}$/u.test(text);

const namesType = (title: Title, name: Title): boolean => placeOfName(title, name) !== undefined;

/**
 * Where a title or file name names a document of the type, as the number of a word: the alias is there, is not the topic of
 * something else and not part of another name.
 */
function placeOfName(
  { text: title, words }: Title,
  { text: alias, words: wanted }: Title,
): number | undefined {
  // Nearly all names are not there: this is asked for every name of every type. Cut words are never the first.
  if (wanted.length > 0 && !words.includes(wanted[0]!)) return undefined;
  const isAcronym = /^[A-ZÄÖÜ&]{2,6}$/.test(alias);
  const isCut = title.length >= LONGEST_SHEET_NAME - 1 && title.length <= LONGEST_SHEET_NAME;
  if (isCoordinated(words, wanted)) return words.lastIndexOf(wanted[0]!);
  for (let at = 0; at + wanted.length <= words.length; at++) {
    if (
      !wanted.every((word, offset) =>
        sameWord(words[at + offset]!, word, isCut && offset > 0 && at + offset === words.length - 1),
      )
    )
      continue;
    if (isAcronym && !new RegExp(`(?<![A-Za-z])${alias}(?![a-z])`, 'u').test(title)) continue;
    const before = words[at - 1];
    const beforeThat = words[at - 2];
    const after = words[at + wanted.length];
    const isTopic =
      before !== undefined &&
      (PREPOSITIONS.has(before) ||
        (/^(?:the|der|des|dem|den|das|die)$/.test(before) && beforeThat !== undefined)) &&
      before !== 'and' &&
      before !== 'und';
    if (isTopic || (after !== undefined && OTHER_THINGS.has(after))) continue;
    return at;
  }
  return undefined;
}

/** A sheet name is cut at 31 characters: its last word may be a part of the wanted one. */
function sameWord(word: string, wanted: string, cut: boolean): boolean {
  return word === wanted || (cut && word.length >= 4 && wanted.startsWith(word));
}

/** "Software requirements and architecture" names the software architecture too. */
function isCoordinated(words: readonly string[], wanted: readonly string[]): boolean {
  const [first, second, third] = wanted;
  if (first === undefined || second === undefined || third !== undefined) return false;
  const and = words.findIndex((word, at) => (word === 'and' || word === 'und') && words[at + 1] === second);
  const start = words.lastIndexOf(first, and);
  return (
    and > 0 &&
    start >= 0 &&
    and - start <= 3 &&
    !words.slice(start, and).some((word) => PREPOSITIONS.has(word))
  );
}

function wordsOf(text: string): string[] {
  return tokenise(text.replace(/_/g, ' '))
    .filter((token) => !token.whole)
    .map((token) => normaliseText(token.word));
}

/** Sections whose heading is the name of a type and that hold enough to be one. */
function sectionParts(read: ReadDocument, types: readonly DocumentType[]): DocumentPart[] {
  const named = typesByHeading(types);
  const parts: DocumentPart[] = [];
  for (const section of read.sections) {
    const type = named.get(headingTokens(section.title).join(' '));
    if (!type || section.heading === undefined) continue;
    if (parts.some((part) => part.typeId === type.id && section.heading! < part.end)) continue;
    const words = read.passages
      .slice(section.start, section.end)
      .filter((passage) => passage.role === 'body')
      .reduce((sum, passage) => sum + (passage.text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0), 0);
    if (words === 0) continue;
    parts.push({
      documentId: read.documentId,
      typeId: type.id,
      start: section.heading,
      end: section.end,
      whole: false,
      confidence: words >= SUBSTANTIAL_WORDS ? 'medium' : 'low',
      reasons: [say('reading.the-section', { title: section.title.trim() })],
    });
  }
  return parts;
}

const headingsOfTypes = new WeakMap<readonly DocumentType[], ReadonlyMap<string, DocumentType>>();

/** The first of the types that a heading names. */
function typesByHeading(types: readonly DocumentType[]): ReadonlyMap<string, DocumentType> {
  let known = headingsOfTypes.get(types);
  if (!known) {
    const byHeading = new Map<string, DocumentType>();
    for (const type of types)
      for (const { text } of namesOf(type).filter((name) => !type.titles?.includes(name.text))) {
        const heading = headingTokens(text).join(' ');
        if (!byHeading.has(heading)) byHeading.set(heading, type);
      }
    known = byHeading;
    headingsOfTypes.set(types, known);
  }
  return known;
}
