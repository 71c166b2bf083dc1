import type { DocumentFormat } from '../document.js';
import type { FormatReader } from '../format-reader.js';

/** Every format that can be read; loaded when the first file of the format arrives. One line per format. */
export const FORMAT_READERS: Readonly<Partial<Record<DocumentFormat, () => Promise<FormatReader>>>> = {
  pdf: async () => (await import('./pdf/read.js')).pdfReader,
  docx: async () => (await import('./docx/read.js')).docxReader,
  xlsx: async () => (await import('./xlsx/read.js')).xlsxReader,
  markdown: async () => (await import('./markdown/read.js')).markdownReader,
  html: async () => (await import('./html/read.js')).htmlReader,
  text: async () => (await import('./text/read.js')).textReader,
  csv: async () => (await import('./csv/read.js')).csvReader,
  rst: async () => (await import('./rst/read.js')).rstReader,
};
