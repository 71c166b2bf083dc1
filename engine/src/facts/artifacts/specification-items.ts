import type { Block } from '../../documents/document.js';
import { SPECIFICATION_ID } from '../../documents/text-patterns.js';
import { putAttribute } from './put-attribute.js';
import { COVERS, readSpecificationId } from './specification-id.js';
import type { StatementDraft } from './statement.js';
import { refer, type StatementReading, startStatement } from './statement-reading.js';

/** A specification item of OpenFastTrace while it is read; what stands under a part's name belongs to that part. */
export interface OpenItem {
  readonly statement: StatementDraft;
  readonly needs: string[];
  part: Part;
}

/** `aside`: rationale, comment and tags, which are no part of what the item demands. */
type Part = 'description' | 'aside' | 'covers' | 'depends' | 'needs';

const PARTS: Readonly<Record<string, Part>> = {
  Description: 'description',
  Rationale: 'aside',
  Comment: 'aside',
  Tags: 'aside',
  Covers: 'covers',
  Depends: 'depends',
  Needs: 'needs',
};

const BEGINNING = new RegExp(`^(${SPECIFICATION_ID})(?![\\p{L}\\p{N}_~-])`, 'u');
const ID = new RegExp(`(?<![\\p{L}\\p{N}_~-])${SPECIFICATION_ID}(?![\\p{L}\\p{N}_~-])`, 'gu');
const FIELD = /^(Description|Rationale|Comment|Tags|Covers|Depends|Needs|Status):(?:\s+|$)/;
/** `arch --> dsn, impl : req~login~1`: the item that a level has no need to write down. */
const FORWARDED = new RegExp(
  `(?<![A-Za-z])([A-Za-z]{1,40})\\s{0,9}-->\\s{0,9}([A-Za-z]{1,40}(?:,\\s{0,9}[A-Za-z]{1,40}){0,30})\\s{0,9}:\\s{0,9}(${SPECIFICATION_ID})`,
  'u',
);
const TYPE = /^[A-Za-z]{1,40}$/;
/** Nobody has so many kinds of item: what follows is no list of them. */
const MOST_TYPES = 100;
/** Texts are joined up to this length. */
const LONGEST_TEXT = 4000;

/**
 * The item that a paragraph begins; `forwarded` where it is all of one, undefined for any other text. `title`: the heading
 * directly above, `open`: the item that is being read.
 */
export function startItem(
  reading: StatementReading,
  block: Block,
  { title, open }: { readonly title: Block | undefined; readonly open: OpenItem | undefined },
): OpenItem | 'forwarded' | undefined {
  const { text } = block;
  if (!text.includes('~')) return undefined;
  const begun = block.kind === 'paragraph' ? BEGINNING.exec(text)?.[1] : undefined;
  if (begun === undefined) {
    const found = text.includes('-->') && takesForwarding(reading, open) && FORWARDED.exec(text);
    if (!found) return undefined;
    forward(reading, block, found);
    return 'forwarded';
  }
  const statement = addItem(reading, block, begun);
  if (title) statement.name = title.text;
  return { statement, needs: statement.needs as string[], part: 'description' };
}

/** Inside a description or an aside such a line is text, except in descriptions of ReStructuredText, as the tool reads them. */
function takesForwarding({ source }: StatementReading, open: OpenItem | undefined): boolean {
  if (open === undefined || open.part === 'covers' || open.part === 'depends' || open.part === 'needs')
    return true;
  return open.part === 'description' && source.format === 'rst' && open.statement.text !== '';
}

function forward(reading: StatementReading, block: Block, found: RegExpExecArray): void {
  const covered = found[3]!;
  const { name, revision } = readSpecificationId(covered)!;
  const item = addItem(reading, block, `${found[1]}~${name}~${revision}`);
  item.text = found[0];
  (item.needs as string[]).push(...found[2]!.split(',').map((type) => type.trim()));
  cover(item, block, found.index + found[0].length - covered.length, covered);
}

function addItem(reading: StatementReading, block: Block, id: string): StatementDraft {
  const statement = startStatement(block, id);
  const { type, revision } = readSpecificationId(id)!;
  statement.typeWord = type;
  statement.version = String(revision);
  statement.needs = [];
  reading.statements.push(statement);
  return statement;
}

/** Notes that an item covers the id that stands at `at` of the block. */
function cover(item: StatementDraft, { start, location }: Block, at: number, id: string): void {
  const quote = { start: start + at, end: start + at + id.length, location };
  refer(item, { role: 'up', written: id, quote, exact: true, source: COVERS });
}

/** Reads a block inside an item: a field, or more of the part that it stands under. False for what is none of its parts. */
export function readItemPart(reading: StatementReading, item: OpenItem, block: Block): boolean {
  const { statement } = item;
  const field = FIELD.exec(block.text);
  const from = field?.[0].length ?? 0;
  if (field) {
    const part = PARTS[field[1]!];
    if (part) item.part = part;
    else {
      const start = block.start + from;
      const quote = { start, end: block.end, location: block.location };
      putAttribute(reading, statement, { attribute: 'status', value: block.text.slice(from), quote });
    }
    if (part === undefined || from === block.text.length) {
      statement.end = Math.max(statement.end, block.end);
      return true;
    }
  }
  switch (item.part) {
    case 'covers':
      if (!field && block.kind !== 'list_item') break;
      for (const { 0: id, index } of block.text.slice(from).matchAll(ID)) {
        cover(statement, block, from + index, id);
      }
      break;
    case 'needs':
      if (!field && block.kind !== 'list_item') break;
      for (const type of block.text.slice(from).split(',')) {
        const plain = type.trim();
        if (item.needs.length === MOST_TYPES) break;
        if (TYPE.test(plain) && !item.needs.includes(plain)) item.needs.push(plain);
      }
      break;
    case 'description': {
      if (!field) return false;
      const text = block.text.slice(from);
      statement.text = statement.text === '' ? text : `${statement.text} ${text}`.slice(0, LONGEST_TEXT);
      break;
    }
    default:
  }
  statement.end = Math.max(statement.end, block.end);
  return true;
}
