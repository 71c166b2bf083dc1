import { saidIn, shareOf } from '../../facts/artifacts/said-alike.js';
import { readRating } from '../../facts/field.js';
import { goalTexts } from './hazard-rules.js';
import {
  higherLevel,
  isGoal,
  type StatedContext,
  type StatedContradiction,
  shown,
  textOf,
} from './stated-rule.js';

/** Share of the words of a goal that another wording of it has at least. */
const CARRIED = 0.5;

/**
 * Goals that the hazard analysis writes beside its events, and that none of the goals with an id says in any words: one entry for all of them.
 */
export function goalNowhere(context: StatedContext): readonly StatedContradiction[] {
  const goals = goalTexts(context).map((goal) => ({ ...goal, said: saidIn(goal.value.text) }));
  const listed = goals.flatMap((goal) => {
    const own = goal.items.find(isGoal);
    return own ? [{ ...goal, own }] : [];
  });
  const events = goals.filter(
    ({ item, items, asil }) =>
      !items.some(isGoal) &&
      readRating(textOf(item, 'severity')) !== undefined &&
      asil !== undefined &&
      asil !== 'QM',
  );
  const isCarried = ({ said }: (typeof goals)[number]) =>
    listed.some((goal) => shareOf(said, goal.said) >= CARRIED || shareOf(goal.said, said) >= CARRIED);
  const lost = events.filter((goal) => !isCarried(goal));
  const [first] = listed;
  if (!first || lost.length === 0 || listed.length < 2) return [];
  const ids = [...new Set(lost.flatMap(({ items }) => items.map(({ id }) => id)))];
  return [
    {
      rule: 'goal-nowhere',
      item: 'goals',
      asil: lost.map(({ asil }) => asil).reduce(higherLevel, undefined),
      confidence: 'medium',
      words: {
        items: ids,
        goal: lost[0]!.value.text.slice(0, 160),
        document: first.own.document.name,
        listed: listed.map(({ own }) => own.id).slice(0, 8),
      },
      affected: ids,
      evidence: [
        ...lost.slice(0, 3).flatMap(({ item, value }) => shown(item, value, `${item.id}: ${value.title}`)),
        ...shown(first.item, first.value, first.own.id),
      ],
    },
  ];
}
