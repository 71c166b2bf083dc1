import { z } from 'zod';
import type { EvidenceResult } from '../../../facts/artifacts/artifact.js';
import {
  cellOf,
  hasValue,
  nameOfRow,
  rowsOf,
  type TemplateRow,
  tablesFor,
} from '../../../facts/table-rows.js';
import { readResult } from '../../../facts/test-result.js';
import { type Sentence, say } from '../../../sentences/sentence.js';
import type { ItemContext } from '../context.js';
import { type CheckParameters, defineCheck } from '../define-check.js';
import { type Outcome, outcome } from '../outcome.js';
import { columns } from '../parameters.js';
import { quoteArtifact, quoteCell } from '../quotes.js';

/** Results of tests: all passed, or each other one explained. */
const parameters = { columns: columns.min(1), allow: z.array(z.enum(['blocked', 'not_run'])).default([]) };
type Check = CheckParameters<typeof parameters>;

export const results = defineCheck('results', parameters, checkResults);

const QUOTES = 4;
const NAMES = 5;
const GOOD: ReadonlySet<EvidenceResult> = new Set(['pass', 'pass_with_remarks']);
/** A result that is neither good nor bad is as good as a blocked one. */
const allowedAs = (result: EvidenceResult) => (result === 'inconclusive' ? 'blocked' : result);

/**
 * Every result passed; another one has an entry that deals with it (a problem report) or is allowed. A word that is no
 * known result is for a person, and so is a failed test of the trace that no row shows.
 */
function checkResults({ columns, allow }: Check, context: ItemContext): Outcome {
  const allowed = new Set<string>(allow);
  const entries = tablesFor(context, columns).flatMap((table) =>
    rowsOf(context, table).flatMap((row) => {
      const cell = table.keys.map((key) => cellOf(row, key)).find((one) => hasValue(row, one));
      const result = cell && readResult(cell.text);
      return cell && result ? [{ row, cell, result, dealt: isDealtWith(row) }] : [];
    }),
  );
  const failing = context.trace
    .ofTypes(['test', 'evidence'])
    .filter((one) => (context.trace.gaps.get(one.id) ?? []).some((gap) => gap.kind === 'negative_result'));
  if (entries.length === 0 && failing.length === 0) {
    return outcome('missing', 'medium', {
      rules: ['no-result'],
      reason: say('checks.no-result-of-a-test-was'),
      terms: ['verdict', 'result', 'Ergebnis'],
    });
  }
  const unsettled = entries.filter(
    (one) => !GOOD.has(one.result) && !allowed.has(allowedAs(one.result)) && !one.dealt,
  );
  const bad = unsettled.filter((one) => one.result !== 'unknown');
  const unread = unsettled.filter((one) => one.result === 'unknown');
  const instances = { met: entries.length - unsettled.length, total: entries.length };
  const quotes = (shown: readonly (typeof entries)[number][], role: 'support' | 'counter' | 'context') =>
    shown
      .slice(0, QUOTES)
      .map(({ row, cell, result }) =>
        quoteCell(
          row.document,
          { block: row.row.block, start: cell.start, end: cell.end },
          { role, note: say('checks.result-of-row', { row: nameOfRow(row), result: noted(result) }) },
        ),
      );
  const names = (rows: readonly { readonly row: TemplateRow }[]) =>
    rows
      .slice(0, NAMES)
      .map(({ row }) => nameOfRow(row))
      .join(', ');
  if (bad.length > 0) {
    return outcome('fail', 'high', {
      rules: [...new Set(bad.map((one) => `result-${ruleName(one.result)}`))],
      reason: say('checks.of-results-did-not-pass-and', {
        bad: bad.length,
        entries: entries.length,
        named: names(bad),
      }),
      evidence: quotes(bad, 'counter'),
      instances,
      affected: bad.map(({ row }) => nameOfRow(row)),
    });
  }
  if (unread.length > 0) {
    return outcome('open', 'low', {
      rules: ['result-unknown'],
      reason: say('checks.of-results-are-in-words-that', {
        unread: unread.length,
        entries: entries.length,
        named: names(unread),
      }),
      evidence: quotes(unread, 'context'),
      instances,
      affected: unread.map(({ row }) => nameOfRow(row)),
    });
  }
  const shownRows = new Set(entries.map(({ row }) => nameOfRow(row)));
  const elsewhere = failing.filter(
    ({ id }) => !shownRows.has(id) && !shownRows.has(id.replace(/ result$/, '')),
  );
  if (elsewhere.length > 0) {
    const ids = elsewhere.map(({ id }) => id);
    return outcome('fail', 'medium', {
      rules: ['result-failed'],
      reason: say('checks.the-trace-has-failed-results', { ids: ids.slice(0, NAMES) }),
      evidence: elsewhere.slice(0, QUOTES).flatMap((one) =>
        quoteArtifact(context.corpus, one, {
          role: 'counter',
          note: say('checks.its-result-is-a-failure'),
        }),
      ),
      affected: ids,
    });
  }
  return outcome('pass', 'high', {
    rules: ['results-passed'],
    reason: say('checks.all-results-passed-or-are-dealt', { entries: entries.length }),
    evidence: quotes(entries, 'support'),
    instances,
  });
}

const noted = (result: EvidenceResult): Sentence =>
  GOOD.has(result) ? say('checks.result-pass') : say(`checks.result-${result}`);
function ruleName(result: EvidenceResult): string {
  if (GOOD.has(result)) return 'passed';
  return result === 'fail' ? 'failed' : result.replace('_', '-');
}

/** A problem report or deviation stands in the row. */
function isDealtWith(row: TemplateRow): boolean {
  return hasValue(row, cellOf(row, 'defect'));
}
