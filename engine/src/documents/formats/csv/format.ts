import type { FormatEntry } from '../../format-entry.js';

export const format: FormatEntry = {
  label: { en: 'CSV table', de: 'CSV-Tabelle' },
  endings: ['csv'],
  furtherEndings: ['tsv'],
  marks: [
    {
      kind: 'text',
      mediaTypes: ['text/csv', 'application/csv'],
      ending: 'document',
      clues: [{ decides: 'without_name', strength: 1, fits: looksLikeTable }],
    },
  ],
  reader: async () => (await import('./read.js')).csvReader,
};

/** The same number of separators in each of the first lines. */
function looksLikeTable(start: string): boolean {
  const lines = start
    .split(/\r\n?|\n/)
    .slice(0, 10)
    .filter(Boolean);
  if (lines.length < 3) return false;
  return [',', ';', '\t', '|'].some((separator) => {
    const counts = lines.slice(0, -1).map((line) => line.split(separator).length);
    return counts[0]! > 2 && counts.every((count) => count === counts[0]);
  });
}
