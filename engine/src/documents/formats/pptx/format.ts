import type { FormatEntry } from '../../format-entry.js';

export const format: FormatEntry = {
  label: { en: 'PowerPoint presentation', de: 'PowerPoint-Präsentation' },
  endings: ['pptx'],
  marks: [
    {
      kind: 'office',
      mediaTypes: ['application/vnd.openxmlformats-officedocument.presentationml.presentation'],
      mainType:
        /presentationml\.(?:presentation|slideshow|template)\.main|ms-powerpoint\.(?:presentation|slideshow|template)\.macroEnabled/,
    },
  ],
  reader: async () => (await import('./read.js')).pptxReader,
};
