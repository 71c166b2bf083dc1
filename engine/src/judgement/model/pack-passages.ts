import { type Corpus, documentOf, isWithin } from '../../corpus/corpus.js';
import type { DocumentPart } from '../../corpus/detect-document-types.js';
import type { Segment } from '../../corpus/evidence.js';
import type { Passage } from '../../corpus/passages/passage.js';
import type { ReadDocument } from '../../corpus/passages/passages-of.js';
import { isFilledRow } from '../../corpus/section-state.js';
import { estimateTokens } from '../../models/estimate-tokens.js';
import type { SentPassage } from '../../models/language-model.js';
import type { PromptValues } from '../../models/prompt-template.js';
import type { Candidate } from '../../retrieval/candidate.js';
import { mayOrderModel } from '../../text/embedded-instruction.js';
import { splitSentences } from '../../text/sentences.js';

/** A sentence or a cell that a model can name by its id, and where it stands. */
export interface PackedSentence extends Segment {
  readonly passage: Passage;
  /** Its words as the document has them. */
  readonly text: string;
}

/** What goes with one question. */
export interface Pack {
  /** By id (`p7.2`). */
  readonly sentences: ReadonlyMap<string, PackedSentence>;
  /** For `{{#groups}}` of a prompt: sentences under the headings above them. */
  readonly groups: readonly PromptValues[];
  readonly sends: readonly SentPassage[];
}

export interface PackOptions {
  /** Parts of documents where the thing is expected: each is seen. */
  readonly home?: readonly DocumentPart[];
  /** Documents whose words must not leave, by id. */
  readonly withheld?: readonly string[];
  readonly mostTokens?: number;
  /** Groups from last to first: the same sentences under the same ids, in another order. */
  readonly reversed?: boolean;
}

/** With so many a true one is among them for 96 of 100 covered criteria of the gold sets. */
const MOST_CANDIDATES = 24;
export const MOST_PACKED_TOKENS = 1300;
/** A passage with fewer words goes with the next one. */
const SHORT = 12;
/** So many candidates in one section bring the whole section, unless it is longer than the second. */
const SHARED = 3;
const LONGEST_SECTION = 30;
/** What an id, a mark and a line cost beside the words. */
const TOKENS_OF_A_LINE = 7;

/**
 * Chooses the passages that go with a question, nearest first until they are enough, and gives them in the order of the
 * documents: name and heading path once a group, column titles with each cell. Passages that give orders, are about
 * another item, state nothing, or stand in withheld documents are not sent.
 */
export function packPassages(
  candidates: readonly Candidate[],
  corpus: Corpus,
  { home = [], withheld = [], mostTokens = MOST_PACKED_TOKENS, reversed = false }: PackOptions = {},
): Pack {
  const chosen = new Map<Passage, readonly Unit[]>();
  let tokens = 0;
  for (const passage of wantedPassages(candidates, corpus, home)) {
    if (chosen.has(passage) || withheld.includes(passage.documentId)) continue;
    const units = unitsOf(passage, corpus);
    const cost = units.reduce((sum, { shown }) => sum + estimateTokens(shown) + TOKENS_OF_A_LINE, 0);
    if (units.length === 0 || tokens + cost > mostTokens) continue;
    tokens += cost;
    chosen.set(passage, units);
  }
  const inOrder = [...chosen.keys()].sort(
    (a, b) =>
      documentOf(corpus, a.documentId).position - documentOf(corpus, b.documentId).position ||
      a.blockIndex - b.blockIndex,
  );
  const sentences = new Map<string, PackedSentence>();
  const groups = new Map<string, { name: string; path: string; sentences: PromptValues[] }>();
  inOrder.forEach((passage, at) => {
    const { read, name } = documentOf(corpus, passage.documentId);
    const section = read.sectionOf[passage.blockIndex]!;
    const key = `${passage.documentId} ${section}`;
    const group = groups.get(key) ?? { name: label(name), path: pathOf(read, section), sentences: [] };
    groups.set(key, group);
    chosen.get(passage)!.forEach(({ shown, ...unit }, position) => {
      const id = `p${at + 1}.${position + 1}`;
      sentences.set(id, { ...unit, passage });
      group.sentences.push({ id, sentence: shown });
    });
  });
  const listed = [...groups.values()];
  return {
    sentences,
    groups: reversed ? listed.reverse() : listed,
    sends: inOrder.map(({ documentId, id }) => ({ documentId, passageId: id })),
  };
}

