import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { type Doorbell, hangDoorbell } from './knock.js';

/**
 * What a process says about itself in the folder of claims of a data directory. Each claim has a name that was never
 * used before, so that removing a dead one can never hit a living one.
 */
const Claim = z.object({
  id: z.string(),
  /** `starting` until it is certain that nobody else is there, `holding` after that. */
  state: z.enum(['starting', 'holding']),
  pid: z.int(),
  host: z.string(),
  /** The kernel that it runs on, as long as that runs; absent where that cannot be asked. */
  kernel: z.string().optional(),
  /** The file of its doorbell as that kernel knows it; absent where the file system takes no sockets. */
  doorbell: z.object({ device: z.string(), inode: z.string() }).optional(),
});
export type Claim = z.output<typeof Claim>;

/** A claim that was found. Its content is absent when it is torn. */
export interface FoundClaim {
  readonly id: string;
  readonly claim?: Claim;
}

export interface OwnClaim {
  readonly id: string;
  /** Of the doorbell that the server's processes inherit. */
  readonly descriptor: number | undefined;
  /** Says that nobody else is there. */
  hold(): Promise<void>;
  /** Moves the time of the claim: its heartbeat, for those who cannot knock. Throws ENOENT when somebody removed it. */
  beat(): Promise<void>;
  withdraw(): Promise<void>;
}

/** The folder of claims below a data directory. */
export const claimsDirectory = (dataDirectory: string): string => join(dataDirectory, 'lock.d');

export const ownerBell = (id: string): string => `${id}.owner`;
export const serverBell = (id: string): string => `${id}.server`;
const fileOf = (id: string): string => `${id}.json`;

/**
 * Puts up a claim of this process. Its doorbells answer before it can be seen. `kernel` is what `kernelIdentity` says,
 * given so that a test can stand for another machine.
 */
export async function putUpClaim(directory: string, kernel: string | undefined): Promise<OwnClaim> {
  // Two steps: the making of many folders at once hides why one of them cannot be made.
  await mkdir(dirname(directory), { recursive: true, mode: 0o700 });
  await mkdir(directory, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  const id = randomBytes(8).toString('hex');
  const owner = await hangDoorbell(directory, ownerBell(id));
  const server = owner && (await hangDoorbell(directory, serverBell(id)));
  const file = join(directory, fileOf(id));
  const claim: Claim = {
    id,
    state: 'starting',
    pid: process.pid,
    host: hostname(),
    kernel,
    ...(owner ? { doorbell: await identityOf(directory, id) } : {}),
  };
  const write = async (content: Claim): Promise<void> => {
    await writeFile(`${file}.new`, JSON.stringify(content), { mode: 0o600 });
    await rename(`${file}.new`, file);
  };
  const withdraw = async (): Promise<void> => {
    await rm(file, { force: true });
    await closeAll([owner, server]);
  };
  try {
    await write(claim);
  } catch (error) {
    await rm(`${file}.new`, { force: true });
    await withdraw();
    throw error;
  }
  return {
    id,
    descriptor: server?.descriptor,
    hold: () => write({ ...claim, state: 'holding' }),
    beat: async () => {
      const now = new Date();
      await utimes(file, now, now);
    },
    withdraw,
  };
}

/** All claims, torn ones too. */
export async function listClaims(directory: string): Promise<FoundClaim[]> {
  const names = (await readdir(directory)).filter((name) => /^[0-9a-f]{16}\.json$/.test(name));
  const found = await Promise.all(names.map((name) => readClaim(directory, name.slice(0, 16))));
  return found.filter((claim) => claim !== undefined);
}

async function readClaim(directory: string, id: string): Promise<FoundClaim | undefined> {
  try {
    const parsed = Claim.safeParse(JSON.parse(await readFile(join(directory, fileOf(id)), 'utf8')));
    return parsed.success && parsed.data.id === id ? { id, claim: parsed.data } : { id };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    if (error instanceof SyntaxError) return { id };
    throw error;
  }
}

/** Removes a claim whose owner is gone. */
export async function removeClaim(directory: string, id: string): Promise<void> {
  for (const name of [fileOf(id), `${fileOf(id)}.new`, ownerBell(id), serverBell(id)]) {
    await rm(join(directory, name), { force: true });
  }
}

/**
 * When the heart of a claim beat last, in milliseconds of the clock of whoever claims: only good for seeing it move.
 * Undefined when the claim is gone. The file is opened, because network file systems ask their server only then.
 */
export async function heartbeatOf(directory: string, id: string): Promise<number | undefined> {
  try {
    const file = await open(join(directory, fileOf(id)));
    try {
      return (await file.stat()).mtimeMs;
    } finally {
      await file.close();
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Which file the doorbell of a claim is for this kernel. */
export async function identityOf(directory: string, id: string): Promise<NonNullable<Claim['doorbell']>> {
  const { dev, ino } = await stat(join(directory, ownerBell(id)), { bigint: true });
  return { device: String(dev), inode: String(ino) };
}

/**
 * A number that this kernel has from its start to its end, the same in all containers on it. Undefined where there is
 * none to be had; then only heartbeats tell whether somebody lives.
 */
export function kernelIdentity(): string | undefined {
  if (process.platform === 'darwin') {
    return (
      spawnSync('sysctl', ['-n', 'kern.bootsessionuuid'], { encoding: 'utf8' }).stdout?.trim() || undefined
    );
  }
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim() || undefined;
  } catch {
    return undefined;
  }
}

async function closeAll(doorbells: readonly (Doorbell | undefined)[]): Promise<void> {
  await Promise.all(doorbells.map((doorbell) => doorbell?.close()));
}
