import { checkWords } from './check-words.js';

/** A number with its unit. */
export interface Quantity {
  /** `time`, `voltage`, … */
  readonly kind: string;
  /** In the base unit of its kind. */
  readonly value: number;
  readonly written: string;
  /** Half-open range in the text. */
  readonly start: number;
  readonly end: number;
}

/** What stands between groups of digits: "10 000", "10'000". */
const GROUP = " \u00A0\u2009\u202F'’";
const GROUPS = new RegExp(`[${GROUP}]`, 'gu');

let compiled:
  | { readonly expression: RegExp; readonly units: ReadonlyMap<string, { kind: string; factor: number }> }
  | undefined;

/** Numbers with a unit in a text, by place. Knows decimal points and commas, and blanks between groups of three digits. */
export function quantitiesIn(text: string): readonly Quantity[] {
  if (!compiled) {
    const units = new Map(
      Object.entries(checkWords().units).flatMap(([kind, names]) =>
        Object.entries(names).map(([name, factor]) => [name, { kind, factor }] as const),
      ),
    );
    const names = [...units.keys()]
      .sort((a, b) => b.length - a.length)
      .map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    compiled = {
      units,
      expression: new RegExp(
        `(?<![\\p{L}\\p{N}.,-])((?:\\d{1,3}(?:[${GROUP}]\\d{3})+|\\d+)(?:[.,]\\d+)?)\\s?(${names.join('|')})(?![\\p{L}\\p{N}/·])`,
        'gu',
      ),
    };
  }
  const { expression, units } = compiled;
  return [...text.matchAll(expression)].map((match) => {
    const { kind, factor } = units.get(match[2]!)!;
    return {
      kind,
      value: Number(match[1]!.replaceAll(GROUPS, '').replace(',', '.')) * factor,
      written: match[0],
      start: match.index,
      end: match.index + match[0].length,
    };
  });
}

/** "FTTI [ms]", "FTTI in ms", "FTTI, ms", "Time ms". */
const UNIT_IN_TITLE =
  /[[(]\s*(µs|us|ms|s|min|h)\s*[\])]|(?:\s(?:in|\/)\s|[,/]\s?)(µs|us|ms|s|min|h)\s*$|\s(µs|ms)\s*$/u;

/** The first time in a text, in milliseconds. A bare number in a cell under a title with a unit counts. */
export function timeIn(text: string, title = ''): Quantity | undefined {
  const stated = quantitiesIn(text).find((one) => one.kind === 'time');
  if (stated) return stated;
  const bare = /^\s*[≤<]?\s*(\d+(?:[.,]\d+)?)\s*$/u.exec(text);
  const unit = UNIT_IN_TITLE.exec(title)
    ?.slice(1)
    .find((one) => one !== undefined);
  return bare && unit ? quantitiesIn(`${bare[1]} ${unit}`)[0] : undefined;
}
