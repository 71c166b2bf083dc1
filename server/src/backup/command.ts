import { parseArgs } from 'node:util';
import type { Configuration } from '../platform/configuration/configuration.js';
import { ConfigurationError, loadConfiguration } from '../platform/configuration/load.js';
import { BackupError } from './backup-error.js';

type Options = NonNullable<NonNullable<Parameters<typeof parseArgs>[0]>['options']>;

/**
 * Runs a command on the embedded installation. What the operator can mend is one sentence on standard error, with exit
 * code 1 (2 for arguments and settings).
 */
export async function runCommand(
  usage: string,
  options: Options,
  work: (
    values: Readonly<Record<string, string | boolean | undefined>>,
    configuration: Configuration,
  ) => Promise<void>,
): Promise<void> {
  try {
    const { values } = parseArgs({ options: { ...options, help: { type: 'boolean', short: 'h' } } });
    if (values.help) process.stdout.write(usage);
    else await work(values as Parameters<typeof work>[0], embedded(loadConfiguration(process.env)));
  } catch (error) {
    const isUsage =
      error instanceof ConfigurationError || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS');
    if (!isUsage && !(error instanceof Error)) throw error;
    process.stderr.write(`${(error as Error).message}\n${isUsage ? usage : ''}`);
    process.exitCode = isUsage ? 2 : 1;
  }
}

function embedded(configuration: Configuration): Configuration {
  if (configuration.databaseUrl) {
    throw new BackupError(
      'This command is for the embedded database. With DATABASE_URL, back up PostgreSQL and the objects with their own tools; docs/operation.md says how.',
    );
  }
  if (configuration.storage.kind !== 'disk') {
    throw new BackupError(
      'This command is for objects on disk. With STORAGE=s3, back up the bucket with its own tools.',
    );
  }
  return configuration;
}

/** Progress on one line of a terminal; silent where there is none. */
export function progressLine(stage: string, done: number, total: number): void {
  if (!process.stderr.isTTY) return;
  process.stderr.write(`\r\x1b[2K${stage}${total > 1 ? ` ${Math.floor((100 * done) / total)} %` : ' …'}`);
}

export function endProgress(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[2K');
}

export const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MB`;
