import { xmlRoot } from '../../files/xml-root.js';
import type { FormatEntry } from '../../format-entry.js';

export const format: FormatEntry = {
  label: { en: 'JUnit test results', de: 'JUnit-Testergebnisse' },
  endings: ['xml'],
  marks: [
    {
      kind: 'text',
      mediaTypes: ['application/xml', 'text/xml'],
      ending: 'nothing',
      clues: [{ decides: 'always', fits: (start) => /^testsuites?$/.test(xmlRoot(start) ?? '') }],
    },
  ],
  reader: async () => (await import('./read.js')).junitReader,
};
