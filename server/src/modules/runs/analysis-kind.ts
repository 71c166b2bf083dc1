import type { Transaction } from '../../platform/database/database.js';
import type { Dependencies } from '../../platform/dependencies.js';
import type { Engine, EngineOptions } from '../engine/engine.js';
import type { AnalysisType } from './analysis-type.js';

// How a type of analysis is added:
//  1. An `EngineTask` in the module of the type, named in `engine-tasks.ts`: what runs in a process of the engine.
//  2. A route whose handler looks at the body and calls `startAnalysis` (`analyses.service.ts`) with everything that
//     the result depends on.
//  3. An `AnalysisKind` in the module of the type, named in `jobs.ts`: loads, runs, stores. `store-gaps.ts` and
//     `store-evidence.ts` do what all types share.
//  4. An `AnalysisView` in the same place, named in `routes.ts`: what `GET /analysis/analyses/{id}` shows of it.

/** A run in the hands of one worker. Once another attempt exists, nothing of this one is written any more. */
export interface Run {
  readonly workspaceId: string;
  readonly id: string;
  readonly attempt: number;
}

export interface TakenRun extends Run {
  readonly type: AnalysisType;
  /** What it is compared with. */
  readonly series: string;
  /** Of the engine that works now: after an upgrade another one than when the run was started. */
  readonly engine_version: string;
  readonly standard_id: string | null;
  readonly mode: 'rules' | 'ai';
  readonly fresh_answers: boolean;
  /** As the kind stored them. */
  readonly options: unknown;
  /** Until it has to end, as the database counts: the clock of this machine may be another one. */
  readonly milliseconds_left: number;
  /** When it was taken, in milliseconds of `performance.now()`; what is left counts from there. */
  readonly takenAt: number;
}

export type RunTools = Pick<
  Dependencies,
  'database' | 'storage' | 'queue' | 'configuration' | 'log' | 'clock'
>;

/** A type of analysis: what differs between them. Everything else is `run-analysis.ts`. */
export interface AnalysisKind<Input = unknown, Result = unknown, Unit = unknown> {
  readonly type: AnalysisType;
  /** What its stages are called, for a person. */
  readonly stages: Readonly<Record<string, string>>;
  /** Outside any transaction. Throws `RunFailed` for what a person should read. */
  load(tools: RunTools, run: TakenRun, signal: AbortSignal): Promise<Input>;
  /** Lets a process of the engine work. `options` carry the signal and take the news: progress, findings, finished units. */
  analyse(
    engine: Engine,
    input: Input,
    context: {
      readonly tools: RunTools;
      readonly run: TakenRun;
      /** Units that an attempt before this one finished with the same engine, for a task that tells units. */
      readonly known: readonly Unit[];
      readonly options: Required<Pick<EngineOptions, 'signal' | 'group' | 'onNews'>>;
    },
  ): Promise<Result>;
  /**
   * Stores the result, in the transaction that ends the run. The run is ours and locked there, and runs of the same
   * series store one after the other.
   */
  store(
    transaction: Transaction,
    run: TakenRun,
    found: { readonly input: Input; readonly result: Result },
  ): Promise<RunOutcome>;
}

export interface RunOutcome {
  /** 0 to 100. */
  readonly score: number | null;
  /** Criteria, documents, artifacts … that were looked at. */
  readonly units: number;
  /** Numbers for the list of runs and for the event `completed`. */
  readonly counts: Readonly<Record<string, unknown>>;
  /** What else the summary tells: how the result was found. */
  readonly details: Readonly<Record<string, unknown>>;
}

/** A reason to end a run that a person should read. */
export class RunFailed extends Error {
  override readonly name = 'RunFailed';
}
