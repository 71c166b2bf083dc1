import { type Said, saidIn, shareOf } from './said-alike.js';
import type { ExtractedLink, SettledStatement } from './statement.js';
import type { AssumedBecause } from './trace-link.js';

/** The last two numbers of an id: `FSR 01-02`, `FSR1.2`. */
const NUMBERED = /(\d+)[-._](\d+)$/;
/** The only number of an id: `Safety_Goal_01`, `SG-1`. */
const ONE_NUMBER = /^\D*(\d+)$/;

/**
 * Functional safety requirements whose number begins with that of a goal (`FSR 01-02` below goal 01), where nothing else
 * links any of them to a goal: then the number is the link that was meant. All of them have to name a goal and at least two goals have to be
 * named, so that the number of an item or release is not read as one.
 * @param onTexts Called before texts are compared.
 */
export function linksByNumber(
  statements: readonly SettledStatement[],
  links: readonly Pick<ExtractedLink, 'sourceId' | 'targetId'>[],
  onTexts: () => void = () => undefined,
): readonly {
  readonly requirement: SettledStatement;
  readonly goal: SettledStatement;
  readonly because: AssumedBecause;
}[] {
  const of = (type: SettledStatement['type']) =>
    statements.filter((statement) => statement.kind === 'definition' && statement.type === type);
  const goals = of('safety_goal');
  const requirements = of('functional_safety_requirement');
  if (goals.length < 2 || requirements.length < 2) return [];
  const goalIds = new Set(goals.map(({ id }) => id));
  const requirementIds = new Set(requirements.map(({ id }) => id));
  const isLinked = links.some(
    ({ sourceId, targetId }) =>
      (goalIds.has(sourceId) && requirementIds.has(targetId)) ||
      (goalIds.has(targetId) && requirementIds.has(sourceId)),
  );
  if (isLinked) return [];
  const byNumber = new Map<number, SettledStatement[]>();
  for (const goal of goals) {
    const number = ONE_NUMBER.exec(goal.id)?.[1];
    if (number === undefined) return [];
    byNumber.set(Number(number), [...(byNumber.get(Number(number)) ?? []), goal]);
  }
  onTexts();
  const said = goals.map((goal) => ({ goal, said: saidIn(goal.text) }));
  const meant = requirements.flatMap((requirement) => {
    const number = NUMBERED.exec(requirement.id)?.[1];
    const [goal, other] = byNumber.get(Number(number)) ?? [];
    if (!goal || other) return [];
    const repeated = goalRepeated(requirement, goal, said);
    return [
      { requirement, goal: repeated ?? goal, because: repeated ? ('text' as const) : ('number' as const) },
    ];
  });
  const isMeant = meant.length === requirements.length && new Set(meant.map(({ goal }) => goal.id)).size > 1;
  return isMeant ? meant : [];
}

/** Most of a goal in the text of a requirement. */
const REPEATED = 0.75;
/** More of it than of any other goal. */
const CLEARLY = 0.1;
/** So much more than of the goal that the number names. */
const FAR = 0.3;

/** The goal whose words a requirement repeats, where it has few of those of the goal that its number names. */
function goalRepeated(
  { text }: SettledStatement,
  numbered: SettledStatement,
  goals: readonly { readonly goal: SettledStatement; readonly said: Said }[],
): SettledStatement | undefined {
  const own = saidIn(text);
  const [nearest, next] = goals
    .map(({ goal, said }) => ({ goal, share: shareOf(said, own) }))
    .sort((a, b) => b.share - a.share);
  if (!nearest || nearest.share < REPEATED || (next && nearest.share - next.share < CLEARLY))
    return undefined;
  return shareOf(saidIn(numbered.text), own) <= nearest.share - FAR ? nearest.goal : undefined;
}
