import bidiModule from 'bidi-js';
import type { Inline, Span } from '../../layout/block.js';
import { COLOURS } from '../../pictures/colours.js';
import type { Mark } from '../../report-words.js';
import { printable } from '../escape.js';
import type { Face, Fonts } from './fonts.js';

export const INK = '#1d2733';
export const SOFT = '#43505d';

/** A stretch of one line in one face. */
export interface Run {
  readonly text: string;
  readonly face: Face;
  readonly colour: string;
  readonly width: number;
  /** Drawn as a label with a coloured ground. */
  readonly mark?: Mark;
}

export interface Line {
  /** From left to right as they are drawn. */
  readonly runs: readonly Run[];
  readonly width: number;
  readonly rightToLeft: boolean;
}

export interface TextStyle {
  readonly size: number;
  readonly face?: Face;
  readonly colour?: string;
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
/** Where a long identifier or path may best be broken. */
const BREAKABLE = /[^/\\_\-.:;,()[\]{}|=&?#@]*[/\\_\-.:;,()[\]{}|=&?#@]+|[^/\\_\-.:;,()[\]{}|=&?#@]+/g;
// Its types describe an ES module, what Node loads is CommonJS: the function itself.
const bidi = (bidiModule as unknown as typeof bidiModule.default)();

/** A piece of a span that stays on one line. */
interface Word extends Run {
  /** A space stands before it, unless it begins a line. */
  readonly spaced: boolean;
}

/**
 * Breaks text into lines of at most `width` points. Words longer than a line are broken after punctuation, else
 * anywhere; line breaks of the text are kept; right-to-left text is put in the order in which it is drawn.
 */
export function breakLines(
  text: Inline,
  { width, style, fonts }: { readonly width: number; readonly style: TextStyle; readonly fonts: Fonts },
): Line[] {
  const spans: readonly Span[] = typeof text === 'string' ? [{ text }] : text;
  const lines: Line[] = [];
  let line: Word[] = [];
  let length = 0;
  const rightToLeft = firstStrong(spans.map((span) => span.text).join('')) === 'rtl';
  const finish = (): void => {
    lines.push(toLine(line, { rightToLeft, style, fonts }));
    line = [];
    length = 0;
  };
  const add = (word: Word): void => {
    const gap = word.spaced && line.length > 0 ? fonts.width(' ', word.face, style.size) : 0;
    if (line.length > 0 && length + gap + word.width > width) finish();
    const before = word.spaced && line.length > 0 ? gap : 0;
    line.push(line.length === 0 ? { ...word, spaced: false } : word);
    length += before + word.width;
  };
  let spaced = false;
  for (const span of spans) {
    const paragraphs = printable(span.text).split(/\r\n|[\n\r\u2028\u2029]/);
    for (const [number, paragraph] of paragraphs.entries()) {
      if (number > 0) finish();
      for (const word of wordsOf(span, paragraph, { spaced, width, style, fonts })) {
        if (word.width <= width) add(word);
        else for (const piece of broken(word, { width, style, fonts })) add(piece);
      }
      spaced = paragraph === '' ? spaced : /\s$/.test(paragraph);
    }
  }
  if (line.length > 0 || lines.length === 0) finish();
  return lines;
}

function* wordsOf(
  span: Span,
  paragraph: string,
  {
    spaced,
    width,
    style,
    fonts,
  }: {
    /** A space stands before it. */
    readonly spaced: boolean;
    readonly width: number;
    readonly style: TextStyle;
    readonly fonts: Fonts;
  },
): Generator<Word> {
  const face: Face =
    span.mark !== undefined || span.strong ? 'strong' : span.code ? 'code' : (style.face ?? 'text');
  const colour = span.mark ? COLOURS[span.mark].text : span.soft ? SOFT : (style.colour ?? INK);
  const drawable = fonts.drawable(paragraph.replace(/\t/g, ' '), face);
  const measure = (text: string): number => fonts.width(text, face, style.size);
  if (span.mark) {
    const text = drawable.trim();
    const whole = measure(text) + style.size * 0.8;
    // A label that is wider than its column is set as words.
    if (whole <= width) {
      yield { text, face, colour, spaced, width: whole, mark: span.mark };
      return;
    }
  }
  let isSpaced = spaced;
  for (const text of drawable.split(/( +)/)) {
    if (text === '') continue;
    if (text[0] === ' ') isSpaced = true;
    else {
      yield { text, face, colour, spaced: isSpaced, width: measure(text) };
      isSpaced = false;
    }
  }
}

function* broken(
  word: Word,
  { width, style, fonts }: { readonly width: number; readonly style: TextStyle; readonly fonts: Fonts },
): Generator<Word> {
  let spaced = word.spaced;
  let text = '';
  const measure = (one: string): number => fonts.width(one, word.face, style.size);
  const give = function* (): Generator<Word> {
    if (text === '') return;
    yield { ...word, text, spaced, width: measure(text) };
    spaced = false;
    text = '';
  };
  for (const part of word.text.match(BREAKABLE) ?? []) {
    if (measure(text + part) <= width) {
      text += part;
      continue;
    }
    yield* give();
    if (measure(part) <= width) {
      text = part;
      continue;
    }
    for (const character of part) {
      if (text !== '' && measure(text + character) > width) yield* give();
      text += character;
    }
  }
  yield* give();
}

function toLine(
  words: readonly Word[],
  {
    rightToLeft,
    style,
    fonts,
  }: { readonly rightToLeft: boolean; readonly style: TextStyle; readonly fonts: Fonts },
): Line {
  const runs: Run[] = [];
  for (const word of words) {
    const last = runs.at(-1);
    const text = word.spaced ? ` ${word.text}` : word.text;
    const joins = last && last.face === word.face && last.colour === word.colour && !last.mark && !word.mark;
    if (joins) {
      const whole = last.text + text;
      runs[runs.length - 1] = { ...last, text: whole, width: fonts.width(whole, word.face, style.size) };
    } else if (word.mark && word.spaced) {
      runs.push(
        { ...word, text: ' ', width: fonts.width(' ', 'text', style.size), mark: undefined } as Run,
        word,
      );
    } else {
      const { spaced: _, ...run } = word;
      runs.push({ ...run, text, width: run.mark ? run.width : fonts.width(text, run.face, style.size) });
    }
  }
  const ordered = runs.some(({ text }) => RIGHT_TO_LEFT.test(text))
    ? inVisualOrder(runs, { rightToLeft, size: style.size, fonts })
    : runs;
  return { runs: ordered, width: ordered.reduce((sum, run) => sum + run.width, 0), rightToLeft };
}

/** Splits runs where the direction changes and puts the pieces in the order in which they are drawn. */
function inVisualOrder(
  runs: readonly Run[],
  {
    rightToLeft,
    size,
    fonts,
  }: { readonly rightToLeft: boolean; readonly size: number; readonly fonts: Fonts },
): Run[] {
  // A label stays whole: for the order it is one neutral character.
  const texts = runs.map((run) => (run.mark ? '\ufffc' : run.text));
  const text = texts.join('');
  const owner = texts.flatMap((one, index) => Array<number>(one.length).fill(index));
  const { levels, paragraphs } = bidi.getEmbeddingLevels(text, rightToLeft ? 'rtl' : 'ltr');
  const order = bidi.getReorderedIndices(text, { levels, paragraphs });
  const pieces: Run[] = [];
  for (let at = 0; at < order.length; ) {
    const first = order[at]!;
    const backward = levels[first]! % 2 === 1;
    let end = at + 1;
    // A piece is one word of one run in one direction: fonts are shaped word by word.
    while (
      end < order.length &&
      order[end] === order[end - 1]! + (backward ? -1 : 1) &&
      owner[order[end]!] === owner[first] &&
      levels[order[end]!]! % 2 === levels[first]! % 2 &&
      (text[order[end]!] === ' ') === (text[first] === ' ')
    ) {
      end++;
    }
    const [from, to] = backward ? [order[end - 1]!, first] : [first, order[end - 1]!];
    const run = runs[owner[first]!]!;
    at = end;
    if (run.mark) {
      pieces.push(run);
      continue;
    }
    let piece = text.slice(from, to + 1);
    if (backward) piece = [...piece].map((one) => bidi.getMirroredCharacter(one) ?? one).join('');
    pieces.push({ ...run, text: piece, width: fonts.width(piece, run.face, size) });
  }
  return pieces;
}

function firstStrong(text: string): 'ltr' | 'rtl' {
  const letter = /\p{L}/u.exec(text)?.[0];
  return letter !== undefined && RIGHT_TO_LEFT.test(letter) ? 'rtl' : 'ltr';
}
