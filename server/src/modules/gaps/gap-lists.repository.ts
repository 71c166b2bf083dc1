import type { Location, Sentence } from '@normtrace/engine';
import type { Statement } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import { readableFinding } from '../standards/words.repository.js';
import type { Facet, GapSummary } from './gap-lists.schemas.js';
import {
  type GapFilters,
  type GapReader,
  isOverdue,
  LAST_SEEN,
  matchesGap,
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

/** Values of a facet of the gap `g`, as rows with one column `value` of texts. */
const valuesOf = (facet: Facet, { now }: GapReader): Statement => {
  switch (facet) {
    case 'severity':
      return sql`select g.effective_severity as value`;
    case 'status':
      return sql`select ${statusAt(now)} as value`;
    case 'analysis_type':
      return sql`select g.analysis_type as value`;
    case 'standard_id':
      return sql`select g.standard_id::text as value`;
    case 'type':
      return sql`select g.kind as value`;
    case 'change':
      return sql`select g.change as value`;
    case 'assignee':
      return sql`select coalesce(g.assignee::text, 'none') as value`;
    case 'asil':
      return sql`select g.finding ->> 'asil' as value`;
    case 'overdue':
      return sql`select ${isOverdue(now)}::text as value`;
    // Whatever the filter finds under: a clause with those below it, a document that was searched or is quoted.
    case 'clause':
      return sql`
        select distinct array_to_string(parts[1:n], '.') as value
        from (select string_to_array(g.clause, '.') as parts) split, generate_series(1, cardinality(parts)) as n
        union select g.criterion_id`;
    case 'work_product_id':
      return sql`
        select g.work_product_id::text as value
        union select jsonb_array_elements_text(g.finding -> 'search' -> 'work_product_ids')
        union select e.work_product_id::text from analysis_evidence e
              where e.workspace_id = g.workspace_id and e.gap_id = g.id and e.analysis_id = ${LAST_SEEN}`;
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

/** How many gaps have which value, each facet under all filters but its own. */
export function selectFacets(filters: GapFilters, facets: readonly Facet[], reader: GapReader): Statement {
  const counted = facets.map((facet) => {
    const { [facet]: _own, ...others } = filters;
    return sql`
      select ${facet}::text as facet,
             json_build_object(
               'values', coalesce(json_agg(json_build_object('value', found.value, 'label', ${labelOf(facet)},
                                                             'count', found.count) order by found.at)
                                  filter (where found.at <= ${MOST_VALUES}), '[]'),
               'more', greatest(0, count(*) - ${MOST_VALUES})) as told
      from (select v.value, count(*)::integer as count, row_number() over (order by count(*) desc, v.value) as at
            from gaps g cross join lateral (${valuesOf(facet, reader)}) v
            where v.value is not null and v.value <> '' and ${matchesGap(others, reader)}
            group by v.value) found`;
  });
  return sql`
    select (select count(*)::integer from gaps g where ${matchesGap(filters, reader)}) as total,
           (select coalesce(json_object_agg(facet, told), '{}') from (${counted.reduce((all, one) => sql`${all} union all ${one}`)}) all_facets) as facets`;
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

/** Gaps as rows of a list show them; `title` and `finding` are what a list of gaps is sorted by. */
export const selectGapSummaries = (filters: GapFilters, reader: GapReader): Statement => {
  const finding = readableFinding(sql`g.finding`, sql`g.standard_id`, reader.userId);
  return sql`
    select g.workspace_id, g.id, g.analysis_type, g.standard_id, g.work_product_id, g.criterion_id, g.clause,
           g.kind as type, ${statusAt(reader.now)} as status, g.change, g.effective_severity,
           g.effective_severity as severity, g.severity as severity_original, g.confidence,
           g.finding ->> 'asil' as asil, g.assignee, g.due_date::text as due_date,
           ${isOverdue(reader.now)} as overdue, g.created_at, g.updated_at,
           (select jsonb_build_object('title', f.finding -> 'title', 'said',
                     case when f.finding #> '{said,title}' is not null
                          then jsonb_build_object('title', f.finding #> '{said,title}') end)
            from (select ${finding} as finding) f) as words,
           (select jsonb_build_object('title', f.finding -> 'title') from (select ${finding} as finding) f) as finding,
           exists (select from gap_proposals p where p.workspace_id = g.workspace_id and p.gap_id = g.id
                   and p.kind = 'acceptance' and p.outcome is null) as acceptance_pending,
           (select count(*)::integer from analysis_evidence e
            where e.workspace_id = g.workspace_id and e.gap_id = g.id and e.analysis_id = ${LAST_SEEN}) as evidence_count,
           (select count(*)::integer from gap_comments c
            where c.workspace_id = g.workspace_id and c.gap_id = g.id and c.deleted_at is null) as comment_count,
           (select json_build_object('work_product_id', e.work_product_id, 'version', e.version, 'location', e.location,
                     'range', json_build_object('start', e.start_offset, 'end', e.end_offset))
            from analysis_evidence e
            where e.workspace_id = g.workspace_id and e.gap_id = g.id and e.analysis_id = ${LAST_SEEN}
            order by e.ordinal limit 1) as first_place
    from gaps g where ${matchesGap(filters, reader)}`;
};

export interface NameRow {
  readonly kind: 'people' | 'work_products' | 'standards';
  readonly id: string;
  readonly name: string;
}

/** Names of what ids mean, as far as the caller may see it. */
export const selectNames = (ids: {
  readonly people: readonly string[];
  readonly work_products: readonly string[];
  readonly standards: readonly string[];
}): Statement => sql`
  select 'people' as kind, p.id, coalesce(nullif(p.name, ''), p.email) as name
  from profiles p where p.id = any (${ids.people}::uuid[])
  union all
  select 'work_products', p.id, p.name from work_products p where p.id = any (${ids.work_products}::uuid[])
  union all
  select 'standards', t.id, t.name from standards t where t.id = any (${ids.standards}::uuid[])`;
