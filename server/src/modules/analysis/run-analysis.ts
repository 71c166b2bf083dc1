import { buffer } from 'node:stream/consumers';
import { type CriterionVerdict, loadStandard, type Standard } from '@normtrace/engine';
import type { Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import type { Dependencies } from '../../platform/dependencies.js';
import { describeError } from '../../platform/queue/describe-error.js';
import type { JobHandler } from '../../platform/queue/queue.js';
import type { Engine } from '../engine/engine.js';
import { engineIdentity } from '../engine/engine-identity.js';
import type { VectorQuestion } from '../engine/gap-analysis-task.js';
import * as standards from '../standards/standards.repository.js';
import { criteriaOf } from '../standards/standards.service.js';
import type { RunAnalysis } from './analyses.jobs.js';
import * as repository from './analyses.repository.js';
import type { AnalysisOptions } from './analyses.schemas.js';
import { createProgressReporter } from './progress-reporter.js';
import { storeResult } from './store-result.js';

/** How often a worker looks whether its run was cancelled or taken over. */
const WATCH_MILLISECONDS = 500;
const OUR_FAULT =
  'The analysis ended because of an error on our side. Start it again; if it fails again, tell the operator.';

/** A run in the hands of one worker. Once another attempt exists, nothing of this one is written any more. */
export interface Run {
  readonly workspaceId: string;
  readonly id: string;
  readonly attempt: number;
}

export interface TakenRun extends Run {
  /** Of the engine that works now: after an upgrade another one than when the run was started. */
  readonly engine_version: string;
  readonly standard_id: string;
  readonly options: AnalysisOptions;
  readonly deadline_at: Date;
}

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

/** A reason to end a run that a person should read. */
class RunFailed extends Error {
  override readonly name = 'RunFailed';
}

class RunLost extends Error {
  override readonly name = 'RunLost';
}

class RunTimedOut extends Error {
  override readonly name = 'RunTimedOut';
}

type Tools = Pick<Dependencies, 'database' | 'storage' | 'configuration' | 'log' | 'clock'>;

/**
 * Takes a run, lets the engine work outside any transaction, and stores the result in one, if the run is still in
 * its hands then. A run whose worker died begins again here: documents are parsed and vectors kept already, and what
 * was reported is not reported twice.
 */
export const runAnalysis =
  (tools: Tools, engine: Engine): JobHandler<RunAnalysis> =>
  async ({ workspaceId, analysisId }, { signal }) => {
    const { database, configuration, clock, log } = tools;
    const engineVersion = await engineIdentity();
    const run = await database.withWorkspace(workspaceId, (transaction) =>
      takeRun(transaction, {
        workspaceId,
        id: analysisId,
        timeoutMinutes: configuration.analysisTimeoutMinutes,
        engineVersion,
      }),
    );
    if (!run) return;
    const ended = new AbortController();
    const watch = watchRun(tools, run, ended);
    const left = run.deadline_at.getTime() - clock().getTime();
    const timer = setTimeout(() => ended.abort(new RunTimedOut()), Math.max(0, left));
    const stop = AbortSignal.any([signal, ended.signal]);
    const reporter = createProgressReporter(tools, run, () => ended.abort(new RunLost()));
    try {
      const input = await loadInput(tools, run, stop);
      const result = await engine.analyseGaps(input, {
        signal: stop,
        onNews: reporter.report,
        vectors: (question) => answer(database, run, question),
      });
      await reporter.finish();
      await database.withWorkspace(workspaceId, (transaction) =>
        storeResult(transaction, run, { result, standard: input.standard }),
      );
    } catch (error) {
      await reporter.finish().catch(() => undefined);
      // At shutdown another worker goes on with it; when it was cancelled or taken over, there is nothing to say.
      if (signal.aborted) throw error;
      const reason = ended.signal.aborted ? ended.signal.reason : error;
      if (reason instanceof RunLost) return;
      const end = endOf(reason, configuration.analysisTimeoutMinutes);
      if (!end) throw error;
      log.info(
        { analysisId, status: end.status, error: describeError(reason) },
        'analysis ended without a result',
      );
      await database.withWorkspace(workspaceId, (transaction) => endRun(transaction, run, end));
    } finally {
      clearTimeout(timer);
      watch.stop();
    }
  };

/** The last word on a run that no attempt could finish. */
export const giveUpAnalysis =
  ({ database }: Pick<Tools, 'database'>): JobHandler<RunAnalysis> =>
  ({ workspaceId, analysisId }) =>
    database.withWorkspace(workspaceId, async (transaction) => {
      const row = await repository.lockAnalysis(transaction, analysisId);
      if (!row) return;
      const run = { workspaceId, id: analysisId, attempt: row.attempt };
      await endRun(transaction, run, { status: 'failed', error: OUR_FAULT });
    });

function endOf(reason: unknown, minutes: number) {
  if (reason instanceof RunTimedOut) {
    const error = `The analysis took longer than ${minutes} minutes. Analyse fewer documents at once, or raise ANALYSIS_TIMEOUT_MINUTES.`;
    return { status: 'timed_out', error } as const;
  }
  return reason instanceof RunFailed ? ({ status: 'failed', error: reason.message } as const) : undefined;
}

async function endRun(
  transaction: Transaction,
  run: Run,
  end: { readonly status: 'failed' | 'timed_out'; readonly error: string },
): Promise<void> {
  const isOurs = await transaction.maybeOne(sql`
    select id from analyses where workspace_id = ${run.workspaceId} and id = ${run.id}
      and attempt = ${run.attempt} and status in ('queued', 'running') for update`);
  if (!isOurs) return;
  await repository.endAnalysis(transaction, run, end);
  await repository.addEvent(transaction, run, { type: 'failed', data: end });
}

async function takeRun(
  transaction: Transaction,
  job: {
    readonly workspaceId: string;
    readonly id: string;
    readonly timeoutMinutes: number;
    readonly engineVersion: string;
  },
): Promise<TakenRun | undefined> {
  const row = await transaction.maybeOne<Omit<TakenRun, 'workspaceId' | 'id'>>(sql`
    update analyses
    set status = 'running', attempt = attempt + 1, started_at = coalesce(started_at, now()),
        -- A result of another engine is no answer to the question that was asked of this one.
        input_hash = case when engine_version = ${job.engineVersion} then input_hash
                          else input_hash || ' ' || ${job.engineVersion}::text end,
        engine_version = ${job.engineVersion},
        deadline_at = coalesce(deadline_at, now() + make_interval(mins => ${job.timeoutMinutes}))
    where workspace_id = ${job.workspaceId} and id = ${job.id} and status in ('queued', 'running')
    returning attempt, standard_id, options, deadline_at, engine_version`);
  return row && { workspaceId: job.workspaceId, id: job.id, ...row };
}

/** Ends the work as soon as the run is cancelled or in other hands. */
function watchRun({ database }: Pick<Tools, 'database'>, run: Run, ended: AbortController) {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const look = async (): Promise<void> => {
    const mine = await database
      .withWorkspace(run.workspaceId, (transaction) =>
        transaction.maybeOne(sql`
          select id from analyses where workspace_id = ${run.workspaceId} and id = ${run.id}
            and attempt = ${run.attempt} and status = 'running'`),
      )
      // While the database is away nobody can take the run over either.
      .catch(() => true);
    if (!mine) ended.abort(new RunLost());
    else if (!stopped) timer = setTimeout(look, WATCH_MILLISECONDS);
  };
  timer = setTimeout(look, WATCH_MILLISECONDS);
  return {
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

async function loadInput({ database, storage, configuration }: Tools, run: TakenRun, signal: AbortSignal) {
  const { standard, files, checkpoints } = await database.withWorkspace(
    run.workspaceId,
    async (transaction) => ({
      standard: await loadRunStandard(transaction, run.standard_id),
      checkpoints: await transaction.many<{ verdicts: CriterionVerdict[] }>(sql`
      select verdicts from analysis_checkpoints
      where workspace_id = ${run.workspaceId} and analysis_id = ${run.id}
        and engine_version = ${run.engine_version} order by id`),
      files: await transaction.many<InputFile>(sql`
      select p.id, v.file_name as name, v.version, v.sha256, p.category, p.category_chosen, v.parsed_key,
             p.deleted_at is not null as deleted
      from analysis_inputs i
      join work_products p on p.workspace_id = i.workspace_id and p.id = i.work_product_id
      join work_product_versions v on v.workspace_id = i.workspace_id and v.work_product_id = i.work_product_id
                                  and v.version = i.version
      where i.workspace_id = ${run.workspaceId} and i.analysis_id = ${run.id}
      order by p.created_at, p.id`),
    }),
  );
  const documents = [];
  for (const file of files) {
    signal.throwIfAborted();
    if (file.deleted || file.parsed_key === null) {
      throw new RunFailed(
        'A work product of this analysis was deleted or has to be read again. Start a new analysis.',
      );
    }
    const packed = new Uint8Array(await buffer(await storage.read(file.parsed_key)));
    documents.push({
      id: file.id,
      name: file.name,
      version: String(file.version),
      sha256: file.sha256,
      packed,
      ...(file.category_chosen && file.category !== null ? { documentType: file.category } : {}),
    });
  }
  const { conditions, item, variant, aliases, embeddings } = run.options;
  return {
    standard,
    documents,
    conditions,
    known: checkpoints.flatMap(({ verdicts }) => verdicts),
    scope: {
      ...(item === undefined ? {} : { item }),
      ...(variant === undefined ? {} : { variant }),
      ...(aliases.length > 0 ? { aliases } : {}),
    },
    embeddings: embeddings ? configuration.embeddings : ('off' as const),
  };
}

async function loadRunStandard(transaction: Transaction, id: string): Promise<Standard> {
  const row = await transaction.maybeOne<standards.StandardRow>(standards.selectStandard(id));
  if (row?.processing_status !== 'completed') {
    throw new RunFailed('The standard of this analysis was deleted or has no text any more.');
  }
  if (row.catalog_id !== null) return loadStandard(row.catalog_id);
  const criteria = await criteriaOf(row, (statement) => transaction.many(statement));
  const { name, version } = row;
  return { id, designation: name, title: name, edition: version, source: 'uploaded', criteria };
}

/** Vectors of the workspace, by key. New ones are kept while the run is ours: its standard may have been withdrawn. */
async function answer(
  database: Dependencies['database'],
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
