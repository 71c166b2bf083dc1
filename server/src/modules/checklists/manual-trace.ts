import type { Artifact, TraceLink } from '@normtrace/engine';
import type { Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';

/** Artifacts and links that people added: they count beside those that the documents of a run state. */
export async function findManualTrace(
  transaction: Transaction,
  workspaceId: string,
): Promise<{ readonly artifacts: readonly Artifact[]; readonly links: readonly TraceLink[] }> {
  const artifacts = await transaction.many<{ artifact: Artifact }>(sql`
    select coalesce(facts, '{}') || jsonb_strip_nulls(jsonb_build_object(
             'id', artifact_id, 'type', type, 'text', text, 'name', name, 'status', status, 'asil', asil)) as artifact
    from artifacts where workspace_id = ${workspaceId} and origin = 'manual' order by ordinal`);
  const links = await transaction.many<TraceLink>(sql`
    select source_id as "sourceId", target_id as "targetId", link_type as type
    from trace_links where workspace_id = ${workspaceId} and origin = 'manual' and not rejected order by ordinal`);
  return { artifacts: artifacts.map(({ artifact }) => artifact), links };
}
