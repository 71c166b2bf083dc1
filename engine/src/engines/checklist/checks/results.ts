import type { CheckOf } from '../../../checklists/check.js';
import { checkWords } from '../../../facts/check-words.js';
import {
  cellOf,
  hasValue,
  nameOfRow,
  rowsOf,
  type TemplateRow,
  tablesFor,
} from '../../../facts/table-rows.js';
import { normaliseText } from '../../../text/normalise.js';
import type { ItemContext } from '../context.js';
import { type Outcome, outcome } from '../outcome.js';
import { quoteCell } from '../quotes.js';

const QUOTES = 4;

/** Every result passed; another one has an entry that deals with it (a problem report) or is allowed. */
export function checkResults({ columns, allow }: CheckOf<'results'>, context: ItemContext): Outcome {
  const allowed = new Set<string>(allow);
  const entries = tablesFor(context, columns).flatMap((table) =>
    rowsOf(context, table).flatMap((row) => {
      const cell = table.keys.map((key) => cellOf(row, key)).find((one) => hasValue(row, one));
      const result = cell && resultOf(cell.text);
      return cell && result ? [{ row, cell, result, dealt: isDealtWith(row) }] : [];
    }),
  );
  const failing = context.trace
    .ofTypes(['test', 'evidence'])
    .filter((one) => (context.trace.gaps.get(one.id) ?? []).some((gap) => gap.kind === 'negative_result'));
  if (entries.length === 0 && failing.length === 0) {
    return outcome('missing', 'medium', {
      rules: ['no-result'],
      reason: 'No result of a test was found.',
      terms: ['verdict', 'result', 'Ergebnis'],
    });
  }
  const bad = entries.filter((one) => one.result !== 'passed' && !allowed.has(one.result) && !one.dealt);
  const shown = bad.length > 0 ? bad : entries;
  return outcome(bad.length > 0 ? 'fail' : 'pass', 'high', {
    rules:
      bad.length > 0
        ? [...new Set(bad.map((one) => `result-${one.result.replace('_', '-')}`))]
        : ['results-passed'],
    reason:
      bad.length > 0
        ? `${bad.length} of ${entries.length} results did not pass and nothing deals with them: ${bad
            .slice(0, 5)
            .map(({ row }) => nameOfRow(row))
            .join(', ')}.`
        : `All ${entries.length} results passed or are dealt with.`,
    evidence: shown.slice(0, QUOTES).map(({ row, cell, result }) =>
      quoteCell(
        row.document,
        { block: row.row.block, start: cell.start, end: cell.end },
        {
          role: bad.length > 0 ? 'counter' : 'support',
          note: `${nameOfRow(row)}: ${result.replace('_', ' ')}`,
        },
      ),
    ),
    instances: { met: entries.length - bad.length, total: entries.length },
    affected: bad.map(({ row }) => nameOfRow(row)),
  });
}

/** `passed`, `failed`, `blocked`, `not_run`; undefined for a text that is no result. */
export function resultOf(text: string): 'passed' | 'failed' | 'blocked' | 'not_run' | undefined {
  const own = normaliseText(text).replace(/[.!]$/, '');
  const { results } = checkWords();
  for (const result of ['failed', 'not_run', 'blocked', 'passed'] as const) {
    if (results[result].some((word) => normaliseText(word).replace(/[.!]$/, '') === own)) return result;
  }
  return undefined;
}

/** A problem report or deviation stands in the row. */
function isDealtWith(row: TemplateRow): boolean {
  return hasValue(row, cellOf(row, 'defect'));
}
