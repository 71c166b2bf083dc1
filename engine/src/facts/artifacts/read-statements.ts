import type { PassageRole } from '../../corpus/passages/passage.js';
import { type ReadDocument, takeApart } from '../../corpus/passages/passages-of.js';
import type { Table } from '../../corpus/passages/tables.js';
import type { Block } from '../../documents/document.js';
import type { Location } from '../../documents/location.js';
import type { ArtifactType } from './artifact.js';
import { codeStatements } from './code-statements.js';
import { extractionWords } from './extraction-words.js';
import { idsInText } from './id-forms.js';
import { isDemand } from './id-stems.js';
import { inferType, typeAtPlace, typeOfId } from './infer-type.js';
import { newProseState, numberingPrefixes, type ProseState, readProse } from './prose-statements.js';
import type {
  DocumentStatements,
  LinkSentence,
  SourceDocument,
  Statement,
  StatementDraft,
  StatementSource,
} from './statement.js';
import type { StatementReading } from './statement-reading.js';
import { putHeadedCard, tableStatements } from './table-statements.js';

/** From the source of the demand to its proof; what has no place in the chain is not here. */
const ORDER: Partial<Record<ArtifactType, number>> = {
  hazardous_event: 0,
  safety_goal: 1,
  cybersecurity_goal: 1,
  functional_safety_requirement: 2,
  cybersecurity_requirement: 3,
  technical_safety_requirement: 3,
  hardware_requirement: 4,
  software_requirement: 4,
  design: 5,
  test: 6,
  evidence: 7,
};
/**
 * Roles of passages that state artifacts: examples, guidance, lists of changes and terms do not. What is about another item
 * is an artifact, too; who asks about one item leaves it out.
 */
const STATING: ReadonlySet<PassageRole> = new Set<PassageRole>([
  'body',
  'other_item',
  'heading',
  'code',
  'caption',
]);

/** Pass 1: everything that a document says about ids. Linear in its blocks. */
export function readStatements({ id, document, documentType, read }: SourceDocument): DocumentStatements {
  const source: StatementSource = {
    id,
    format: document.format,
    ...(documentType === undefined ? {} : { documentType }),
  };
  const taken = read ?? takeApart(id, document);
  const statements: StatementDraft[] = [];
  const sentences: LinkSentence[] = [];
  const { blocks } = taken.document;
  const reading: StatementReading = {
    source,
    words: extractionWords(),
    blocks,
    statements,
    sentences,
    timed: new Set(),
    tags: new Map(),
  };
  const demands = readBlocks(reading, taken);
  const title = documentTitle(reading);
  if (title) statements.splice(statements.indexOf(title), 1);
  for (const statement of statements) finishStatement(statement, reading);
  return { source, statements, sentences, demands: statements.length === 0 ? demands : [] };
}

/** Fewer artifacts below a heading with an id may be those that belong to it. */
const FEWEST_BELOW = 3;

/** "FSC-004 Functional Safety Concept" as the first heading of a document, above everything else with an id: the number of the document. */
function documentTitle({ statements, blocks, words }: StatementReading): StatementDraft | undefined {
  const [first, ...others] = statements;
  const heading = first?.titled ? blocks.find(({ kind }) => kind === 'heading') : undefined;
  if (!heading || heading.start !== first!.start || typeOfId(first!.id, words) !== undefined)
    return undefined;
  const isAbove = others.every(({ location }) => location.section?.[0] === heading.text);
  return isAbove && others.filter(({ id }) => id !== first!.id).length >= FEWEST_BELOW ? first : undefined;
}

