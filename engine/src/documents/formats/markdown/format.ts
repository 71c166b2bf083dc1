import type { FormatEntry } from '../../format-entry.js';

export const format: FormatEntry = {
  label: { en: 'Markdown', de: 'Markdown' },
  endings: ['md', 'markdown'],
  marks: [
    {
      kind: 'text',
      mediaTypes: ['text/markdown', 'text/x-markdown'],
      ending: 'document',
      clues: [
        {
          decides: 'without_name',
          strength: 4,
          fits: (start) => /^#{1,6} \S|^\|(?: ?:?-+:? ?\|)+|^(?:```|~~~)/m.test(start),
        },
      ],
    },
  ],
  reader: async () => (await import('./read.js')).markdownReader,
};
