import { connectMigrated } from '../open-database.js';
import { openDependencies } from '../open-dependencies.js';
import { run } from '../run.js';
import { serve } from '../serve.js';

// The API alone. Any number of these, on any machines, over one DATABASE_URL.
await run(async (process) => {
  const opened = await openDependencies(process, await connectMigrated(process));
  const address = await serve(process, opened);
  process.log.info({ address }, 'API ready');
});
