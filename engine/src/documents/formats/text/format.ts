import type { FormatEntry } from '../../format-entry.js';

export const format: FormatEntry = {
  label: { en: 'Plain text', de: 'Reiner Text' },
  endings: ['txt', 'text'],
  marks: [
    {
      kind: 'text',
      mediaTypes: ['text/plain'],
      ending: 'document',
      clues: [{ decides: 'without_name', fits: () => true }],
    },
  ],
  reader: async () => (await import('./read.js')).textReader,
};
