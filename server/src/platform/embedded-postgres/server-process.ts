import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { fromOutput } from '../disk-space.js';
import type { Binaries } from './binaries.js';
import type { Endpoint } from './cluster.js';
import { readStatus } from './leftover.js';
import type { RunAs } from './run-as.js';

export interface ServerSettings {
  readonly binaries: Binaries;
  readonly runAs: RunAs;
  /** The cluster's directory. */
  readonly directory: string;
  readonly logFile: string;
  /** A socket that all its processes hold, so that others hear whether one of them lives. */
  readonly descriptor: number | undefined;
  readonly endpoint: Endpoint;
  /** Further settings of PostgreSQL. */
  readonly settings: Readonly<Record<string, string>>;
}

/** A running server. */
export interface ServerProcess {
  readonly pid: number;
  /** Settles when the process has ended, for whatever reason. */
  readonly ended: Promise<void>;
  /** Fast shutdown; past `milliseconds` an immediate one, from which the next start recovers. */
  stop(milliseconds: number): Promise<void>;
}

const LOG_BYTES = 10 * 1024 * 1024;
const POLL_MILLISECONDS = 10;
const TELL_MILLISECONDS = 10_000;

// Errors of statements may quote what was in them; a server's log is no place for the content of documents.
const LOG_WITHOUT_CONTENT = {
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_parameter_max_length_on_error: '0',
  log_checkpoints: 'off',
};

export interface StartOptions {
  readonly log: Logger;
  /** Ends a start that nobody waits for any more. */
  readonly signal?: AbortSignal;
}

/**
 * Starts the server and waits until it answers, however long it recovers; that it does is logged. Throws when the server
 * ends instead, with what it said; `isDiskFull` knows an error about room.
 */
export async function startServer(server: ServerSettings, options: StartOptions): Promise<ServerProcess> {
  const { endpoint, directory } = server;
  const onSocket = endpoint.host.startsWith('/');
  const settings = {
    listen_addresses: onSocket ? '' : endpoint.host,
    port: String(endpoint.port),
    unix_socket_directories: onSocket ? endpoint.host : '',
    unix_socket_permissions: '0700',
    max_connections: '200',
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...LOG_WITHOUT_CONTENT,
    ...server.settings,
  };
  const [command, ...args] = [
    ...server.runAs.prefix,
    server.binaries.postgres,
    '-D',
    directory,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
  const log = openLog(server.logFile);
  const logStart = statSync(server.logFile).size;
  // A session of its own: Ctrl-C in the terminal is for us, and the server stops when we say so.
  const inherited = server.descriptor === undefined ? [] : [server.descriptor];
  const child = spawn(command!, args, { stdio: ['ignore', log, log, ...inherited], detached: true });
  closeSync(log);
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const watchdog = server.runAs.diesWithParent ? undefined : startWatchdog(child.pid!);
  ended.then(() => watchdog?.kill('SIGKILL'));
  await waitUntilReady({ child, ended, server, logStart }, options);
  return { pid: child.pid!, ended, stop: (milliseconds) => stop(child, ended, milliseconds) };
}

async function waitUntilReady(
  {
    child,
    ended,
    server,
    logStart,
  }: {
    readonly child: ChildProcess;
    readonly ended: Promise<void>;
    readonly server: ServerSettings;
    readonly logStart: number;
  },
  { log, signal }: StartOptions,
): Promise<void> {
  let running = true;
  ended.then(() => {
    running = false;
  });
  const end = (): void => {
    child.kill('SIGINT');
  };
  signal?.addEventListener('abort', end);
  try {
    let told = performance.now();
    while (running) {
      const status = readStatus(server.directory);
      if (status?.pid === child.pid && status?.state === 'ready') return;
      if (performance.now() - told > TELL_MILLISECONDS) {
        told = performance.now();
        log.warn('PostgreSQL is still recovering what was written last; the service goes on when it is done');
      }
      await Promise.race([ended, delay(POLL_MILLISECONDS)]);
    }
  } finally {
    signal?.removeEventListener('abort', end);
  }
  const said = readFileSync(server.logFile).subarray(logStart).toString('utf8').trim();
  throw fromOutput(`PostgreSQL did not start (log: ${server.logFile}): ${said || 'no output'}`);
}

async function stop(child: ChildProcess, ended: Promise<void>, milliseconds: number): Promise<void> {
  const within = (limit: number): Promise<boolean> => {
    const timer = new AbortController();
    const late = delay(limit, false, { signal: timer.signal }).catch(() => false);
    return Promise.race([ended.then(() => true), late]).finally(() => timer.abort());
  };
  child.kill('SIGINT');
  if (await within(milliseconds)) return;
  child.kill('SIGQUIT');
  if (await within(500)) return;
  child.kill('SIGKILL');
  await ended;
}

/** For systems that cannot tie a process to its parent: reads from a pipe that closes when this process is gone. */
function startWatchdog(pid: number): ChildProcess {
  const script = 'read -r _; kill -INT "$1"; sleep 5; kill -QUIT "$1"';
  const watchdog = spawn('/bin/sh', ['-c', script, 'watchdog', String(pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  watchdog.unref();
  return watchdog;
}

function openLog(file: string): number {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > LOG_BYTES) renameSync(file, `${file}.1`);
  return openSync(file, 'a', 0o600);
}
