import type { FormatEntry } from '../../format-entry.js';

export const format: FormatEntry = {
  label: { en: 'StrictDoc', de: 'StrictDoc' },
  endings: ['sdoc'],
  marks: [
    {
      kind: 'text',
      mediaTypes: ['text/plain'],
      ending: 'document',
      clues: [{ decides: 'unless_source', fits: (_, lead) => /^\[DOCUMENT\]\s*\n/.test(lead) }],
    },
  ],
  reader: async () => (await import('./read.js')).strictdocReader,
};
