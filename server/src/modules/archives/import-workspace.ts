import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { recordAudit } from '../../platform/audit/audit.js';
import type { Transaction } from '../../platform/database/database.js';
import { CheckViolation, ForeignKeyViolation, UniqueViolation } from '../../platform/database/errors.js';
import { identifier, sql } from '../../platform/database/sql.js';
import type { Dependencies } from '../../platform/dependencies.js';
import { ApiError } from '../../platform/http/api-error.js';
import type { JobHandler } from '../../platform/queue/queue.js';
import { STAGED_FILE, withStaging } from '../../platform/staging/staging.js';
import { requireRoomAtNewOwner } from '../payments/plan-limits.js';
import { requestExtraction } from '../traceability/extraction.repository.js';
import { requireQuota } from '../uploads/quota.js';
import { processDocument } from '../uploads/uploads.jobs.js';
import { insertWorkspace } from '../workspaces/workspaces.repository.js';
import { archivedTables } from './archived-tables.js';
import type { ImportWorkspace } from './archives.jobs.js';
import { insertRows, type People, type Surveyed, surveyRows, tablesOf } from './import-rows.js';
import type { ArchiveManifest } from './manifest.js';
import { type Archive, ArchiveRefused, openArchive } from './read-archive.js';

interface Taken {
  readonly attempt: number;
  readonly target_id: string;
  readonly name: string | null;
  readonly sha256: string | null;
  readonly object_key: string;
}

/** Another attempt has taken over, and what was written is its. */
class ImportLost extends Error {
  override readonly name = 'ImportLost';
}

/** What an archive may be, unpacked, in multiples of what it may be packed. */
const UNPACKED_TIMES = 10;
const OUR_FAULT =
  'The archive could not be imported because of an error on our side. Try again; if it fails again, tell the operator.';
const IMPOSSIBLE =
  'The rows of the archive contradict each other: it was changed, or comes from another version.';

/**
 * Makes a workspace of an archive, in one transaction as its user: all of it is there, or nothing. Objects are written
 * before, below the id that the workspace will have, and go when it does not come to be.
 */
export const importWorkspace =
  (tools: Dependencies): JobHandler<ImportWorkspace> =>
  async ({ userId, importId }, { signal }) => {
    const { database, storage, configuration } = tools;
    const asUser = <T>(work: (transaction: Transaction) => Promise<T>): Promise<T> =>
      database.withActor({ userId }, work);
    const taken = await asUser((transaction) =>
      transaction.maybeOne<Taken>(sql`
        update workspace_imports set status = 'running', attempt = attempt + 1
        where id = ${importId} and user_id = ${userId} and status in ('queued', 'running')
        returning attempt, target_id, name, sha256, object_key`),
    );
    if (!taken) return;
    await withStaging(configuration, async (folder) => {
      let archive: Archive | undefined;
      try {
        const path = join(folder, 'archive.zip');
        const hash = createHash('sha256');
        await pipeline(
          await storage.within(taken.target_id).read(taken.object_key),
          async function* (chunks: AsyncIterable<Buffer>) {
            for await (const chunk of chunks) {
              hash.update(chunk);
              yield chunk;
            }
          },
          createWriteStream(path, { mode: STAGED_FILE }),
        );
        if (taken.sha256 !== null && hash.digest('hex') !== taken.sha256) {
          throw new ArchiveRefused('The SHA-256 of the archive is not the announced one.');
        }
        const { maxImportBytes, maxUploadBytes } = configuration;
        archive = await openArchive(path, {
          totalBytes: maxImportBytes * UNPACKED_TIMES,
          fileBytes: Math.max(maxUploadBytes, 512 * 1024 * 1024),
        });
        const opened = archive;
        const tables = tablesOf(opened, await asUser(archivedTables));
        const surveyed = await surveyRows(opened, tables);
        await storeObjects(storage, opened, {
          objects: surveyed.objects,
          workspaceId: taken.target_id,
          signal,
        });
        await asUser(async (transaction) => {
          await fill(tools, transaction, { archive: opened, tables, surveyed, taken, userId, importId });
        });
        await storage.within(taken.target_id).delete(taken.object_key);
      } catch (error) {
        if (signal.aborted) throw error;
        if (error instanceof ImportLost) return;
        const reason = explain(error);
        if (reason === undefined) throw error;
        await storage.within(taken.target_id).deletePrefix(`${taken.target_id}/`);
        await asUser((transaction) => fail(transaction, { importId, error: reason }));
      } finally {
        archive?.close();
      }
    });
  };

