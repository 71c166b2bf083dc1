/** A colour as 24 bits, red first; undefined where it is not known (themes, patterns, pictures). */
export type Colour = number | undefined;

export const WHITE = 0xffffff;
/** Letters of at most this size are not read by anybody. Points. */
export const TINY_POINTS = 1;
/** Colours that differ no more than this in each of red, green and blue look the same. */
const SAME = 6;

/** A colour of six (or three, or eight with leading opacity) hexadecimal digits; undefined for anything else. */
export function hexColour(value: string | undefined): Colour {
  const digits = /^#?([0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$/i.exec(value?.trim() ?? '')?.[1];
  if (digits === undefined) return undefined;
  if (digits.length === 3) return Number.parseInt([...digits].map((digit) => digit + digit).join(''), 16);
  return Number.parseInt(digits.slice(-6), 16);
}

/** Whether text of one colour cannot be told from what it stands on. Unknown colours are never the same. */
export function looksSame(a: Colour, b: Colour): boolean {
  if (a === undefined || b === undefined) return false;
  return [16, 8, 0].every((shift) => Math.abs(((a >> shift) & 255) - ((b >> shift) & 255)) <= SAME);
}
