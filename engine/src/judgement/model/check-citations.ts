import { type Corpus, documentOf } from '../../corpus/corpus.js';
import { quote } from '../../corpus/evidence.js';
import { findPlaceholders } from '../../corpus/placeholders/find-placeholders.js';
import type { Evidence } from '../../findings/finding.js';
import { say } from '../../sentences/sentence.js';
import { mayOrderModel } from '../../text/embedded-instruction.js';
import { stem } from '../../text/stem.js';
import { tokenise } from '../../text/tokenise.js';
import { trapOf } from '../traps/traps.js';
import type { Pack, PackedSentence } from './pack-passages.js';
import type { DemandPart } from './parts-of.js';

/** What a citation is checked for. */
export type CitedAs = 'support' | 'counter';

/** Citations of one part: what is left of them as evidence, and why the others are not. */
export interface CheckedCitations {
  readonly sentences: readonly PackedSentence[];
  readonly evidence: readonly Evidence[];
  /** Rules that dropped a citation: `unknown-id`, `T3-intent`, `unrelated`, … */
  readonly dropped: readonly string[];
}

/**
 * Checks the sentences that a model named for a part: each was sent, passes every trap that rules apply, and shares a
 * word with the part. What is left becomes evidence by the words of the document; a model never writes a quote.
 */
export function checkCitations(
  ids: readonly string[],
  part: DemandPart,
  { pack, corpus, plan, as }: { pack: Pack; corpus: Corpus; plan: boolean; as: CitedAs },
): CheckedCitations {
  const sentences: PackedSentence[] = [];
  const dropped: string[] = [];
  for (const id of new Set(ids)) {
    const sentence = pack.sentences.get(id);
    const against = sentence ? whyNot(sentence, part, { corpus, plan, as }) : 'unknown-id';
    if (against !== undefined) dropped.push(against);
    else sentences.push(sentence!);
  }
  const evidence = sentences.map((sentence) =>
    quote(documentOf(corpus, sentence.passage.documentId).read.document, sentence.passage, sentence, {
      role: as,
      note: say('opinions.cited-by-a-model'),
    }),
  );
  return { sentences, evidence: evidence.filter((one) => one.quote !== ''), dropped };
}

/** Why a sentence is no evidence for a part; undefined where it is. */
function whyNot(
  { passage, text }: PackedSentence,
  part: DemandPart,
  { corpus, plan, as }: { corpus: Corpus; plan: boolean; as: CitedAs },
): string | undefined {
  const { read } = documentOf(corpus, passage.documentId);
  if (mayOrderModel(text)) return 'T16-embedded-instruction';
  if (corpus.otherItem.has(passage.id)) return 'T4-other-item';
  const isCell = read.document.blocks[passage.blockIndex]!.cells !== undefined;
  const places = sharedPlaces(text, part);
  // A cell speaks of what its column and its row are about.
  const around = isCell ? [passage.text, ...(passage.columns ?? [])].join(' ') : text;
  const isRelated = places.length > 0 || sharedPlaces(around, part).length > 0;
  if (!isRelated && isComparable(part, read.document.language)) return 'unrelated';
  const row = isCell ? { row: passage } : {};
  for (const { start, end } of [...places, { start: 0, end: 0 }]) {
    const trap = trapOf({ sentence: text, start, end, role: passage.role, plan, ...row });
    // That it was denied, or is only announced, is what a contradiction says.
    if (trap && !(as === 'counter' && trap.effect === 'counter')) return trap.rule;
  }
  if (as === 'counter') return undefined;
  if (findPlaceholders(text).length > 0) return 'EM-02-placeholder';
  return /:\s*$/.test(text) && !isCell ? 'label-only' : undefined;
}

/** Words of a demand in one language say nothing about sentences in another one. */
const isComparable = ({ languages }: DemandPart, language: string): boolean =>
  languages.size > 1 || (language !== 'en' && language !== 'de') || languages.has(language);

/** Where the words of a part stand in a sentence. */
function sharedPlaces(text: string, { words }: DemandPart): readonly { start: number; end: number }[] {
  return tokenise(text).filter(({ word }) => words.has(stem(word, 'en')) || words.has(stem(word, 'de')));
}
