import { usableDocuments } from '../../corpus/corpus.js';
import { contentWords } from '../../facts/stated/content-words.js';
import type { StatedItem, StatedValue } from '../../facts/stated/stated-item.js';
import { tablesOfItems } from './set-rules.js';
import { higherLevel, levelOf, type StatedContext, type StatedContradiction, shown } from './stated-rule.js';

/** A function or part by its abbreviation, and every way in which it is written. */
interface Mark {
  readonly name: string;
  readonly pattern: RegExp;
  /** It is what acts: right before "shall". */
  readonly acting: RegExp;
  /** A signal or parameter of it: "LDW_Torque". */
  readonly owned: RegExp;
}

const FEWEST_ROWS = 3;
/** Rows that speak of both things: more of them, and the two belong together. */
const MOST_SHARED = 0.25;

/**
 * A row was copied from the table of another function and still names that: its function is the one of its other cells, its section
 * or the requirement that its table stands below. Functions are abbreviations that
 * the documents explain and call one, of which rows as a rule name one.
 */
export function namesOtherFunction(context: StatedContext): readonly StatedContradiction[] {
  const marks = marksIn(context);
  if (marks.length < 2) return [];
  const tables = tablesOfItems(context.facts.items).map((rows) =>
    rows.filter(({ passage }) => passage.role === 'body'),
  );
  const rivals = rivalsOf(marks, tables.flat());
  if (rivals.length === 0) return [];
  return rivals.flatMap(([own, other]) => {
    const found = tables.flatMap((rows, at) => {
      const above = aboveOf(rows, tables[at - 1]);
      return rows.flatMap((row) => {
        const cell = foreignCell({ row, rows, above, own, other });
        return cell ? [{ row, cell }] : [];
      });
    });
    // One finding for each document: a table is copied as a whole.
    const documents = [...new Set(found.map(({ row }) => row.document))];
    return documents.map((document): StatedContradiction => {
      const here = found.filter(({ row }) => row.document === document);
      const ids = [...new Set(here.map(({ row }) => row.id))];
      return {
        rule: 'names-other-function',
        item: `${document.id} ${own.name} ${other.name}`,
        asil: here.map(({ row }) => levelOf(row)).reduce(higherLevel, undefined),
        confidence: 'medium',
        words: { items: ids, own: own.name, other: other.name },
        affected: ids,
        evidence: here.slice(0, 4).flatMap(({ row, cell }) => {
          const basis =
            row.cells.find((one) => one !== cell && namesOnly(one.text, own, other)) ?? row.cells[0];
          return [
            ...shown(row, cell, `${row.id}: ${cell.title}`),
            ...(basis && basis !== cell ? shown(row, basis, `${row.id}: ${basis.title}`) : []),
          ];
        }),
      };
    });
  });
}

/** The cell of a row about one function that names the other instead. */
function foreignCell({
  row,
  rows,
  above,
  own,
  other,
}: {
  readonly row: StatedItem;
  readonly rows: readonly StatedItem[];
  readonly above: string;
  readonly own: Mark;
  readonly other: Mark;
}): StatedValue | undefined {
  const [first, ...cells] = row.cells;
  if (!first) return undefined;
  // An element of one function that handles signals of the other and none of its own.
  if (namesOnly(first.text, own, other)) {
    const handling = cells.find(({ text }) => other.owned.test(text) && !own.owned.test(text));
    if (handling) return handling;
  }
  const foreign = cells.filter(({ text }) => namesOnly(text, other, own));
  // Its other cells tell what a row is about, when more than one says so.
  const telling = cells.filter(({ text }) => namesOnly(text, own, other));
  if (foreign.length === 1 && telling.length > 1) return foreign[0];
  const others = rows.filter((one) => one !== row && one.cells.some(({ text }) => own.pattern.test(text)));
  if (!namesOnly(above, own, other) || others.length * 2 < rows.length - 1 || others.length < 2)
    return undefined;
  return foreign[0] ?? cells.find(({ text }) => other.acting.test(text) && !own.acting.test(text));
}

