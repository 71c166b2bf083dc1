import type { AsilLevel } from '../../asil/asil.js';
import type { Corpus, CorpusDocument } from '../../corpus/corpus.js';
import type { CriterionVerdict } from '../../findings/finding.js';
import type { Criterion, Standard } from '../../standards/criterion.js';

/** What observations look at. */
export interface ObservationContext {
  readonly standard: Standard;
  readonly corpus: Corpus;
  readonly verdicts: ReadonlyMap<string, CriterionVerdict>;
  readonly asil: AsilLevel | undefined;
}

/** The work product of the standard that a document is, with its verdict; observations on others are not asked for. */
export function workProductOf(
  document: CorpusDocument,
  { standard }: ObservationContext,
): Criterion | undefined {
  const types = document.parts.map((part) => part.typeId);
  return standard.criteria.find(
    (criterion) =>
      criterion.kind === 'work_product' && criterion.documentTypes?.some((type) => types.includes(type)),
  );
}
