import type { Location } from '../../documents/location.js';
import type { ReportEvidence } from '../report.js';
import type { ReportWords } from '../report-words.js';

/** `HARA.xlsx (3), Blatt "Ratings" B12`: document, version and place. */
export function printSource(
  evidence: Pick<ReportEvidence, 'document' | 'version' | 'location'>,
  words: ReportWords,
): string {
  const document = evidence.version ? `${evidence.document} (${evidence.version})` : evidence.document;
  const place = printPlace(evidence.location, words.language);
  return place === '' ? document : `${document}, ${place}`;
}

const NAMES = {
  en: { page: 'p.', sheet: 'sheet', line: 'line' },
  de: { page: 'S.', sheet: 'Blatt', line: 'Zeile' },
} as const;

/** `printLocation` in the language of a report. */
export function printPlace(location: Location, language: keyof typeof NAMES): string {
  const names = NAMES[language];
  const section = (location.section ?? []).filter((title) => title !== location.sheet).join(' › ');
  const parts = [
    location.page === undefined ? '' : `${names.page} ${location.page}`,
    section,
    location.sheet === undefined ? '' : `${names.sheet} "${location.sheet}"`,
    location.cell ?? '',
    location.line === undefined ? '' : `${names.line} ${location.line}`,
    location.requirementId ?? '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}
