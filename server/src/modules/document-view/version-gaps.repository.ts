import type { Location } from '@normtrace/engine';
import type { Statement } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import { evidenceOfGap } from '../gaps/gap-evidence.repository.js';
import { type GapReader, type StoredFinding, severityKey } from '../gaps/gaps.repository.js';
import { selectCompared } from '../runs/compare-runs.repository.js';
import type { VersionGap, VersionGaps } from './version-gaps.schemas.js';

/** Gaps of each kind that an answer has for two runs. */
export const MOST_OF_A_KIND = 100;

interface Versions {
  readonly workspaceId: string;
  readonly workProductId: string;
  readonly base: number;
  readonly head: number;
}

export type RunPair = VersionGaps['runs'][number];

/**
 * Of each series of runs the newest one that read the older version and the newest one that read the newer one, and how many
 * other documents the two read otherwise.
 */
export const selectRunPairs = ({ workspaceId, workProductId, base, head }: Versions): Statement => sql`
  with reading as (
    select distinct on (a.series, i.version) a.series, a.id, a.type, a.standard_id, i.version, a.finished_at
    from analysis_inputs i
    join analyses a on a.workspace_id = i.workspace_id and a.id = i.analysis_id
    where i.workspace_id = ${workspaceId} and i.work_product_id = ${workProductId}
      and i.version in (${base}::integer, ${head}::integer) and a.status = 'completed'
    order by a.series, i.version, a.finished_at desc, a.id desc)
  select b.type as analysis_type, b.standard_id, b.id as base, h.id as head,
         (select count(*)::integer
          from (select work_product_id, version from analysis_inputs
                where workspace_id = ${workspaceId} and analysis_id = b.id) x
          full join (select work_product_id, version from analysis_inputs
                     where workspace_id = ${workspaceId} and analysis_id = h.id) y using (work_product_id)
          where work_product_id <> ${workProductId} and x.version is distinct from y.version) as others_changed
  from reading b join reading h on h.series = b.series
  where b.version = ${base} and h.version = ${head}
  order by b.type, b.series`;

type Kind = 'gone' | 'new' | 'moved' | 'same' | 'not_compared';

export interface VersionGapsRow {
  readonly kind: Kind;
  readonly count: number;
  /** Gravest first. */
  readonly items: readonly (Omit<VersionGap, 'gap_id' | 'title' | 'base' | 'head'> & {
    readonly id: string;
    readonly finding: StoredFinding;
    readonly base_place: PlaceRow | null;
    readonly head_place: PlaceRow | null;
  })[];
}
interface PlaceRow {
  readonly location: Location;
  readonly start: number;
  readonly end: number;
}

/**
 * What two runs found differently that has to do with a document: gaps that are about it, were searched in it or quote it, by
 * what became of them. One that both found has moved where its first quote in the document stands elsewhere.
 */
export function selectVersionGaps(
  runs: Pick<RunPair, 'base' | 'head'>,
  { workspaceId, workProductId }: Versions,
  reader: GapReader,
): Statement {
  const placeIn = (run: string): Statement => sql`
    (select jsonb_build_object('location', e.location, 'start', e.start_offset, 'end', e.end_offset)
     from ${evidenceOfGap(sql`${run}::uuid`)}
     where e.work_product_id = ${workProductId}
     order by e.ordinal limit 1)`;
  const { by: rank } = severityKey(sql`severity`);
  return sql`
    with compared as (
      select c.*, ${placeIn(runs.base)} as base_place, ${placeIn(runs.head)} as head_place
      from (${selectCompared(runs, reader)}) c
      join gaps g on g.workspace_id = ${workspaceId} and g.id = c.id
      where (g.workspace_id, g.documents) in (
        select d.workspace_id, d.key from gap_documents d
        where d.workspace_id = ${workspaceId} and ${workProductId}::uuid = any (d.work_product_ids))),
    known as (
      select *, case when change = 'absent' then 'gone'
                     when change in ('new', 'not_compared') then change
                     when base_place - 'location' <> head_place - 'location' then 'moved' else 'same' end as kind
      from compared),
    numbered as (
      select *, row_number() over (partition by kind order by ${rank} desc, id) as at from known)
    select kind, count(*)::integer as count,
           coalesce(jsonb_agg(jsonb_build_object(
             'id', id, 'criterion_id', criterion_id, 'clause', clause, 'status', status, 'severity', severity,
             'finding', coalesce(head, base), 'base_place', base_place, 'head_place', head_place) order by at)
             filter (where at <= ${MOST_OF_A_KIND} and kind in ('gone', 'new', 'moved')), '[]') as items
    from numbered group by kind`;
}
