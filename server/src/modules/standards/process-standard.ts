import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import type { Dependencies } from '../../platform/dependencies.js';
import type { JobHandler } from '../../platform/queue/queue.js';
import { type Engine, explainFailure } from '../engine/engine.js';
import { parkAfterDeaths } from '../engine/park.js';
import { resumeImport } from '../workspace-archives/continue-import.js';
import { type ReadStandardOutput, readStandardTask } from './read-standard-task.js';
import * as repository from './standards.repository.js';

interface Payload {
  readonly workspaceId: string;
  readonly standardId: string;
  readonly fileId: string;
}

const OUR_FAULT =
  'The file could not be read because of an error on our side. Try to process it again; if it fails again, tell the operator.';
const WAITS =
  'The copy bears the mark of a personal licence, so it is not processed before its licence has been attested.';

/** Reads the criteria out of an uploaded standard and stores them in place of the former ones. */
export const readStandardCriteria =
  (
    { database, storage, queue }: Pick<Dependencies, 'database' | 'storage' | 'queue'>,
    engine: Engine,
  ): JobHandler<Payload> =>
  async (payload, { signal }) => {
    const within = <T>(work: (transaction: Transaction) => Promise<T>): Promise<T> =>
      database.withWorkspace(payload.workspaceId, work);
    const begun = await within((transaction) => begin(transaction, payload));
    if (!begun) return;
    const { row, file } = begun;
    try {
      const bytes = await buffer(await storage.within(payload.workspaceId).read(file.object_key));
      const identity = { designation: row.name, ...(row.version ? { edition: row.version } : {}) };
      const read = await engine.run(
        readStandardTask,
        { bytes, fileName: file.file_name, standardId: row.id, identity },
        { signal, group: payload.workspaceId },
      );
      await within(async (transaction) => {
        await finish(transaction, row, read);
        await resumeImport(queue, transaction, payload.workspaceId);
      });
    } catch (error) {
      const failure =
        explainFailure(error) ??
        (await parkAfterDeaths(error, within, {
          table: sql`standards`,
          where: sql`workspace_id = ${row.workspace_id} and id = ${row.id} and attempt = ${row.attempt}`,
          what: 'Reading the file',
          hint: 'Split it, or save it again from its source, and upload that.',
        }));
      if (!failure) throw error;
      await within((transaction) => fail(transaction, row, failure.text));
    }
  };

/** The last word on a standard that no attempt could read. */
export const giveUpStandard =
  ({ database }: Pick<Dependencies, 'database'>): JobHandler<Payload> =>
  (payload) =>
    database.withWorkspace(payload.workspaceId, async (transaction) => {
      const row = await repository.lockStandard(transaction, payload.standardId);
      if (row && ['queued', 'running'].includes(row.processing_status)) {
        await fail(transaction, row, OUR_FAULT);
      }
    });

async function begin(transaction: Transaction, payload: Payload) {
  const row = await repository.lockStandard(transaction, payload.standardId);
  if (!row || row.file_id !== payload.fileId) return undefined;
  if (!['queued', 'running'].includes(row.processing_status)) return undefined;
  const file = await repository.findFile(transaction, row);
  if (!file) return undefined;
  await transaction.run(sql`
    update standards set attempt = attempt + 1
    where workspace_id = ${row.workspace_id} and id = ${row.id}`);
  const begun = await repository.updateStandard(transaction, row, { processing_status: 'running' });
  await announce(transaction, begun);
  return { row: begun, file };
}

async function finish(transaction: Transaction, begun: repository.StandardRow, read: ReadStandardOutput) {
  const row = await current(transaction, begun);
  if (!row) return;
  if (read.licenceMark && !row.attested) {
    await announce(
      transaction,
      await repository.updateStandard(transaction, row, {
        requires_attestation: true,
        licence_mark: true,
        processing_status: 'awaiting_attestation',
        processing_error: WAITS,
      }),
    );
    return;
  }
  await repository.replaceCriteria(transaction, row, read.criteria);
  await announce(
    transaction,
    await repository.updateStandard(transaction, row, {
      licence_mark: read.licenceMark,
      criteria_hash: createHash('sha256').update(JSON.stringify(read.criteria)).digest('hex'),
      criteria_count: read.criteria.length,
      processing_status: 'completed',
      processing_error: null,
    }),
  );
}

async function fail(transaction: Transaction, begun: repository.StandardRow, text: string): Promise<void> {
  const row = await current(transaction, begun);
  if (!row) return;
  await announce(
    transaction,
    await repository.updateStandard(transaction, row, {
      processing_status: 'failed',
      processing_error: text,
    }),
  );
}

/** The row, locked, unless another attempt or another file has taken over. */
async function current(transaction: Transaction, begun: repository.StandardRow) {
  const row = await repository.lockStandard(transaction, begun.id);
  return row && row.attempt === begun.attempt && row.file_id === begun.file_id ? row : undefined;
}

async function announce(transaction: Transaction, row: repository.StandardRow): Promise<void> {
  const event = { standard_id: row.id, processing_status: row.processing_status };
  await transaction.run(
    sql`select app.add_event(${row.workspace_id}, null, 'document', ${JSON.stringify(event)}::jsonb)`,
  );
}
