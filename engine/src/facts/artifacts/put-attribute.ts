import { asilsInText, parseAsil } from '../../asil/asil.js';
import { type AttributeRole, compactTitle } from '../../words/column-titles.js';
import { readRating } from '../field.js';
import { readResult } from '../test-result.js';
import { idsInText } from './id-forms.js';
import { placesOfCodes } from './id-stems.js';
import { referencesInText } from './inline-references.js';
import type { Quote, StatementDraft } from './statement.js';
import { refer, type StatementReading } from './statement-reading.js';

const LONGEST_LINKS = 200;
const LEVEL_AND_MORE = /^(?<level>(?:ASIL\s?)?(?:QM|[A-D])(?:\s?\([A-D]\))?)(?:,\s|;\s|\s\()(?=\p{L})/u;
const TOOL_ASIL = /(?:^|[.:/])asil[._\s-]*(qm|[abcd])$/i;

/** Puts the value of a column or key where it belongs; the first value of a kind counts. */
export function putAttribute(
  reading: StatementReading,
  statement: StatementDraft,
  { attribute, value, quote }: { attribute: AttributeRole; value: string; quote: Quote },
): void {
  if (value === '') return;
  const { words } = reading;
  switch (attribute) {
    case 'asil': {
      const tool = value.length > 4 ? TOOL_ASIL.exec(value)?.[1] : undefined;
      // "B, decomposed into FSR-2 and FSR-3": what follows the level is about it.
      const level = value.length > 4 && !tool ? LEVEL_AND_MORE.exec(value)?.groups?.level : undefined;
      if (level) {
        const more = value.slice(level.length);
        if (statement.asil === undefined) {
          statement.asil = level;
          statement.asilPlace = { ...quote, end: quote.start + level.length };
        }
        referencesInText(reading, statement, {
          text: more,
          quote: { ...quote, start: quote.start + level.length },
        });
        return;
      }
      const asil = tool ? `ASIL ${tool.toUpperCase()}` : value;
      // A value in words under an ambiguous title ("safety") is no integrity level.
      if (asil.length > 24 && !parseAsil(asil)) return;
      statement.asil ??= asil;
      statement.asilPlace ??= quote;
      return;
    }
    case 'name':
      statement.name ??= value;
      return;
    case 'status':
      statement.status ??= value;
      return;
    case 'version':
      statement.version ??= value;
      return;
    case 'type':
      if (words.informational.has(compactTitle(value))) statement.informational = true;
      statement.typeWord ??= value;
      return;
    case 'cal':
    case 'risk': {
      const level = Number(/[1-5]/.exec(value)?.[0]);
      if (level) statement[attribute] ??= level;
      return;
    }
    case 'severity':
    case 'exposure':
    case 'controllability': {
      const rating = readRating(value);
      if (rating === undefined) return;
      // All three or none: a missing one stays impossible and is left out at the end.
      statement.ratings ??= { severity: -1, exposure: -1, controllability: -1 };
      if (statement.ratings[attribute] < 0) statement.ratings[attribute] = rating;
      return;
    }
    case 'result': {
      const result = readResult(value);
      // "Result: ASIL C, SG-1" of an event: its level and its goal.
      const unrated = /^QM(?![\p{L}\p{N}])/u.test(value) ? { start: 0, end: 2 } : undefined;
      const [rated] = unrated
        ? [unrated]
        : result === 'unknown' && value.includes('ASIL')
          ? asilsInText(value)
          : [];
      if (rated) {
        const level = value.slice(rated.start, rated.end);
        const place = { ...quote, start: quote.start + rated.start, end: quote.start + rated.end };
        statement.asil ??= level;
        statement.asilPlace ??= place;
        if (idsInText(value).length > 0) refer(statement, { role: 'any', written: value, quote });
        else if (placesOfCodes(value.slice(0, LONGEST_LINKS)).length > 0)
          refer(statement, { role: 'any', written: value, quote, source: 'bracket' });
        return;
      }
      if (result === 'unknown' && idsInText(value).length > 0)
        refer(statement, { role: 'evidence', written: value, quote });
      // "Result: 12 ms" beside "Verdict: passed".
      else if (result && (statement.result === undefined || statement.result === 'unknown'))
        statement.result = result;
      return;
    }
    case 'method':
      statement.method ??= value;
      return;
    case 'configuration':
      statement.configuration ??= value;
      return;
    default:
  }
}
