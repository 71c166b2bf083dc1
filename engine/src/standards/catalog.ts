import { z } from 'zod';
import type { DataProblem } from '../data/data-error.js';
import { BUILT_IN_DATA, type DataFolder, listDataFiles, once, readDataFile } from '../data/load-data.js';
import type { Verification } from './criterion.js';
import { verificationSchema } from './verification-schema.js';

/** Closed list of subjects (domain A.2). */
export const STANDARD_CATEGORIES = [
  'process_assessment',
  'functional_safety',
  'sotif',
  'ai_safety',
  'automated_driving',
  'cybersecurity',
  'software_update',
  'regulation',
  'quality_management',
  'systems_software_engineering',
  'coding_guideline',
  'analysis_method',
  'company_internal',
  'customer_specific',
  'other',
] as const;
export type StandardCategory = (typeof STANDARD_CATEGORIES)[number];

export type StandardGroup =
  | 'aspice'
  | 'functional_safety'
  | 'cybersecurity'
  | 'regulation'
  | 'quality'
  | 'engineering'
  | 'other';

/** The coarse group of each subject, for interfaces with few groups (domain A.2). */
export const GROUP_OF_CATEGORY: Readonly<Record<StandardCategory, StandardGroup>> = {
  process_assessment: 'aspice',
  functional_safety: 'functional_safety',
  sotif: 'functional_safety',
  ai_safety: 'functional_safety',
  automated_driving: 'functional_safety',
  cybersecurity: 'cybersecurity',
  software_update: 'cybersecurity',
  regulation: 'regulation',
  quality_management: 'quality',
  systems_software_engineering: 'engineering',
  coding_guideline: 'engineering',
  analysis_method: 'engineering',
  company_internal: 'other',
  customer_specific: 'other',
  other: 'other',
};

/** What of a standard is shipped: nothing, its clauses, its work products, or its processes and practices. */
export const STANDARD_STRUCTURES = ['none', 'clauses', 'work_products', 'processes_and_practices'] as const;
export type StandardStructure = (typeof STANDARD_STRUCTURES)[number];

/** A published standard that users may know, own or adopt (domain A.1). Holds no text of the standard. */
export interface CatalogEntry {
  /** Lower case, with the edition: `iso-26262-6-2018`. */
  readonly id: string;
  readonly designation: string;
  readonly shortName: string;
  readonly title: string;
  readonly publisher: string;
  readonly edition: string;
  /** `YYYY`, `YYYY-MM` or `YYYY-MM-DD`; absent where it is not known. */
  readonly published?: string;
  /** `under_revision`: in force while a new edition is in work. */
  readonly status: 'current' | 'superseded' | 'withdrawn' | 'under_revision' | 'draft';
  readonly statusNote?: string;
  readonly supersedes: readonly string[];
  readonly supersededBy: readonly string[];
  readonly category: StandardCategory;
  readonly group: StandardGroup;
  readonly kind:
    | 'international_standard'
    | 'technical_specification'
    | 'pas'
    | 'technical_report'
    | 'regulation'
    | 'process_assessment_model'
    | 'industry_guideline'
    | 'coding_guideline'
    | 'company_document';
  /** Parts of a series, in order; `id` where the part has its own entry. */
  readonly parts: readonly { readonly part: string; readonly title: string; readonly id?: string }[];
  /** Own words, at most 400 characters. */
  readonly description: string;
  readonly obtain: {
    readonly url: string;
    readonly access: 'free_download' | 'free_online' | 'paid' | 'licensed_members';
  };
  /** What this installation really holds of it. */
  readonly builtinStructure: StandardStructure;
  /** What may be shipped of it (domain 0.1, A.3). */
  readonly allowedStructure: StandardStructure;
  readonly contentPolicy: 'metadata_only' | 'own_paraphrase' | 'full_text_allowed';
  /** True for paid texts: an uploaded copy is not processed before its owner has attested the licence. */
  readonly requiresAttestation: boolean;
  readonly related: readonly string[];
  /** Other names that people use for it, wrong ones included: `ISO 8800`. */
  readonly aliases: readonly string[];
  readonly verified: Verification;
  /** Day on which the entry was last compared with its source. */
  readonly lastVerified: string;
}

const published = z.string().regex(/^\d{4}(-\d{2}){0,2}$/, 'Write YYYY, YYYY-MM or YYYY-MM-DD in quotes');
const ids = z.array(keyWithDots()).default([]);

const entrySchema = z.strictObject({
  id: keyWithDots(),
  designation: z.string().min(2),
  short_name: z.string().min(2),
  title: z.string().min(2),
  publisher: z.string().min(2),
  edition: z.string().min(1),
  published: published.optional(),
  status: z.enum(['current', 'superseded', 'withdrawn', 'under_revision', 'draft']),
  status_note: z.string().min(1).optional(),
  supersedes: ids,
  superseded_by: ids,
  category: z.enum(STANDARD_CATEGORIES),
  kind: z.enum([
    'international_standard',
    'technical_specification',
    'pas',
    'technical_report',
    'regulation',
    'process_assessment_model',
    'industry_guideline',
    'coding_guideline',
    'company_document',
  ]),
  parts: z
    .array(z.strictObject({ part: z.string(), title: z.string(), id: keyWithDots().optional() }))
    .default([]),
  description: z.string().min(20).max(400),
  obtain: z.strictObject({
    url: z.url(),
    access: z.enum(['free_download', 'free_online', 'paid', 'licensed_members']),
  }),
  builtin_structure: z.enum(STANDARD_STRUCTURES),
  allowed_structure: z.enum(STANDARD_STRUCTURES),
  content_policy: z.enum(['metadata_only', 'own_paraphrase', 'full_text_allowed']),
  related: ids,
  aliases: z.array(z.string().min(2)).default([]),
  verified: verificationSchema,
});
type Entry = z.output<typeof entrySchema>;

