import { buffer } from 'node:stream/consumers';
import type { Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import type { Dependencies } from '../../platform/dependencies.js';
import { type JobHandler, logGivenUp } from '../../platform/queue/queue.js';
import type { Engine } from '../engine/engine.js';
import { isWaitedFor } from '../runs/waited-for.repository.js';
import { findPassagesTask } from './find-passages-task.js';
import { LATER_SECONDS, type StorePassages, selectWanted, storePassagesJob } from './passages.jobs.js';
import type { Passage } from './passages.js';

interface Version {
  readonly id: string;
  readonly version: number;
  readonly parsed_key: string;
}

/**
 * Stores the passages of versions that wait for it, one document after the other, each in a transaction of its own: whoever goes on
 * after an end finds what is left. It waits while people wait for something else (see `isWaitedFor`).
 */
export const storeWantedPassages =
  (
    { database, storage, queue }: Pick<Dependencies, 'database' | 'storage' | 'queue'>,
    engine: Engine,
  ): JobHandler<StorePassages> =>
  async ({ workspaceId }, { signal }) => {
    const within = <T>(work: (transaction: Transaction) => Promise<T>): Promise<T> =>
      database.withWorkspace(workspaceId, work);
    for (;;) {
      signal.throwIfAborted();
      const next = await within(async (transaction) => {
        const found = await nextWanted(transaction, workspaceId);
        if (!found || !(await isWaitedFor(transaction, workspaceId))) return found;
        await queue.enqueue(transaction, storePassagesJob, { workspaceId }, { afterSeconds: LATER_SECONDS });
        return undefined;
      });
      if (!next) return;
      const packed = new Uint8Array(await buffer(await storage.within(workspaceId).read(next.parsed_key)));
      const passages = await engine.run(findPassagesTask, packed, {
        signal,
        // Not that of the workspace: its people get a process beside this one.
        group: 'passages',
      });
      await within((transaction) => storePassages(transaction, workspaceId, next, passages));
    }
  };

/** What no attempt could store stays without passages, which the search tells. */
export const giveUpPassages =
  ({ database, log }: Pick<Dependencies, 'database' | 'log'>): JobHandler<StorePassages> =>
  async (payload, context) => {
    await database.withWorkspace(payload.workspaceId, (transaction) =>
      transaction.run(sql`
        update work_product_versions set passages_wanted = false
        where workspace_id = ${payload.workspaceId} and passages_wanted`),
    );
    await logGivenUp(log, storePassagesJob, 'passages were not stored')(payload, context);
  };

/**
 * The version that waits longest. Behind every reading that ends now: one that finds another version waiting brings no job along
 * (see `wantPassages`), so nothing may be missed here.
 */
async function nextWanted(transaction: Transaction, workspaceId: string): Promise<Version | undefined> {
  await transaction.run(
    sql`select from trace_extractions where workspace_id = ${workspaceId} for no key update`,
  );
  return transaction.maybeOne<Version>(
    sql`${selectWanted(workspaceId)} order by v.processed_at, v.work_product_id limit 1`,
  );
}

async function storePassages(
  transaction: Transaction,
  workspaceId: string,
  { id, version, parsed_key }: Version,
  passages: readonly Passage[],
): Promise<void> {
  // Not of a reading that another one has replaced, nor twice.
  const isOurs = await transaction.run(sql`
    update work_product_versions set passages_wanted = false
    where workspace_id = ${workspaceId} and work_product_id = ${id} and version = ${version}
      and parsed_key = ${parsed_key} and passages_wanted`);
  const isNewest = await transaction.maybeOne(sql`
    select from work_products
    where workspace_id = ${workspaceId} and id = ${id} and version = ${version} and deleted_at is null for share`);
  if (isOurs === 0 || !isNewest) return;
  await transaction.run(sql`
    delete from passages where workspace_id = ${workspaceId} and work_product_id = ${id}`);
  await transaction.run(sql`
    insert into passages (workspace_id, work_product_id, version, start_offset, end_offset, location, text)
    select ${workspaceId}, ${id}, ${version}, p.*
    from unnest(${passages.map(({ start }) => start)}::integer[], ${passages.map(({ end }) => end)}::integer[],
                ${passages.map(({ location }) => JSON.stringify(location))}::jsonb[],
                ${passages.map(({ text }) => text)}::text[]) as p`);
}
