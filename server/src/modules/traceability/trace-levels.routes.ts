import { z } from 'zod';
import type { Statement } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import { notFound } from '../../platform/http/api-error.js';
import { type Route, readRoute } from '../../platform/http/route.js';

import { ArtifactType as ArtifactTypeSchema } from './artifacts.schemas.js';
import { workspaceId } from './examples.js';
import { revisionOf, type TraceView } from './kept-views.js';
import { LinkType as LinkTypeSchema } from './links.schemas.js';
import { madeView } from './made-views.js';
import { packRows } from './packed-rows.js';
import { extractionJson, type StoredExtraction } from './trace.repository.js';
import { type LevelCounts, selectLevels } from './trace-levels.repository.js';
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

/** Of a revision of the trace: without confirmations, which raise none. */
interface LevelsView extends TraceView {
  readonly counts: LevelCounts;
}

/** What confirmations change of a path. */
interface ConfirmedPath extends Pick<LevelCounts['paths'][number], 'from' | 'to' | 'link_type' | 'suspect'> {
  /** Links that nothing states, which somebody confirmed. */
  readonly assumed: number;
}

interface ConfirmedRow {
  readonly extraction: StoredExtraction | null;
  readonly confirmed: readonly ConfirmedPath[];
}

/** How often counts and confirmations are read again until they are of one state of the trace. */
const ATTEMPTS = 5;

/** What an end says: what documents say of an artifact counts before what people added. */
const endOf = (workspace: string, id: Statement): Statement => sql`
  (select type, content_hash from artifacts where workspace_id = ${workspace} and artifact_id = ${id}
   order by origin limit 1)`;

/** By path, of the links that were confirmed, which are looked up one by one: few of all. */
const selectConfirmed = (workspace: string): Statement => sql`
  select ${extractionJson(workspace)} as extraction,
         (select coalesce(json_agg(c), '[]') from (${confirmedPaths(workspace)}) c) as confirmed
  from workspaces w where w.id = ${workspace}`;

const confirmedPaths = (workspace: string): Statement => sql`
  select s.type as "from", t.type as "to", r.link_type,
         count(*) filter (where r.source_hash is distinct from s.content_hash
                             or r.target_hash is distinct from t.content_hash)::integer as suspect,
         count(*) filter (where l.assumed is not null)::integer as assumed
  from trace_link_reviews r
  cross join lateral (
    select assumed from trace_links
    where workspace_id = ${workspace} and source_id = r.source_id and link_type = r.link_type and target_id = r.target_id
      and not rejected
    offset 0
  ) l
  cross join lateral ${endOf(workspace, sql`r.source_id`)} s
  cross join lateral ${endOf(workspace, sql`r.target_id`)} t
  where r.workspace_id = ${workspace} and r.verdict = 'confirmed'
  group by 1, 2, 3`;

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
    for (let attempt = 1; ; attempt++) {
      const { view } = await viewNow<LevelsView>(context, {
        workspaceId,
        what: 'levels',
        make: async () => {
          const stored = await madeView(context, workspaceId, 'levels');
          if (stored) return { extraction: stored.extraction, counts: stored.made, rows: packRows([]) };
          const [row] = await read<LevelCounts & { readonly extraction: StoredExtraction | null }>(
            selectLevels(workspaceId),
          );
          if (!row) throw notFound('workspace');
          const { extraction, ...counts } = row;
          return { extraction, counts, rows: packRows([]) };
        },
      });
      const [now] = await read<ConfirmedRow>(selectConfirmed(workspaceId));
      if (!now) throw notFound('workspace');
      // The trace became another one in between: both are read again.
      if (attempt < ATTEMPTS && revisionOf(now.extraction) !== revisionOf(view.extraction)) continue;
      const { counts } = view;
      return { ...counts, paths: counts.paths.map((path) => withConfirmed(path, now.confirmed)) };
    }
  },
});

/** A link that was confirmed is assumed no more, and suspect when an end changed since. */
function withConfirmed(
  path: LevelCounts['paths'][number],
  confirmed: readonly ConfirmedPath[],
): LevelCounts['paths'][number] {
  const of = confirmed.find(
    ({ from, to, link_type }) => from === path.from && to === path.to && link_type === path.link_type,
  );
  return of ? { ...path, suspect: of.suspect, assumed: path.assumed - of.assumed } : path;
}

export const traceLevelRoutes: readonly Route[] = [getLevels];
