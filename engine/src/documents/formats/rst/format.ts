import type { FormatEntry } from '../../format-entry.js';

export const format: FormatEntry = {
  label: { en: 'reStructuredText', de: 'reStructuredText' },
  endings: ['rst'],
  furtherEndings: ['rest'],
  marks: [
    {
      kind: 'text',
      mediaTypes: ['text/x-rst', 'text/prs.fallenstein.rst'],
      ending: 'document',
      clues: [
        { decides: 'without_name', strength: 5, fits: (start) => /^\.\. [\w-]+::|^:[\w-]+:`/m.test(start) },
        {
          decides: 'without_name',
          strength: 3,
          fits: (start) => /^\S.*\n(=|-|~|\^)\1{3,}[ \t]*$/m.test(start),
        },
      ],
    },
  ],
  reader: async () => (await import('./read.js')).rstReader,
};
