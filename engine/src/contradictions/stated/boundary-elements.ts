import { stateWords } from '../../facts/stated/state-words.js';
import type { StatedItem, StatedValue } from '../../facts/stated/stated-item.js';
import { splitSentences } from '../../text/sentences.js';
import { compactTitle } from '../../words/column-titles.js';
import { tablesOfItems } from './set-rules.js';
import { type StatedContradiction, shown } from './stated-rule.js';

/** How the sides are called. */
export const SIDES: Readonly<Record<string, { readonly en: string; readonly de: string }>> = {
  inside: { en: 'inside', de: 'innerhalb' },
  outside: { en: 'outside', de: 'außerhalb' },
};

export type Side = 'inside' | 'outside';

/** "LCU", "H2S-1": a name that is an abbreviation. */
export const ABBREVIATION = /^\p{Lu}[\p{Lu}\d_-]*\p{Lu}[\p{Lu}\d_-]*$/u;

/** One spelling of the name of an element: without articles. */
export const elementKey = (name: string): string =>
  compactTitle(
    name.replaceAll(
      /(?<!\p{L})(?:the|its|their|our|an?|der|die|das|den|dem|des|(?:sein|ihr)e?[mnrs]?)\s+(?=\p{L})/giu,
      '',
    ),
  );

/** Sentences, and clauses of them that have their own side: "A and B lie outside of the item, C lies inside". */
export function clausesOf(text: string): readonly { readonly start: number; readonly end: number }[] {
  return splitSentences(text).flatMap(({ start, end }) => {
    const clauses: { start: number; end: number }[] = [];
    let from = start;
    for (const cut of text.slice(start, end).matchAll(CLAUSE)) {
      const at = start + cut.index + cut[0].length;
      clauses.push({ start: from, end: start + cut.index });
      from = at;
    }
    return [...clauses, { start: from, end }];
  });
}
const CLAUSE =
  /;\s{1,4}|,\s{1,4}(?=[^,;]{2,80}\s(?:liegt|liegen|gehört|gehören|lies?|stays?)\s(?:nicht\s)?(?:innerhalb|außerhalb|inside|outside|zum|zur)(?!\p{L}))/gu;

/** An element whose row says on which side of the item's boundary it lies. */
export interface SidedElement {
  readonly item: StatedItem;
  readonly value: StatedValue;
  readonly name: string;
  readonly side: Side;
}

/** Elements whose rows say on which side they lie, in a column or in words of a cell. */
export function sidedElements(items: readonly StatedItem[]): readonly SidedElement[] {
  const known = readBefore.get(items) ?? readSides(items);
  readBefore.set(items, known);
  return known;
}

/** Three rules ask for the same. */
const readBefore = new WeakMap<readonly StatedItem[], readonly SidedElement[]>();

function readSides(items: readonly StatedItem[]): readonly SidedElement[] {
  const { boundary } = stateWords();
  const sideOf = (text: string): Side | undefined => {
    // "no, customer": who has it stands behind.
    const said = text.trim().toLowerCase().split(/[,;(]/u)[0]!.trim();
    return boundary.yes.includes(said) ? 'inside' : boundary.no.includes(said) ? 'outside' : undefined;
  };
  const byCells = sidesByCells(items);
  return items.flatMap((item): readonly SidedElement[] => {
    const value = item.values.get('inside');
    const name =
      item.values.get('element')?.text ??
      item.values.get('text')?.text ??
      item.cells.find((cell) => cell !== item.values.get('id'))?.text;
    const side = value && sideOf(value.text);
    if (value && side) return name && name.length > 2 ? [{ item, value, name, side }] : [];
    return byCells.get(item) ?? toldInCell(item);
  });
}

/** Columns that hold nothing but sides, of both kinds, where title or heading speaks of the boundary: signals go in and out, too. */
function sidesByCells(items: readonly StatedItem[]): ReadonlyMap<StatedItem, readonly SidedElement[]> {
  const { insideCells, outsideCells, titles, headings, otherTitles } = stateWords().boundary;
  const [isTitle, isHeading, isOther] = [titles, headings, otherTitles].map((one) => new RegExp(one, 'iu'));
  const sides = new Map<string, Side>([
    ...insideCells.map((one) => [one, 'inside'] as const),
    ...outsideCells.map((one) => [one, 'outside'] as const),
  ]);
  const found = new Map<StatedItem, readonly SidedElement[]>();
  for (const rows of tablesOfItems(items)) {
    const columns = [...new Set(rows.flatMap(({ cells }) => cells.slice(1).map(({ title }) => title)))];
    for (const title of columns) {
      const isAbout = isTitle!.test(title) || (isHeading!.test(rows[0]!.section) && !isOther!.test(title));
      if (!isAbout) continue;
      const told = rows.flatMap((item): readonly SidedElement[] => {
        const value = item.cells.find((cell) => cell.title === title);
        const side = sides.get(value?.text.trim().toLowerCase() ?? '');
        return value && side ? [{ item, value, name: item.cells[0]!.text, side }] : [];
      });
      if (told.length < rows.length || new Set(told.map(({ side }) => side)).size < 2) continue;
      for (const one of told) found.set(one.item, [one]);
    }
  }
  return found;
}

/** An element whose row says in a cell of its own, or in brackets behind the name, on which side it lies: "outside the item", "ESC (other item)". */
function toldInCell(item: StatedItem): readonly SidedElement[] {
  const { insideCell, outsideCell } = stateWords().boundary;
  const sides = [
    { side: 'inside', says: new RegExp(`^(?:${insideCell})$`, 'iu') },
    { side: 'outside', says: new RegExp(`^(?:${outsideCell})$`, 'iu') },
  ] as const;
  const [first, ...others] = item.cells;
  if (item.how !== 'table' || item.hasId || !first) return [];
  const { name, bracket } =
    /^(?<name>[^()]{3,}?)\s*(?:\((?<bracket>[^()]+)\))?$/u.exec(first.text.trim().replaceAll(/\s+/gu, ' '))
      ?.groups ?? {};
  if (name === undefined) return [];
  return [
    ...others.map((value) => ({ value, said: value.text })),
    { value: first, said: bracket ?? '' },
  ].flatMap(({ value, said }) =>
    sides.filter(({ says }) => says.test(said.trim())).map(({ side }) => ({ item, value, name, side })),
  );
}

/** What tells that an element lies on one side by its row, and on the other by something else. */
export function told(
  one: SidedElement,
  other: { readonly side: Side; readonly evidence: StatedContradiction['evidence'] },
): StatedContradiction {
  return {
    rule: 'boundary-differs',
    item: compactTitle(one.name),
    confidence: 'high',
    words: { element: one.name, one: SIDES[one.side], other: SIDES[other.side] },
    affected: [one.item.id],
    evidence: [...shown(one.item, one.value, `${one.name}: ${one.value.title}`), ...other.evidence],
  };
}
