import { isWithin } from '../../corpus/corpus.js';
import { headingScore, headingTokens } from '../../corpus/passages/headings.js';
import type { Passage } from '../../corpus/passages/passage.js';
import { passageAt } from '../../corpus/passages/passages-of.js';
import { isFilled } from '../../corpus/placeholders/emptiness.js';
import type { MatchedTable } from '../../corpus/template-columns.js';
import type { TemplateColumn, TemplateSection } from '../../document-types/document-type.js';
import { tableWords } from '../../document-types/template-words.js';
import { statementsOf } from '../../facts/artifacts/statements-of.js';
import { statedInPart } from '../../facts/stated/stated-in-part.js';
import { type Sentence, say } from '../../sentences/sentence.js';
import { phraseFinder } from '../../text/phrases.js';
import { patternOf } from '../../words/read-words.js';
import type { CheckContext, CheckedPart } from './context.js';
import { completenessRules } from './rules.js';
import { ownTablesOf } from './tables.js';

/** Content of a section that has no heading of its own. */
export interface Unlabelled {
  /** For a person. */
  readonly reason: Sentence;
  readonly places: readonly { readonly passage: Passage; readonly start: number; readonly end: number }[];
}

const PLACES = 2;
/** Of one id alone it may be an example. */
const FEWEST_IDS = 2;
/** Fewer words are a title or a cell. */
const SHORTEST_STATEMENT = 8;
/** So many are a statement where the words are those of the section in this type of document. */
const SHORTEST_OF_ITS_OWN = 4;

/**
 * Looks for the content of sections that no heading names (domain D.3 step 5): the columns of a table of the
 * template, records with the identifiers of the section, a field of the cover, rows about it in a table of another
 * kind, what only such a section says, or two of its keywords in one statement.
 */
export function unlabelledContent(
  checked: CheckedPart,
  absent: readonly TemplateSection[],
  context: CheckContext,
): ReadonlyMap<string, Unlabelled> {
  const found = new Map<string, Unlabelled>();
  const tables = ownTablesOf(checked, context);
  const words = absent.length > 0 ? keywords(checked, absent) : new Map<string, Unlabelled>();
  for (const section of absent) {
    const content =
      byTable(section, tables, checked) ??
      byColumns(section, tables, checked) ??
      byRecords(section, checked, context) ??
      byFacts(section, checked, context) ??
      byArtifacts(section, checked) ??
      byCover(section, checked) ??
      byRows(section, checked) ??
      byStatement(section, checked) ??
      words.get(section.key);
    if (content) found.set(section.key, content);
  }
  return found;
}

function phrasesOf(section: TemplateSection): readonly string[] {
  return [section.heading.en, section.heading.de, ...section.synonyms];
}

/** What the rules say of the section in this type of document, else in every one. */
const ofSection = <Rule>(
  rules: Readonly<Record<string, Rule>>,
  { key }: TemplateSection,
  { typeId }: CheckedPart['part'],
): Rule | undefined => rules[`${typeId}.${key}`] ?? rules[key];

/** The table that has the section's name. */
function byTable(
  section: TemplateSection,
  tables: readonly MatchedTable[],
  checked: CheckedPart,
): Unlabelled | undefined {
  for (const { table, template, columns } of tables) {
    const title = headingTokens(template.title.replace(/\b(?:table|list|records?)\b/giu, ' '));
    const isNamed = phrasesOf(section).some((phrase) => {
      const wanted = headingTokens(phrase);
      return headingScore(title, wanted) === 1;
    });
    const cells = isNamed ? filledCells(table, [...columns.values()].flat()) : [];
    if (cells.length > 0) {
      return {
        reason: say('completeness.in-a-table-with-the-columns', { title: tableWords(template.title) }),
        places: placesOf(cells, checked),
      };
    }
  }
  return undefined;
}

const namesByColumn = new WeakMap<TemplateColumn, readonly (readonly string[])[]>();

