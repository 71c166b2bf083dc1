import type { StatedKind } from './stated-columns.js';
import type { StatedItem, StatedValue } from './stated-item.js';

const RATED = [
  ['severity', 'severity_rationale'],
  ['exposure', 'exposure_rationale'],
  ['controllability', 'controllability_rationale'],
] as const satisfies readonly (readonly [StatedKind, StatedKind])[];

/** "S3 – a person may be killed", "S3 (…)", "S3 # …" of YAML: a class and what stands behind it in the same words. */
const EXPLAINED =
  /^\s*(?<class>[SECK]\s?[0-4])(?:\s{0,3}[:;,.(=#–—→-]{1,2}\s{0,3}|\s{1,3}(?:because|since|as|weil|da|denn)\s)(?<reason>\S.{7,})$/su;
/** A name of a class has few words: "S2: severe injuries". */
const FEWEST_WORDS = 4;
/** So many items with the same words behind a class. */
const NAME_OF_CLASS = 3;

/**
 * Items whose ratings carry their reasons in the same cell or field, with the reason as a value of its own. Words that stand
 * behind the classes of several items are the name of the class.
 */
export function withClassReasons(items: readonly StatedItem[]): readonly StatedItem[] {
  const holders = new Map<string, Set<string>>();
  const found = items.map((item) => {
    const reasons = RATED.flatMap(([rating, rationale]) => {
      const value = item.values.get(rating);
      if (!value || item.values.has(rationale)) return [];
      const groups = EXPLAINED.exec(value.text)?.groups;
      if (!groups || groups.reason!.trim().split(/\s+/u).length < FEWEST_WORDS) return [];
      const key = value.text.replaceAll(/\s+/gu, ' ').toLowerCase();
      holders.set(key, (holders.get(key) ?? new Set()).add(item.key));
      return [{ rating, rationale, value, key, class: groups.class!, reason: groups.reason!.trimEnd() }];
    });
    return { item, reasons };
  });
  return found.map(({ item, reasons }) => {
    const own = reasons.filter(({ key }) => holders.get(key)!.size < NAME_OF_CLASS);
    if (own.length === 0) return item;
    const values = new Map(item.values);
    for (const { rating, rationale, value, class: rated, reason } of own) {
      values.set(rating, partOf(value, rated));
      values.set(rationale, partOf(value, reason));
    }
    return { ...item, values };
  });
}

/** Some words of a value, at their place. */
function partOf(value: StatedValue, text: string): StatedValue {
  const start = value.start + value.text.lastIndexOf(text);
  return { ...value, text, start, end: start + text.length };
}

/** Reasons that stand in another table than the classes of the same event take these from there. */
export function withClassesElsewhere(items: readonly StatedItem[]): readonly StatedItem[] {
  const rated = new Map<string, StatedItem>();
  for (const item of items) {
    const name = `${item.document.id}\n${item.key}`;
    if (item.hasId && !rated.has(name) && RATED.some(([rating]) => item.values.has(rating)))
      rated.set(name, item);
  }
  return items.map((item) => {
    const isBare =
      item.hasId &&
      RATED.some(([rating, rationale]) => item.values.has(rationale) && !item.values.has(rating));
    const event = isBare ? rated.get(`${item.document.id}\n${item.key}`) : undefined;
    if (!event || event === item) return item;
    const missing = [...event.values].filter(([kind]) => !item.values.has(kind) && TAKEN.includes(kind));
    return { ...item, values: new Map([...item.values, ...missing]) };
  });
}
/** What a reason is held against. */
const TAKEN: readonly StatedKind[] = [...RATED.map(([rating]) => rating), 'malfunction', 'situation', 'asil'];