const fileSchema = z.strictObject({
  last_verified: z.iso.date(),
  standards: z.array(entrySchema),
});

/** The whole catalog in the order of `catalog.yaml`. Throws `DataError` for a file that cannot be used. */
export async function listCatalog(data: DataFolder = BUILT_IN_DATA): Promise<readonly CatalogEntry[]> {
  return [...(await loadCatalog(data)).values()];
}

/** One entry by its id; undefined where the catalog has none. */
export async function catalogEntry(
  id: string,
  data: DataFolder = BUILT_IN_DATA,
): Promise<CatalogEntry | undefined> {
  return (await loadCatalog(data)).get(id);
}

/**
 * Entries that a name as written by a person may mean: designation, short name, alias or id, whatever the case,
 * spaces and dashes. Several entries where the name leaves the edition or part open.
 */
export async function findInCatalog(
  name: string,
  data: DataFolder = BUILT_IN_DATA,
): Promise<readonly CatalogEntry[]> {
  const wanted = plain(name);
  return (await listCatalog(data)).filter((entry) =>
    [entry.id, entry.designation, entry.shortName, ...entry.aliases].some((known) => plain(known) === wanted),
  );
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}

/** Catalog ids may hold the dots of a version: `aspice-pam-4.0`. */
function keyWithDots() {
  return z.string().regex(/^[a-z0-9]+(?:[-.][a-z0-9]+)*$/, 'Ids are lower case, with the edition');
}

function loadCatalog(data: DataFolder): Promise<ReadonlyMap<string, CatalogEntry>> {
  return once(data, 'catalog', async () => {
    const [file, structures] = await Promise.all([
      readDataFile(data, 'catalog.yaml', fileSchema),
      listDataFiles(data, 'standards'),
    ]);
    await file.refuse(problemsOf(file.value.standards, new Set(structures)));
    const lastVerified = file.value.last_verified;
    return new Map(file.value.standards.map((entry) => [entry.id, toCatalogEntry(entry, lastVerified)]));
  });
}

function problemsOf(entries: readonly Entry[], structures: ReadonlySet<string>): DataProblem[] {
  const known = new Set(entries.map((entry) => entry.id));
  const seen = new Set<string>();
  return entries.flatMap((entry, index) => {
    const path = ['standards', index];
    const problems: DataProblem[] = [];
    for (const key of ['supersedes', 'superseded_by', 'related'] as const) {
      entry[key].forEach((id, place) => {
        if (!known.has(id)) problems.push(dangling(entry.id, id, [...path, key, place]));
      });
    }
    entry.parts.forEach(({ id }, place) => {
      if (id && !known.has(id)) problems.push(dangling(entry.id, id, [...path, 'parts', place, 'id']));
    });
    if (seen.has(entry.id)) {
      const problem = `The standard "${entry.id}" is there twice`;
      problems.push({ path: [...path, 'id'], problem, remedy: 'Remove one or correct its edition.' });
    }
    seen.add(entry.id);
    const hasStructure = structures.has(entry.id) || entry.parts.some(({ id }) => id && structures.has(id));
    if ((entry.builtin_structure !== 'none') !== hasStructure) {
      const problem = hasStructure
        ? `standards/ holds a structure of "${entry.id}", but the entry says none`
        : `"${entry.id}" claims a structure that standards/ does not hold`;
      const remedy = 'Add the file or correct builtin_structure.';
      problems.push({ path: [...path, 'builtin_structure'], problem, remedy });
    }
    return problems;
  });
}

function dangling(from: string, to: string, path: readonly (string | number)[]): DataProblem {
  const problem = `"${from}" refers to "${to}", which the catalog has not`;
  return { path, problem, remedy: 'Correct the reference or add the entry.' };
}

function toCatalogEntry(entry: Entry, lastVerified: string): CatalogEntry {
  return {
    id: entry.id,
    designation: entry.designation,
    shortName: entry.short_name,
    title: entry.title,
    publisher: entry.publisher,
    edition: entry.edition,
    ...(entry.published ? { published: entry.published } : {}),
    status: entry.status,
    ...(entry.status_note ? { statusNote: entry.status_note } : {}),
    supersedes: entry.supersedes,
    supersededBy: entry.superseded_by,
    category: entry.category,
    group: GROUP_OF_CATEGORY[entry.category],
    kind: entry.kind,
    parts: entry.parts.map(({ part, title, id }) => ({ part, title, ...(id ? { id } : {}) })),
    description: entry.description,
    obtain: entry.obtain,
    builtinStructure: entry.builtin_structure,
    allowedStructure: entry.allowed_structure,
    contentPolicy: entry.content_policy,
    requiresAttestation: entry.obtain.access === 'paid' || entry.obtain.access === 'licensed_members',
    related: entry.related,
    aliases: entry.aliases,
    verified: entry.verified,
    lastVerified,
  };
}
