import type { Document } from '../documents/document.js';
import { doubtsOf, isNames, type PlacedText } from './doubtful-text.js';
import { brokenPlaces, isKnown, isVague, plainWords, tellingWords } from './known-words.js';
import type { Passage } from './passages/passage.js';
import type { ReadDocument } from './passages/passages-of.js';

/** A cell or paragraph that has words and says nothing. */
export interface EmptyTalk {
  readonly passage: Passage;
  /** Half-open range in the text of the document. */
  readonly start: number;
  readonly end: number;
  /** Title of its column and first cell of its row, for a person; of a cell only. */
  readonly column?: string;
  readonly row?: string;
}

/** Fewer words are a name or a value. */
const SHORTEST = 4;
/** A text of so few words, each so often, only repeats itself. */
const FEW = 4;
const REPEATS = 3;
/** So many words about something, none of them known, are about nothing that is known. */
const UNKNOWN = 5;
/** Sentences that cannot be read: so many places where no sentence goes on like this. */
const BROKEN = 2;

/**
 * Cells and paragraphs of the documents that have words and say nothing: one or few words over and over, a sequence
 * of words that is no sentence, words of which neither technical language nor the headings and names of the
 * documents know any, and what a whole document shows of its texts (`doubtful-text.ts`). Names and values are never that.
 */
export function findEmptyTalk(documents: readonly ReadDocument[]): ReadonlyMap<string, readonly EmptyTalk[]> {
  const texts = documents.map(textsOf);
  const doubts = doubtsOf(texts);
  const anchors = new Set(documents.flatMap((read, at) => anchorsOf(read, doubts[at]!)));
  const found = new Map<string, readonly EmptyTalk[]>();
  for (const [at, { documentId }] of documents.entries()) {
    const own = texts[at]!.filter(
      ({ text, words }) => doubts[at]!(text) || saysNothing(text, anchors, words),
    );
    if (own.length > 0)
      found.set(
        documentId,
        own.map(({ place }) => place),
      );
  }
  return found;
}

interface BodyText extends PlacedText {
  readonly place: EmptyTalk;
}

/** Paragraphs and cells that could state something. */
function textsOf({ document, passages, tables, tableOf }: ReadDocument): readonly BodyText[] {
  return passages.flatMap((passage): readonly BodyText[] => {
    if ((passage.role !== 'body' && passage.role !== 'scope') || passage.header) return [];
    const { cells } = document.blocks[passage.blockIndex]!;
    const section = passage.location.section?.join(' › ') ?? '';
    if (!cells) {
      const { text, start, end } = passage;
      const place = { passage, start, end };
      return [{ text, field: section, isCell: false, words: plainWords(text), place }];
    }
    const row = cells.find(({ text }) => text.trim() !== '')?.text.trim() ?? '';
    const table = tables[tableOf[passage.blockIndex]!];
    return cells.map(({ text, start, end, column: at }) => {
      const column = table?.columns[at];
      const named = column === undefined ? {} : { column };
      return {
        text,
        field: column ?? `${section} | ${at}`,
        isCell: true,
        words: plainWords(text),
        place: { passage, start, end, row, ...named },
      };
    });
  });
}

/** Whether a text has words and says nothing; `anchors` are the words that the documents use as names. */
export function saysNothing(
  text: string,
  anchors: ReadonlySet<string>,
  words: readonly string[] = plainWords(text),
): boolean {
  const different = new Set(words);
  // "PB-04, issue C; PB-05, issue B" is a list.
  if (words.length >= SHORTEST - 1 && different.size === 1 && !LISTED.test(text)) return true;
  if (words.length < SHORTEST) return false;
  if (different.size <= FEW && different.size * REPEATS <= words.length) return true;
  if (brokenPlaces(text, { isCell: false }) >= BROKEN) return true;
  const telling = tellingWords([...different]);
  if (isVague(telling, words)) return true;
  if (telling.length < UNKNOWN || isNames(text)) return false;
  return !telling.some((word) => anchors.has(word) || isKnown(word));
}

/** Two ids, one behind the other. */
const LISTED =
  /(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{N}]*-[\p{L}\p{N}-]*\d(?![\p{L}\p{N}]).*(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{N}]*-[\p{L}\p{N}-]*\d(?![\p{L}\p{N}])/u;

/** Words of headings, column titles, captions and names: what a project calls its things. */
function anchorsOf(
  { passages, document }: ReadDocument,
  isDoubtful: (text: string) => boolean,
): readonly string[] {
  return passages.flatMap((passage) => {
    const { cells } = document.blocks[passage.blockIndex]!;
    if (
      passage.role === 'heading' ||
      passage.role === 'caption' ||
      passage.role === 'glossary' ||
      passage.header
    )
      return tellingWords(plainWords(passage.text));
    if (!cells) return [];
    return cells.flatMap(({ text }) => {
      const words = plainWords(text);
      return words.length < SHORTEST && !isDoubtful(text) ? tellingWords(words) : [];
    });
  });
}

/** The document with spaces where nothing is said. Ranges stay those of the whole document. */
export function withoutEmptyTalk(document: Document, places: readonly EmptyTalk[]): Document {
  const text = blanked(document.text, places);
  const touched = new Set(places.map(({ passage }) => passage.blockIndex));
  const blocks = document.blocks.map((block) => {
    if (!touched.has(block.index)) return block;
    const cells = block.cells?.map((cell) =>
      places.some(({ start, end }) => start === cell.start && end === cell.end)
        ? { ...cell, text: '', end: cell.start }
        : cell,
    );
    const own = text.slice(block.start, block.end);
    return { ...block, text: own, ...(cells ? { cells } : {}) };
  });
  return { ...document, text, blocks };
}

function blanked(text: string, places: readonly { start: number; end: number }[]): string {
  const pieces: string[] = [];
  let written = 0;
  for (const { start, end } of places) {
    pieces.push(text.slice(written, start), ' '.repeat(end - start));
    written = end;
  }
  pieces.push(text.slice(written));
  return pieces.join('');
}
