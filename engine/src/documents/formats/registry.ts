import type { DocumentFormat } from '../document.js';
import type { FormatReader } from '../format-reader.js';

/** Every format that can be read; loaded when the first file of the format arrives. One line per format. */
export const FORMAT_READERS: Readonly<Record<DocumentFormat, () => Promise<FormatReader>>> = {
  pdf: async () => (await import('./pdf/read.js')).pdfReader,
  docx: async () => (await import('./docx/read.js')).docxReader,
  xlsx: async () => (await import('./xlsx/read.js')).xlsxReader,
  markdown: async () => (await import('./markdown/read.js')).markdownReader,
  html: async () => (await import('./html/read.js')).htmlReader,
  text: async () => (await import('./text/read.js')).textReader,
  csv: async () => (await import('./csv/read.js')).csvReader,
  pptx: async () => (await import('./pptx/read.js')).pptxReader,
  odt: async () => (await import('./odt/read.js')).odtReader,
  ods: async () => (await import('./ods/read.js')).odsReader,
  json: async () => (await import('./json/read.js')).jsonReader,
  yaml: async () => (await import('./yaml/read.js')).yamlReader,
  source: async () => (await import('./source/read.js')).sourceReader,
  reqif: async () => (await import('./reqif/read.js')).reqifReader,
  sphinx_needs: async () => (await import('./sphinx-needs/read.js')).sphinxNeedsReader,
  strictdoc: async () => (await import('./strictdoc/read.js')).strictdocReader,
  trlc: async () => (await import('./trlc/read.js')).trlcReader,
  junit: async () => (await import('./junit/read.js')).junitReader,
  rst: async () => (await import('./rst/read.js')).rstReader,
};