/** The passage of a document whose words may be sent in which a sentence stands; undefined where there is none. */
export function sentPassageOf(documentId: string, sentence: string, corpus: Corpus): SentPassage | undefined {
  const passage = documentOf(corpus, documentId).read.passages.find(
    (one) => one.text.includes(sentence) && unitsOf(one, corpus).some(({ text }) => text.includes(sentence)),
  );
  return passage && { documentId, passageId: passage.id };
}

/** Candidates, one of each place where it is expected, then their neighbours and sections. */
function* wantedPassages(
  candidates: readonly Candidate[],
  corpus: Corpus,
  home: readonly DocumentPart[],
): Generator<Passage> {
  const nearest = candidates.slice(0, MOST_CANDIDATES).map(({ passage }) => passage);
  // First what is expected there, so that the limit cannot leave it out.
  for (const part of home) {
    const first = candidates.find(({ passage }) => isWithin([part], passage));
    if (first) yield first.passage;
  }
  yield* nearest;
  for (const passage of nearest) {
    const next = documentOf(corpus, passage.documentId).read.passages[passage.blockIndex + 1];
    if (next && wordCount(passage.text) < SHORT) yield next;
  }
  const shared = new Map<string, Passage[]>();
  for (const passage of nearest) {
    const section = documentOf(corpus, passage.documentId).read.sectionOf[passage.blockIndex]!;
    const key = `${passage.documentId} ${section}`;
    if (section >= 0) shared.set(key, [...(shared.get(key) ?? []), passage]);
  }
  for (const [first, ...others] of shared.values()) {
    if (others.length < SHARED - 1) continue;
    const { read } = documentOf(corpus, first!.documentId);
    const { start, ownEnd } = read.sections[read.sectionOf[first!.blockIndex]!]!;
    if (ownEnd - start <= LONGEST_SECTION) yield* read.passages.slice(start, ownEnd);
  }
}

interface Unit extends Segment {
  readonly text: string;
  /** With the title of its column. */
  readonly shown: string;
}

const unitsByPassage = new WeakMap<Corpus, Map<Passage, readonly Unit[]>>();

/** What a model may see of a passage; nothing where it may not be sent. */
function unitsOf(passage: Passage, corpus: Corpus): readonly Unit[] {
  const known = unitsByPassage.get(corpus) ?? new Map<Passage, readonly Unit[]>();
  unitsByPassage.set(corpus, known);
  const units = known.get(passage) ?? takeApart(passage, corpus);
  known.set(passage, units);
  return units;
}

function takeApart(passage: Passage, corpus: Corpus): readonly Unit[] {
  if (passage.role !== 'body' || passage.header || corpus.otherItem.has(passage.id)) return [];
  const { read } = documentOf(corpus, passage.documentId);
  const { cells } = read.document.blocks[passage.blockIndex]!;
  if (mayOrderModel(passage.text)) return [];
  if (!cells)
    return splitSentences(passage.text).map(({ start, end }) => {
      const text = passage.text.slice(start, end);
      return { start: passage.start + start, end: passage.start + end, text, shown: text };
    });
  if (!isFilledRow(read, passage.blockIndex)) return [];
  const columns = read.tables[read.tableOf[passage.blockIndex]!]?.columns ?? [];
  return cells
    .filter(({ text }) => text.trim() !== '')
    .map(({ start, end, text, column }) => {
      const title = label(columns[column] ?? '');
      return { start, end, text, shown: title === '' ? text : `${title}: ${text}` };
    });
}

/** Names and headings are seen as well: those that give orders are left out. */
const label = (text: string): string => (mayOrderModel(text) ? '' : text.trim());

/** Titles of the sections around, outermost first. */
function pathOf({ sections }: ReadDocument, innermost: number): string {
  const titles: string[] = [];
  for (let at: number | undefined = innermost; at !== undefined && at >= 0; at = sections[at]?.parent)
    titles.unshift(label(sections[at]!.title));
  return titles.filter((title) => title !== '').join(' > ');
}

const wordCount = (text: string): number => text.match(/\p{L}{2,}/gu)?.length ?? 0;
