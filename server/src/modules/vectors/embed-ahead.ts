import { buffer } from 'node:stream/consumers';
import type { Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import type { Dependencies } from '../../platform/dependencies.js';
import { type JobHandler, logGivenUp } from '../../platform/queue/queue.js';
import type { Engine } from '../engine/engine.js';
import { answering } from '../engine/engine-question.js';
import { isWaitedFor } from '../runs/waited-for.repository.js';
import { type EmbedAhead, embedAheadJob, selectWanted } from './embed-ahead.jobs.js';
import { embedAheadTask, nextDocument } from './embed-ahead-task.js';
import { keepsAtLeast, vectorAnswers } from './vectors.repository.js';

/**
 * A workspace that keeps so many gets no more ahead: an analysis looks at four thousand passages at most, those nearest by
 * their words, and which of so many they will be nobody knows before.
 */
const MOST_KEPT = 8_000;

/** How long a vector is kept. */
const MOST_DAYS = 90;

interface Version {
  readonly id: string;
  readonly version: number;
  readonly parsed_key: string;
}

type Tools = Pick<Dependencies, 'database' | 'storage' | 'queue'>;

/** How often it is looked whether somebody waits, and after how long it is tried again. */
const LOOK_MILLISECONDS = 200;
const AGAIN_SECONDS = 5;

/**
 * Makes the vectors of the newest versions that wait for it and keeps them, one document after the other, in one process. What
 * was made before an end is kept: whoever goes on finds it. As long as somebody waits for something else (see `isWaitedFor`) it stops,
 * and goes on later.
 */
export const embedAhead =
  ({ database, storage, queue }: Tools, engine: Engine): JobHandler<EmbedAhead> =>
  async ({ workspaceId }, { signal }) => {
    const within = <T>(work: (transaction: Transaction) => Promise<T>): Promise<T> =>
      database.withWorkspace(workspaceId, work);
    const wanted = await within(async (transaction) => {
      await renewOld(transaction, workspaceId);
      return findWanted(transaction, workspaceId);
    });
    // Most jobs find that one before them has done it: no process for that.
    if (!wanted) return;
    const later = (): Promise<void> =>
      within((transaction) =>
        queue.enqueue(transaction, embedAheadJob, { workspaceId }, { afterSeconds: AGAIN_SECONDS }),
      );
    const isAwaited = (): Promise<boolean> => within((transaction) => isWaitedFor(transaction, workspaceId));
    if (await isAwaited()) return later();
    let current: Version | undefined;
    const next = async (): Promise<Uint8Array | undefined> => {
      current = await within(async (transaction) => {
        if (current) await endWanted(transaction, workspaceId, current);
        if (await keepsAtLeast(transaction, workspaceId, MOST_KEPT)) {
          await endWanted(transaction, workspaceId);
          return undefined;
        }
        return findWanted(transaction, workspaceId);
      });
      if (!current) return undefined;
      return new Uint8Array(await buffer(await storage.within(workspaceId).read(current.parsed_key)));
    };
    const yielding = new AbortController();
    const looking = setInterval(() => {
      // A look that fails says nothing; the next one does.
      isAwaited().then(
        (awaited) => awaited && yielding.abort(),
        () => undefined,
      );
    }, LOOK_MILLISECONDS);
    const done = engine.run(embedAheadTask, null, {
      signal: AbortSignal.any([signal, yielding.signal]),
      // Not that of the workspace: its people get a process beside this one.
      group: 'vectors ahead',
      answers: [
        answering(nextDocument, next),
        ...vectorAnswers(database, {
          workspaceId,
          stillOurs: () => sql`
            select from work_products
            where workspace_id = ${workspaceId} and id = ${current?.id} and deleted_at is null for share`,
        }),
      ],
    });
    try {
      await done;
    } catch (error) {
      if (signal.aborted || !yielding.signal.aborted) throw error;
      await later();
    } finally {
      clearInterval(looking);
    }
  };

/** What no attempt could do is left to the analyses, which compute what they miss. */
export const giveUpEmbeddingAhead =
  ({ database, log }: Pick<Dependencies, 'database' | 'log'>): JobHandler<EmbedAhead> =>
  async (payload, context) => {
    await database.withWorkspace(payload.workspaceId, (transaction) =>
      endWanted(transaction, payload.workspaceId),
    );
    await logGivenUp(log, embedAheadJob, 'vectors were not made ahead')(payload, context);
  };

/**
 * Deletes old vectors and has those of the newest versions made anew: what passages said that were changed since is not kept
 * for ever, nor does it fill the place of what they say now.
 */
const renewOld = (transaction: Transaction, workspaceId: string): Promise<number> =>
  transaction.run(sql`
    with old as (
      delete from embeddings
      where workspace_id = ${workspaceId} and created_at < now() - make_interval(days => ${MOST_DAYS}::int)
      returning key
    )
    update work_product_versions v set vectors_wanted = true
    from work_products p
    where v.workspace_id = ${workspaceId} and p.workspace_id = v.workspace_id and p.id = v.work_product_id
      and p.version = v.version and p.deleted_at is null and v.parsed_key is not null and exists (select from old)`);

/** The version that waits longest. Behind every reading that ends now: one that finds another version waiting brings no job along. */
async function findWanted(transaction: Transaction, workspaceId: string): Promise<Version | undefined> {
  await transaction.run(
    sql`select from trace_extractions where workspace_id = ${workspaceId} for no key update`,
  );
  return transaction.maybeOne(
    sql`${selectWanted(workspaceId)} order by v.processed_at, v.work_product_id limit 1`,
  );
}

const endWanted = (transaction: Transaction, workspaceId: string, version?: Version): Promise<number> =>
  transaction.run(sql`
    update work_product_versions set vectors_wanted = false
    where workspace_id = ${workspaceId} and vectors_wanted
      and (${version?.id ?? null}::uuid is null
           or work_product_id = ${version?.id ?? null} and version = ${version?.version ?? null}
              and parsed_key = ${version?.parsed_key ?? null})`);
