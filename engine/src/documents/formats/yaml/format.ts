import type { FormatEntry } from '../../format-entry.js';

export const format: FormatEntry = {
  label: { en: 'YAML', de: 'YAML' },
  endings: ['yaml', 'yml'],
  marks: [
    {
      kind: 'text',
      mediaTypes: ['application/yaml', 'application/x-yaml', 'text/yaml'],
      ending: 'document',
      clues: [],
    },
  ],
  reader: async () => (await import('./read.js')).yamlReader,
};
