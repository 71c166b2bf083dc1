import type { Database } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import type { Run } from '../runs/analysis-kind.js';
import type { VectorQuestion } from './gap-analysis-task.js';

/** Vectors of the workspace, by key. New ones are kept while the run is ours: its standard may have been withdrawn. */
export async function answerVectors(
  database: Pick<Database, 'withWorkspace'>,
  run: Run,
  question: VectorQuestion,
): Promise<unknown> {
  const { workspaceId } = run;
  if (question.kind === 'get') {
    const rows = await database.withWorkspace(workspaceId, (transaction) =>
      transaction.many<{ key: string; vector: Buffer }>(sql`
        select encode(key, 'hex') as key, vector from embeddings
        where workspace_id = ${workspaceId}
          and key = any (select decode(k, 'hex') from unnest(${question.keys}::text[]) as k)`),
    );
    const vectors = new Map(rows.map(({ key, vector }) => [key, toVector(vector)]));
    return question.keys.map((key) => vectors.get(key));
  }
  const entries = question.entries.map(([key, vector]) => ({
    key,
    vector: Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64'),
  }));
  return database.withWorkspace(workspaceId, (transaction) =>
    transaction.run(sql`
      with mine as (
        select id from analyses where workspace_id = ${workspaceId} and id = ${run.id}
          and attempt = ${run.attempt} and status = 'running' for share
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
