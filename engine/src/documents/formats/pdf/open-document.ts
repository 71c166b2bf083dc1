import { DocumentError } from '../../document-error.js';
import { discardPdfium, LOAD_ERROR, loadPdfium, type Pdfium, type Pointer } from './pdfium.js';

/**
 * Opens a PDF, calls `use` with it and gives all of its memory back. A file that opens without a password is
 * readable, whatever its owner forbids in a viewer. Throws `DocumentError` `encrypted`, `corrupt` or `crashed`.
 */
export async function withDocument<T>(
  bytes: Uint8Array,
  use: (pdfium: Pdfium, document: Pointer) => T | Promise<T>,
): Promise<T> {
  const pdfium = await loadPdfium();
  try {
    return await openAndUse(pdfium, bytes, use);
  } catch (error) {
    if (!isTrap(error)) throw error;
    discardPdfium();
    throw new DocumentError(
      'crashed',
      'The PDF made the reader stop; it is damaged or built to do so.',
      'Open the file in a viewer and save or print it to a new PDF.',
    );
  }
}

async function openAndUse<T>(
  pdfium: Pdfium,
  bytes: Uint8Array,
  use: (pdfium: Pdfium, document: Pointer) => T | Promise<T>,
): Promise<T> {
  const { api } = pdfium;
  const copy = api.malloc(bytes.length);
  if (!copy)
    throw new DocumentError('out_of_memory', 'The PDF does not fit into memory.', 'Split the document.');
  pdfium.bytes().set(bytes, copy);
  const document = api.FPDF_LoadMemDocument(copy, bytes.length, 0);
  if (!document) {
    const code = api.FPDF_GetLastError();
    api.free(copy);
    throw loadError(code);
  }
  let trapped = false;
  try {
    return await use(pdfium, document);
  } catch (error) {
    trapped = isTrap(error);
    throw error;
  } finally {
    if (!trapped) {
      api.FPDF_CloseDocument(document);
      api.free(copy);
    }
  }
}

function loadError(code: number): DocumentError {
  if (code === LOAD_ERROR.password || code === LOAD_ERROR.security) {
    return new DocumentError(
      'encrypted',
      'The PDF is protected by a password.',
      'Remove the password and upload the file again.',
    );
  }
  return new DocumentError(
    'corrupt',
    'The file is not a readable PDF: its structure is damaged or cut off.',
    'Open the file in a viewer and save or print it to a new PDF.',
  );
}

/** A wasm trap or an abort leaves the module in an unknown state. */
function isTrap(error: unknown): boolean {
  if (error instanceof DocumentError) return false;
  const name = error instanceof Error ? error.constructor.name : '';
  return name === 'RuntimeError' || name === 'RangeError' || name === 'ExitStatus';
}
