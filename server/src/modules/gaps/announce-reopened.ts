import type { Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import type { Dependencies } from '../../platform/dependencies.js';
import { announceAll } from '../webhooks/announce.js';
import type { GapState } from './gaps.repository.js';

/**
 * Tells webhooks which gaps a run opened again, in the transaction that ends it: what its audit events say, whatever the
 * reason was.
 */
export async function announceReopened(
  tools: Pick<Dependencies, 'queue' | 'configuration'>,
  transaction: Transaction,
  run: { readonly workspaceId: string; readonly id: string },
): Promise<void> {
  const { workspaceId, id } = run;
  // Events of this transaction have its time, rounded.
  const reopened = await transaction.many<{ gap_id: string; from: GapState['status'] }>(sql`
    select target_id as gap_id, before ->> 'status' as "from" from audit_events
    where workspace_id = ${workspaceId} and created_at >= now() - interval '1 millisecond'
      and action = 'gap.reopened' and after ->> 'analysis_id' = ${id}
    order by sequence`);
  await announceAll(
    tools,
    transaction,
    reopened.map(({ gap_id, from }) => ({
      workspaceId,
      type: 'gap.status_changed' as const,
      data: { gap_id, analysis_id: id, from, to: 'open' as const },
      path: `/api/v1/analysis/gaps/${gap_id}`,
    })),
  );
}
