import { filledCells } from '../../../facts/table-rows.js';
import { say } from '../../../sentences/sentence.js';
import type { ItemContext } from '../context.js';
import { type CheckParameters, defineCheck } from '../define-check.js';
import { documentsNamed } from '../document-names.js';
import { type Outcome, outcome } from '../outcome.js';
import { columns } from '../parameters.js';
import { quoteCell } from '../quotes.js';

/** Every work product that the columns name is among the documents. */
const parameters = { columns: columns.min(1) };
type Check = CheckParameters<typeof parameters>;

export const provided = defineCheck('provided', parameters, checkProvided);

const QUOTES = 4;

/** Every work product that the columns name is among the documents. What is not may be kept elsewhere: a person confirms. */
function checkProvided({ columns }: Check, context: ItemContext): Outcome {
  const entries = filledCells(context, columns).map(({ row, cell }) => ({
    row,
    cell,
    there: documentsNamed(cell.text, context).some((one) => one.id !== row.document.id),
  }));
  if (entries.length === 0) {
    return outcome('missing', 'medium', {
      rules: ['nothing-planned'],
      reason: say('checks.no-list-of-planned-work-products'),
      terms: ['work product', 'deliverable', 'Arbeitsprodukt'],
    });
  }
  const absent = entries.filter((one) => !one.there);
  const shown = (absent.length > 0 ? absent : entries).slice(0, QUOTES);
  const names = absent.map(({ cell }) => cell.text.trim().replace(/\s+/g, ' ').slice(0, 60));
  return outcome(absent.length > 0 ? 'fail' : 'pass', absent.length > 0 ? 'low' : 'medium', {
    rules: [absent.length > 0 ? 'planned-not-provided' : 'planned-provided'],
    reason:
      absent.length > 0
        ? say('checks.of-planned-work-products-are-not', {
            absent: absent.length,
            entries: entries.length,
            names: names.slice(0, 5),
          })
        : say('checks.all-planned-work-products-are-among', { entries: entries.length }),
    evidence: shown.map(({ row, cell, there }) =>
      quoteCell(
        row.document,
        { block: row.row.block, start: cell.start, end: cell.end },
        {
          role: there ? 'support' : 'counter',
          note: there ? say('checks.is-there') : say('checks.not-among-the-documents'),
        },
      ),
    ),
    instances: { met: entries.length - absent.length, total: entries.length },
    affected: names,
  });
}
