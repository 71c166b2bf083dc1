import type { Location, Sentence } from '@normtrace/engine';
import type { Statement } from '../../platform/database/database.js';
import { identifier, joined, sql } from '../../platform/database/sql.js';
import type { SortKey } from '../../platform/http/pagination.js';
import { HIDDEN, isReadable, readableFinding } from '../standards/words.repository.js';
import { evidenceOfGap } from './gap-evidence.repository.js';
import type { Facet, GapSummary } from './gap-lists.schemas.js';
import {
  type GapFilters,
  type GapReader,
  isOverdue,
  LAST_SEEN,
  matchesGap,
  severityKey,
  statusAt,
} from './gaps.repository.js';

const MOST_VALUES = 50;

/** Whether the caller may see the workspace. */
export const selectWorkspace = (id: string): Statement => sql`select id from workspaces where id = ${id}`;

export interface FacetsRow {
  readonly total: number;
  readonly facets: Readonly<
    Partial<
      Record<
        Facet,
        {
          readonly values: readonly {
            readonly value: string;
            readonly label: string | null;
            readonly count: number;
          }[];
          readonly more: number;
        }
      >
    >
  >;
}

/** What facets count that have one value for each gap `g`. */
const valueFor = (facet: Exclude<Facet, 'clause' | 'work_product_id'>, { now }: GapReader): Statement => {
  switch (facet) {
    case 'severity':
      return sql`g.effective_severity`;
    case 'status':
      return statusAt(now);
    case 'analysis_type':
      return sql`g.analysis_type`;
    case 'standard_id':
      return sql`g.standard_id`;
    case 'type':
      return sql`g.kind`;
    case 'change':
      return sql`g.change`;
    case 'assignee':
      return sql`g.assignee`;
    case 'asil':
      return sql`g.asil`;
    case 'overdue':
      return isOverdue(now);
  }
};

/** Values with how many gaps have them: sums over `counted`, which has the rows of the facet's grouping. */
const valuesIn = (facet: Facet): Statement => {
  const own = sql`(c.missed is null or c.missed = ${facet}::text)`;
  switch (facet) {
    // Whatever the filter finds under: a clause with those below it.
    case 'clause':
      return sql`
        select v.value, sum(c.count) as count
        from counted c cross join lateral (
          select array_to_string(parts[1:n], '.') as value
          from (select string_to_array(c.clause, '.') as parts) split, generate_series(1, cardinality(parts)) as n
          union select c.criterion_id) v
        where c.of_clauses and ${own} group by v.value`;
    // A document that it is about, that was searched or is quoted.
    case 'work_product_id':
      return sql`
        select v.value::text as value, sum(c.count) as count
        from counted c
        join gap_documents d on d.workspace_id = c.workspace_id and d.key = c.documents
        cross join lateral unnest(d.work_product_ids) as v (value)
        where c.of_documents and ${own} group by v.value`;
    default: {
      const value = sql`c.${identifier(facet)}::text`;
      return sql`
        select ${facet === 'assignee' ? sql`coalesce(${value}, 'none')` : value} as value, sum(c.count) as count
        from counted c where not c.of_clauses and not c.of_documents and ${own} group by 1`;
    }
  }
};

const labelOf = (facet: Facet): Statement => {
  switch (facet) {
    case 'standard_id':
      return sql`(select t.name from standards t where t.id::text = found.value)`;
    case 'work_product_id':
      return sql`(select p.name from work_products p where p.id::text = found.value)`;
    case 'assignee':
      return sql`(select coalesce(nullif(p.name, ''), p.email) from profiles p where p.id::text = found.value)`;
    default:
      return sql`null::text`;
  }
};

/**
 * How many gaps have which value, each facet under all filters but its own, in one pass over the gaps: a gap that only the
 * filter of one facet leaves out counts for that facet alone.
 */
export function selectFacets(filters: GapFilters, facets: readonly Facet[], reader: GapReader): Statement {
  const filtered = facets.filter((facet) => filters[facet] !== undefined);
  const others = Object.fromEntries(
    Object.entries(filters).filter(([name]) => !filtered.includes(name as Facet)),
  ) as GapFilters;
  const excludes = (facet: Facet): Statement =>
    sql`((${matchesGap({ [facet]: filters[facet] }, reader)}) is not true)`;
  const excluded = filtered.map((facet) => sql`${excludes(facet)}::integer`);
  const missed = filtered.map((facet) => sql`when ${excludes(facet)} then ${facet}::text`);
  const simple = facets.filter((facet) => facet !== 'clause' && facet !== 'work_product_id');
  const hasClauses = facets.includes('clause');
  const hasDocuments = facets.includes('work_product_id');
  const names = simple.map(identifier);
  const clauses = hasClauses ? [sql`clause`, sql`criterion_id`] : [];
  const documents = hasDocuments ? [sql`workspace_id`, sql`documents`] : [];
  const groupings = [names, ...(hasClauses ? [clauses] : []), ...(hasDocuments ? [documents] : [])].map(
    (columns) => sql`(${joined([sql`missed`, ...columns])})`,
  );
  const told = facets.map(
    (facet) => sql`
      select ${facet}::text as facet,
             json_build_object(
               'values', coalesce(json_agg(json_build_object('value', found.value, 'label', ${labelOf(facet)},
                                                             'count', found.count) order by found.at)
                                  filter (where found.at <= ${MOST_VALUES}), '[]'),
               'more', greatest(0, count(*) - ${MOST_VALUES})) as told
      from (select v.value, v.count::integer as count, row_number() over (order by v.count desc, v.value) as at
            from (${valuesIn(facet)}) v where v.value is not null and v.value <> '') found`,
  );
  return sql`
    with counted as materialized (
      select ${joined([sql`missed`, ...names, ...clauses, ...documents])}, count(*) as count,
             ${hasClauses ? sql`grouping(clause) = 0` : sql`false`} as of_clauses,
             ${hasDocuments ? sql`grouping(documents) = 0` : sql`false`} as of_documents
      from (select ${missed.length > 0 ? sql`case ${joined(missed, sql` `)} end` : sql`null::text`} as missed,
                   ${joined(
                     simple.map((facet) => sql`${valueFor(facet, reader)} as ${identifier(facet)}, `),
                     sql``,
                   )}
                   g.clause, g.criterion_id, g.workspace_id, g.documents
            from gaps g
            where ${matchesGap(others, reader)} and ${excluded.length > 1 ? sql`${joined(excluded, sql` + `)} <= 1` : sql`true`}
           ) matching
      group by grouping sets (${joined(groupings)})
    )
    select (select coalesce(sum(count), 0)::integer from counted c
            where c.missed is null and not c.of_clauses and not c.of_documents) as total,
           (select coalesce(json_object_agg(facet, told), '{}') from (${joined(told, sql` union all `)}) all_facets) as facets`;
}

