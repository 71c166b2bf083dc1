import type { DocumentFormat } from '../document.js';
import type { FormatReader } from '../format-reader.js';

/** Every format that can be read; loaded when the first file of the format arrives. One line per format. */
export const FORMAT_READERS: Readonly<Partial<Record<DocumentFormat, () => Promise<FormatReader>>>> = {
  docx: async () => (await import('./docx/read.js')).docxReader,
  xlsx: async () => (await import('./xlsx/read.js')).xlsxReader,
  markdown: async () => (await import('./markdown/read.js')).markdownReader,
};
