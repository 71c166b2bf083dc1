import { z } from 'zod';
import type { Document } from '../documents/document.js';
import { normaliseWord } from '../text/normalise.js';
import { stopWords } from '../text/stop-words.js';
import { byLanguageSchema, readWords } from '../words/read-words.js';
import type { Passage } from './passages/passage.js';
import type { ReadDocument } from './passages/passages-of.js';

const schema = z.strictObject({
  en: z.string(),
  de: z.string(),
  vague: byLanguageSchema,
  idle: byLanguageSchema,
  lead: byLanguageSchema,
  never_after: byLanguageSchema,
});

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
/** Shorter parts stand in other words; German ones stand in compounds. */
const SHORTEST_PART = { en: 5, de: 4 } as const;
const ENDINGS = /(?:ing|ed|es|er|en|s|e|n)$/;

interface Vocabulary {
  readonly en: ReadonlySet<string>;
  readonly de: ReadonlySet<string>;
  /** By language: words, and those that cannot follow them. */
  readonly breaks: readonly { readonly lead: ReadonlySet<string>; readonly never: ReadonlySet<string> }[];
  readonly vague: ReadonlySet<string>;
  readonly idle: ReadonlySet<string>;
  readonly known: Map<string, boolean>;
}

let loaded: Vocabulary | undefined;

function vocabulary(): Vocabulary {
  if (!loaded) {
    const words = readWords('engineering', schema);
    const setOf = (list: readonly string[]) => new Set(list.map(normaliseWord));
    loaded = {
      en: new Set(words.en.split(/\s+/).map(normaliseWord)),
      de: new Set(words.de.split(/\s+/).map(normaliseWord)),
      breaks: (['en', 'de'] as const).map((language) => ({
        lead: setOf(words.lead[language]),
        never: setOf(words.never_after[language]),
      })),
      vague: setOf([...words.vague.en, ...words.vague.de]),
      idle: setOf([...words.idle.en, ...words.idle.de]),
      known: new Map(),
    };
  }
  return loaded;
}

/** Words of a text; identifiers ("TSR-01", "Speed_Threshold") and abbreviations are names. */
const WORD = /(?<![\p{L}\p{N}_-])\p{L}{2,}(?![\p{L}\p{N}_]|-[\p{N}_])/gu;
const wordsOf = (text: string): string[] =>
  (text.match(WORD) ?? []).filter((word) => word !== word.toUpperCase()).map(normaliseWord);

/**
 * Cells and paragraphs of the documents that have words and say nothing: one or few words over and over, a sequence
 * of words that is no sentence, and words of which neither technical language nor the headings and names of the
 * documents know any. Names and values (up to three words) are never that.
 */
export function findEmptyTalk(documents: readonly ReadDocument[]): ReadonlyMap<string, readonly EmptyTalk[]> {
  const anchors = new Set(documents.flatMap((read) => anchorsOf(read)));
  const found = new Map<string, readonly EmptyTalk[]>();
  for (const read of documents) {
    const own = read.passages.flatMap((passage) => emptyTalkIn(passage, read, anchors));
    if (own.length > 0) found.set(read.documentId, own);
  }
  return found;
}

function emptyTalkIn(
  passage: Passage,
  { document, tables, tableOf }: ReadDocument,
  anchors: ReadonlySet<string>,
): readonly EmptyTalk[] {
  if ((passage.role !== 'body' && passage.role !== 'scope') || passage.header) return [];
  const { cells } = document.blocks[passage.blockIndex]!;
  if (!cells) {
    const { start, end } = passage;
    return saysNothing(passage.text, anchors) ? [{ passage, start, end }] : [];
  }
  const row = cells.find(({ text }) => text.trim() !== '')?.text.trim() ?? '';
  const table = tables[tableOf[passage.blockIndex]!];
  return cells
    .filter(({ text }) => saysNothing(text, anchors))
    .map(({ start, end, column }) => {
      const title = table?.columns[column];
      return { passage, start, end, row, ...(title === undefined ? {} : { column: title }) };
    });
}

/** Whether a text has words and says nothing; `anchors` are the words that the documents use as names. */
export function saysNothing(text: string, anchors: ReadonlySet<string>): boolean {
  const words = wordsOf(text);
  const different = new Set(words);
  if (words.length >= SHORTEST - 1 && different.size === 1) return true;
  if (words.length < SHORTEST) return false;
  if (different.size <= FEW && different.size * REPEATS <= words.length) return true;
  if (isBroken(text)) return true;
  const { en, de } = stopWords();
  const telling = [...different].filter((word) => !en.has(word) && !de.has(word));
  const { vague, idle } = vocabulary();
  // "Something shall be done."
  const isVague = [...different].some((word) => vague.has(word));
  if (isVague && telling.every((word) => vague.has(word) || idle.has(word))) return true;
  // People, companies and titles are names however many words they have.
  const isNames = (text.match(/\p{L}{2,}/gu) ?? []).every((word) => /^\p{Lu}/u.test(word));
  if (telling.length < UNKNOWN || isNames) return false;
  return !telling.some((word) => anchors.has(word) || isKnown(word));
}

/** "the of shall and is": places where no sentence of either language goes on like this. */
function isBroken(text: string): boolean {
  const { breaks } = vocabulary();
  let broken = 0;
  for (const sentence of text.split(/[.;:,()"“”„/–—\n\t]/u)) {
    const words: readonly string[] = sentence.match(/\p{L}+/gu) ?? [];
    for (let at = 0; at + 1 < words.length; at++) {
      const one = normaliseWord(words[at]!);
      if (!breaks.some(({ lead }) => lead.has(one))) continue;
      const next = words[at + 1]!;
      if (/^\p{Lu}/u.test(next)) continue;
      const other = normaliseWord(next);
      if (breaks.some(({ lead, never }) => lead.has(one) && never.has(other))) broken++;
    }
  }
  return broken >= BROKEN;
}

/** A word of technical language, inflected or as part of a compound. */
function isKnown(word: string): boolean {
  const { en, de, known } = vocabulary();
  let answer = known.get(word);
  if (answer === undefined) {
    const bare = word.replace(ENDINGS, '');
    answer =
      [word, bare].some((one) => en.has(one) || de.has(one)) ||
      hasPart(word, en, SHORTEST_PART.en) ||
      hasPart(word, de, SHORTEST_PART.de);
    known.set(word, answer);
  }
  return answer;
}

function hasPart(word: string, words: ReadonlySet<string>, shortest: number): boolean {
  for (let from = 0; from + shortest <= word.length; from++) {
    for (let to = from + shortest; to <= word.length; to++) {
      if (words.has(word.slice(from, to))) return true;
    }
  }
  return false;
}

/** Words of headings, column titles, captions and names: what a project calls its things. */
function anchorsOf({ passages, document }: ReadDocument): readonly string[] {
  return passages.flatMap((passage) => {
    const { cells } = document.blocks[passage.blockIndex]!;
    if (
      passage.role === 'heading' ||
      passage.role === 'caption' ||
      passage.role === 'glossary' ||
      passage.header
    )
      return telling(wordsOf(passage.text));
    if (!cells) return [];
    return cells.flatMap(({ text }) => {
      const words = wordsOf(text);
      return words.length < SHORTEST ? telling(words) : [];
    });
  });
}

function telling(words: readonly string[]): readonly string[] {
  const { en, de } = stopWords();
  return words.filter((word) => word.length > 2 && !en.has(word) && !de.has(word));
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
