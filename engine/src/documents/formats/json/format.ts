import { beginsAsJson } from '../../files/json-start.js';
import type { FormatEntry } from '../../format-entry.js';

export const format: FormatEntry = {
  label: { en: 'JSON', de: 'JSON' },
  endings: ['json'],
  furtherEndings: ['jsonl', 'ndjson'],
  marks: [
    {
      kind: 'text',
      mediaTypes: ['application/json'],
      ending: 'document',
      clues: [{ decides: 'unless_named', fits: (_, lead) => beginsAsJson(lead) }],
    },
  ],
  reader: async () => (await import('./read.js')).jsonReader,
};
