import type { FormatEntry } from '../../format-entry.js';

export const format: FormatEntry = {
  label: { en: 'OpenDocument text', de: 'OpenDocument-Text' },
  endings: ['odt'],
  marks: [
    {
      kind: 'open_document',
      mediaTypes: ['application/vnd.oasis.opendocument.text'],
      mimeType: /opendocument\.text(?:-template)?\s*$/,
    },
  ],
  reader: async () => (await import('./read.js')).odtReader,
};
