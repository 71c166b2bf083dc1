import type { Logger } from 'pino';
import type { Configuration } from '../platform/configuration/configuration.js';
import { settingsHelp } from '../platform/configuration/describe-settings.js';
import { ConfigurationError, loadConfiguration } from '../platform/configuration/load.js';
import { createLog } from './create-log.js';
import { createShutdown, type Shutdown } from './shutdown.js';

export interface Process {
  readonly configuration: Configuration;
  readonly log: Logger;
  /** What was opened says here how it is closed. */
  readonly shutdown: Shutdown;
}

/**
 * Runs an entry point: reads the settings, starts it, and stops it at SIGTERM or SIGINT. What stops a start is one
 * sentence on standard error and exit code 1 (2 for settings and arguments).
 */
export async function run(start: (process: Process) => Promise<void>): Promise<void> {
  const unknown = process.argv.slice(2).find((argument) => argument !== '--help' && argument !== '-h');
  if (unknown !== undefined) return refuse(`There is no argument ${unknown}; --help lists the settings.`, 2);
  if (process.argv.length > 2) {
    process.stdout.write(`${settingsHelp()}\n`);
    return;
  }
  let configuration: Configuration;
  try {
    configuration = loadConfiguration(process.env);
  } catch (error) {
    if (error instanceof ConfigurationError) return refuse(error.message, 2);
    throw error;
  }
  const log = createLog(configuration.logLevel);
  const shutdown = createShutdown(log);
  const stop = (signal: string): void => {
    if (shutdown.begun) process.exit(1);
    log.info({ signal }, 'stopping');
    shutdown.run().then(() => process.exit(process.exitCode ?? 0));
  };
  process.on('SIGTERM', stop).on('SIGINT', stop).on('SIGHUP', stop);
  if (/^(start|dev)$/.test(process.env.npm_lifecycle_event ?? '')) endWithParent(() => stop('npm is gone'));
  const crash = (error: unknown): void => {
    log.fatal({ err: error }, 'an error that nobody expected');
    process.exitCode = 1;
    if (!shutdown.begun) stop('error');
  };
  process.on('uncaughtException', crash).on('unhandledRejection', crash);
  try {
    await start({ configuration, log, shutdown });
  } catch (error) {
    log.debug({ err: error }, 'the start failed');
    refuse(explain(error, configuration), 1);
    if (!shutdown.begun) await shutdown.run();
    process.exit();
  }
}

/** npm that is killed hard leaves its child running, which would hold port and data without anybody knowing. */
function endWithParent(stop: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    stop();
  }, 500).unref();
}

function refuse(sentence: string, code: number): void {
  process.stderr.write(`${sentence}\n`);
  process.exitCode = code;
}

function explain(error: unknown, { host, port }: Configuration): string {
  const code = (error as { code?: string }).code;
  if (code === 'EADDRINUSE') {
    return `Port ${port} on ${host} is in use by another program. Stop that one, or choose another port: PORT=${port + 1} npm start`;
  }
  if (code === 'EACCES' && (error as { syscall?: string }).syscall === 'listen') {
    return `Port ${port} may not be used by this user. Choose one above 1023, for example PORT=8000.`;
  }
  if (code === 'EADDRNOTAVAIL') return `This machine has no address ${host}. Set HOST to one that it has.`;
  return error instanceof Error ? error.message : String(error);
}
