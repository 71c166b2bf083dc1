import type { Criterion } from '../standards/criterion.js';
import { phraseFinder } from '../text/phrases.js';
import { splitSentences } from '../text/sentences.js';
import { type Corpus, type CorpusDocument, usableDocuments } from './corpus.js';
import type { Segment } from './evidence.js';
import type { Passage } from './passages/passage.js';

/** A place where one of the wanted phrases stands. Positions are in the document's text. */
export interface PhraseHit {
  readonly document: CorpusDocument;
  readonly passage: Passage;
  /** The paragraph or cell. */
  readonly segment: Segment;
  readonly start: number;
  readonly end: number;
}

/** Every wanted phrase in every document, found in one pass. */
export type PhraseIndex = ReadonlyMap<string, readonly PhraseHit[]>;

/** Other words that may stand inside a phrase: "boundary of the lane assistance item". */
const GAPS = 2;
/** Inside a phrase these mean that it is not what was looked for. */
const BREAKS = /[.;!?]\s|(?<!\p{L})(?:no|not|kein\p{L}{0,2}|nicht|ohne|without)(?!\p{L})/iu;

/** Standards say "item" where documents say "system". */
function spellingsOf(phrase: string): readonly string[] {
  const system = phrase
    .replace(/(?<!\p{L})item(?!\p{L})/giu, 'system')
    .replace(/(?<!\p{L})Items(?!\p{L})/gu, 'Systems');
  return system === phrase ? [phrase] : [phrase, system];
}

/** Phrases of criteria and of conditions, each once, in order. */
export function phrasesOf(criteria: readonly Criterion[], further: readonly string[]): readonly string[] {
  const phrases = new Set(further);
  for (const { lookFor } of criteria)
    for (const group of lookFor?.terms ?? []) for (const phrase of group) phrases.add(phrase);
  return [...phrases];
}

/**
 * Finds all phrases in all usable documents: one pass over the text, whatever the number of criteria.
 * `pause` is awaited now and then so that a caller stays responsive.
 */
export async function indexPhrases(
  corpus: Corpus,
  phrases: readonly string[],
  pause: () => Promise<void>,
): Promise<PhraseIndex> {
  const spellings = phrases.flatMap((phrase) => spellingsOf(phrase).map((text) => ({ phrase, text })));
  const find = phraseFinder(
    spellings.map(({ text }) => text),
    { gaps: GAPS },
  );
  const index = new Map<string, PhraseHit[]>(phrases.map((phrase) => [phrase, []]));
  let sincePause = 0;
  for (const document of usableDocuments(corpus)) {
    const { text, blocks } = document.read.document;
    for (const passage of document.read.passages) {
      sincePause += passage.text.length + 20;
      if (sincePause > 200_000) {
        sincePause = 0;
        await pause();
      }
      const block = blocks[passage.blockIndex]!;
      for (const segment of block.cells ?? [passage]) {
        for (const match of find(text.slice(segment.start, segment.end))) {
          const { phrase, text: spelling } = spellings[match.phrase]!;
          const found = text.slice(segment.start + match.start, segment.start + match.end);
          if (found.length > spelling.length + 3 && BREAKS.test(found) && !BREAKS.test(spelling)) continue;
          index.get(phrase)!.push({
            document,
            passage,
            segment: { start: segment.start, end: segment.end },
            start: segment.start + match.start,
            end: segment.start + match.end,
          });
        }
      }
    }
  }
  return index;
}

/** Hits of a group of equivalent phrases by place; where several overlap, the longest. */
export function hitsOf(index: PhraseIndex, group: readonly string[]): readonly PhraseHit[] {
  const hits = group.flatMap((phrase) => index.get(phrase) ?? []);
  hits.sort((a, b) => a.document.position - b.document.position || a.start - b.start || b.end - a.end);
  return hits.filter((hit, at) => {
    const previous = hits[at - 1];
    return !(previous && previous.document === hit.document && hit.start < previous.end);
  });
}

/** The sentence of a hit, with the place of the words in it. */
export function sentenceOf(hit: PhraseHit): {
  readonly sentence: string;
  readonly start: number;
  readonly end: number;
  readonly place: Segment;
} {
  const text = hit.document.read.document.text.slice(hit.segment.start, hit.segment.end);
  const at = hit.start - hit.segment.start;
  const range = splitSentences(text).find((one) => one.start <= at && at < one.end) ?? {
    start: 0,
    end: text.length,
  };
  const end = Math.max(range.end, hit.end - hit.segment.start);
  return {
    sentence: text.slice(range.start, end),
    start: at - range.start,
    end: hit.end - hit.segment.start - range.start,
    place: { start: hit.segment.start + range.start, end: hit.segment.start + end },
  };
}
