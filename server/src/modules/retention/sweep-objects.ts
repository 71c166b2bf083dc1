import type { Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import type { Dependencies } from '../../platform/dependencies.js';
import { describeError } from '../../platform/queue/describe-error.js';
import { parsedKeyOfPages } from '../documents/page-objects.js';
import { failVersion } from '../work-products/process-document.js';

const FIRST_MILLISECONDS = 60_000;
const EVERY_MILLISECONDS = 3_600_000;
/** What was written later may belong to somebody who has not said so yet. */
const SAFE_MILLISECONDS = 24 * 3_600_000;
const LOST = {
  file: {
    code: 'object_missing',
    text: 'The file of this version is not in the storage any more. Upload it again; the operator can bring it back from a backup.',
  },
  reading: {
    code: 'reading_missing',
    text: 'What was read from this version is not in the storage any more. Process it again.',
  },
} as const;

type Tools = Pick<
  Dependencies,
  'database' | 'storage' | 'queue' | 'configuration' | 'clock' | 'log' | 'metrics'
>;

export interface Swept {
  /** Objects that no row claims. */
  readonly deleted: number;
  /** Objects that rows claim and that are not there. */
  readonly missing: number;
}

interface LostVersion {
  readonly workProductId: string;
  readonly version: string;
  readonly attempt: number;
  readonly object_key: string;
  readonly parsed_key: string | null;
}

/** Compares a minute after the start and once an hour; any number of processes may do so. */
export function startSweepingObjects(tools: Tools): { stop(): void } {
  let missing = 0;
  tools.metrics?.watch(() => [{ state: 'objectsMissing', labels: {}, value: missing }]);
  const sweep = (): Promise<void> =>
    sweepObjects(tools).then(
      (swept) => {
        missing = swept.missing;
      },
      (error) => tools.log.warn({ error: describeError(error) }, 'objects could not be compared with rows'),
    );
  const first = setTimeout(sweep, FIRST_MILLISECONDS).unref();
  const timer = setInterval(sweep, EVERY_MILLISECONDS).unref();
  return {
    stop: () => {
      clearTimeout(first);
      clearInterval(timer);
    },
  };
}

/**
 * Compares the storage with the database, both ways. An object that no row claims was left over by something that was
 * killed, or whose outcome was not known, and is deleted after a day. A version whose object is gone fails with a
 * reason; other rows without their object are told in the log and in the metrics.
 */
export async function sweepObjects(tools: Tools): Promise<Swept> {
  const { database, storage, clock, log } = tools;
  const before = clock().getTime() - SAFE_MILLISECONDS;
  // What is stored first: a row that comes meanwhile has an object that is too young.
  const stored = await storage.workspaces();
  const known = await database.asSystem('which objects have an owner', async (transaction) => ({
    workspaces: await transaction.many<{ id: string }>(sql`select id from workspaces`),
    arriving: await transaction.many<{ id: string }>(sql`
      select target_id as id from workspace_imports where status in ('pending_upload', 'queued', 'running')`),
  }));
  const owners = new Set(known.workspaces.map(({ id }) => id));
  const arriving = new Set(known.arriving.map(({ id }) => id));
  let [deleted, missing] = [0, 0];
  for (const workspaceId of new Set([...stored, ...owners])) {
    if (arriving.has(workspaceId)) continue;
    const own = storage.within(workspaceId);
    const objects = await own.list(`${workspaceId}/`);
    const within = <T>(work: (transaction: Transaction) => Promise<T>): Promise<T> =>
      database.withWorkspace(workspaceId, work);
    const claims = owners.has(workspaceId)
      ? await within((transaction) => claimsOf(transaction, workspaceId))
      : [];
    const claimed = new Set(claims.map(({ key }) => key));
    const settledKeys = new Set(claims.filter(({ settled }) => settled).map(({ key }) => key));
    // What is kept of pages goes with what was read, and with documents that were deleted while a page was drawn.
    const isClaimed = (key: string): boolean => {
      const parsedKey = parsedKeyOfPages(key);
      return parsedKey === undefined ? claimed.has(key) : settledKeys.has(parsedKey);
    };
    for (const { key, modifiedAt } of objects) {
      if (isClaimed(key) || modifiedAt.getTime() >= before) continue;
      await own.delete(key);
      deleted++;
    }
    const there = new Set(objects.map(({ key }) => key));
    const gone: string[] = [];
    for (const { key, settled } of claims) {
      if (settled && !there.has(key) && (await own.size(key)) === undefined) gone.push(key);
    }
    if (gone.length === 0) continue;
    missing += gone.length;
    log.error(
      { workspaceId, keys: gone.slice(0, 20), missing: gone.length },
      'objects are missing in the storage',
    );
    await within((transaction) => failLostVersions(tools, transaction, { workspaceId, gone }));
  }
  if (deleted + missing > 0) log.info({ deleted, missing }, 'objects were compared with rows');
  return { deleted, missing };
}

/** Every key that a row claims; `settled` when its object has to be there by now. */
const claimsOf = (
  transaction: Transaction,
  workspaceId: string,
): Promise<{ readonly key: string; readonly settled: boolean }[]> =>
  transaction.many(sql`
    select key, bool_or(settled) as settled from (
      select v.object_key as key, p.deleted_at is null and v.uploaded_at < now() - interval '1 hour' as settled
      from work_product_versions v
      join work_products p on p.workspace_id = v.workspace_id and p.id = v.work_product_id
      where v.workspace_id = ${workspaceId}
      union all
      select v.parsed_key, p.deleted_at is null and v.processed_at < now() - interval '1 hour'
                           and v.processing_status = 'completed'
      from work_product_versions v
      join work_products p on p.workspace_id = v.workspace_id and p.id = v.work_product_id
      where v.workspace_id = ${workspaceId} and v.parsed_key is not null
      union all
      select f.object_key, s.deleted_at is null and f.created_at < now() - interval '1 hour'
      from standard_files f join standards s on s.workspace_id = f.workspace_id and s.id = f.standard_id
      where f.workspace_id = ${workspaceId}
      union all
      select object_key, false from uploads
      where workspace_id = ${workspaceId} and completed_at is null and expires_at > now() - interval '1 day'
      union all
      select key, status = 'completed' and completed_at < now() - interval '1 hour'
      from reports, lateral (values (object_key), (model_key)) as file (key)
      where workspace_id = ${workspaceId} and key is not null
      union all
      select object_key, false from workspace_exports where workspace_id = ${workspaceId} and object_key is not null
    ) as claims (key, settled)
    group by key`);

async function failLostVersions(
  tools: Tools,
  transaction: Transaction,
  { workspaceId, gone }: { readonly workspaceId: string; readonly gone: readonly string[] },
): Promise<void> {
  const lost = await transaction.many<LostVersion>(sql`
    select work_product_id as "workProductId", version::text, attempt, object_key, parsed_key
    from work_product_versions
    where workspace_id = ${workspaceId} and processing_status = 'completed'
      and (object_key = any (${gone}::text[]) or parsed_key = any (${gone}::text[]))`);
  for (const { object_key, parsed_key: _reading, ...version } of lost) {
    const failure = gone.includes(object_key) ? LOST.file : LOST.reading;
    await failVersion(tools, transaction, { reading: { workspaceId, ...version }, failure });
  }
}
