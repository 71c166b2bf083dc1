import { recordWords } from '../../facts/stated/record-words.js';
import type { StatedItem, StatedValue } from '../../facts/stated/stated-item.js';
import { compactTitle } from '../../words/column-titles.js';
import { anyOf } from '../../words/read-words.js';
import {
  firstOfEach,
  type StatedContext,
  type StatedContradiction,
  shown,
  stemsOf,
  textOf,
} from './stated-rule.js';

/** Rows that leave out a part of the standard's work. */
function tailoredOut({ facts }: StatedContext): readonly StatedItem[] {
  const out = anyOf(recordWords().tailoredOut);
  const notUsed = new RegExp(recordWords().notUsed, 'iu');
  return facts.items.filter((row) => {
    const decision = row.values.get('decision');
    if (row.table === undefined || !row.values.has('rationale') || !decision) return false;
    // "No" under "Tailored" leaves nothing out.
    const isAsked = !/tailor|zugeschnitten|zuschnitt/iu.test(decision.title);
    return out.test(decision.text) || (isAsked && notUsed.test(decision.text.trim()));
  });
}

/** What is left out is left out for cost or time only. */
export function tailoredWithoutReason(context: StatedContext): readonly StatedContradiction[] {
  const noReason = new RegExp(recordWords().noReason, 'iu');
  return tailoredOut(context).flatMap((row): StatedContradiction[] => {
    const rationale = row.values.get('rationale')!;
    if (!noReason.test(rationale.text.trim())) return [];
    return [
      {
        rule: 'tailored-without-reason',
        item: `${row.key} ${row.document.id}`,
        confidence: 'medium',
        words: { what: row.id, rationale: rationale.text },
        affected: [row.id],
        evidence: [...shown(row, rationale, row.id), ...shown(row, row.values.get('decision'), 'decision')],
      },
    ];
  });
}

/** The first cell of a row that says when something begins and ends. */
function scheduled({ cells }: StatedItem): StatedValue | undefined {
  const { begins, ends } = recordWords();
  const has = (titles: readonly string[]) =>
    cells.some(({ title }) => titles.some((one) => compactTitle(one) === compactTitle(title)));
  return has(begins) && has(ends) ? cells[0] : undefined;
}

/** What is left out is planned as an activity of its own in the same document. */
export function tailoredOutButPlanned(context: StatedContext): readonly StatedContradiction[] {
  const generic = stemsOf(recordWords().genericWords.join(' '));
  const telling = (text: string) =>
    [...stemsOf(text)].filter((stem) => !generic.has(stem) && stem.length > 4);
  return firstOfEach(
    tailoredOut(context).flatMap((row) => {
      const subject = new Set(telling(textOf(row, 'phase') || row.id));
      const [, part] =
        /^(?:part|teil|iso\s*26262-)?\s*(\d{1,2})(?!\d)/iu.exec((textOf(row, 'phase') || row.id).trim()) ??
        [];
      const work = anyOf(recordWords().partWork[part ?? ''] ?? ['(?!)']);
      return context.facts.items.flatMap((other): StatedContradiction[] => {
        const activity = other.values.get('activity') ?? scheduled(other);
        if (!activity || other.document !== row.document || other.table === row.table) return [];
        const named = telling(activity.text).filter((stem) => subject.has(stem));
        if (named.length === 0 && !work.test(activity.text)) return [];
        return [
          {
            rule: 'tailored-out-but-planned',
            item: `${row.key} ${other.key}`,
            confidence: 'medium',
            words: { what: row.id, decision: textOf(row, 'decision'), activity: activity.text },
            affected: [row.id, activity.text],
            evidence: [
              ...shown(other, activity, 'the activity'),
              ...shown(row, row.values.get('decision'), row.id),
            ],
          },
        ];
      });
    }),
  );
}
