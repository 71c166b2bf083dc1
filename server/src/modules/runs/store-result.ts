import type { Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import * as repository from './analyses.repository.js';
import type { RunOutcome, TakenRun } from './analysis-kind.js';

/**
 * Ends a run with its result, in the transaction of the caller: `store` writes it. Does nothing and answers undefined
 * when the run was cancelled or is in other hands; so results appear once.
 */
export async function storeResult(
  transaction: Transaction,
  run: TakenRun,
  store: () => Promise<RunOutcome>,
): Promise<RunOutcome | undefined> {
  const { workspaceId, id, series } = run;
  const mine = await transaction.maybeOne(sql`
    select id from analyses
    where workspace_id = ${workspaceId} and id = ${id} and attempt = ${run.attempt} and status = 'running'
    for update`);
  if (!mine) return undefined;
  await lockSeries(transaction, workspaceId, series);
  // A plan made while the tables were small – for a join or for the check of a foreign key – looks through all of a table
  // for each of ten thousand findings. Not `plan_cache_mode`: every single check would be planned anew.
  await transaction.run(sql`discard plans`);
  await transaction.run(sql`
    update analyses
    set number = (select coalesce(max(number), 0) + 1 from analyses
                  where workspace_id = ${workspaceId} and series = ${series})
    where workspace_id = ${workspaceId} and id = ${id}`);
  const outcome = await store();
  const { score, units, counts, details } = outcome;
  await transaction.run(sql`
    update analyses a
    set status = 'completed', stage = 'completed', percent = 100, message = 'Completed', eta_seconds = null,
        done = ${units}, total = ${units}, score = ${score},
        summary = ${JSON.stringify({ ...counts, ...details })}::jsonb, finished_at = now(),
        previous_analysis_id = (
          select id from analyses
          where workspace_id = a.workspace_id and series = a.series and status = 'completed' and id <> a.id
          order by finished_at desc, id desc limit 1)
    where workspace_id = ${workspaceId} and id = ${id}`);
  await transaction.run(sql`
    delete from analysis_checkpoints where workspace_id = ${workspaceId} and analysis_id = ${id}`);
  await repository.addEvent(transaction, run, {
    type: 'completed',
    data: { status: 'completed', score, ...counts },
  });
  return outcome;
}

/** Runs of the same series store one after the other, and answers of people wait for them. */
export const lockSeries = (transaction: Transaction, workspaceId: string, series: string): Promise<number> =>
  transaction.run(sql`select pg_advisory_xact_lock(hashtextextended(${`${workspaceId} ${series}`}, 1))`);
