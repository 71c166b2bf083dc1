import { loadConditions } from '../conditions/load-conditions.js';
import type { DataProblem } from '../data/data-error.js';
import {
  BUILT_IN_DATA,
  type DataFile,
  type DataFolder,
  listDataFiles,
  once,
  parseDataText,
  readDataFile,
} from '../data/load-data.js';
import { everyPhrase } from '../data/shared-schemas.js';
import type { Checklist, ChecklistItem } from '../engines/checklist/checklist.js';
import type { NotApplicable } from '../engines/checklist/question.js';
import { refuseDanglingChecks } from './check-references.js';
import { type ChecklistFile, checklistFileSchema, type ItemEntry } from './checklist-schema.js';

/** Ids of the built-in checklists, sorted. */
export function listChecklistIds(data: DataFolder = BUILT_IN_DATA): Promise<readonly string[]> {
  return once(data, 'checklist ids', () => listDataFiles(data, 'checklists'));
}

/** All built-in checklists, by id. Throws `DataError` for a file that cannot be used. */
export async function loadChecklists(
  data: DataFolder = BUILT_IN_DATA,
): Promise<ReadonlyMap<string, Checklist>> {
  const ids = await listChecklistIds(data);
  const lists = await Promise.all(ids.map((id) => loadChecklist(id, data)));
  return new Map(lists.map((list) => [list.id, list]));
}

/**
 * One built-in checklist. Throws `UnknownChecklistError` for an id that does not exist and `DataError`, with file and line,
 * for a file that cannot be used: unknown keys, references to what does not exist, repeated ids.
 */
export function loadChecklist(id: string, data: DataFolder = BUILT_IN_DATA): Promise<Checklist> {
  return once(data, `checklist ${id}`, async () => {
    if (!(await listChecklistIds(data)).includes(id)) {
      throw new UnknownChecklistError(`There is no checklist "${id}".`);
    }
    const file = await readDataFile(data, `checklists/${id}.yaml`, checklistFileSchema);
    const problem = `The id "${file.value.id}" differs from the file name`;
    const remedy = `Write "${id}" or rename the file.`;
    await refuseProblems(file, data, file.value.id === id ? [] : [{ path: ['id'], problem, remedy }]);
    return toChecklist(file.value, 'built_in');
  });
}

/** A checklist of one's own from YAML text in the form of the files in `checklists/`; `name` is the file's, for messages. */
export async function parseChecklist(
  text: string,
  name: string,
  data: DataFolder = BUILT_IN_DATA,
): Promise<Checklist> {
  const file = await parseDataText(name, text, checklistFileSchema);
  await refuseProblems(file, data, []);
  return toChecklist(file.value, 'own');
}

/** No built-in checklist has the id. */
export class UnknownChecklistError extends Error {
  override readonly name = 'UnknownChecklistError';
}

async function refuseProblems(
  file: DataFile<ChecklistFile>,
  data: DataFolder,
  further: readonly DataProblem[],
): Promise<void> {
  const conditions = await loadConditions(data);
  const seen = new Set<string>();
  const problems = file.value.items.flatMap((item, index) => {
    const path = ['items', index];
    const own: DataProblem[] = [];
    if (seen.has(item.id)) {
      const problem = `The id "${item.id}" is there twice`;
      own.push({ path: [...path, 'id'], problem, remedy: 'Give one of them another number.' });
    }
    seen.add(item.id);
    if (!item.id.startsWith(`${file.value.id}-`)) {
      const problem = `The id "${item.id}" does not begin with that of its list`;
      own.push({ path: [...path, 'id'], problem, remedy: `Write ${file.value.id}-<number>.` });
    }
    if (item.auto !== 'full' && item.question === undefined) {
      const problem = `"${item.id}" may need a person and has no question`;
      own.push({ path: [...path, 'auto'], problem, remedy: 'Add the question that the person answers.' });
    }
    for (const id of [...item.applies_when, ...(item.na?.when ?? []), ...(item.na?.unless ?? [])]) {
      if (conditions.has(id)) continue;
      const problem = `There is no condition "${id}"`;
      own.push({ path, problem, remedy: 'Use an id of conditions.yaml or add the condition there.' });
    }
    return own;
  });
  await file.refuse([...further, ...problems, ...(await refuseDanglingChecks(file.value, data))]);
}

function toChecklist(
  { id, title, domain, about, items }: ChecklistFile,
  source: Checklist['source'],
): Checklist {
  return {
    id,
    title,
    domain,
    about: { documentTypes: about.document_types, names: everyPhrase(about.names) },
    source,
    items: items.map(toItem),
  };
}

function toItem(entry: ItemEntry): ChecklistItem {
  const { applies_when, na, missing_severity, document_types, auto, question, ...rest } = entry;
  return {
    ...rest,
    appliesWhen: applies_when,
    notApplicable: toNotApplicable(na),
    missingSeverity: missing_severity ?? entry.severity,
    documentTypes: document_types,
    automation: auto,
    ...(question ? { question } : {}),
  };
}

function toNotApplicable(na: ItemEntry['na']): NotApplicable {
  if (!na) return { when: [], unless: [], draft: false, stated: [] };
  const { stated, ...rest } = na;
  return { ...rest, stated: stated ? everyPhrase(stated) : [] };
}
