import { connectOrEmbed, migrateAll } from '../open-database.js';
import { run } from '../run.js';

// Brings the database up to date and ends. Running it twice, or in two places at once, does no harm.
await run(async (process) => {
  const ran = await migrateAll(process, await connectOrEmbed(process));
  const done = ran.length > 0 ? `Migrations that ran: ${ran.join(', ')}.` : 'The database is up to date.';
  globalThis.process.stdout.write(`${done}\n`);
  await process.shutdown.run();
});
