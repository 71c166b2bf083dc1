import { recordAudits } from '../../platform/audit/audit.js';
import type { Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import type { Dependencies } from '../../platform/dependencies.js';
import { timestampOrNull } from '../../platform/http/schemas.js';
import { announceAll } from '../webhooks/announce.js';
import { endAcceptancesJob, LONGEST_WAIT_SECONDS } from './acceptances.jobs.js';
import { bindDecisions } from './bind-decisions.js';
import type { GapDecision } from './gap-decisions.js';
import type { GapState } from './gaps.repository.js';

interface By {
  /** Null: the service itself. */
  readonly userId: string | null;
  readonly requestId?: string | undefined;
  readonly now: Date;
}

/**
 * Writes what was decided about locked gaps of one workspace, with its audit events, and tells those who watch: a fixed
 * number of statements for any number of gaps.
 */
export async function storeDecisions(
  tools: Pick<Dependencies, 'queue' | 'configuration'>,
  transaction: Transaction,
  { workspaceId, decisions, by }: { workspaceId: string; decisions: readonly GapDecision[]; by: By },
): Promise<void> {
  if (decisions.length === 0) return;
  await storeStates(transaction, workspaceId, decisions);
  await storeProposals(transaction, { workspaceId, decisions, by });
  await bindDecisions(transaction, workspaceId, decisions);
  await recordAudits(
    transaction,
    decisions.map(({ row, after, action, reason, proposes }) => ({
      workspaceId,
      targetType: 'gap',
      targetId: row.id,
      action,
      actorId: by.userId,
      reason,
      before: told(row, row),
      after: { ...told(row, after), ...(proposes ? { proposal: withoutReason(proposes) } : {}) },
      requestId: by.requestId,
    })),
  );
  const changed = {
    gap_ids: decisions.map(({ row }) => row.id),
    actions: [...new Set(decisions.map(({ action }) => action))],
  };
  await transaction.run(
    sql`select app.add_event(${workspaceId}, null, 'gaps_changed', ${JSON.stringify(changed)}::jsonb)`,
  );
  await announceAll(
    tools,
    transaction,
    decisions
      .filter(({ row, after }) => row.status !== after.status)
      .map(({ row, after }) => ({
        workspaceId,
        type: 'gap.status_changed' as const,
        data: { gap_id: row.id, analysis_id: row.last_analysis_id, from: row.status, to: after.status },
        path: `/api/v1/analysis/gaps/${row.id}`,
      })),
  );
  const ends = new Set(
    decisions.flatMap(({ row, after }) => {
      const until = timestampOrNull(after.accepted_until);
      return until === null || until === timestampOrNull(row.accepted_until) ? [] : [until];
    }),
  );
  for (const until of ends) await endAcceptancesAt(tools, transaction, { workspaceId, until, now: by.now });
}

/** Has the acceptances of a workspace looked at when one of them ends. */
export async function endAcceptancesAt(
  { queue }: Pick<Dependencies, 'queue'>,
  transaction: Transaction,
  { workspaceId, until, now }: { workspaceId: string; until: string; now: Date },
): Promise<void> {
  const seconds = Math.ceil((new Date(until).getTime() - now.getTime()) / 1000);
  const afterSeconds = Math.min(Math.max(seconds, 1), LONGEST_WAIT_SECONDS);
  await queue.enqueue(transaction, endAcceptancesJob, { workspaceId, until }, { afterSeconds });
}

/** A state as the audit log and the history tell it. */
function told(row: GapDecision['row'], state: GapState): Readonly<Record<string, unknown>> {
  return {
    status: state.status,
    resolution: state.resolution,
    assignee: state.assignee,
    due_date: state.due_date,
    accepted_until: timestampOrNull(state.accepted_until),
    owner: state.waiver_owner,
    accepted_by: state.accepted_by,
    severity: state.severity_override ?? row.finding.severity,
  };
}

const withoutReason = ({
  reason: _,
  waiver_owner: owner,
  ...proposal
}: NonNullable<GapDecision['proposes']>) => ({
  ...proposal,
  owner,
});

async function storeStates(
  transaction: Transaction,
  workspaceId: string,
  decisions: readonly GapDecision[],
): Promise<void> {
  const rows = decisions.map(({ row, after }) => {
    const { status, resolution, assignee, due_date, reason, note, accepted_until, waiver_owner } = after;
    const { accepted_by, accepted_at, severity_override, severity_reason, severity_by, severity_at } = after;
    return {
      id: row.id,
      ...{ status, resolution, assignee, due_date, reason, note, accepted_until, waiver_owner, accepted_by },
      ...{ accepted_at, severity_override, severity_reason, severity_by, severity_at },
    };
  });
  await transaction.run(sql`
    update gaps g
    set status = r.status, resolution = r.resolution, assignee = r.assignee, due_date = r.due_date, reason = r.reason,
        note = r.note, accepted_until = r.accepted_until, waiver_owner = r.waiver_owner, accepted_by = r.accepted_by,
        accepted_at = r.accepted_at, severity_override = r.severity_override, severity_reason = r.severity_reason,
        severity_by = r.severity_by, severity_at = r.severity_at
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as r (id uuid, status text, resolution text, assignee uuid, due_date date, reason text, note text,
            accepted_until timestamptz, waiver_owner uuid, accepted_by uuid[], accepted_at timestamptz,
            severity_override text, severity_reason text, severity_by uuid, severity_at timestamptz)
    where g.workspace_id = ${workspaceId} and g.id = r.id`);
}

async function storeProposals(
  transaction: Transaction,
  { workspaceId, decisions, by }: { workspaceId: string; decisions: readonly GapDecision[]; by: By },
): Promise<void> {
  const settled = decisions.flatMap(({ settles }) =>
    settles.map(({ proposal, outcome }) => ({ id: proposal.id, outcome })),
  );
  if (settled.length > 0) {
    await transaction.run(sql`
      update gap_proposals p set outcome = r.outcome, decided_at = now()
      from jsonb_to_recordset(${JSON.stringify(settled)}::jsonb) as r (id uuid, outcome text)
      where p.workspace_id = ${workspaceId} and p.id = r.id and p.outcome is null`);
  }
  const proposed = decisions.flatMap(({ row, proposes }) =>
    proposes ? [{ gap_id: row.id, ...proposes }] : [],
  );
  if (proposed.length === 0) return;
  await transaction.run(sql`
    insert into gap_proposals (workspace_id, gap_id, kind, severity, accepted_until, waiver_owner, reason, proposed_by)
    select ${workspaceId}, r.gap_id, r.kind, r.severity, r.accepted_until, r.waiver_owner, r.reason, ${by.userId}::uuid
    from jsonb_to_recordset(${JSON.stringify(proposed)}::jsonb)
      as r (gap_id uuid, kind text, severity text, accepted_until timestamptz, waiver_owner uuid, reason text)`);
}
