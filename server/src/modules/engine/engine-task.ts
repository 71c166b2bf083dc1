import { compileLate, DocumentError, StandardFileError } from '@normtrace/engine';
import {
  serveTasks,
  type Task,
  type TaskContext,
  type TaskResult,
} from '../../platform/processes/serve-tasks.js';

/**
 * Work for a process of the engine. As a route does, it belongs to the module whose thing it is; `engine-tasks.ts` names
 * every one, and `Engine.run` takes it with what it needs and gives.
 */
export interface EngineTask<Input, Result> {
  readonly name: string;
  /** Seconds of processor time that it may take: a last resort. A day where something else ends it before. */
  readonly processorSeconds?: number;
  work(input: Input, context: TaskContext): Promise<TaskResult<Result>>;
}

/** Turns this process into one that does these tasks. Throws when two have the same name. */
export function serveEngineTasks(tasks: readonly { readonly name: string; readonly work: Task }[]): void {
  const byName = new Map(tasks.map(({ name, work }) => [name, work]));
  if (byName.size < tasks.length) throw new Error('Two tasks of the engine have the same name.');
  compileLate();
  serveTasks(Object.fromEntries(byName), explain);
}

/** These errors are written for the person who uploaded the file; anything else is ours. */
function explain(error: unknown): Record<string, unknown> | undefined {
  if (error instanceof DocumentError) return { code: error.code, hint: error.hint };
  if (error instanceof StandardFileError) return { code: 'not_a_standard', hint: error.hint };
  return undefined;
}
