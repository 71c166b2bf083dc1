import type { ArtifactType, LinkType } from '@normtrace/engine';
import type { Statement } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import { extractionJson, type StoredExtraction } from './trace.repository.js';

/** What stands in the trace, by type, and what goes between, as if nothing were confirmed. */
export interface LevelCounts {
  readonly levels: readonly {
    readonly type: ArtifactType;
    readonly count: number;
    readonly by_integrity: Readonly<Record<string, number>>;
    readonly unlinked: number;
  }[];
  readonly paths: readonly {
    readonly from: ArtifactType;
    readonly to: ArtifactType;
    readonly link_type: LinkType;
    readonly links: number;
    readonly sources: number;
    readonly targets: number;
    readonly suspect: number;
    readonly assumed: number;
  }[];
  readonly dangling: number;
}

export interface AssumedRow {
  readonly extraction: StoredExtraction | null;
  /** Four bytes each, null where there are none. */
  readonly assumed: Uint8Array | null;
}

/** Ordinals of the links of a visible workspace that nothing states, as if nothing were confirmed. */
export const selectAssumed = (workspace: string): Statement => sql`
  select ${extractionJson(workspace)} as extraction,
         (select string_agg(int4send(ordinal), ''::bytea) from trace_links
          where workspace_id = ${workspace} and assumed is not null and not rejected) as assumed
  from workspaces w where w.id = ${workspace}`;

/** One row for a workspace that is seen, as if nothing were confirmed. Of a large trace `countLevels` counts the same. */
export const selectLevels = (workspace: string): Statement => sql`
  with known as materialized (
    select distinct on (artifact_id) artifact_id, type, asil
    from artifacts where workspace_id = ${workspace} order by artifact_id, origin
  ), links as materialized (
    select l.source_id, l.target_id, l.link_type, s.type as from_type, t.type as to_type,
           l.assumed is not null as assumed
    from trace_links l
    left join known s on s.artifact_id = l.source_id
    left join known t on t.artifact_id = l.target_id
    where l.workspace_id = ${workspace} and not l.rejected
  ), linked as materialized (
    select source_id as artifact_id from links union select target_id from links
  )
  select ${extractionJson(workspace)} as extraction,
         (select coalesce(json_agg(c order by c.count desc, c.type), '[]') from (
            select k.type, count(*)::integer as count, count(*) filter (where n.artifact_id is null)::integer as unlinked,
                   (select coalesce(json_object_agg(i.asil, i.count), '{}') from (
                      select o.asil, count(*)::integer as count from known o
                      where o.type = k.type and o.asil is not null group by o.asil) i) as by_integrity
            from known k left join linked n on n.artifact_id = k.artifact_id group by k.type) c) as levels,
         (select coalesce(json_agg(p order by p.links desc, p.from, p.to, p.link_type), '[]') from (
            select from_type as "from", to_type as "to", link_type, count(*)::integer as links,
                   count(distinct source_id)::integer as sources, count(distinct target_id)::integer as targets,
                   0 as suspect, count(*) filter (where assumed)::integer as assumed
            from links where from_type is not null and to_type is not null group by 1, 2, 3) p) as paths,
         (select count(*)::integer from links where from_type is null or to_type is null) as dangling
  from workspaces w where w.id = ${workspace}`;
