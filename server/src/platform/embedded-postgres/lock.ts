import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isDiskFull } from '../disk-space.js';
import {
  type Claim,
  claimsDirectory,
  type FoundClaim,
  heartbeatOf,
  identityOf,
  kernelIdentity,
  listClaims,
  type OwnClaim,
  ownerBell,
  putUpClaim,
  removeClaim,
  serverBell,
} from './claims.js';
import { clusterDirectory } from './cluster.js';
import { knock } from './knock.js';
import { knockAtServer, removeServerMark, stopLeftover } from './leftover.js';

export interface DirectoryLock {
  /** A listening socket that processes of the server inherit: while one of them lives, others hear it. */
  readonly descriptor: number | undefined;
  /** Gives the directory back; the server has ended before. */
  release(): Promise<void>;
}

/** Somebody has the directory, or is about to take it. */
export class DirectoryInUse extends Error {
  override readonly name = 'DirectoryInUse';
}

export interface LockOptions {
  /** Somebody removed the claim of this process: another one may begin at any moment. */
  readonly onLost?: (error: Error) => void;
  /** Told when it takes longer, with a sentence. */
  readonly onWait?: (sentence: string) => void;
  /** Of this machine; tests stand for another one. */
  readonly kernel?: string | undefined;
  /** How long a heartbeat is watched. */
  readonly watchMilliseconds?: number;
}

/** A claim is renewed this often ... */
const BEAT_MILLISECONDS = 2_000;
/** ... and watched this long where nobody can knock: on another machine, or after this one started anew. */
const WATCH_MILLISECONDS = 20_000;
/** A server whose owner died gets this long to end. */
const LEFTOVER_MILLISECONDS = 30_000;
const POLL_MILLISECONDS = 20;
/** ENOENT: what Node.js says when a folder cannot be made on a disk that may only be read. */
const NOT_WRITABLE: ReadonlySet<string> = new Set(['EROFS', 'EACCES', 'EPERM', 'ENOENT', 'ENOTDIR']);

/**
 * Takes the data directory for this process, and ends what a dead owner left running in it. When it returns, nobody
 * else is there, and nothing keeps a new server from starting.
 *
 * Whoever wants the directory puts up a claim with a doorbell and then looks for others (decision 120). It holds the
 * directory only after a look that found nobody alive; of two that look at the same moment, the later one sees the
 * earlier. A doorbell that nobody answers proves death at once on the same kernel, in other containers too; anywhere
 * else the heartbeat of the claim is watched.
 *
 * Throws a sentence that says who is there, or what could not be judged; then nothing was removed.
 */
export async function lockDirectory(
  dataDirectory: string,
  options: LockOptions = {},
): Promise<DirectoryLock> {
  const kernel = 'kernel' in options ? options.kernel : kernelIdentity();
  const place: Place = { dataDirectory, directory: claimsDirectory(dataDirectory), kernel, options };
  const own = await putUpClaim(place.directory, kernel).catch((error) => {
    throw cannotUse(dataDirectory, error);
  });
  // From the beginning: others may have to wait for this one.
  const heart = startHeart(own, place);
  try {
    const dead = await becomeOnly(place, own);
    await own.hold();
    await endServers(place, dead);
    for (const id of dead) await removeClaim(place.directory, id);
    // Of versions before the claims.
    await rm(join(dataDirectory, 'lock'), { force: true });
  } catch (error) {
    heart.stop();
    await own.withdraw();
    throw cannotUse(dataDirectory, error);
  }
  return {
    descriptor: own.descriptor,
    release: async () => {
      heart.stop();
      await own.withdraw();
    },
  };
}

interface Place {
  readonly dataDirectory: string;
  readonly directory: string;
  readonly kernel: string | undefined;
  readonly options: LockOptions;
}

/** Returns the claims of dead owners once nobody else is there. Throws when somebody is. */
async function becomeOnly(place: Place, own: OwnClaim): Promise<readonly string[]> {
  const dead = new Set<string>();
  for (;;) {
    const others = (await listClaims(place.directory)).filter(({ id }) => id !== own.id && !dead.has(id));
    const alive: FoundClaim[] = [];
    await Promise.all(
      others.map(async (found) => {
        if (await isAlive(place, found)) alive.push(found);
        else dead.add(found.id);
      }),
    );
    if (alive.length === 0) return [...dead];
    const holder = alive.find(({ claim }) => claim?.state !== 'starting');
    if (holder) throw inUse(place, holder, 'uses');
    // Of those that look for each other one goes on: the one with the least name; it waits until the others are gone.
    const before = alive.find(({ id }) => id < own.id);
    if (before) throw inUse(place, before, 'is about to use');
    await delay(POLL_MILLISECONDS);
  }
}

async function isAlive(place: Place, { id, claim }: FoundClaim): Promise<boolean> {
  const heard = await knock(place.directory, ownerBell(id));
  if (heard === 'answered') return true;
  if (heard === 'refused' && claim && (await isOfThisKernel(place, claim))) return false;
  return beats(place, { id, ...(claim ? { claim } : {}) });
}

