import type { FormatEntry } from '../../format-entry.js';

export const format: FormatEntry = {
  label: { en: 'Excel workbook', de: 'Excel-Arbeitsmappe' },
  endings: ['xlsx'],
  marks: [
    {
      kind: 'office',
      mediaTypes: ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
      mainType: /spreadsheetml\.(?:sheet|template)\.main|ms-excel\.(?:sheet|template)\.macroEnabled/,
    },
  ],
  reader: async () => (await import('./read.js')).xlsxReader,
};
