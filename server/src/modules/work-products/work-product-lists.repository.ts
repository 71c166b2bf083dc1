import type { Statement, Transaction } from '../../platform/database/database.js';
import { joined, sql } from '../../platform/database/sql.js';
import { containing, isAnyOf, type SortKey, wordKey } from '../../platform/http/pagination.js';
import { statusAt } from '../gaps/gaps.repository.js';
import { columns, type WorkProductRow } from './work-products.repository.js';
import type { Facet, ListedWorkProduct } from './work-products.schemas.js';

const MOST_VALUES = 50;
/** What a filter by document type says of those that have none. */
const NO_TYPE = 'none';

export interface WorkProductFilters {
  readonly workspace_id?: string | undefined;
  readonly search?: string | undefined;
  readonly type?: string | undefined;
  readonly category?: readonly string[] | undefined;
  readonly processing_status?: readonly string[] | undefined;
  readonly tag?: readonly string[] | undefined;
  readonly format?: readonly string[] | undefined;
  readonly language?: readonly string[] | undefined;
  readonly source_archive?: string | undefined;
}

export interface ListedRow extends WorkProductRow {
  readonly summary?: ListedWorkProduct['summary'];
}

/** Of the newest version of the work product `work_products`. */
const ofNewest = (column: Statement): Statement => sql`
  (select ${column} from work_product_versions v where v.workspace_id = work_products.workspace_id
   and v.work_product_id = work_products.id and v.version = work_products.version)`;

const matches = (filters: WorkProductFilters): Statement => {
  const { workspace_id, search, type, category, processing_status, tag, format, language, source_archive } =
    filters;
  const all = sql`true`;
  return sql`
    deleted_at is null
    and ${workspace_id ? sql`workspace_id = ${workspace_id}` : all}
    and ${search ? sql`(name || ' ' || original_filename) ilike ${containing(search)}` : all}
    and ${type ? sql`(category = ${type} or file_type = ${type})` : all}
    and ${isAnyOf(sql`coalesce(category, ${NO_TYPE})`, category)}
    and ${isAnyOf(sql`processing_status`, processing_status)}
    and ${tag ? sql`tags && ${tag}::text[]` : all}
    and ${format ? isAnyOf(ofNewest(sql`v.format`), format) : all}
    and ${language ? isAnyOf(ofNewest(sql`v.language`), language) : all}
    and ${source_archive ? sql`source_archive_id = ${source_archive}` : all}`;
};

/** Open gaps that are about the work product `work_products`, or quote it as their newest run saw them, by severity. */
const gapsOf = (now: Date): Statement => sql`
  (select json_build_object('critical', count(*) filter (where g.effective_severity = 'critical'),
                            'high', count(*) filter (where g.effective_severity = 'high'),
                            'medium', count(*) filter (where g.effective_severity = 'medium'),
                            'low', count(*) filter (where g.effective_severity = 'low'))
   from (select a.id from gaps a
         where a.workspace_id = work_products.workspace_id and a.work_product_id = work_products.id
         union
         select e.gap_id from evidence_of_runs e
         join gap_sightings s on s.workspace_id = e.workspace_id and s.gap_id = e.gap_id and s.analysis_id = e.analysis_id
         where e.workspace_id = work_products.workspace_id and e.work_product_id = work_products.id) about
   join gaps g on g.workspace_id = work_products.workspace_id and g.id = about.id
   left join standards t on t.workspace_id = g.workspace_id and t.id = g.standard_id
   where g.change <> 'absent' and t.deleted_at is null and ${statusAt(now)} in ('open', 'in_progress'))`;

const newestRun = sql`
  (select json_build_object('analysis_id', a.id, 'type', a.type, 'version', i.version, 'finished_at', a.finished_at)
   from analysis_inputs i
   join analyses a on a.workspace_id = i.workspace_id and a.id = i.analysis_id and a.status = 'completed'
   where i.workspace_id = work_products.workspace_id and i.work_product_id = work_products.id
   order by a.finished_at desc, a.id desc limit 1)`;

/** Rows with what they can be sorted by; the gaps only where they are the order. */
export const selectWorkProducts = (
  filters: WorkProductFilters & { readonly sort?: string },
  now: Date,
): Statement => sql`
  select ${columns}${filters.sort?.endsWith('gaps') ? sql`, ${gapsOf(now)} as gaps` : sql``}
  from work_products where ${matches(filters)}`;

/** The work product that the row `page` names, with how it stands. */
export const selectSummarised = (now: Date): Statement => sql`
  select ${columns}, json_build_object('gaps', ${gapsOf(now)}, 'newest_run', ${newestRun}) as summary
  from work_products where workspace_id = page.workspace_id and id = page.id`;

