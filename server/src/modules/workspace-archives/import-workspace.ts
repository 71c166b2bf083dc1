import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
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
import { requireQuota } from '../uploads/quota.js';
import { processDocument, processStandard } from '../uploads/uploads.jobs.js';
import { insertWorkspace } from '../workspaces/workspaces.repository.js';
import { continueImportJob, type ImportWorkspace } from './archives.jobs.js';
import { inviteMembers } from './invite-members.js';
import { type Archive, ArchiveRefused, openArchive } from './read-archive.js';
import { storeObjects } from './store-objects.js';
import { storeRows } from './store-rows.js';
import { type Survey, surveyArchive } from './survey-archive.js';

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
 * before, below the id that the workspace will have, and go when it does not come to be. What is taken is what people
 * sent, wrote and decided; everything else is made again here (decision 80).
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
    const objects = storage.within(taken.target_id);
    await withStaging(configuration, async (folder) => {
      let archive: Archive | undefined;
      try {
        const path = join(folder, 'archive.zip');
        await fetchArchive(await objects.read(taken.object_key), { path, sha256: taken.sha256 });
        archive = await openArchive(path, {
          totalBytes: configuration.maxImportBytes * UNPACKED_TIMES,
          fileBytes: configuration.maxUploadBytes,
        });
        const opened = archive;
        const survey = await surveyArchive(opened);
        requireQuota(configuration, survey);
        await refuseTakenIds(database, survey.ids);
        const { files } = survey;
        await storeObjects(objects, opened, { files, workspaceId: taken.target_id, folder, signal });
        await asUser((transaction) =>
          fill(tools, transaction, { archive: opened, survey, taken, userId, importId }),
        );
        await objects.delete(taken.object_key);
      } catch (error) {
        if (signal.aborted) throw error;
        if (error instanceof ImportLost) return;
        const reason = explain(error);
        if (reason === undefined) throw error;
        const { attempt } = taken;
        const failed = await asUser((transaction) => fail(transaction, { importId, attempt, error: reason }));
        // Not when another attempt has it: its objects lie there.
        if (failed) await objects.deletePrefix(`${taken.target_id}/`);
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
  {
    importId,
    attempt,
    error,
  }: { readonly importId: string; readonly attempt?: number; readonly error: string },
): Promise<{ readonly target_id: string } | undefined> =>
  transaction.maybeOne(sql`
    update workspace_imports set status = 'failed', error = ${error}
    where id = ${importId} and status in ('queued', 'running')
      and ${attempt === undefined ? sql`true` : sql`attempt = ${attempt}`}
    returning target_id`);

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

async function fetchArchive(
  sent: Readable,
  { path, sha256 }: { readonly path: string; readonly sha256: string | null },
): Promise<void> {
  const hash = createHash('sha256');
  await pipeline(
    sent,
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        yield chunk;
      }
    },
    createWriteStream(path, { mode: STAGED_FILE }),
  );
  if (sha256 !== null && hash.digest('hex') !== sha256) {
    throw new ArchiveRefused('The SHA-256 of the archive is not the announced one.');
  }
}

async function fill(
  tools: Dependencies,
  transaction: Transaction,
  {
    archive,
    survey,
    taken,
    userId,
    importId,
  }: {
    readonly archive: Archive;
    readonly survey: Survey;
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
  await refuseTakenIds(tools.database, survey.ids);
  await insertWorkspace(transaction, {
    id: workspaceId,
    name: taken.name ?? manifest.workspace.name,
    description: manifest.workspace.description,
  });
  // Of another installation: an id of theirs is never an account here, so nobody speaks for somebody else.
  const people = new Map(manifest.people.map(({ id }) => [id, randomUUID() as string]));
  const own = await transaction.one<{ name: string; email: string }>(
    sql`select coalesce(nullif(name, ''), email) as name, email from profiles where id = ${userId}`,
  );
  await storeRows(transaction, archive, { workspaceId, userId, userName: own.name, people });
  const invited = await inviteMembers(transaction, {
    workspaceId,
    invitedBy: { userId, email: own.email },
    people: manifest.people,
    now: tools.clock(),
  });
  await readFiles(tools, transaction, workspaceId);
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
      invited: invited.length,
    },
  });
  await transaction.run(sql`
    update workspace_imports
    set status = 'completed', completed_at = now(), members = ${JSON.stringify({ invited })}::jsonb
    where id = ${importId}`);
}

/** Ids are kept, so that every result can be repeated; none of them may be somebody's here. */
async function refuseTakenIds(database: Dependencies['database'], ids: Survey['ids']): Promise<void> {
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

/** Files are read here as if they had just been sent; then what was asked of them is asked again. */
async function readFiles(
  { queue }: Dependencies,
  transaction: Transaction,
  workspaceId: string,
): Promise<void> {
  const versions = await transaction.many<{ id: string; version: number }>(sql`
    select work_product_id as id, version from work_product_versions
    where workspace_id = ${workspaceId} and processing_status = 'queued' order by 1, 2`);
  for (const { id, version } of versions) {
    await queue.enqueue(transaction, processDocument, {
      workspaceId,
      workProductId: id,
      version: String(version),
    });
  }
  const standards = await transaction.many<{ standardId: string; fileId: string }>(sql`
    select id as "standardId", file_id as "fileId" from standards
    where workspace_id = ${workspaceId} and processing_status = 'queued' order by 1`);
  for (const one of standards) await queue.enqueue(transaction, processStandard, { workspaceId, ...one });
  await queue.enqueue(transaction, continueImportJob, { workspaceId });
}
