import type { Configuration } from '../../platform/configuration/configuration.js';
import type { Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import { ApiError } from '../../platform/http/api-error.js';

/** What a workspace has, or would have. */
export interface Holding {
  /** Of its uploaded files together. */
  readonly bytes: number;
  readonly workProducts: number;
}

/** Throws 413 for too many bytes and 409 for too many work products, by the settings of the installation. */
export function requireQuota(
  { quota }: Pick<Configuration, 'quota'>,
  { bytes, workProducts }: Holding,
): void {
  if (quota.bytes !== undefined && bytes > quota.bytes) {
    throw new ApiError(
      'PAYLOAD_TOO_LARGE',
      `The files of a workspace may have ${quota.bytes} bytes together, these would have ${bytes}. Delete documents ` +
        'that are no longer needed, use another workspace, or ask the operator to raise WORKSPACE_MAX_BYTES.',
      { workspace_max_bytes: quota.bytes },
    );
  }
  if (quota.workProducts !== undefined && workProducts > quota.workProducts) {
    throw new ApiError(
      'CONFLICT',
      `A workspace may have ${quota.workProducts} work products. Delete those that are no longer needed, use another ` +
        'workspace, or ask the operator to raise WORKSPACE_MAX_WORK_PRODUCTS.',
      { reason: 'quota', workspace_max_work_products: quota.workProducts },
    );
  }
}

/**
 * Throws as `requireQuota` when a workspace has no room for another file. What was announced and may still be sent
 * counts; announcements of one workspace follow one another.
 */
export async function requireRoomForFile(
  transaction: Transaction,
  configuration: Pick<Configuration, 'quota'>,
  file: { readonly workspaceId: string; readonly bytes: number },
): Promise<void> {
  const { workspaceId } = file;
  const { quota } = configuration;
  if (quota.bytes === undefined && quota.workProducts === undefined) return;
  await transaction.run(sql`select pg_advisory_xact_lock(hashtextextended(${`quota ${workspaceId}`}, 0))`);
  const held = await transaction.one<{ bytes: string; work_products: number }>(sql`
    select (select coalesce(sum(v.file_size), 0) from work_product_versions v
            join work_products p on p.workspace_id = v.workspace_id and p.id = v.work_product_id
            where v.workspace_id = ${workspaceId} and p.deleted_at is null)
           + (select coalesce(sum(file_size), 0) from standard_files where workspace_id = ${workspaceId})
           + (select coalesce(sum(file_size), 0) from uploads
              where workspace_id = ${workspaceId} and completed_at is null and expires_at > now()) as bytes,
           (select count(*)::int from work_products p
            where p.workspace_id = ${workspaceId} and p.deleted_at is null
              and (p.version > 0 or p.created_at > now() - interval '1 hour')) as work_products`);
  requireQuota(configuration, { bytes: Number(held.bytes) + file.bytes, workProducts: held.work_products });
}
