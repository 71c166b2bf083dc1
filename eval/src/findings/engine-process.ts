/** One of several processes of `engine-processes.ts`: judges one task after another until nobody listens any more. */
import { createDocumentReader } from '@normtrace/engine';
import type { EngineAnswer, EngineTask } from './engine-processes.js';
import { documentsReader } from './read-folder.js';
import { loadJudges, runEngines } from './run-engines.js';

const judges = loadJudges();
const reader = createDocumentReader();
const read = documentsReader(reader);

process.on('message', async ({ files }: EngineTask) => {
  let answer: EngineAnswer;
  try {
    answer = { results: await runEngines(await read(files), await judges) };
  } catch (error) {
    answer = { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
  process.send!(answer);
});
process.on('disconnect', async () => {
  await reader.close();
  process.exit();
});