/** The last word on an archive that no attempt could import; nothing of it stays. */
export const giveUpImport =
  ({ database, storage }: Pick<Dependencies, 'database' | 'storage'>): JobHandler<ImportWorkspace> =>
  async ({ userId, importId }) => {
    const failed = await database.withActor({ userId }, (transaction) =>
      fail(transaction, { importId, error: OUR_FAULT }),
    );
    if (failed) await storage.within(failed.target_id).deletePrefix(`${failed.target_id}/`);
  };

const fail = (
  transaction: Transaction,
  { importId, error }: { readonly importId: string; readonly error: string },
): Promise<{ readonly target_id: string } | undefined> =>
  transaction.maybeOne(sql`
    update workspace_imports set status = 'failed', error = ${error}
    where id = ${importId} and status in ('queued', 'running') returning target_id`);

/** What a person should know; undefined for an error of ours. */
function explain(error: unknown): string | undefined {
  if (error instanceof ArchiveRefused || error instanceof ApiError) return error.message;
  const isViolation = [UniqueViolation, ForeignKeyViolation, CheckViolation].some(
    (type) => error instanceof type,
  );
  if (isViolation) return IMPOSSIBLE;
  // Data exceptions, other constraints, and rows that are not allowed: the database looked at every one.
  const state = (error as { code?: unknown }).code;
  return typeof state === 'string' && /^(22|23|42501)/.test(state) ? IMPOSSIBLE : undefined;
}

/** Every object that a row names and the archive has, compared with what the row states. */
async function storeObjects(
  storage: Dependencies['storage'],
  archive: Archive,
  {
    objects,
    workspaceId,
    signal,
  }: { readonly objects: Surveyed['objects']; readonly workspaceId: string; readonly signal: AbortSignal },
): Promise<void> {
  const hashes = new Map(archive.manifest.files.map(({ path, sha256 }) => [path, sha256]));
  for (const path of hashes.keys()) {
    if (path.startsWith('objects/') && !objects.has(path.slice('objects/'.length))) {
      throw new ArchiveRefused(`No row of the archive names ${path}.`);
    }
  }
  for (const [key, sha256] of objects) {
    signal.throwIfAborted();
    const path = `objects/${key}`;
    if (!hashes.has(path)) continue;
    if (sha256 !== null && hashes.get(path) !== sha256) {
      throw new ArchiveRefused(`${path} is not the file that its row states.`);
    }
    await storage
      .within(workspaceId)
      .write(`${workspaceId}/${key}`, await archive.bytes(path), 'application/octet-stream');
  }
}

async function fill(
  tools: Dependencies,
  transaction: Transaction,
  {
    archive,
    tables,
    surveyed,
    taken,
    userId,
    importId,
  }: {
    readonly archive: Archive;
    readonly tables: Awaited<ReturnType<typeof archivedTables>>;
    readonly surveyed: Surveyed;
    readonly taken: Taken;
    readonly userId: string;
    readonly importId: string;
  },
): Promise<void> {
  const { manifest } = archive;
  const workspaceId = taken.target_id;
  // One at a time: whether ids are free is asked of what is committed.
  await transaction.run(sql`select pg_advisory_xact_lock(hashtextextended('workspace import', 0))`);
  const isOurs = await transaction.run(sql`
    select id from workspace_imports where id = ${importId} and attempt = ${taken.attempt} and status = 'running' for update`);
  if (isOurs !== 1) throw new ImportLost();
  await requireRoomAtNewOwner({ transaction, dependencies: tools }, userId);
  requireQuota(tools.configuration, surveyed);
  await refuseTakenIds(tools.database, surveyed.ids);
  await insertWorkspace(transaction, {
    id: workspaceId,
    name: taken.name ?? manifest.workspace.name,
    description: manifest.workspace.description,
  });
  const { people, members } = await welcome(tools.database, transaction, { manifest, workspaceId, userId });
  for (const table of tables) await insertRows(transaction, table, { archive, workspaceId, people });
  await readDocuments(tools, transaction, workspaceId);
  await recordAudit(transaction, {
    workspaceId,
    action: 'workspace.imported',
    targetType: 'workspace',
    targetId: workspaceId,
    actorId: userId,
    after: {
      from: manifest.workspace.id,
      exported_at: manifest.created_at,
      version: manifest.version,
      ...members,
    },
  });
  await transaction.run(sql`
    update workspace_imports
    set status = 'completed', completed_at = now(), members = ${JSON.stringify(members)}::jsonb where id = ${importId}`);
}

