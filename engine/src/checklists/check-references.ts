import { CONSISTENCY_RULES } from '../contradictions/registry.js';
import type { DataProblem } from '../data/data-error.js';
import type { DataFolder } from '../data/load-data.js';
import { loadDocumentMetadata } from '../document-types/document-metadata.js';
import { loadDocumentTypes } from '../document-types/load-document-types.js';
import { leavesOf } from '../engines/checklist/check.js';
import { toldByCheck } from '../engines/checklist/definition-of.js';
import type { ReferenceKind } from '../engines/checklist/parameters.js';
import { qualityWords } from '../words/quality-words.js';
import type { ChecklistFile } from './checklist-schema.js';

/** What the checks of a file name and the data do not have: document types, sections, columns, fields, rules. */
export async function refuseDanglingChecks(
  file: ChecklistFile,
  data: DataFolder,
): Promise<readonly DataProblem[]> {
  const [documentTypes, metadata] = await Promise.all([loadDocumentTypes(data), loadDocumentMetadata(data)]);
  const types = [...documentTypes.values()];
  const known: Readonly<Record<ReferenceKind, ReadonlySet<string>>> = {
    'document type': new Set(documentTypes.keys()),
    section: new Set(types.flatMap((type) => type.sections.map((one) => `${type.id}.${one.key}`))),
    column: new Set(
      types.flatMap((type) =>
        type.tables.flatMap((table) => table.columns.map((one) => `${type.id}.${table.key}.${one.key}`)),
      ),
    ),
    'metadata field': new Set(metadata.keys()),
    'consistency rule': new Set(CONSISTENCY_RULES),
    'wording rule': new Set(qualityWords().rules.keys()),
  };
  const problem = (kind: ReferenceKind, id: string, path: DataProblem['path']): DataProblem[] =>
    known[kind].has(id)
      ? []
      : [
          {
            path,
            problem: `There is no ${kind} "${id}"`,
            remedy: 'Correct its spelling or add it to the data.',
          },
        ];

  const about = file.about.document_types.flatMap((id) =>
    problem('document type', id, ['about', 'document_types']),
  );
  const items = file.items.flatMap((item, index) => [
    ...item.document_types.flatMap((id) => problem('document type', id, ['items', index, 'document_types'])),
    ...leavesOf(item.checks).flatMap((check) =>
      toldByCheck(check).flatMap((told) =>
        told.kind === 'phrases' ? [] : problem(told.kind, told.value, ['items', index, 'checks']),
      ),
    ),
  ]);
  return [...about, ...items];
}
