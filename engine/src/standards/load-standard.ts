import { BUILT_IN_DATA, type DataFile, type DataFolder, once, readDataFile } from '../data/load-data.js';
import { everyPhrase } from '../data/shared-schemas.js';
import { type CatalogEntry, catalogEntry } from './catalog.js';
import { refuseDanglingReferences } from './check-references.js';
import type { Criterion, CriterionKind, LookFor, Standard } from './criterion.js';
import { germanPart, withGerman } from './german.js';
import { loadInformationItems } from './information-items.js';
import {
  type DemandEntry,
  type ExpectationEntry,
  type GroupEntry,
  generalExpectationsSchema,
  type StandardFile,
  standardFileSchema,
} from './standard-schema.js';

/**
 * The built-in structure of a standard of the catalog; a series is its parts one after the other.
 * Throws `UnknownStandardError` for an id that the catalog has not or whose structure is not built in,
 * `DataError` for a file that cannot be used.
 */
export function loadStandard(id: string, data: DataFolder = BUILT_IN_DATA): Promise<Standard> {
  return once(data, `standard ${id}`, async () => {
    const entry = await catalogEntry(id, data);
    if (!entry) throw new UnknownStandardError(`The catalog has no standard "${id}".`);
    if (entry.builtinStructure === 'none') {
      throw new UnknownStandardError(`${entry.designation} has no built-in structure; upload your own copy.`);
    }
    const criteria = entry.parts.some((part) => part.id !== undefined)
      ? await loadParts(entry, data)
      : await loadCriteria(id, data);
    const { designation, title, edition } = entry;
    return { id, designation, title, edition, source: 'catalog', criteria };
  });
}

/** What every safety and cybersecurity document has to show; checked once per document (domain C). */
export function loadGeneralExpectations(data: DataFolder = BUILT_IN_DATA): Promise<readonly Criterion[]> {
  return once(data, 'general expectations', async () => {
    const file = await readDataFile(data, 'general-expectations.yaml', generalExpectationsSchema);
    await refuseDanglingReferences(file, { expectations: file.value.expectations }, data);
    return file.value.expectations.map((entry) => ({
      ...demandOf(entry, 'expectation'),
      id: `general-${entry.n}`,
      clause: 'general',
      text: entry.text,
    }));
  });
}

/** The catalog has no such standard, or nothing of it is built in. The message says which and what to do. */
export class UnknownStandardError extends Error {
  override readonly name = 'UnknownStandardError';
}

async function loadParts(series: CatalogEntry, data: DataFolder): Promise<Criterion[]> {
  const criteria: Criterion[] = [];
  for (const { part, title, id } of series.parts) {
    const entry = id === undefined ? undefined : await catalogEntry(id, data);
    if (!entry || entry.builtinStructure === 'none') continue;
    const head = {
      kind: 'group',
      clause: part,
      title,
      text: '',
      severity: 'low',
      obligation: 'shall',
    } as const;
    const german = { title: await germanPart(entry.id, data), text: '' };
    criteria.push({ ...head, german, id: entry.id });
    for (const criterion of (await loadStandard(entry.id, data)).criteria) {
      criteria.push(criterion.parentId === undefined ? { ...criterion, parentId: entry.id } : criterion);
    }
  }
  return criteria;
}

async function loadCriteria(id: string, data: DataFolder): Promise<Criterion[]> {
  const file = await readDataFile(data, `standards/${id}.yaml`, standardFileSchema);
  if (file.value.standard !== id) {
    const problem = `The standard "${file.value.standard}" differs from the file name`;
    await file.refuse([{ path: ['standard'], problem, remedy: `Write "${id}" or rename the file.` }]);
  }
  await refuseDanglingReferences(file, file.value, data);
  await refuseUnknownItems(file, data);
  const criteria = file.value.groups.flatMap((group) => criteriaOfGroup(group, file.value));
  return withGerman(id, { criteria, own: withOwnText(file.value, criteria) }, data);
}

/** Ids of criteria with a text of their own. */
function withOwnText(
  { groups, practices, clauses, work_products }: StandardFile,
  criteria: readonly Criterion[],
): ReadonlySet<string> {
  const entries = [...groups, ...practices, ...clauses, ...work_products];
  const without = new Set(entries.filter(({ text }) => text === undefined).map(({ id }) => id));
  return new Set(criteria.map(({ id }) => id).filter((id) => !without.has(id)));
}