const namesOnly = (text: string, own: Mark, other: Mark) =>
  own.pattern.test(text) && !other.pattern.test(text);

/** What a table stands below: its section, and a table of one row right before it. */
function aboveOf(rows: readonly StatedItem[], before: readonly StatedItem[] | undefined): string {
  const [row] = rows;
  const [parent] = before ?? [];
  const near = parent && before?.length === 1 && parent.document === row?.document && parent.key !== row.key;
  return [row?.section ?? '', ...(near ? parent.cells.map(({ text }) => text) : [])].join(' · ');
}

/** Pairs of which rows as a rule name one, both ways round. */
function rivalsOf(marks: readonly Mark[], rows: readonly StatedItem[]): readonly (readonly [Mark, Mark])[] {
  const texts = rows.map((row) => row.cells.map(({ text }) => text).join(' · '));
  const named = marks.map(({ pattern }) => texts.map((text) => pattern.test(text)));
  return marks.flatMap((own, a) =>
    marks.flatMap((other, b): (readonly [Mark, Mark])[] => {
      if (a === b) return [];
      const count = (mine: boolean, theirs: boolean) =>
        texts.filter((_, at) => named[a]![at] === mine && named[b]![at] === theirs).length;
      const [alone, apart, both] = [count(true, false), count(false, true), count(true, true)];
      if (alone < FEWEST_ROWS || apart < FEWEST_ROWS || both > (alone + apart) * MOST_SHARED) return [];
      return [[own, other]];
    }),
  );
}

/** As far back as the words of an abbreviation stand. */
const REACH = 160;

/** What every abbreviation begins with. */
const CAPITALS = /\p{Lu}{2}/u;

/** Functions by the abbreviations that a document explains: "Lane Keeping Assistance (LKA)". Linear in the texts. */
function marksIn({ corpus }: StatedContext): readonly Mark[] {
  const { subjectEnds, functionWords } = contentWords().requirements;
  const called = new RegExp(`(?<![\\p{L}\\p{N}])(\\p{Lu}{2,5})\\)?\\s(?:${functionWords})(?!\\p{L})`, 'gu');
  const functions = new Set<string>();
  const names = new Map<string, Set<string>>();
  for (const { read } of usableDocuments(corpus)) {
    for (const { text, role } of read.passages) {
      if (!CAPITALS.test(text)) continue;
      for (const [, name] of text.matchAll(called)) functions.add(name!);
      if (role === 'history' || role === 'toc') continue;
      for (const match of text.matchAll(/\s\((\p{Lu}{2,5})\)/gu)) {
        const short = match[1]!;
        const before = text.slice(Math.max(0, match.index - REACH), match.index);
        const words = before.trim().split(/\s+/).slice(-short.length);
        const initials = words.map((word) => word.slice(0, 1).toUpperCase()).join('');
        if (initials !== short || !words.every((word) => /^\p{L}[\p{L}-]*$/u.test(word))) continue;
        const long = words
          .map((word) => `${word.slice(0, Math.max(4, word.length - 3))}\\p{L}*`)
          .join('\\s+');
        names.set(short, (names.get(short) ?? new Set()).add(long));
      }
    }
  }
  return [...names]
    .filter(([name]) => functions.has(name))
    .map(([name, longs]) => {
      const written = `(?<![\\p{L}\\p{N}])(?:${name}|${[...longs].join('|')})(?![\\p{L}\\p{N}])`;
      return {
        name,
        pattern: new RegExp(written, 'iu'),
        acting: new RegExp(`${written}(?:\\s[\\p{L}-]+){0,3}${subjectEnds}`, 'iu'),
        owned: new RegExp(`(?<![\\p{L}\\p{N}])${name}_\\w+`, 'u'),
      };
    });
}
