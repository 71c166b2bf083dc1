import { type OpenCondition, openQuestions } from '../open-questions.js';
import type { DocumentCompleteness, OpenQuestion } from './completeness.js';

type Place = OpenQuestion['sections'][number];

/** Conditions that nobody answered, each once, with the sections that wait for them. */
export function questionsOf(documents: readonly DocumentCompleteness[]): readonly OpenQuestion[] {
  const open = documents.flatMap(({ id: documentId, templates }) =>
    templates.flatMap(({ type, sections }) =>
      sections.flatMap(({ key, applies, condition }): OpenCondition<Place>[] => {
        if (applies !== 'unknown' || !condition) return [];
        const { id, question, reason, said } = condition;
        return [{ id, words: { question, reason, said }, place: { documentId, section: `${type}.${key}` } }];
      }),
    ),
  );
  return openQuestions(open).map(({ asked, places }) => ({ ...asked, sections: places }));
}
