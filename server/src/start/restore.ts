import { BackupError } from '../backup/backup-error.js';
import { endProgress, progressLine, runCommand } from '../backup/command.js';
import { restoreBackup } from '../backup/restore-backup.js';
import { createLog } from './create-log.js';

const USAGE = `npm run restore -- --from FILE [--force]

Puts a backup into DATA_DIR, which has to be empty. With --force an installation that is there is moved aside. The
archive is compared with its manifest first; the service must not run.
`;

const options = { from: { type: 'string' }, force: { type: 'boolean' } } as const;
await runCommand(USAGE, options, async ({ from, force }, { dataDirectory, logLevel }) => {
  if (typeof from !== 'string') throw new BackupError('Name the backup with --from FILE.');
  const log = createLog(logLevel);
  const restored = await restoreBackup({ from, dataDirectory, force: force === true, log }, progressLine);
  endProgress();
  const { version, created_at, files } = restored.manifest;
  process.stdout.write(
    `${dataDirectory}: ${files.length} files of ${created_at}, version ${version}. Start it with npm start.\n` +
      (restored.before
        ? `What was there is in ${restored.before}; delete it when you need it no more.\n`
        : ''),
  );
});
