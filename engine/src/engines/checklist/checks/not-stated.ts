import { isWithin } from '../../../corpus/corpus.js';
import { hitsOf } from '../../../corpus/mentions.js';
import { everyPhrase } from '../../../data/shared-schemas.js';
import { filledCells, nameOfRow } from '../../../facts/table-rows.js';
import { weigh } from '../../../judgement/probe-terms.js';
import { say } from '../../../sentences/sentence.js';
import { phraseFinder } from '../../../text/phrases.js';
import { type ItemContext, partsFor } from '../context.js';
import { type CheckParameters, defineCheck } from '../define-check.js';
import { type Outcome, outcome } from '../outcome.js';
import { columns, documentTypes, phrases } from '../parameters.js';
import { quoteCell } from '../quotes.js';

/** No document says it: a statement of one of the phrases is a `fail`. `in` or `columns` say where it is read. */
const parameters = {
  terms: phrases,
  in: documentTypes.optional(),
  columns: columns.min(1).optional(),
  /** Read where nothing stands in `columns`. */
  instead: columns.min(1).optional(),
};
type Check = CheckParameters<typeof parameters>;

export const notStated = defineCheck('not_stated', parameters, checkNotStated);

const QUOTES = 4;

/** No document says it. Words are a sign only: a person confirms. */
function checkNotStated(check: Check, context: ItemContext): Outcome {
  return check.columns ? inColumns(check, check.columns, context) : inDocuments(check, context);
}

function inColumns({ terms, instead }: Check, columns: readonly string[], context: ItemContext): Outcome {
  const find = phraseFinder(everyPhrase(terms));
  const own = filledCells(context, columns);
  const filled = own.length === 0 && instead ? filledCells(context, instead) : own;
  const cells = filled.map(({ row, cell }) => ({
    row,
    cell,
    says: find(cell.text).length > 0,
  }));
  if (cells.length === 0) {
    return outcome('missing', 'medium', {
      rules: ['column-missing'],
      reason: say('checks.the-columns-in-which-it-would'),
      terms: everyPhrase(terms),
    });
  }
  const told = cells.filter((one) => one.says);
  const shown = (told.length > 0 ? told : cells).slice(0, QUOTES);
  const evidence = shown.map(({ row, cell }) =>
    quoteCell(
      row.document,
      { block: row.row.block, start: cell.start, end: cell.end },
      {
        role: told.length > 0 ? 'counter' : 'support',
        note: nameOfRow(row),
      },
    ),
  );
  return told.length > 0
    ? outcome('fail', 'low', {
        rules: ['said-where-it-must-not-be'],
        reason: say('checks.of-entries-have-such-words', { told: told.length, cells: cells.length }),
        evidence,
        instances: { met: cells.length - told.length, total: cells.length },
        affected: told.map(({ row }) => nameOfRow(row)),
      })
    : outcome('pass', 'low', {
        rules: ['not-said'],
        reason: say('checks.none-of-the-entries-has-such', { cells: cells.length }),
        evidence,
        instances: { met: cells.length, total: cells.length },
      });
}

function inDocuments({ terms, in: types }: Check, context: ItemContext): Outcome {
  const parts = partsFor(context, types);
  const stated = hitsOf(context.index, everyPhrase(terms))
    .filter((hit) => isWithin(parts, hit.passage))
    .map((hit) => weigh(context.corpus, hit, false))
    .filter((hit) => hit.worth === 'stated');
  if (stated.length === 0) {
    return outcome('neutral', 'low', {
      rules: ['not-said'],
      reason: say('checks.no-document-says-so'),
      terms: everyPhrase(terms),
    });
  }
  return outcome('fail', 'medium', {
    rules: ['said-where-it-must-not-be'],
    reason: say('checks.places-say-so', { stated: stated.length }),
    evidence: stated
      .slice(0, QUOTES)
      .flatMap((hit) => hit.evidence.map((one) => ({ ...one, role: 'counter' as const }))),
  });
}
