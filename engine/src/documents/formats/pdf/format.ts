import type { FormatEntry } from '../../format-entry.js';

export const format: FormatEntry = {
  label: { en: 'PDF', de: 'PDF' },
  endings: ['pdf'],
  marks: [
    {
      kind: 'signature',
      mediaTypes: ['application/pdf'],
      signature: '%PDF-',
      title: 'PDF',
    },
  ],
  reader: async () => (await import('./read.js')).pdfReader,
};
