import type { Finding, RunCallbacks } from '@normtrace/engine';
import type { TaskContext } from '../../platform/processes/serve-tasks.js';

/** How far a run is. */
export interface RunProgress {
  readonly stage: string;
  /** 0 to 99; 100 is reached when the result is stored. */
  readonly percent: number;
  readonly done: number;
  readonly total: number;
}

/** What a run of any type tells while it goes on. */
export type RunNews =
  | { readonly kind: 'progress'; readonly progress: RunProgress }
  /** Finished work that another attempt need not do again; what it is, the type of analysis knows. */
  | { readonly kind: 'unit'; readonly unit: unknown }
  | { readonly kind: 'finding'; readonly finding: Finding };

/** Share of the whole that each stage begins and ends with, in percent. */
export type StageShares<Stage extends string> = Readonly<Record<Stage, readonly [from: number, to: number]>>;

/** How far all of it is when a stage has done so much. */
export const progressOf =
  <Stage extends string>(shares: StageShares<Stage>) =>
  (stage: Stage, done: number, total: number): RunProgress => {
    const [from, to] = shares[stage];
    const percent = Math.floor(from + ((to - from) * done) / Math.max(1, total));
    return { stage, percent, done, total };
  };

/** Tells how far a task is, by the share of its stages. */
export const tellProgress =
  <Stage extends string>(context: TaskContext, shares: StageShares<Stage>) =>
  (...at: Parameters<ReturnType<typeof progressOf<Stage>>>): void =>
    tell(context, { kind: 'progress', progress: progressOf(shares)(...at) });

/** Tells what an engine's run does, as its callbacks: how far it is, what it finished, what it found. */
export function tellRun<Stage extends string, Unit>(
  context: TaskContext,
  shares: StageShares<Stage>,
): Required<RunCallbacks<Stage, Unit>> {
  const progress = tellProgress(context, shares);
  return {
    onProgress: (event) => {
      progress(event.stage, event.done, event.total);
      if (event.type === 'unit' && !event.known) tell(context, { kind: 'unit', unit: event.unit });
    },
    onFinding: (finding) => tell(context, { kind: 'finding', finding }),
  };
}

export const tell = (context: TaskContext, news: RunNews): void => context.progress(news);
