import { loadConditions } from '../conditions/load-conditions.js';
import type { DataProblem } from '../data/data-error.js';
import { listDocumentTypeIds } from '../data/list-document-types.js';
import type { DataFile, DataFolder } from '../data/load-data.js';
import { loadDocumentMetadata } from '../document-types/document-metadata.js';
import type { DocumentType } from '../document-types/document-type.js';
import { loadDocumentType } from '../document-types/load-document-types.js';
import type { DemandEntry, ExpectationEntry, GroupEntry } from './standard-schema.js';

/** The parts of a file that hold references; each list stands under its own key in the file. */
interface Lists {
  readonly groups?: readonly GroupEntry[];
  readonly practices?: readonly DemandEntry[];
  readonly clauses?: readonly DemandEntry[];
  readonly work_products?: readonly DemandEntry[];
  readonly expectations?: readonly ExpectationEntry[];
}

interface Known {
  readonly conditions: ReadonlySet<string>;
  readonly metadata: ReadonlySet<string>;
  readonly documentTypes: ReadonlySet<string>;
  /** `<document type>.<section>` and `<document type>.<table>.<column>` of the types that the file names. */
  readonly sections: ReadonlySet<string>;
  readonly columns: ReadonlySet<string>;
}

type Path = readonly (string | number)[];

/**
 * Refuses a file in which an id stands twice, or that names a group, condition, document type, section, column
 * or metadata field that does not exist, or a demand that nothing could show.
 * Reads only the document types that the file names.
 */
export async function refuseDanglingReferences(
  file: DataFile<unknown>,
  lists: Lists,
  data: DataFolder,
): Promise<void> {
  const known = await loadKnown(lists, data);
  const groups = new Set((lists.groups ?? []).map((group) => group.id));
  const ids = new Set<string>();
  const problems: DataProblem[] = [];

  const claim = (id: string, path: Path) => {
    if (ids.has(id)) problems.push(twice(id, path));
    ids.add(id);
  };
  const claimExpectations = (parent: string, entries: readonly ExpectationEntry[], path: Path) => {
    entries.forEach((entry, index) => {
      claim(`${parent}-${entry.n}`, [...path, 'expectations', index, 'n']);
      problems.push(...referenceProblems(entry, [...path, 'expectations', index], known));
    });
  };

  claimExpectations('general', lists.expectations ?? [], []);
  lists.groups?.forEach((group, index) => {
    claim(group.id, ['groups', index, 'id']);
    if (group.parent && !groups.has(group.parent)) {
      problems.push(missing('group', group.parent, ['groups', index, 'parent']));
    }
    claimExpectations(group.id, group.expectations, ['groups', index]);
  });
  for (const key of ['practices', 'clauses', 'work_products'] as const) {
    lists[key]?.forEach((entry, index) => {
      const path = [key, index];
      claim(entry.id, [...path, 'id']);
      if (!groups.has(entry.group)) problems.push(missing('group', entry.group, [...path, 'group']));
      entry.document_types.forEach((id, place) => {
        if (!known.documentTypes.has(id)) {
          problems.push(missing('document type', id, [...path, 'document_types', place]));
        }
      });
      problems.push(...referenceProblems(entry, path, known));
      claimExpectations(entry.id, entry.expectations, path);
    });
  }
  await file.refuse(problems);
}

function referenceProblems(entry: DemandEntry | ExpectationEntry, path: Path, known: Known): DataProblem[] {
  const problems: DataProblem[] = [];
  if (entry.condition && !known.conditions.has(entry.condition)) {
    problems.push(missing('condition', entry.condition, [...path, 'condition']));
  }
  for (const key of ['sections', 'columns', 'metadata'] as const) {
    entry[key].forEach((reference, place) => {
      if (!known[key].has(reference)) {
        problems.push(missing(NAMES[key], reference, [...path, key, place]));
      }
    });
  }
  const parts = entry.sections.length + entry.columns.length + entry.metadata.length + entry.terms.length;
  if (parts === 0 && entry.rule === undefined) {
    const remedy = 'Give at least one of sections, columns, metadata, terms and rule.';
    problems.push({ path, problem: 'Nothing could show that this demand is met', remedy });
  }
  return problems;
}

const NAMES = { sections: 'section', columns: 'column', metadata: 'metadata field' } as const;

async function loadKnown(lists: Lists, data: DataFolder): Promise<Known> {
  const [conditions, metadata, documentTypes] = await Promise.all([
    loadConditions(data),
    loadDocumentMetadata(data),
    listDocumentTypeIds(data),
  ]);
  const types = await loadNamedTypes(lists, documentTypes, data);
  return {
    conditions: new Set(conditions.keys()),
    metadata: new Set(metadata.keys()),
    documentTypes,
    sections: new Set(types.flatMap((type) => type.sections.map((section) => `${type.id}.${section.key}`))),
    columns: new Set(
      types.flatMap((type) =>
        type.tables.flatMap((table) =>
          table.columns.map((column) => `${type.id}.${table.key}.${column.key}`),
        ),
      ),
    ),
  };
}

function loadNamedTypes(
  lists: Lists,
  existing: ReadonlySet<string>,
  data: DataFolder,
): Promise<DocumentType[]> {
  const demands = [...(lists.practices ?? []), ...(lists.clauses ?? []), ...(lists.work_products ?? [])];
  const all = [
    ...demands,
    ...demands.flatMap((entry) => entry.expectations),
    ...(lists.groups ?? []).flatMap((group) => group.expectations),
    ...(lists.expectations ?? []),
  ];
  const names = all
    .flatMap((entry) => [...entry.sections, ...entry.columns])
    .map((name) => name.split('.')[0]!);
  const ids = new Set(names.filter((id) => existing.has(id)));
  return Promise.all([...ids].map((id) => loadDocumentType(id, data)));
}

function missing(what: string, name: string, path: Path): DataProblem {
  return {
    path,
    problem: `There is no ${what} "${name}"`,
    remedy: 'Correct the name or add it to its file.',
  };
}

function twice(id: string, path: Path): DataProblem {
  return { path, problem: `The id "${id}" is there twice`, remedy: 'Give one of them another id.' };
}
