import { cellOf, hasValue, nameOfRow, rowsOf, tablesFor } from '../../../facts/table-rows.js';
import { say } from '../../../sentences/sentence.js';
import type { ItemContext } from '../context.js';
import { type CheckParameters, defineCheck } from '../define-check.js';
import { documentsNamed, isSameVersion, versionIn, versionOf } from '../document-names.js';
import { type Outcome, outcome } from '../outcome.js';
import { columns } from '../parameters.js';
import { quoteCell } from '../quotes.js';

/** Every reference in the columns (id or name, and version beside it) resolves to a document that is there. */
const parameters = { columns: columns.min(1) };
type Check = CheckParameters<typeof parameters>;

export const evidenceResolves = defineCheck('evidence_resolves', parameters, checkEvidenceResolves);

const QUOTES = 4;

/** Every row of evidence names a document that is there, in the version that the row states. */
function checkEvidenceResolves({ columns }: Check, context: ItemContext): Outcome {
  const entries = tablesFor(context, columns).flatMap((table) =>
    rowsOf(context, table).flatMap((row) => {
      const cells = table.keys.map((key) => cellOf(row, key)).filter((cell) => hasValue(row, cell));
      if (cells.length === 0) return [];
      const named = cells.map((cell) => cell!.text).join(' | ');
      const targets = documentsNamed(named, context).filter((one) => one.id !== row.document.id);
      const version = cellOf(row, 'version');
      const stated = hasValue(row, version) ? version.text.trim() : versionIn(named);
      const problem =
        targets.length === 0
          ? say('checks.is-not-among-the-documents')
          : stated !== undefined &&
              !targets.some((one) => isSameVersion(versionOf(context, one).value, stated))
            ? say('checks.is-provided-in-version', {
                provided: versionOf(context, targets[0]!).value,
                stated,
              })
            : undefined;
      return [{ row, cell: problem && targets.length > 0 && version ? version : cells[0]!, problem }];
    }),
  );
  if (entries.length === 0) {
    return outcome('missing', 'medium', {
      rules: ['no-evidence-list'],
      reason: say('checks.no-list-of-evidence-was-found'),
      terms: ['evidence list', 'work product', 'Nachweisliste'],
    });
  }
  const bad = entries.filter((one) => one.problem !== undefined);
  const shown = (bad.length > 0 ? bad : entries).slice(0, QUOTES);
  return outcome(bad.length > 0 ? 'fail' : 'pass', 'high', {
    rules: [bad.length > 0 ? 'evidence-dangling' : 'evidence-resolves'],
    reason:
      bad.length > 0
        ? say('checks.of-entries-do-not-resolve', {
            bad: bad.length,
            entries: entries.length,
            row: nameOfRow(bad[0]!.row),
            problem: bad[0]!.problem,
          })
        : say('checks.all-entries-name-a-document-that', { entries: entries.length }),
    evidence: shown.map(({ row, cell, problem }) =>
      quoteCell(
        row.document,
        { block: row.row.block, start: cell.start, end: cell.end },
        {
          role: problem ? 'counter' : 'support',
          note: problem ?? say('checks.resolves'),
        },
      ),
    ),
    instances: { met: entries.length - bad.length, total: entries.length },
    affected: bad.map(({ row }) => nameOfRow(row)),
  });
}
