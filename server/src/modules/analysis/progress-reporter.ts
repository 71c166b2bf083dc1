import { setTimeout as delay } from 'node:timers/promises';
import type { CriterionVerdict } from '@normtrace/engine';
import { sql } from '../../platform/database/sql.js';
import type { Dependencies } from '../../platform/dependencies.js';
import { describeError } from '../../platform/queue/describe-error.js';
import type { GapAnalysisNews, RunProgress } from '../engine/gap-analysis-task.js';
import * as repository from './analyses.repository.js';
import type { TakenRun } from './run-analysis.js';

/** At most four transactions a second for one run, however often the engine speaks. */
const INTERVAL_MILLISECONDS = 250;
/** Verdicts are kept so often: what is lost with a worker is less than this. Short runs write none. */
const CHECKPOINT_MILLISECONDS = 10_000;

const MESSAGES: Readonly<Record<string, string>> = {
  documents: 'Loading documents',
  passages: 'Finding sections, tables and statements',
  words: 'Indexing words',
  retrieval: 'Finding passages for each criterion',
  judgement: 'Judging criteria',
  findings: 'Writing findings',
};

export interface ProgressReporter {
  report(news: GapAnalysisNews): void;
  /** Resolves when everything that was reported is written. */
  finish(): Promise<void>;
}

/** Writes progress and findings of a run, gathered over short intervals; calls `lost` when it is not ours any more. */
export function createProgressReporter(
  { database, clock, log }: Pick<Dependencies, 'database' | 'clock' | 'log'>,
  run: Pick<TakenRun, 'workspaceId' | 'id' | 'attempt' | 'engine_version'>,
  lost: () => void,
): ProgressReporter {
  const started = clock().getTime();
  let progress: RunProgress | undefined;
  let findings: Extract<GapAnalysisNews, { kind: 'finding' }>['finding'][] = [];
  let verdicts: CriterionVerdict[] = [];
  let keptAt = started;
  let writing: Promise<void> | undefined;

  const writeAll = async (): Promise<void> => {
    while (progress || findings.length > 0) {
      const isTime = clock().getTime() - keptAt >= CHECKPOINT_MILLISECONDS;
      const now = { progress, findings, verdicts: isTime ? verdicts : [] };
      progress = undefined;
      findings = [];
      if (isTime) {
        verdicts = [];
        keptAt = clock().getTime();
      }
      const mine = await database
        .withWorkspace(run.workspaceId, (transaction) =>
          write(transaction, run, { ...now, elapsed: clock().getTime() - started }),
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
      await delay(INTERVAL_MILLISECONDS);
    }
  };

  return {
    report(news) {
      if (news.kind === 'progress') progress = news.progress;
      else if (news.kind === 'verdict') verdicts.push(news.verdict);
      else findings.push(news.finding);
      writing ??= writeAll().finally(() => {
        writing = undefined;
      });
    },
    finish: async () => {
      await writing;
    },
  };
}

async function write(
  transaction: Parameters<typeof repository.addEvent>[0],
  run: Pick<TakenRun, 'workspaceId' | 'id' | 'attempt' | 'engine_version'>,
  news: {
    readonly progress: RunProgress | undefined;
    readonly findings: readonly Extract<GapAnalysisNews, { kind: 'finding' }>['finding'][];
    readonly verdicts: readonly CriterionVerdict[];
    readonly elapsed: number;
  },
): Promise<boolean> {
  const isMine = await transaction.maybeOne(sql`
    select id from analyses where workspace_id = ${run.workspaceId} and id = ${run.id}
      and attempt = ${run.attempt} and status = 'running' for update`);
  if (!isMine) return false;
  if (news.progress) {
    const { stage, percent, done, total } = news.progress;
    const message = MESSAGES[stage] ?? stage;
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
  if (news.verdicts.length > 0) {
    await transaction.run(sql`
      insert into analysis_checkpoints (workspace_id, analysis_id, engine_version, verdicts)
      values (${run.workspaceId}, ${run.id}, ${run.engine_version}, ${JSON.stringify(news.verdicts)}::jsonb)`);
  }
  if (news.findings.length > 0) await reportOnce(transaction, run, news.findings);
  return true;
}

/** Findings that an earlier attempt reported are not reported again. */
async function reportOnce(
  transaction: Parameters<typeof repository.addEvent>[0],
  run: Pick<TakenRun, 'workspaceId' | 'id' | 'attempt' | 'engine_version'>,
  findings: readonly Extract<GapAnalysisNews, { kind: 'finding' }>['finding'][],
): Promise<void> {
  const reported = await transaction.many<{ fingerprint: string }>(sql`
    select data ->> 'fingerprint' as fingerprint from workspace_events
    where workspace_id = ${run.workspaceId} and analysis_id = ${run.id} and type = 'finding'`);
  const known = new Set(reported.map(({ fingerprint }) => fingerprint));
  for (const finding of findings.filter(({ fingerprint }) => !known.has(fingerprint))) {
    const { fingerprint, kind, criterionId, title, standardRef, severity, confidence } = finding;
    await repository.addEvent(transaction, run, {
      type: 'finding',
      data: {
        fingerprint,
        type: kind,
        criterion_id: criterionId,
        title,
        standard_ref: standardRef,
        severity,
        confidence,
      },
    });
  }
}
