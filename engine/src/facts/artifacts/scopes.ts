import { say } from '../../sentences/sentence.js';
import { normaliseText } from '../../text/normalise.js';
import { separatorKey } from './id-keys.js';
import { type IdTable, idTable } from './id-table.js';
import type { Notes } from './notes.js';
import type { SettledStatement } from './statement.js';

/** Texts with less in common than this (share of common words) say different things. */
const SAME_MEANING = 0.5;

/** Ids that count anew under each parent, by their local form. */
export type ScopedIds = ReadonlyMap<string, readonly SettledStatement[]>;

export interface SettledIds {
  readonly scoped: ScopedIds;
  /** Whether any id is stated in more than one place. */
  readonly repeated: boolean;
  /** Positions of the statements by their ids, where each id is stated once and spelled as its key. */
  readonly unique: IdTable | undefined;
}

/**
 * Gives every statement the id by which the whole corpus knows it: one spelling for ids that differ in case, blanks
 * and separators, and the parent's id before ids that stand for something else under each parent ("Requirement 01").
 * Linear.
 */
export function settleIds(statements: readonly SettledStatement[], notes: Notes): SettledIds {
  const { repeated, unique } = joinSpellings(statements);
  // Only what stands under a parent can count anew there.
  if (!statements.some((statement) => statement.context)) return { scoped: new Map(), repeated, unique };
  const byId = new Map<string, SettledStatement[]>();
  for (const statement of statements) {
    const group = byId.get(statement.id);
    if (group) group.push(statement);
    else byId.set(statement.id, [statement]);
  }
  const families = new Set<string>();
  for (const group of byId.values()) if (meansSeveralThings(group)) families.add(familyOf(group[0]!.id));
  if (families.size === 0) return { scoped: new Map(), repeated, unique };
  const scoped = new Map<string, SettledStatement[]>();
  for (const [id, group] of byId) {
    if (!families.has(familyOf(id)) || !group.some((one) => one.context)) continue;
    scoped.set(id, group);
    for (const statement of group) if (statement.context) qualify(statement, id, notes);
    // Stated again where nothing tells the parent: the only one of the document, else of the corpus.
    for (const statement of group) {
      if (statement.context) continue;
      const own = new Set(
        group.filter((one) => one.context && one.document === statement.document).map((one) => one.id),
      );
      const all = new Set(group.filter((one) => one.context).map((one) => one.id));
      const [only] = own.size === 1 ? own : all.size === 1 ? all : [];
      if (only !== undefined) statement.id = only;
    }
  }
  return { scoped, repeated: true, unique: undefined };
}

function qualify(statement: SettledStatement, id: string, notes: Notes): void {
  const { context } = statement;
  statement.id = `${context!.of?.id ?? context!.id} / ${id}`;
  statement.scoped = true;
  notes.add('scoped_id', say('trace.note.scoped_id', { id, here: statement.id }), statement);
}

/** Several contexts, and texts that say different things in them. */
function meansSeveralThings(group: readonly SettledStatement[]): boolean {
  if (group.length < 2) return false;
  const contexts = new Map<string, SettledStatement>();
  for (const statement of group) {
    if (!statement.context || statement.kind !== 'definition') continue;
    const key = separatorKey(statement.context.id);
    if (!contexts.has(key)) contexts.set(key, statement);
  }
  const [first, ...others] = contexts.values();
  return others.some((other) => normaliseText(other.text) !== normaliseText(first!.text));
}

/** One spelling for each id; tells whether any is stated more than once. */
function joinSpellings(statements: readonly SettledStatement[]): Omit<SettledIds, 'scoped'> {
  const byKey = idTable(statements.length);
  let plain = true;
  let repeated = false;
  for (let position = 0; position < statements.length; position++) {
    const statement = statements[position]!;
    // Specification items are known by their ids as they are written.
    const key = statement.needs === undefined ? separatorKey(statement.id) : statement.id;
    plain &&= key === statement.id;
    const known = byKey.add(key, position);
    if (known === position) continue;
    repeated = true;
    statement.id = statements[known]!.id;
  }
  return { repeated, unique: plain && !repeated ? byKey : undefined };
}

function familyOf(id: string): string {
  return id.replace(/[\d.\s_-]+[a-z]?$/u, '');
}

/** Tells of definitions with the same id and another text, with both places. Linear in the texts. */
export function compareDefinitions(statements: readonly SettledStatement[], notes: Notes): void {
  const first = new Map<string, SettledStatement>();
  for (const statement of statements) {
    // Elements are described anew wherever they are listed.
    if (statement.kind !== 'definition' || statement.text === '' || statement.named) continue;
    const known = first.get(statement.id);
    if (!known) {
      first.set(statement.id, statement);
      continue;
    }
    if (known.text === statement.text) continue;
    const [a, b] = [normaliseText(known.text), normaliseText(statement.text)];
    if (a === b) continue;
    if (commonShare(a, b) < SAME_MEANING) {
      notes.add('other_meaning', say('trace.note.other_meaning', { id: statement.id }), statement, known);
    } else
      notes.add('other_wording', say('trace.note.other_wording', { id: statement.id }), statement, known);
  }
}

function commonShare(a: string, b: string): number {
  const first = new Set(a.match(/[\p{L}\p{N}]+/gu));
  const second = new Set(b.match(/[\p{L}\p{N}]+/gu));
  let common = 0;
  for (const word of first) if (second.has(word)) common++;
  return common / Math.max(1, first.size + second.size - common);
}
