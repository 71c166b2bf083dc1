import { beginsAsJson } from '../../files/json-start.js';
import type { FormatEntry } from '../../format-entry.js';

export const format: FormatEntry = {
  label: { en: 'sphinx-needs export', de: 'Export von sphinx-needs' },
  endings: ['json'],
  marks: [
    {
      kind: 'text',
      mediaTypes: ['application/json'],
      ending: 'nothing',
      clues: [{ decides: 'unless_named', strength: 1, fits: isNeedsFile }],
    },
  ],
  reader: async () => (await import('./read.js')).sphinxNeedsReader,
};

/** The keys that sphinx-needs writes before anything else. */
function isNeedsFile(start: string, lead: string): boolean {
  return beginsAsJson(lead) && /"current_version"\s*:/.test(start) && /"versions"\s*:\s*\{/.test(start);
}
