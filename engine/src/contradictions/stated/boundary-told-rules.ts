import { usableDocuments } from '../../corpus/corpus.js';
import { quote } from '../../corpus/evidence.js';
import { stateWords } from '../../facts/stated/state-words.js';
import type { Evidence } from '../../findings/finding.js';
import { splitSentences } from '../../text/sentences.js';
import {
  ABBREVIATION,
  elementKey,
  SIDES,
  type Side,
  type SidedElement,
  sidedElements,
} from './boundary-elements.js';
import { tablesOfItems } from './set-rules.js';
import { firstOfEach, type StatedContext, type StatedContradiction, shown } from './stated-rule.js';

/** So many others of a kind agree before one that does not is told. Our own. */
const FEWEST = 2;
/** Words of a name at the beginning of a text, at most. */
const LONGEST_NAME = 9;

/**
 * The row of an element puts it on one side of the boundary, and what else is told of it speaks for the other: a list of what the customer
 * brings along, an assumption about the surroundings, the part in whose housing it lies, or whoever answers for all others of its side.
 * Linear in elements and passages.
 */
export function boundaryToldElsewhere(context: StatedContext): readonly StatedContradiction[] {
  const elements = sidedElements(context.facts.items);
  const inside = named(elements.filter(({ side }) => side === 'inside'));
  const outside = named(elements.filter(({ side }) => side === 'outside'));
  if (inside.size === 0 || outside.size === 0) return [];
  return firstOfEach([
    ...broughtAlong(context, inside, outside),
    ...assumedOf(context, inside, outside),
    ...liesInInside(elements, inside),
    ...answeredByOther(elements),
  ]);
}

/** Elements by the keys of their names. */
type Named = ReadonlyMap<string, SidedElement>;

function named(elements: readonly SidedElement[]): Named {
  const found = new Map<string, SidedElement>();
  for (const element of elements)
    for (const key of namesOf(element).map(elementKey))
      if (key.length > 1 && !found.has(key)) found.set(key, element);
  return found;
}

/** Names by which texts speak of an element: the first of its row, without what comes behind a comma or "with", and its abbreviation. */
function namesOf({ item, name }: SidedElement): readonly string[] {
  const head = name.replaceAll(/\s+/gu, ' ').split(/,|\s(?:with|mit)\s/u)[0]!;
  const bare = head.replaceAll(/\([^()]*\)/gu, ' ');
  const inBrackets = /\(([^()]+)\)/u.exec(head)?.[1] ?? '';
  const cells = [bare.trim().split(' ').at(-1)!, ...item.cells.map(({ text }) => text.trim())];
  return [head, bare, inBrackets, ...cells.filter((one) => ABBREVIATION.test(one))];
}

/** The element whose name a text begins with, the longest name first. */
function begunWith(text: string, elements: Named): SidedElement | undefined {
  const words = text.trim().split(/\s+/u, LONGEST_NAME + 1);
  for (let count = Math.min(words.length, LONGEST_NAME); count > 0; count--) {
    const element = elements.get(elementKey(words.slice(0, count).join(' ')));
    if (element) return element;
  }
  return undefined;
}

/** A list of what the customer brings along names elements outside, and one that a row puts inside. */
function broughtAlong(
  { corpus }: StatedContext,
  inside: Named,
  outside: Named,
): readonly StatedContradiction[] {
  const lists = stateWords().boundary.broughtLists.map((one) => new RegExp(one, 'iu'));
  return usableDocuments(corpus).flatMap(({ read }) =>
    read.passages.flatMap((passage) => {
      if (passage.role !== 'body') return [];
      return splitSentences(passage.text).flatMap(({ start, end }) => {
        const sentence = passage.text.slice(start, end);
        const list = lists.map((one) => one.exec(sentence)?.groups?.list).find((one) => one !== undefined);
        const keys = list?.split(/[,;.]|\s(?:and|und|sowie)\s/u).map(elementKey) ?? [];
        if (!keys.some((key) => outside.has(key))) return [];
        const place = { start: passage.start + start, end: passage.start + end };
        return keys
          .flatMap((key) => inside.get(key) ?? [])
          .map((one) =>
            doubted(one, 'outside', [
              quote(read.document, passage, place, { role: 'counter', note: one.name }),
            ]),
          );
      });
    }),
  );
}

