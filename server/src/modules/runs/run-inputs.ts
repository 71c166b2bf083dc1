import { buffer } from 'node:stream/consumers';
import type { Statement, Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import type { PackedDocument } from '../documents/packed-documents.js';
import { type Run, RunFailed, type RunTools, type TakenRun } from './analysis-kind.js';
import { IN_ORDER } from './input-order.js';

/** A file of a work product with where its parsed form is. */
export interface InputFile {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly sha256: string;
  readonly category: string | null;
  readonly category_chosen: boolean;
  readonly parsed_key: string | null;
  readonly deleted: boolean;
}

const columns = sql`p.id, v.file_name as name, v.version, v.sha256, p.category, p.category_chosen, v.parsed_key,
  p.deleted_at is not null as deleted`;

/** The document versions of a run, as engine tasks take them; ids are those of the work products. */
export async function loadDocuments(
  { database, storage }: Pick<RunTools, 'database' | 'storage'>,
  run: Run,
  signal: AbortSignal,
): Promise<readonly PackedDocument[]> {
  const files = await database.withWorkspace(run.workspaceId, (transaction) =>
    transaction.many<InputFile>(sql`
      select ${columns}
      from analysis_inputs i
      join work_products p on p.workspace_id = i.workspace_id and p.id = i.work_product_id
      join work_product_versions v on v.workspace_id = i.workspace_id and v.work_product_id = i.work_product_id
                                  and v.version = i.version
      where i.workspace_id = ${run.workspaceId} and i.analysis_id = ${run.id}
      order by ${IN_ORDER}`),
  );
  return packed(files, storage.within(run.workspaceId), signal);
}

/** The newest versions of work products, where no run has named them yet. */
export const selectNewestFiles = (workspaceId: string, ids: readonly string[]): Statement => sql`
  select ${columns}
  from work_products p
  join work_product_versions v on v.workspace_id = p.workspace_id and v.work_product_id = p.id and v.version = p.version
  where p.workspace_id = ${workspaceId} and p.id = any (${ids}::uuid[])
  order by ${IN_ORDER}`;

/** Files as engine tasks take them. Throws `RunFailed` for one that has gone. */
export async function packed(
  files: readonly InputFile[],
  storage: Pick<ReturnType<RunTools['storage']['within']>, 'read'>,
  signal: AbortSignal,
): Promise<readonly PackedDocument[]> {
  const documents: PackedDocument[] = [];
  for (const file of files) {
    signal.throwIfAborted();
    if (file.deleted || file.parsed_key === null) {
      throw new RunFailed(
        'A work product of this analysis was deleted or has to be read again. Start a new analysis.',
      );
    }
    documents.push({
      id: file.id,
      name: file.name,
      version: String(file.version),
      sha256: file.sha256,
      packed: new Uint8Array(await buffer(await storage.read(file.parsed_key))),
      ...(file.category_chosen && file.category !== null ? { documentType: file.category } : {}),
    });
  }
  return documents;
}

/** Units of work that an attempt before this one finished with the same engine. */
export async function loadUnits(transaction: Transaction, run: TakenRun): Promise<readonly unknown[]> {
  const rows = await transaction.many<{ units: unknown[] }>(sql`
    select units from analysis_checkpoints
    where workspace_id = ${run.workspaceId} and analysis_id = ${run.id}
      and engine_version = ${run.engine_version} order by id`);
  return rows.flatMap(({ units }) => units);
}

export async function versionsOf(transaction: Transaction, run: Run): Promise<ReadonlyMap<string, number>> {
  const inputs = await transaction.many<{ work_product_id: string; version: number }>(sql`
    select work_product_id, version from analysis_inputs
    where workspace_id = ${run.workspaceId} and analysis_id = ${run.id}`);
  return new Map(inputs.map((input) => [input.work_product_id, input.version]));
}
