import { loadDocumentTypes, type ReadDocument, typeOfWhole } from '@normtrace/engine';

/** The document type that a whole document most likely is; null while nobody can tell. */
export async function detectCategory(read: ReadDocument, fileName: string): Promise<string | null> {
  const types = [...(await loadDocumentTypes()).values()];
  return typeOfWhole({ fileName, read }, types) ?? null;
}
