import type { FormatEntry } from '../../format-entry.js';

const DOCTYPE = /^(?:<\?xml[^>]*>\s*)?(?:<!--(?:[^-]|-(?!->))*-->\s*)*(?:<!doctype html|<html\b)/i;

export const format: FormatEntry = {
  label: { en: 'HTML page', de: 'HTML-Seite' },
  endings: ['html', 'htm'],
  furtherEndings: ['xhtml'],
  marks: [
    {
      kind: 'text',
      mediaTypes: ['text/html', 'application/xhtml+xml'],
      ending: 'document',
      clues: [
        { decides: 'always', fits: (_, lead) => DOCTYPE.test(lead) },
        {
          decides: 'without_name',
          strength: 2,
          fits: (start) => /^\s*<(?:head|body|div|table|h1|p)\b/i.test(start),
        },
      ],
    },
  ],
  reader: async () => (await import('./read.js')).htmlReader,
};
