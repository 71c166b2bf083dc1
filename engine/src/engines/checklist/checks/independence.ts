import { isWithin } from '../../../corpus/corpus.js';
import { headingTokens } from '../../../corpus/passages/headings.js';
import { checkWords } from '../../../facts/check-words.js';
import { cellOf, hasValue, nameOfRow, rowsOf, tablesFor } from '../../../facts/table-rows.js';
import { probeSections } from '../../../judgement/probe-sections.js';
import { type Prose, say } from '../../../sentences/sentence.js';
import type { ConfirmationMeasure, IndependenceLevel } from '../../../standards/integrity-facts.js';
import { patternOf } from '../../../words/read-words.js';
import { completenessRules } from '../../completeness/rules.js';
import { documentsOf, type ItemContext, namesOfTypes, partsFor } from '../context.js';
import { type CheckParameters, defineCheck } from '../define-check.js';
import { namesType } from '../document-names.js';
import { type Outcome, outcome } from '../outcome.js';
import { documentTypes } from '../parameters.js';
import { quoteCell } from '../quotes.js';
import { checkSection } from './section.js';

/** Planned confirmation measures have the independence that the highest ASIL asks for (`confirmation-independence.yaml`). */
const parameters = { in: documentTypes };
type Check = CheckParameters<typeof parameters>;

export const independence = defineCheck('independence', parameters, checkIndependence);

const QUOTES = 4;
/** What the names of measures share. */
const COMMON = new Set(
  headingTokens(
    'Confirmation review of the functional safety Bestätigungsreview der funktionalen Sicherheit',
  ),
);
const LEVELS: readonly IndependenceLevel[] = ['i0', 'i1', 'i2', 'i3'];

function checkIndependence({ in: types }: Check, context: ItemContext): Outcome {
  const columns = types.map((type) => `${type}.confirmation_table.independence`);
  const rows = tablesFor(context, columns).flatMap((table) => rowsOf(context, table));
  if (rows.length === 0) {
    return toldInProse(types, context);
  }
  const asil = context.asils.highest;
  const entries = rows.map((row) => {
    const cell = cellOf(row, 'independence');
    const stated = hasValue(row, cell) ? (/I\s?([0-3])/iu.exec(cell.text)?.[1] ?? undefined) : undefined;
    const name = `${cellOf(row, 'measure')?.text ?? ''} ${cellOf(row, 'object')?.text ?? ''}`;
    const measure = bestMeasure(inFull(name, context), context.independence.measures);
    const demanded = asil && measure ? measure.independence[asil] : undefined;
    const isLow = stated !== undefined && demanded !== undefined && Number(stated) < LEVELS.indexOf(demanded);
    return { row, cell, stated, measure, demanded, isLow };
  });
  const low = entries.filter((one) => one.isLow);
  const open = entries.filter((one) => one.stated === undefined);
  const quoteOf = ({ row, cell }: (typeof entries)[number], role: 'support' | 'counter', note: Prose) => {
    const place =
      cell && cell.text.trim() !== ''
        ? cell
        : [...row.row.cells.values()].find((one) => one.text.trim() !== '');
    return place
      ? [
          quoteCell(
            row.document,
            { block: row.row.block, start: place.start, end: place.end },
            { role, note },
          ),
        ]
      : [];
  };
  if (low.length > 0) {
    return outcome('fail', context.independence.verified === 'uncertain' ? 'medium' : 'high', {
      rules: ['independence-too-low'],
      reason: say('checks.listed', {
        all: low.slice(0, 3).map(({ row, stated, demanded }) =>
          say('checks.independence-too-low', {
            row: nameOfRow(row),
            stated,
            level: asil,
            demanded: demanded!.toUpperCase(),
          }),
        ),
      }),
      evidence: low
        .slice(0, QUOTES)
        .flatMap((one) =>
          quoteOf(one, 'counter', say('checks.asks-for', { demanded: one.demanded!.toUpperCase() })),
        ),
      instances: { met: entries.length - low.length, total: entries.length },
      affected: low.map(({ row }) => nameOfRow(row)),
    });
  }
  if (open.length > 0) {
    return outcome('fail', 'medium', {
      rules: ['independence-not-stated'],
      reason: say('checks.of-measures-of-the-state-no', {
        open: open.length,
        entries: entries.length,
        types: namesOfTypes(context, types),
      }),
      evidence: open
        .slice(0, QUOTES)
        .flatMap((one) => quoteOf(one, 'counter', say('checks.no-level-of-independence'))),
      instances: { met: entries.length - open.length, total: entries.length },
      affected: open.map(({ row }) => nameOfRow(row)),
    });
  }
  const isKnown = asil !== undefined && entries.some((one) => one.measure);
  return outcome(isKnown ? 'pass' : 'open', isKnown ? 'medium' : 'low', {
    rules: ['independence'],
    reason: isKnown
      ? say('checks.the-levels-of-measures-fit', { entries: entries.length, qm: asil === 'QM', level: asil })
      : say('checks.the-levels-cannot-be-compared', { asil }),
    evidence: entries
      .slice(0, QUOTES)
      .flatMap((one) => quoteOf(one, 'support', say('checks.independence-of', { row: nameOfRow(one.row) }))),
    instances: { met: entries.length, total: partsFor(context, types).length > 0 ? entries.length : 0 },
  });
}

