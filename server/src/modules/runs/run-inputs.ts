import { buffer } from 'node:stream/consumers';
import type { Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import type { PackedDocument } from '../documents/packed-documents.js';
import { type Run, RunFailed, type RunTools, type TakenRun } from './analysis-kind.js';

interface InputFile {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly sha256: string;
  readonly category: string | null;
  readonly category_chosen: boolean;
  readonly parsed_key: string | null;
  readonly deleted: boolean;
}

/** The document versions of a run, as engine tasks take them; ids are those of the work products. */
export async function loadDocuments(
  { database, storage }: Pick<RunTools, 'database' | 'storage'>,
  run: Run,
  signal: AbortSignal,
): Promise<readonly PackedDocument[]> {
  const files = await database.withWorkspace(run.workspaceId, (transaction) =>
    transaction.many<InputFile>(sql`
      select p.id, v.file_name as name, v.version, v.sha256, p.category, p.category_chosen, v.parsed_key,
             p.deleted_at is not null as deleted
      from analysis_inputs i
      join work_products p on p.workspace_id = i.workspace_id and p.id = i.work_product_id
      join work_product_versions v on v.workspace_id = i.workspace_id and v.work_product_id = i.work_product_id
                                  and v.version = i.version
      where i.workspace_id = ${run.workspaceId} and i.analysis_id = ${run.id}
      order by p.created_at, p.id`),
  );
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
      packed: new Uint8Array(await buffer(await storage.within(run.workspaceId).read(file.parsed_key))),
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
