import { BUILT_IN_DATA, type DataFolder, listDataFiles, once } from './load-data.js';

/** Ids of all document types: the names of the files in `document-types/`. Reads no file. */
export function listDocumentTypeIds(data: DataFolder = BUILT_IN_DATA): Promise<ReadonlySet<string>> {
  return once(data, 'document-type ids', async () => new Set(await listDataFiles(data, 'document-types')));
}
