import { type Document, detectDocumentTypes, loadDocumentTypes, takeApart } from '@normtrace/engine';

/** The document type that a whole document most likely is; null while nobody can tell. */
export async function detectCategory(document: Document, fileName: string): Promise<string | null> {
  const types = [...(await loadDocumentTypes()).values()];
  const read = takeApart('document', document);
  const whole = detectDocumentTypes({ fileName, read }, types).find((part) => part.whole);
  return whole === undefined || whole.confidence === 'low' ? null : whole.typeId;
}
