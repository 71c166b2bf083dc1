import type { Statement } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import type { ExtractionRow } from './extraction.repository.js';
import { isAssumed } from './links.repository.js';
import type { TraceColumns } from './read-trace.js';
import { BETWEEN } from './trace-columns.js';
import type { AskedPlaces, FoundPlaces } from './trace-places.js';

/** The trace of a workspace with how far it is. */
export interface TraceRow extends TraceColumns {
  /** Null while nothing was ever extracted or added. */
  readonly extraction: StoredExtraction | null;
}

export type StoredExtraction = Pick<
  ExtractionRow,
  'status' | 'documents' | 'artifacts' | 'links' | 'engine_version' | 'error'
> & {
  readonly revision: number;
  readonly extracted_at: string | null;
};

/** A column of rows as one text, in no order: `packed` tells it. */
const column = (value: Statement): Statement => sql`string_agg(${value}, ${BETWEEN}::text)`;

/**
 * Everything that the examination of a trace needs, in one row: hundreds of thousands of rows would take the driver
 * longer than the whole examination. No row when the workspace is not visible. `texts`: with what the matrix shows.
 */
export const selectTrace = (workspaceId: string, { texts }: { readonly texts: boolean }): Statement => sql`
  select ${extractionJson(workspaceId)} as extraction, a.*, l.*
  from workspaces w
  cross join (${artifactColumns(workspaceId, texts)}) a
  cross join (${linkColumns(workspaceId)}) l
  where w.id = ${workspaceId}`;

/**
 * The same in two statements, which the database answers side by side on two connections. Both tell the revision: they belong
 * together when it is the same.
 */
export const selectHalves = (
  workspaceId: string,
  { texts }: { readonly texts: boolean },
): readonly [artifacts: Statement, links: Statement] => [
  sql`select ${extractionJson(workspaceId)} as extraction, a.*
      from workspaces w cross join (${artifactColumns(workspaceId, texts)}) a where w.id = ${workspaceId}`,
  sql`select ${extractionJson(workspaceId)} as extraction, l.*
      from workspaces w cross join (${linkColumns(workspaceId)}) l where w.id = ${workspaceId}`,
];

const artifactColumns = (workspaceId: string, texts: boolean): Statement => sql`
  with twice as materialized (${statedByBoth(workspaceId)})
  select string_agg(packed, ''::bytea) as artifacts, ${column(sql`artifact_id`)} as artifact_ids,
         ${column(sql`coalesce(asil, '')`)} as asils, ${column(sql`coalesce(status, '')`)} as statuses,
         ${column(FACTS)} as facts
         ${texts ? sql`, ${column(sql`text`)} as texts, ${column(sql`coalesce(name, '')`)} as names` : sql``}
  from artifacts where workspace_id = ${workspaceId}`;

const linkColumns = (workspaceId: string): Statement => sql`
  select string_agg(packed, ''::bytea) as links,
         string_agg(concat_ws(${BETWEEN}, ordinal, source_id, target_id), ${BETWEEN}::text)
           filter (where source_ordinal is null or target_ordinal is null) as named_links,
         count(*) filter (where ${isAssumed})::integer as assumed_links
  from trace_links l where workspace_id = ${workspaceId} and not rejected`;

/**
 * Ids that documents state and that a person added, too. Grouped, where a person added any: joined, it would take the square of
 * the artifacts as long as the planner knows nothing of the table.
 */
const statedByBoth = (workspaceId: string): Statement => sql`
  select artifact_id from artifacts
  where workspace_id = ${workspaceId}
    and exists (select from artifacts m where m.workspace_id = ${workspaceId} and m.origin = 'manual')
  group by artifact_id having bool_or(origin = 'manual') and bool_or(origin = 'document')`;

/** Texts are compared where an id is stated more than once, by the documents or by a person too. */
const FACTS = sql`
  case when statements is null and artifact_id not in (select t.artifact_id from twice t)
       then coalesce(facts::text, '')
       else (coalesce(facts, '{}') || jsonb_strip_nulls(jsonb_build_object(
              'text', text, 'told_type', told_type, 'statements', statements)))::text end`;

export const extractionJson = (workspaceId: string): Statement => sql`
  (select json_build_object('status', e.status, 'revision', e.revision, 'extracted_at', e.extracted_at,
          'documents', e.documents, 'artifacts', e.artifacts, 'links', e.links,
          'engine_version', e.engine_version, 'error', e.error)
   from trace_extractions e where e.workspace_id = ${workspaceId})`;

/** How far the trace of a visible workspace is. */
export const selectTraceState = (workspaceId: string): Statement => sql`
  select ${extractionJson(workspaceId)} as extraction from workspaces w where w.id = ${workspaceId}`;

export interface PlacesRow extends FoundPlaces {
  /** Of the trace that the places are from. */
  readonly revision: number;
}

/**
 * Places of artifacts (or of their integrity levels) and links; null for what people added and for what is not there any
 * more. As text: who asked reads it.
 */
export const selectPlaces = (workspaceId: string, { ids, kinds }: AskedPlaces): Statement =>
  // Each row by its key: right after an extraction the planner knows nothing of the tables yet.
  sql`
    select coalesce((select revision from trace_extractions where workspace_id = ${workspaceId}), 0)::integer as revision,
           (select coalesce(json_object_agg(work_product_id, version), '{}') from traced_documents
            where workspace_id = ${workspaceId}) as versions,
           coalesce(json_agg(p.place order by w.at)::text, '[]') as places
    from rows from (unnest(string_to_array(${ids}, ${BETWEEN}::text)::uuid[], string_to_array(${kinds}, ${BETWEEN}::text)))
      with ordinality as w (id, kind, at)
    left join lateral (
      (select json_build_array(a.work_product_id, coalesce(l.place -> 'location', a.location), coalesce(l.place ->> 'quote', a.quote),
                coalesce((l.place ->> 'start')::integer, a.start_offset),
                coalesce((l.place ->> 'end')::integer, a.end_offset)) as place
       from artifacts a
       cross join lateral (select case when w.kind = 'level' then a.asil_place end as place) l
       where a.workspace_id = ${workspaceId} and a.id = w.id and w.kind <> 'link'
       limit 1)
      union all
      (select json_build_array(work_product_id, location, quote, start_offset, end_offset)
       from trace_links where workspace_id = ${workspaceId} and id = w.id and w.kind = 'link'
       limit 1)
    ) p on true`;