/** An assumption about the surroundings begins with an element inside, where others begin with elements outside. */
function assumedOf({ facts }: StatedContext, inside: Named, outside: Named): readonly StatedContradiction[] {
  const isAssumed = new RegExp(stateWords().boundary.assumed, 'iu');
  const begun = facts.items.flatMap((item) => {
    const { how, hasId, id, section, cells } = item;
    if (how !== 'table' || !hasId || cells.length < 2) return [];
    if (![id, section, cells[0]!.title].some((one) => isAssumed.test(one))) return [];
    const text = item.values.get('text') ?? cells[1]!;
    return [{ item, text, inside: begunWith(text.text, inside), outside: begunWith(text.text, outside) }];
  });
  const strange = begun.filter((one) => one.inside);
  if (strange.length !== 1 || begun.filter((one) => one.outside).length < FEWEST) return [];
  return strange.map(({ item, text, inside: one }) => doubted(one!, 'outside', shown(item, text, item.id)));
}

/** The row of an element outside says that it lies in one that is inside. */
function liesInInside(elements: readonly SidedElement[], inside: Named): readonly StatedContradiction[] {
  const liesIn = new RegExp(`^${stateWords().boundary.liesIn}`, 'iu');
  return elements.flatMap((one) =>
    one.item.cells.flatMap((cell) => {
      if (one.side === 'inside' || cell === one.value || cell.text === one.name) return [];
      const before = liesIn.exec(cell.text)?.[0];
      const whole =
        before === undefined ? undefined : begunWith(beforeSign(cell.text.slice(before.length)), inside);
      return whole ? [doubted(one, 'inside', shown(one.item, cell, whole.name))] : [];
    }),
  );
}

const beforeSign = (text: string): string => text.split(/[,;.(]/u)[0]!;

/** In one table everything inside is answered for by one party and everything outside by another, and one row is not so. */
function answeredByOther(elements: readonly SidedElement[]): readonly StatedContradiction[] {
  const sided = new Map(elements.map((one) => [one.item, one]));
  return tablesOfItems([...sided.keys()]).flatMap((items) => {
    const columns = new Map<string, PartyOfRow[]>();
    for (const item of items) {
      const row = sided.get(item)!;
      for (const cell of item.cells) {
        if (cell === row.value) continue;
        const known = columns.get(cell.title);
        const one = { row, cell, party: elementKey(cell.text) };
        if (known) known.push(one);
        else columns.set(cell.title, [one]);
      }
    }
    return [...columns.values()].flatMap((rows) => {
      const strange = rows.length < items.length ? undefined : strangeRow(rows);
      return strange
        ? [
            doubted(
              strange.row,
              strange.row.side === 'inside' ? 'outside' : 'inside',
              shown(strange.row.item, strange.cell, strange.cell.title),
            ),
          ]
        : [];
    });
  });
}

interface PartyOfRow {
  readonly row: SidedElement;
  readonly cell: SidedElement['value'];
  readonly party: string;
}

/** The row of one side that alone has the party of all rows of the other side. */
function strangeRow(rows: readonly PartyOfRow[]): PartyOfRow | undefined {
  const [inside, outside] = (['inside', 'outside'] as const).map((side) =>
    rows.filter(({ row }) => row.side === side),
  ) as [PartyOfRow[], PartyOfRow[]];
  for (const [mine, theirs] of [
    [inside, outside],
    [outside, inside],
  ] as const) {
    const their = theirs[0]?.party;
    if (mine.length <= FEWEST || theirs.length < FEWEST || theirs.some(({ party }) => party !== their))
      continue;
    const strange = mine.filter(({ party }) => party === their);
    const others = new Set(mine.filter(({ party }) => party !== their).map(({ party }) => party));
    if (strange.length === 1 && others.size === 1) return strange[0];
  }
  return undefined;
}

function doubted(one: SidedElement, other: Side, evidence: readonly Evidence[]): StatedContradiction {
  return {
    rule: 'boundary-doubted',
    item: elementKey(one.name),
    confidence: 'medium',
    words: { element: one.name, one: SIDES[one.side], other: SIDES[other] },
    affected: [one.item.id],
    evidence: [...shown(one.item, one.value, `${one.name}: ${one.value.title}`), ...evidence],
  };
}
