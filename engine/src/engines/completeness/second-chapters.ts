import { proposeSections } from '../../advice/propose-sections.js';
import type { Corpus } from '../../corpus/corpus.js';
import { type CorpusDocument, usableDocuments } from '../../corpus/corpus.js';
import { quote } from '../../corpus/evidence.js';
import type { Asking } from '../../models/asking.js';
import type { ChapterOpinion } from './completeness.js';

/**
 * Asks a language model which chapters of documents whose kind rules could not tell are documents of our types. What it
 * proposes waits for a person, who gives the document its type: nothing is checked by it.
 */
export async function secondChapters(corpus: Corpus, asking: Asking): Promise<readonly ChapterOpinion[]> {
  // What may not be sent is not asked about: the run says which documents that are.
  const unknown = usableDocuments(corpus).filter(
    ({ id, parts }) => !parts.some(({ whole }) => whole) && !asking.use.withheld?.includes(id),
  );
  if (unknown.length === 0) return [];
  const types = [...corpus.documentTypes.values()].map(({ id, name }) => ({ id, name: name.en }));
  const answers = await proposeSections(unknown.map(outlineOf), types, { asking });
  return unknown.flatMap((document, at): ChapterOpinion[] => {
    const given = answers[at]!;
    const { id: documentId, name } = document;
    if ('failed' in given) return [{ documentId, name, evidence: [], because: given.failed }];
    return given
      .filter(({ block, typeId }) => !isKnown(document, block, typeId))
      .map(({ block, typeId }): ChapterOpinion => {
        const passage = document.read.passages[block]!;
        const { start, end } = passage;
        return {
          ...{ documentId, name, block, typeId },
          heading: passage.text.trim(),
          evidence: [quote(document.read.document, passage, { start, end }, { role: 'context' })],
        };
      });
  });
}

const outlineOf = ({ id, name, read }: CorpusDocument) => ({
  documentId: id,
  name,
  headings: read.sections.flatMap(({ heading, level, title }) =>
    heading === undefined ? [] : [{ block: heading, level, title }],
  ),
});

/** Rules know it already as that. */
const isKnown = ({ parts }: CorpusDocument, block: number, typeId: string): boolean =>
  parts.some((part) => part.typeId === typeId && part.start <= block && block < part.end);