/** The names of a template's column as words, taken apart once. */
function namesOf(column: TemplateColumn): readonly (readonly string[])[] {
  const known = namesByColumn.get(column) ?? column.names.map(headingTokens);
  namesByColumn.set(column, known);
  return known;
}

/** Columns that hold what the section is about, filled in half of the rows. */
function byColumns(
  section: TemplateSection,
  tables: readonly MatchedTable[],
  checked: CheckedPart,
): Unlabelled | undefined {
  const wanted = new Set([section.key, ...(completenessRules().sectionColumns[section.key] ?? [])]);
  const phrases = phrasesOf(section).map(headingTokens);
  for (const { table, template, columns } of tables) {
    const asked = template.columns.filter(
      (column) =>
        wanted.has(column.key) ||
        namesOf(column).some((name) => phrases.some((phrase) => headingScore(name, phrase) === 1)),
    );
    const here = asked.filter(({ key }) => {
      const places = columns.get(key) ?? [];
      return places.length > 0 && filledCells(table, places).length * 2 >= table.rows.length;
    });
    // Columns that a table may do without stand for others, and are not missed.
    const needed = asked.filter(({ required }) => required !== false);
    if (here.length === 0 || here.length * 2 < needed.length || table.rows.length === 0) continue;
    const places = here.flatMap(({ key }) => filledCells(table, columns.get(key)!).slice(0, 1));
    const titles = here.map(({ key }) => table.columns[columns.get(key)![0]!]!);
    return {
      reason: say('completeness.in-the-column-of-a-table', { titles }),
      places: placesOf(places, checked),
    };
  }
  return undefined;
}

interface FilledCell {
  readonly block: number;
  readonly start: number;
  readonly end: number;
}

function filledCells(table: MatchedTable['table'], columns: readonly number[]): readonly FilledCell[] {
  return table.rows.flatMap((row) => {
    const cell = columns
      .map((column) => row.cells.get(column))
      .find((one) => one !== undefined && isFilled(one.text, table.columns[one.column]));
    return cell ? [{ block: row.block, start: cell.start, end: cell.end }] : [];
  });
}

function placesOf(
  cells: readonly FilledCell[],
  { document }: Pick<CheckedPart, 'document'>,
): Unlabelled['places'] {
  return cells
    .slice(0, PLACES)
    .map(({ block, start, end }) => ({ passage: document.read.passages[block]!, start, end }));
}

/** Paragraphs "SG-01: …" under some other heading. */
function byRecords(
  section: TemplateSection,
  { document, part }: CheckedPart,
  { records }: CheckContext,
): Unlabelled | undefined {
  const families = completenessRules().sectionRecords[section.key];
  if (!families) return undefined;
  const own = document.read.passages.filter((passage) => {
    const record = records.get(passage.id);
    const isTold =
      passage.role === 'body' &&
      isWithin([part], passage) &&
      !document.read.document.blocks[passage.blockIndex]!.cells;
    return isTold && record !== undefined && families.includes(record.family);
  });
  if (own.length === 0) return undefined;
  const places = own.slice(0, PLACES).map((passage) => ({ passage, start: passage.start, end: passage.end }));
  return {
    reason: say('completeness.with-such-an-identifier', { own: own.length }),
    places,
  };
}

/** What rows, records and sentences state about ids, whatever their columns are called; of half of the ids at least. */
function byFacts(
  section: TemplateSection,
  { part }: CheckedPart,
  { corpus }: CheckContext,
): Unlabelled | undefined {
  const kinds = ofSection(completenessRules().sectionFacts, section, part);
  const told = kinds && statedInPart(corpus, part, kinds);
  if (!told) return undefined;
  return {
    reason: say('completeness.stated-with-identifiers', { told: told.length }),
    places: told.slice(0, PLACES),
  };
}

