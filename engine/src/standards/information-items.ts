import { listDocumentTypeIds } from '../data/list-document-types.js';
import { BUILT_IN_DATA, type DataFolder, once, readDataFile } from '../data/load-data.js';
import type { Verification } from './criterion.js';
import { informationItemsSchema } from './standard-schema.js';

/** What a process of an assessment model puts out; "work product" in PAM 3.1, "information item" in 4.0. */
export interface InformationItem {
  /** `17-00`; the same number may have another name in another model. */
  readonly id: string;
  readonly name: string;
  /** Document types where it is usually found; empty where no type is known. */
  readonly documentTypes: readonly string[];
  readonly verified: Verification;
}

/**
 * Information items of a standard by id, in the order of `information-items.yaml`; empty for a standard that has
 * none. Throws `DataError` for a file that cannot be used.
 */
export async function loadInformationItems(
  standardId: string,
  data: DataFolder = BUILT_IN_DATA,
): Promise<ReadonlyMap<string, InformationItem>> {
  return (await loadModels(data)).get(standardId) ?? new Map();
}

function loadModels(data: DataFolder): Promise<ReadonlyMap<string, ReadonlyMap<string, InformationItem>>> {
  return once(data, 'information items', async () => {
    const [file, documentTypes] = await Promise.all([
      readDataFile(data, 'information-items.yaml', informationItemsSchema),
      listDocumentTypeIds(data),
    ]);
    const { models } = file.value;
    await file.refuse(
      models.flatMap(({ items }, model) => {
        const seen = new Set<string>();
        return items.flatMap((item, place) => {
          const path = ['models', model, 'items', place];
          const isTwice = seen.has(item.id);
          seen.add(item.id);
          return [
            ...(isTwice
              ? [{ path, problem: `The item "${item.id}" is there twice`, remedy: 'Remove one of them.' }]
              : []),
            ...item.document_types
              .filter((id) => !documentTypes.has(id))
              .map((id) => ({
                path: [...path, 'document_types'],
                problem: `There is no document type "${id}"`,
                remedy: 'Use the name of a file in document-types/.',
              })),
          ];
        });
      }),
    );
    return new Map(
      models.flatMap(({ standards, items }) => {
        const byId = new Map(
          items.map(({ id, name, document_types: documentTypes, verified }) => [
            id,
            { id, name, documentTypes, verified },
          ]),
        );
        return standards.map((id) => [id, byId] as const);
      }),
    );
  });
}
