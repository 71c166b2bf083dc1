import { performance } from 'node:perf_hooks';
import type { Transaction } from '../../platform/database/database.js';
import type { Dependencies } from '../../platform/dependencies.js';
import { ApiError, notFound } from '../../platform/http/api-error.js';
import { timestampOrNull } from '../../platform/http/schemas.js';
import {
  type Grant,
  grantFor,
  loadPermissionTable,
  rolesInWorkspace,
} from '../../platform/identity/permissions.js';
import type { JobHandler } from '../../platform/queue/queue.js';
import { storeDecisions } from './gap-changes.repository.js';
import { byTheClock, decideChange, type GapDecision } from './gap-decisions.js';
import { type GapState, lockGaps } from './gaps.repository.js';
import type { GapChange } from './gaps.schemas.js';
import { changeManyGapsJob, type OfGapsChange } from './many-gaps.jobs.js';
import * as repository from './many-gaps.repository.js';

/** Gaps that are changed in one transaction: others wait for some seconds at most, and what is shown moves. */
const PART = 1000;
/** Then it is the turn of others. */
const TURN_MILLISECONDS = 30_000;

type Tools = Pick<Dependencies, 'database' | 'queue' | 'configuration' | 'clock'>;

const NOT_ALLOWED =
  'Whoever asked for it may no longer change findings of this workspace. What was changed by then stays.';
const OUR_FAULT = 'It could not go on because of an error on our side. What was changed by then stays.';

/**
 * Changes the gaps of one change as whoever asked for it, who need not be there: what they may do is looked at with each part, and the
 * database sees them, not the job. Those that cannot be changed stay as they are and are counted. A part and its progress commit
 * together, so that a job that is tried again goes on where it was.
 */
export const changeManyGaps =
  (tools: Tools): JobHandler<OfGapsChange> =>
  async (of, { signal }) => {
    const { database, queue } = tools;
    const end = performance.now() + TURN_MILLISECONDS;
    const userId = await database.withWorkspace(of.workspaceId, (transaction) =>
      repository.findAsker(transaction, of),
    );
    let state: 'more' | 'done' | 'denied' = userId === undefined ? 'done' : 'more';
    while (userId !== undefined && state === 'more') {
      signal.throwIfAborted();
      state = await database.withActor({ userId }, async (transaction) => {
        const next = await changePart(tools, transaction, { ...of, userId });
        if (next !== 'more' || performance.now() < end) return next;
        await queue.enqueue(transaction, changeManyGapsJob, of);
        return 'done';
      });
    }
    if (state !== 'denied') return;
    await database.withWorkspace(of.workspaceId, (transaction) =>
      repository.endChange(transaction, of, { status: 'failed', error: NOT_ALLOWED }),
    );
  };

export const giveUpManyGaps =
  ({ database }: Pick<Tools, 'database'>): JobHandler<OfGapsChange> =>
  async (of) => {
    await database.withWorkspace(of.workspaceId, (transaction) =>
      repository.endChange(transaction, of, { status: 'failed', error: OUR_FAULT }),
    );
  };

async function changePart(
  tools: Tools,
  transaction: Transaction,
  of: OfGapsChange & { readonly userId: string },
): Promise<'more' | 'done' | 'denied'> {
  const { workspaceId, userId } = of;
  const now = tools.clock();
  const grant = await grantOf(transaction, of);
  if (!grant) return 'denied';
  const change = await repository.lockChange(transaction, of);
  if (!change || change.finished_at !== null) return 'done';
  const items = await repository.selectItems(transaction, of, { from: change.done, limit: PART });
  const ids = items.map(({ gap_id }) => gap_id);
  const rows = new Map(
    (await lockGaps(transaction, { workspaceId, ids }, { userId, now })).map((row) => [row.id, row]),
  );
  const decider = { userId, isManager: grant.kind === 'allowed', isToken: false, now };
  const decisions: GapDecision[] = [];
  const before: { position: number; before: GapChange }[] = [];
  let refusal: string | null = null;
  for (const { position, gap_id, wanted } of items) {
    try {
      const row = rows.get(gap_id);
      if (!row) throw notFound('gap');
      decisions.push(decideChange(row, wanted ?? change.change ?? {}, decider));
      before.push({ position, before: wayBack(byTheClock(row)) });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      refusal ??= error.message;
    }
  }
  await storeDecisions(tools, transaction, {
    workspaceId,
    decisions,
    by: { userId, requestId: change.request_id, now },
  });
  await repository.keepBefore(transaction, of, before);
  await repository.storeProgress(transaction, of, {
    done: items.length,
    changed: decisions.length,
    proposed: decisions.filter(({ proposes }) => proposes !== undefined).length,
    refused: items.length - decisions.length,
    refusal,
  });
  return change.done + items.length < change.total ? 'more' : 'done';
}

const table = loadPermissionTable();

async function grantOf(
  transaction: Transaction,
  who: { readonly workspaceId: string; readonly userId: string },
): Promise<Grant | undefined> {
  const standing = await repository.standingOf(transaction, who);
  return (
    standing &&
    grantFor(table.find('findings.status'), rolesInWorkspace(table, standing.profileRole, standing))
  );
}

/** The change that makes a gap again what it is now. */
function wayBack(state: GapState): GapChange {
  const { status, resolution, assignee, due_date, reason, waiver_owner } = state;
  const accepted_until = timestampOrNull(state.accepted_until);
  return {
    status,
    assignee,
    due_date,
    ...(status === 'resolved' && { resolution: resolution ?? 'fixed' }),
    ...(reason !== null && { reason }),
    ...(accepted_until !== null && { accepted_until }),
    ...(status === 'accepted' && waiver_owner !== null && { owner: waiver_owner }),
  };
}
