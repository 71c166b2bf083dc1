import { z } from 'zod';
import type { DocumentType, TemplateSection } from '../document-types/document-type.js';
import { normaliseText } from '../text/normalise.js';
import { listSchema, patternOf, readWords } from '../words/read-words.js';
import { isGenericSentence } from './passages/guidance.js';
import {
  COMPLEMENT_SCORE,
  type HeadingTopic,
  headingTopic,
  type NamedTopic,
  namedTopics,
  nameScore,
  weightOf,
} from './passages/heading-topics.js';
import { bareHeading } from './passages/headings.js';
import type { Section } from './passages/outline.js';
import type { Passage } from './passages/passage.js';
import type { ReadDocument } from './passages/passages-of.js';
import { roleOfHeading } from './passages/section-roles.js';
import type { Table, TableRow } from './passages/tables.js';
import { isFilled, isOnlyPlaceholder } from './placeholders/emptiness.js';

/** How a section of a template is found in a document (domain D.3). */
export type SectionState =
  | 'complete'
  /** Less than 15 words of prose, no filled table row, no explained figure. */
  | 'thin'
  /** Nothing but open points. */
  | 'placeholder'
  /** Nothing, or only the template's instructions. */
  | 'empty'
  /** Points to another document. */
  | 'by_reference'
  /** Declared not applicable with a reason. */
  | 'tailored_out'
  /** Declared not applicable without a reason. */
  | 'declared_not_applicable'
  /** A figure without a word that could be read: a person has to look. */
  | 'figure_only';

export interface SectionContent {
  readonly state: SectionState;
  /** Passages that say something, in order. */
  readonly content: readonly Passage[];
  /** Words of prose. */
  readonly words: number;
  /** Table rows in which at least half of the titled cells are filled. */
  readonly filledRows: number;
  readonly emptyRows: number;
  readonly guidance: number;
}

/** Headings below this score are something else (domain D.3). */
export const HEADING_THRESHOLD = 0.7;
const MIN_WORDS = 15;
const MIN_REASON_WORDS = 5;

const statesSchema = z.strictObject({
  notApplicable: z.string(),
  noNeed: z.string(),
  byReference: z.string(),
  documentName: z.string(),
  obsolete: listSchema,
  draft: listSchema,
  reviewed: listSchema,
  released: listSchema,
});
/** Words about the state of sections and documents. */
export const stateWords = () => readWords('states', statesSchema);

/** What a range of blocks holds. Roles that count as content: body, and scope text for the section itself. */
export function contentOf(read: ReadDocument, from: number, to: number): SectionContent {
  const content: Passage[] = [];
  let words = 0;
  let filledRows = 0;
  let emptyRows = 0;
  let guidance = 0;
  let figures = 0;
  let open = 0;
  let listed = 0;
  let remarks = 0;
  for (let index = from; index < to; index++) {
    const passage = read.passages[index]!;
    if (passage.role === 'body') listed = Math.max(listed, listBelow(read, index).length);
    if (passage.role === 'guidance') guidance++;
    if (passage.role === 'figure') figures++;
    // Remarks of reviewers in a table are no content of the document, but whoever asks for them finds them here.
    if (passage.role === 'comment' && read.document.blocks[index]!.cells && isFilledRow(read, index))
      remarks++;
    if (passage.role !== 'body' && passage.role !== 'scope') continue;
    const block = read.document.blocks[index]!;
    if (block.cells) {
      if (block.table?.header) continue;
      if (isFilledRow(read, index)) {
        filledRows++;
        content.push(passage);
      } else emptyRows++;
    } else if (passage.text.trim() !== '' && !isGenericSentence(passage.text)) {
      if (isOnlyPlaceholder(passage.text)) {
        open++;
        continue;
      }
      content.push(passage);
      words += passage.text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
    }
  }
  const hasHole = [...new Set(read.tableOf.subarray(from, to))].some((id) => hasEmptyColumn(read.tables[id]));
  const state = stateOf({ content, words, filledRows, emptyRows, figures, open, hasHole, listed, remarks });
  return { state, content, words, filledRows, emptyRows, guidance };
}

/** So many items say what a sentence of `MIN_WORDS` says. */
const FEWEST_LISTED = 3;
/** Words of an item of a list that says something under the line that leads to it: "Motor off". */
const ITEM_WORDS = 2;

