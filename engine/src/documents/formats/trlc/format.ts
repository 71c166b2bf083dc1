import type { FormatEntry } from '../../format-entry.js';

export const format: FormatEntry = {
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
