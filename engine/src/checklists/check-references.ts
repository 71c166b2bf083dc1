import { consistencyRuleNames } from '../contradictions/consistency-finding.js';
import type { DataProblem } from '../data/data-error.js';
import type { DataFolder } from '../data/load-data.js';
import { loadDocumentMetadata } from '../document-types/document-metadata.js';
import { loadDocumentTypes } from '../document-types/load-document-types.js';
import { qualityWords } from '../requirement-quality/quality-words.js';
import { type LeafCheck, leavesOf } from './check.js';
import type { ChecklistFile } from './checklist-schema.js';

/** What the checks of a file name and the data do not have: document types, sections, columns, fields, rules. */
export async function refuseDanglingChecks(
  file: ChecklistFile,
  data: DataFolder,
): Promise<readonly DataProblem[]> {
  const [documentTypes, metadata] = await Promise.all([loadDocumentTypes(data), loadDocumentMetadata(data)]);
  const types = [...documentTypes.values()];
  const known = {
    'document type': new Set(documentTypes.keys()),
    section: new Set(types.flatMap((type) => type.sections.map((one) => `${type.id}.${one.key}`))),
    column: new Set(
      types.flatMap((type) =>
        type.tables.flatMap((table) => table.columns.map((one) => `${type.id}.${table.key}.${one.key}`)),
      ),
    ),
    'metadata field': new Set(metadata.keys()),
    'consistency rule': new Set<string>(consistencyRuleNames()),
    'wording rule': new Set(qualityWords().rules.keys()),
  };
  const problem = (kind: keyof typeof known, id: string, path: DataProblem['path']): DataProblem[] =>
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
      referencesOf(check).flatMap(({ kind, id }) => problem(kind, id, ['items', index, 'checks'])),
    ),
  ]);
  return [...about, ...items];
}

type Kind = 'document type' | 'section' | 'column' | 'metadata field' | 'consistency rule' | 'wording rule';

/** Everything that a check names, by the number of its parts where a key may hold several kinds. */
function referencesOf(check: LeafCheck): readonly { readonly kind: Kind; readonly id: string }[] {
  const refer = (kind: Kind, ids: readonly string[] = []) => ids.map((id) => ({ kind, id }));
  const sections = 'sections' in check ? check.sections : [];
  const columns = 'columns' in check ? check.columns : [];
  const inTypes = 'in' in check ? check.in : [];
  const shared = [
    ...refer('section', sections),
    ...refer('column', columns),
    ...refer('document type', inTypes),
  ];
  switch (check.check) {
    case 'section':
      return [...shared, ...refer('section', check.of)];
    case 'column':
      return [...shared, ...refer('column', check.of)];
    case 'document':
      return [...shared, ...refer('document type', check.of)];
    case 'lists_all':
      return [...shared, ...refer('column', 'columns' in check.of ? check.of.columns : [])];
    case 'record':
      return [...shared, ...refer('document type', [...(check.about ?? []), ...check.kinds])];
    case 'agreement':
      return [...shared, ...refer('document type', [...check.between, ...check.and])];
    case 'reference':
      return [...shared, ...refer('document type', check.to)];
    case 'metadata':
      return [...shared, ...refer('metadata field', check.fields)];
    case 'consistency':
      return [...shared, ...refer('consistency rule', check.rules)];
    case 'quality':
    case 'wording':
      return [...shared, ...refer('wording rule', check.rules)];
    case 'no_intent':
      return [...shared, ...refer('section', check.except)];
    case 'tracked':
      return [...shared, ...refer('column', check.dates)];
    default:
      return shared;
  }
}