/** Items of the list that a line with a colon at its end leads to, those that say something; their lead-in says what they are. */
export function listBelow(read: ReadDocument, index: number): readonly Passage[] {
  if (!/:\s*$/.test(read.passages[index]?.text ?? '')) return [];
  const items: Passage[] = [];
  for (let at = index + 1; read.document.blocks[at]?.kind === 'list_item'; at++) {
    const item = read.passages[at]!;
    const words = item.text.match(/\p{L}{2,}/gu)?.length ?? 0;
    if (item.role === 'body' && words >= ITEM_WORDS && !isOnlyPlaceholder(item.text)) items.push(item);
  }
  return items;
}

/** A cell that is only a mark: in such tables empty cells are answers. */
const MARK = /^[xX✓✔●•■]$/;

/** Whether a table row says something: more than half of its titled cells, and two, are filled. */
export function isFilledRow(read: ReadDocument, index: number): boolean {
  const block = read.document.blocks[index]!;
  const table = read.tables[read.tableOf[index]!];
  if (block.cells?.some((cell) => MARK.test(cell.text.trim()))) return true;
  const titled = table?.columns.filter((title) => title !== undefined && title !== '').length ?? 0;
  const cells = block.cells ?? [];
  const filled = cells.filter((cell) => isFilled(cell.text, table?.columns[cell.column]));
  if (titled === 0) return filled.length >= Math.min(2, cells.length);
  // A cell that is merged over several columns fills all of them.
  const columns = filled.reduce((sum, { span = 1 }) => sum + span, 0);
  return filled.length >= 2 && columns * 2 > titled;
}

const OPTIONAL_COLUMN = /optional|remark|comment|note|bemerkung|kommentar|anmerkung|hinweis/iu;

/** A titled column in which no row has a value, in a table that is no table of marks. */
function hasEmptyColumn(table: Table | undefined): boolean {
  if (!table || table.rows.length === 0) return false;
  const texts = table.rows.map((row) => textsByColumn(row, table.columns.length));
  if (texts.flat().some((text) => MARK.test(text))) return false;
  return table.columns.some(
    (title, column) =>
      title !== undefined &&
      title !== '' &&
      !OPTIONAL_COLUMN.test(title) &&
      texts.every((row) => !isFilled(row[column]!, title)),
  );
}

/** Texts of a row by column; one that is merged over several columns stands in each of them. */
function textsByColumn({ cells }: TableRow, columns: number): readonly string[] {
  const texts = Array.from({ length: columns }, () => '');
  for (const { text, column, span = 1 } of cells.values())
    for (let at = column; at < Math.min(column + span, columns); at++) texts[at] = text.trim();
  return texts;
}

function stateOf(found: {
  content: readonly Passage[];
  words: number;
  filledRows: number;
  emptyRows: number;
  figures: number;
  open: number;
  hasHole: boolean;
  listed: number;
  remarks: number;
}): SectionState {
  const { content, words, filledRows, emptyRows, figures, open, hasHole, listed, remarks } = found;
  const text = content.map((passage) => passage.text).join(' ');
  const states = stateWords();
  if (filledRows === 0 && words <= 60 && content.length <= 3) {
    const declared = patternOf(states.notApplicable).exec(text);
    if (declared) {
      const reason = text.replace(declared[0], ' ').match(/\p{L}+/gu)?.length ?? 0;
      return reason >= MIN_REASON_WORDS ? 'tailored_out' : 'declared_not_applicable';
    }
    const pointer = patternOf(states.byReference).test(text);
    if (pointer && patternOf(states.documentName, 'u').test(text) && words <= 40) return 'by_reference';
  }
  if (filledRows > 0)
    return filledRows >= emptyRows && (!hasHole || words >= MIN_WORDS) ? 'complete' : 'thin';
  if (words >= MIN_WORDS) return emptyRows > 0 ? 'thin' : 'complete';
  if (words > 0 && figures > 0) return 'complete';
  if (listed >= FEWEST_LISTED && emptyRows === 0) return 'complete';
  if (words > 0) return 'thin';
  if (figures > 0 && emptyRows === 0) return 'figure_only';
  if (open > 0) return 'placeholder';
  return remarks > 0 ? 'complete' : 'empty';
}

/** A section of a document that is a section of a template. */
export interface MatchedSection {
  readonly template: TemplateSection;
  readonly section: Section;
  /** Position in the outline of the document. */
  readonly position: number;
  readonly score: number;
}

/** What names a section of a template. */
interface SectionNames {
  readonly phrases: readonly NamedTopic[];
  /** Of all phrases: a heading without any of them names something else. */
  readonly tokens: ReadonlySet<string>;
}

const namesBySection = new WeakMap<TemplateSection, SectionNames>();

function namesOfSection(template: TemplateSection): SectionNames {
  let names = namesBySection.get(template);
  if (!names) {
    const phrases = [template.heading.en, template.heading.de, ...template.synonyms].flatMap(namedTopics);
    names = { phrases, tokens: new Set(phrases.flatMap(({ topic }) => topic.tokens)) };
    namesBySection.set(template, names);
  }
  return names;
}