/** Processes name what they put out by ids of `information-items.yaml`. */
async function refuseUnknownItems(file: DataFile<StandardFile>, data: DataFolder): Promise<void> {
  const { standard, groups } = file.value;
  if (groups.every((group) => group.information_items.length === 0)) return;
  const known = await loadInformationItems(standard, data);
  await file.refuse(
    groups.flatMap((group, index) =>
      group.information_items.flatMap((id, place) => {
        if (known.has(id)) return [];
        const path = ['groups', index, 'information_items', place];
        const remedy = 'Correct the id or add it to information-items.yaml.';
        return [{ path, problem: `There is no information item "${id}"`, remedy }];
      }),
    ),
  );
}

function criteriaOfGroup(group: GroupEntry, file: StandardFile): Criterion[] {
  const inGroup = (entries: readonly DemandEntry[], kind: CriterionKind) =>
    entries.filter((entry) => entry.group === group.id).flatMap((entry) => criteriaOf(entry, group, kind));
  return [
    {
      id: group.id,
      kind: 'group',
      ...(group.parent ? { parentId: group.parent } : {}),
      clause: group.clause,
      title: group.title,
      text: group.text ?? '',
      severity: 'low',
      obligation: 'shall',
      ...(group.verified ? { verified: group.verified } : {}),
      ...(group.capability_level ? { capabilityLevel: group.capability_level } : {}),
      ...(group.information_items.length > 0 ? { informationItems: group.information_items } : {}),
      ...(group.identified_by ? { identifiedBy: group.identified_by } : {}),
      ...(group.terms.length > 0 ? { lookFor: termsOf(group) } : {}),
    },
    ...group.expectations.map((entry) => expectationOf(entry, group)),
    ...inGroup(file.practices, 'practice'),
    ...inGroup(file.clauses, 'clause'),
    ...inGroup(file.work_products, 'work_product'),
  ];
}

function criteriaOf(entry: DemandEntry, group: GroupEntry, kind: CriterionKind): Criterion[] {
  const documentTypes = entry.document_types.length > 0 ? { documentTypes: entry.document_types } : {};
  const criterion: Criterion = {
    ...demandOf(entry, kind),
    id: entry.id,
    parentId: group.id,
    clause: entry.clause ?? group.clause,
    text: entry.text ?? `There is ${withArticle(entry.title)}.`,
    ...documentTypes,
    ...(entry.identified_by ? { identifiedBy: entry.identified_by } : {}),
    ...(entry.reviews.length > 0 ? { reviews: entry.reviews } : {}),
    ...(entry.capability_level ? { capabilityLevel: entry.capability_level } : {}),
  };
  const inherited = {
    ...(entry.condition ? { condition: entry.condition } : {}),
    ...(entry.plan ? { plan: true } : {}),
    ...documentTypes,
  };
  return [
    criterion,
    ...entry.expectations.map((expectation) => ({ ...inherited, ...expectationOf(expectation, criterion) })),
  ];
}

/** `an item definition`, `a HARA`. */
function withArticle(title: string): string {
  const name = /^\p{Lu}\p{Ll}/u.test(title) ? title[0]!.toLowerCase() + title.slice(1) : title;
  return `${/^[aeio]/i.test(name) ? 'an' : 'a'} ${name}`;
}

function expectationOf(entry: ExpectationEntry, parent: { id: string; clause: string }): Criterion {
  return {
    ...demandOf(entry, 'expectation'),
    id: `${parent.id}-${entry.n}`,
    parentId: parent.id,
    clause: parent.clause,
    text: entry.text,
  };
}

const termsOf = ({ terms }: Pick<DemandEntry, 'terms'>): Pick<LookFor, 'terms' | 'german'> => ({
  terms: terms.map(everyPhrase),
  german: terms.map(({ de }) => de),
});

function demandOf(entry: DemandEntry | ExpectationEntry, kind: CriterionKind) {
  const lookFor: LookFor = {
    ...(entry.sections.length > 0 ? { sections: entry.sections } : {}),
    ...(entry.columns.length > 0 ? { columns: entry.columns } : {}),
    ...(entry.terms.length > 0 ? termsOf(entry) : {}),
    ...(entry.metadata.length > 0 ? { metadata: entry.metadata } : {}),
    ...(entry.rule ? { rule: entry.rule } : {}),
  };
  return {
    kind,
    title: entry.title,
    severity: entry.severity,
    obligation: entry.obligation,
    ...(entry.condition ? { condition: entry.condition } : {}),
    ...(entry.plan === undefined ? {} : { plan: entry.plan }),
    ...(Object.keys(lookFor).length > 0 ? { lookFor } : {}),
    ...(entry.verified ? { verified: entry.verified } : {}),
  };
}
