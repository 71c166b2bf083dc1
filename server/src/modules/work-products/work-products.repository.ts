import type { Statement, Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import type { Announcement } from '../uploads/uploads.service.js';

export interface WorkProductRow {
  readonly workspace_id: string;
  readonly id: string;
  readonly name: string;
  readonly original_filename: string;
  readonly file_size: string | number;
  readonly file_type: string;
  readonly category: string | null;
  readonly category_chosen: boolean;
  readonly ai_excluded: boolean;
  readonly tags: readonly string[];
  /** Of the newest version; null while no gap analysis has read it. */
  readonly compliance_score: string | number | null;
  readonly processing_status: 'pending_upload' | 'queued' | 'running' | 'completed' | 'failed';
  readonly processing_error: string | null;
  readonly version: number;
  /** What is known of the newest version; null before the first. */
  readonly newest: Pick<VersionRow, 'uploaded_by' | 'format' | 'language' | 'page_count'> | null;
  readonly created_by: string;
  readonly uploaded_at: string | Date;
  readonly created_at: string;
  readonly updated_at: string | Date;
  /** Of a document out of an archive, even when that is deleted. */
  readonly source_path: string | null;
  readonly source_archive_id: string | null;
  readonly source_archive_version: number | null;
}

export interface VersionRow {
  readonly workspace_id: string;
  readonly work_product_id: string;
  readonly version: number;
  readonly file_name: string;
  readonly file_size: string | number;
  readonly file_type: string;
  readonly sha256: string;
  readonly object_key: string;
  readonly uploaded_by: string;
  readonly uploaded_at: string | Date;
  readonly processing_status: 'queued' | 'running' | 'completed' | 'failed';
  readonly processing_error: string | null;
  readonly attempt: number;
  readonly parsed_key: string | null;
  readonly format: string | null;
  readonly language: string | null;
  readonly page_count: number | null;
  readonly detected_category: string | null;
  readonly notes: readonly { readonly code: string; readonly message: string }[];
}

const newest = sql`
  (select json_build_object('uploaded_by', v.uploaded_by, 'format', v.format, 'language', v.language, 'page_count', v.page_count)
   from work_product_versions v
   where v.workspace_id = work_products.workspace_id and v.work_product_id = work_products.id and v.version = work_products.version)`;

export const columns = sql`workspace_id, id, name, original_filename, file_size, file_type, category, category_chosen, tags, ai_excluded,
  case when scored_version = version then compliance_score end as compliance_score, processing_status, processing_error, version, created_by, uploaded_at, created_at, updated_at,
  source_path, source_archive_id, source_archive_version, ${newest} as newest`;

export const workspaceOf = (id: string): Statement =>
  sql`select workspace_id from work_products where id = ${id} and deleted_at is null`;

export const selectWorkProduct = (id: string): Statement =>
  sql`select ${columns} from work_products where id = ${id} and deleted_at is null`;

export const selectVersions = (id: string): Statement => sql`
  select v.* from work_product_versions v
  join work_products p on p.workspace_id = v.workspace_id and p.id = v.work_product_id
  where v.work_product_id = ${id} and p.deleted_at is null
  order by v.version desc`;

/** One version, the newest where none is named. */
export const selectVersion = (id: string, version: number | undefined): Statement => sql`
  select v.* from work_product_versions v
  join work_products p on p.workspace_id = v.workspace_id and p.id = v.work_product_id
  where v.work_product_id = ${id} and p.deleted_at is null and v.version = ${version ?? sql`p.version`}`;

export const lockWorkProduct = (transaction: Transaction, id: string): Promise<WorkProductRow | undefined> =>
  transaction.maybeOne(
    sql`select ${columns} from work_products where id = ${id} and deleted_at is null for update`,
  );

/** The documents of archives, as long as they are not deleted. */
export const lockDocuments = (
  transaction: Transaction,
  archives: readonly Pick<WorkProductRow, 'workspace_id' | 'id'>[],
): Promise<WorkProductRow[]> =>
  transaction.many(sql`
    select ${columns} from work_products
    where workspace_id = any (${archives.map((one) => one.workspace_id)}::uuid[])
      and source_archive_id = any (${archives.map(({ id }) => id)}::uuid[]) and deleted_at is null
    order by created_at, id for update`);

export const insertWorkProduct = (
  transaction: Transaction,
  workProduct: Announcement & {
    readonly workspaceId: string;
    readonly id: string;
    readonly name: string;
    readonly category: string | undefined;
    readonly createdBy: string;
  },
): Promise<number> =>
  transaction.run(sql`
    insert into work_products (workspace_id, id, name, original_filename, file_size, file_type, category,
                               category_chosen, processing_status, created_by)
    values (${workProduct.workspaceId}, ${workProduct.id}, ${workProduct.name}, ${workProduct.fileName},
            ${workProduct.fileSize}, ${workProduct.fileType}, ${workProduct.category ?? null},
            ${workProduct.category !== undefined}, 'pending_upload', ${workProduct.createdBy})`);

/** Makes the next version of a locked work product and shows it as the newest, waiting to be read. */
export async function insertVersion(
  transaction: Transaction,
  row: WorkProductRow,
  file: {
    readonly fileName: string;
    readonly fileSize: number;
    readonly fileType: string;
    readonly sha256: string;
    readonly objectKey: string;
    readonly uploadedBy: string;
  },
): Promise<WorkProductRow> {
  const version = row.version + 1;
  await transaction.run(sql`
    insert into work_product_versions (workspace_id, work_product_id, version, file_name, file_size, file_type,
                                       sha256, object_key, uploaded_by)
    values (${row.workspace_id}, ${row.id}, ${version}, ${file.fileName}, ${file.fileSize}, ${file.fileType},
            ${file.sha256}, ${file.objectKey}, ${file.uploadedBy})`);
  return transaction.one(sql`
    update work_products
    set version = ${version}, original_filename = ${file.fileName}, file_size = ${file.fileSize},
        file_type = ${file.fileType}, uploaded_at = now(), processing_status = 'queued', processing_error = null
    where workspace_id = ${row.workspace_id} and id = ${row.id} returning ${columns}`);
}

/** Sends a version back to the queue. Its former reading stays until the new one is there. */
export async function requeueVersion(transaction: Transaction, row: WorkProductRow): Promise<WorkProductRow> {
  await transaction.run(sql`
    update work_product_versions set processing_status = 'queued', processing_error = null
    where workspace_id = ${row.workspace_id} and work_product_id = ${row.id} and version = ${row.version}`);
  return transaction.one(sql`
    update work_products set processing_status = 'queued', processing_error = null
    where workspace_id = ${row.workspace_id} and id = ${row.id} returning ${columns}`);
}

export const updateWorkProduct = (
  transaction: Transaction,
  row: Pick<
    WorkProductRow,
    'workspace_id' | 'id' | 'name' | 'category' | 'category_chosen' | 'tags' | 'ai_excluded'
  >,
): Promise<WorkProductRow> =>
  transaction.one(sql`
    update work_products
    set name = ${row.name}, category = ${row.category}, category_chosen = ${row.category_chosen},
        tags = ${row.tags}, ai_excluded = ${row.ai_excluded}
    where workspace_id = ${row.workspace_id} and id = ${row.id} returning ${columns}`);

export const detectedCategory = async (
  transaction: Transaction,
  row: WorkProductRow,
): Promise<string | null> =>
  (
    await transaction.maybeOne<{ detected_category: string | null }>(sql`
      select detected_category from work_product_versions
      where workspace_id = ${row.workspace_id} and work_product_id = ${row.id} and version = ${row.version}`)
  )?.detected_category ?? null;

export const hideWorkProduct = (transaction: Transaction, row: WorkProductRow): Promise<number> =>
  transaction.run(sql`
    update work_products set deleted_at = now() where workspace_id = ${row.workspace_id} and id = ${row.id}`);
