import type { FormatEntry } from '../../format-entry.js';

export const format: FormatEntry = {
  label: { en: 'TRLC requirements', de: 'TRLC-Anforderungen' },
  endings: ['trlc'],
  furtherEndings: ['rsl'],
  marks: [
    {
      kind: 'text',
      mediaTypes: ['text/plain'],
      ending: 'document',
      clues: [],
    },
  ],
  reader: async () => (await import('./read.js')).trlcReader,
};
