import { engineIdentity } from '@normtrace/engine';
import type { Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import { describeError } from '../../platform/queue/describe-error.js';
import type { JobHandler } from '../../platform/queue/queue.js';
import type { Engine } from '../engine/engine.js';
import { parkAfterDeaths } from '../engine/park.js';
import { announceReopened } from '../gaps/announce-reopened.js';
import { announce } from '../webhooks/announce.js';
import { type RunAnalysis, runAnalysisJob } from './analyses.jobs.js';
import * as repository from './analyses.repository.js';
import {
  type AnalysisKind,
  type Run,
  RunFailed,
  type RunOutcome,
  type RunTools,
  type TakenRun,
} from './analysis-kind.js';
import { createProgressReporter } from './progress-reporter.js';
import { loadUnits } from './run-inputs.js';
import { storeResult } from './store-result.js';

/** How often a worker looks whether its run was cancelled or taken over. */
const WATCH_MILLISECONDS = 500;
const OUR_FAULT =
  'The analysis ended because of an error on our side. Start it again; if it fails again, tell the operator.';

class RunLost extends Error {
  override readonly name = 'RunLost';
}

class RunTimedOut extends Error {
  override readonly name = 'RunTimedOut';
}

/**
 * Takes a run, lets the engine work outside any transaction as its kind says, and stores the result in one, if the run
 * is still in its hands then. A run whose worker died begins again here: documents are parsed already, units of work
 * that were kept are not done again, and what was reported is not reported twice.
 * Throws at the start for two kinds of one type.
 */
export function runAnalysis(
  tools: RunTools,
  engine: Engine,
  kinds: readonly AnalysisKind[],
): JobHandler<RunAnalysis> {
  const kindOf = byType(kinds);
  return async ({ workspaceId, analysisId }, { signal, jobId }) => {
    const { database, configuration, log } = tools;
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
    const kind = kindOf(run.type);
    const ended = new AbortController();
    const watch = watchRun(tools, run, ended);
    const timer = setTimeout(() => ended.abort(new RunTimedOut()), Math.max(0, run.milliseconds_left));
    const stop = AbortSignal.any([signal, ended.signal]);
    const lost = () => ended.abort(new RunLost());
    const reporter = createProgressReporter(tools, run, { stages: kind.stages, lost });
    try {
      const input = await kind.load(tools, run, stop);
      const options = { signal: stop, group: workspaceId, onNews: reporter.report };
      const known = await database.withWorkspace(workspaceId, (transaction) => loadUnits(transaction, run));
      const result = await kind.analyse(engine, input, { tools, run, known, options });
      await reporter.finish();
      await database.withWorkspace(workspaceId, async (transaction) => {
        const store = () => kind.store(transaction, run, { input, result });
        const outcome = await storeResult(transaction, run, store);
        if (!outcome) return;
        await announceReopened(tools, transaction, run);
        await tell(tools, transaction, run, outcome);
      });
    } catch (error) {
      await reporter.finish().catch(() => undefined);
      // At shutdown another worker goes on with it; when it was cancelled or taken over, there is nothing to say.
      if (signal.aborted) throw error;
      const reason = ended.signal.aborted ? ended.signal.reason : error;
      if (reason instanceof RunLost) return;
      const parked = await parkAfterDeaths(reason, (work) => database.withWorkspace(workspaceId, work), {
        table: sql`analyses`,
        where: sql`workspace_id = ${workspaceId} and id = ${analysisId} and attempt = ${run.attempt}`,
        what: 'The analysis',
        hint: 'Analyse fewer documents at once to find the one that it is about, then start it again.',
      });
      const end = parked
        ? ({ status: 'failed', error: parked.text } as const)
        : endOf(reason, configuration.analysisTimeoutMinutes);
      if (!end) throw error;
      log.info(
        { job: runAnalysisJob.name, jobId, analysisId, status: end.status, error: describeError(reason) },
        'analysis ended without a result',
      );
      await database.withWorkspace(workspaceId, (transaction) => endRun(tools, transaction, { run, end }));
    } finally {
      clearTimeout(timer);
      watch.stop();
    }
  };
}

/** The last word on a run that no attempt could finish. */
export const giveUpAnalysis =
  (tools: Pick<RunTools, 'database' | 'queue' | 'configuration'>): JobHandler<RunAnalysis> =>
  ({ workspaceId, analysisId }) =>
    tools.database.withWorkspace(workspaceId, async (transaction) => {
      const row = await repository.lockAnalysis(transaction, analysisId);
      if (!row) return;
      const run = { workspaceId, id: analysisId, attempt: row.attempt, type: row.type };
      await endRun(tools, transaction, { run, end: { status: 'failed', error: OUR_FAULT } });
    });

function byType(kinds: readonly AnalysisKind[]): (type: string) => AnalysisKind {
  const types = new Map(kinds.map((kind) => [kind.type as string, kind]));
  if (types.size < kinds.length) throw new Error('Two kinds of analysis have the same type.');
  return (type) => {
    const kind = types.get(type);
    if (!kind) throw new Error(`This worker runs no analyses of the type ${type}.`);
    return kind;
  };
}

function endOf(reason: unknown, minutes: number) {
  if (reason instanceof RunTimedOut) {
    const error = `The analysis took longer than ${minutes} minutes. Analyse fewer documents at once, or raise ANALYSIS_TIMEOUT_MINUTES.`;
    return { status: 'timed_out', error } as const;
  }
  return reason instanceof RunFailed ? ({ status: 'failed', error: reason.message } as const) : undefined;
}

/** Tells the webhooks of the workspace how a run has ended; numbers and closed words only. */
function tell(
  tools: Pick<RunTools, 'queue' | 'configuration'>,
  transaction: Transaction,
  run: Run & Pick<TakenRun, 'type'>,
  ended: RunOutcome | 'failed' | 'timed_out',
): Promise<void> {
  const about = { analysis_id: run.id, analysis_type: run.type };
  const place = { workspaceId: run.workspaceId, path: `/api/v1/analysis/analyses/${run.id}` };
  return announce(
    tools,
    transaction,
    typeof ended === 'string'
      ? { ...place, type: 'analysis.failed', data: { ...about, status: ended } }
      : {
          ...place,
          type: 'analysis.completed',
          data: { ...about, status: 'completed', score: ended.score, counts: ended.counts },
        },
  );
}

async function endRun(
  tools: Pick<RunTools, 'queue' | 'configuration'>,
  transaction: Transaction,
  {
    run,
    end,
  }: {
    readonly run: Run & Pick<TakenRun, 'type'>;
    readonly end: { readonly status: 'failed' | 'timed_out'; readonly error: string };
  },
): Promise<void> {
  const isOurs = await transaction.maybeOne(sql`
    select id from analyses where workspace_id = ${run.workspaceId} and id = ${run.id}
      and attempt = ${run.attempt} and status in ('queued', 'running') for update`);
  if (!isOurs) return;
  await repository.endAnalysis(transaction, run, end);
  await repository.addEvent(transaction, run, { type: 'failed', data: end });
  await tell(tools, transaction, run, end.status);
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
  const row = await transaction.maybeOne<Omit<TakenRun, 'workspaceId' | 'id' | 'takenAt'>>(sql`
    update analyses
    set status = 'running', attempt = attempt + 1, started_at = coalesce(started_at, now()),
        -- A result of another engine is no answer to the question that was asked of this one.
        input_hash = case when engine_version = ${job.engineVersion} then input_hash
                          else input_hash || ' ' || ${job.engineVersion}::text end,
        engine_version = ${job.engineVersion},
        deadline_at = coalesce(deadline_at, now() + make_interval(mins => ${job.timeoutMinutes}))
    where workspace_id = ${job.workspaceId} and id = ${job.id} and status in ('queued', 'running')
    returning attempt, type, series, standard_id, mode, fresh_answers, options, engine_version,
      (extract(epoch from deadline_at - now()) * 1000)::float8 as milliseconds_left`);
  return row && { workspaceId: job.workspaceId, id: job.id, ...row, takenAt: performance.now() };
}

/** Ends the work as soon as the run is cancelled or in other hands. */
function watchRun({ database }: Pick<RunTools, 'database'>, run: Run, ended: AbortController) {
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
