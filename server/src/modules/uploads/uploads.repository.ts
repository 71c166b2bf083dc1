import type { Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';

export interface UploadRow {
  readonly workspace_id: string;
  readonly id: string;
  readonly standard_id: string | null;
  readonly work_product_id: string | null;
  readonly file_name: string;
  /** bigint: the driver gives text. */
  readonly file_size: string;
  readonly file_type: string;
  readonly sha256: string | null;
  readonly object_key: string;
  readonly expires_at: Date;
  readonly completed_at: Date | null;
  readonly created_by: string;
}

export interface NewUpload {
  readonly workspaceId: string;
  readonly id: string;
  readonly standardId?: string;
  readonly workProductId?: string;
  readonly fileName: string;
  readonly fileSize: number;
  readonly fileType: string;
  readonly sha256: string | undefined;
  readonly objectKey: string;
  readonly expiresAt: Date;
  readonly createdBy: string;
}

export const insertUpload = (transaction: Transaction, upload: NewUpload): Promise<number> =>
  transaction.run(sql`
    insert into uploads (workspace_id, id, standard_id, work_product_id, file_name, file_size, file_type, sha256,
                         object_key, expires_at, created_by)
    values (${upload.workspaceId}, ${upload.id}, ${upload.standardId ?? null}, ${upload.workProductId ?? null},
            ${upload.fileName}, ${upload.fileSize}, ${upload.fileType}, ${upload.sha256 ?? null},
            ${upload.objectKey}, ${upload.expiresAt}, ${upload.createdBy})`);

/** The upload of a standard. */
export const findStandardUpload = (
  transaction: Transaction,
  standardId: string,
  uploadId: string,
): Promise<UploadRow | undefined> =>
  transaction.maybeOne(sql`select * from uploads where standard_id = ${standardId} and id = ${uploadId}`);

/** An upload of a work product: the one named, or the newest. */
export const findWorkProductUpload = (
  transaction: Transaction,
  workProductId: string,
  uploadId: string | undefined,
): Promise<UploadRow | undefined> =>
  transaction.maybeOne(sql`
    select * from uploads
    where work_product_id = ${workProductId} and (${uploadId ?? null}::uuid is null or id = ${uploadId ?? null})
    order by created_at desc, id desc limit 1`);

/** Marks the upload complete; false when somebody else did it already. */
export const claimCompletion = async (transaction: Transaction, upload: UploadRow): Promise<boolean> =>
  (await transaction.run(sql`
    update uploads set completed_at = now()
    where workspace_id = ${upload.workspace_id} and id = ${upload.id} and completed_at is null`)) === 1;