/** Ids are kept, so that every result can be repeated; none of them may be somebody's here. */
async function refuseTakenIds(database: Dependencies['database'], ids: Surveyed['ids']): Promise<void> {
  const taken = await database.asSystem('ids of an imported workspace', async (transaction) => {
    for (const [table, wanted] of ids) {
      if (wanted.length === 0) continue;
      const found = await transaction.maybeOne(sql`
        select id from ${identifier(table)} where id = any (${wanted}::uuid[]) limit 1`);
      if (found) return true;
    }
    return false;
  });
  if (taken) {
    throw new ArchiveRefused(
      'Parts of this workspace are in this installation already. Delete the other copy for good first, or import into another installation.',
    );
  }
}

/** Who of the archive has a verified account here is the same person, and a member if they were one. */
async function welcome(
  database: Dependencies['database'],
  transaction: Transaction,
  {
    manifest,
    workspaceId,
    userId,
  }: { readonly manifest: ArchiveManifest; readonly workspaceId: string; readonly userId: string },
): Promise<{
  readonly people: People;
  readonly members: { readonly added: string[]; readonly left_out: string[] };
}> {
  const emails = manifest.people.flatMap(({ email }) => (email === null ? [] : [email.toLowerCase()]));
  const accounts = await database.asSystem('people of an imported workspace', (system) =>
    system.many<{ id: string; email: string }>(sql`
      select p.id, lower(p.email) as email from profiles p join auth.users u on u.id = p.id
      where lower(p.email) = any (${emails}::text[]) and u.email_verified and p.deactivated_at is null`),
  );
  const byEmail = new Map(accounts.map(({ email, id }) => [email, id]));
  const people = new Map<string, string>();
  const members = { added: [] as string[], left_out: [] as string[] };
  for (const { id, email, role } of manifest.people) {
    const here = email === null ? undefined : byEmail.get(email.toLowerCase());
    people.set(id, here ?? randomUUID());
    if (role === null || email === null || here === userId) continue;
    if (here === undefined) members.left_out.push(email);
    else {
      members.added.push(email);
      await transaction.run(sql`
        insert into workspace_members (workspace_id, user_id, role) values (${workspaceId}, ${here}, ${role})
        on conflict do nothing`);
    }
  }
  return { people, members };
}

/** Documents are read again here, and the trace is taken out of them: nothing that a machine made is taken on trust. */
async function readDocuments(
  { queue }: Dependencies,
  transaction: Transaction,
  workspaceId: string,
): Promise<void> {
  const versions = await transaction.many<{ id: string; version: number }>(sql`
    select v.work_product_id as id, v.version from work_product_versions v
    join work_products p on p.workspace_id = v.workspace_id and p.id = v.work_product_id
    where v.workspace_id = ${workspaceId} and p.deleted_at is null and v.processing_status = 'queued' order by 1, 2`);
  for (const { id, version } of versions) {
    await queue.enqueue(transaction, processDocument, {
      workspaceId,
      workProductId: id,
      version: String(version),
    });
  }
  if (versions.length > 0) await requestExtraction(transaction, queue, workspaceId);
}
