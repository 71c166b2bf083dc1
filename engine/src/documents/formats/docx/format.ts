import type { FormatEntry } from '../../format-entry.js';

export const format: FormatEntry = {
  label: { en: 'Word document', de: 'Word-Dokument' },
  endings: ['docx'],
  marks: [
    {
      kind: 'office',
      mediaTypes: ['application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
      mainType: /wordprocessingml\.(?:document|template)\.main|ms-word\.(?:document|template)\.macroEnabled/,
    },
  ],
  reader: async () => (await import('./read.js')).docxReader,
};
