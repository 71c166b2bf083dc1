import { type ChildProcess, spawn } from 'node:child_process';
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Binaries } from './binaries.js';
import type { Endpoint } from './cluster.js';
import type { RunAs } from './run-as.js';

export interface ServerSettings {
  readonly binaries: Binaries;
  readonly runAs: RunAs;
  /** The cluster's directory. */
  readonly directory: string;
  readonly logFile: string;
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
const START_MILLISECONDS = 60_000;

// Errors of statements may quote what was in them; a server's log is no place for the content of documents.
const LOG_WITHOUT_CONTENT = {
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_parameter_max_length_on_error: '0',
  log_checkpoints: 'off',
};

/** Starts the server and waits until it answers, recovery included. */
export async function startServer(server: ServerSettings): Promise<ServerProcess> {
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
  const child = spawn(command!, args, { stdio: ['ignore', log, log], detached: true });
  closeSync(log);
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const watchdog = server.runAs.diesWithParent ? undefined : startWatchdog(child.pid!);
  ended.then(() => watchdog?.kill('SIGKILL'));
  await waitUntilReady(child, ended, server, logStart);
  return { pid: child.pid!, ended, stop: (milliseconds) => stop(child, ended, milliseconds) };
}

/**
 * Stops what an earlier process left running in this directory, and clears what keeps a new server from starting.
 * Only for the holder of the directory's lock: then nothing that runs there is in use. Where there is no /proc to
 * see it, PostgreSQL's own checks at the start decide.
 */
export async function stopLeftover(directory: string): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    const pid = readStatus(directory)?.pid ?? 0;
    const running = processesIn(directory);
    if (running === undefined) return;
    if (running.length === 0) break;
    for (const target of running.includes(pid) ? [pid] : running) kill(target, signal);
    for (let waited = 0; waited < 3_000 && processesIn(directory)?.length; waited += POLL_MILLISECONDS) {
      await delay(POLL_MILLISECONDS);
    }
  }
  // Its number may belong to another program by now, and PostgreSQL would take that for a server.
  if (processesIn(directory)?.length === 0) rmSync(join(directory, 'postmaster.pid'), { force: true });
}

/** Every process of a server works in its cluster's directory. Undefined where that cannot be asked. */
function processesIn(directory: string): number[] | undefined {
  if (!existsSync('/proc/self/cwd')) return undefined;
  const cluster = realpathSync(directory);
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return pid !== process.pid && readlinkSync(`/proc/${pid}/cwd`) === cluster;
      } catch {
        return false;
      }
    });
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function waitUntilReady(
  child: ChildProcess,
  ended: Promise<void>,
  server: ServerSettings,
  logStart: number,
): Promise<void> {
  let running = true;
  ended.then(() => {
    running = false;
  });
  for (let waited = 0; waited < START_MILLISECONDS; waited += POLL_MILLISECONDS) {
    const status = readStatus(server.directory);
    if (status?.pid === child.pid && status?.state === 'ready') return;
    await Promise.race([ended, delay(POLL_MILLISECONDS)]);
    if (!running) break;
  }
  if (running) child.kill('SIGQUIT');
  const said = readFileSync(server.logFile).subarray(logStart).toString('utf8').trim();
  throw new Error(`PostgreSQL did not start (log: ${server.logFile}): ${said || 'no output'}`);
}

/** The file that PostgreSQL keeps in its directory while it runs: pid on the first line, state on the eighth. */
function readStatus(directory: string): { pid: number; state: string } | undefined {
  try {
    const lines = readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n');
    return { pid: Math.abs(Number(lines[0])), state: lines[7]?.trim() ?? '' };
  } catch {
    return undefined;
  }
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
