import { endProgress, megabytes, progressLine, runCommand } from '../backup/command.js';
import { makeBackup } from '../backup/make-backup.js';

const USAGE = `npm run backup -- --to FILE

Writes database, objects, passwords and keys of the embedded installation (DATA_DIR) into one archive. The service may
run. Keep the archive like the installation itself: whoever has it has every document and every key.
`;

await runCommand(USAGE, { to: { type: 'string' } }, async ({ to }, { dataDirectory }) => {
  const day = new Date().toISOString().slice(0, 10);
  const file = typeof to === 'string' ? to : `normtrace-${day}.tar.gz`;
  const backup = await makeBackup({ dataDirectory, to: file }, progressLine);
  endProgress();
  const how = backup.running ? 'while the service was running' : 'with the service stopped';
  process.stdout.write(`${backup.file}: ${backup.files} files, ${megabytes(backup.bytes)}, ${how}.\n`);
});
