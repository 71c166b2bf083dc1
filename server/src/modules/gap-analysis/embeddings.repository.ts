import type { Database, Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import { type Answerer, answering } from '../engine/engine-question.js';
import type { Run } from '../runs/analysis-kind.js';
import { keepVectors, keptVectors } from './gap-analysis-task.js';

/** Vectors of the workspace, by key. New ones are kept while the run is ours: its standard may have been withdrawn. */
export const vectorAnswers = (database: Pick<Database, 'withWorkspace'>, run: Run): readonly Answerer[] => [
  answering(keptVectors, (keys) =>
    database.withWorkspace(run.workspaceId, (transaction) => findVectors(transaction, run.workspaceId, keys)),
  ),
  answering(keepVectors, (entries) => insertVectors(database, run, entries)),
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

async function insertVectors(
  database: Pick<Database, 'withWorkspace'>,
  { workspaceId, id, attempt }: Run,
  vectors: readonly (readonly [key: string, vector: Float32Array])[],
): Promise<void> {
  const entries = vectors.map(([key, vector]) => ({
    key,
    vector: Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64'),
  }));
  await database.withWorkspace(workspaceId, (transaction) =>
    transaction.run(sql`
      with mine as (
        select id from analyses where workspace_id = ${workspaceId} and id = ${id}
          and attempt = ${attempt} and status = 'running' for share
      )
      insert into embeddings (workspace_id, key, vector)
      select ${workspaceId}, decode(e.key, 'hex'), decode(e.vector, 'base64')
      from mine, jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as e (key text, vector text)
      on conflict do nothing`),
  );
}

const toVector = (bytes: Buffer): Float32Array => {
  const copy = new Uint8Array(bytes);
  return new Float32Array(copy.buffer, 0, copy.byteLength / 4);
};
