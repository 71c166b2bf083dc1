import type { Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';

/** Of a series, the fingerprints that decisions wait for, each with the id that the gap had where it was decided. */
export async function waitingDecisions(
  transaction: Transaction,
  { workspaceId, series }: { readonly workspaceId: string; readonly series: string },
): Promise<ReadonlyMap<string, string>> {
  const rows = await transaction.many<{ fingerprint: string; gap_id: string }>(sql`
    select fingerprint, content ->> 'gap_id' as gap_id from imported_work
    where workspace_id = ${workspaceId} and kind = 'gap_decisions' and series = ${series}`);
  return new Map(rows.map(({ fingerprint, gap_id }) => [fingerprint, gap_id]));
}

/**
 * Puts what people decided elsewhere onto the gaps that a run here has just found by itself. The note of each gap says who
 * imported it, the names of those who decided stand beside it as text, and an audit event says the same: nobody of
 * this installation has decided it.
 */
export async function takeImportedDecisions(
  transaction: Transaction,
  { workspaceId, id, series }: { readonly workspaceId: string; readonly id: string; readonly series: string },
  /** What the run found and decisions wait for; stored with the ids of `waitingDecisions`. */
  fingerprints: readonly string[],
): Promise<void> {
  if (fingerprints.length === 0) return;
  const decisions = await transaction.many<{ c: unknown; imported_by: string; imported_by_name: string }>(sql`
    delete from imported_work
    where workspace_id = ${workspaceId} and kind = 'gap_decisions' and series = ${series}
      and fingerprint = any (${fingerprints}::text[])
    returning content as c, imported_by, imported_by_name`);
  // As one value and not as a table: how many there are, the planner of fresh tables guesses too low.
  const found = sql`
    select (r.c ->> 'gap_id')::uuid as gap_id, r.* from jsonb_to_recordset(${JSON.stringify(decisions)}::jsonb)
      as r (c jsonb, imported_by uuid, imported_by_name text)`;
  await transaction.run(sql`
    update gaps g
    set status = f.c ->> 'status', resolution = f.c ->> 'resolution', assignee = (f.c ->> 'assignee')::uuid,
        due_date = (f.c ->> 'due_date')::date, reason = f.c ->> 'reason',
        accepted_until = (f.c ->> 'accepted_until')::timestamptz, waiver_owner = (f.c ->> 'waiver_owner')::uuid,
        accepted_by = case when f.c -> 'accepted_by' <> 'null'
                           then array(select jsonb_array_elements_text(f.c -> 'accepted_by')::uuid) end,
        accepted_at = (f.c ->> 'accepted_at')::timestamptz, severity_override = f.c ->> 'severity_override',
        severity_reason = f.c ->> 'severity_reason', severity_by = (f.c ->> 'severity_by')::uuid,
        severity_at = (f.c ->> 'severity_at')::timestamptz, decision_bases = coalesce(nullif(f.c -> 'bases', 'null'), '{}'),
        note = left('Imported from an archive by '
                    || f.imported_by_name
                    || coalesce('; there it was decided by '
                    || (select string_agg(n.name, ', ' order by n.name) from imported_people n
                        where n.workspace_id = g.workspace_id
                          and n.id::text in (select jsonb_array_elements_text(case when f.c -> 'accepted_by' <> 'null'
                                               then f.c -> 'accepted_by' else '[]' end)
                                             union all select f.c ->> 'severity_by')), '') || '.', 2000)
    from (${found}) f
    where g.workspace_id = ${workspaceId} and g.id = f.gap_id`);
  await transaction.run(sql`
    insert into comments (workspace_id, gap_id, author_id, text, created_at, deleted_at)
    select ${workspaceId}, f.gap_id, (said ->> 'author')::uuid, said ->> 'text', (said ->> 'created_at')::timestamptz,
           (said ->> 'deleted_at')::timestamptz
    from (${found}) f, jsonb_array_elements(f.c -> 'comments') as said`);
  await transaction.run(sql`
    insert into gap_proposals (workspace_id, gap_id, kind, severity, accepted_until, waiver_owner, reason, proposed_by,
                               created_at)
    select ${workspaceId}, f.gap_id, p ->> 'kind', p ->> 'severity', (p ->> 'accepted_until')::timestamptz,
           (p ->> 'waiver_owner')::uuid, p ->> 'reason', (p ->> 'proposed_by')::uuid, (p ->> 'created_at')::timestamptz
    from (${found}) f, jsonb_array_elements(f.c -> 'proposals') as p`);
  await transaction.run(sql`
    insert into audit_events (workspace_id, action, target_type, target_id, after)
    select ${workspaceId}, 'gap.decision_imported', 'gap', f.gap_id,
           jsonb_build_object('imported_by', f.imported_by, 'status', f.c -> 'status', 'resolution', f.c -> 'resolution',
                              'severity', f.c -> 'severity_override', 'analysis_id', ${id}::uuid)
    from (${found}) f order by f.gap_id`);
}
