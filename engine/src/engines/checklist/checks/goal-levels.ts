import { type Asil, asilRank, parseAsil, printAsil } from '../../../asil/asil.js';
import { isBelowEvent } from '../../../contradictions/level-rules.js';
import type { Cell } from '../../../documents/document.js';
import { identifierKey } from '../../../facts/artifacts/identifiers.js';
import type { ExtractedArtifact } from '../../../facts/artifacts/statement.js';
import {
  cellOf,
  hasValue,
  nameOfRow,
  rowsOf,
  type TemplateRow,
  tablesFor,
} from '../../../facts/table-rows.js';
import { type Prose, say } from '../../../sentences/sentence.js';
import { normaliseText } from '../../../text/normalise.js';
import type { ItemContext } from '../context.js';
import { defineCheck } from '../define-check.js';
import { type Outcome, outcome } from '../outcome.js';
import { quoteArtifact, quoteCell } from '../quotes.js';
import { checkTraceRules } from './trace-rules.js';

/** Every safety goal has the highest ASIL of the hazardous events that it answers (AI-14). */
const parameters = {};

export const goalLevels = defineCheck('goal_levels', parameters, (_, context) => checkGoalLevels(context));

const QUOTES = 4;

interface Event {
  readonly row: TemplateRow;
  readonly goal: Cell;
  readonly level: Cell;
  readonly asil: Asil;
}

/**
 * Every goal has the highest ASIL of its events (AI-14): by the links, else by the goals that the rows of the hazard table name with
 * an id or their text. Goals of one event each have nothing to merge.
 */
function checkGoalLevels(context: ItemContext): Outcome {
  const linked = checkTraceRules({ kinds: ['AI-14'], of: ['safety_goal'] }, context);
  if (linked.state === 'fail' || linked.state === 'pass') return linked;
  const events = eventsOf(context);
  const byGoal = new Map<string, Event[]>();
  for (const event of events) {
    const key = normaliseText(event.goal.text);
    byGoal.set(key, [...(byGoal.get(key) ?? []), event]);
  }
  const merged = [...byGoal].filter(([, own]) => own.length > 1);
  if (events.length === 0) return linked;
  if (merged.length === 0) {
    return outcome('na', 'high', {
      rules: ['one-event-each'],
      reason: say('checks.each-of-the-goals-answers-one', { byGoal: byGoal.size }),
      evidence: events
        .slice(0, QUOTES)
        .map(({ row, goal }) =>
          quoteOf(row, goal, 'context', say('checks.goal-of', { row: nameOfRow(row) })),
        ),
    });
  }
  const compared = merged.map(([key, own]) => {
    const highest = own.reduce((best, one) =>
      asilRank(one.asil.own) > asilRank(best.asil.own) ? one : best,
    );
    const goal = goalOf(key, context);
    return { key, own, highest, goal, asil: goal?.asil === undefined ? undefined : parseAsil(goal.asil) };
  });
  const low = compared.filter(({ asil, highest }) => asil && isBelowEvent(asil, highest.asil.own));
  if (low.length > 0) {
    return outcome('fail', 'high', {
      rules: ['AI-14'],
      reason: say('checks.listed', {
        all: low.map(({ goal, asil, highest }) =>
          say('checks.goal-too-low', {
            id: goal!.id,
            asil: printAsil(asil!),
            row: nameOfRow(highest.row),
            demanded: printAsil(highest.asil),
          }),
        ),
      }),
      evidence: low.flatMap(({ goal, highest }) => [
        ...quoteArtifact(context.corpus, goal!, {
          role: 'counter',
          note: say('checks.level-of', { id: goal!.id }),
          ...(goal!.asilPlace ? { at: goal!.asilPlace } : {}),
        }),
        quoteOf(
          highest.row,
          highest.level,
          'counter',
          say('checks.level-of', { id: nameOfRow(highest.row) }),
        ),
      ]),
      instances: { met: byGoal.size - low.length, total: byGoal.size },
      affected: low.map(({ goal }) => goal!.id),
      tells: low.map(({ goal }) => `AI-14 ${identifierKey(goal!.id)}`),
    });
  }
  const unstated = compared.filter(({ asil }) => asil === undefined);
  const evidence = compared
    .slice(0, QUOTES)
    .flatMap(({ highest }) => [
      quoteOf(
        highest.row,
        highest.level,
        unstated.length > 0 ? 'context' : 'support',
        say('checks.highest-of-the-events', { goal: highest.goal.text.trim().slice(0, 40) }),
      ),
    ]);
  return unstated.length > 0
    ? outcome('missing', 'medium', {
        rules: ['no-level-stated'],
        reason: say('checks.goals-answer-several-events-and-no', { unstated: unstated.length }),
        evidence,
        terms: ['ASIL'],
      })
    : outcome('pass', 'high', {
        rules: ['goal-levels'],
        reason: say('checks.all-goals-of-several-events-have', { compared: compared.length }),
        evidence,
        instances: { met: byGoal.size, total: byGoal.size },
      });
}

function eventsOf(context: ItemContext): readonly Event[] {
  return tablesFor(context, ['hara.hazard_table.safety_goal']).flatMap((table) =>
    rowsOf(context, table).flatMap((row) => {
      const goal = cellOf(row, 'safety_goal');
      const level = cellOf(row, 'asil');
      const asil = level && parseAsil(level.text);
      return hasValue(row, goal) && level && asil && asil.own !== 'QM' ? [{ row, goal, level, asil }] : [];
    }),
  );
}

/** The goal that a row names: by its id or its text. */
function goalOf(key: string, { trace }: ItemContext): ExtractedArtifact | undefined {
  return trace
    .ofTypes(['safety_goal'])
    .find(
      (goal) =>
        key === normaliseText(goal.id) ||
        key === normaliseText(goal.text) ||
        key.startsWith(`${normaliseText(goal.id)} `),
    );
}

const quoteOf = (
  { document, row }: TemplateRow,
  cell: Cell,
  role: 'support' | 'counter' | 'context',
  note: Prose,
) => quoteCell(document, { block: row.block, start: cell.start, end: cell.end }, { role, note });
