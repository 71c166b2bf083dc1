import { withDocument } from './open-document.js';
import { readPage } from './page.js';

/**
 * Reads the pages of a PDF from its last one on, for a process that reads the same file from its first one, and gives each away. Ends when
 * `give` says so, at the first page, and at one that cannot be read: that one is the other process's to tell.
 */
export async function helpReading(
  bytes: Uint8Array,
  keepPlaces: boolean,
  give: (index: number, content: unknown) => Promise<'go-on' | 'stop'>,
): Promise<void> {
  await withDocument(bytes, async (pdfium, document) => {
    const tagged = pdfium.api.FPDFCatalog_IsTagged(document) !== 0;
    for (let index = pdfium.api.FPDF_GetPageCount(document) - 1; index >= 0; index--) {
      const page = readPage(pdfium, document, { index, tagged, keepPlaces });
      if (!page || (await give(index, page)) === 'stop') return;
    }
  });
}
