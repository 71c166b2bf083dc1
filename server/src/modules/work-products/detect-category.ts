import { detectDocumentTypes, loadDocumentTypes, type ReadDocument } from '@normtrace/engine';

/** The document type that a whole document most likely is; null while nobody can tell. */
export async function detectCategory(read: ReadDocument, fileName: string): Promise<string | null> {
  const types = [...(await loadDocumentTypes()).values()];
  const whole = detectDocumentTypes({ fileName, read }, types).find((part) => part.whole);
  return whole === undefined || whole.confidence === 'low' ? null : whole.typeId;
}
