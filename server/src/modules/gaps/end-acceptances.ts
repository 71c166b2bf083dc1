import type { Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import type { Dependencies } from '../../platform/dependencies.js';
import { type JobHandler, logGivenUp } from '../../platform/queue/queue.js';
import { type EndAcceptances, endAcceptancesJob } from './acceptances.jobs.js';
import { endAcceptancesAt, storeDecisions } from './gap-changes.repository.js';
import { byTheClock } from './gap-decisions.js';
import { lockGaps } from './gaps.repository.js';

/** Gaps that are opened in one transaction. */
const AT_ONCE = 1000;

type Tools = Pick<Dependencies, 'database' | 'queue' | 'configuration' | 'clock' | 'log'>;

/** Opens again what was accepted for a time that is over: with a note, an audit event of the service, and webhooks. */
export const endAcceptances =
  (tools: Tools): JobHandler<EndAcceptances> =>
  async ({ workspaceId, until }) => {
    const now = tools.clock();
    if (new Date(until) > now) {
      await tools.database.withWorkspace(workspaceId, (transaction) =>
        endAcceptancesAt(tools, transaction, { workspaceId, until, now }),
      );
      return;
    }
    const next = (): Promise<number> =>
      tools.database.withWorkspace(workspaceId, (transaction) =>
        openSome(tools, transaction, { workspaceId, now }),
      );
    while ((await next()) === AT_ONCE);
  };

/** Readers go by the clock, so what was accepted is open to them all the same. */
export const giveUpEndingAcceptances = ({ log }: Pick<Tools, 'log'>): JobHandler<EndAcceptances> =>
  logGivenUp(log, endAcceptancesJob, 'acceptances that have ended could not be written down');

async function openSome(
  tools: Tools,
  transaction: Transaction,
  { workspaceId, now }: { readonly workspaceId: string; readonly now: Date },
): Promise<number> {
  const ended = await transaction.many<{ id: string }>(sql`
    select id from gaps
    where workspace_id = ${workspaceId} and status = 'accepted' and accepted_until <= ${now.toISOString()}::timestamptz
    order by fingerprint limit ${AT_ONCE}`);
  const ids = ended.map(({ id }) => id);
  // No reader: nothing of it is shown to anybody. Words of standards stay hidden.
  const reader = { userId: '00000000-0000-0000-0000-000000000000', now };
  const rows = await lockGaps(transaction, { workspaceId, ids }, reader);
  const decisions = rows
    .filter(({ expired }) => expired)
    .map((row) => ({ row, after: byTheClock(row), action: 'gap.reopened', reason: undefined, settles: [] }));
  await storeDecisions(tools, transaction, { workspaceId, decisions, by: { userId: null, now } });
  return ended.length;
}
