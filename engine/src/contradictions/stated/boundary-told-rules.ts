import { usableDocuments } from '../../corpus/corpus.js';
import { quote } from '../../corpus/evidence.js';
import { stateWords } from '../../facts/stated/state-words.js';
import { splitSentences } from '../../text/sentences.js';
import { elementKey, type SidedElement, sidedElements, told } from './boundary-elements.js';
import { tablesOfItems } from './set-rules.js';
import { firstOfEach, type StatedContext, type StatedContradiction, shown } from './stated-rule.js';

/** So many others of a kind agree before one that does not is told. Our own. */
const FEWEST = 2;

/**
 * The row of an element puts it on one side of the boundary, and what else is told of it on the other: what the customer brings along, an
 * assumption about the surroundings, the part in whose housing it lies, or whoever answers for all others of its side.
 */
export function boundaryToldElsewhere(context: StatedContext): readonly StatedContradiction[] {
  const elements = sidedElements(context.facts.items);
  const inside = elements.filter(({ side }) => side === 'inside');
  const outside = elements.filter(({ side }) => side === 'outside');
  if (inside.length === 0 || outside.length === 0) return [];
  return firstOfEach([
    ...broughtAlong(context, inside, outside),
    ...assumedOf(context, inside, outside),
    ...liesInInside(inside, outside),
    ...answeredByOther(elements),
  ]);
}

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Names by which texts speak of an element: the first of its row, without what comes behind a comma or "with", and its abbreviation. */
function namesOf({ item, name }: SidedElement): readonly string[] {
  const head = name.replace(/\s*(?:,|\s(?:with|mit)\s).*$/u, '').trim();
  const bare = head.replaceAll(/\s*\([^()]*\)/gu, '').trim();
  const inBrackets = /\(([^()]+)\)/u.exec(head)?.[1];
  const last = bare.split(/\s+/u).at(-1)!;
  const cells = item.cells.map(({ text }) => text.trim());
  return [
    ...new Set([
      head,
      bare,
      inBrackets ?? '',
      ABBREVIATION.test(last) ? last : '',
      ...cells.filter((one) => ABBREVIATION.test(one)),
    ]),
  ].filter((one) => one.length > 1);
}
const ABBREVIATION = /^\p{Lu}[\p{Lu}\d_-]*\p{Lu}[\p{Lu}\d_-]*$/u;

const mentions = (element: SidedElement, text: string): boolean => {
  const keys = new Set(
    text.split(/[,;]|\s(?:and|und|sowie)\s/u).map((one) => elementKey(one.replace(/[.\s]+$/u, ''))),
  );
  return namesOf(element).some((name) => keys.has(elementKey(name)));
};

/** A list of what the customer brings along names elements outside, and one that a row puts inside. */
function broughtAlong(
  { corpus }: StatedContext,
  inside: readonly SidedElement[],
  outside: readonly SidedElement[],
): readonly StatedContradiction[] {
  const lists = stateWords().boundary.broughtLists.map((one) => new RegExp(one, 'iu'));
  return usableDocuments(corpus).flatMap(({ read }) =>
    read.passages.flatMap((passage) => {
      if (passage.role !== 'body') return [];
      return splitSentences(passage.text).flatMap(({ start, end }) => {
        const sentence = passage.text.slice(start, end);
        const list = lists.map((one) => one.exec(sentence)?.groups?.list).find((one) => one !== undefined);
        if (list === undefined || !outside.some((one) => mentions(one, list))) return [];
        const named = inside.filter((one) => mentions(one, list));
        const place = { start: passage.start + start, end: passage.start + end };
        return named.map((one) =>
          told(one, {
            side: 'outside',
            evidence: [quote(read.document, passage, place, { role: 'counter', note: one.name })],
          }),
        );
      });
    }),
  );
}

/** An assumption about the surroundings begins with an element inside, where others begin with elements outside. */
function assumedOf(
  { facts }: StatedContext,
  inside: readonly SidedElement[],
  outside: readonly SidedElement[],
): readonly StatedContradiction[] {
  const isAssumed = new RegExp(stateWords().boundary.assumed, 'iu');
  const assumptions = facts.items.filter(
    ({ how, hasId, id, section, cells }) =>
      how === 'table' &&
      hasId &&
      cells.length > 1 &&
      [id, section, cells[0]!.title].some((one) => isAssumed.test(one)),
  );
  const begun = assumptions.map((item) => {
    const text = item.values.get('text') ?? item.cells[1]!;
    const begins = (element: SidedElement) =>
      namesOf(element).some((name) =>
        new RegExp(`^(?:(?:the|der|die|das)\\s+)?${escaped(name)}(?![\\p{L}\\p{N}_-])`, 'iu').test(text.text),
      );
    return { item, text, inside: inside.find(begins), isOutside: outside.some(begins) };
  });
  const named = begun.filter((one) => one.inside);
  if (named.length !== 1 || begun.filter(({ isOutside }) => isOutside).length < FEWEST) return [];
  return named.map(({ item, text, inside: one }) =>
    told(one!, { side: 'outside', evidence: shown(item, text, item.id) }),
  );
}

/** The row of an element outside says that it lies in one that is inside. */
function liesInInside(
  inside: readonly SidedElement[],
  outside: readonly SidedElement[],
): readonly StatedContradiction[] {
  const { liesIn } = stateWords().boundary;
  return outside.flatMap((one) =>
    one.item.cells.flatMap((cell) => {
      if (cell === one.value || cell.text === one.name) return [];
      const whole = inside.find((two) =>
        namesOf(two).some((name) =>
          new RegExp(`^${liesIn}${escaped(name)}(?![\\p{L}\\p{N}_-])`, 'iu').test(cell.text),
        ),
      );
      return whole ? [told(one, { side: 'inside', evidence: shown(one.item, cell, whole.name) })] : [];
    }),
  );
}

/** In one table everything inside is answered for by one party and everything outside by others, and one row is not so. */
function answeredByOther(elements: readonly SidedElement[]): readonly StatedContradiction[] {
  const sided = new Map(elements.map((one) => [one.item, one]));
  return tablesOfItems(elements.map(({ item }) => item)).flatMap((items) => {
    const rows = items.map((item) => sided.get(item)!);
    const titles = new Set(rows.flatMap(({ item }) => item.cells.map(({ title }) => title)));
    return [...titles].flatMap((title) => {
      const cells = rows.flatMap((row) => {
        const cell = row.item.cells.find((one) => one.title === title && one !== row.value);
        return cell ? [{ row, cell, party: elementKey(cell.text) }] : [];
      });
      if (cells.length < rows.length) return [];
      const own = cells.filter(({ row }) => row.side === 'inside').map(({ party }) => party);
      const others = cells.filter(({ row }) => row.side === 'outside').map(({ party }) => party);
      const strange = cells.filter(({ row, party }) => {
        const [mine, theirs] = row.side === 'inside' ? [own, others] : [others, own];
        const usual = mine.find((one) => one !== party);
        return (
          usual !== undefined &&
          mine.filter((one) => one === usual).length === mine.length - 1 &&
          mine.length > FEWEST &&
          theirs.length >= FEWEST &&
          theirs.every((one) => one === party)
        );
      });
      return strange.length === 1
        ? strange.map(({ row, cell }) =>
            told(row, {
              side: row.side === 'inside' ? 'outside' : 'inside',
              evidence: shown(row.item, cell, cell.title),
            }),
          )
        : [];
    });
  });
}
