import { documentOf } from '../../corpus/corpus.js';
import { LEVEL_OF_TYPE } from '../../facts/record-requirements.js';
import { requirementsOf, type StatedRequirement } from '../../facts/requirements-of.js';
import type { ChecklistContext } from './context.js';
import { passageAt, textRange } from './quotes.js';

/**
 * Requirements of tables and paragraphs, and those that tools write as directives or records, which are artifacts only.
 * In reading order within a document.
 */
export function allRequirements({
  corpus,
  trace,
}: Pick<ChecklistContext, 'corpus' | 'trace'>): readonly StatedRequirement[] {
  const stated = requirementsOf(corpus);
  const known = new Set(stated.map((one) => one.passage.id));
  const further = trace.artifacts.flatMap((artifact): StatedRequirement[] => {
    const level = LEVEL_OF_TYPE[artifact.type];
    const { id, text, asil } = artifact;
    if (!level || text.trim() === '') return [];
    const document = documentOf(corpus, artifact.documentId);
    const { start, end } = textRange(document, artifact);
    const passage = passageAt(document.read.passages, start)!;
    if (known.has(passage.id)) return [];
    return [
      {
        id,
        text: text.trim(),
        level,
        ...(asil ? { asil } : {}),
        fieldsChecked: true,
        document,
        passage,
        start,
        end,
      },
    ];
  });
  return [...stated, ...further];
}