/** Prose about confirmation measures: a person compares it with the table of the standard, if it speaks of independence at all. */
function toldInProse(types: readonly string[], context: ItemContext): Outcome {
  const references = types.map((type) => `${type}.confirmation`);
  const told = checkSection({ of: references }, context);
  if (told.state !== 'pass') return told;
  const says = new RegExp(checkWords().independence, 'iu');
  const sections = probeSections(context.corpus, references, partsFor(context, types));
  const parts = partsFor(context, types);
  const isSaid =
    sections.some(({ content }) => content.content.some((passage) => says.test(passage.text))) ||
    documentsOf(context, parts).some(({ read }) =>
      read.passages.some(
        (passage) => isWithin(parts, passage) && says.test(passage.text) && isAboutReviews(passage.text),
      ),
    );
  return isSaid
    ? outcome('open', 'low', {
        ...told,
        rules: ['confirmation-told', ...told.rules],
        reason: say('checks.no-table-states-the-independence-of', { reason: told.reason }),
      })
    : outcome('fail', 'medium', {
        ...told,
        rules: ['independence-not-stated', ...told.rules],
        reason: say('checks.nothing-is-said-about-independence', { reason: told.reason }),
        evidence: told.evidence.map((one) => ({ ...one, role: 'counter' as const })),
      });
}

/** "Confirmation reviews are done with I3", under whatever heading. */
const isAboutReviews = (text: string): boolean => {
  const { confirmation } = completenessRules().sectionStatements;
  return confirmation !== undefined && patternOf(confirmation).test(text);
};

/** Short names of work products with their long ones: "HARA" is a hazard analysis and risk assessment. */
function inFull(text: string, { corpus }: ItemContext): string {
  const names = [...corpus.documentTypes.values()].filter((type) => namesType(text, type.id, { corpus }));
  return [text, ...names.map((type) => type.name.en)].join(' ');
}

/**
 * The measure of whose title a text has the greatest share of words, at least of its telling ones. Of equal shares that of more words: the
 * type of a "test strategy" is called a plan, which is all that tells the safety plan.
 */
function bestMeasure(
  text: string,
  measures: readonly ConfirmationMeasure[],
): ConfirmationMeasure | undefined {
  const own = new Set(headingTokens(text));
  let best: { measure: ConfirmationMeasure; score: number; shared: number } | undefined;
  for (const measure of measures) {
    for (const name of [measure.title, ...measure.aliases]) {
      const tokens = headingTokens(name);
      const telling = tokens.filter((token) => !COMMON.has(token));
      const wanted = telling.length > 0 ? telling : tokens;
      const shared = wanted.filter((token) => own.has(token)).length;
      const score = shared / wanted.length;
      const isBetter = !best || score > best.score || (score === best.score && shared > best.shared);
      if (score > 0.5 && isBetter) best = { measure, score, shared };
    }
  }
  return best?.measure;
}
