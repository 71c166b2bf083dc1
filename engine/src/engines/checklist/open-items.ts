import { say, written } from '../../sentences/sentence.js';
import { worded } from '../../sentences/worded.js';
import type { CheckContext } from '../completeness/context.js';
import { type OpenCondition, openQuestions } from '../open-questions.js';
import type { ChecklistItem } from './checklist.js';
import type { ChecklistAnalysis } from './checklist-analysis.js';
import { openConditions } from './not-applicable.js';

/** Conditions that nobody answered, each once, with the items that depend on them. */
export function questionsOf(
  items: readonly ChecklistItem[],
  { conditions, answers }: CheckContext,
): ChecklistAnalysis['questions'] {
  const open = items.flatMap((item) =>
    openConditions(item, answers).map(
      (id): OpenCondition<string> => ({
        id,
        words: worded({
          question: say('general.written', { text: conditions.get(id)?.question ?? id }),
          reason: answers.get(id)?.reason ?? written(''),
        }),
        place: item.id,
      }),
    ),
  );
  return openQuestions(open).map(({ asked, places }) => ({ ...asked, items: places }));
}
