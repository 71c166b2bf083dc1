import type { FormatEntry } from '../../format-entry.js';

export const format: FormatEntry = {
  label: { en: 'OpenDocument spreadsheet', de: 'OpenDocument-Tabelle' },
  endings: ['ods'],
  marks: [
    {
      kind: 'open_document',
      mediaTypes: ['application/vnd.oasis.opendocument.spreadsheet'],
      mimeType: /opendocument\.spreadsheet(?:-template)?\s*$/,
    },
  ],
  reader: async () => (await import('./read.js')).odsReader,
};
