/** A half-open range of a text, in UTF-16 code units. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Abbreviations, English and German, after which a full stop ends no sentence. */
const ABBREVIATIONS = new Set(
  (
    'e.g i.e eg ie etc cf vs no nos fig figs tab sec sect ch chap ref refs rev ver vol p pp para approx resp incl ' +
    'excl max min art dr mr mrs ms prof st inc ltd co corp al ed eds dept est ' +
    'z z.b d.h u.a i.d.r o.g u.u v.a z.t s.o s.u b d h a u bzw ca evtl ggf inkl exkl nr abb abs kap vgl usw sog bspw ' +
    'gem zzgl abschn anm hrsg max mind st tel'
  ).split(' '),
);

/**
 * Sentences of a text in order, without the white space around them; together they hold every other character.
 * Ends: `.`, `!`, `?` before white space and something that may open a sentence, a blank line, and a line break
 * before a list mark. Abbreviations, numbers and initials do not end a sentence. Linear.
 */
export function splitSentences(text: string): TextRange[] {
  const sentences: TextRange[] = [];
  const boundary =
    /(?<![.!?…])[.!?…]+["'”’)\]]*(?=\s)|\r?\n[ \t]*(?=\r?\n|[-*•–·][ \t]|\(?\w{1,3}[.)][ \t])|\n\s*\n/g;
  let start = 0;
  for (let match = boundary.exec(text); match; match = boundary.exec(text)) {
    const end = match.index + match[0].length;
    if (match[0][0] !== '\n' && match[0][0] !== '\r' && !endsSentence(text, match.index, end)) continue;
    pushTrimmed(sentences, text, start, end);
    start = end;
  }
  pushTrimmed(sentences, text, start, text.length);
  return sentences;
}

function endsSentence(text: string, stop: number, end: number): boolean {
  const next = /\S/.exec(text.slice(end, end + 20))?.[0];
  if (next === undefined) return true;
  if (/\p{Ll}/u.test(next)) return false;
  if (text[stop] !== '.' || end - stop > 1) return true;
  const before = /[\p{L}\p{N}.]*$/u.exec(text.slice(Math.max(0, stop - 20), stop))?.[0] ?? '';
  if (ABBREVIATIONS.has(before.toLowerCase())) return false;
  // `A. Smith`, `1. First step`, `3.2. Title`: an initial or a number opens, it does not close.
  if (/^\p{Lu}$/u.test(before)) return false;
  return !/^\d+(?:\.\d+)*$/.test(before) || stopIsFarFromLineStart(text, stop - before.length);
}

/** A number closes a sentence (`… within 20.`) unless it stands where an enumeration starts. */
function stopIsFarFromLineStart(text: string, numberStart: number): boolean {
  return /\S[ \t]*$/.test(text.slice(Math.max(0, numberStart - 40), numberStart));
}

function pushTrimmed(sentences: TextRange[], text: string, from: number, to: number): void {
  let start = from;
  let end = to;
  while (start < end && isSpace(text.charCodeAt(start))) start++;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--;
  if (start < end) sentences.push({ start, end });
}

function isSpace(code: number): boolean {
  return (
    code === 0x20 || (code >= 0x09 && code <= 0x0d) || code === 0xa0 || code === 0x2028 || code === 0x2029
  );
}
