import { type Asil, asilsInText, printAsil } from '../asil/asil.js';
import { type Corpus, usableDocuments } from '../corpus/corpus.js';
import type { Passage } from '../corpus/passages/passage.js';
import { stateWords } from '../facts/stated/state-words.js';
import { idsIn } from '../facts/stated/stated-item.js';

/** Sentences that give a reason for a level, by the ids and levels that they name. */
type Reasons = ReadonlyMap<string, readonly Passage[]>;
const REASONS = new WeakMap<Corpus, Reasons>();
const keyOf = (id: string, asil: Asil) => `${id}\0${printAsil(asil)}`;

/**
 * A sentence beside a requirement names it and its level, and says why: "FSR-10 only warns, therefore ASIL B is enough", "FSR-11 acts
 * against latent faults, for which ASIL A is asked". The sentences of a corpus are read once.
 */
export function levelReasoned(
  corpus: Corpus,
  { key, passage, asil }: { readonly key: string; readonly passage: Passage; readonly asil: Asil },
): boolean {
  const reasons = REASONS.get(corpus) ?? readReasons(corpus);
  REASONS.set(corpus, reasons);
  return reasons.get(keyOf(key, asil))?.some(({ id }) => id !== passage.id) ?? false;
}

function readReasons(corpus: Corpus): Reasons {
  const reason = new RegExp(stateWords().reasonOfLevel, 'iu');
  const reasons = new Map<string, Passage[]>();
  for (const { read } of usableDocuments(corpus)) {
    for (const passage of read.passages) {
      const { text, role, blockIndex } = passage;
      if (role !== 'body' || read.document.blocks[blockIndex]!.cells || !reason.test(text)) continue;
      const levels = asilsInText(text);
      for (const one of levels.length > 0 ? idsIn(text) : []) {
        for (const { asil } of levels) {
          const key = keyOf(one.key, asil);
          const known = reasons.get(key);
          if (known) known.push(passage);
          else reasons.set(key, [passage]);
        }
      }
    }
  }
  return reasons;
}