/** Settles what only the whole statement tells. */
function finishStatement(statement: StatementDraft, { source, words, timed }: StatementReading): void {
  if (statement.columnType === undefined && typeOfId(statement.id, words) === undefined)
    statement.columnType = typeByFields(statement, timed.has(statement));
  statement.told = typeAtPlace(statement, words) !== undefined;
  statement.type = inferType(statement, source, words);
  // "TR-1101": a demand is no evidence, whatever letters it begins with.
  if (!statement.told && statement.type === 'evidence' && isDemand(statement.text))
    statement.type = 'unknown';
  // Below the events of a hazard analysis stands what comes from them; classes are what makes an event.
  if (!statement.told && statement.type === 'hazardous_event' && !statement.ratings && comesFrom(statement))
    statement.type = 'unknown';
  if (statement.typeWord) {
    const plain = statement.typeWord.toLowerCase();
    if (words.external.some((word) => plain.startsWith(word))) statement.external = true;
  }
  const { ratings } = statement;
  if (ratings && Math.min(ratings.severity, ratings.exposure, ratings.controllability) < 0)
    statement.ratings = undefined;
}

const comesFrom = ({ references }: StatementDraft): boolean => references.some(({ role }) => role === 'up');

/** Classes are those of an event; a time in which a fault is tolerated is that of a goal, where it comes from nothing that is read so far. */
function typeByFields(
  { ratings, references, text }: StatementDraft,
  isTimed: boolean,
): ArtifactType | undefined {
  if (ratings && Math.min(ratings.severity, ratings.exposure, ratings.controllability) >= 0)
    return 'hazardous_event';
  const isBelow = references.some(({ role }) => role === 'up' || role === 'any');
  return isTimed && !isBelow && isDemand(text) ? 'safety_goal' : undefined;
}

/** Gives back the places of demands outside of artifacts. */
function readBlocks(
  reading: StatementReading,
  { document, records, tableOf, passages }: ReadDocument,
): readonly Location[] {
  const state = newProseState(() => numberingPrefixes(document.blocks));
  const above: Above = { blocks: [], row: undefined };
  const done = new Set<number>();
  for (const block of document.blocks) {
    const role = passages[block.index]!.role;
    const at = tableOf[block.index]!;
    if (at >= 0) {
      if (done.has(at)) continue;
      done.add(at);
      if (!STATING.has(role)) continue;
      readTable(reading, { table: records[at]!, above, state });
      continue;
    }
    if (!STATING.has(role) && role !== 'guidance') continue;
    if (block.kind === 'code') {
      if (document.format === 'source' || document.format === 'markdown') codeStatements(reading, block);
      continue;
    }
    if (block.kind === 'heading' || block.kind === 'paragraph' || block.kind === 'list_item') {
      if (role === 'guidance') continue;
      readProse(reading, state, block);
      if (block.kind === 'heading') above.row = undefined;
      above.blocks.push(block);
      if (above.blocks.length > 4) above.blocks.shift();
    }
  }
  return state.demands;
}

/** Longer texts above a table say nothing about what it belongs to. */
const LONGEST_CONTEXT = 200;

/** What stands directly above a table. */
interface Above {
  readonly blocks: Block[];
  /** Position of the only row of the table before, where nothing but prose follows it. */
  row: number | undefined;
}

/** Reads a table with what it stands under. */
function readTable(
  reading: StatementReading,
  { table, above, state }: { table: Table; above: Above; state: ProseState },
): void {
  const statements = tableStatements(reading, table);
  const end = reading.blocks[table.rows[0]?.block ?? 0]?.end ?? 0;
  const [first] = statements;
  const headed = reading.statements.at(-1);
  // "FSR-1 Torque limit" above the card of FSR-1: the card states it, the heading names it.
  const isNamed =
    first !== undefined && headed !== undefined && statements.length === 1 && headed === state.open;
  if (
    isNamed &&
    headed.id === first.id &&
    above.blocks.at(-1) === state.title &&
    state.title?.start === headed.start
  ) {
    reading.statements.pop();
    first.name ??= headed.name;
  }
  for (const statement of statements) reading.statements.push(statement);
  const { words, source } = reading;
  if (first) {
    const isCard = first.end > end && statements.length === 1;
    const type = inferType(first, source, words);
    const context = contextOf(reading, above, type);
    for (const statement of statements) {
      if (context && statement.id !== context.id) statement.context = context;
    }
    // What a directive or card says in the paragraphs after it.
    state.open = isCard || first.location.requirementId === first.id ? statements.at(-1) : undefined;
    state.level = undefined;
    above.row = statements.length === 1 ? reading.statements.length - 1 : undefined;
  } else {
    const open = state.level === undefined ? undefined : state.open;
    if (!open || !putHeadedCard(reading, table, open)) state.open = undefined;
    above.row = undefined;
  }
  state.pending = undefined;
  // Several cards may stand under the heading of one goal.
  const heading = above.blocks.findLast(({ kind }) => kind === 'heading');
  const ids = heading ? idsAbove(heading) : [];
  above.blocks.length = 0;
  if (heading && ids.length === 1 && isHeadedBy(heading, ids[0]!)) above.blocks.push(heading);
}

