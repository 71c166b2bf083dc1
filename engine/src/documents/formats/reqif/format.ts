import { xmlRoot } from '../../files/xml-root.js';
import type { FormatEntry } from '../../format-entry.js';

export const format: FormatEntry = {
  label: { en: 'ReqIF requirements', de: 'ReqIF-Anforderungen' },
  endings: ['reqif', 'reqifz'],
  marks: [
    {
      kind: 'text',
      mediaTypes: ['application/xml', 'text/xml'],
      ending: 'nothing',
      clues: [{ decides: 'always', fits: (start) => xmlRoot(start) === 'REQ-IF' }],
    },
    {
      kind: 'exchange',
      mediaTypes: ['application/zip'],
      ending: 'reqifz',
      partEnding: 'reqif',
    },
  ],
  reader: async () => (await import('./read.js')).reqifReader,
};
