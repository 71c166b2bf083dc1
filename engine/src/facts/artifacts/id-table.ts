/** Ids and a number for each. */
export interface IdTable {
  /** The number of the id that is `text` from `start` to `end`; -1 where it has none. */
  find(text: string, start?: number, end?: number): number;
  /** Gives an id a number (from 0), unless it has one; returns the number that it has. */
  add(id: string, value: number): number;
}

/** Ids with the same beginning before a number of as many digits. */
interface Family {
  readonly stem: string;
  readonly width: number;
  /** Ids that `values` holds. */
  size: number;
  /** By the number at the end of the id: its value plus one; 0 for none. */
  values: Int32Array;
}

/** Longer numbers at the end of an id count nothing. */
const MOST_DIGITS = 8;
/** Where every id has a beginning of its own, families are of no use. */
const MOST_FAMILIES = 4096;
/** Numbers that a family may leave out for each that it has. */
const SPARSE = 8;

/** A map of fewer ids than this stays near the processor. */
const FEW = 20_000;

/**
 * A table for about so many ids. Nearly all are a stem and a running number, `FSR-000123`: of many such ids each stands in
 * an array by its number, near those that are mentioned with it. Hundreds of thousands of look-ups in a map would wait
 * for memory each time. All others stand in a map.
 */
export function idTable(expected: number): IdTable {
  return expected < FEW ? mapTable() : familyTable();
}

function mapTable(): IdTable {
  const values = new Map<string, number>();
  return {
    find: (text, start = 0, end = text.length) =>
      values.get(start === 0 && end === text.length ? text : text.slice(start, end)) ?? -1,
    add(id, value) {
      const known = values.get(id);
      if (known === undefined) values.set(id, value);
      return known ?? value;
    },
  };
}

function familyTable(): IdTable {
  const others = new Map<string, number>();
  /** By a hash of stem and width. */
  const families = new Map<number, Family[]>();
  let count = 0;
  let last: Family | undefined;

  function familyAt(text: string, start: number, end: number): Family | undefined {
    const width = widthAt(text, start, end);
    if (width === 0) return undefined;
    const stop = end - width;
    if (last && last.width === width && isStem(last.stem, text, start, stop)) return last;
    const alike = families.get(hashOf(text, start, stop) ^ width);
    if (!alike) return undefined;
    for (const family of alike) {
      if (family.width !== width || !isStem(family.stem, text, start, stop)) continue;
      last = family;
      return family;
    }
    return undefined;
  }

  function newFamily(id: string): Family | undefined {
    const width = widthAt(id, 0, id.length);
    if (width === 0 || count === MOST_FAMILIES) return undefined;
    count++;
    const stop = id.length - width;
    const family = { stem: id.slice(0, stop), width, size: 0, values: new Int32Array(16) };
    const hash = hashOf(id, 0, stop) ^ width;
    const alike = families.get(hash);
    if (alike) alike.push(family);
    else families.set(hash, [family]);
    last = family;
    return family;
  }

  function find(text: string, start = 0, end = text.length): number {
    const family = familyAt(text, start, end);
    if (family) {
      const known = family.values[numberAt(text, end - family.width, end)];
      if (known !== undefined && known > 0) return known - 1;
    }
    if (others.size === 0) return -1;
    return others.get(start === 0 && end === text.length ? text : text.slice(start, end)) ?? -1;
  }

  return {
    find,
    add(id, value) {
      const known = find(id);
      if (known >= 0) return known;
      const family = familyAt(id, 0, id.length) ?? newFamily(id);
      const number = family ? numberAt(id, id.length - family.width, id.length) : -1;
      if (!family || number > (family.size + 128) * SPARSE) {
        others.set(id, value);
        return value;
      }
      if (number >= family.values.length) {
        const longer = new Int32Array(Math.max(2 * family.values.length, number + 1));
        longer.set(family.values);
        family.values = longer;
      }
      family.values[number] = value + 1;
      family.size++;
      return value;
    },
  };
}

/** Digits at the end; 0 where they are none or too many to count by. */
function widthAt(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && isDigit(text.charCodeAt(at - 1))) at--;
  return end - at > MOST_DIGITS ? 0 : end - at;
}

function numberAt(text: string, start: number, end: number): number {
  let number = 0;
  for (let at = start; at < end; at++) number = number * 10 + text.charCodeAt(at) - 48;
  return number;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function isStem(stem: string, text: string, start: number, stop: number): boolean {
  if (stem.length !== stop - start) return false;
  for (let at = 0; at < stem.length; at++) {
    if (stem.charCodeAt(at) !== text.charCodeAt(start + at)) return false;
  }
  return true;
}

function hashOf(text: string, start: number, stop: number): number {
  let hash = 0;
  for (let at = start; at < stop; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
  return hash;
}