/** Ids in a text above a table; "G1" alone in a heading is one, too. */
function idsAbove({
  kind,
  text,
}: Block): readonly { readonly id: string; readonly start: number; readonly end: number }[] {
  const ids = idsInText(text);
  const short = kind === 'heading' && ids.length === 0 ? SHORT_ID.exec(text) : null;
  if (!short) return ids;
  const start = text.indexOf(short[1]!);
  return [{ id: short[1]!, start, end: start + short[1]!.length }];
}
const SHORT_ID = /^(?:\d{1,2}(?:\.\d{1,2}){0,3}\.?\s+)?([A-Z]{1,3}\d{1,3})\s*$/u;

/** A heading that is nothing but an id and its number, or ends with it in brackets: "3.1 G1", "4 Supply (SG-1, ASIL C)". */
function isHeadedBy(
  { kind, text }: Block,
  { start, end }: { readonly start: number; readonly end: number },
): boolean {
  if (kind !== 'heading') return false;
  const [before, behind] = [text.slice(0, start).trim(), text.slice(end)];
  return before.endsWith('(') ? ENDS_BRACKET.test(behind) : /^[\d.\s]*$/.test(before) && behind.trim() === '';
}

/** "(SG-1)", "(SG-1, ASIL C, 60 ms)" at the end of a heading, behind the id. */
const ENDS_BRACKET = /^(?:\s?[,;:]\s[^()]*)?\)\s*$/u;

/**
 * The artifact that a table belongs to: named in the prose or heading directly above, or stated again in a table of
 * one row directly above. It comes earlier in the chain than the rows.
 */
function contextOf(
  { words, source, statements }: StatementReading,
  { blocks, row: rowAbove }: Above,
  type: ArtifactType,
): Statement['context'] {
  const isAbove = (other: ArtifactType | undefined) =>
    other !== undefined &&
    other !== 'unknown' &&
    (type === 'unknown' || (ORDER[other] ?? 9) < (ORDER[type] ?? 0));
  for (const block of [...blocks].reverse()) {
    if (block.text.length > LONGEST_CONTEXT) continue;
    const ids = idsAbove(block);
    const [only] = ids;
    const told = only && typeOfId(only.id, words);
    const onlyGoal = only !== undefined && told === undefined && isHeadedBy(block, only);
    if (!only || ids.length > 1 || !(isAbove(told) || onlyGoal)) {
      if (block.kind === 'heading') break;
      continue;
    }
    const before = block.text.slice(0, only.start).trim().toLowerCase();
    return {
      id: only.id,
      quote: { start: block.start, end: block.end, location: block.location },
      stated: words.contexts.some((phrase) => before === phrase || before.endsWith(` ${phrase}`)),
      headed: isHeadedBy(block, only),
      ...(onlyGoal ? { onlyGoal } : {}),
    };
  }
  if (rowAbove === undefined || blocks.some((block) => block.kind === 'heading')) return undefined;
  const { id, start, end, location } = statements[rowAbove]!;
  if (!isAbove(inferType(statements[rowAbove]!, source, words))) return undefined;
  return { id, quote: { start, end, location }, stated: true, of: rowAbove };
}