/** What work products can be sorted by beside the fields of all lists. What is not known stands before everything. */
export const WORK_PRODUCT_SORTS: Readonly<Record<string, SortKey>> = {
  category: wordKey(sql`coalesce(category, '')`),
  compliance_score: { by: sql`coalesce(compliance_score, -1)`, type: sql`numeric` },
  file_size: { by: sql`file_size`, type: sql`bigint` },
  page_count: { by: sql`coalesce((newest ->> 'page_count')::integer, -1)`, type: sql`integer` },
  processing_status: wordKey(sql`processing_status`),
  uploaded_at: { by: sql`coalesce(uploaded_at, '-infinity')`, type: sql`timestamptz` },
  // One critical gap weighs more than any number of others, and so on.
  gaps: {
    by: sql`(gaps ->> 'critical')::numeric * 1e18 + (gaps ->> 'high')::numeric * 1e12
            + (gaps ->> 'medium')::numeric * 1e6 + (gaps ->> 'low')::numeric`,
    type: sql`numeric`,
  },
};

const facetValue = (facet: Facet): Statement => {
  switch (facet) {
    case 'category':
      return sql`coalesce(category, ${NO_TYPE})`;
    case 'processing_status':
      return sql`processing_status`;
    case 'tag':
      return sql`unnest(tags)`;
    case 'format':
      return ofNewest(sql`v.format`);
    case 'language':
      return ofNewest(sql`v.language`);
  }
};

export interface FacetsRow {
  readonly total: number;
  readonly facets: Readonly<
    Partial<
      Record<
        Facet,
        {
          readonly values: readonly { readonly value: string; readonly count: number }[];
          readonly more: number;
        }
      >
    >
  >;
}

/** How many work products have which value, each facet under all filters but its own. */
export const selectFacets = (filters: WorkProductFilters, facets: readonly Facet[]): Statement => {
  const told = facets.map(
    (facet) => sql`
      select ${facet}::text as facet,
             json_build_object(
               'values', coalesce(json_agg(json_build_object('value', value, 'count', count) order by at)
                                  filter (where at <= ${MOST_VALUES}), '[]'),
               'more', greatest(0, count(*) - ${MOST_VALUES})) as told
      from (select value, count(*)::integer as count, row_number() over (order by count(*) desc, value) as at
            from (select ${facetValue(facet)} as value from work_products
                  where ${matches({ ...filters, [facet]: undefined })}) valued
            where value is not null group by value) found`,
  );
  return sql`
    select (select count(*)::integer from work_products where ${matches(filters)}) as total,
           (select coalesce(json_object_agg(facet, told), '{}') from (${joined(told, sql` union all `)}) counted) as facets`;
};

/** Ids that match, in their order; no more than `limit`. */
export const findIds = async (
  transaction: Transaction,
  filters: WorkProductFilters,
  limit: number,
): Promise<readonly string[]> =>
  (
    await transaction.many<{ id: string }>(
      sql`select id from work_products where ${matches(filters)} order by created_at, id limit ${limit}`,
    )
  ).map(({ id }) => id);

/** Locks those that are not deleted, in their order. */
export const lockWorkProducts = (
  transaction: Transaction,
  workspaceId: string,
  ids: readonly string[],
): Promise<WorkProductRow[]> =>
  transaction.many(sql`
    select ${columns} from work_products
    where workspace_id = ${workspaceId} and id = any (${ids}::uuid[]) and deleted_at is null
    order by created_at, id for update`);

export interface SameBytesRow {
  readonly sha256: string;
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly is_newest: boolean;
}

/** Versions of documents with one of these contents, the newest of them first. */
export const findSameBytes = (
  transaction: Transaction,
  workspaceId: string,
  sha256: readonly string[],
): Promise<SameBytesRow[]> =>
  transaction.many(sql`
    select v.sha256, p.id, p.name, v.version, v.version = p.version as is_newest
    from work_product_versions v
    join work_products p on p.workspace_id = v.workspace_id and p.id = v.work_product_id and p.deleted_at is null
    where v.workspace_id = ${workspaceId} and v.sha256 = any (${sha256}::text[])
    order by is_newest desc, v.uploaded_at desc, p.id`);

export interface NamedRow {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly original_filename: string;
}

/** The documents that stand alone: those out of an archive get their next version with that. */
export const findNames = (transaction: Transaction, workspaceId: string): Promise<NamedRow[]> =>
  transaction.many(sql`
    select id, name, version, original_filename from work_products
    where workspace_id = ${workspaceId} and deleted_at is null and version > 0 and source_archive_id is null
    order by updated_at desc, id`);
