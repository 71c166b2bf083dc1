import type { Location } from '@normtrace/engine';
import type { Statement } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import type { Placed, TraceColumns } from '../engine/examine-trace-task.js';
import { BETWEEN } from '../engine/trace-columns.js';
import type { ExtractionRow } from './extraction.repository.js';

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

/** A column of rows as one text. */
const column = (value: Statement): Statement =>
  sql`string_agg(${value}, ${BETWEEN}::text order by ordinal, id)`;

/**
 * Everything that the examination of a trace needs, in one row: hundreds of thousands of rows would take the driver
 * longer than the whole examination. No row when the workspace is not visible. `texts`: with what the matrix shows.
 */
export const selectTrace = (workspaceId: string, { texts }: { readonly texts: boolean }): Statement => sql`
  with manual as materialized (
    select artifact_id from artifacts where workspace_id = ${workspaceId} and origin = 'manual'
  )
  select ${extractionJson(workspaceId)} as extraction, a.*, l.*
  from workspaces w
  cross join (
    select ${column(sql`artifact_id`)} as artifact_ids, ${column(sql`type`)} as types,
           ${column(sql`coalesce(asil, '')`)} as asils, ${column(sql`coalesce(status, '')`)} as statuses,
           ${column(facts)} as facts
           ${texts ? sql`, ${column(sql`text`)} as texts, ${column(sql`coalesce(name, '')`)} as names` : sql``}
    from artifacts where workspace_id = ${workspaceId}
  ) a
  cross join (
    select ${column(sql`source_id`)} as source_ids, ${column(sql`target_id`)} as target_ids,
           ${column(sql`link_type`)} as link_types, ${column(sql`stated_at`)} as stated_at
    from trace_links where workspace_id = ${workspaceId} and not rejected
  ) l
  where w.id = ${workspaceId}`;

/** Texts are compared where an id is stated more than once, by the documents or by a person too. */
const facts = sql`
  case when statements is null and not artifact_id = any (array(select artifact_id from manual))
       then coalesce(facts::text, '')
       else (coalesce(facts, '{}') || jsonb_strip_nulls(jsonb_build_object(
              'text', text, 'told_type', told_type, 'statements', statements)))::text end`;

export const extractionJson = (workspaceId: string): Statement => sql`
  (select json_build_object('status', e.status, 'revision', e.revision, 'extracted_at', e.extracted_at,
          'documents', e.documents, 'artifacts', e.artifacts, 'links', e.links,
          'engine_version', e.engine_version, 'error', e.error)
   from trace_extractions e where e.workspace_id = ${workspaceId})`;

/** Where something stands. */
export interface PlaceRow {
  readonly work_product_id: string;
  readonly version: number;
  readonly location: Location;
  readonly quote: string;
  readonly start: number;
  readonly end: number;
}

export interface PlacesRow {
  /** Of the trace that the places are from. */
  readonly revision: number;
  /** In the order asked for. */
  readonly places: readonly (PlaceRow | null)[];
}

/**
 * Places of artifacts (with `level`, where their integrity level stands) and links; null for what people added and for
 * what is not there any more.
 */
export function selectPlaces(workspaceId: string, wanted: readonly Placed[]): Statement {
  const asked = wanted.map((one, at) =>
    'artifactId' in one
      ? { at, artifact: one.artifactId, level: one.level }
      : { at, source: one.sourceId, type: one.linkType, target: one.targetId },
  );
  return sql`
    with asked as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb)
        as w (at integer, artifact text, level boolean, source text, type text, target text)
    ), found as (
      select w.at, json_build_object('work_product_id', a.work_product_id, 'version', a.version,
               'location', coalesce(p.place -> 'location', a.location), 'quote', coalesce(p.place ->> 'quote', a.quote),
               'start', coalesce((p.place ->> 'start')::integer, a.start_offset),
               'end', coalesce((p.place ->> 'end')::integer, a.end_offset)) as place
      from asked w
      join artifacts a on a.workspace_id = ${workspaceId} and a.artifact_id = w.artifact and a.origin = 'document'
      cross join lateral (select case when w.level then a.asil_place end as place) p
      union all
      select w.at, json_build_object('work_product_id', l.work_product_id, 'version', l.version,
               'location', l.location, 'quote', l.quote, 'start', l.start_offset, 'end', l.end_offset)
      from asked w
      join trace_links l on l.workspace_id = ${workspaceId} and l.source_id = w.source and l.target_id = w.target
                        and l.link_type = w.type and l.origin = 'document'
    )
    select coalesce((select revision from trace_extractions where workspace_id = ${workspaceId}), 0)::integer as revision,
           coalesce((select json_agg(f.place order by w.at) from asked w left join found f using (at)), '[]') as places`;
}