/** Artifacts of the kind of the section, or with links of its kind, wherever the document defines them. */
function byArtifacts(section: TemplateSection, { document, part }: CheckedPart): Unlabelled | undefined {
  const types: readonly string[] | undefined = ofSection(completenessRules().sectionArtifacts, section, part);
  const links: readonly string[] | undefined = completenessRules().sectionLinks[section.key];
  if (!types && !links) return undefined;
  const { passages } = document.read;
  const own = statementsOf(document).statements.flatMap((statement) => {
    const passage = passageAt(passages, statement.start);
    return passage && statement.kind === 'definition' && isWithin([part], passage)
      ? [{ ...statement, passage }]
      : [];
  });
  const found = own.filter(
    ({ type, references }) =>
      types?.includes(type) || [...references].some(({ role }) => links?.includes(role)),
  );
  if (found.length < FEWEST_IDS || (links && found.length * 2 < own.length)) return undefined;
  return {
    reason: say('completeness.stated-with-identifiers', { told: found.length }),
    places: found.slice(0, PLACES).map(({ passage }) => {
      const cells = document.read.document.blocks[passage.blockIndex]!.cells;
      const { start, end } = cells?.find(({ text }) => isFilled(text)) ?? passage;
      return { passage, start, end };
    }),
  };
}

/** A cover that says in one line what others say in a section: "Item definition | EPB7-ID-001, version 1.2". */
function byCover(section: TemplateSection, { document, part }: CheckedPart): Unlabelled | undefined {
  const phrases = phrasesOf(section).map(headingTokens);
  for (const { columns, headerBlocks, rows } of document.read.tables) {
    const first = headerBlocks[0] ?? rows[0]?.block;
    if (columns.length !== 2 || first === undefined || !isWithin([part], document.read.passages[first]!))
      continue;
    // What is read as the header may be the first field.
    for (const block of [...headerBlocks, ...rows.map((row) => row.block)]) {
      const [label, value] = document.read.document.blocks[block]!.cells ?? [];
      if (!label || !value || !isFilled(value.text) || document.read.passages[block]!.role !== 'body')
        continue;
      const title = headingTokens(label.text);
      if (!phrases.some((phrase) => headingScore(title, phrase) === 1)) continue;
      return {
        reason: say('completeness.in-a-field-of-the-cover', { label: label.text.trim() }),
        places: placesOf([{ block, start: value.start, end: value.end }], { document }),
      };
    }
  }
  for (const passage of document.read.passages.slice(part.start, part.start + COVER_BLOCKS)) {
    const [line, label, value] = LABELLED.exec(passage.text) ?? [];
    const isLine = document.read.document.blocks[passage.blockIndex]!.kind === 'paragraph';
    if (line === undefined || !label || !value || !isFilled(value) || !isLine) continue;
    const title = headingTokens(label);
    if (!phrases.some((phrase) => headingScore(title, phrase) === 1)) continue;
    return {
      reason: say('completeness.in-a-field-of-the-cover', { label: label.trim() }),
      places: [{ passage, start: passage.start, end: passage.end }],
    };
  }
  return undefined;
}

/** So many blocks at the beginning are the front of a document: "Basis: document D5, version 1.2". */
const COVER_BLOCKS = 25;
const LABELLED = /^\s*([\p{L}][\p{L} -]{2,30})\s?:\s+(\S.*)$/su;

/** Rows of any table whose first words name it: "Confidence in tools | EPB7-TL-012 | …". */
function byRows(section: TemplateSection, { document, part }: CheckedPart): Unlabelled | undefined {
  const wanted = ofSection(completenessRules().sectionRows, section, part);
  if (wanted === undefined) return undefined;
  const expression = patternOf(wanted);
  const found = document.read.tables.flatMap(({ rows }) =>
    rows.flatMap((row) => {
      const passage = document.read.passages[row.block]!;
      const filled = [...row.cells.values()].filter((cell) => isFilled(cell.text));
      const [first] = filled;
      if (passage.role !== 'body' || !isWithin([part], passage) || filled.length < 2) return [];
      return first && expression.test(first.text)
        ? [{ block: row.block, start: first.start, end: first.end }]
        : [];
    }),
  );
  if (found.length === 0) return undefined;
  return {
    reason: say('completeness.in-rows-of-a-table', { rows: found.length }),
    places: placesOf(found, { document }),
  };
}

