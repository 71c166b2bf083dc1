import type { Corpus } from '../../corpus/corpus.js';
import type { Criterion } from '../../standards/criterion.js';
import { detectLanguage } from '../../text/language.js';
import { splitSentences } from '../../text/sentences.js';
import { termsOf } from '../../text/terms.js';

/** One part of a demand, as a model is asked about it. */
export interface DemandPart {
  /** `a`, `b`, … */
  readonly id: string;
  readonly text: string;
  /** Stems of the words that speak of it, English and German where the data have both. */
  readonly words: ReadonlySet<string>;
  /** The languages of those words. */
  readonly languages: ReadonlySet<'en' | 'de'>;
}

const MOST_PARTS = 8;
/** Phrases of a group that mean the same: enough to tell what is meant. */
const PHRASES_NAMED = 6;

/**
 * The parts of a demand: groups of phrases, else columns, else sentences of a clause that is known by its text only,
 * else the demand as one. At most eight; what is more is left with the last.
 */
export function partsOf(criterion: Criterion, corpus: Corpus): readonly DemandPart[] {
  const { lookFor, title, text } = criterion;
  const groups = lookFor?.terms ?? [];
  if (groups.length > 1)
    return numbered(
      groups.map((phrases) => ({ text: phrases.slice(0, PHRASES_NAMED).join(' / '), phrases })),
    );
  const columns = (lookFor?.columns ?? []).flatMap((reference) => columnNames(corpus, reference));
  const names = groups[0] ?? [];
  if (columns.length > 1)
    return numbered(columns.map((of) => ({ text: of.slice(0, PHRASES_NAMED).join(' / '), phrases: of })));
  if (lookFor) return numbered([{ text, phrases: [title, ...names, ...columns.flat()] }]);
  const sentences = splitSentences(text).map(({ start, end }) => text.slice(start, end));
  const kept = sentences.slice(0, MOST_PARTS - 1);
  const rest = sentences.slice(MOST_PARTS - 1).join(' ');
  const all = rest === '' ? kept : [...kept, rest];
  return numbered((all.length === 0 ? [text] : all).map((one) => ({ text: one, phrases: [title] })));
}

function numbered(parts: readonly { text: string; phrases: readonly string[] }[]): readonly DemandPart[] {
  // Columns of two templates have the same names: one part.
  const few = [...new Map(parts.map((part) => [part.text, part])).values()].slice(0, MOST_PARTS);
  return few.map(({ text, phrases }, at) => {
    const said = [text, ...phrases];
    // Phrases are too short to tell their language by: each is stemmed as both.
    const words = said.flatMap((one) => [...termsOf(one, 'en'), ...termsOf(one, 'de')]);
    const languages =
      phrases.length > 1 ? (['en', 'de'] as const) : ([detectLanguage(text) === 'de' ? 'de' : 'en'] as const);
    return { id: String.fromCharCode(97 + at), text, words: new Set(words), languages: new Set(languages) };
  });
}

/** The names of a column of a template: `hara.events.severity`. */
function columnNames(corpus: Corpus, reference: string): readonly (readonly string[])[] {
  const [typeId, tableKey, columnKey] = reference.split('.');
  const table = corpus.documentTypes.get(typeId!)?.tables.find((one) => one.key === tableKey);
  const column = table?.columns.find((one) => one.key === columnKey);
  return column ? [[...new Set(column.names)]] : [];
}