/** A change history or list of abbreviations is no section of content, however its title sounds. */
function isBesideContent(section: Section): boolean {
  let isBeside = besideContent.get(section);
  if (isBeside === undefined) {
    const role = roleOfHeading(section.title);
    isBeside = role !== undefined && role.role !== 'scope';
    besideContent.set(section, isBeside);
  }
  return isBeside;
}

const besideContent = new WeakMap<Section, boolean>();

const topicBySection = new WeakMap<Section, HeadingTopic>();

function topicOf(section: Section): HeadingTopic {
  let topic = topicBySection.get(section);
  if (!topic) {
    topic = headingTopic(section.title);
    topicBySection.set(section, topic);
  }
  return topic;
}

const bareBySection = new WeakMap<Section, string>();

function bareTitle(section: Section): string {
  let bare = bareBySection.get(section);
  if (bare === undefined) {
    bare = normaliseText(bareHeading(section.title));
    bareBySection.set(section, bare);
  }
  return bare;
}

const namesOfType = new WeakMap<DocumentType, readonly string[]>();
const LONGEST_SHEET_NAME = 31;
/** The title stands at the start. */
const TITLE_SECTIONS = 3;

/** The title of the whole document, as a heading or a sheet (whose name is cut), is no section of its template. */
function namesTheType(section: Section, position: number, type: DocumentType): boolean {
  let names = namesOfType.get(type);
  if (!names) {
    names = [...type.aliases, type.name.en, type.name.de].map((name) => normaliseText(name));
    namesOfType.set(type, names);
  }
  const { title } = section;
  const bare = bareTitle(section);
  const isCut =
    section.level === 0 && title.length >= LONGEST_SHEET_NAME - 1 && title.length <= LONGEST_SHEET_NAME;
  const isTitle = position < TITLE_SECTIONS && section.level <= 1;
  return names.some(
    (name) =>
      name === bare ||
      (isCut && name.startsWith(bare)) ||
      (isTitle && name.includes(' ') && bare.includes(name)),
  );
}

function weigh(tokens: readonly string[]): number {
  return tokens.reduce((sum, token) => sum + weightOf(token), 0);
}

/**
 * Finds the template's sections among the headings of a range of blocks. The best pairs come first; a heading
 * serves a second section only when it names both ("Safe states and timing").
 */
export function matchSections(
  read: ReadDocument,
  range: { readonly start: number; readonly end: number },
  type: DocumentType,
): readonly MatchedSection[] {
  const inRange = read.sections.flatMap((section, position) => {
    const at = section.heading ?? section.start;
    if (at < range.start || at >= range.end || namesTheType(section, position, type)) return [];
    if (isBesideContent(section)) return [];
    return [{ section, position, topic: topicOf(section) }];
  });
  const byToken = new Map<string, number[]>();
  inRange.forEach(({ topic }, at) => {
    for (const token of topic.tokens) {
      const known = byToken.get(token);
      if (known) known.push(at);
      else byToken.set(token, [at]);
    }
  });
  const pairs = type.sections.flatMap((template) => {
    const { phrases, tokens } = namesOfSection(template);
    const sharing = new Set([...tokens].flatMap((token) => byToken.get(token) ?? []));
    return [...sharing]
      .sort((a, b) => a - b)
      .flatMap((at) => {
        const { section, position, topic } = inRange[at]!;
        const names = phrases.flatMap((phrase) => {
          const score = nameScore(topic, phrase);
          if (score < HEADING_THRESHOLD) return [];
          return [{ score, used: phrase.topic.tokens.filter((token) => topic.tokens.includes(token)) }];
        });
        names.sort((a, b) => b.score - a.score || weigh(b.used) - weigh(a.used));
        const [best] = names;
        return best ? [{ template, section, position, ...best, names }] : [];
      });
  });
  pairs.sort((a, b) => b.score - a.score || weigh(b.used) - weigh(a.used) || a.position - b.position);
  const taken = new Map<number, Set<string>>();
  const matches: MatchedSection[] = [];
  for (const { names, template, section, position } of pairs) {
    const before = taken.get(position) ?? new Set();
    // "Operating modes and environment": what shares a word with what was named may have another name of its own there.
    const name = names.find(({ used }) => used.every((token) => !before.has(token)));
    if (!name || (name.score === COMPLEMENT_SCORE && before.size > 0)) continue;
    for (const token of name.used) before.add(token);
    taken.set(position, before);
    matches.push({ template, section, position, score: name.score });
  }
  return matches;
}