export interface GapSummaryRow
  extends Omit<GapSummary, 'title' | 'created_at' | 'updated_at' | 'first_place'> {
  readonly workspace_id: string;
  readonly words: { readonly title: string; readonly said?: { readonly title?: Sentence } | null };
  readonly first_place: {
    readonly work_product_id: string;
    readonly version: number;
    readonly location: Location;
    readonly range: { readonly start: number; readonly end: number };
  } | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** After all that are somebody's or about one document. */
const NOBODY = sql`'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid`;

/** What a list of gaps is sorted by, beside its moments: read for the sorts that are asked for alone. */
const keyFor = (field: string, { userId }: GapReader): Statement | undefined => {
  switch (field) {
    case 'severity':
      return sql`g.effective_severity`;
    case 'clause':
      return sql`g.clause`;
    case 'due_date':
      return sql`coalesce(g.due_date, 'infinity') as due_first`;
    case 'assignee':
      return sql`coalesce(g.assignee, ${NOBODY}) as owner_first`;
    case 'work_product_id':
      return sql`coalesce(g.work_product_id, ${NOBODY}) as document_first`;
    case 'title':
      return sql`case when ${isReadable(sql`g.standard_id`, userId)} then g.title else ${HIDDEN} end as title`;
    case 'updated_at':
      return sql`g.updated_at`;
    case 'created_at':
      return sql`g.created_at`;
    default:
      return undefined;
  }
};

/**
 * Gaps with what this list of them is sorted by, as far as the reader may read it, and nothing else: of many thousands a page
 * shows some, and an index that has all of it is read instead of the gaps (decision 910).
 */
export const selectGapKeys = (
  filters: GapFilters & {
    readonly sort: string | readonly string[];
    readonly updated_since?: string | undefined;
  },
  reader: GapReader,
): Statement => {
  const fields = [
    ...[filters.sort].flat().map((one) => one.replace(/^-/, '')),
    ...(filters.updated_since ? ['updated_at'] : []),
  ];
  const keys = [...new Set(fields)].flatMap((field) => keyFor(field, reader) ?? []);
  return sql`select ${joined([sql`g.id`, ...keys])} from gaps g where ${matchesGap(filters, reader)}`;
};

/** What gaps in short can be sorted by beside the fields of all lists: as the list of gaps. */
export const SUMMARY_SORTS: Readonly<Record<string, SortKey>> = {
  severity: severityKey(sql`effective_severity`),
  clause: { by: sql`clause`, type: sql`text` },
  // Without a due date: after all that have one.
  due_date: { by: sql`due_first`, type: sql`date` },
  // Those of one owner or document beside each other: in which order does not matter.
  assignee: { by: sql`owner_first`, type: sql`uuid` },
  work_product_id: { by: sql`document_first`, type: sql`uuid` },
};

/** The gap that the row `page` names, as a row of a list shows it. */
export const selectGapSummary = (workspaceId: string, reader: GapReader): Statement => {
  const finding = readableFinding(sql`g.finding`, sql`g.standard_id`, reader.userId);
  return sql`
    select g.workspace_id, g.id, g.analysis_type, g.standard_id, g.work_product_id, g.criterion_id, g.clause,
           g.kind as type, ${statusAt(reader.now)} as status, g.change, g.effective_severity,
           g.effective_severity as severity, g.severity as severity_original, g.confidence,
           g.asil, g.assignee, g.due_date::text as due_date,
           ${isOverdue(reader.now)} as overdue, g.created_at, g.updated_at,
           (select jsonb_build_object('title', f.finding -> 'title', 'said',
                     case when f.finding #> '{said,title}' is not null
                          then jsonb_build_object('title', f.finding #> '{said,title}') end)
            -- Once for each gap, not for each of its parts.
            from (select ${finding} as finding offset 0) f) as words,
           exists (select from gap_proposals p where p.workspace_id = g.workspace_id and p.gap_id = g.id
                   and p.kind = 'acceptance' and p.outcome is null) as acceptance_pending,
           (select count(*)::integer from ${evidenceOfGap(LAST_SEEN)}) as evidence_count,
           (select count(*)::integer from comments c
            where c.workspace_id = g.workspace_id and c.gap_id = g.id and c.deleted_at is null) as comment_count,
           (select json_build_object('work_product_id', e.work_product_id, 'version', e.version, 'location', e.location,
                     'range', json_build_object('start', e.start_offset, 'end', e.end_offset))
            from ${evidenceOfGap(LAST_SEEN)}
            order by e.ordinal limit 1) as first_place
    from gaps g where g.workspace_id = ${workspaceId} and g.id = page.id`;
};
