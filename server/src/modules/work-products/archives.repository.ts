import type { Statement, Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';

/** One version of an archive. */
export interface ArchiveVersion {
  readonly workspaceId: string;
  readonly workProductId: string;
  readonly version: string;
}

/** One attempt to unpack it; a later one makes its writes void. */
export interface Unpacking extends ArchiveVersion {
  readonly attempt: number;
}

export interface EntryRow {
  readonly position: number;
  readonly path: string;
  readonly outcome: 'new' | 'changed' | 'unchanged' | 'refused' | 'gone';
  readonly work_product_id: string | null;
  readonly work_product_version: number | null;
  readonly processing_status: 'queued' | 'running' | 'completed' | 'failed' | null;
  readonly error: string | null;
}

/** What became of the files of one version, the newest where none is named; deleted documents have no status. */
export const selectEntries = (archiveId: string, version: number | undefined): Statement => sql`
  select e.position, e.path, e.outcome, d.id as work_product_id, e.work_product_version, c.processing_status,
         case when e.outcome = 'refused' then e.error when e.outcome <> 'gone' then c.processing_error end as error
  from archive_entries e
  join work_products p on p.workspace_id = e.workspace_id and p.id = e.archive_id
  left join work_products d on d.workspace_id = e.workspace_id and d.id = e.work_product_id and d.deleted_at is null
  left join work_product_versions c on c.workspace_id = d.workspace_id and c.work_product_id = d.id
                                   and c.version = e.work_product_version
  where e.archive_id = ${archiveId} and p.deleted_at is null and e.version = ${version ?? sql`p.version`}
  order by e.position`;

/** Positions of the files of which is written what became of them. */
export const settledPositions = async (
  transaction: Transaction,
  archive: ArchiveVersion,
): Promise<number[]> =>
  (
    await transaction.many<{ position: number }>(sql`
      select position from archive_entries where ${ofVersion(archive)} and outcome <> 'gone'`)
  ).map(({ position }) => position);

export interface LockedArchive {
  readonly tags: readonly string[];
  readonly uploaded_by: string;
  readonly is_newest: boolean;
}

/** Locks the archive against its deletion; undefined when it is deleted or this attempt is void. */
export const lockArchive = (
  transaction: Transaction,
  archive: Unpacking,
): Promise<LockedArchive | undefined> =>
  transaction.maybeOne(sql`
    select p.tags, v.uploaded_by, p.version = v.version as is_newest
    from work_products p
    join work_product_versions v on v.workspace_id = p.workspace_id and v.work_product_id = p.id
    where p.workspace_id = ${archive.workspaceId} and p.id = ${archive.workProductId} and p.deleted_at is null
      and v.version = ${archive.version} and v.attempt = ${archive.attempt} and v.processing_status = 'running'
    for update`);

export interface KnownDocument {
  readonly id: string;
  readonly version: number;
  readonly sha256: string;
}

/** The document that came out of this archive under this path, with its newest version. */
export const findDocument = (
  transaction: Transaction,
  archive: ArchiveVersion,
  path: string,
): Promise<KnownDocument | undefined> =>
  transaction.maybeOne(sql`
    select d.id, d.version, c.sha256
    from work_products d
    join work_product_versions c on c.workspace_id = d.workspace_id and c.work_product_id = d.id
                                and c.version = d.version
    where d.workspace_id = ${archive.workspaceId} and d.source_archive_id = ${archive.workProductId}
      and d.source_path = ${path} and d.deleted_at is null`);

/** Notes that a document is in this version of its archive; a new one gets the tags of the archive. */
export const markSource = (
  transaction: Transaction,
  archive: ArchiveVersion,
  document: { readonly id: string; readonly path: string; readonly tags?: readonly string[] },
): Promise<number> =>
  transaction.run(sql`
    update work_products
    set source_archive_id = ${archive.workProductId}, source_path = ${document.path},
        -- What is not sent to a model as a whole is not sent in parts.
        ai_excluded = ai_excluded or coalesce((select a.ai_excluded from work_products a
          where a.workspace_id = ${archive.workspaceId} and a.id = ${archive.workProductId}), false),
        source_archive_version = ${archive.version}
        ${document.tags ? sql`, tags = ${document.tags}` : sql``}
    where workspace_id = ${archive.workspaceId} and id = ${document.id}`);

export const insertEntry = (
  transaction: Transaction,
  archive: ArchiveVersion,
  entry: {
    readonly position: number;
    readonly path: string;
    readonly outcome: 'new' | 'changed' | 'unchanged' | 'refused';
    readonly document?: { readonly id: string; readonly version: number };
    readonly error?: { readonly code: string; readonly text: string };
  },
): Promise<number> =>
  transaction.run(sql`
    insert into archive_entries (workspace_id, archive_id, version, position, path, outcome, work_product_id,
                                 work_product_version, error, error_code)
    values (${archive.workspaceId}, ${archive.workProductId}, ${archive.version}, ${entry.position}, ${entry.path},
            ${entry.outcome}, ${entry.document?.id ?? null}, ${entry.document?.version ?? null},
            ${entry.error?.text ?? null}, ${entry.error?.code ?? null})`);

/** Forgets why files were refused, so that they are looked at again. */
export const forgetRefused = (transaction: Transaction, archive: ArchiveVersion): Promise<number> =>
  transaction.run(sql`delete from archive_entries where ${ofVersion(archive)} and outcome = 'refused'`);

/** Adds the documents whose paths this version does not hold any more. */
export const insertGone = (transaction: Transaction, archive: ArchiveVersion): Promise<number> =>
  transaction.run(sql`
    insert into archive_entries (workspace_id, archive_id, version, position, path, outcome, work_product_id,
                                 work_product_version)
    select d.workspace_id, d.source_archive_id, ${archive.version}::integer,
           (select coalesce(max(position), 0) from archive_entries where ${ofVersion(archive)})
             + row_number() over (order by d.source_path collate "C"),
           d.source_path, 'gone', d.id, d.version
    from work_products d
    where d.workspace_id = ${archive.workspaceId} and d.source_archive_id = ${archive.workProductId}
      and d.deleted_at is null and d.source_archive_version < ${archive.version}
      and not exists (select from archive_entries where ${ofVersion(archive)} and path = d.source_path)
      and not exists (
        select from archive_entries e
        where e.workspace_id = d.workspace_id and e.archive_id = d.source_archive_id and e.work_product_id = d.id
          and e.outcome = 'gone' and e.version > d.source_archive_version)`);

/** Notes that this attempt has taken everything out. Returns what was refused, and how many files there were. */
export async function endUnpacking(
  transaction: Transaction,
  archive: Unpacking,
): Promise<{
  readonly files: number;
  readonly refused: number;
  readonly error: string;
  readonly code: string;
}> {
  await transaction.run(sql`
    update work_product_versions set unpacked_attempt = attempt, format = 'zip'
    where workspace_id = ${archive.workspaceId} and work_product_id = ${archive.workProductId}
      and version = ${archive.version} and attempt = ${archive.attempt}`);
  return transaction.one(sql`
    select count(*)::int as files, (count(*) filter (where outcome = 'refused'))::int as refused,
           min(error) as error, min(error_code) as code
    from archive_entries where ${ofVersion(archive)} and outcome <> 'gone'`);
}

/** Archives that may be waiting for this version of a document. */
export const findWaitingArchives = (
  transaction: Transaction,
  document: ArchiveVersion,
): Promise<ArchiveVersion[]> =>
  transaction.many(sql`
    select e.workspace_id as "workspaceId", e.archive_id as "workProductId", e.version::text as version
    from archive_entries e
    where e.workspace_id = ${document.workspaceId} and e.work_product_id = ${document.workProductId}
      and e.work_product_version = ${document.version} and e.outcome <> 'gone'`);

/** Ends an archive when everything was taken out of it and read; false when there is still something to wait for. */
export const completeArchive = async (transaction: Transaction, archive: ArchiveVersion): Promise<boolean> =>
  (await transaction.run(sql`
    update work_product_versions v
    set processing_status = 'completed', processing_error = null, processing_error_code = null,
        processed_at = now()
    from work_products p
    where p.workspace_id = v.workspace_id and p.id = v.work_product_id and p.deleted_at is null
      and v.workspace_id = ${archive.workspaceId} and v.work_product_id = ${archive.workProductId}
      and v.version = ${archive.version} and v.processing_status = 'running' and v.unpacked_attempt = v.attempt
      and not exists (
        select from archive_entries e
        join work_products d on d.workspace_id = e.workspace_id and d.id = e.work_product_id and d.deleted_at is null
        join work_product_versions c on c.workspace_id = d.workspace_id and c.work_product_id = d.id
                                    and c.version = e.work_product_version
        where e.workspace_id = v.workspace_id and e.archive_id = v.work_product_id and e.version = v.version
          and e.outcome <> 'gone' and c.processing_status in ('queued', 'running'))`)) === 1;

/** Documents keep their path and forget the archive. */
export const forgetArchives = (
  transaction: Transaction,
  archives: readonly { readonly workspace_id: string; readonly id: string }[],
): Promise<number> =>
  transaction.run(sql`
    update work_products set source_archive_id = null, source_archive_version = null
    where workspace_id = any (${archives.map((one) => one.workspace_id)}::uuid[])
      and source_archive_id = any (${archives.map(({ id }) => id)}::uuid[])`);

const ofVersion = (archive: ArchiveVersion): Statement => sql`
  workspace_id = ${archive.workspaceId} and archive_id = ${archive.workProductId} and version = ${archive.version}`;