/** Only the kernel that made the doorbell can say that nobody holds it, and only for the very file that it knows. */
async function isOfThisKernel({ directory, kernel }: Place, claim: Claim): Promise<boolean> {
  if (kernel === undefined || claim.kernel !== kernel || !claim.doorbell) return false;
  const { device, inode } = await identityOf(directory, claim.id).catch(() => ({ device: '', inode: '' }));
  return device === claim.doorbell.device && inode === claim.doorbell.inode;
}

async function beats({ dataDirectory, directory, options }: Place, found: FoundClaim): Promise<boolean> {
  const { onWait, watchMilliseconds = WATCH_MILLISECONDS } = options;
  const first = await heartbeatOf(directory, found.id);
  if (first === undefined) return false;
  onWait?.(
    `${dataDirectory} was last used by ${nameOf(found)}, on another machine or before this one was started. Looking for ` +
      `${Math.round(watchMilliseconds / 1000)} seconds whether it still runs.`,
  );
  const until = performance.now() + watchMilliseconds;
  while (performance.now() < until) {
    await delay(Math.min(250, watchMilliseconds / 10));
    const now = await heartbeatOf(directory, found.id);
    if (now === undefined) return false;
    if (now !== first) return true;
  }
  return false;
}

/**
 * Waits until the servers of dead owners are gone. Those that this process can see are ended, those in another container
 * end with their owner. A server that no claim belongs to was not started by us, and is left alone.
 */
async function endServers(
  { dataDirectory, directory, options }: Place,
  dead: readonly string[],
): Promise<void> {
  const cluster = clusterDirectory(dataDirectory);
  if (!existsSync(cluster)) return;
  const isOurs = dead.length > 0 || existsSync(join(dataDirectory, 'lock'));
  const runs = async (): Promise<boolean> => {
    const heard = await Promise.all([
      knockAtServer(cluster),
      ...dead.map((id) => knock(directory, serverBell(id))),
    ]);
    return heard.includes('answered');
  };
  if (isOurs) await stopLeftover(cluster);
  const until = performance.now() + (isOurs ? LEFTOVER_MILLISECONDS : 0);
  for (let told = false; await runs(); told = true) {
    if (!told && isOurs)
      options.onWait?.('The PostgreSQL of a service that has ended still runs; waiting for its end.');
    if (performance.now() >= until) {
      throw new Error(
        `A PostgreSQL runs in ${cluster} ${isOurs ? 'although its service has ended' : 'that no service of Normtrace has started'}, ` +
          'and this process cannot see it: it may be in another container. Nothing was changed. Stop it there, and start again.',
      );
    }
    await delay(POLL_MILLISECONDS);
  }
  removeServerMark(cluster, { proven: isOurs });
}

function startHeart(own: OwnClaim, { dataDirectory, options }: Place): { stop(): void } {
  const timer = setInterval(() => {
    own.beat().catch((error: NodeJS.ErrnoException) => {
      // A disk that is full or slow is no reason to stop: whoever is on this machine can knock.
      if (error.code !== 'ENOENT') return;
      clearInterval(timer);
      options.onLost?.(
        new Error(
          `The claim of this process on ${dataDirectory} was removed; another process may take the directory at any moment. ` +
            'Stopping at once, so that two never write there.',
        ),
      );
    });
  }, BEAT_MILLISECONDS).unref();
  return { stop: () => clearInterval(timer) };
}

const inUse = ({ dataDirectory }: Place, found: FoundClaim, verb: string): DirectoryInUse =>
  new DirectoryInUse(
    `Another process${shown(found)} ${verb} the data directory ${dataDirectory}. ` +
      'Stop it first, or give this one a directory of its own with DATA_DIR.',
  );

function shown({ claim }: FoundClaim): string {
  if (!claim) return '';
  return claim.host === hostname() ? ` (${claim.pid})` : ` (${claim.pid} on ${claim.host})`;
}

const nameOf = ({ claim }: FoundClaim): string =>
  claim ? `process ${claim.pid} on ${claim.host}` : 'a process whose claim is damaged';

/** What the file system refuses, in a sentence. */
function cannotUse(dataDirectory: string, error: unknown): Error {
  const { code, message } = error as NodeJS.ErrnoException;
  if (isDiskFull(error)) {
    return Object.assign(
      new Error(`The disk of the data directory ${dataDirectory} is full. Free some room.`),
      { code },
    );
  }
  if (code !== undefined && NOT_WRITABLE.has(code)) {
    return new Error(
      `The data directory ${dataDirectory} cannot be made or written by this process (${code}). Let it write there, or name ` +
        'another directory with DATA_DIR.',
      { cause: error },
    );
  }
  if (code === undefined) return error as Error;
  return Object.assign(
    new Error(
      `It cannot be judged whether somebody uses the data directory ${dataDirectory}: ${message}. Nothing was changed. ` +
        `When you are certain that no process uses it, on no machine, remove ${claimsDirectory(dataDirectory)} and start again.`,
      { cause: error },
    ),
    { code },
  );
}
