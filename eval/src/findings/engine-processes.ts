import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { EngineResults } from './printed-finding.js';

/** Documents that all engines are to judge together: name of the variant, files by name. */
export interface EngineTask {
  readonly name: string;
  readonly files: ReadonlyMap<string, string>;
}

/** What an engine process answers: what was found, or why that could not be. */
export type EngineAnswer = { readonly results: EngineResults } | { readonly error: string };

/**
 * Runs all engines over every task in several processes, each of which reads a file once for all its tasks. Results are in the order
 * of the tasks. Rejects with the first task that fails.
 * @param processes How many at once.
 */
export async function runInProcesses(
  tasks: readonly EngineTask[],
  processes: number,
  onDone: (name: string) => void,
): Promise<readonly EngineResults[]> {
  const results: EngineResults[] = [];
  const open = [...tasks.entries()].reverse();
  const workers: ChildProcess[] = [];
  const work = async () => {
    const child = fork(fileURLToPath(new URL('engine-process.js', import.meta.url)), {
      serialization: 'advanced',
    });
    workers.push(child);
    for (let next = open.pop(); next; next = open.pop()) {
      const [at, task] = next;
      results[at] = await answerOf(child, task);
      onDone(task.name);
    }
    child.disconnect();
  };
  try {
    await Promise.all(Array.from({ length: Math.min(processes, tasks.length) }, work));
  } finally {
    for (const child of workers) if (child.connected) child.kill();
  }
  return results;
}

function answerOf(child: ChildProcess, task: EngineTask): Promise<EngineResults> {
  return new Promise((resolve, reject) => {
    const end = (code: number | null) =>
      reject(new Error(`${task.name}: the engine process ended with ${code ?? 'a signal'}.`));
    child.once('exit', end);
    child.once('message', (answer: EngineAnswer) => {
      child.off('exit', end);
      if ('results' in answer) resolve(answer.results);
      else reject(new Error(`${task.name}: ${answer.error}`));
    });
    child.send(task);
  });
}