/** Words that only a statement of this section has, or its name of three words and more inside a sentence. */
function byStatement(section: TemplateSection, { document, part }: CheckedPart): Unlabelled | undefined {
  const wanted = ofSection(completenessRules().sectionStatements, section, part);
  const ofType =
    wanted !== undefined && wanted === completenessRules().sectionStatements[`${part.typeId}.${section.key}`];
  const expression = wanted === undefined ? undefined : patternOf(wanted);
  const find = phraseFinder(phrasesOf(section).filter((phrase) => phrase.trim().split(/\s+/).length >= 3));
  for (const passage of document.read.passages) {
    if (passage.role !== 'body' || passage.header || !isWithin([part], passage)) continue;
    const words = passage.text.match(/\p{L}{2,}/gu)?.length ?? 0;
    if (words < SHORTEST_OF_ITS_OWN) continue;
    const isLong = words >= SHORTEST_STATEMENT;
    const at =
      (isLong || ofType ? expression?.exec(passage.text)?.index : undefined) ??
      (isLong ? find(passage.text)[0]?.start : undefined);
    if (at === undefined) continue;
    const cell = document.read.document.blocks[passage.blockIndex]!.cells?.find(
      (one) => one.start <= passage.start + at && passage.start + at < one.end,
    );
    const { start, end } = cell ?? passage;
    return { reason: say('completeness.in-a-statement'), places: [{ passage, start, end }] };
  }
  return undefined;
}

/** Two keywords of the section, other than each other, in one statement. */
function keywords(
  { document, part }: CheckedPart,
  absent: readonly TemplateSection[],
): Map<string, Unlabelled> {
  const { shortestKeyword } = completenessRules();
  const entries = absent.flatMap((section) =>
    phrasesOf(section)
      .filter(
        (phrase) =>
          /\s/.test(phrase.trim()) || phrase.length >= shortestKeyword || /^\p{Lu}{3,}$/u.test(phrase),
      )
      .map((phrase) => ({ section: section.key, phrase, tokens: headingTokens(phrase) })),
  );
  const find = phraseFinder(entries.map(({ phrase }) => phrase));
  const found = new Map<string, Unlabelled>();
  for (const passage of document.read.passages) {
    if (passage.role !== 'body' || passage.header || !isWithin([part], passage)) continue;
    if ((passage.text.match(/\p{L}{2,}/gu)?.length ?? 0) < SHORTEST_STATEMENT) continue;
    const bySection = new Map<string, { tokens: readonly string[]; start: number; end: number }[]>();
    for (const match of find(passage.text)) {
      const { section, tokens } = entries[match.phrase]!;
      bySection.set(section, [
        ...(bySection.get(section) ?? []),
        { tokens, start: match.start, end: match.end },
      ]);
    }
    for (const [section, hits] of bySection) {
      if (found.has(section) || !hits.some((one) => hits.some((other) => areApart(one, other)))) continue;
      const cell = document.read.document.blocks[passage.blockIndex]!.cells?.find(
        (one) => one.start <= passage.start + hits[0]!.start && passage.start + hits[0]!.end <= one.end,
      );
      const { start, end } = cell ?? passage;
      found.set(section, {
        reason: say('completeness.its-keywords-stand-together-in-one'),
        places: [{ passage, start, end }],
      });
    }
  }
  return found;
}

function areApart(
  a: { tokens: readonly string[]; start: number; end: number },
  b: { tokens: readonly string[]; start: number; end: number },
): boolean {
  return a.end <= b.start && !a.tokens.some((token) => b.tokens.includes(token));
}
