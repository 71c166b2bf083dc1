import { announce } from '../announce.js';
import { connectOrEmbed, migrateAll } from '../open-database.js';
import { openDependencies } from '../open-dependencies.js';
import { run } from '../run.js';
import { serve } from '../serve.js';
import { work } from '../work.js';

// The whole service in one process: database, API, worker.
await run(async (process) => {
  const connections = await connectOrEmbed(process);
  await migrateAll(process, connections);
  const opened = await openDependencies(process, connections);
  await work(process, opened);
  await serve(process, opened);
  announce(process.configuration);
});
