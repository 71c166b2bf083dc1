import { connectMigrated } from '../open-database.js';
import { openDependencies } from '../open-dependencies.js';
import { run } from '../run.js';
import { work } from '../work.js';

// A worker alone. Any number of these, on any machines, over one DATABASE_URL.
await run(async (process) => {
  const opened = await openDependencies(process, await connectMigrated(process));
  await work(process, opened);
  process.log.info({ concurrency: process.configuration.workerConcurrency }, 'worker ready');
});
