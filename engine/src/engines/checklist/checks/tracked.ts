import { checkWords } from '../../../facts/check-words.js';
import { dayOf } from '../../../facts/day-of.js';
import { parseDate } from '../../../facts/parse-date.js';
import { cellOf, hasValue, nameOfRow, rowsOf, tablesFor } from '../../../facts/table-rows.js';
import { type Prose, say } from '../../../sentences/sentence.js';
import { normaliseText } from '../../../text/normalise.js';
import type { ItemContext } from '../context.js';
import { type CheckParameters, defineCheck } from '../define-check.js';
import { type Outcome, outcome } from '../outcome.js';
import { columns } from '../parameters.js';
import { quoteCell } from '../quotes.js';

/** Nothing overdue: no open entry whose date is past. */
const parameters = { columns: columns.min(1), dates: columns.min(1) };
type Check = CheckParameters<typeof parameters>;

export const tracked = defineCheck('tracked', parameters, checkTracked);

const QUOTES = 4;

/** No open entry whose date is past. Without a date of today nothing can be overdue: a person looks. */
function checkTracked(check: Check, context: ItemContext): Outcome {
  const { today } = context.options;
  const dateKeys = new Set(check.dates.map((column) => column.split('.')[2]!));
  const closed = new Set(checkWords().closed.map(normaliseText));
  const entries = tablesFor(context, check.columns).flatMap((table) =>
    rowsOf(context, table).flatMap((row) => {
      const status = table.keys.map((key) => cellOf(row, key)).find((cell) => hasValue(row, cell));
      const due = [...dateKeys]
        .map((key) => cellOf(row, key))
        .find((cell) => hasValue(row, cell) && parseDate(cell.text) !== undefined);
      return status ? [{ row, status, due, isClosed: closed.has(normaliseText(status.text)) }] : [];
    }),
  );
  if (entries.length === 0) {
    return outcome('missing', 'medium', {
      rules: ['no-status'],
      reason: say('checks.no-entry-has-a-status'),
      terms: ['status', 'progress', 'Fortschritt'],
    });
  }
  const quoteOf = ({ row, status }: (typeof entries)[number], role: 'support' | 'counter', note: Prose) =>
    quoteCell(row.document, { block: row.row.block, start: status.start, end: status.end }, { role, note });
  const late = entries.filter(
    ({ row, due, isClosed }) =>
      !isClosed &&
      due &&
      today !== undefined &&
      (dayOf(due.text, row.document, context.corpus) ?? today) < today,
  );
  if (late.length > 0) {
    return outcome('fail', 'high', {
      rules: ['overdue'],
      reason: say('checks.of-entries-are-open-past-their', {
        late: late.length,
        entries: entries.length,
        named: late.slice(0, 5).map(({ row }) => nameOfRow(row)),
      }),
      evidence: late
        .slice(0, QUOTES)
        .map((one) => quoteOf(one, 'counter', say('checks.due', { date: one.due!.text.trim() }))),
      instances: { met: entries.length - late.length, total: entries.length },
      affected: late.map(({ row }) => nameOfRow(row)),
    });
  }
  const isKnown = today !== undefined || entries.every((one) => one.isClosed);
  return outcome(isKnown ? 'pass' : 'open', isKnown ? 'medium' : 'low', {
    rules: ['tracked'],
    reason: isKnown
      ? say('checks.none-of-entries-is-overdue', { entries: entries.length })
      : say('checks.entries-have-a-status-whether-it', { entries: entries.length }),
    evidence: entries
      .slice(0, QUOTES)
      .map((one) => quoteOf(one, 'support', say('checks.status-of-row', { row: nameOfRow(one.row) }))),
    instances: { met: entries.length, total: entries.length },
  });
}
