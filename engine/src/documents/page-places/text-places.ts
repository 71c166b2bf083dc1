/** A piece of a line where it stands on the picture of its page. Points from the top left of the upright page. */
export interface LinePlace {
  /** 1-based. */
  readonly page: number;
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
  /** Quarter turns against the clock of the direction in which it is read: 0 to the right, 1 upwards, 2 to the left, 3 downwards. */
  readonly turn: 0 | 1 | 2 | 3;
  /**
   * Where each letter begins along the line: one UTF-16 unit for each of the text's, a share of the length from 0 to 0xffff.
   * Undefined where it is not known.
   */
  readonly lefts: string | undefined;
}

/** A stretch of a text and the piece of a line in which it stands, letter by letter from `at` on. */
export interface TextPlace {
  /** Half-open range in the text. */
  readonly from: number;
  readonly to: number;
  readonly line: LinePlace;
  /** Which letter of the line is the first one. */
  readonly at: number;
}

/** A piece of a line as it was read. */
interface Piece {
  readonly text: string;
  readonly place?: LinePlace;
}

/**
 * Where the letters of a text stand that was made of these pieces in their order: joined with or without spaces, hyphens at the end of
 * a line dropped. Undefined where the text says something else than its pieces: a wrong place is worse than none.
 */
export function placeText(text: string, pieces: readonly Piece[]): TextPlace[] | undefined {
  const places: TextPlace[] = [];
  let at = 0;
  for (const { text: piece, place } of pieces) {
    let from = -1;
    let begin = 0;
    const end = (): void => {
      if (from >= 0 && place) places.push({ from, to: at, line: place, at: begin });
      from = -1;
    };
    for (let letter = 0; letter < piece.length; letter++) {
      const wanted = piece[letter]!;
      if (isSpace(wanted) && !isSpace(text[at])) continue;
      if (!isSpace(wanted) && text[at] !== wanted && isSpace(text[at])) {
        end();
        while (isSpace(text[at])) at++;
      }
      if (text[at] !== wanted && !(isSpace(wanted) && isSpace(text[at]))) {
        if (letter === piece.length - 1 && isHyphen(wanted)) continue;
        return undefined;
      }
      if (from < 0) {
        from = at;
        begin = letter;
      }
      at++;
    }
    end();
  }
  return text.slice(at).trim() === '' ? places : undefined;
}

const isSpace = (letter: string | undefined): boolean => letter !== undefined && /\s/.test(letter);
const isHyphen = (letter: string): boolean => letter === '-' || letter === '\u2010';

/** The places of a text without its first letters. */
export const withoutStart = (places: readonly TextPlace[], letters: number): TextPlace[] =>
  places.flatMap((one) => {
    if (one.to <= letters) return [];
    const cut = Math.max(0, letters - one.from);
    return [{ ...one, from: one.from + cut - letters, to: one.to - letters, at: one.at + cut }];
  });
