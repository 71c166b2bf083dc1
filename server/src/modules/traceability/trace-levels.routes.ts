import type { ArtifactType, LinkType } from '@normtrace/engine';
import { z } from 'zod';
import type { Statement } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import { notFound } from '../../platform/http/api-error.js';
import { type Route, readRoute } from '../../platform/http/route.js';

import { ArtifactType as ArtifactTypeSchema } from './artifacts.schemas.js';
import { workspaceId } from './examples.js';
import type { TraceView } from './kept-views.js';
import { LinkType as LinkTypeSchema } from './links.schemas.js';
import { packRows } from './packed-rows.js';
import { extractionJson, type StoredExtraction } from './trace.repository.js';
import { ExtractionQuery } from './trace-views.schemas.js';
import { viewNow } from './view-now.js';

/** Counts of the stored trace by what stands in it: the levels of the V-model and what goes between them. */
const TraceLevels = z
  .object({
    levels: z
      .array(
        z.object({
          type: ArtifactTypeSchema,
          count: z.int().meta({ description: 'Artifacts of it; one with several statements counts once.' }),
          by_integrity: z.record(z.string(), z.int()).meta({
            description: 'Of those that state one: ASIL as written, such as `B(D)`.',
          }),
          unlinked: z.int().meta({ description: 'Those that no link names.' }),
        }),
      )
      .meta({ description: 'Types that there are, the most frequent first.' }),
    paths: z
      .array(
        z.object({
          from: ArtifactTypeSchema.meta({ description: 'Type of the sources.' }),
          to: ArtifactTypeSchema.meta({ description: 'Type of the targets.' }),
          link_type: LinkTypeSchema,
          links: z.int().meta({ description: 'Links that are not rejected and have both ends.' }),
          sources: z.int().meta({ description: 'Different artifacts that they start from.' }),
          targets: z.int().meta({ description: 'Different artifacts that they lead to.' }),
          suspect: z.int().meta({ description: 'Links an end of which changed since they were confirmed.' }),
          assumed: z.int().meta({ description: 'Links that nothing states and nobody confirmed yet.' }),
        }),
      )
      .meta({ description: 'What goes between two types, the most frequent first.' }),
    dangling: z.int().meta({ description: 'Links with an end that nothing defines.' }),
  })
  .meta({ id: 'TraceLevels', description: 'What stands in the trace, by type, and what goes between.' });

interface LevelsView extends TraceView {
  readonly counts: Omit<LevelsRow, 'extraction'>;
}

interface LevelsRow {
  readonly extraction: StoredExtraction | null;
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

/** Which confirmations there are: they make links suspect, and raise no revision of the trace. */
const selectReviewState = (workspace: string): Statement => sql`
  select concat_ws(' ', count(*), max(reviewed_at)) as state from trace_link_reviews where workspace_id = ${workspace}`;

/** One row for a workspace that is seen. What documents say of an artifact counts before what people added. */
const selectLevels = (workspace: string): Statement => sql`
  with known as materialized (
    select distinct on (artifact_id) artifact_id, type, asil, content_hash
    from artifacts where workspace_id = ${workspace} order by artifact_id, origin
  ), links as materialized (
    select l.source_id, l.target_id, l.link_type, s.type as from_type, t.type as to_type,
           coalesce(r.source_hash is distinct from s.content_hash or r.target_hash is distinct from t.content_hash, false)
             and r.verdict is not null as suspect,
           l.assumed is not null and r.verdict is null as assumed
    from trace_links l
    left join known s on s.artifact_id = l.source_id
    left join known t on t.artifact_id = l.target_id
    left join trace_link_reviews r on r.workspace_id = l.workspace_id and r.source_id = l.source_id
      and r.link_type = l.link_type and r.target_id = l.target_id and r.verdict = 'confirmed'
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
                   count(*) filter (where suspect)::integer as suspect,
                   count(*) filter (where assumed)::integer as assumed
            from links where from_type is not null and to_type is not null group by 1, 2, 3) p) as paths,
         (select count(*)::integer from links where from_type is null or to_type is null) as dangling
  from workspaces w where w.id = ${workspace}`;

const getLevels = readRoute({
  operation: 'getTraceLevels',
  method: 'GET',
  path: '/traceability/levels',
  tag: 'Traceability',
  summary: 'Count what stands in the trace',
  description:
    'How many artifacts of each type there are, by integrity level, and how many links go between two types: the picture of the ' +
    'V-model. What of it is owed and not met is told by `GET /traceability/completeness`.',
  permission: 'analyses.read',
  within: ({ query }) => query.workspace_id,
  resource: 'workspace',
  query: ExtractionQuery,
  answer: TraceLevels,
  examples: {
    query: { workspace_id: workspaceId },
    answer: {
      levels: [
        { type: 'functional_safety_requirement', count: 42, by_integrity: { D: 12, B: 9 }, unlinked: 3 },
        { type: 'safety_goal', count: 9, by_integrity: { D: 4 }, unlinked: 0 },
      ],
      paths: [
        {
          from: 'functional_safety_requirement',
          to: 'safety_goal',
          link_type: 'derives_from',
          links: 44,
          sources: 39,
          targets: 9,
          suspect: 3,
          assumed: 4,
        },
      ],
      dangling: 1,
    },
  },
  handle: async (context) => {
    const { read } = context;
    const { workspace_id: workspaceId } = context.query;
    const [reviews] = await read<{ state: string }>(selectReviewState(workspaceId));
    const { view } = await viewNow<LevelsView>(context, {
      workspaceId,
      what: ['levels', reviews?.state],
      make: async () => {
        const [row] = await read<LevelsRow>(selectLevels(workspaceId));
        if (!row) throw notFound('workspace');
        const { extraction, ...counts } = row;
        return { extraction, counts, rows: packRows([]) };
      },
    });
    return view.counts;
  },
});

export const traceLevelRoutes: readonly Route[] = [getLevels];
