import { type Asil, asilsInText, printAsil } from '../asil/asil.js';
import { type Corpus, usableDocuments } from '../corpus/corpus.js';
import type { Passage } from '../corpus/passages/passage.js';
import { stateWords } from '../facts/stated/state-words.js';
import { idsIn } from '../facts/stated/stated-item.js';

/**
 * A sentence beside a requirement names it and its level, and says why: "FSR-10 only warns, therefore ASIL B is enough", "FSR-11 acts
 * against latent faults, for which ASIL A is asked".
 */
export function levelReasoned(
  corpus: Corpus,
  { key, passage, asil }: { readonly key: string; readonly passage: Passage; readonly asil: Asil },
): boolean {
  const reason = new RegExp(stateWords().reasonOfLevel, 'iu');
  return usableDocuments(corpus).some(({ read }) =>
    read.passages.some(
      ({ id, text, role, blockIndex }) =>
        role === 'body' &&
        id !== passage.id &&
        !read.document.blocks[blockIndex]!.cells &&
        idsIn(text).some((one) => one.key === key) &&
        asilsInText(text).some((one) => printAsil(one.asil) === printAsil(asil)) &&
        reason.test(text),
    ),
  );
}
