import type { Corpus, CorpusDocument } from '../../corpus/corpus.js';
import type { Passage } from '../../corpus/passages/passage.js';
import { splitSentences, type TextRange } from '../../text/sentences.js';
import { patternOf } from '../../words/read-words.js';
import { typeInCorpus } from '../artifacts/id-types.js';
import { identifierKey, identifiersIn } from '../artifacts/identifiers.js';
import { quantitiesIn } from '../quantities.js';
import { stateWords } from './state-words.js';
import type { StatedKind } from './stated-columns.js';
import { idsIn, type StatedItem, type StatedValue } from './stated-item.js';

/**
 * What sentences say about the safety goal of their section, or the one that they name: its safe state, and how long detection and
 * reaction take ("detected after 100 ms, the motor is off 40 ms later"). Linear in the text.
 */
export function statedSections(corpus: Corpus, document: CorpusDocument): readonly StatedItem[] {
  const { read } = document;
  return read.passages.flatMap((passage) => {
    const { cells, kind, location } = read.document.blocks[passage.blockIndex]!;
    if (cells || kind === 'heading' || passage.role !== 'body' || corpus.otherItem.has(passage.id)) return [];
    const about = goalOfSection(corpus, location.section ?? []);
    const sentences = splitSentences(passage.text);
    return [
      ...sentences.flatMap((sentence) => safeStateIn(document, { corpus, passage, sentence, about })),
      ...timesOf(document, { corpus, passage, about }),
    ];
  });
}

/** The goal that the nearest heading names, if it names one alone. */
function goalOfSection(corpus: Corpus, titles: readonly string[]): string | undefined {
  for (const title of [...titles].reverse()) {
    const ids = goalsIn(corpus, title);
    if (ids.length > 0) return ids.length === 1 ? ids[0] : undefined;
  }
  return undefined;
}

function goalsIn(corpus: Corpus, text: string): readonly string[] {
  const isGoal = (id: string) =>
    identifiersIn(id)[0]?.family === 'safety_goal' || typeInCorpus(corpus, id) === 'safety_goal';
  return [...new Map(idsIn(text).map(({ id, key }) => [key, id])).values()].filter(isGoal);
}

interface Place {
  readonly corpus: Corpus;
  readonly passage: Passage;
  readonly about: string | undefined;
}

/** "The safe state is reached when the motor is off." */
function safeStateIn(
  document: CorpusDocument,
  { corpus, passage, sentence: { start, end }, about }: Place & { readonly sentence: TextRange },
): readonly StatedItem[] {
  const sentence = passage.text.slice(start, end);
  const named = goalsIn(corpus, sentence);
  const id = named.length === 0 ? about : named.length === 1 ? named[0] : undefined;
  if (id === undefined) return [];
  for (const pattern of stateWords().safeStateSaid) {
    const match = patternOf(pattern).exec(sentence);
    const written = match?.groups?.state?.trim().replace(/[\s.;,]+$/u, '');
    if (!match || !written) continue;
    const from = start + match.index + match[0].indexOf(written);
    const values = new Map([['safe_state' as const, valueAt(passage, from, written)]]);
    return [itemOf(document, passage, { id, values })];
  }
  return [];
}

/** Detection and reaction in one paragraph, each with one time of its own in its part of a sentence. */
function timesOf(document: CorpusDocument, { corpus, passage, about }: Place): readonly StatedItem[] {
  const named = goalsIn(corpus, passage.text);
  const id = named.length === 0 ? about : named.length === 1 ? named[0] : undefined;
  if (id === undefined) return [];
  const { detected, later } = stateWords();
  const [isDetection, isLater] = [detected, later].map((words) =>
    patternOf(`(?<!\\p{L})(?:${words.join('|')})(?!\\p{L})`),
  ) as [RegExp, RegExp];
  const values = new Map<StatedKind, StatedValue>();
  for (const { start, text } of partsOf(passage.text)) {
    const times = quantitiesIn(text).filter(({ kind }) => kind === 'time');
    if (times.length !== 1) continue;
    const [isReaction, isFound] = [isLater.test(text), isDetection.test(text)];
    if (!isReaction && !isFound) continue;
    const kind = isReaction ? 'reaction' : 'detection';
    // Two of a kind, or both at once, speak of different faults.
    if (values.has(kind) || (isReaction && isFound)) return [];
    values.set(kind, valueAt(passage, start + times[0]!.start, times[0]!.written));
  }
  return values.size === 2 ? [itemOf(document, passage, { id, values })] : [];
}

/** Parts of sentences between commas and the like. */
function partsOf(text: string): readonly { readonly start: number; readonly text: string }[] {
  return [...text.matchAll(/(?:[^.,;:]|[.,](?=\d))+/gu)].map((match) => ({
    start: match.index,
    text: match[0],
  }));
}

function valueAt(passage: Passage, from: number, text: string): StatedValue {
  const start = passage.start + from;
  return { text, start, end: start + text.length, passage, title: '' };
}

function itemOf(
  document: CorpusDocument,
  passage: Passage,
  { id, values }: { readonly id: string; readonly values: ReadonlyMap<StatedKind, StatedValue> },
): StatedItem {
  const section = document.read.sections[document.read.sectionOf[passage.blockIndex]!]?.title ?? '';
  return {
    ...{ id, key: identifierKey(id), hasId: true, document, passage, section },
    ...{ values, cells: [], how: 'sentence' },
  };
}
