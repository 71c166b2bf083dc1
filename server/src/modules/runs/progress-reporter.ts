import { setTimeout as delay } from 'node:timers/promises';
import type { Finding } from '@normtrace/engine';
import type { Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import type { Dependencies } from '../../platform/dependencies.js';
import { describeError } from '../../platform/queue/describe-error.js';
import type { RunNews, RunProgress } from '../engine/run-news.js';
import * as repository from './analyses.repository.js';
import type { AnalysisKind, TakenRun } from './analysis-kind.js';

/** At most four transactions a second for one run, however often the engine speaks. */
const INTERVAL_MILLISECONDS = 250;
/**
 * Finished units of work are kept so often: what is lost with a worker is less than this. Short runs write none. A run that
 * has lost a worker keeps them as they come: what cost it one may cost it more.
 */
const CHECKPOINT_MILLISECONDS = 3_000;
/** Events of findings for one run, at most: a trace can have a hundred thousand. All are in the result. */
const MOST_FINDINGS = 1_000;

type ReportedRun = Pick<TakenRun, 'workspaceId' | 'id' | 'attempt' | 'engine_version'>;

export interface ProgressReporter {
  report(news: RunNews): void;
  /** Resolves when everything that was reported is written, which is not put off any more. */
  finish(): Promise<void>;
}

/** Writes progress and findings of a run, gathered over short intervals; calls `lost` when it is not ours any more. */
export function createProgressReporter(
  { database, log }: Pick<Dependencies, 'database' | 'log'>,
  run: ReportedRun,
  {
    stages,
    lost,
    now = () => performance.now(),
  }: {
    readonly stages: AnalysisKind['stages'];
    readonly lost: () => void;
    /** Milliseconds of a clock that nobody sets. */
    readonly now?: () => number;
  },
): ProgressReporter {
  const keepEvery = run.attempt > 1 ? 0 : CHECKPOINT_MILLISECONDS;
  const started = now();
  let progress: RunProgress | undefined;
  let findings: Finding[] = [];
  let units: unknown[] = [];
  let keptAt = started;
  let writing: Promise<void> | undefined;
  const hurry = new AbortController();

  const writeAll = async (): Promise<void> => {
    while (progress || findings.length > 0) {
      const isTime = now() - keptAt >= keepEvery;
      const news = { progress, findings, units: isTime ? units : [] };
      progress = undefined;
      findings = [];
      if (isTime) {
        units = [];
        keptAt = now();
      }
      const mine = await database
        .withWorkspace(run.workspaceId, (transaction) =>
          write(transaction, run, { ...news, stages, elapsed: now() - started }),
        )
        .catch((error: unknown) => {
          // Progress is a courtesy: the run goes on, and its end is written with the result.
          log.warn({ analysisId: run.id, error: describeError(error) }, 'progress could not be written');
          return true;
        });
      if (!mine) {
        lost();
        return;
      }
      await delay(INTERVAL_MILLISECONDS, undefined, { signal: hurry.signal }).catch(() => undefined);
    }
  };

  return {
    report(news) {
      if (news.kind === 'progress') progress = news.progress;
      else if (news.kind === 'finding') findings.push(news.finding);
      else {
        // Goes with the next progress.
        units.push(news.unit);
        return;
      }
      writing ??= writeAll().finally(() => {
        writing = undefined;
      });
    },
    finish: async () => {
      hurry.abort();
      await writing;
    },
  };
}

async function write(
  transaction: Transaction,
  run: ReportedRun,
  news: {
    readonly progress: RunProgress | undefined;
    readonly findings: readonly Finding[];
    readonly units: readonly unknown[];
    readonly stages: AnalysisKind['stages'];
    readonly elapsed: number;
  },
): Promise<boolean> {
  const isMine = await transaction.maybeOne(sql`
    select id from analyses where workspace_id = ${run.workspaceId} and id = ${run.id}
      and attempt = ${run.attempt} and status = 'running' for update`);
  if (!isMine) return false;
  if (news.progress) {
    const { stage, percent, done, total } = news.progress;
    const message = news.stages[stage] ?? stage;
    const eta = percent >= 5 ? Math.ceil((news.elapsed * (100 - percent)) / percent / 1000) : null;
    // After a worker died the run begins again, but never looks as if it went back.
    const { shown } = await transaction.one<{ shown: number }>(sql`
      update analyses
      set stage = ${stage}, percent = greatest(percent, ${percent}), done = ${done}, total = ${total},
          message = ${message}, eta_seconds = ${eta}
      where workspace_id = ${run.workspaceId} and id = ${run.id} returning percent as shown`);
    const data = { stage, percent: shown, done, total, message, eta_seconds: eta };
    await repository.addEvent(transaction, run, { type: 'progress', data });
  }
  if (news.units.length > 0) {
    await transaction.run(sql`
      insert into analysis_checkpoints (workspace_id, analysis_id, engine_version, units)
      values (${run.workspaceId}, ${run.id}, ${run.engine_version}, ${JSON.stringify(news.units)}::jsonb)`);
  }
  if (news.findings.length > 0) await reportOnce(transaction, run, news.findings);
  return true;
}

/** Findings that an earlier attempt reported are not reported again. */
async function reportOnce(
  transaction: Transaction,
  run: ReportedRun,
  findings: readonly Finding[],
): Promise<void> {
  const reported = await transaction.many<{ fingerprint: string }>(sql`
    select data ->> 'fingerprint' as fingerprint from workspace_events
    where workspace_id = ${run.workspaceId} and analysis_id = ${run.id} and type = 'finding'`);
  const known = new Set(reported.map(({ fingerprint }) => fingerprint));
  const data = findings
    .filter(({ fingerprint }) => !known.has(fingerprint))
    .slice(0, Math.max(0, MOST_FINDINGS - known.size))
    .map(({ fingerprint, kind, criterionId, title, standardRef, severity, confidence, said }) => ({
      fingerprint,
      type: kind,
      criterion_id: criterionId,
      title,
      standard_ref: standardRef,
      severity,
      confidence,
      ...(said === undefined ? {} : { said: { title: said.title } }),
    }));
  await repository.addEvents(transaction, run, { type: 'finding', data });
}
