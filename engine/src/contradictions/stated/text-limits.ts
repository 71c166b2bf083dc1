import { type Quantity, quantitiesIn } from '../../facts/quantities.js';
import { stateWords } from '../../facts/stated/state-words.js';
import type { StatedValue } from '../../facts/stated/stated-item.js';
import { patternOf } from '../../words/read-words.js';

/** A number with a unit that words make a limit: "above 3 km/h", "within 20 ms". */
export interface Limit {
  readonly quantity: Quantity;
  readonly side: string;
  /** Last word before the limit: what is limited. */
  readonly what: string;
}

export function limitsIn(text: string): readonly Limit[] {
  return quantitiesIn(text).flatMap((quantity): Limit[] => {
    const behind = sideBehind(text.slice(quantity.end));
    // "After 5 s, not before" waits.
    const side = behind?.side === 'least' ? behind : (sideOf(text.slice(0, quantity.start)) ?? behind);
    return side ? [{ quantity, ...side }] : [];
  });
}

const NEGATED: Readonly<Record<string, string>> = { above: 'within', by: 'within', below: 'least' };

/** What the words right before a number or a name make of it; undefined where it is no limit. */
export function sideOf(before: string): { readonly side: string; readonly what: string } | undefined {
  for (const [side, words] of Object.entries(stateWords().limits)) {
    const pattern = patternOf(
      `(?:(\\p{L}+)\\s+(?:(?:is|are|ist|sind|rolls|of|liegt)\\s+)?)?(?<!\\p{L})(?:${words.join('|')})(?:\\s+(?:the|a|den|die|das|einer|einem))?\\s*$`,
    );
    const match = pattern.exec(before);
    if (!match) continue;
    const what = (match[1] ?? '').toLowerCase();
    // "Never more than 3 A", "nicht über 3 A".
    if (stateWords().negations.includes(what)) return { side: NEGATED[side] ?? side, what: '' };
    return { side, what };
  }
  return undefined;
}

/** "40 ms or less", "40 ms (T_OFF) or less". */
export function sideBehind(behind: string): { readonly side: string; readonly what: string } | undefined {
  const found = Object.entries(stateWords().limitsBehind).find(([, words]) =>
    patternOf(`^\\s*(?:\\([^()]{1,30}\\)\\s*)?(?:${words.join('|')})(?!\\p{L})`).test(behind),
  );
  return found && { side: found[0], what: '' };
}

/** A part of a value, by its place in it, as a value of its own, to be quoted. */
export function placeIn(value: StatedValue, from: number, to: number): StatedValue {
  const text = value.text.slice(from, to);
  return { ...value, text, start: value.start + from, end: value.start + to };
}

/** The words of a value that hold a quantity, as a value of its own, to be quoted. */
export function placeOf(value: StatedValue, quantity: Quantity): StatedValue {
  return {
    ...value,
    text: quantity.written,
    start: value.start + quantity.start,
    end: value.start + quantity.end,
  };
}
