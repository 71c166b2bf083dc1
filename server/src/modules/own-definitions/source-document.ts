import { buffer } from 'node:stream/consumers';
import type { Document } from '@normtrace/engine';
import type { Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import { ApiError, invalid } from '../../platform/http/api-error.js';
import type { WriteContext } from '../../platform/http/route.js';
import { unpackDocument } from '../documents/parsed-document.js';

/** Templates and checklists are short; reading a long document would hold up other requests. */
const MOST_BLOCKS = 5_000;

/** A file of the workspace that a template is learnt or a checklist read from. */
export interface SourceDocument {
  readonly version: number;
  readonly fileName: string;
  /** Bytes. */
  readonly fileSize: number;
  bytes(): Promise<Uint8Array>;
  /** Throws 422 for a document of more than 5,000 blocks. */
  document(): Promise<Document>;
}

/** Throws 422 when the workspace has no such work product, 409 while it has not been read. */
export async function readSource(
  { transaction, dependencies: { storage } }: Pick<WriteContext, 'transaction' | 'dependencies'>,
  input: { readonly workspace_id: string; readonly work_product_id: string },
  /** For what a person is told: `template document`, `A template`, `paragraphs and rows`. */
  words: { readonly file: string; readonly subject: string; readonly blocks: string },
): Promise<SourceDocument> {
  const path = 'body.work_product_id';
  const file = await findReadDocument(transaction, input.workspace_id, input.work_product_id);
  if (!file) throw invalid(path, 'The workspace has no such work product.', 'unknown');
  const { parsed_key } = file;
  if (file.processing_status !== 'completed' || parsed_key === null) {
    throw new ApiError('CONFLICT', `The ${words.file} has not been read.`, {
      reason: 'work_products_not_ready',
      work_product_ids: [input.work_product_id],
    });
  }
  const bytesOf = async (key: string) =>
    new Uint8Array(await buffer(await storage.within(input.workspace_id).read(key)));
  return {
    version: file.version,
    fileName: file.file_name,
    fileSize: Number(file.file_size),
    bytes: () => bytesOf(file.object_key),
    document: async () => {
      if ((file.block_count ?? 0) > MOST_BLOCKS) {
        throw invalid(path, `${words.subject} has ${MOST_BLOCKS} ${words.blocks} at most.`, 'too_long');
      }
      return unpackDocument(await bytesOf(parsed_key));
    },
  };
}

const findReadDocument = (
  transaction: Transaction,
  workspaceId: string,
  workProductId: string,
): Promise<
  | {
      readonly version: number;
      readonly file_name: string;
      readonly file_size: string | number;
      readonly object_key: string;
      readonly parsed_key: string | null;
      readonly block_count: number | null;
      readonly processing_status: string;
    }
  | undefined
> =>
  transaction.maybeOne(sql`
    select p.version, v.file_name, v.file_size, v.object_key, v.parsed_key, v.block_count, p.processing_status
    from work_products p
    left join work_product_versions v
      on v.workspace_id = p.workspace_id and v.work_product_id = p.id and v.version = p.version
    where p.workspace_id = ${workspaceId} and p.id = ${workProductId} and p.deleted_at is null`);
