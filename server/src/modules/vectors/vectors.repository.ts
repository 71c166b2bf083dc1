import type { Database, Statement, Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import { type Answerer, answering } from '../engine/engine-question.js';
import { keepVectors, keptVectors } from './vector-questions.js';

/**
 * Vectors of the workspace, by key. New ones are kept while `stillOurs` selects a row, which it locks: whatever they are made
 * of may have been deleted since.
 */
export const vectorAnswers = (
  database: Pick<Database, 'withWorkspace'>,
  { workspaceId, stillOurs }: { readonly workspaceId: string; readonly stillOurs: () => Statement },
): readonly Answerer[] => [
  answering(keptVectors, (keys) =>
    database.withWorkspace(workspaceId, (transaction) => findVectors(transaction, workspaceId, keys)),
  ),
  answering(keepVectors, (entries) =>
    database.withWorkspace(workspaceId, (transaction) =>
      insertVectors(transaction, { workspaceId, stillOurs: stillOurs(), entries }),
    ),
  ),
];

/** In the order of the keys; undefined for one that is not kept. */
export async function findVectors(
  transaction: Transaction,
  workspaceId: string,
  keys: readonly string[],
): Promise<readonly (Float32Array | undefined)[]> {
  const rows = await transaction.many<{ key: string; vector: Buffer }>(sql`
    select encode(key, 'hex') as key, vector from embeddings
    where workspace_id = ${workspaceId}
      and key = any (select decode(k, 'hex') from unnest(${keys}::text[]) as k)`);
  const vectors = new Map(rows.map(({ key, vector }) => [key, toVector(vector)]));
  return keys.map((key) => vectors.get(key));
}

/** Whether the workspace keeps at least so many. */
export const keepsAtLeast = async (
  transaction: Transaction,
  workspaceId: string,
  many: number,
): Promise<boolean> =>
  (
    await transaction.one<{ many: boolean }>(sql`
      select exists (select from embeddings where workspace_id = ${workspaceId} offset ${many - 1}) as many`)
  ).many;

async function insertVectors(
  transaction: Transaction,
  {
    workspaceId,
    stillOurs,
    entries,
  }: {
    readonly workspaceId: string;
    readonly stillOurs: Statement;
    readonly entries: readonly (readonly [key: string, vector: Float32Array])[];
  },
): Promise<void> {
  const rows = entries.map(([key, vector]) => ({
    key,
    vector: Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64'),
  }));
  await transaction.run(sql`
    with ours as materialized (${stillOurs})
    insert into embeddings (workspace_id, key, vector)
    select ${workspaceId}, decode(e.key, 'hex'), decode(e.vector, 'base64')
    from (select from ours limit 1) as one,
         jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as e (key text, vector text)
    on conflict do nothing`);
}

const toVector = (bytes: Buffer): Float32Array => {
  const copy = new Uint8Array(bytes);
  return new Float32Array(copy.buffer, 0, copy.byteLength / 4);
};
